"""A glance at the sessions of a folder that are live or changed lately: their newest lines, and who writes them.

For `seqthink status`, which has 40 ms for all: it lists the folder once, opens few files, and reads their ends.
Standard
library only.
"""

import os
import stat
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.journal.folder import SUFFIX, is_journal

MAX_FILES: Final = 64
"""How many journals are opened at most, besides those that the system says are locked: the ones changed last."""
TAIL_BYTES: Final = 8 << 10
"""Bytes of the first read from the end; each further one reads four times as many."""
MAX_TAIL_BYTES: Final = 1 << 20
HEAD_BYTES: Final = 4 << 10
_THOUGHT: Final = b'"type":"thought"'
_TYPE_ENDS: Final = 128
"""`v`, `seq`, `time` and `type` come first in every line (docs/journal.md, "Lines")."""


class Glance(NamedTuple):
    """The ends of one journal."""

    session: str
    """Id of the session, as the file is named."""
    head: bytes
    """Its first line; empty if that is too long."""
    lines: list[bytes]
    """Its newest complete lines, in their order."""
    is_written: bool | None
    """Whether a server holds its lock; None if that is unknown."""


def glances(folder: str, is_wanted: Callable[[str, float], bool], thoughts: int) -> Iterator[Glance]:
    """Yield a glance at each journal of ``folder`` that a server has locked, or that is wanted.

    Args:
        folder: the folder of the journals.
        is_wanted: returns whether to open a journal, by its session's id and when it changed last, in seconds since
            1970.
        thoughts: how many of the newest thoughts of a journal that is being written are wanted; of others it is one.

    Raises:
        OSError: the folder cannot be read.
    """
    locked = locked_inodes()
    recent: list[tuple[float, str]] = []
    live: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if not is_journal(entry.name):
                continue
            if entry.inode() in locked:
                live.append(entry.name)
                continue
            try:
                changed = entry.stat(follow_symlinks=False).st_mtime
            except OSError:
                continue
            if is_wanted(entry.name.removesuffix(SUFFIX), changed):
                recent.append((changed, entry.name))
    recent.sort(reverse=True)
    for name in (*live, *(name for _, name in recent[:MAX_FILES])):
        found = glance(os.path.join(folder, name), thoughts, system.NO_LINK)  # noqa: PTH118 - pathlib takes a third of the time there is
        if found is not None:
            yield found


def glance(path: str, thoughts: int, flags: int = 0, *, also_unlocked: bool = False) -> Glance | None:
    """Return a glance at one journal, opened with further ``flags``; None if it cannot be read.

    With ``also_unlocked`` as many thoughts are wanted though no server holds its lock, as that of a transcript.
    """
    try:
        descriptor = os.open(path, system.READ | flags)
    except OSError:
        return None
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            return None
        is_written = _is_locked(descriptor)
        lines = _newest_lines(descriptor, state.st_size, thoughts if is_written or also_unlocked else 1)
        head, newline, _ = system.pread(descriptor, HEAD_BYTES, 0).partition(b"\n")
    except OSError:
        return None
    finally:
        os.close(descriptor)
    session = os.path.basename(path).removesuffix(SUFFIX)  # noqa: PTH119 - as above
    return Glance(session, head if newline else b"", lines, is_written)


def locked_inodes() -> frozenset[int]:
    """Return the numbers of the files with locks, as far as the system lists them; their locks are tested anyway."""
    try:
        with open("/proc/locks", "rb") as file:  # noqa: PTH123 - as above
            fields = [line.split() for line in file]
    except OSError:
        return frozenset()
    places = [part for line in fields for part in line if part.count(b":") == 2]
    return frozenset(int(place.rpartition(b":")[2]) for place in places if place.rpartition(b":")[2].isdigit())


def _is_locked(descriptor: int) -> bool | None:
    try:
        return not system.try_shared_lock(descriptor)
    except OSError:
        return None


def _newest_lines(descriptor: int, size: int, thoughts: int) -> list[bytes]:
    """Return the newest complete lines, from this many thoughts before the end on if those are within the bounds."""
    want = TAIL_BYTES
    while True:
        start = max(0, size - want)
        lines = system.pread(descriptor, size - start, start).split(b"\n")[1 if start else 0 : -1]
        places = [place for place, line in enumerate(lines) if line.find(_THOUGHT, 0, _TYPE_ENDS) >= 0]
        if len(places) >= thoughts:
            return lines[places[-thoughts] :]
        if not start or want >= MAX_TAIL_BYTES:
            return lines
        want *= 4
