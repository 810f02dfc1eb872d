"""A place in a journal: behind which line, at which byte. From there whole lines are read, as bytes and unparsed.

A line is what lies between two line feeds, so the number of a line is one more than the line feeds before it.
"""

from typing import Final, NamedTuple

from seqthink.journal.journal_file import JournalFile
from seqthink.journal.scan import MAX_LINE_BYTES

_FINGERPRINT_BYTES: Final = 64
"""Bytes before the place that are remembered, to notice a file that was rewritten."""
_PIECE_BYTES: Final = 1 << 20
"""Bytes that are searched for line feeds at a time."""


class LinePlace(NamedTuple):
    """Behind a line of a file."""

    line: int = 0
    """How many lines are before it."""
    offset: int = 0
    """How many bytes are before it."""
    before: bytes = b""
    """The last bytes before it."""


START: Final = LinePlace()
"""Where a journal begins."""


class ReadLines(NamedTuple):
    """Lines that follow one another."""

    first: int
    """Number of the first one, from 1."""
    lines: list[bytes]
    """The lines, without their line feeds."""
    at_end: bool
    """Whether there was no other complete line."""


class JournalCursor:
    """Reads the complete lines of a journal from a place on. The file is given with each call: it is not kept open."""

    __slots__ = ("_searched", "place", "seen")

    def __init__(self, place: LinePlace = START) -> None:
        self.place = place
        """Where the next line begins."""
        self.seen = START
        """A place that was reached before and may be gone back to."""
        self._searched = START
        """Up to here there is no line feed behind our place, if it is behind that; its line does not count."""

    def restart(self) -> None:
        """Go to the beginning of the file, which is another one now."""
        self.place = self.seen = self._searched = START

    def read(self, file: JournalFile, limit_bytes: int) -> ReadLines | None:
        """Return the next lines, at most about ``limit_bytes``, at least one if there is one.

        Returns None if the file does not have the bytes any more that were before our place.

        Raises:
            OSError: it cannot be read.
        """
        line, offset, before = self.place
        held = len(before)
        data = file.read_bytes(offset - held, held + limit_bytes)
        if not data.startswith(before):
            return None
        end = data.rfind(b"\n") + 1
        if end <= held:
            if len(data) < held + limit_bytes:
                return ReadLines(line + 1, [], at_end=True)
            return self._read_long_line(file)
        lines = data[held : end - 1].split(b"\n")
        at_end = len(data) < held + limit_bytes
        self.place = LinePlace(line + len(lines), offset + end - held, data[max(0, end - _FINGERPRINT_BYTES) : end])
        return ReadLines(line + 1, lines, at_end)

    def _read_long_line(self, file: JournalFile) -> ReadLines:
        """Return the line that is longer than what is read at a time; none if its end is not there."""
        line, offset, _ = self.place
        position = self._searched_to(file)
        while True:
            piece = file.read_bytes(position, _PIECE_BYTES)
            found = piece.find(b"\n")
            if found >= 0:
                break
            position += len(piece)
            if len(piece) < _PIECE_BYTES:
                self._searched = _place_at(file, 0, position)
                return ReadLines(line + 1, [], at_end=True)
        end = position + found
        text = _text_of_line(file, offset, end - offset)
        self.place = _place_at(file, line + 1, end + 1)
        return ReadLines(line + 1, [text], at_end=False)

    def _searched_to(self, file: JournalFile) -> int:
        """Return where to search on: an unfinished line may have been cut off, and another one begun."""
        _, offset, before = self._searched
        if offset > self.place.offset and file.read_bytes(offset - len(before), len(before)) == before:
            return offset
        return self.place.offset

    def seek(self, file: JournalFile, line: int) -> bool:
        """Go behind a line, whose number is 0 for the beginning; return False, at the end, if there are fewer.

        Raises:
            OSError: it cannot be read.
        """
        places = (self.place, self.seen, START)
        place = max((place for place in places if place.line <= line), key=lambda place: place.line)
        self.place = place
        missing, offset = line - place.line, place.offset
        while missing:
            piece = file.read_bytes(offset, _PIECE_BYTES)
            count = piece.count(b"\n")
            if count >= missing:
                self.place = _place_at(file, line, offset + _end_of(piece, missing))
                return True
            missing -= count
            offset += len(piece)
            if len(piece) < _PIECE_BYTES:
                if line - missing > place.line:
                    self.place = _place_at(file, line - missing, _after_line_feed_before(file, offset))
                return False
        return True

    def last_line(self, file: JournalFile) -> bytes:
        """Return the line right before our place; empty at the beginning.

        Raises:
            OSError: it cannot be read.
        """
        if not self.place.line:
            return b""
        end = self.place.offset - 1
        start = _after_line_feed_before(file, end)
        return _text_of_line(file, start, end - start)


def too_long_line(size: int) -> bytes:
    """Return what is shipped in place of a line that is too long."""
    return f"(seqthink ship: a line of {size} bytes is too long to be shipped; it is in the journal)".encode()


def _text_of_line(file: JournalFile, offset: int, size: int) -> bytes:
    return too_long_line(size) if size > MAX_LINE_BYTES else file.read_bytes(offset, size)


def _end_of(piece: bytes, count: int) -> int:
    """Return where the line feed ends that is the ``count``-th of a piece."""
    position = -1
    for _ in range(count):
        position = piece.find(b"\n", position + 1)
    return position + 1


def _after_line_feed_before(file: JournalFile, end: int) -> int:
    """Return the offset behind the last line feed before ``end``; 0 if there is none."""
    size = 4 << 10
    while end:
        start = max(0, end - size)
        found = file.read_bytes(start, end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end, size = start, min(2 * size, _PIECE_BYTES)
    return 0


def _place_at(file: JournalFile, line: int, offset: int) -> LinePlace:
    start = max(0, offset - _FINGERPRINT_BYTES)
    return LinePlace(line, offset, file.read_bytes(start, offset - start))
