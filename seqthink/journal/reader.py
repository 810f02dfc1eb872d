"""Reads a journal as it grows: whatever is there now, each event once, in order.

This is the truth behind following; a watcher only says when to look. Only complete lines come out, and a
torn last line is remembered by its offset, never by its bytes, since the writer may cut it off again
(journal.md, promise 4). A file that was replaced, truncated or rewritten starts over, and the batch says
so.
"""

import os
from pathlib import Path
from typing import NamedTuple

from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import EventSource, JournalFile
from seqthink.journal.scan import BATCH_BYTES, CorruptLine, PlacedEvent, Scanner, ScanResult

__all__ = ["BATCH_BYTES", "Batch", "CorruptLine", "JournalReader", "PlacedEvent"]


class Batch(NamedTuple):
    """What one look at a journal gave.

    ``restarted`` says why all that came before is void (None: it is not), ``at_end`` that nothing more waits,
    ``gone`` that the file is not there, now or not yet. ``journal`` is where these events can be read again.
    """

    events: list[PlacedEvent]
    unknown_count: int
    corrupt_lines: list[CorruptLine]
    restarted: str | None = None
    at_end: bool = True
    gone: bool = False
    journal: EventSource | None = None

    @property
    def has_news(self) -> bool:
        """Whether it tells anything that changes what a reader has."""
        return bool(self.events or self.unknown_count or self.corrupt_lines or self.restarted)


class JournalReader:
    """Reads the journal at ``path``, which may not be there yet, or vanish, or come back as another file."""

    def __init__(self, path: Path, decode: LineDecoder = decode) -> None:
        self._path = path
        self._decode: LineDecoder = decode
        self._scanner: Scanner | None = None

    def read(self, limit_bytes: int = BATCH_BYTES) -> Batch:
        """Return what is there now and did not come out before, at most about ``limit_bytes``.

        Raises:
            OSError: something is there that cannot be read.
        """
        if self._scanner is None:
            return self._begin(None, limit_bytes)
        restarted = self._scanner.restart_reason()
        if restarted:
            self._scanner = Scanner(self._scanner.file)
        batch = _batch(self._scanner, self._scanner.read(limit_bytes), restarted)
        if not batch.at_end:
            return batch
        # The end of this file; is it still the one that stands there?
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
    events, unread, corrupt, at_end = scanned
    return Batch(events, unread, corrupt, restarted, at_end, journal=scanner.file)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - asked at each look: half the price of `Path.stat`
    except (FileNotFoundError, NotADirectoryError):
        return None
    return status.st_dev, status.st_ino


def _file_identity(file: JournalFile) -> tuple[int, int]:
    status = file.stat()
    return status.st_dev, status.st_ino
