"""A journal file locked for writing: an append leaves whole lines or nothing (docs/journal.md, "Promises")."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from seqthink.core import system
from seqthink.core.errors import JournalInUseError, JournalWriteError

_CHUNK_BYTES = 1 << 18
"""Bytes read at a time when a session is resumed."""
_PRIVATE_MODE = 0o600
_MAX_LOCK_RETRIES = 10
_LOCK_RETRY_SECONDS = 0.02
"""How often a taken lock is tried again, and the pause before each retry."""

Sleep = Callable[[float], None]
"""Waits for a number of seconds."""


class JournalDeletedError(JournalWriteError):
    """The journal file was deleted, so anything written to it now would be lost."""


class JournalExistsError(JournalWriteError):
    """A file with this name exists already: the session needs another id."""


class LockedJournal:
    """An open and locked journal. Appends whole lines; a failed append leaves nothing in the file."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._truncate_to: int | None = None  # where a partial line begins that could not be removed yet

    @classmethod
    def create(cls, path: Path, sleep: Sleep) -> "LockedJournal":
        """Create and lock the journal at ``path``.

        Raises:
            JournalExistsError: the file exists already.
            JournalInUseError: another process holds the lock.
            OSError: the file cannot be created.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | system.OPEN | system.NO_LINK
        try:
            descriptor = os.open(path, flags, _PRIVATE_MODE)
        except FileExistsError as error:
            raise JournalExistsError(f"there is already a journal {path.name}") from error
        try:
            with suppress(OSError):  # file systems without modes refuse
                system.make_private(descriptor)
            return cls(_lock(descriptor, path, sleep))
        except (JournalInUseError, OSError):
            path.unlink(missing_ok=True)  # the next attempt creates it again
            raise

    @classmethod
    def open(cls, path: Path, sleep: Sleep) -> "LockedJournal":
        """Open and lock an existing journal in order to resume it.

        Raises:
            JournalInUseError: another process holds the lock.
            OSError: the file cannot be opened or is not a regular file.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | system.OPEN | system.NO_LINK | system.NO_WAIT)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return cls(_lock(descriptor, path, sleep))

    @property
    def is_deleted(self) -> bool:
        """Whether the file is known to have been deleted."""
        try:
            return os.fstat(self._descriptor).st_nlink == 0
        except OSError:
            return False

    def chunks(self) -> Iterator[bytes]:
        """Yield the file's bytes in chunks from the beginning."""
        offset = 0
        while chunk := system.pread(self._descriptor, _CHUNK_BYTES, offset):
            yield chunk
            offset += len(chunk)

    def truncate(self, end: int) -> int:
        """Truncate the file to ``end`` bytes and return how many bytes were removed.

        Raises:
            OSError: the system refuses.
        """
        excess = os.fstat(self._descriptor).st_size - end
        if excess > 0:
            os.ftruncate(self._descriptor, end)
        return excess

    def read(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes from ``offset``.

        Raises:
            OSError: the file cannot be read.
        """
        return system.pread(self._descriptor, size, offset)

    def append(self, lines: bytes, *, sync: bool) -> int:
        """Append whole ``lines`` with one write call and return the offset of their end.

        Args:
            lines: encoded lines with their newlines.
            sync: whether to wait until they are on the disk.

        Raises:
            JournalDeletedError: the file was deleted; nothing was written.
            JournalWriteError: the write failed; nothing of it is left in the file.
        """
        try:
            self._finish_truncate()
            state = os.fstat(self._descriptor)
            if state.st_nlink == 0:
                raise JournalDeletedError("the journal was deleted")
            self._write(lines, state.st_size, sync=sync)
        except OSError as error:
            raise JournalWriteError(error.strerror or str(error)) from error
        return state.st_size + len(lines)

    def close(self) -> None:
        """Close the file and release its lock."""
        os.close(self._descriptor)

    def _write(self, lines: bytes, end: int, *, sync: bool) -> None:
        try:
            written = os.write(self._descriptor, lines)
            if sync and written == len(lines):
                system.sync(self._descriptor)
        except OSError:
            self._truncate_to = end
            self._finish_truncate()
            raise
        if written != len(lines):
            self._truncate_to = end
            self._finish_truncate()
            raise JournalWriteError(f"only {written} of {len(lines)} bytes could be written")

    def _finish_truncate(self) -> None:
        if self._truncate_to is not None:
            os.ftruncate(self._descriptor, self._truncate_to)
            self._truncate_to = None


def _lock(descriptor: int, path: Path, sleep: Sleep) -> int:
    """Lock the journal for writing; retry a few times, because a viewer that tests the lock holds it for an instant."""
    for attempt in range(_MAX_LOCK_RETRIES + 1):
        if attempt:
            sleep(_LOCK_RETRY_SECONDS)
        try:
            if system.try_lock(descriptor):
                return descriptor
        except OSError:
            os.close(descriptor)
            raise
    os.close(descriptor)
    raise JournalInUseError(path.stem)
