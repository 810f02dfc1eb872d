"""A file of small records, one JSON object a line, to which several processes append.

It is rewritten when most of its lines are outdated. A lock beside it keeps what another process appends meanwhile.
"""

import errno
import json
import os
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from seqthink.core import system
from seqthink.library.viewer_store.folder import open_private

Record = dict[str, Any]
MAX_BYTES = 16 << 20
"""How large a file may become."""
MIN_OUTDATED_LINES = 1_000
"""A file is rewritten when it has this many lines more than twice what is kept of them."""


class RecordFile:
    """Records in a file that may not exist yet.

    Args:
        path: the file, in the folder of what viewers keep.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock_path = path.with_suffix(".lock")

    def signature(self) -> tuple[int, int, int] | None:
        """Return what changes whenever the file does; None if there is none."""
        try:
            state = self._path.lstat()
        except OSError:
            return None
        return state.st_ino, state.st_size, state.st_mtime_ns

    def read(self) -> list[Record]:
        """Return all records in their order; lines that cannot be read are left out, a missing file has none.

        Raises:
            OSError: the file cannot be read.
            UsageError: it is not a file of our own.
        """
        try:
            descriptor = open_private(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return []
        with os.fdopen(descriptor, "rb") as file:
            lines = file.read(MAX_BYTES).split(b"\n")[:-1]
        return [record for record in map(_decoded, lines) if record is not None]

    def append(self, records: Iterable[Record]) -> None:
        """Append records with one write.

        Raises:
            OSError: the file cannot be written, or is full.
            UsageError: it is not a file of our own.
        """
        data = _encoded(records)
        with self._locked():
            descriptor = open_private(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT)
            try:
                if not _ends_a_line(descriptor):
                    data = b"\n" + data
                _require_room(os.fstat(descriptor).st_size + len(data))
                os.write(descriptor, data)
            finally:
                os.close(descriptor)

    def rewrite(self, keep: Callable[[list[Record]], list[Record]]) -> None:
        """Replace the records by what ``keep`` returns for them; others may append before and after, not meanwhile.

        Raises:
            OSError: the file cannot be written, or is full.
            UsageError: it is not a file of our own.
        """
        with self._locked():
            data = _encoded(keep(self.read()))
            _require_room(len(data))
            new_path = self._path.with_suffix(".new")
            new_path.unlink(missing_ok=True)
            descriptor = open_private(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            new_path.replace(self._path)

    @contextmanager
    def _locked(self) -> Generator[None]:
        descriptor = open_private(self._lock_path, os.O_RDWR | os.O_CREAT)
        try:
            system.lock(descriptor)
            yield
        finally:
            os.close(descriptor)


def _require_room(size: int) -> None:
    """Refuse what could be written, but not be read again.

    Raises:
        OSError: the file would be larger than what is read.
    """
    if size > MAX_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))


def _ends_a_line(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return not size or system.pread(descriptor, 1, size - 1) == b"\n"


def _encoded(records: Iterable[Record]) -> bytes:
    return b"".join(json.dumps(record, separators=(",", ":")).encode() + b"\n" for record in records)


def _decoded(line: bytes) -> Record | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Record", record) if isinstance(record, dict) else None
