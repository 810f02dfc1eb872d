"""Puts a new file in the place of another in one step, and back if that one was written at that very moment."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from seqthink.connect.client_files.leftovers import temporary_name, write_beside
from seqthink.connect.client_files.places import FilePlace
from seqthink.connect.client_files.reading import ChangedWhileReadError, ClientFile, FileStamp, read_client_file
from seqthink.core.errors import ClientFileError, UsageError
from seqthink.core.system import sync_folder

_PRIVATE_MODE: Final = 0o600
_SHARED_MODE: Final = 0o666
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})
"""What file systems say that have no hard links."""
_AT_FOLDER: Final = -100
"""linux/fcntl.h: AT_FDCWD."""
_EXCHANGE: Final = 2
"""linux/fs.h: RENAME_EXCHANGE."""


class FileChangedError(UsageError):
    """The file is not any more as it was when the plan was made: plan again."""


def check_unchanged(place: FilePlace, file: ClientFile) -> None:
    """Raise FileChangedError if the file is not as it was read."""
    try:
        now = read_client_file(place.path, place.roots)
    except (ClientFileError, ChangedWhileReadError) as error:
        raise FileChangedError(f"{place.shown}: {error}") from error
    if (now.target, now.data, now.state) != (file.target, file.data, file.state):
        raise _written_meanwhile(place)


def replace_file(place: FilePlace, file: ClientFile, data: bytes) -> None:
    """Put ``data`` in the place of ``file``, unless that has been written since it was read.

    Raises:
        FileChangedError: it has been; it is as it is now.
        OSError: it cannot be written; it is as it was.
    """
    target = file.target
    temporary = temporary_name(target)
    mode = _PRIVATE_MODE if file.exists or place.is_private else _SHARED_MODE
    try:
        write_beside(temporary, data, mode, lambda descriptor: _take_after(descriptor, file))
        check_unchanged(place, file)
        if file.exists:
            _put_over(temporary, file, place)
        else:
            _put_new(temporary, target, place)
    finally:
        temporary.unlink(missing_ok=True)
    _make_name_last(target)


def remove_file(place: FilePlace, file: ClientFile) -> None:
    """Delete ``file``, unless it has been written since it was read.

    Raises:
        FileChangedError: it has been; it is as it is now.
        OSError: it cannot be deleted.
    """
    check_unchanged(place, file)
    aside = temporary_name(file.target)
    file.target.rename(aside)
    if _stamp(aside) != file.state and not os.path.lexists(file.target):
        aside.rename(file.target)
        raise _written_meanwhile(place)
    aside.unlink()
    _make_name_last(file.target)


def _written_meanwhile(place: FilePlace) -> FileChangedError:
    return FileChangedError(f"{place.shown}: another program has written it meanwhile; try again")


def _take_after(descriptor: int, original: ClientFile) -> None:
    """Give a new file the group, the permissions and the attributes of the one whose place it takes."""
    if not original.exists or not hasattr(os, "fchmod"):
        return
    if os.fstat(descriptor).st_gid != original.group:
        with suppress(OSError):
            os.fchown(descriptor, -1, original.group)
    with suppress(OSError):
        _copy_attributes(original.target, descriptor)  # with lists of access rights, where the system keeps them so
    os.fchmod(descriptor, original.mode)


def _copy_attributes(original: Path, descriptor: int) -> None:
    if sys.platform == "linux":
        for name in os.listxattr(original):
            with suppress(OSError):  # one that this user may not set
                os.setxattr(descriptor, name, os.getxattr(original, name))


def _put_over(temporary: Path, file: ClientFile, place: FilePlace) -> None:
    """Give a new file the name of ``file``; undo it if another program has written that one in the last moment."""
    if not _exchange(temporary, file.target):
        temporary.replace(file.target)
    elif _stamp(temporary) != file.state:
        _exchange(temporary, file.target)
        raise _written_meanwhile(place)


def _put_new(temporary: Path, target: Path, place: FilePlace) -> None:
    """Give a new file its name, unless another program has created one meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise FileChangedError(f"{place.shown}: another program has created it meanwhile; try again") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        temporary.replace(target)


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two files in one step, and return whether it was done: Linux can, on most file systems."""
    rename = _linux_rename()
    return rename is not None and not rename(
        _AT_FOLDER, os.fsencode(one), _AT_FOLDER, os.fsencode(other), ctypes.c_uint(_EXCHANGE)
    )


@cache
def _linux_rename() -> Callable[..., int] | None:
    """Return the system's `renameat2`, which Python does not have; None where the system has none."""
    try:
        return ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):  # Windows wants the name of a library
        return None


def _stamp(path: Path) -> FileStamp:
    return FileStamp.of(path.lstat())


def _make_name_last(target: Path) -> None:
    """Make a new name last through a power cut, where the system can."""
    with suppress(OSError):
        sync_folder(target.parent)
