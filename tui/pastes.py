"""What is pasted, apart from what is typed: a terminal sends both on one way, and no paste may ever act as keys."""

from collections.abc import Iterator

from msgspec import Struct

START, END = "\x1b[200~", "\x1b[201~"
ESCAPE = START[0]
MOST = 4 << 20
"""Characters of one paste that are kept."""
ESCAPE_SECONDS, MARK_SECONDS = 0.1, 1.0
"""What may be the beginning of a mark is held so long: a lone Escape is most often the key."""
PASTE_SECONDS = 10.0
"""A paste of which nothing has come for so long has lost its end; the keys would be dead for ever."""


class Piece(Struct, frozen=True):
    """A part of what the terminal sent: a paste as a whole, or keys."""

    text: str
    is_paste: bool = False


class Pastes:
    """Parts pastes from keys, wherever reads may cut the stream."""

    def __init__(self) -> None:
        self._held = ""
        self._pasted: list[str] | None = None
        self._room = MOST
        self._has_escaped = False

    @property
    def patience(self) -> float | None:
        """How many seconds of silence show that what is begun will not be ended; None: nothing is begun."""
        if self._pasted is not None:
            return PASTE_SECONDS
        if not self._held:
            return None
        return ESCAPE_SECONDS if self._held == ESCAPE else MARK_SECONDS

    def feed(self, data: str) -> Iterator[Piece]:
        """Yield what is complete after ``data``, all of which must be taken."""
        if self._has_escaped and data.startswith(START[1:]):
            data = ESCAPE + data
        self._has_escaped = False
        self._held += data
        while self._held:
            mark = START if self._pasted is None else END
            before, found, after = self._held.partition(mark)
            kept = 0 if found else _begun(before, mark)
            yield from self._take(before[: len(before) - kept])
            self._held = before[len(before) - kept :] + after
            if not found:
                return
            yield from self._turn()

    def give_up(self) -> Iterator[Piece]:
        """Yield what was begun, as nothing has come for as long as patience goes."""
        if self._pasted is not None:
            yield from self._take(self._held)
            yield from self._turn()
        elif self._held:
            self._has_escaped = self._held == ESCAPE
            yield Piece(self._held)
        self._held = ""

    def _take(self, text: str) -> Iterator[Piece]:
        if self._pasted is not None:
            self._pasted.append(text[: self._room])
            self._room -= len(self._pasted[-1])
        elif text:
            yield Piece(text)

    def _turn(self) -> Iterator[Piece]:
        if self._pasted is None:
            self._pasted, self._room = [], MOST
        else:
            yield Piece("".join(self._pasted), is_paste=True)
            self._pasted = None


def _begun(text: str, mark: str) -> int:
    """Return how much of ``mark`` the end of ``text`` may be."""
    return next(size for size in range(len(mark) - 1, -1, -1) if text.endswith(mark[:size]))
