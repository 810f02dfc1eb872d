"""Whose servers run: seen by the locks of the journals, and reported to the engine again and again."""

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import Final

from seqthink.journal.glance import locked_inodes
from seqthink.journal.journal_file import JournalFile
from seqthink.share.shipping.journal_list import ListedJournal
from seqthink.share.shipping.open_journals import OpenJournals
from seqthink.sources.fleet.engine import HEARTBEAT_SECONDS, OriginEngine

BEAT_SECONDS: Final = HEARTBEAT_SECONDS / 3
"""How often the engine gets them."""
_RECENT_SECONDS: Final = 2 * 24 * 3600.0
"""The lock of a journal that changed within this time is tested, also where the system does not list it."""


class Heartbeats:
    """The sessions of the folder whose servers run.

    Args:
        engine: what gets the heartbeats.
        journals: the journals.
        changed: called with a session whose server began or ended.
    """

    def __init__(self, engine: OriginEngine, journals: OpenJournals, changed: Callable[[str], None]) -> None:
        self._engine = engine
        self._journals = journals
        self._changed = changed
        self._ended: set[str] = set()
        self._unsent: set[str] = set()
        self.next_beat = 0.0
        """When the engine must get them again."""
        self.alive: set[str] = set()
        """The sessions whose servers run."""

    def look(self, listed: dict[str, ListedJournal], *, is_first: bool, now: float) -> None:
        """Test the locks of all journals that may be written; ``now`` is the time in seconds since 1970."""
        locked = locked_inodes()
        recent = now - _RECENT_SECONDS
        wanted = {
            session
            for session, file in listed.items()
            if session in self.alive or file.inode in locked or (is_first and file.changed > recent)
        }
        self.look_at(wanted)
        self.look_at(self.alive - listed.keys())

    def look_at(self, sessions: Iterable[str]) -> None:
        """Test the locks of these journals."""
        for session in list(sessions):
            if self._is_locked(session):
                self._begins(session)
            else:
                self.ends(session)

    def _begins(self, session: str) -> None:
        self._ended.discard(session)
        if session not in self.alive:
            self.alive.add(session)
            self._unsent.add(session)
            self._changed(session)

    def ends(self, session: str) -> None:
        """Note that a session's server runs no more."""
        if session in self.alive:
            self.alive.discard(session)
            self._unsent.discard(session)
            self._ended.add(session)
            self._changed(session)

    def engine_failed(self) -> None:
        """Send all again: the engine may have lost it."""
        self.next_beat = 0.0

    def step(self, seconds: float) -> None:
        """Send the engine what it must know at this time of a clock that never goes back.

        Raises:
            EngineUnavailableError: the engine cannot be reached now.
            EngineRefusedError: it will not serve us.
        """
        is_due = seconds >= self.next_beat
        alive: Collection[str] = self.alive if is_due else self._unsent
        if is_due or alive or self._ended:
            self._engine.beat(alive, self._ended)
            self._ended.clear()
            self._unsent.clear()
        if is_due:
            self.next_beat = seconds + BEAT_SECONDS

    def _is_locked(self, session: str) -> bool:
        with suppress(OSError):
            file = JournalFile.open(self._journals.path(session))  # of its own: the lock is held until it is closed
            try:
                return not file.try_shared_lock()
            finally:
                file.close()
        return False
