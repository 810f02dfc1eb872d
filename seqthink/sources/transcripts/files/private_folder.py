"""A private folder for files that go with the process: removed at its end, or by the next process if it was killed."""

import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink.core import system

_LOCK_NAME: Final = "lock"
_PRIVATE_MODE: Final = 0o600


def memory_folder(environ: Mapping[str, str]) -> Path:
    """Return a folder in memory that only this user can read, or that keeps other users from each other's files."""
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    for candidate in (*([Path(runtime)] if runtime.startswith("/") else []), Path("/dev/shm")):
        if os.access(candidate, os.W_OK | os.X_OK) and candidate.is_dir():
            return candidate
    return Path(tempfile.gettempdir())


class PrivateFolder:
    """A new folder that only this user can enter. It holds a lock as long as it is in use.

    Args:
        base: the folder in which it is made. What killed processes of this user left there is removed first.
        prefix: how its name begins; it belongs to one kind of folder.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, base: Path, prefix: str) -> None:
        _sweep(base, prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=base))
        self._lock = -1
        try:
            # The lock is held before another process can find it: that one would take the folder for an abandoned one.
            # Where an open file cannot be renamed, it cannot be deleted either, and the other process lets go of it.
            name = f"{_LOCK_NAME}.new" if system.HAS_POSIX_FILES else _LOCK_NAME
            self._lock = os.open(self.path / name, os.O_RDWR | os.O_CREAT | os.O_EXCL | system.OPEN, _PRIVATE_MODE)
            system.lock(self._lock)
            if name != _LOCK_NAME:
                (self.path / name).rename(self.path / _LOCK_NAME)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Remove the folder. Calling it again does nothing."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self.path, ignore_errors=True)
        if not system.HAS_POSIX_FILES:
            with suppress(OSError):  # it is gone; else a reader has one of its files open, and the next process sweeps
                (self.path / _LOCK_NAME).touch()


def _sweep(base: Path, prefix: str) -> None:
    """Remove the folders that killed processes of this user left behind."""
    with suppress(OSError), os.scandir(base) as entries:
        for entry in entries:
            if not entry.name.startswith(prefix):
                continue
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and system.is_own(status) and _is_abandoned(Path(entry.path)):
                    shutil.rmtree(entry.path, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    """Whether no process holds the folder's lock any more."""
    descriptor = os.open(folder / _LOCK_NAME, os.O_RDWR | system.OPEN | system.NO_LINK)
    try:
        return system.try_lock(descriptor)
    finally:
        os.close(descriptor)
