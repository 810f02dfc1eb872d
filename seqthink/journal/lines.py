"""Bytes in, complete lines out; a torn line is held back (docs/journal.md, "A torn tail is not an error")."""

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
        """Whether part of an unfinished line is held back."""
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
