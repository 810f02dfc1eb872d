"""Tells which programs may still write a database, by the locks that Linux lists.

A program that has a database in WAL mode open holds a lock on a byte of its ``-shm``, and loses it when it ends,
however it ends. The list is read, and no lock is tried: a process that closes the ``-shm`` would lose SQLite's own
locks on it.
"""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink import system
from seqthink.transcripts.opencode.private_copy import FileState, own_file

_PROC: Final = Path("/proc")
_ALL_PROCESSES: Final = "pid:[4026531836]"
"""The namespace of processes in which those of all others are seen: in a container the list is not whole."""
_SHARED_TYPES: Final = ("nfs", "cifs", "smb", "9p", "fuse", "virtiofs")
"""File systems that another machine may write: its locks are not in the list."""
_OPEN_BYTE: Final = 128


def holders_of(shared_memory: Path) -> list[int] | None:
    """Return the other processes that can write the database of this ``-shm`` now; None if that is not certain."""
    file = own_file(shared_memory)
    if file is None:
        return None
    with suppress(OSError, ValueError, IndexError):
        is_whole = os.readlink(_PROC / "self/ns/pid") == _ALL_PROCESSES  # noqa: PTH115 - no path
        if is_whole and has_listed_locks(_lines("self/mountinfo"), file.device):
            holders = set(holders_in(_lines("locks"), file)) - {os.getpid()}
            return sorted(process for process in holders if not _only_reads(process, file))
    return None


def started_at(process: int) -> int | None:
    """Return when a process began, in microseconds since 1970; None if it has ended, or the system does not tell."""
    ticks = system.process_start(process)
    with suppress(OSError, ValueError, IndexError):
        since_boot = float(_lines("uptime")[0].split()[0])
        if ticks is not None:
            age = since_boot - int(ticks) / os.sysconf("SC_CLK_TCK")
            return time.time_ns() // 1000 - int(age * 1_000_000)
    return None


def works_in(process: int, folder: str) -> bool:
    """Return whether a folder is the working folder of a process."""
    with suppress(OSError):
        return os.readlink(_PROC / str(process) / "cwd") == os.path.realpath(folder)  # noqa: PTH115 - no path
    return False


def has_listed_locks(mounts: Iterable[str], device: int) -> bool:
    """Return whether locks on a device's files are listed by its number, by the lines of the mounted file systems.

    Some file systems give each part of theirs a number of its own, which the list of locks does not use.
    """
    name = f"{os.major(device)}:{os.minor(device)}"
    types = [line.rpartition(" - ")[2] for line in mounts if line.split()[2] == name]
    return bool(types) and not any(kind.startswith(_SHARED_TYPES) for kind in types)


def holders_in(locks: Iterable[str], file: FileState) -> Iterable[int]:
    """Yield the processes that have a database open, by the lines of the locks; -1 for one without a number."""
    name = f"{os.major(file.device):02x}:{os.minor(file.device):02x}:{file.inode}"
    for line in locks:
        fields = line.split()
        if len(fields) == 8 and fields[5] == name and _has_open_byte(*fields[6:]):
            yield int(fields[4]) if fields[4].isdecimal() else -1


def _has_open_byte(first: str, last: str) -> bool:
    return int(first) <= _OPEN_BYTE and (last == "EOF" or int(last) >= _OPEN_BYTE)


def _only_reads(process: int, file: FileState) -> bool:
    """Return whether a process cannot write the database, as another viewer: it has the ``-shm`` open for reading."""
    modes: set[int] = set()
    for descriptor in (_PROC / str(process) / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            status = descriptor.stat()
            if (status.st_dev, status.st_ino) == (file.device, file.inode):
                modes.add(_mode((_PROC / str(process) / "fdinfo" / descriptor.name).read_text("ascii")))
    return modes == {os.O_RDONLY}


def _mode(info: str) -> int:
    return int(info.partition("flags:")[2].split()[0], 8) & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)


def _lines(name: str) -> list[str]:
    return (_PROC / name).read_text("utf-8", "replace").splitlines()
