"""The sessions of other programs that the viewer can show, each as a journal in memory once it is wanted.

Listing costs a look at folders; a transcript is read only when it is shown, or when its row in the list is in view.
Any thread may call the library, except for `follow`, which belongs to the event loop. What reads transcripts is loaded
with the first of them: the viewer's first frame needs none.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from seqthink.core.background import keep_running_sync
from seqthink.core.errors import UsageError, reason_of
from seqthink.core.file_edit import CallChange
from seqthink.core.text import SafeText
from seqthink.core.times import datetime_of, is_recent, microseconds_of
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.library.places.mailbox import Mailbox, NotesFileMailbox
from seqthink.library.places.place import LOOK_SECONDS, Place, PlacedSession, PlaceReport, SearchFilter, short_path
from seqthink.library.places.source_listing import SourceListing
from seqthink.library.places.transcript_spools import TranscriptSpools
from seqthink.library.viewer_store.newest_transcripts import load_newest, save_newest
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.description import ReadingTerms
from seqthink.sources.transcripts.named_transcript import NamedTranscript
from seqthink.sources.transcripts.registry import TRANSCRIPTS, load_source, transcript_names

if TYPE_CHECKING:
    from seqthink.chain.query import Query
    from seqthink.library.places.transcript_search import TranscriptSearch
    from seqthink.sources.transcripts.source import FoundSession
    from seqthink.sources.transcripts.spool import SpoolFolder

BUSY_LOOK_FACTOR = 20
"""The pause is this many times as long as a look at one client takes, while transcripts change."""
LIVE_SECONDS = 60
"""A transcript that changed within this time counts as live."""
MAX_LISTED = 2000
"""Sessions of a client in the list, the newest; those who count or search all have no such bound."""
MAX_GLANCED = 256
"""Transcripts, the newest, that are looked at for changes."""


class TranscriptPlace(Place):
    """The transcripts of the clients in ``names``, in the folders of this user.

    Args:
        names: the names of the sources, as `seqthink.sources.transcripts.registry.parse_sources` gives them.
        environ: the environment, which may name other folders.
        home: the user's home folder.
        clock: returns microseconds since 1970.
        budget: how much time and memory reading them may take; without one, as much as it needs.
        viewer_folder: where viewers keep the newest sessions, to begin with; None to keep nothing.
    """

    is_translated = True
    announces = False

    def __init__(
        self,
        names: frozenset[str],
        environ: Mapping[str, str],
        home: Path,
        clock: Callable[[], int],
        budget: Budget | None = None,
        viewer_folder: Path | None = None,
    ) -> None:
        self._environ, self._home, self._clock = environ, home, clock
        self.budget = budget or Budget()
        """What was left out because it would have taken too long is said there."""
        self._names = [name for name in transcript_names() if name in names]
        self._viewer_folder = viewer_folder
        self._names = [name for name in transcript_names() if name in names]
        self._loaded: dict[str, SourceListing] = {}
        self._loading = threading.Lock()
        self.spools = TranscriptSpools(environ, clock, self.budget, lambda found: self._listings[found.source].source)
        """The transcripts that are journals in memory by now."""
        self._looking = threading.Lock()  # one look at a time
        self._joined: dict[Path, Path] = {}
        self._search: TranscriptSearch | None = None
        self._beginnings: dict[Path, tuple[int, int]] = {}
        self._files: dict[tuple[str, str], tuple[FoundSession, SessionFile]] = {}
        self._listed_paths: frozenset[Path] = frozenset()
        self._listed: list[SessionFile] = []
        self._is_listed = False
        self._max_listed = MAX_LISTED
        self._looks = 0
        self._listing = ""
        self._lister = threading.Thread()
        self._beginning = threading.Lock()

    @property
    def _listings(self) -> dict[str, SourceListing]:
        """What was found of each source. They are loaded when one is needed: a journal's first frame needs none."""
        with self._loading:
            self._loaded = self._loaded or self._load(ReadingTerms(self.budget))
            return self._loaded

    def _load(self, terms: ReadingTerms) -> dict[str, SourceListing]:
        return {name: SourceListing(load_source(name, terms), self._environ, self._home) for name in self._names}

    @property
    @override
    def name(self) -> SafeText:
        return SafeText("other programs")

    @override
    def holds(self, path: Path) -> bool:
        return path in self.spools.found

    @override
    def sessions(self) -> list[SessionFile]:
        return self._listed

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _Transcript(self, path)

    @property
    @override
    def report(self) -> PlaceReport:
        return _TranscriptReport(
            self.spools,
            gathered_from=self.budget,
            listing=self._listing or "other programs",
            cut=None if not self._is_listed else self._cut,
            clients=self._client_folders,
        )

    @property
    def _cut(self) -> dict[str, int]:
        """The clients whose sessions are not all listed, and when the newest one changed that is not."""
        return {one.source.label: one.cut for one in self._loaded.values() if one.cut is not None}

    def _client_folders(self) -> list[tuple[str, Path]]:
        """Return the clients with their folders; one whose source a package brings once it has been listed."""
        folders = ((one.source.label, one.folder) for one in self._listings.values())
        return [(label, folder) for label, folder in folders if folder is not None]

    @override
    def refresh(self, *, everywhere: bool = True) -> None:
        """List the transcripts again. What cannot be listed is left out.

        A look of another thread that ends meanwhile counts: where it takes long, nobody waits for a second one. Unless
        ``everywhere``, only clients that seem to have new ones are looked at, and each now and then.
        """
        self.budget.renew()
        self._list(is_due=lambda one: everywhere or self._is_due(one) or one.leaves_out)

    def _is_due(self, listing: SourceListing) -> bool:
        return listing.is_due(self._all_took) or listing.has_changed()

    def _list(self, *, is_due: Callable[[SourceListing], bool] = lambda _: True) -> None:
        looks = self._looks
        with self._looking:
            folder = self.spools.folder()
            if folder is None or self._looks != looks:
                return
            self.spools.note_formats()
            due = [one for one in self._listings.values() if is_due(one)]
            for one in self._listings.values():
                if one in due:
                    self._listing = one.source.label
                    one.look(self._max_listed, self.budget)
                else:
                    one.say_trouble()
            if due:
                self._merge(due, folder)
            is_first, self._is_listed, self._looks = not self._is_listed, True, looks + 1
        if is_first:
            self._remember()

    @property
    def _all_took(self) -> float:
        return sum(one.took for one in self._loaded.values())

    def _merge(self, looked_at: Iterable[SourceListing], folder: "SpoolFolder") -> None:
        """Make one list of what was found of all clients, of which these were looked at now."""
        for listing in looked_at:
            listing.files = [self._listed_file(one, folder) for one in listing.sessions]
        listed = chain.from_iterable(listing.files for listing in self._loaded.values())
        self._listed = sorted(listed, key=attrgetter("last", "session"), reverse=True)
        self._listed_paths = frozenset(file.path for file in self._listed)
        newest = [self.spools.found[file.path] for file in self._listed[:MAX_GLANCED]]
        for listing in self._loaded.values():
            listing.glance_at(one for one in newest if one.source == listing.source.name)

    def _begin(self) -> bool:
        """List what a viewer has remembered, which takes a moment; return whether it has remembered anything."""
        newest = load_newest(self._viewer_folder) if self._viewer_folder is not None else None
        folder = self.spools.folder() if newest else None
        if not newest or folder is None:
            return False
        with self._looking:
            if not self._is_listed:
                for name, listing in self._listings.items():
                    listing.begin_with(newest.get(name))
                self._merge(self._listings.values(), folder)
        return True

    def _remember(self) -> None:
        if self._viewer_folder is not None and self._is_listed:
            newest = {name: one.newest() for name, one in self._loaded.items() if one.is_own}
            save_newest(self._viewer_folder, newest)

    @override
    def look(self, seconds: float) -> bool:
        if not self._is_listed and not self._lister.is_alive() and self._begin():
            return False
        return self._look_at_all(seconds)

    def _look_at_all(self, seconds: float) -> bool:
        """Look at all folders, at most so long; return False where that was not enough."""

        def report(_name: str, trouble: str) -> None:
            self.spools.problem = trouble or self.spools.problem

        with self._beginning:  # several threads may ask at once
            if not self._lister.is_alive():
                self.budget.renew()  # before the thread begins, which must not forget what is said of it meanwhile
                self._lister = threading.Thread(
                    target=keep_running_sync, args=(self._list, "listing the transcripts", report), daemon=True
                )
                self._lister.start()
            lister = self._lister
        lister.join(min(seconds, threading.TIMEOUT_MAX))
        return not lister.is_alive()

    def list_in_time(self) -> None:
        """List the transcripts again within the budget, and note if that was not enough."""
        if not self._look_at_all(self.budget.seconds):
            self.budget.leave_out(f"the sessions of other programs were not listed {self.budget.words}")

    @override
    def list_whole(self) -> None:
        """List all transcripts within the budget, old ones too; all copies of sessions are found."""
        with self._loading:
            self._loaded = self._load(ReadingTerms(self.budget, is_thorough=True))
        self._max_listed = sys.maxsize - 1
        self.list_in_time()

    def _listed_file(self, found: "FoundSession", folder: "SpoolFolder") -> SessionFile:
        known = self._files.get((found.source, found.id))
        if known is not None and known[0] == found:
            return known[1]
        path = known[1].path if known is not None else folder.path_of(found)
        self.spools.remember(path, found)
        last = datetime_of(found.changed)
        file = SessionFile(path.stem, path, found.size, last, found.source, found.waits_for)
        self._files[found.source, found.id] = (found, file)
        return file

    @property
    def _is_join_due(self) -> bool:
        """Whether the last look for the transcripts of journals ended before it was through."""
        return self._search is not None and self._search.is_due

    @override
    async def until_changed(self, took: float) -> None:
        pause = max([LOOK_SECONDS, *(BUSY_LOOK_FACTOR * one.took for one in self._loaded.values())])
        while pause > 0:
            await asyncio.sleep(pause)
            pause = 0.0 if await asyncio.to_thread(self.has_changed) else LOOK_SECONDS

    def has_changed(self) -> bool:
        """Return whether there is something to do: new transcripts, changes of the newest, or journals not joined yet.

        Costs as little as a few hundred looks at files; that an old transcript goes on may be missed, until the time
        comes at which a client is looked at in any case.
        """
        return self._is_join_due or any(map(self._is_due, self._loaded.values()))

    @override
    def join_with(self, journals: Sequence[SessionFile], *, is_whole: bool = False) -> None:
        """Look for the transcripts that hold the calls of these journals of ours, and join each with its own.

        A join that turns out to be wrong is undone. Costs little unless there are new journals or changed transcripts;
        a look that would take long is continued by the next one. Before the first listing has ended there is nothing to
        join, and nobody waits for it.
        """
        if not self._is_listed:
            return
        self._join(journals)
        while is_whole and self._is_join_due and not self.budget.is_spent:
            self._join(journals)

    def _join(self, journals: Sequence[SessionFile]) -> None:
        with self._looking:
            search = self._search = self._search or self._new_search()
            unjoined = [file for file in journals if file.path not in self._joined]
            # An imported journal: the transcript itself is shown while it is there.
            self._joined.update(search.imports(unjoined, self._listed_path))
            journals_of = _Journals(self.spools.journals_of)
            for journal, path in search.look(unjoined, self._listed):
                before = self._joined.pop(journal, None)
                if before is not None:
                    journals_of[before] = [one for one in journals_of[before] if one != journal]
                if path is not None:
                    journals_of[path] = [*journals_of[path], journal]
                    self._joined[journal] = path
            for path, joined in journals_of.items():
                self.spools.attach(path, joined)

    def _listed_path(self, session: tuple[str, str]) -> Path | None:
        """Return the journal in memory of a session, by its source and id, if it is listed."""
        _, file = self._files.get(session, (None, None))
        return file.path if file is not None and file.path in self._listed_paths else None

    def _new_search(self) -> "TranscriptSearch":
        from seqthink.library.places.transcript_search import TranscriptSearch  # noqa: PLC0415 - see above

        return TranscriptSearch(self.spools.calls_in, self._began)

    def _began(self, path: Path) -> int:
        """Return when a transcript began; 0 if that is not known."""
        from seqthink.sources.transcripts.files.beginning import began  # noqa: PLC0415 - see above

        found = self.spools.found[path]
        time, changed = self._beginnings.get(path, (0, 0))
        if not time and changed != found.changed:
            time = found.began or began(found.path)
            self._beginnings[path] = time, found.changed
        return time

    @override
    def shown_instead(self, path: Path) -> Path | None:
        """Return the journal in memory in which a journal of ours is shown together with its transcript.

        None if there is none, or if the client has deleted the transcript since.
        """
        spool = self._joined.get(path)
        return spool if spool in self._listed_paths else None

    @override
    def search_filter(self, query: "Query", since: int | None) -> SearchFilter:
        from seqthink.library.finding.transcript_bytes import TranscriptBytes  # noqa: PLC0415 - journals alone need none of it

        transcripts = TranscriptBytes(query)

        def prepare(file: SessionFile) -> bool:
            original = self.spools.original_of(file.path)
            # What our own server added to a joined session is in no file of the client.
            is_joined = bool(self.spools.journals_of(file.path))
            if original is None or not (is_joined or transcripts.may_be_in(*original)):
                return False
            self.spools.read_whole(file.path)
            return True

        return prepare

    def adopt(self, named: NamedTranscript, say: Callable[[str], object]) -> Path:
        """Take in a session that the user named; return its journal in memory, begun already.

        ``say`` gets messages about the choice. A session outside of its client's folder is in no list, and is
        another one than that of the same id in there.

        Raises:
            UsageError: there is no such session, its journal cannot be made, or nothing in it is recognised.
            NotAJournalError, UnreadableJournalError: it is not a journal either.
        """
        source, found = named.choose(say)
        clients = os.path.realpath(source.folder(self._environ, self._home))
        return self.spools.adopt(source, found, is_apart=not found.path.is_relative_to(clients))

    @override
    def close(self) -> None:
        """Delete the journals in memory. Calling it again does nothing."""
        self._remember()
        self._viewer_folder = None
        self.spools.close()


class _Journals(dict[Path, list[Path]]):
    """Lists by their paths, each looked up when it is first asked for."""

    def __init__(self, look_up: Callable[[Path], list[Path]]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, path: Path) -> list[Path]:
        self[path] = found = self._look_up(path)
        return found


class _TranscriptReport(PlaceReport):
    """What is said of transcripts.

    Args:
        spools: those that are journals in memory.
        gathered_from: what says what was left out.
        listing: whose sessions are being looked for.
        cut: the clients whose sessions are not all listed, and when the oldest one that is changed last; None before
            the first look has ended.
        clients: returns all clients.
    """

    def __init__(
        self,
        spools: TranscriptSpools,
        *,
        gathered_from: Budget,
        listing: str,
        cut: Mapping[str, int] | None,
        clients: Callable[[], list[tuple[str, Path]]],
    ) -> None:
        self._spools, self._budget = spools, gathered_from
        self._listing, self._cut, self._clients = listing, cut, clients

    @property
    @override
    def is_listed(self) -> bool:
        return self._cut is not None or bool(self._spools.problem)

    @property
    @override
    def clients(self) -> list[tuple[str, Path]]:
        return self._clients()

    @property
    @override
    def left_out(self) -> list[str]:
        from seqthink.sources.transcripts.unreadable import gathered  # noqa: PLC0415 - see above

        problem = self._spools.problem
        return [problem] if problem else gathered(self._budget.left_out)

    @property
    @override
    def unlisted(self) -> str:
        if self._spools.problem:
            return ""
        if self._cut is None:
            return f"still listing the sessions of {self._listing}"
        if not self._cut:
            return ""
        whose = " and of ".join(self._cut)
        return f"only the {MAX_LISTED:,} newest sessions of {whose} are listed; `seqthink find` searches all"

    @override
    def is_cut_since(self, time: int) -> bool:
        return self._cut is None or any(oldest >= time for oldest in self._cut.values())

    @property
    @override
    def lost(self) -> str:
        return self._spools.lost


class _Transcript(PlacedSession):
    """A session of another program, as a journal in memory once it is wanted."""

    task = "translating the session"

    def __init__(self, place: TranscriptPlace, path: Path | None) -> None:
        super().__init__(path)
        self._spools = place.spools

    @property
    @override
    def is_there(self) -> bool:
        """Whether there is such a session: its journal in memory may have made room for others, and is made again."""
        found = self._spools.found.get(self.path)
        return super().is_there or (found is not None and found.path.exists())

    @override
    def is_live(self, file: SessionFile, now: int) -> bool:
        """Return whether it changed lately or waits for its user."""
        return bool(file.waits_for) or is_recent(microseconds_of(file.last), now, LIVE_SECONDS)

    @property
    @override
    def original(self) -> Path | None:
        return self._spools.found[self.path].path

    @property
    @override
    def identity(self) -> tuple[int, int, int, int] | None:
        """What changes with the transcript (see `PlacedSession`): not known with journals of ours, or of a package."""
        found = self._spools.found[self.path]
        if found.source not in TRANSCRIPTS or found.waits_for or self._spools.journals_of(self.path):
            return None
        try:
            status = found.path.stat()
        except OSError:
            return None
        # A database changes with any of its sessions, each of which says when it changed.
        own = (status.st_size, status.st_ctime_ns) if found.size else (0, 0)
        return status.st_ino, own[0], found.changed * 1000, own[1]

    @property
    @override
    def awaited_bytes(self) -> int:
        return self._spools.unread_bytes(self.path)

    @override
    def read_head(self) -> None:
        self._spools.read_head(self.path)

    @override
    def hold(self) -> None:
        self._spools.keep(self.path)
        self.read_head()

    @override
    def read_whole(self) -> None:
        self._spools.read_whole(self.path)

    @override
    async def follow(
        self,
        reached_end: Callable[[], None],
        note_trouble: Callable[[str], None],
    ) -> None:
        await asyncio.to_thread(self.read_head)
        await self._spools.follow(self.path, reached_end)

    @override
    def changes(self, calls: Collection[str], on_read: Callable[[int], bool]) -> list[CallChange]:
        from seqthink.sources.transcripts.edits.lookup import changes_of  # noqa: PLC0415 - loaded when it is asked for

        original = self._spools.original_of(self.path)
        if original is None:
            return super().changes(calls, on_read)
        try:
            return changes_of(*original, calls, on_read)
        except OSError as error:
            where = short_path(original[1].path)
            raise UsageError(f"the transcript cannot be read any more: {where}: {reason_of(error)}") from error

    @property
    @override
    def notes_journal(self) -> Path:
        return self._spools.journal_of(self.path) or self.path

    @property
    @override
    def called_journals(self) -> Sequence[Path]:
        return self._spools.journals_of(self.path)

    @override
    def mailbox(self, decode: LineDecoder) -> Mailbox:
        main = self.notes_journal
        return NotesFileMailbox(main, decode, [path for path in self.called_journals if path != main])
