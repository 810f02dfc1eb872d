"""The private folder of what viewers keep."""

import os
import stat
from pathlib import Path

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.journal.folder import make_private_folder

FILE_MODE = 0o600
LIST_PREFIX = "list-"
"""How the names of the files of lists begin, which are deleted together."""
_NEW_SUFFIX = ".new"
_FLAGS = system.OPEN | system.NO_LINK | system.NO_WAIT


def viewer_folder(home: Path) -> Path:
    """Return the folder of what viewers keep in ``home`` (see `seqthink.journal.folder.seqthink_home`)."""
    return home / "viewer"


def open_private(path: Path, flags: int) -> int:
    """Open a file of the folder and return its descriptor; a file that is created gets mode 0600, its folder 0700.

    Raises:
        UsageError: it is a link, or no regular file of our own user.
        OSError: it cannot be opened.
    """
    if flags & os.O_CREAT:
        make_private_folder(path.parent)
    descriptor = os.open(path, flags | _FLAGS, FILE_MODE)
    state = os.fstat(descriptor)
    if stat.S_ISREG(state.st_mode) and system.is_own(state):
        return descriptor
    os.close(descriptor)
    raise UsageError(f"{path} is not a file of your own; move it away")


def replace_private(path: Path, data: bytes) -> None:
    """Write a file of the folder at once, in place of what was there.

    Raises:
        OSError: it cannot be written.
        UsageError: there is something else in its place.
    """
    new_path = path.with_suffix(f".{os.getpid()}{_NEW_SUFFIX}")
    new_path.unlink(missing_ok=True)
    descriptor = open_private(new_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        new_path.replace(path)
    except OSError:
        new_path.unlink(missing_ok=True)
        raise
