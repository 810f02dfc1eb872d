"""Bytes in, complete lines out; a torn line is held back (journal.md, promise 4)."""

from typing import NamedTuple


class RawLine(NamedTuple):
    """One complete line: its bytes without the newline, and where it stands in the file."""

    offset: int
    data: bytes


class LineBuffer:
    """Cuts a stream of bytes at line feeds. Only 0x0A ends a line; U+2028 and the like are ordinary characters.

    ``offset`` is the place in the file of the first byte that has not come out in a line yet.
    """

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self._partial_line: list[bytes] = []

    @property
    def is_torn(self) -> bool:
        """Whether bytes of an unfinished line are held back."""
        return bool(self._partial_line)

    def feed(self, chunk: bytes) -> list[RawLine]:
        """Return the lines that ``chunk`` completes, in order."""
        if b"\n" not in chunk:
            if chunk:
                self._partial_line.append(chunk)
            return []
        *complete, rest = chunk.split(b"\n")
        if self._partial_line:
            complete[0] = b"".join((*self._partial_line, complete[0]))
        self._partial_line = [rest] if rest else []
        lines: list[RawLine] = []
        for data in complete:
            lines.append(RawLine(self.offset, data))
            self.offset += len(data) + 1
        return lines
