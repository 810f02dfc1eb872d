"""Watches one folder with inotify: the kernel reports changes at once, without polling. Linux only.

``watchfiles`` sleeps and looks: it cannot be both rarely awake and quick (docs/architecture.md, "Decisions").
"""

import ctypes
import errno
import os
import struct
import weakref
from pathlib import Path

_MODIFY, _MOVED_FROM, _MOVED_TO, _CREATE, _DELETE = 0x2, 0x40, 0x80, 0x100, 0x200
_DELETE_SELF, _MOVE_SELF, _UNMOUNT, _OVERFLOW, _IGNORED = 0x400, 0x800, 0x2000, 0x4000, 0x8000
_ONLYDIR = 0x01000000
_WATCHED = _MODIFY | _MOVED_FROM | _MOVED_TO | _CREATE | _DELETE | _DELETE_SELF | _MOVE_SELF | _ONLYDIR
_FOLDER_LOST = _DELETE_SELF | _MOVE_SELF | _UNMOUNT | _IGNORED
_EVENT = struct.Struct("iIII")
_READ_BYTES = 64 << 10
"""Bytes of reports read at a time."""


class FolderWatch:
    """Reports which names in a folder have changed; ``fd`` becomes readable when there is something to report."""

    def __init__(self, folder: Path) -> None:
        """Start watching; changes from now on are reported.

        Raises:
            OSError: the folder does not exist, or the system has no watches left.
        """
        libc = ctypes.CDLL(None, use_errno=True)
        self.fd = _checked(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self._finalizer = weakref.finalize(self, os.close, self.fd)
        try:
            _checked(libc.inotify_add_watch(self.fd, os.fsencode(folder), _WATCHED))
        except OSError:
            self.close()
            raise

    def changed_names(self) -> set[str]:
        """Return the names that changed since the last call; ``""`` means that any name may have.

        Raises:
            OSError: the folder was deleted, moved or unmounted.
        """
        try:
            data = os.read(self.fd, _READ_BYTES)
        except BlockingIOError:
            return set()
        names: set[str] = set()
        position = 0
        while position < len(data):
            _, mask, _, length = _EVENT.unpack_from(data, position)
            position += _EVENT.size
            if mask & _FOLDER_LOST:
                raise OSError(errno.ENOENT, "the folder is gone")
            name = data[position : position + length].rstrip(b"\0")
            names.add("" if mask & _OVERFLOW else os.fsdecode(name))
            position += length
        return names

    def close(self) -> None:
        """Stop watching. Calling it again does nothing."""
        self._finalizer()


def _checked(result: int) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
