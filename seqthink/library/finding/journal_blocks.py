"""Reads a journal in blocks of complete lines, from its end backwards."""

from collections.abc import Iterator
from typing import Final

from seqthink.journal.journal_file import JournalFile

BLOCK_BYTES: Final = 64 << 10
"""Small enough to stay in the processor's cache between two passes over it."""
_MAX_STEP_BYTES: Final = 16 << 20
_HEAD_BYTES: Final = 1024
_OWN_MARKS: Final = (b'"server":{"name":"seqthink"', b'"source":"')
"""What the first line of a journal has that a server, tap or import of ours wrote."""


def has_plain_strings(file: JournalFile) -> bool:
    """Return whether a journal is from a writer of ours, which escapes no character that need not be escaped."""
    head = file.read_bytes(0, _HEAD_BYTES).partition(b"\n")[0]
    return any(mark in head for mark in _OWN_MARKS)


def blocks_backwards(file: JournalFile, block_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
    """Yield the blocks, the last one first, without the line feed at the end of each.

    A last line that is not complete yet is left out.

    Raises:
        OSError: the file cannot be read.
    """
    end = _end_of_lines(file, block_bytes)
    step = block_bytes
    while end > 0:
        begin = max(0, end - step)
        piece = file.read_bytes(begin, end - begin)
        cut = piece.find(b"\n") + 1 if begin else 0
        if begin and not cut:
            step = min(2 * step, end)  # a long line: its beginning is further ahead
            continue
        yield piece[cut:]
        end, step = begin + cut - 1, block_bytes


def _end_of_lines(file: JournalFile, step: int) -> int:
    """Return where the last line feed is; 0 if there is none."""
    end = file.stat().st_size
    while end > 0:
        begin = max(0, end - step)
        at = file.read_bytes(begin, end - begin).rfind(b"\n")
        if at >= 0:
            return begin + at
        end, step = begin, min(2 * step, _MAX_STEP_BYTES)
    return 0
