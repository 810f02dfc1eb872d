"""Takes the complete lines of one open file as it grows, in batches, and never a line twice.

What is held between two looks is an offset, not bytes. A line longer than a batch is searched for its end
piece by piece and read once when the end is there, so its cost stays linear; one past ``LONGEST_LINE`` is
never read at all. Of a long thought's text comes out a fingerprint, which is all that a fold needs (`Decode.outline`).
"""

from typing import NamedTuple

from seqthink.errors import CorruptLineError
from seqthink.events import Event, UnknownEvent
from seqthink.journal.decode import LONG_LINE_BYTES
from seqthink.journal.journal_file import JournalFile

BATCH_BYTES = 1 << 20
MAX_LINE_BYTES = 256 << 20
_MAX_HEAD_BYTES = 4096
_MAX_TAIL_BYTES = 64


PlacedEvent = tuple[Event | UnknownEvent, int, int]
"""An event, and where its line stands in the file: offset and size, the newline not counted."""


class CorruptLine(NamedTuple):
    """A complete line that is no event: its number (from 1), where it stands, and why."""

    number: int
    offset: int
    reason: str


class ScanResult(NamedTuple):
    """The lines of one look: events, how many were unread, which were corrupt; whether the file ended."""

    events: list[PlacedEvent]
    unknown_count: int
    corrupt_lines: list[CorruptLine]
    at_end: bool


class Scanner:
    """Reads one open file from its beginning; ``offset`` is where the last complete line ended."""

    def __init__(self, file: JournalFile) -> None:
        self.file = file
        self.offset = 0
        self._line_count = 0
        # Up to here no line feed was found after `offset`; above `offset` only inside of a line longer
        # than a batch.
        self._searched_to = 0
        # What stood first, last, and before `_searched`, as it was read: a file that shows other bytes
        # was rewritten.
        self._head_bytes = b""
        self._tail_bytes = b""
        self._search_tail_bytes = b""

    def restart_reason(self) -> str | None:
        """Return why what came out before does not stand in the file any more; None: it does."""
        if self.file.stat().st_size < self.offset:
            return "truncated"
        start = self.offset - len(self._tail_bytes)
        if self.file.read_bytes(start, len(self._tail_bytes)) != self._tail_bytes:
            return "rewritten"
        if self.file.read_bytes(0, len(self._head_bytes)) != self._head_bytes:
            return "rewritten"
        return None

    def read(self, limit: int = BATCH_BYTES) -> ScanResult:
        """Return the next complete lines, at most about ``limit`` bytes of them, or one longer line."""
        if self._searched_to > self.offset:
            return self._find_line_end(limit)
        chunk = self.file.read_bytes(self.offset, limit)
        at_end = len(chunk) < limit
        if b"\n" in chunk:
            return self._decode_lines(chunk, at_end=at_end)
        if not at_end:
            self._searched_to = self.offset + len(chunk)
            self._search_tail_bytes = chunk[-_MAX_TAIL_BYTES:]
        return ScanResult([], 0, [], at_end)

    def _find_line_end(self, limit: int) -> ScanResult:
        """Look for the end of a line that is longer than a batch."""
        mark = self._search_tail_bytes
        if self.file.read_bytes(self._searched_to - len(mark), len(mark)) != mark:
            # The unfinished line was cut off, and perhaps another one begun: look at it afresh.
            self._searched_to = self.offset
            return ScanResult([], 0, [], at_end=False)
        piece = self.file.read_bytes(self._searched_to, limit)
        length = piece.find(b"\n")
        if length < 0:
            self._searched_to += len(piece)
            self._search_tail_bytes = (mark + piece)[-_MAX_TAIL_BYTES:]
            return ScanResult([], 0, [], at_end=len(piece) < limit)
        end = self._searched_to + length
        if end - self.offset > MAX_LINE_BYTES:
            return self._skip_long_line(end)
        return self._decode_lines(self.file.read_bytes(self.offset, end + 1 - self.offset), at_end=False)

    def _skip_long_line(self, end: int) -> ScanResult:
        """Leave out a line that is too long to be held."""
        self._line_count += 1
        corrupt = CorruptLine(self._line_count, self.offset, f"line too long: {end - self.offset} bytes")
        self.offset = self._searched_to = end + 1
        self._tail_bytes, self._search_tail_bytes = b"\n", b""
        return ScanResult([], 0, [corrupt], at_end=False)

    def _decode_lines(self, chunk: bytes, *, at_end: bool) -> ScanResult:
        """Decode the complete lines of ``chunk``, which begins at ``offset``."""
        end = chunk.rfind(b"\n") + 1
        events: list[PlacedEvent] = []
        corrupt: list[CorruptLine] = []
        unread = 0
        offset = self.offset
        decode, outline = self.file.decode.__call__, self.file.decode.decode_for_fold
        # A line alone is decoded with its line feed, which JSON allows: of a huge one no copy is made.
        is_alone = chunk.find(b"\n") == len(chunk) - 1
        lines = [chunk] if is_alone else chunk[: end - 1].split(b"\n")
        for number, line in enumerate(lines, start=self._line_count + 1):
            size = len(line) - is_alone
            try:
                event = decode(line) if size <= LONG_LINE_BYTES else outline(line)
            except CorruptLineError as error:
                reason = error.reason if line.strip() else "blank line"
                corrupt.append(CorruptLine(number, offset, reason))
            else:
                if type(event) is UnknownEvent:
                    unread += 1
                events.append((event, offset, size))
            offset += size + 1
        if len(self._head_bytes) == self.offset < _MAX_HEAD_BYTES:
            self._head_bytes += chunk[: min(end, _MAX_HEAD_BYTES - self.offset)]
        self._tail_bytes = chunk[max(0, end - _MAX_TAIL_BYTES) : end]
        self.offset, self._line_count = offset, self._line_count + len(lines)
        self._searched_to, self._search_tail_bytes = offset, b""
        return ScanResult(events, unread, corrupt, at_end)
