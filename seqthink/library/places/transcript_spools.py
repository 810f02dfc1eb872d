"""The transcripts that are kept as journals in memory, each translated as far as somebody has asked for it.

Any thread may call it, except for `TranscriptSpools.follow`, which belongs to the event loop. What reads transcripts is
loaded with the first of them: the viewer's first frame needs none.
"""

import asyncio
import contextlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError
from seqthink.core.events import WriterState
from seqthink.journal.foreign_writers import register_keeper, unregister_keeper
from seqthink.sources.transcripts.budget import NO_LIMIT, Budget

if TYPE_CHECKING:
    from seqthink.sources.transcripts.call_keys import CallKeys
    from seqthink.sources.transcripts.source import FoundSession, Source
    from seqthink.sources.transcripts.spool import Spool, SpoolFolder

HEAD_BYTES = 256 << 10
"""How much of a transcript is read for its name."""
FOLLOWED_BYTES = 4 << 20
"""How much of the transcript on the screen is read at a time."""
MAX_SPOOLS = 64
"""Transcripts that are kept as journals at a time, those used last."""


class TranscriptSpools:
    """Journals in memory by their paths; those that were not used for long are deleted, and made again when asked for.

    Args:
        environ: the environment, which says where memory for files is.
        clock: returns microseconds since 1970.
        budget: how much reading may cost; what is left out because of it is said there.
        reader_of: returns who reads a session.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        clock: Callable[[], int],
        budget: Budget,
        reader_of: "Callable[[FoundSession], Source]",
    ) -> None:
        self._environ, self._clock, self._budget, self._reader_for = environ, clock, budget, reader_of
        self.problem = ""
        """Why no transcript can be shown; empty if they can."""
        self.found: dict[Path, FoundSession] = {}
        """What each journal is translated from."""
        self._lock = threading.Lock()
        self._folder: SpoolFolder | None = None
        self._is_closed = False
        self._adopted: dict[Path, Source] = {}
        self._spools: dict[Path, Spool] = {}
        self._kept: Path | None = None
        self._followed: Counter[Path] = Counter()
        self._journals: dict[Path, list[Path]] = {}
        self._begins_with_agents: dict[Path, bool] = {}

    @property
    def lost(self) -> str:
        """That the folder of the journals was deleted, so that none of them goes on; empty if it was not."""
        folder = self._folder
        if folder is None or folder.path.is_dir():
            return ""
        return f"sessions are not updated: {folder.path} was deleted; start seqthink again"

    def folder(self) -> "SpoolFolder | None":
        """Return the folder for the journals in memory; None if it cannot be made, or is not wanted any more."""
        from seqthink.sources.transcripts.spool import SpoolFolder  # noqa: PLC0415 - see above

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

    def remember(self, path: Path, found: "FoundSession") -> None:
        """Note what the journal at ``path`` is translated from."""
        self.found[path] = found
        spool = self._spools.get(path)
        if spool is not None:
            spool.found = found

    def _spool(self, path: Path) -> "Spool | None":
        """Return the spool at ``path``, a new one if need be; None if it is none of ours, or there is no space."""
        found = self.found.get(path)
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
        from seqthink.sources.transcripts.spool import Spool  # noqa: PLC0415 - see above

        try:
            spool = Spool(self._reader_of(path, found), found, path)
        except OSError:
            return None
        spool.attach(self._journals.get(path, []))
        return spool

    # The journals of ours behind them

    def journal_of(self, path: Path) -> Path | None:
        """Return our own journal behind a journal in memory; None if there is none.

        Of several it is the newest, but not one whose server serves one sub-agent only.
        """
        journals = self._journals.get(path, [])
        if len(journals) > 1:
            with self._lock:
                spool = self._spools.get(path)
            apart = spool.agents_journals if spool is not None else frozenset[Path]()
            # The transcript may not be translated yet; a journal names the agent of its calls itself, if it can.
            own = [one for one in journals if one not in apart and not self._begins_with_an_agent(one)]
            journals = own or journals
        return max(journals, default=None)

    def _begins_with_an_agent(self, journal: Path) -> bool:
        """Return whether the first call in a journal is a subagent's; once there is one, that never changes."""
        from seqthink.sources.transcripts.joined_journal import first_call  # noqa: PLC0415 - see above

        known = self._begins_with_agents.get(journal)
        if known is not None:
            return known
        first = first_call(journal)
        if first is not None:
            self._begins_with_agents[journal] = "agent" in first.line.fields
        return first is not None and "agent" in first.line.fields

    def attach(self, path: Path, journals: Sequence[Path]) -> None:
        """Let these journals of ours lead in the journal in memory at ``path``."""
        self._journals[path] = [*journals]
        spool = self._spool(path)
        if spool is not None:
            spool.attach(self._journals[path])

    def journals_of(self, path: Path) -> list[Path]:
        """Return our own journals behind a journal in memory."""
        return self._journals.get(path, [])

    def calls_in(self, path: Path) -> "CallKeys | None":
        """Return the calls of a transcript once it has been read to its end."""
        self.read_whole(path)
        spool = self._spool(path)
        return spool.call_keys if spool is not None and spool.is_whole else None

    # Reading

    def original_of(self, path: Path) -> "tuple[Source, FoundSession] | None":
        """Return what the journal in memory at ``path`` is translated from, and who reads it; None for another file."""
        found = self.found.get(path)
        return (self._reader_of(path, found), found) if found is not None else None

    def _reader_of(self, path: Path, found: "FoundSession") -> "Source":
        return self._adopted.get(path) or self._reader_for(found)

    def adopt(self, source: "Source", found: "FoundSession", *, is_apart: bool) -> Path:
        """Take in a session that the user named, which ``source`` reads; return its journal in memory, begun already.

        With ``is_apart`` it is another one than that of the same id which a list may hold.

        Raises:
            UsageError: its journal cannot be made, or nothing in it is recognised.
        """
        from seqthink.sources.transcripts.unreadable import unknown_format_to_show  # noqa: PLC0415 - see above

        folder = self.folder()
        if folder is None:
            raise UsageError(self.problem or "the viewer is being left")
        path = folder.path_of(found, is_apart=is_apart)
        with self._lock:
            self._adopted[path] = source
            self.remember(path, found)
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
        is_whole = spool.advance_to_end(self._clock(), NO_LIMIT, self._budget)
        if not is_whole:
            name = f"{spool.source.label} {spool.found.id}"
            self._budget.leave_out(f"{name}: not all of it was read {self._budget.words}")
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
            self._budget.leave_out(trouble)

    def keep(self, path: Path) -> None:
        """Never delete the journal in memory at ``path``, which is on the screen; of any other one that may happen."""
        self._kept = path

    def unread_bytes(self, path: Path) -> int:
        """Return how long a transcript is that was not read to its end yet, at least 1; 0 for any other journal."""
        found = self.found.get(path)
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
        from seqthink.library.places.transcript_watch import announce  # noqa: PLC0415 - see above

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

    def note_formats(self) -> None:
        """Note again the journals in which nothing was recognised."""
        with self._lock:
            spools = list(self._spools.values())
        for spool in spools:
            self._note_format(spool)

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
