"""Hides from `seqthink` and `tui` what Windows' Python does not have; nothing else in the process notices.

Python runs this at its start when the folder is on `PYTHONPATH`, in child processes, too. The modules of the two
packages see other `os`, `select` and `signal`, cannot import what is POSIX's, and get a stand-in for `msvcrt` whose
locks are real, belong to an open file, and concern a range of bytes. They must open files as binary. No file that is
open in this process can be renamed or deleted.
"""

import errno
import fcntl
import os
import select
import signal
import struct
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from tests.support.hidden_names import ModuleWithout, install

MODULES = {"fcntl", "termios", "resource", "pwd", "grp", "tty", "pty", "readline", "curses", "syslog"}
NAMES = {
    "os": """
        O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK O_PATH O_SYNC O_TMPFILE WNOHANG chown copy_file_range
        ctermid fchdir fchmod fchown fork forkpty get_blocking getegid geteuid getgid getgroups getloadavg getpgid
        getpgrp getpriority getsid getuid killpg lchown lockf memfd_create mkfifo nice openpty pidfd_open pipe2
        posix_fadvise posix_fallocate posix_spawn posix_spawnp pread preadv pwrite pwritev readv register_at_fork
        sendfile set_blocking setpgid setsid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 wait4
        waitid writev
    """,
    "select": "PIPE_BUF epoll poll POLLERR POLLHUP POLLIN POLLNVAL POLLOUT POLLPRI POLLRDHUP",
    "signal": """
        ITIMER_REAL SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGUSR1
        SIGUSR2 SIGWINCH SIGXFSZ alarm pause pthread_kill pthread_sigmask setitimer siginterrupt sigwait
    """,
}
O_BINARY = 1 << 40
LK_UNLCK, LK_NBLCK = 0, 2
LOCK = struct.Struct("hhqqi4x")
OPEN_FILES = Path("/proc/self/fd")


def open_binary(path: str, flags: int, mode: int = 0o777) -> int:
    """Open a file as Windows does, where a file that is not opened as binary gets other newlines."""
    assert flags & O_BINARY, f"{path} is opened as text"
    return os.open(path, flags & ~O_BINARY, mode)


def kill(process: int, number: int) -> None:
    """Send a signal as Windows does, where the number that only asks on POSIX is the one of Ctrl-C."""
    assert number, f"process {process} is interrupted"
    os.kill(process, number)


def locking(descriptor: int, mode: int, size: int, /) -> None:
    """Lock or unlock ``size`` bytes from the position of an open file, as `msvcrt.locking` does."""
    start = os.lseek(descriptor, 0, os.SEEK_CUR)
    assert start + size <= 1 << 31, "the position has more than 31 bits"
    # Windows locks what is open for reading only, too; Linux does with a lock for readers, which keeps off writers.
    is_writable = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY
    kind = fcntl.F_UNLCK if mode == LK_UNLCK else fcntl.F_WRLCK if is_writable else fcntl.F_RDLCK
    try:
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, LOCK.pack(kind, os.SEEK_SET, start, size, 0))
    except OSError:
        raise PermissionError(errno.EACCES, "Permission denied") from None


def refuse_if_open(path: str) -> None:
    """Raise if this process has the file open: Windows renames and deletes no open file."""
    try:
        state = os.lstat(path)
    except (OSError, TypeError, ValueError):
        return
    for number in OPEN_FILES.iterdir():
        try:
            is_open = os.path.samestat(os.fstat(int(number.name)), state)
        except OSError:
            continue
        if is_open:
            raise PermissionError(errno.EACCES, "The process cannot access the file, because it is open", path)


def refusing(real: Callable[..., None], paths: int) -> Callable[..., None]:
    """Return a function of `os` that refuses open files among its first ``paths`` arguments."""

    def call(*arguments: str, **options: object) -> None:
        for path in arguments[:paths]:
            refuse_if_open(path)
        real(*arguments, **options)

    return call


msvcrt = ModuleType("msvcrt")
msvcrt.__dict__.update(LK_UNLCK=LK_UNLCK, LK_NBLCK=LK_NBLCK, locking=locking)
SEEN = {
    "os": ModuleWithout(os, NAMES["os"], O_BINARY=O_BINARY, open=open_binary, kill=kill),
    "select": ModuleWithout(select, NAMES["select"]),
    "signal": ModuleWithout(signal, NAMES["signal"]),
    "msvcrt": msvcrt,
}
if OPEN_FILES.is_dir():
    os.unlink, os.remove = refusing(os.unlink, 1), refusing(os.remove, 1)
    os.rename, os.replace = refusing(os.rename, 2), refusing(os.replace, 2)
install(SEEN, MODULES)
