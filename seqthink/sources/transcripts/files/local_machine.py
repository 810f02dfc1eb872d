"""What Linux says about the processes and file systems of this machine; other systems say nothing."""

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink.core import system

PROC: Final = Path("/proc")
_ALL_PROCESSES: Final = "pid:[4026531836]"
"""The namespace of processes in which those of all others are seen: in a container not all are."""
_MAX_ARGUMENT_BYTES: Final = 64 << 10
_SHARED_TYPES: Final = ("nfs", "cifs", "smb", "9p", "fuse", "virtiofs")
"""File systems that another machine may write."""


def sees_all_processes() -> bool:
    """Return whether every process of this machine is seen from here."""
    with suppress(OSError):
        return os.readlink(PROC / "self/ns/pid") == _ALL_PROCESSES  # noqa: PTH115 - no path
    return False


def is_of_this_machine(mounts: Iterable[str], device: int) -> bool:
    """Return whether only this machine can write a device's files, by the lines of the mounted file systems.

    Some file systems give each part of theirs a number of its own, which the list of locks does not use: of these it is
    not known.
    """
    name = f"{os.major(device)}:{os.minor(device)}"
    types = [line.rpartition(" - ")[2] for line in mounts if line.split()[2] == name]
    return bool(types) and not any(kind.startswith(_SHARED_TYPES) for kind in types)


def started_at(process: int) -> int | None:
    """Return when a process began, in microseconds since 1970; None if it has ended, or the system does not say."""
    ticks = system.process_start(process)
    with suppress(OSError, ValueError, IndexError):
        since_boot = float(proc_lines("uptime")[0].split()[0])
        if ticks is not None:
            age = since_boot - int(ticks) / os.sysconf("SC_CLK_TCK")
            return time.time_ns() // 1000 - int(age * 1_000_000)
    return None


def all_processes() -> Iterator[int]:
    """Yield the processes of any user."""
    with suppress(OSError), os.scandir(PROC) as entries:
        yield from (int(entry.name) for entry in entries if entry.name.isdecimal())


def processes_named(name: str) -> Iterator[int]:
    """Yield the processes, of any user, whose program's name begins so."""
    for process in all_processes():
        with suppress(OSError):
            if (PROC / str(process) / "comm").read_text("utf-8", "replace").startswith(name):
                yield process


def environment_of(process: int) -> dict[str, str] | None:
    """Return the variables that a process began with; None if it has ended, is another user's, or in a container."""
    with suppress(OSError):
        if os.readlink(PROC / str(process) / "ns/mnt") == os.readlink(PROC / "self/ns/mnt"):  # noqa: PTH115 - no path
            pairs = os.fsdecode((PROC / str(process) / "environ").read_bytes()).split("\0")
            return {name: value for name, _, value in (pair.partition("=") for pair in pairs)}
    return None


def may_write_our_files(process: int) -> bool:
    """Return whether a process is this user's, or root's."""
    with suppress(OSError):
        return os.stat(f"{PROC}/{process}").st_uid in {0, os.geteuid()}  # noqa: PTH116 - hundreds at a time
    return False


def command_line(process: int) -> list[str]:
    """Return a process's arguments, its program first, of any user; empty if it has ended."""
    with suppress(OSError):
        descriptor = os.open(f"{PROC}/{process}/cmdline", system.READ)
        try:
            return os.read(descriptor, _MAX_ARGUMENT_BYTES).decode("utf-8", "replace").split("\0")[:-1]
        finally:
            os.close(descriptor)
    return []


def working_folder_of(process: int) -> str | None:
    """Return the folder that a process works in; None if it has ended, or is another user's."""
    with suppress(OSError):
        return os.readlink(PROC / str(process) / "cwd")  # noqa: PTH115 - as text
    return None


def written_files(name: str) -> set[tuple[int, int]]:
    """Return device and inode of the files whose names begin so and that a process of this user may write now."""
    found: set[tuple[int, int]] = set()
    for process in all_processes():
        for descriptor in _descriptors(process, name):
            with suppress(OSError, ValueError, IndexError):  # closed meanwhile
                status = descriptor.stat()
                if open_mode(descriptor) != os.O_RDONLY:
                    found.add((status.st_dev, status.st_ino))
    return found


def open_mode(descriptor: Path) -> int:
    """Return whether a descriptor below ``/proc`` reads, writes or both, as `os.open` takes it.

    Raises:
        OSError: it was closed.
    """
    info = (descriptor.parent.parent / "fdinfo" / descriptor.name).read_text("ascii")
    return int(info.partition("flags:")[2].split()[0], 8) & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)


def children_of(process: int) -> Iterator[int]:
    """Yield the processes that a process has started."""
    return (child for child in all_processes() if parent_of(child) == process)


def parent_of(process: int) -> int | None:
    """Return which process started another one; None if that has ended."""
    with suppress(OSError, ValueError, IndexError):
        # The program's name may hold spaces and brackets.
        return int((PROC / str(process) / "stat").read_bytes().rpartition(b") ")[2].split()[1])
    return None


def open_files(process: int, name: str) -> set[tuple[int, int]] | None:
    """Return device and inode of the files that a process has open and whose names begin so.

    None if it has ended, or is another user's.
    """
    if not os.access(PROC / str(process) / "fd", os.R_OK | os.X_OK):
        return None
    found: set[tuple[int, int]] = set()
    for descriptor in _descriptors(process, name):
        with suppress(OSError):  # closed meanwhile
            status = descriptor.stat()
            found.add((status.st_dev, status.st_ino))
    return found


def _descriptors(process: int, name: str) -> Iterator[Path]:
    """Yield the descriptors of a process whose files' names begin so; none of another user's process."""
    with suppress(OSError):
        for descriptor in (PROC / str(process) / "fd").iterdir():
            with suppress(OSError):  # closed meanwhile
                if os.readlink(descriptor).rpartition("/")[2].startswith(name):  # noqa: PTH115 - may be no path
                    yield descriptor


def proc_lines(name: str) -> list[str]:
    """Return the lines of a file of ``/proc``.

    Raises:
        OSError: there is no such file.
    """
    return (PROC / name).read_text("utf-8", "replace").splitlines()
