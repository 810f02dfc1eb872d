"""Every line of a journal in the order of the file: what the reader made of it, and its bytes."""

from collections.abc import Iterator
from typing import NamedTuple

from seqthink.events import Event, UnknownEvent
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.scan import Scanner, ScanResult


class WalkedLine(NamedTuple):
    """One line: its number (from 1), where it stands, and what it holds.

    ``event`` is None for a line that the reader skips; ``reason`` then says why, and ``data`` is not read again.
    """

    line_number: int
    offset: int
    data: bytes
    event: Event | UnknownEvent | None
    reason: str = ""
    is_torn: bool = False


def walk(file: JournalFile) -> Iterator[WalkedLine]:
    """Yield the lines of ``file``, the reader's verdict with each; last the torn one, if there is any."""
    scanner, number, at_end = Scanner(file), 1, False
    while not at_end:
        start = scanner.offset
        scanned = scanner.read()
        at_end = scanned.at_end
        for line in _scanned_lines(file, start, scanner.offset, scanned, number):
            yield line
            number = line.line_number + 1
    torn = file.stat().st_size - scanner.offset
    if torn > 0:
        yield WalkedLine(
            number, scanner.offset, b"", None, f"a torn line: {torn:,} bytes without a line feed", is_torn=True
        )


def _scanned_lines(file: JournalFile, start: int, end: int, scanned: ScanResult, number: int) -> Iterator[WalkedLine]:
    corrupt = scanned.corrupt_lines[::-1]
    # The scanner keeps no bytes. They are read again at once, unless there are only lines that nobody looks into.
    # One alone is read without its line feed, so that of a huge line no copy is made.
    if len(scanned.events) == 1:
        _, start, size = scanned.events[0]
        end = start + size
    chunk = file.read_bytes(start, end - start) if scanned.events else b""
    for event, offset, size in scanned.events:
        while corrupt and corrupt[-1].offset < offset:
            skipped = corrupt.pop()
            yield WalkedLine(skipped.number, skipped.offset, b"", None, skipped.reason)
            number = skipped.number + 1
        yield WalkedLine(number, offset, chunk[offset - start : offset - start + size], event)
        number += 1
    for skipped in reversed(corrupt):
        yield WalkedLine(skipped.number, skipped.offset, b"", None, skipped.reason)
