"""How far a long import is: one line on a terminal's stderr, rewritten; nothing in a pipe."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self, TextIO

from seqthink.core.progress_line import ProgressLine
from seqthink.sources.transcripts.choosing import ChosenSession
from seqthink.sources.transcripts.source import FoundSession

_MEBIBYTE = 1 << 20


class ImportProgress:
    """Says how many sessions and bytes are read.

    Args:
        stream: where it is said, if that is a terminal.
        clock: returns seconds that never go back.
        chosen: the sessions to import.
        doing: what is done with them, in a word.
    """

    def __init__(
        self,
        stream: TextIO | None,
        clock: Callable[[], float],
        chosen: Sequence[ChosenSession],
        doing: str = "importing",
    ) -> None:
        self._doing = doing
        self._line = ProgressLine(stream, clock)
        self._sessions = len(chosen)
        self._bytes = sum(session.found.size for session in chosen)
        self._done_sessions = self._done_bytes = self._part_bytes = self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()

    def begin(self, found: FoundSession) -> None:
        """Say that a session is begun."""
        self._size, self._part_bytes = found.size, 0

    def advance(self, size: int) -> None:
        """Report that at most this many more bytes of it were read."""
        self._part_bytes = min(self._size, self._part_bytes + size)
        self._show()

    def end(self) -> None:
        """Say that it is done."""
        self._done_sessions += 1
        self._done_bytes += self._size
        self._part_bytes = 0
        self._show()

    def clear(self) -> None:
        """Make room for another line; the next news shows this one again."""
        self._line.clear()

    def _show(self) -> None:
        self._line.show(self._words)

    def _words(self) -> str:
        done, total = (-(-size // _MEBIBYTE) for size in (self._done_bytes + self._part_bytes, self._bytes))
        return f"{self._doing}: {self._done_sessions:,} of {self._sessions:,} sessions, {done:,} of {total:,} MiB"
