"""The sessions of other programs that the viewer can show, each as a journal in memory once it is wanted.

Listing costs a look at folders; a transcript is read only when it is shown, or when its row in the list is in view.
Any thread may call the library, except for `follow`, which belongs to the event loop.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path

from seqthink.journal.change_hints import ChangeHints, WatchSubject
from seqthink.journal.peek import first_session_event
from seqthink.journal.store import SessionFile
from seqthink.times import datetime_of, microseconds_of
from seqthink.transcripts.journal_tail import FirstCall, first_call
from seqthink.transcripts.registry import TRANSCRIPTS, load_source
from seqthink.transcripts.source import FoundSession, Source
from seqthink.transcripts.spool import READ_BYTES, Spool, SpoolFolder, spool_name

MAX_LISTED = 2000
"""Sessions of a client in the list, the newest."""
HEAD_BYTES = 256 << 10
"""How much of a transcript is read for its name."""
MAX_SUMMARY_BYTES = 32 << 20
"""How much of a transcript is read for its row in the list."""
MAX_JOINED_AT_ONCE = 16
"""Journals for which a transcript is looked for at a time."""
CLOCK_TOLERANCE_SECONDS = 2
"""A transcript that did not change after a journal's first call does not hold it, unless by as little as this."""
MAX_SPOOLS = 64
"""Transcripts that are held as journals at a time, those used last."""


class TranscriptLibrary:
    """The transcripts of the clients in ``names``, in the folders of this user.

    Args:
        names: the names of the sources, as `seqthink.transcripts.registry.parse_sources` gives them.
        environ: the environment, which may name other folders.
        home: the user's home folder.
        clock: returns microseconds since 1970.
    """

    def __init__(self, names: frozenset[str], environ: Mapping[str, str], home: Path, clock: Callable[[], int]) -> None:
        self._environ, self._home, self._clock = environ, home, clock
        self._sources: dict[str, Source] = {name: load_source(name) for name in TRANSCRIPTS if name in names}
        self._lock = threading.Lock()
        self._folder: SpoolFolder | None = None
        self._found: dict[Path, FoundSession] = {}
        self._spools: dict[Path, Spool] = {}
        self._kept: Path | None = None
        self._joined: dict[Path, Path] = {}
        self._journals: dict[Path, list[Path]] = {}
        self._unjoined: dict[Path, int] = {}
        self._listed_paths: set[Path] = set()
        self.listed: list[SessionFile] = []
        """The transcripts at the last look, newest first."""

    @property
    def places(self) -> list[tuple[str, Path]]:
        """The clients that are looked at, by their names for people, and the folder of each."""
        return [(source.label, source.folder(self._environ, self._home)) for source in self._sources.values()]

    def refresh(self) -> None:
        """List the transcripts anew. What cannot be listed is left out."""
        listed: list[SessionFile] = []
        for source in self._sources.values():
            for found in source.find(source.folder(self._environ, self._home), MAX_LISTED):
                path = self._spool_folder().path_of(found)
                self._remember(path, found)
                last = datetime_of(found.changed)
                listed.append(SessionFile(spool_name(found), path, found.size, last, found.source))
        self._listed_paths = {file.path for file in listed}
        self.listed = sorted(listed, key=lambda file: (file.last, file.session), reverse=True)

    def join(self, journals: Sequence[SessionFile]) -> None:
        """Look for the transcripts that hold the calls of these journals of ours, and join each with its own.

        Each journal is looked at once it has a call; the newest first, at most `MAX_JOINED_AT_ONCE` at a time.
        """
        looked_at = 0
        for file in journals:
            if file.path in self._joined or self._unjoined.get(file.path) == file.size:
                continue
            looked_at += 1
            if looked_at > MAX_JOINED_AT_ONCE:
                return
            self._unjoined[file.path] = file.size
            imported = self._transcript_of_import(file.path)
            if imported is not None:
                self._joined[file.path] = imported  # the transcript itself is shown while it is there
                continue
            call = first_call(file.path)
            spool = self._spool_with(call) if call is not None else None
            if spool is not None:
                self._joined[file.path] = spool
                self._journals.setdefault(spool, []).append(file.path)
                held = self._spool(spool)
                if held is not None:
                    held.attach(self._journals[spool])

    def _transcript_of_import(self, journal: Path) -> Path | None:
        """Return the spool of the transcript that a journal was imported from, if that is still there."""
        session = first_session_event(journal)
        if session is None or not session.imported:
            return None
        ids = {(session.source, one) for one in session.sourceIds}
        return next((path for path, found in self._found.items() if (found.source, found.id) in ids), None)

    def _spool_with(self, call: FirstCall) -> Path | None:
        """Return the spool of the transcript that holds a journal's first call."""
        began = call.line.time - CLOCK_TOLERANCE_SECONDS * 1_000_000
        for listed in self.listed:
            if listed.source != call.source or microseconds_of(listed.last) < began:
                continue
            self.read_whole(listed.path)
            spool = self._spool(listed.path)
            if spool is not None and spool.call_keys.holds(call.line):
                return listed.path
        return None

    def spool_of(self, journal: Path) -> Path | None:
        """Return the journal in memory in which a journal of ours is shown together with its transcript.

        None if there is none, or if the client has deleted the transcript since.
        """
        spool = self._joined.get(journal)
        return spool if spool in self._listed_paths else None

    def journal_of(self, path: Path) -> Path | None:
        """Return our own journal behind a journal in memory, the newest if there are several; None if there is none."""
        return max(self._journals.get(path, []), default=None)

    def source_of(self, path: Path) -> str | None:
        """Return the name of the source of a journal in memory; None for any other file."""
        found = self._found.get(path)
        return found.source if found is not None else None

    def read_head(self, path: Path) -> None:
        """Make sure that the journal in memory at ``path`` exists and says what session it is."""
        spool = self._spool(path)
        if spool is not None and not spool.path.stat().st_size:
            spool.advance(self._clock(), HEAD_BYTES)

    def read_whole(self, path: Path, max_bytes: int = MAX_SUMMARY_BYTES) -> None:
        """Bring the journal in memory at ``path`` up to date, as far as ``max_bytes`` of its transcript go."""
        spool = self._spool(path)
        if spool is not None:
            spool.advance_to_end(self._clock(), max_bytes)
            spool.mark_running(self._clock())

    async def follow(self, path: Path) -> None:
        """Keep the journal in memory at ``path`` up to date until cancelled."""
        spool = await asyncio.to_thread(self._spool, path)
        if spool is None:
            return
        self._kept = path
        async with asyncio.TaskGroup() as group:
            watched: set[Path] = set()
            changed = asyncio.Event()
            changed.set()
            while True:
                for folder in {file.parent for file in spool.watched_files} - watched:
                    watched.add(folder)
                    group.create_task(_announce(folder, changed))
                await changed.wait()
                changed.clear()
                while not await asyncio.to_thread(self._advance, spool):
                    pass

    def _advance(self, spool: Spool) -> bool:
        at_end = spool.advance(self._clock(), READ_BYTES)
        if at_end:
            self._refresh(spool)
            spool.mark_running(self._clock())
        return at_end

    def _refresh(self, spool: Spool) -> None:
        """Note when a followed transcript changed last."""
        times: list[int] = []
        for file in spool.watched_files:
            with contextlib.suppress(OSError):
                times.append(file.stat().st_mtime_ns // 1000)
        if times:
            spool.found = spool.found._replace(changed=max(spool.found.changed, *times))

    def close(self) -> None:
        """Delete the journals in memory. Calling it again does nothing."""
        with self._lock:
            spools, folder = list(self._spools.values()), self._folder
            self._spools, self._folder = {}, None
        for spool in spools:
            spool.close()
        if folder is not None:
            folder.close()

    def _spool_folder(self) -> SpoolFolder:
        with self._lock:
            if self._folder is None:
                self._folder = SpoolFolder(self._environ)
            return self._folder

    def _remember(self, path: Path, found: FoundSession) -> None:
        self._found[path] = found
        spool = self._spools.get(path)
        if spool is not None:
            spool.found = found

    def _spool(self, path: Path) -> Spool | None:
        """Return the spool at ``path``, a new one if need be; None for a path that is none of ours."""
        found = self._found.get(path)
        if found is None:
            return None
        with self._lock:
            spool = self._spools.pop(path, None)
            if spool is None:
                spool = Spool(self._sources[found.source], found, path)
                spool.attach(self._journals.get(path, []))
            self._spools[path] = spool
            spare = [one for one in self._spools if one not in {path, self._kept}]
            dropped = [self._spools.pop(one) for one in spare[: max(0, len(self._spools) - MAX_SPOOLS)]]
        for one in dropped:
            one.close()
        return spool


async def _announce(folder: Path, changed: asyncio.Event) -> None:
    """Set ``changed`` whenever something in ``folder`` may have changed, at least twice a second."""
    subject = WatchSubject(folder, _is_any_name, lambda: _signature(folder))
    hints = ChangeHints(subject)
    async with aclosing(_looks(hints)) as looks:
        async for _ in looks:
            changed.set()


async def _looks(hints: ChangeHints) -> AsyncGenerator[bool, None]:
    async with aclosing(hints.stream()) as stream:
        async for announced in stream:
            hints.report_look(announced=announced, had_news=False)
            yield announced


def _is_any_name(name: str) -> bool:  # noqa: ARG001 - every change in the folder counts
    return True


def _signature(folder: Path) -> object:
    """Return what differs after a change in a folder whose changes nobody announces."""
    try:
        entries: Sequence[Path] = sorted(folder.iterdir())[:100]
        return tuple((entry.name, entry.stat().st_size, entry.stat().st_mtime_ns) for entry in entries)
    except OSError:
        return None
