"""Bytes in, complete lines out; a torn line waits for its rest (docs/journal.md, "A torn tail is not an error")."""

from typing import NamedTuple


class RawLine(NamedTuple):
    """One complete line."""

    offset: int
    """Byte offset in the file."""
    data: bytes
    """Its bytes without the newline."""


class LineBuffer:
    """Splits a stream of bytes at line feeds. Only 0x0A ends a line; U+2028 and the like are ordinary characters."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        """Byte offset in the file of the first byte that has not been returned in a line yet."""
        self._partial_line: list[bytes] = []

    @property
    def is_torn(self) -> bool:
        """Whether part of an unfinished line waits for its rest."""
        return bool(self._partial_line)

    def feed(self, chunk: bytes) -> list[RawLine]:
        """Return the lines that ``chunk`` completes, in order."""
        offset = self.offset
        lines: list[RawLine] = []
        for data in self.feed_data(chunk):
            lines.append(RawLine(offset, data))
            offset += len(data) + 1
        return lines

    def feed_data(self, chunk: bytes) -> list[bytes]:
        """Return the bytes of the lines that ``chunk`` completes, for those who need no offsets."""
        complete = chunk.split(b"\n")
        rest = complete.pop()
        if not complete:
            if rest:
                self._partial_line.append(rest)
            return complete
        if self._partial_line:
            complete[0] = b"".join((*self._partial_line, complete[0]))
        self._partial_line = [rest] if rest else []
        self.offset += sum(map(len, complete)) + len(complete)
        return complete
