"""Takes the complete lines of one open file as it grows, in batches, and never a line twice.

What is held between two looks is an offset, not bytes. A line longer than a batch is searched for its end
piece by piece and read once when the end is there, so its cost stays linear; one past ``LONGEST_LINE`` is
never read at all. Of a long thought's text comes out a fingerprint, which is all that a fold needs (`Decode.outline`).
"""

from typing import NamedTuple

from seqthink.errors import CorruptLineError
from seqthink.events import Event, UnreadEvent
from seqthink.journal.decode import LONG_BYTES
from seqthink.journal.source import JournalFile

BATCH_BYTES = 1 << 20
LONGEST_LINE = 256 << 20
_HEAD_BYTES = 4096
_MARK_BYTES = 64


Placed = tuple[Event | UnreadEvent, int, int]
"""An event, and where its line stands in the file: offset and size, the newline not counted."""


class CorruptLine(NamedTuple):
    """A complete line that is no event: its number (from 1), where it stands, and why."""

    number: int
    offset: int
    reason: str


class Scanned(NamedTuple):
    """The lines of one look: events, how many were unread, which were corrupt; whether the file ended."""

    events: list[Placed]
    unread: int
    corrupt: list[CorruptLine]
    at_end: bool


class Scanner:
    """Reads one open file from its beginning; ``offset`` is where the last complete line ended."""

    def __init__(self, file: JournalFile) -> None:
        self.file = file
        self.offset = 0
        self._line = 0
        # Up to here no line feed was found after `offset`; above `offset` only inside of a line longer
        # than a batch.
        self._searched = 0
        # What stood first, last, and before `_searched`, as it was read: a file that shows other bytes
        # was rewritten.
        self._head = b""
        self._mark = b""
        self._search_mark = b""

    def spoiled(self) -> str | None:
        """Return why what came out before does not stand in the file any more; None: it does."""
        if self.file.stat().st_size < self.offset:
            return "truncated"
        start = self.offset - len(self._mark)
        if self.file.read_bytes(start, len(self._mark)) != self._mark:
            return "rewritten"
        if self.file.read_bytes(0, len(self._head)) != self._head:
            return "rewritten"
        return None

    def read(self, limit: int = BATCH_BYTES) -> Scanned:
        """Return the next complete lines, at most about ``limit`` bytes of them, or one longer line."""
        if self._searched > self.offset:
            return self._search(limit)
        chunk = self.file.read_bytes(self.offset, limit)
        at_end = len(chunk) < limit
        if b"\n" in chunk:
            return self._take(chunk, at_end=at_end)
        if not at_end:
            self._searched = self.offset + len(chunk)
            self._search_mark = chunk[-_MARK_BYTES:]
        return Scanned([], 0, [], at_end)

    def _search(self, limit: int) -> Scanned:
        """Look for the end of a line that is longer than a batch."""
        mark = self._search_mark
        if self.file.read_bytes(self._searched - len(mark), len(mark)) != mark:
            # The unfinished line was cut off, and perhaps another one begun: look at it afresh.
            self._searched = self.offset
            return Scanned([], 0, [], at_end=False)
        piece = self.file.read_bytes(self._searched, limit)
        length = piece.find(b"\n")
        if length < 0:
            self._searched += len(piece)
            self._search_mark = (mark + piece)[-_MARK_BYTES:]
            return Scanned([], 0, [], at_end=len(piece) < limit)
        end = self._searched + length
        if end - self.offset > LONGEST_LINE:
            return self._skip(end)
        return self._take(self.file.read_bytes(self.offset, end + 1 - self.offset), at_end=False)

    def _skip(self, end: int) -> Scanned:
        """Leave out a line that is too long to be held."""
        self._line += 1
        corrupt = CorruptLine(self._line, self.offset, f"line too long: {end - self.offset} bytes")
        self.offset = self._searched = end + 1
        self._mark, self._search_mark = b"\n", b""
        return Scanned([], 0, [corrupt], at_end=False)

    def _take(self, chunk: bytes, *, at_end: bool) -> Scanned:
        """Decode the complete lines of ``chunk``, which begins at ``offset``."""
        end = chunk.rfind(b"\n") + 1
        events: list[Placed] = []
        corrupt: list[CorruptLine] = []
        unread = 0
        offset = self.offset
        decode, outline = self.file.decode.__call__, self.file.decode.outline
        # A line alone is decoded with its line feed, which JSON allows: of a huge one no copy is made.
        is_alone = chunk.find(b"\n") == len(chunk) - 1
        lines = [chunk] if is_alone else chunk[: end - 1].split(b"\n")
        for number, line in enumerate(lines, start=self._line + 1):
            size = len(line) - is_alone
            try:
                event = decode(line) if size <= LONG_BYTES else outline(line)
            except CorruptLineError as error:
                reason = error.reason if line.strip() else "blank line"
                corrupt.append(CorruptLine(number, offset, reason))
            else:
                if type(event) is UnreadEvent:
                    unread += 1
                events.append((event, offset, size))
            offset += size + 1
        if len(self._head) == self.offset < _HEAD_BYTES:
            self._head += chunk[: min(end, _HEAD_BYTES - self.offset)]
        self._mark = chunk[max(0, end - _MARK_BYTES) : end]
        self.offset, self._line = offset, self._line + len(lines)
        self._searched, self._search_mark = offset, b""
        return Scanned(events, unread, corrupt, at_end)
