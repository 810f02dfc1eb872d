"""Copies of databases that cannot be read where they are, in a folder that only this user can enter."""

import errno
import os
import shutil
import stat
import tempfile
import threading
import weakref
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.sources.transcripts.files.private_folder import PrivateFolder

_PREFIX: Final = "seqthink-copy-"
_SPARE_BYTES: Final = 256 * 1024 * 1024
"""What a copy must leave free in the temporary folder."""
_CHUNK_BYTES: Final = 16 * 1024 * 1024
_BESIDE: Final = ("-wal", "-journal")


class FileState(NamedTuple):
    """Which file is at a path, and what can be seen of its content from outside."""

    device: int
    inode: int
    size: int
    modified: int


def own_file(path: Path) -> FileState | None:
    """Return the state of a regular file of this user; None if there is none, or it is a link."""
    try:
        status = os.lstat(path)  # called every few milliseconds
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(status.st_mode) or not system.is_own(status):
        return None
    return FileState(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file that SQLite keeps beside a database."""
    return path.with_name(path.name + suffix)


def database_state(path: Path) -> tuple[FileState | None, ...]:
    """Return the states of a database's file and its log: equal as long as nothing is written."""
    return own_file(path), own_file(beside(path, "-wal"))


class PrivateCopy:
    """A copy of a database as it was; its folder is removed with the object, or after a kill by the next copy.

    Raises:
        OSError: the database cannot be copied, or there is no room.
    """

    def __init__(self, original: Path) -> None:
        self.state = database_state(original)
        folder = PrivateFolder(Path(tempfile.gettempdir()), _PREFIX)
        self._remove = weakref.finalize(self, folder.close)
        self.path = folder.path / "copy.db"
        try:
            self._copy(original, folder.path)
        except OSError:
            self._remove()
            raise

    def _copy(self, original: Path, folder: Path) -> None:
        size = sum(state.size for state in self.state if state is not None)
        if shutil.disk_usage(folder).free < size + _SPARE_BYTES:
            raise OSError(errno.ENOSPC, "no room to copy the database", str(original))
        _copy_file(original, self.path)
        for suffix in _BESIDE:
            if own_file(beside(original, suffix)) is not None:
                _copy_file(beside(original, suffix), beside(self.path, suffix))


class PrivateCopies:
    """Keeps the newest copy of each database, so that many sessions of one are read from one copy. Thread-safe."""

    def __init__(self) -> None:
        self._copies: dict[Path, PrivateCopy] = {}
        self._lock = threading.Lock()

    def of(self, path: Path) -> PrivateCopy:
        """Return a copy of a database as it is now.

        Raises:
            OSError: it cannot be copied, or there is no room.
        """
        with self._lock:
            known = self._copies.get(path)
            if known is None or known.state != database_state(path):
                known = self._copies[path] = PrivateCopy(path)
            return known

    def forget(self, path: Path) -> None:
        """Keep no copy of a database any longer; one that is being read stays until then."""
        with self._lock:
            self._copies.pop(path, None)


def _copy_file(source: Path, target: Path) -> None:
    with os.fdopen(os.open(source, system.READ | system.NO_LINK), "rb") as original, target.open("xb") as copy:
        if not _copied_by_kernel(original.fileno(), copy.fileno()):
            shutil.copyfileobj(original, copy, _CHUNK_BYTES)


def _copied_by_kernel(source: int, target: int) -> bool:
    """Copy a file without its bytes passing through this process; return False if nothing was copied."""
    if not hasattr(os, "copy_file_range"):
        return False
    has_copied = False
    try:
        while os.copy_file_range(source, target, _CHUNK_BYTES):
            has_copied = True
    except OSError:
        if has_copied:
            raise
    return has_copied
