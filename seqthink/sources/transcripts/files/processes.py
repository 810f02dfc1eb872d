"""Several processes that write one session's file, as far as reading it shows them.

What another process wrote looks at first like more of the same: like a turn that another one interrupts, or a user who
went back. Once the first process goes on, that is known to be otherwise, and the file is read again with it.
"""

from collections.abc import Iterable
from typing import Final

MAX_LINES: Final = 64
"""How many processes are distinguished in one file, besides the first."""
MAX_READINGS: Final = 15
"""How often a session is read again for what it says about processes; later ones stay as they were read."""
_MAX_PLACED: Final = 10_000


class Processes:
    """The beginnings of further processes, as far as earlier readings of the session have shown."""

    def __init__(self) -> None:
        self._beginnings: set[str] = set()
        self._new: set[str] = set()
        self._turns: dict[str, str] = {}
        self._new_turns: dict[str, str] = {}
        self._readings = 0

    def __contains__(self, identifier: str) -> bool:
        """Return whether a process began with the record or turn of this id."""
        return identifier in self._beginnings

    def note(self, ids: Iterable[str]) -> None:
        """These records or turns turn out to be the beginnings of processes.

        What a reading shows after that counts for nothing: with them the same records mean something else.
        """
        if not self._new:
            self._new = set(list(ids)[: MAX_LINES - len(self._beginnings)]) - self._beginnings

    def place(self, record: str, turn: str) -> None:
        """A record that does not say so, and was taken for one of another process, turns out to be of this turn."""
        if self._turns.get(record) != turn and len(self._turns) + len(self._new_turns) < _MAX_PLACED:
            self._new_turns[record] = turn

    def turn_of(self, record: str) -> str | None:
        """Return the turn that a record is known to be of, though it does not say so."""
        return self._turns.get(record)

    def take_news(self) -> bool:
        """Return whether processes were noted since the session was read; from now on it is to be read with them."""
        is_news = bool(self._new or self._new_turns) and self._readings < MAX_READINGS
        if is_news:
            self._readings += 1
            self._beginnings |= self._new
            self._turns |= self._new_turns
        self._new.clear()
        self._new_turns.clear()
        return is_news
