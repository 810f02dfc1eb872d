"""The processes of OpenCode that have a database open: whether one of them works on a session, and what it asks for.

Several processes share a database. Which of them a session belongs to is in their log (`client_log.py`); where that
does not say, by the folder that a process works in and by when it began. What remains open is not known.
"""

from collections.abc import Collection, Set
from pathlib import Path

from seqthink.sources.transcripts.files.local_machine import started_at
from seqthink.sources.transcripts.opencode.client_log import ClientLog
from seqthink.sources.transcripts.opencode.open_database import holders_of, works_in
from seqthink.sources.transcripts.opencode.private_copy import beside


class DatabaseClients:
    """The processes that may write one database. Any thread may ask."""

    def __init__(self, database: Path) -> None:
        self._shared_memory = beside(database, "-shm")
        self._log = ClientLog(database)

    def began(self) -> int | None:
        """Return when the first of those that run now began, in microseconds since 1970; None if none is known."""
        return min((start for start in map(started_at, holders_of(self._shared_memory) or ()) if start), default=None)

    def is_abandoned(self, sessions: Collection[str], folder: str, changed: int) -> bool | None:
        """Return whether the process that worked on a session has ended; None if that is not certain.

        Args:
            sessions: the session and its subagents'.
            folder: its working folder.
            changed: when it changed last, in microseconds since 1970.
        """
        holders = holders_of(self._shared_memory)
        if holders is None:
            return None
        starts = [started_at(process) or 0 for process in holders]
        run = self._log.run_of(sessions) if holders else None
        if run is not None and self._log.has_beginning(run):
            is_alive = self._log.is_alive(run, starts)
            return None if is_alive is None else not is_alive
        earlier = [process for process, start in zip(holders, starts, strict=True) if start <= changed]
        if len(earlier) == 1 and works_in(earlier[0], folder):
            return False
        return None if earlier else True

    def has_asked(self, sessions: Collection[str], permissions: Set[str], since: int) -> bool:
        """Return whether the process that works on a session asked for one of these permissions since a time."""
        run = self._log.run_of(sessions)
        return run is not None and self._log.has_asked(run, permissions, since)
