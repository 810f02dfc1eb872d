"""The sessions of other programs that the viewer can show, each as a journal in memory once it is wanted.

Listing costs a look at folders; a transcript is read only when it is shown, or when its row in the list is in view.
Any thread may call the library, except for `follow`, which belongs to the event loop. What reads transcripts is loaded
with the first of them: the viewer's first frame needs none.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from seqthink.background import keep_running_sync
from seqthink.catalog.places.place import LOOK_SECONDS, Place, PlacedSession, SearchFilter
from seqthink.errors import UsageError
from seqthink.events import WriterState
from seqthink.journal.foreign_writers import register_keeper, unregister_keeper
from seqthink.journal.store import SessionFile
from seqthink.text import SafeText
from seqthink.times import datetime_of, is_recent, microseconds_of
from seqthink.transcripts.budget import NO_LIMIT, Budget
from seqthink.transcripts.named_transcript import NamedTranscript
from seqthink.transcripts.registry import TRANSCRIPTS, load_source

if TYPE_CHECKING:
    from seqthink.catalog.transcript_search import TranscriptSearch
    from seqthink.chain.query import Query
    from seqthink.transcripts.call_keys import CallKeys
    from seqthink.transcripts.source import FoundSession, Source
    from seqthink.transcripts.spool import Spool, SpoolFolder

LIVE_SECONDS = 60
"""A transcript that changed within this time counts as live."""
BUSY_LOOK_FACTOR, IDLE_LOOK_FACTOR = 20, 400
"""The pause is this many times as long as the last look took: while transcripts change, and while none seems to."""
MAX_LOOK_PAUSE_SECONDS = 30.0
"""The longest pause while none seems to change."""
MAX_LISTED = 2000
"""Sessions of a client in the list, the newest; those who count or search all have no such bound."""
HEAD_BYTES = 256 << 10
"""How much of a transcript is read for its name."""
FOLLOWED_BYTES = 4 << 20
"""How much of the transcript on the screen is read at a time."""
MAX_GLANCED = 64
"""Transcripts, the newest, that are looked at for changes."""
MAX_SPOOLS = 64
"""Transcripts that are held as journals at a time, those used last."""


class TranscriptPlace(Place):
    """The transcripts of the clients in ``names``, in the folders of this user.

    Args:
        names: the names of the sources, as `seqthink.transcripts.registry.parse_sources` gives them.
        environ: the environment, which may name other folders.
        home: the user's home folder.
        clock: returns microseconds since 1970.
        budget: how much time and memory reading them may take; without one, as much as it needs.
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
    ) -> None:
        self._environ, self._home, self._clock = environ, home, clock
        self.budget = budget or Budget()
        """What was left out because it would have taken too long is said there."""
        self._names = [name for name in TRANSCRIPTS if name in names]
        self._loaded: dict[str, Source] = {}
        self._loading = threading.Lock()
        # One look at a time; within a look, and without one, whatever concerns the spools. Never the other way round.
        self._looking = threading.Lock()
        self._lock = threading.Lock()
        self._folder: SpoolFolder | None = None
        self._is_closed = False
        self._found: dict[Path, FoundSession] = {}
        self._adopted: dict[Path, Source] = {}
        self._spools: dict[Path, Spool] = {}
        self._kept: Path | None = None
        self._followed: Counter[Path] = Counter()
        self._joined: dict[Path, Path] = {}
        self._journals: dict[Path, list[Path]] = {}
        self._search: TranscriptSearch | None = None
        self._beginnings: dict[Path, tuple[int, int]] = {}
        self._files: dict[tuple[str, str], tuple[FoundSession, SessionFile]] = {}
        self._listed_paths: frozenset[Path] = frozenset()
        self._glanced: dict[str, tuple[int, int] | None] = {}
        self.problem = ""
        """Why no transcript can be shown; empty if they can."""
        self._listed: list[SessionFile] = []
        self._is_listed = False
        self._max_listed = MAX_LISTED
        self._looks = 0
        # The clients of which not all sessions are listed, and when the oldest one that is changed last.
        self._cut: dict[str, int] = {}
        self._listing = ""
        self._lister = threading.Thread()
        self._beginning = threading.Lock()

    @property
    def _sources(self) -> "dict[str, Source]":
        """The sources by name, loaded when the first one is needed: the first frame of a journal needs none."""
        with self._loading:
            self._loaded = self._loaded or {name: load_source(name, self.budget) for name in self._names}
            return self._loaded

    @property
    @override
    def name(self) -> SafeText:
        return SafeText("other programs")

    @override
    def holds(self, path: Path) -> bool:
        return path in self._found

    @override
    def sessions(self) -> list[SessionFile]:
        return self._listed

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _Transcript(self, path)

    @property
    @override
    def is_listed(self) -> bool:
        return self._is_listed or bool(self.problem)

    @property
    @override
    def clients(self) -> list[tuple[str, Path]]:
        return [(source.label, source.folder(self._environ, self._home)) for source in self._sources.values()]

    @property
    @override
    def left_out(self) -> list[str]:
        from seqthink.transcripts.unreadable import gathered  # noqa: PLC0415 - see above

        return [self.problem] if self.problem else gathered(self.budget.left_out)

    @property
    @override
    def unlisted(self) -> str:
        if self.problem:
            return ""
        if not self._is_listed:
            return f"still listing the sessions of {self._listing or 'other programs'}"
        if not self._cut:
            return ""
        whose = " and of ".join(self._cut)
        return f"only the {MAX_LISTED:,} newest sessions of {whose} are listed; `seqthink find` searches all"

    @property
    @override
    def lost(self) -> str:
        folder = self._folder
        if folder is None or folder.path.is_dir():
            return ""
        return f"sessions are not updated: {folder.path} was deleted; start seqthink again"

    @override
    def is_cut_since(self, time: int) -> bool:
        return not self._is_listed or any(oldest >= time for oldest in self._cut.values())

    @override
    def refresh(self) -> None:
        """List the transcripts again. What cannot be listed is left out.

        A look of another thread that ends meanwhile counts: where it takes long, nobody waits for a second one.
        """
        self.budget.renew()
        self._list()

    def _list(self) -> None:
        looks = self._looks
        with self._looking:
            folder = self._spool_folder()
            if folder is None or self._looks != looks:
                return
            with self._lock:
                spools = list(self._spools.values())
            for spool in spools:
                self._note_format(spool)
            # While a file is moved it may be in two folders; the one that goes on counts.
            newest: dict[tuple[str, str], FoundSession] = {}
            cut: dict[str, int] = {}
            for source in self._sources.values():
                self._listing = source.label
                every = source.find(source.folder(self._environ, self._home), self._max_listed + 1)
                if len(every) > self._max_listed:
                    cut[source.label] = every.pop().changed
                for found in every:
                    newest.setdefault((found.source, found.id), found)
            listed = [self._listed_file(found, folder) for found in newest.values()]
            self._listed_paths = frozenset(file.path for file in listed)
            self._listed = sorted(listed, key=attrgetter("last", "session"), reverse=True)
            self._note_states()
            self._cut, self._is_listed, self._looks = cut, True, looks + 1

    @override
    def look(self, seconds: float) -> bool:

        def report(_name: str, trouble: str) -> None:
            self.problem = trouble or self.problem

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
        if not self.look(self.budget.seconds):
            self.budget.leave_out(f"the sessions of other programs were not listed {self.budget.words}")

    @override
    def list_whole(self) -> None:
        """List all transcripts within the budget, old ones too; all copies of sessions are found."""
        with self._loading:
            self._loaded = {name: load_source(name, self.budget, is_thorough=True) for name in self._names}
        self._max_listed = sys.maxsize - 1
        self.list_in_time()

    def _listed_file(self, found: "FoundSession", folder: "SpoolFolder") -> SessionFile:
        known = self._files.get((found.source, found.id))
        if known is not None and known[0] == found:
            return known[1]
        path = known[1].path if known is not None else folder.path_of(found)
        self._remember(path, found)
        last = datetime_of(found.changed)
        file = SessionFile(path.stem, path, found.size, last, found.source, found.waits_for)
        self._files[found.source, found.id] = (found, file)
        return file

    def _note_states(self) -> None:
        """Note the states of the newest transcripts and of the folders in which others would appear."""
        glanced: list[str] = []
        for source in self._sources.values():
            folder = source.folder(self._environ, self._home)
            # the folder itself, too: a client that was never used has none yet
            glanced += map(str, (folder, *source.watched_folders(folder)))
        for file in self._listed[:MAX_GLANCED]:
            path = str(self._found[file.path].path)
            glanced += (path, f"{path}-wal")
        self._glanced = {path: _state_of(path) for path in glanced}

    @property
    def _is_join_due(self) -> bool:
        """Whether the last look for the transcripts of journals ended before it was through."""
        return self._search is not None and self._search.is_due

    @override
    async def until_changed(self, took: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + min(MAX_LOOK_PAUSE_SECONDS, max(LOOK_SECONDS, IDLE_LOOK_FACTOR * took))
        pause = max(LOOK_SECONDS, BUSY_LOOK_FACTOR * took)
        while pause > 0:
            await asyncio.sleep(pause)
            has_changed = await asyncio.to_thread(self.has_changed)
            pause = 0.0 if has_changed else min(LOOK_SECONDS, until - loop.time())

    def has_changed(self) -> bool:
        """Return whether there is something to do: new transcripts, changes of the newest, or journals not joined yet.

        Costs as little as a few hundred looks at files; that an old transcript goes on may be missed.
        """
        return self._is_join_due or any(_state_of(path) != state for path, state in self._glanced.items())

    @override
    def join(self, journals: Sequence[SessionFile], *, is_whole: bool = False) -> None:
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
            found = [(path, one) for path, one in self._found.items() if path in self._listed_paths]
            unjoined = [file for file in journals if file.path not in self._joined]
            # An imported journal: the transcript itself is shown while it is there.
            self._joined.update(search.imports(unjoined, {(one.source, one.id): path for path, one in found}))
            changed: set[Path] = set()
            for journal, path in search.look(unjoined, self._listed):
                before = self._joined.pop(journal, None)
                if before is not None:
                    self._journals[before] = [one for one in self._journals[before] if one != journal]
                if path is not None:
                    self._journals[path] = [*self._journals.get(path, ()), journal]
                    self._joined[journal] = path
                changed |= {one for one in (before, path) if one is not None}
            for path in changed:
                spool = self._spool(path)
                if spool is not None:
                    spool.attach(self._journals[path])

    def _new_search(self) -> "TranscriptSearch":
        from seqthink.catalog.transcript_search import TranscriptSearch  # noqa: PLC0415 - see above

        return TranscriptSearch(self._calls_in, self._began)

    def _calls_in(self, path: Path) -> "CallKeys | None":
        """Return the calls of a transcript once it has been read to its end."""
        self.read_whole(path)
        spool = self._spool(path)
        return spool.call_keys if spool is not None and spool.is_whole else None

    def _began(self, path: Path) -> int:
        """Return when a transcript began; 0 if that cannot be told."""
        from seqthink.transcripts.files.beginning import began  # noqa: PLC0415 - see above

        found = self._found[path]
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

    def journal_of(self, path: Path) -> Path | None:
        """Return our own journal behind a journal in memory, the newest if there are several; None if there is none."""
        return max(self._journals.get(path, []), default=None)

    @override
    def search_filter(self, query: "Query", since: int | None) -> SearchFilter:
        from seqthink.finding.transcript_bytes import TranscriptBytes  # noqa: PLC0415 - journals alone need none of it

        transcripts = TranscriptBytes(query)

        def prepare(file: SessionFile) -> bool:
            original = self.original_of(file.path)
            # What our own server added to a joined session is in no file of the client.
            if original is None or not (self.journal_of(file.path) is not None or transcripts.may_be_in(*original)):
                return False
            self.read_whole(file.path)
            return True

        return prepare

    def original_of(self, path: Path) -> "tuple[Source, FoundSession] | None":
        """Return what the journal in memory at ``path`` is translated from, and who reads it; None for another file."""
        found = self._found.get(path)
        return (self._reader_of(path, found), found) if found is not None else None

    def _reader_of(self, path: Path, found: "FoundSession") -> "Source":
        return self._adopted.get(path) or self._sources[found.source]

    def adopt(self, named: NamedTranscript, say: Callable[[str], object]) -> Path:
        """Take in a session that the user named; return its journal in memory, begun already.

        ``say`` gets what there is to say of the choice. A session outside of its client's folder is in no list, and is
        another one than that of the same id in there.

        Raises:
            UsageError: there is no such session, its journal cannot be made, or nothing in it is recognised.
            NotAJournalError, UnreadableJournalError: it is no journal either.
        """
        from seqthink.transcripts.unreadable import unknown_format_to_show  # noqa: PLC0415 - see above

        source, found = named.choose(say)
        folder = self._spool_folder()
        if folder is None:
            raise UsageError(self.problem or "the viewer is being left")
        clients = os.path.realpath(source.folder(self._environ, self._home))
        path = folder.path_of(found, is_apart=not found.path.is_relative_to(clients))
        with self._lock:
            self._adopted[path] = source
            self._remember(path, found)
        self.read_head(path)
        with self._lock:
            spool = self._spools.get(path)
        if spool is None:
            raise UsageError(f"the session cannot be read into memory: {found.path}")
        if spool.is_whole and spool.format_trouble:
            raise UsageError(unknown_format_to_show(found.path, source.label))
        return path

    def read_head(self, path: Path) -> None:
        """Make sure that the journal in memory at ``path`` exists and says what session it is."""
        spool = self._spool(path)
        if spool is not None and spool.is_empty:
            spool.advance(self._clock(), HEAD_BYTES)
            self._note_format(spool)

    def read_whole(self, path: Path) -> bool:
        """Bring the journal in memory at ``path`` up to date; return whether all of its transcript has been read.

        Where the budget is spent before, that is noted.
        """
        spool = self._spool(path)
        if spool is None:
            return False
        is_whole = spool.advance_to_end(self._clock(), NO_LIMIT, self.budget)
        if not is_whole:
            name = f"{spool.source.label} {spool.found.id}"
            self.budget.leave_out(f"{name}: not all of it was read {self.budget.words}")
        self._note_format(spool)
        return is_whole

    def writer_of(self, path: Path) -> WriterState:
        """Return whether the agent of the journal in memory at ``path`` is at work, as far as it has been read."""
        with self._lock:
            spool = self._spools.get(path)
        return spool.writer(self._clock()) if spool is not None else WriterState.UNKNOWN

    def _note_format(self, spool: "Spool") -> None:
        """Note that nothing in a transcript was recognised, if so."""
        if trouble := spool.format_trouble:
            self.budget.leave_out(trouble)

    def keep(self, path: Path) -> None:
        """Never delete the journal in memory at ``path``, which is on the screen; of any other one that may happen."""
        self._kept = path

    def unread_bytes(self, path: Path) -> int:
        """Return how long a transcript is that was not read to its end yet, at least 1; 0 for any other journal."""
        found = self._found.get(path)
        with self._lock:
            spool = self._spools.get(path)
        return 0 if found is None or (spool is not None and spool.is_whole) else max(1, found.size)

    async def follow(self, path: Path, reached_end: Callable[[], None]) -> None:
        """Keep the journal in memory at ``path`` up to date until cancelled; it is not deleted meanwhile.

        ``reached_end`` is called whenever all that there was has been read.
        """
        with self._lock:
            self._followed[path] += 1
        try:
            await self._follow(path, reached_end)
        finally:
            with self._lock:
                self._followed[path] -= 1

    async def _follow(self, path: Path, reached_end: Callable[[], None]) -> None:
        spool = await asyncio.to_thread(self._spool, path)
        if spool is None:
            return
        from seqthink.catalog.transcript_watch import announce  # noqa: PLC0415 - see above

        async with asyncio.TaskGroup() as group:
            watched: set[Path] = set()
            changed = asyncio.Event()
            changed.set()
            while True:
                for folder in {file.parent for file in spool.watched_files} - watched:
                    watched.add(folder)
                    group.create_task(announce(folder, lambda: spool.watched_files, changed))
                await changed.wait()
                changed.clear()
                while not await asyncio.to_thread(self._advance, spool):
                    pass
                reached_end()

    def _advance(self, spool: "Spool") -> bool:
        at_end = spool.advance(self._clock(), FOLLOWED_BYTES)
        if at_end:
            self._note_format(spool)
            self._refresh(spool)
        return at_end

    def _refresh(self, spool: "Spool") -> None:
        """Note when a followed transcript changed last."""
        times: list[int] = []
        for file in spool.watched_files:
            for path in (str(file), f"{file}-wal"):  # a database may be written there alone
                with contextlib.suppress(OSError):
                    times.append(os.stat(path).st_mtime_ns // 1000)  # noqa: PTH116 - at each look
        if times:
            spool.found = spool.found._replace(changed=max(spool.found.changed, *times))

    @override
    def close(self) -> None:
        """Delete the journals in memory. Calling it again does nothing."""
        with self._lock:
            spools, folder = list(self._spools.values()), self._folder
            self._spools, self._folder, self._is_closed = {}, None, True
        for spool in spools:
            spool.close()
        if folder is not None:
            unregister_keeper(folder.path)
            folder.close()

    def _spool_folder(self) -> "SpoolFolder | None":
        """Return the folder for the journals in memory; None if it cannot be made, or is not wanted any more."""
        from seqthink.transcripts.spool import SpoolFolder  # noqa: PLC0415 - see above

        with self._lock:
            if self._folder is None and not self._is_closed:
                try:
                    self._folder = SpoolFolder(self._environ)
                except OSError as error:
                    self.problem = f"transcripts cannot be shown: {(error.strerror or str(error)).lower()}"
                else:
                    register_keeper(self._folder.path, self.writer_of)
                    self.problem = ""
            return self._folder

    def _remember(self, path: Path, found: "FoundSession") -> None:
        self._found[path] = found
        spool = self._spools.get(path)
        if spool is not None:
            spool.found = found

    def _spool(self, path: Path) -> "Spool | None":
        """Return the spool at ``path``, a new one if need be; None if it is none of ours, or there is no space."""
        found = self._found.get(path)
        if found is None:
            return None
        with self._lock:
            spool = self._spools.pop(path, None) or self._new_spool(path, found)
            if spool is None:
                return None
            self._spools[path] = spool
            spare = [one for one in self._spools if one not in {path, self._kept} and not self._followed[one]]
            dropped = [self._spools.pop(one) for one in spare[: max(0, len(self._spools) - MAX_SPOOLS)]]
            for one in dropped:
                one.remove_file()  # here, so that a new one can be made in its place
        for one in dropped:
            one.close()
        return spool

    def _new_spool(self, path: Path, found: "FoundSession") -> "Spool | None":
        if self._is_closed:
            return None
        from seqthink.transcripts.spool import Spool  # noqa: PLC0415 - see above

        try:
            spool = Spool(self._reader_of(path, found), found, path)
        except OSError:
            return None
        spool.attach(self._journals.get(path, []))
        return spool


class _Transcript(PlacedSession):
    """A session of another program, as a journal in memory once it is wanted."""

    task = "translating the session"

    def __init__(self, place: TranscriptPlace, path: Path | None) -> None:
        super().__init__(path)
        self._place = place

    @override
    def is_live(self, file: SessionFile, now: int) -> bool:
        """Return whether it changed lately or waits for its user."""
        return bool(file.waits_for) or is_recent(microseconds_of(file.last), now, LIVE_SECONDS)

    @property
    @override
    def awaited_bytes(self) -> int:
        return self._place.unread_bytes(self.path)

    @override
    def read_head(self) -> None:
        self._place.read_head(self.path)

    @override
    def hold(self) -> None:
        self._place.keep(self.path)
        self.read_head()

    @override
    def read_whole(self) -> None:
        self._place.read_whole(self.path)

    @override
    async def follow(
        self,
        reached_end: Callable[[], None],
        note_trouble: Callable[[str], None],
        show_ending: Callable[[Path], None] | None = None,
    ) -> None:
        await asyncio.to_thread(self.read_head)
        await self._place.follow(self.path, reached_end)

    @property
    @override
    def notes_journal(self) -> Path:
        return self._place.journal_of(self.path) or self.path


def _state_of(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - hundreds at a time
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
