"""What OpenCode's processes note in their common log: which of them works on a session, and what it asks its user.

The database says neither. In the log each process has a name of its own, its run, which is not its process number: the
run is that of a process that began a short while before the run's first line. The log has existed since OpenCode 1.18,
and it only ever grows.
"""

import os
import re
import threading
from collections import deque
from collections.abc import Collection, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from seqthink.core import system
from seqthink.sources.transcripts.files.json_lines import microseconds_of_text
from seqthink.sources.transcripts.opencode.private_copy import FileState, own_file

MAX_LOG_BYTES: Final = 8 << 20
"""How much of a log is read, its end."""
MAX_START_SECONDS: Final = 120
"""A process has written its first line within this time, also on a machine that is very busy."""
MAX_REMEMBERED: Final = 2048
"""How many runs, sessions and requests are remembered, those noted last."""
_LINE: Final = re.compile(rb"timestamp=(\S{10,40}) level=\w+ run=(\w{1,40}) message=")
_WORK: Final = re.compile(rb"(?:loop|process) session\.id=(\w{1,200})\s")
_ASKED: Final = re.compile(rb"asking id=\w{1,200} permission=(\w{1,80})\s")
_FIRST: Final = b'"creating instance"'
"""What a process writes first."""
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class _Request(NamedTuple):
    """A permission that a process asked for."""

    run: str
    permission: str
    time: int
    """In microseconds since 1970."""


class ClientLog:
    """The log beside a database, read on as it grows. Any thread may call it."""

    def __init__(self, database: Path) -> None:
        self._path = database.parent / "log" / "opencode.log"
        self._lock = threading.Lock()
        self._begin(None)

    def run_of(self, sessions: Collection[str]) -> str | None:
        """Return which run worked last on one of these sessions; None if the log does not say."""
        with self._lock:
            self._look()
            return next((run for session, run in reversed(self._workers.items()) if session in sessions), None)

    def has_asked(self, run: str, permissions: Set[str], since: int) -> bool:
        """Return whether a run has asked for one of these permissions at a time, in microseconds, or after it."""
        with self._lock:
            self._look()
            asked = (one for one in self._requests if one.run == run and one.time >= since)
            return any(one.permission in permissions for one in asked)

    def has_beginning(self, run: str) -> bool:
        """Return whether it is known when a run began: a long log is read from its middle."""
        with self._lock:
            return self._first_lines.get(run) is not None

    def is_alive(self, run: str, starts: Sequence[int]) -> bool | None:
        """Return whether the process of a run is one of those that began at ``starts``; None if that is not certain.

        Each process has one run. So it is not alive if none began in time for the run's first line, and it is if no
        more runs began around that time than processes.
        """
        with self._lock:
            first = self._first_lines.get(run)
            firsts = [time for time in self._first_lines.values() if time is not None]
        if first is None:
            return None
        late = MAX_START_SECONDS * 1_000_000
        near = [start for start in starts if start <= first <= start + late]
        if not near:
            return False
        runs = [time for time in firsts if min(near) <= time <= max(near) + late]
        processes = [start for start in starts if min(near) <= start <= max(runs)]
        return True if len(runs) <= len(processes) else None

    def _begin(self, file: FileState | None) -> None:
        """Begin to read a log, the end of it if it is long."""
        self._file = None if file is None else (file.device, file.inode)
        self._offset = max(0, file.size - MAX_LOG_BYTES) if file is not None else 0
        self._is_whole = not self._offset
        # The time of each run's first line, as far as it is certain which one that is; the run that worked on each
        # session last; what was asked. What was noted last is last.
        self._first_lines: dict[str, int | None] = {}
        self._workers: dict[str, str] = {}
        self._requests: deque[_Request] = deque(maxlen=MAX_REMEMBERED)

    def _look(self) -> None:
        """Read what is new."""
        file = own_file(self._path)
        if file is None or (file.device, file.inode) != self._file or file.size < self._offset:
            self._begin(file)
        if file is None or file.size == self._offset:
            return
        with suppress(OSError):
            descriptor = os.open(self._path, system.READ | system.NO_LINK)
            try:
                data = system.pread(descriptor, file.size - self._offset, self._offset)
            finally:
                os.close(descriptor)
            whole = data[: data.rfind(b"\n") + 1]
            self._offset += len(whole)
            for line in whole.splitlines():
                self._note(line)

    def _note(self, line: bytes) -> None:
        head = _LINE.match(line)
        time = microseconds_of_text(head[1].decode("ascii", "replace")) if head is not None else None
        if head is None or time is None:
            return
        run, head_end = head[2].decode("ascii"), head.end()
        if run not in self._first_lines:
            is_first = self._is_whole or line.startswith(_FIRST, head_end)
            _remember(self._first_lines, run, time if is_first else None)
        if (worked := _WORK.match(line, head_end)) is not None:
            _remember(self._workers, worked[1].decode("ascii"), run)
        elif (asked := _ASKED.match(line, head_end)) is not None:
            self._requests.append(_Request(run, asked[1].decode("ascii"), time))


def _remember(known: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    """Put a value at the end of what is known, and forget what is too old."""
    known.pop(key, None)
    known[key] = value
    if len(known) > MAX_REMEMBERED:
        del known[next(iter(known))]
