"""What differs between operating systems: how files are opened, read, locked and synced, owners, polling, switches.

Only this module uses `fcntl` and `msvcrt`. What drives a terminal, a child process or a pipe may need more of POSIX;
tests/project/test_platforms.py lists those modules. This is part of the server's first answer, so it loads next to
nothing.
"""

import errno
import os
import select
from typing import TYPE_CHECKING, Any, Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
try:
    import msvcrt as _msvcrt
except ImportError:  # POSIX
    _msvcrt = None

if TYPE_CHECKING:  # not loaded before the first answer
    from collections.abc import Callable, Mapping
    from pathlib import Path

HAS_POSIX_FILES: Final = fcntl is not None
"""Whether an open file can be renamed and deleted, and a folder synced: on POSIX."""
HAS_POLL: Final = hasattr(select, "poll")
"""Whether any descriptor can be waited for, not only a socket: on POSIX."""

OPEN: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0) | getattr(os, "O_BINARY", 0)
"""For every `os.open`: other programs do not inherit the file, and no newline is translated."""
NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
"""A symbolic link is not followed, where the system can refuse that."""
NO_WAIT: Final = getattr(os, "O_NONBLOCK", 0)
"""A named pipe is opened without waiting for its other end."""
READ: Final = os.O_RDONLY | OPEN | NO_WAIT
"""For a file that is only read."""

_byte_locks: Any = _msvcrt  # its type is only known on Windows
_LOCK_START: Final = 0x7000_0000
"""Where the bytes begin that `msvcrt` locks. Nobody else can read a locked byte, so they are beyond the end of any
journal; the offset has to fit into 31 bits."""
_LOCK_BYTES: Final = 0x1_0000
"""A writer locks them all, a reader one of them, taken at random: readers do not meet, but a writer meets each."""
_LOCK_PAUSE_SECONDS: Final = 0.01
_BACKGROUND_NICENESS: Final = 5
"""How much later than others a process gets a core that they want, too: about a third of their share."""
_TAKEN: Final = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK, getattr(errno, "EDEADLOCK", errno.EDEADLK)})
"""What `msvcrt.locking` says when another has locked the bytes."""

if hasattr(os, "pread"):
    pread = os.pread
else:
    from _thread import allocate_lock

    _reading = allocate_lock()

    def pread(fd: int, length: int, offset: int, /) -> bytes:
        """Read as POSIX's `os.pread` does: the position in the file is afterwards what it was."""
        with _reading:
            position = os.lseek(fd, 0, os.SEEK_CUR)
            os.lseek(fd, offset, os.SEEK_SET)
            try:
                return os.read(fd, length)
            finally:
                os.lseek(fd, position, os.SEEK_SET)


def try_lock(descriptor: int) -> bool:
    """Lock an open file for writing until it is closed, without waiting; return False if another has locked it.

    A file must not be locked twice, and not after `try_shared_lock`.

    Raises:
        OSError: the system cannot lock this file.
    """
    if fcntl is None:
        return _lock_bytes(descriptor, _LOCK_START, _LOCK_BYTES)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def try_shared_lock(descriptor: int) -> bool:
    """Lock an open file against writers until it is closed, without waiting; return False if one has locked it.

    Readers that do this do not meet one another.

    Raises:
        OSError: the system cannot lock this file.
    """
    if fcntl is None:
        return _lock_bytes(descriptor, _LOCK_START + int.from_bytes(os.urandom(2), "big"), 1)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock(descriptor: int) -> None:
    """Lock an open file for writing until it is closed; wait while another has locked it.

    Raises:
        OSError: the system cannot lock this file.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    from time import sleep  # noqa: PLC0415, TID251 - Windows' own way to wait gives up after ten seconds

    while not try_lock(descriptor):
        sleep(_LOCK_PAUSE_SECONDS)


def unlock(descriptor: int) -> None:
    """Give back what `try_lock` has locked.

    Raises:
        OSError: it was not locked.
    """
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    else:
        _at(descriptor, _LOCK_START, "LK_UNLCK", _LOCK_BYTES)


def _lock_bytes(descriptor: int, start: int, size: int) -> bool:
    try:
        _at(descriptor, start, "LK_NBLCK", size)
    except OSError as error:
        if error.errno in _TAKEN:
            return False
        raise
    return True


def _at(descriptor: int, start: int, operation: str, size: int) -> None:
    """Lock or unlock ``size`` bytes from ``start``; the position in the file is afterwards what it was."""
    if _byte_locks is None:
        raise OSError(errno.ENOSYS, "there are no file locks")
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, start, os.SEEK_SET)
    try:
        _byte_locks.locking(descriptor, getattr(_byte_locks, operation), size)
    finally:
        os.lseek(descriptor, position, os.SEEK_SET)


def is_own(state: os.stat_result) -> bool:
    """Return whether a file belongs to the user of this process; on a system without owners, it does."""
    return not hasattr(os, "geteuid") or state.st_uid == os.geteuid()


def make_private(descriptor: int) -> None:
    """Let only its owner read and write an open file, independent of the umask; where there are no modes, do nothing.

    Raises:
        OSError: the file system refuses.
    """
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, 0o600)


def sync_folder(folder: "Path") -> None:
    """Sync the entries of ``folder`` to the disk, so that a new file survives a loss of power, where that is possible.

    Raises:
        OSError: the system refuses.
    """
    if not HAS_POSIX_FILES:
        return
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | OPEN)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync(descriptor: int) -> None:
    """Wait until what was written to an open file is on the disk, and not only in the drive's own memory.

    Raises:
        OSError: the system refuses.
    """
    full_sync = getattr(fcntl, "F_FULLFSYNC", None)  # macOS; `fsync` leaves the drive out there, says fsync(2)
    if fcntl is not None and full_sync is not None:
        try:
            fcntl.fcntl(descriptor, full_sync)
        except OSError:  # not on this file system
            pass
        else:
            return
    os.fsync(descriptor)


def is_running(process: int) -> bool | None:
    """Return whether there is a process with this number; None on Windows, where the question is an interrupt."""
    if fcntl is None:
        return None
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def process_start(process: int) -> str | None:
    """Return when a process started, in ticks since this machine did; None where the system does not report it.

    It distinguishes two processes that had the same number.
    """
    try:
        descriptor = os.open(f"/proc/{process}/stat", READ)
    except OSError:
        return None
    try:
        # The program's name may hold spaces and brackets.
        fields = os.read(descriptor, 4096).rpartition(b") ")[2].split()
    except OSError:  # it has ended
        return None
    finally:
        os.close(descriptor)
    return fields[19].decode("ascii", "replace") if len(fields) > 19 else None


def duplicate(descriptor: int) -> int:
    """Return another descriptor of the same file, above stdin, stdout and stderr, which other programs do not inherit.

    Raises:
        OSError: it is closed.
    """
    if fcntl is not None:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 3)
    copy = os.dup(descriptor)
    if copy > 2:
        return copy
    try:
        return duplicate(descriptor)
    finally:
        os.close(copy)


def give_back_memory() -> None:
    """Return to the system what the allocator holds and does not use, which after many imports is a lot; glibc only."""
    import ctypes  # noqa: PLC0415 - not for a server's first answer

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another C library
        return


def give_way() -> None:
    """Let other processes of this machine have a core first; nothing where the system has no such order."""
    if hasattr(os, "nice"):
        try:
            os.nice(_BACKGROUND_NICENESS)
        except OSError:  # a sandbox may forbid it
            return


def home_folder() -> "Path":
    """Return the user's home folder; where it is unknown, a path at which nothing can be.

    A user without an entry in the system's list and without HOME has none: in a container, for example.
    """
    from pathlib import Path  # noqa: PLC0415 - not for a server

    try:
        return Path.home()
    except RuntimeError:
        return Path(os.devnull, "home")


def host_name() -> str:
    """Return the name of this machine, as journals say it."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket  # noqa: PLC0415 - not on POSIX

    return socket.gethostname()


def person_name() -> str:
    """Return who uses this program here, as ``ada@laptop``."""
    import getpass  # noqa: PLC0415 - for those alone who write something

    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):
        user = "somebody"
    return f"{user}@{host_name()}"


_YES: Final = frozenset({"1", "true", "yes", "on"})
_NO: Final = frozenset({"0", "false", "no", "off", ""})


def read_switch(text: str) -> bool | None:
    """Return what a word in the environment means that turns something on or off; None: neither."""
    word = text.strip().lower()
    return True if word in _YES else False if word in _NO else None


def is_on(environ: "Mapping[str, str]", name: str, say: "Callable[[str], object]") -> bool:
    """Return whether a variable turns something on; ``say`` gets a line where its value is neither yes nor no."""
    text = environ.get(name, "")
    switch = read_switch(text)
    if switch is None:
        say(f"{name}: must be yes or no (1, true, on; 0, false, off), got {text[:40]!r}; it counts as no")
    return bool(switch)
