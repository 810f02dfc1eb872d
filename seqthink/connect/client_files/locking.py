"""One seqthink at a time edits clients' files, and records which files it has just written completely."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from seqthink.connect.client_files.reading import FileStamp
from seqthink.core.errors import ClientFileError
from seqthink.core.system import OPEN, lock, try_lock
from seqthink.journal.folder import make_private_folder, seqthink_home

_PRIVATE_MODE: Final = 0o600
_LOCK: Final = "clients.lock"
_KEPT: Final = 64
"""Our last writes that are remembered; more than are made within the time in which a file counts as fresh."""
_MAX_RECORD_BYTES: Final = _KEPT * 128


class OwnWrites:
    """The files that seqthink has written last, by their stamps: they are whole however fresh they are."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def __contains__(self, stamp: FileStamp) -> bool:
        return self._line(stamp) in self._lines()

    def add(self, target: Path) -> None:
        """Remember that ``target`` is written whole; only under `exclusive_lock`."""
        if self._path is None:
            return
        with suppress(OSError):  # without the record the next reader waits a moment
            line = self._line(FileStamp.of(target.stat()))
            record = b"".join(kept + b"\n" for kept in [*self._lines(), line][-_KEPT:])
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | OPEN, _PRIVATE_MODE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(record)

    def _line(self, stamp: FileStamp) -> bytes:
        return " ".join(map(str, stamp)).encode()

    def _lines(self) -> list[bytes]:
        """Return the record; a line of it that is being written matches no stamp."""
        if self._path is None:
            return []
        try:
            with self._path.open("rb") as file:
                return file.read(_MAX_RECORD_BYTES).splitlines()
        except OSError:
            return []


def own_writes(environ: Mapping[str, str]) -> OwnWrites:
    """Return the record of what seqthink has written last; an empty one where there is no folder for it."""
    try:
        return _record_in(seqthink_home(environ))
    except RuntimeError:
        return OwnWrites(None)


@contextmanager
def exclusive_lock(environ: Mapping[str, str]) -> Generator[OwnWrites]:
    """Wait until no other seqthink edits a client's file, and keep all others from it meanwhile.

    Yields:
        the record into which each file goes that is written.

    Raises:
        ClientFileError: there is no folder for the lock.
        OSError: the lock cannot be had.
    """
    try:
        folder = seqthink_home(environ)
    except RuntimeError:
        raise ClientFileError("the folder of seqthink is not known; set HOME or SEQTHINK_HOME") from None
    make_private_folder(folder)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | OPEN, _PRIVATE_MODE)
    try:
        lock(descriptor)
        yield _record_in(folder)
    finally:
        os.close(descriptor)


@contextmanager
def nobody_writes(environ: Mapping[str, str]) -> Generator[bool]:
    """Yield whether no seqthink edits a client's file, and keep all from it meanwhile; no folder is made for that.

    Raises:
        OSError: the system cannot say it.
    """
    try:
        path = seqthink_home(environ) / _LOCK
    except RuntimeError:
        yield False
        return
    descriptor = os.open(path, os.O_RDWR | OPEN)
    try:
        yield try_lock(descriptor)
    finally:
        os.close(descriptor)


def _record_in(folder: Path) -> OwnWrites:
    return OwnWrites(folder / "clients.written")
