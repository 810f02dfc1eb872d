"""Reads a journal as it grows: everything that is there now, each event once, in order.

Only complete lines are returned. A torn last line is remembered by its offset, never by its bytes, because the writer
may cut it off again (docs/journal.md, "A torn tail is not an error"). If the file is replaced, truncated or rewritten,
reading starts over, and the batch says so.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import EventSource, JournalFile
from seqthink.journal.located_events import LocatedEvent, LocatedEvents
from seqthink.journal.scan import BATCH_BYTES, CorruptLine, Scanner, ScanResult

__all__ = ["BATCH_BYTES", "Batch", "CorruptLine", "JournalReader", "LocatedEvent", "LocatedEvents"]


class Batch(NamedTuple):
    """The result of one read."""

    events: Sequence[LocatedEvent]
    """The events, each with the byte range of its line."""
    unknown_count: int
    """How many of the events are of an unknown type or version."""
    corrupt_lines: list[CorruptLine]
    """The lines that do not decode."""
    restarted: str | None = None
    """Why everything read before is no longer valid: "replaced", "truncated" or "rewritten"; None if it still is."""
    at_end: bool = True
    """Whether the end of the file was reached."""
    gone: bool = False
    """Whether the file does not exist: not yet, or not any more."""
    journal: EventSource | None = None
    """Where these events can be read again."""

    @property
    def has_news(self) -> bool:
        """Whether it changes anything for a reader who has all batches before it."""
        return bool(self.events or self.unknown_count or self.corrupt_lines or self.restarted)


class JournalReader:
    """Reads the journal at ``path``, which may not exist yet, disappear, or come back as another file."""

    def __init__(self, path: Path, decode: LineDecoder = decode) -> None:
        self._path = path
        self._decode: LineDecoder = decode
        self._scanner: Scanner | None = None

    def read(self, limit_bytes: int = BATCH_BYTES) -> Batch:
        """Return what has not been returned before, at most about ``limit_bytes``.

        Raises:
            OSError: the file exists but cannot be read.
        """
        if self._scanner is None:
            return self._begin(None, limit_bytes)
        restarted = self._scanner.restart_reason()
        if restarted:
            self._scanner = Scanner(self._scanner.file)
        batch = _batch(self._scanner, self._scanner.read(limit_bytes), restarted)
        if not batch.at_end:
            return batch
        # At the end of this file: check that it is still the one at the path.
        current = _identity(self._path)
        if current is None:
            return batch._replace(gone=True)
        if current == _file_identity(self._scanner.file):
            return batch
        if batch.has_news:
            return batch._replace(at_end=False)
        return self._begin("replaced", limit_bytes)

    def _begin(self, restarted: str | None, limit_bytes: int) -> Batch:
        try:
            file = JournalFile.open(self._path, self._decode)
        except (FileNotFoundError, NotADirectoryError):
            journal = self._scanner.file if self._scanner else None
            return Batch([], 0, [], gone=True, journal=journal)
        self._scanner = Scanner(file)
        return _batch(self._scanner, self._scanner.read(limit_bytes), restarted)


def _batch(scanner: Scanner, scanned: ScanResult, restarted: str | None) -> Batch:
    events, unknown_count, corrupt_lines, at_end = scanned
    return Batch(events, unknown_count, corrupt_lines, restarted, at_end, journal=scanner.file)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - called at each read: half the cost of `Path.stat`
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino


def _file_identity(file: JournalFile) -> tuple[int, int]:
    status = file.stat()
    return status.st_dev, status.st_ino
