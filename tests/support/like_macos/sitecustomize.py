"""Shows `seqthink` and `tui` a Linux that answers as macOS does where the two differ.

Python runs this at its start when the folder is on `PYTHONPATH`, in child processes, too. What differs is from reports
of other projects (the null device, groups of ended processes, limits of memory) and from Python's documentation; reads
of more than 2 GiB, and what is at the end of a file, from memory. None of it was tried on a Mac.
"""

import errno
import fcntl
import os
import resource
import select
import selectors
import signal
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from typing_extensions import override

from tests.support.hidden_names import ModuleWithout, install

if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

HIDDEN = {
    "os": """
        O_PATH O_TMPFILE copy_file_range eventfd fallocate getrandom memfd_create pidfd_open pipe2 posix_fadvise
        posix_fallocate sched_getaffinity sched_setaffinity splice waitid
    """,
    "select": "EPOLLIN POLLRDHUP epoll",
    "signal": "SIGPWR SIGRTMAX SIGRTMIN SIGSTKFLT pidfd_send_signal sigtimedwait sigwaitinfo",
    "resource": "RLIMIT_MSGQUEUE RLIMIT_NICE RLIMIT_SIGPENDING prlimit",
    "fcntl": "F_OFD_GETLK F_OFD_SETLK F_OFD_SETLKW F_SETPIPE_SZ",
    "sys": "",
}
PIPE_BUF = 512
MAX_READ_BYTES = (1 << 31) - 1
F_FULLFSYNC = 51


def is_special(descriptor: int) -> bool:
    """Return whether macOS can wait for a descriptor with neither `poll` nor `kqueue`, as for the null device."""
    return stat.S_ISCHR(os.fstat(descriptor).st_mode) and not os.isatty(descriptor)


class MacPoll:
    """A poll that calls a device invalid."""

    def __init__(self) -> None:
        self.real = select.poll()
        self.special: set[int] = set()

    def register(self, descriptor: int, events: int) -> None:
        if is_special(descriptor):
            self.special.add(descriptor)
        else:
            self.real.register(descriptor, events)

    def poll(self, milliseconds: float | None = None) -> list[tuple[int, int]]:
        invalid = [(descriptor, select.POLLNVAL) for descriptor in sorted(self.special)]
        return invalid + self.real.poll(0 if invalid else milliseconds)


class Kqueue(selectors.PollSelector):
    """A selector that refuses a device, and never finds anything to read at the end of a file."""

    @override
    def register(self, fileobj: "FileDescriptorLike", events: int, data: object = None) -> selectors.SelectorKey:
        descriptor = fileobj if isinstance(fileobj, int) else fileobj.fileno()
        if is_special(descriptor):
            raise OSError(errno.EINVAL, "Invalid argument")
        return super().register(fileobj, events, data)

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        while True:
            ready = super().select(timeout)
            left = [one for one in ready if not is_at_end(one[0].fd)]
            if left or not ready:
                return left
            signal.pause()  # what would never be ready is all that there is


def is_at_end(descriptor: int) -> bool:
    """Return whether a descriptor is a regular file that has been read to its end."""
    status = os.fstat(descriptor)
    return stat.S_ISREG(status.st_mode) and os.lseek(descriptor, 0, os.SEEK_CUR) >= status.st_size


def open_file(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
    """Open a file where there is no `/proc` and no file system in memory."""
    if is_linux_s(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return os.open(path, flags, mode, dir_fd=dir_fd)


def access(path: str, mode: int) -> bool:
    """Ask whether a path can be used where there is no file system in memory."""
    return not is_linux_s(path) and os.access(path, mode)


def is_linux_s(path: object) -> bool:
    """Return whether a path is in a folder that only Linux has."""
    return str(path).startswith(("/proc/", "/dev/shm"))


def pread(descriptor: int, length: int, offset: int, /) -> bytes:
    """Read by position; more than fits into 31 bits is refused."""
    if length > MAX_READ_BYTES:
        raise OSError(errno.EINVAL, "Invalid argument")
    return os.pread(descriptor, length, offset)


def killpg(group: int, number: int) -> None:
    """Signal a process group; one whose processes have all ended, but were not waited for, is refused."""
    states: list[str] = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            status = (process / "stat").read_text("utf-8", "replace")
        except OSError:
            continue
        state, _parent, its_group, *_ = status.rpartition(") ")[2].split()
        if int(its_group) == group:
            states.append(state)
    if states and set(states) <= {"Z", "X"}:
        raise PermissionError(errno.EPERM, "Operation not permitted")
    os.killpg(group, number)


def setrlimit(kind: int, limits: Sequence[int]) -> None:
    """Set a limit; less room for addresses than a process has at its start is refused."""
    if kind == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    resource.setrlimit(kind, (limits[0], limits[1]))


def control(descriptor: int, command: int, argument: int = 0) -> int:
    """Call `fcntl`, which here can sync a file beyond the drive's memory."""
    if command == F_FULLFSYNC:
        os.fsync(descriptor)
        return 0
    return fcntl.fcntl(descriptor, command, argument)


selectors.DefaultSelector = Kqueue
OTHERS: dict[str, dict[str, object]] = {
    "os": {"open": open_file, "access": access, "pread": pread, "killpg": killpg},
    "select": {"poll": MacPoll, "PIPE_BUF": PIPE_BUF},
    "resource": {"setrlimit": setrlimit},
    "fcntl": {"fcntl": control, "F_FULLFSYNC": F_FULLFSYNC},
    "sys": {"platform": "darwin"},
}
REAL = {"os": os, "select": select, "signal": signal, "resource": resource, "fcntl": fcntl, "sys": sys}
install({name: ModuleWithout(real, HIDDEN[name], **OTHERS.get(name, {})) for name, real in REAL.items()})
