"""A journal's file and the right to write it: held by a lock, whole lines or nothing (journal.md, promises 1 to 3)."""

import errno
import fcntl
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from seqthink.errors import JournalInUseError, JournalWriteError

_CHUNK_BYTES = 1 << 18
_PRIVATE_MODE = 0o600
_MAX_LOCK_RETRIES = 10
_LOCK_RETRY_SECONDS = 0.02

Sleep = Callable[[float], None]


class JournalDeletedError(JournalWriteError):
    """The file was deleted: what is written to it now, nobody will read."""


class JournalExistsError(JournalWriteError):
    """There is a file of this name already: the session needs another id."""


class LockedJournal:
    """An open journal: appends whole lines, and leaves no trace of an append that failed."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pending_end: int | None = None  # where a partial line begins that could not be cut off yet

    @classmethod
    def create(cls, path: Path, pause: Sleep) -> "LockedJournal":
        """Make the journal at ``path`` and hold it.

        Raises:
            JournalTakenError: it is there already.
            JournalInUseError: another process holds it.
            OSError: it cannot be made.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            descriptor = os.open(path, flags, _PRIVATE_MODE)
        except FileExistsError as error:
            raise JournalExistsError(f"there is a journal {path.name} already") from error
        try:
            with suppress(OSError):  # a file system without modes refuses, and has none to care for
                os.fchmod(descriptor, _PRIVATE_MODE)  # whatever the umask took away
            return cls(_lock(descriptor, path, pause))
        except (JournalInUseError, OSError):
            path.unlink(missing_ok=True)  # it is made again at the next attempt
            raise

    @classmethod
    def open(cls, path: Path, pause: Sleep) -> "LockedJournal":
        """Open the journal at ``path`` to go on in it, and hold it.

        Raises:
            JournalInUseError: another process holds it.
            OSError: it cannot be opened, or is no regular file.
        """
        flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(path, flags)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return cls(_lock(descriptor, path, pause))

    @property
    def is_deleted(self) -> bool:
        """Whether no name leads to the file any more, as far as can be told."""
        try:
            return os.fstat(self._descriptor).st_nlink == 0
        except OSError:
            return False

    def chunks(self) -> Iterator[bytes]:
        """Return the file's bytes from its beginning, piece by piece."""
        offset = 0
        while chunk := os.pread(self._descriptor, _CHUNK_BYTES, offset):
            yield chunk
            offset += len(chunk)

    def truncate(self, end: int) -> int:
        """Cut off what lies behind ``end`` and return how many bytes that was.

        Raises:
            OSError: the system refuses.
        """
        behind = os.fstat(self._descriptor).st_size - end
        if behind > 0:
            os.ftruncate(self._descriptor, end)
        return behind

    def read(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes from ``offset`` on.

        Raises:
            OSError: the file cannot be read.
        """
        return os.pread(self._descriptor, size, offset)

    def append(self, lines: bytes, *, sync: bool) -> int:
        """Hand whole ``lines`` to the system in one write, with ``sync`` to the disk, and return where they end.

        Raises:
            JournalGoneError: the file was deleted; nothing was written.
            JournalWriteError: the system refused; nothing of it is left in the file.
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
        """Let go of the file and of the lock on it."""
        os.close(self._descriptor)

    def _write(self, lines: bytes, end: int, *, sync: bool) -> None:
        try:
            written = os.write(self._descriptor, lines)
            if sync and written == len(lines):
                os.fsync(self._descriptor)
        except OSError:
            self._pending_end = end
            self._finish_truncate()
            raise
        if written != len(lines):
            self._pending_end = end
            self._finish_truncate()
            raise JournalWriteError(f"only {written} of {len(lines)} bytes could be written")

    def _finish_truncate(self) -> None:
        if self._pending_end is not None:
            os.ftruncate(self._descriptor, self._pending_end)
            self._pending_end = None


def _lock(descriptor: int, path: Path, pause: Sleep) -> int:
    """Lock the journal for writing; a viewer's probe, which lets go at once, is waited out."""
    for attempt in range(_MAX_LOCK_RETRIES + 1):
        if attempt:
            pause(_LOCK_RETRY_SECONDS)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        except OSError:
            os.close(descriptor)
            raise
        return descriptor
    os.close(descriptor)
    raise JournalInUseError(path.stem)


def sync_folder(folder: Path) -> None:
    """Hand the names in ``folder`` to the disk, so that a new file survives a loss of power.

    Raises:
        OSError: the system refuses.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
