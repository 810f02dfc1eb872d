"""Reads a journal as it grows: everything that is there now, each event once, in order.

Only complete lines are returned. A torn last line is remembered by its offset, never by its bytes, because the writer
may cut it off again (docs/journal.md, "A torn tail is not an error"). If the file is replaced, truncated or rewritten,
reading starts over, and the batch says so. A read that fails loses nothing: the next one begins where it stopped.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from seqthink.core.errors import cannot_read
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import EventSource, JournalFile
from seqthink.journal.scan import BATCH_BYTES, CorruptLine, LocatedEvent, Scanner, ScanResult

__all__ = ["BATCH_BYTES", "Batch", "CorruptLine", "JournalReader", "LocatedEvent"]


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
    trouble: str = ""
    """Why the file cannot be read now, of `JournalReader.look`; the next look may succeed."""

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

    def look(self, limit_bytes: int = BATCH_BYTES) -> Batch:
        """Return what `read` returns; if the file cannot be read, an empty batch with the reason, not at the end."""
        try:
            return self.read(limit_bytes)
        except OSError as error:
            journal = self._scanner.file if self._scanner else None
            reason = cannot_read(self._path.name, error)
            return Batch([], 0, [], at_end=False, journal=journal, trouble=reason)

    def read(self, limit_bytes: int = BATCH_BYTES) -> Batch:
        """Return what has not been returned before, at most about ``limit_bytes``.

        Raises:
            OSError: the file exists but cannot be read.
        """
        if self._scanner is None:
            return self._begin(None, limit_bytes)
        restarted = self._scanner.restart_reason()
        if restarted:
            return self._rescan(self._scanner.file, restarted, limit_bytes)
        batch = _batch(self._scanner, self._scanner.read(limit_bytes), restarted)
        return self._checked_end(batch, limit_bytes) if batch.at_end else batch

    def _checked_end(self, batch: Batch, limit_bytes: int) -> Batch:
        """Check, at the end of the file, that it is still the one at the path."""
        assert self._scanner is not None, "it was read"
        try:
            current = _identity(self._path)
            is_same = current == _file_identity(self._scanner.file)
        except OSError:
            if batch.has_news:  # which must not be lost; the next read meets the same trouble without any
                return batch._replace(at_end=False)
            raise
        if current is None:
            return batch._replace(gone=True)
        if is_same:
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
        return self._rescan(file, restarted, limit_bytes)

    def _rescan(self, file: JournalFile, restarted: str | None, limit_bytes: int) -> Batch:
        scanner = Scanner(file)
        batch = _batch(scanner, scanner.read(limit_bytes), restarted)
        self._scanner = scanner  # not before: if this read fails, the next one has to say that reading starts over
        return batch


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
