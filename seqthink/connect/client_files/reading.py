"""Reads a client's configuration file: only what is surely the user's own, whole, and of a sane size."""

import errno
import os
import stat
import time
from collections.abc import Callable, Container
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from seqthink.connect.clients.editing.errors import ConfigTextError
from seqthink.core.errors import ClientFileError, UsageError
from seqthink.core.system import READ, is_own

MAX_FILE_BYTES: Final = 64 << 20
"""Size of the largest file that is edited; Claude Code's own grows to some megabytes."""
READINGS: Final = 5
"""How often a file is read that its client may be writing at this moment."""
_FRESH_NS: Final = 500_000_000
_BEING_WRITTEN: Final = "another program is writing it at this moment; try again"

Answer = TypeVar("Answer")


class FileStamp(NamedTuple):
    """Shows whether a file has been written since."""

    inode: int
    size: int
    modified_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "FileStamp":
        """Return the state of a file."""
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


class ClientFile(NamedTuple):
    """A client's configuration file as it was read; empty if it does not exist."""

    target: Path
    """The file itself, all links followed."""
    data: bytes = b""
    state: FileStamp | None = None
    """None if it does not exist."""
    mode: int = 0
    """Its permissions."""
    group: int = -1
    """Its group; -1 if it does not exist."""
    names: int = 0
    """How many names it has, by hard links."""

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return self.state is not None

    def text(self) -> str:
        """Return what it says; a byte order mark stays.

        Raises:
            ClientFileError: it is not UTF-8.
        """
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            line = self.data.count(b"\n", 0, error.start) + 1
            raise ClientFileError(f"line {line} is not UTF-8; save the file as UTF-8") from None


class ChangedWhileReadError(UsageError):
    """The file was written while it was read."""


def read_client_file(path: Path, roots: tuple[Path, ...] = ()) -> ClientFile:
    """Return the file at ``path``, links followed; one that does not exist is empty.

    Args:
        path: the file.
        roots: the folders; it has to be in one of them, or anywhere if there are none.

    Raises:
        ClientFileError: it is not a regular file of this user, too large, leaves ``roots``, or cannot be read.
        ChangedWhileReadError: another program is writing it.
    """
    target = Path(os.path.realpath(path))
    if roots and not any(target.is_relative_to(root) for root in roots):
        raise ClientFileError(f"it leads to {target}, out of the folder that it belongs to; edit that file by hand")
    try:
        return _read(target)
    except FileNotFoundError:
        return ClientFile(target)
    except OSError as error:
        if error.errno == errno.ENOTDIR:
            raise ClientFileError("one of the folders on its path is a file; move that away") from error
        raise ClientFileError(f"it cannot be read: {reason_of(error)}") from error


def is_in_own_folder(target: Path) -> bool:
    """Return whether the folder in which a new file and its folders are to be made belongs to this user."""
    for folder in target.parents:
        try:
            return is_own(folder.stat())
        except FileNotFoundError:
            continue
        except OSError:
            return False
    return False


def read_settled(
    read: Callable[[], ClientFile],
    understand: Callable[[ClientFile], Answer],
    wait: Callable[[], None],
    own: Container[FileStamp] = (),
    now_ns: Callable[[], int] = time.time_ns,
) -> Answer:
    """Return what ``understand`` makes of a file; one that its client is just writing is read again a few times.

    The half of a TOML file may parse, and nothing at all does, too. So a file that was written a moment ago is believed
    only when it is still the same after another, or when seqthink has written it itself.

    Args:
        read: reads the file.
        understand: makes something of it; raises ConfigTextError where it is not whole.
        wait: waits a moment.
        own: what seqthink itself has written, completely and in one step.
        now_ns: the time, in nanoseconds since 1970, as in a file's status.

    Raises:
        ClientFileError: the file cannot be read.
        ConfigTextError: it does not parse even then.
        ChangedWhileReadError: it is still being written.
    """
    before: ClientFile | None = None
    for left in reversed(range(READINGS)):
        try:
            file = read()
            if file == before or not _is_fresh(file, own, now_ns()):
                return understand(file)
            before = file
        except (ChangedWhileReadError, ConfigTextError):
            if not left:
                raise
        if left:
            wait()
    raise ChangedWhileReadError(_BEING_WRITTEN)


def _is_fresh(file: ClientFile, own: Container[FileStamp], now_ns: int) -> bool:
    """Return whether another program has written a file so short a time ago that more may follow."""
    return file.state is not None and 0 <= now_ns - file.state.modified_ns < _FRESH_NS and file.state not in own


def reason_of(error: OSError) -> str:
    """Return what went wrong, in words."""
    return (error.strerror or str(error)).lower()


def _read(target: Path) -> ClientFile:
    before = os.lstat(target)
    _check_kind(before)
    descriptor = os.open(target, READ)
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        _check_kind(status)
        data = file.read(MAX_FILE_BYTES + 1)
        after = os.fstat(descriptor)
    if FileStamp.of(status) != FileStamp.of(after) or len(data) != after.st_size:
        raise ChangedWhileReadError(_BEING_WRITTEN)
    return ClientFile(target, data, FileStamp.of(after), stat.S_IMODE(after.st_mode), after.st_gid, after.st_nlink)


def _check_kind(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ClientFileError("it is a folder; move it away")
    if stat.S_ISLNK(status.st_mode):  # all links were followed, so this one leads back to itself
        raise ClientFileError("it is a link that leads in a circle; remove it")
    if not stat.S_ISREG(status.st_mode):
        raise ClientFileError("it is not a regular file; move it away")
    if not is_own(status):
        raise ClientFileError("it belongs to another user; edit it as that one")
    if status.st_size > MAX_FILE_BYTES:
        raise ClientFileError(f"it has {status.st_size >> 20} MiB; at most {MAX_FILE_BYTES >> 20} are edited")
