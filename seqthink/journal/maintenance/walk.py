"""Walks all lines of a journal in order, each with its bytes and the event that the reader makes of it."""

from collections.abc import Iterator
from typing import NamedTuple

from seqthink.core.events import Event, UnknownEvent
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.scan import Scanner, ScanResult


class WalkedLine(NamedTuple):
    """One line of a journal."""

    line_number: int
    """Number of the line, from 1."""
    offset: int
    """Byte offset of the line."""
    data: bytes
    """Its bytes without the newline; empty if there is no event."""
    event: Event | UnknownEvent | None
    """Its event; None if the reader skips the line."""
    reason: str = ""
    """Why the reader skips the line, in words."""
    is_torn: bool = False
    """Whether it is the last line and has no newline."""


def walk(file: JournalFile) -> Iterator[WalkedLine]:
    """Yield the lines of ``file``; a torn one, if there is any, comes last."""
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
    # The scanner keeps no bytes, so they are read again, unless all lines are corrupt. A single line is read without
    # its line feed, which saves a copy of a huge line.
    if len(scanned.events) == 1:
        _, start, size = scanned.events[0]
        end = start + size
    chunk = file.read_bytes(start, end - start) if scanned.events else b""
    for event, offset, size in scanned.events:
        while corrupt and corrupt[-1].offset < offset:
            skipped = corrupt.pop()
            yield WalkedLine(skipped.line_number, skipped.offset, b"", None, skipped.reason)
            number = skipped.line_number + 1
        yield WalkedLine(number, offset, chunk[offset - start : offset - start + size], event)
        number += 1
    for skipped in reversed(corrupt):
        yield WalkedLine(skipped.line_number, skipped.offset, b"", None, skipped.reason)
