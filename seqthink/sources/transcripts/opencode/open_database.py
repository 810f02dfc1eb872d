"""Finds which programs may still write a database, by the locks that Linux lists.

A program that has a database in WAL mode open holds a lock on a byte of its ``-shm``, and loses it when it ends,
however it ends. The list is read, and no lock is tried: a process that closes the ``-shm`` would lose SQLite's own
locks on it.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.files.local_machine import (
    PROC,
    is_of_this_machine,
    open_mode,
    proc_lines,
    sees_all_processes,
)
from seqthink.sources.transcripts.opencode.private_copy import FileState, own_file

_OPEN_BYTE: Final = 128


def holders_of(shared_memory: Path) -> list[int] | None:
    """Return the other processes that can write the database of this ``-shm`` now; None if that is not certain."""
    file = own_file(shared_memory)
    if file is None:
        return None
    with suppress(OSError, ValueError, IndexError):
        if sees_all_processes() and is_of_this_machine(proc_lines("self/mountinfo"), file.device):
            holders = set(holders_in(proc_lines("locks"), file)) - {os.getpid()}
            return sorted(process for process in holders if not _only_reads(process, file))
    return None


def works_in(process: int, folder: str) -> bool:
    """Return whether a folder is the working folder of a process."""
    with suppress(OSError):
        return os.readlink(PROC / str(process) / "cwd") == os.path.realpath(folder)  # noqa: PTH115 - no path
    return False


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
    for descriptor in (PROC / str(process) / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            status = descriptor.stat()
            if (status.st_dev, status.st_ino) == (file.device, file.inode):
                modes.add(open_mode(descriptor))
    return modes == {os.O_RDONLY}
