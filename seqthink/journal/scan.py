"""Reads the complete lines of one open file as it grows, in batches, each line once.

Between two reads only an offset is kept, not bytes. For a line longer than a batch, only its end is searched, piece by
piece, and the line is read once when the end is there, so the cost stays linear. A line above ``MAX_LINE_BYTES`` is
never read at all. The text of a long thought is replaced by its hash, which is enough for the fold
(`LineDecoder.decode_for_fold`).
"""

from itertools import accumulate
from typing import NamedTuple

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import Event, UnknownEvent
from seqthink.journal.decode import LONG_LINE_BYTES, is_utf8
from seqthink.journal.journal_file import JournalFile

BATCH_BYTES = 1 << 20
"""Bytes that are read at a time unless the caller says otherwise."""
_PIECE_BYTES = 64 << 10
"""Bytes that are decoded at a time: few enough for their lines to stay in the processor's cache, and in memory that the
allocator keeps. Where it gives back a larger block after each read, a line costs a third more."""
MAX_LINE_BYTES = 256 << 20
"""A longer line is reported as corrupt without being read."""
_MAX_HEAD_BYTES = 4096
_MAX_TAIL_BYTES = 64
"""How much of the file's beginning, and of the end of what was read, is kept to notice a rewritten file."""


LocatedEvent = tuple[Event | UnknownEvent, int, int]
"""An event, and the offset and size of its line in bytes, without the newline."""


class CorruptLine(NamedTuple):
    """A complete line that does not decode."""

    line_number: int
    """Number of the line, from 1."""
    offset: int
    """Byte offset of the line."""
    reason: str
    """Why it does not decode, in words."""


class ScanResult(NamedTuple):
    """The lines of one read."""

    events: list[LocatedEvent]
    """The events, each with the byte range of its line."""
    unknown_count: int
    """How many of the events are of an unknown type or version."""
    corrupt_lines: list[CorruptLine]
    """The lines that do not decode."""
    at_end: bool
    """Whether the end of the file was reached."""


class Scanner:
    """Reads one open file from its beginning."""

    def __init__(self, file: JournalFile) -> None:
        self.file = file
        """The file."""
        self.offset = 0
        """Byte offset of the end of the last complete line."""
        self._line_count = 0
        # There is no line feed between `offset` and here. Above `offset` only within a line longer than a batch.
        self._searched_to = 0
        # The first bytes of the file, the last before `offset`, and the last before `_searched_to`, as they were read.
        # If the file has other bytes there now, it was rewritten.
        self._head_bytes = b""
        self._tail_bytes = b""
        self._search_tail_bytes = b""

    def restart_reason(self) -> str | None:
        """Return "truncated" or "rewritten" if the lines read so far are not in the file any more, else None."""
        if self.file.stat().st_size < self.offset:
            return "truncated"
        start = self.offset - len(self._tail_bytes)
        if self.file.read_bytes(start, len(self._tail_bytes)) != self._tail_bytes:
            return "rewritten"
        if self.file.read_bytes(0, len(self._head_bytes)) != self._head_bytes:
            return "rewritten"
        return None

    def read(self, limit_bytes: int = BATCH_BYTES) -> ScanResult:
        """Return the next complete lines, at most about ``limit_bytes`` of them, or one longer line."""
        if self._searched_to > self.offset:
            return self._find_line_end(limit_bytes)
        begin, size = self.offset, min(limit_bytes, _PIECE_BYTES)
        found = self._read_piece(size)
        if self.offset == begin and not found.at_end and size < limit_bytes:
            return self._read_piece(limit_bytes)
        while not found.at_end and self._searched_to == self.offset and self.offset - begin + size <= limit_bytes:
            try:
                found = _joined(found, self._read_piece(size))
            except OSError:  # what was read before counts; the next call meets the same trouble first
                break
        if self.offset > begin:
            self._searched_to = self.offset  # a line that is longer than a piece may still be shorter than a batch
        return found

    def _read_piece(self, size: int) -> ScanResult:
        """Return the complete lines of the next ``size`` bytes."""
        chunk = self.file.read_bytes(self.offset, size)
        at_end = len(chunk) < size
        if b"\n" in chunk:
            return self._decode_lines(chunk, at_end=at_end)
        if not at_end:
            self._searched_to = self.offset + len(chunk)
            self._search_tail_bytes = chunk[-_MAX_TAIL_BYTES:]
        return ScanResult([], 0, [], at_end)

    def _find_line_end(self, limit_bytes: int) -> ScanResult:
        """Search for the end of a line that is longer than a batch."""
        tail = self._search_tail_bytes
        if self.file.read_bytes(self._searched_to - len(tail), len(tail)) != tail:
            # The unfinished line was cut off, and perhaps another one begun: search again.
            self._searched_to = self.offset
            return ScanResult([], 0, [], at_end=False)
        piece = self.file.read_bytes(self._searched_to, limit_bytes)
        length = piece.find(b"\n")
        if length < 0:
            self._searched_to += len(piece)
            self._search_tail_bytes = (tail + piece)[-_MAX_TAIL_BYTES:]
            return ScanResult([], 0, [], at_end=len(piece) < limit_bytes)
        end = self._searched_to + length
        if end - self.offset > MAX_LINE_BYTES:
            return self._skip_long_line(end)
        return self._decode_lines(self.file.read_bytes(self.offset, end + 1 - self.offset), at_end=False)

    def _skip_long_line(self, end: int) -> ScanResult:
        """Report a line that is too long to be read as corrupt."""
        self._line_count += 1
        corrupt = CorruptLine(self._line_count, self.offset, f"line too long: {end - self.offset} bytes")
        self.offset = self._searched_to = end + 1
        self._tail_bytes, self._search_tail_bytes = b"\n", b""
        return ScanResult([], 0, [corrupt], at_end=False)

    def _decode_lines(self, chunk: bytes, *, at_end: bool) -> ScanResult:
        """Decode the complete lines of ``chunk``, which begins at ``offset``."""
        end = chunk.rfind(b"\n") + 1
        # A single line is decoded with its line feed, which JSON allows: that saves a copy of a huge line.
        is_alone = chunk.find(b"\n") == len(chunk) - 1
        lines = [chunk] if is_alone else chunk[: end - 1].split(b"\n")
        scanned = None if is_alone else self._decode_together(chunk[:end], lines)
        scanned = scanned or self._decode_one_by_one(lines, is_alone=is_alone)
        if len(self._head_bytes) == self.offset < _MAX_HEAD_BYTES:
            self._head_bytes += chunk[: min(end, _MAX_HEAD_BYTES - self.offset)]
        self._tail_bytes = chunk[max(0, end - _MAX_TAIL_BYTES) : end]
        self.offset, self._line_count = self.offset + end, self._line_count + len(lines)
        self._searched_to, self._search_tail_bytes = self.offset, b""
        return scanned._replace(at_end=at_end)

    def _decode_together(self, data: bytes, lines: list[bytes]) -> ScanResult | None:
        """Decode the lines of ``data``, which begins at ``offset``; None where one of them is unusual."""
        sizes = list(map(len, lines))
        if max(sizes) > LONG_LINE_BYTES or not is_utf8(data):
            return None
        events = self.file.decode.decode_all(lines)
        if events is None:
            return None
        starts = accumulate((size + 1 for size in sizes[:-1]), initial=self.offset)
        return ScanResult(list(zip(events, starts, sizes, strict=True)), 0, [], at_end=False)

    def _decode_one_by_one(self, lines: list[bytes], *, is_alone: bool) -> ScanResult:
        """Decode lines; the first begins at ``offset``; ``is_alone``: there is one, with its line feed."""
        events, corrupt_lines, unknown_count, offset = list[LocatedEvent](), list[CorruptLine](), 0, self.offset
        decode, decode_for_fold = self.file.decode.__call__, self.file.decode.decode_for_fold
        for number, line in enumerate(lines, start=self._line_count + 1):
            size = len(line) - is_alone
            try:
                event = decode(line) if size <= LONG_LINE_BYTES else decode_for_fold(line)
            except CorruptLineError as error:
                reason = self._reason_without_line_feed(line, error) if is_alone else error.reason
                corrupt_lines.append(CorruptLine(number, offset, reason if line.strip() else "blank line"))
            else:
                if type(event) is UnknownEvent:
                    unknown_count += 1
                events.append((event, offset, size))
            offset += size + 1
        return ScanResult(events, unknown_count, corrupt_lines, at_end=False)

    def _reason_without_line_feed(self, line: bytes, error: CorruptLineError) -> str:
        """Return why a line that was decoded with its line feed is corrupt, as it is said of lines that come together.

        A character that the line feed cuts short is broken off, and not followed by a wrong byte.
        """
        try:
            self.file.decode(line[:-1])
        except CorruptLineError as same:
            return same.reason
        return error.reason


def _joined(first: ScanResult, second: ScanResult) -> ScanResult:
    """Return what two reads found, the second one right after the first."""
    first.events.extend(second.events)
    corrupt_lines = first.corrupt_lines + second.corrupt_lines
    return ScanResult(first.events, first.unknown_count + second.unknown_count, corrupt_lines, second.at_end)
