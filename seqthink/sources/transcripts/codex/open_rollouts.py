"""Whether a process of Codex works on a session, as far as Linux says: it has the rollouts of its threads open."""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.sources.transcripts.files.json_lines import decode_object, microseconds_of_text
from seqthink.sources.transcripts.files.local_machine import (
    children_of,
    environment_of,
    is_of_this_machine,
    open_files,
    proc_lines,
    processes_named,
    sees_all_processes,
    started_at,
    written_files,
)
from seqthink.sources.transcripts.json_fields import Fields, id_in, object_in

MAX_KNOWN_SECONDS: Final = 1.0
"""How long it counts which rollouts are open: looking through all processes takes milliseconds."""
MAX_SILENT_SECONDS: Final = 3600
"""How long a program that is not called Codex may write nothing into a rollout that it has open."""
_PROGRAM: Final = "codex"
_ROLLOUT: Final = "rollout-"
_CLOCK_DIFFERENCE: Final = 100_000
"""By how many microseconds the start of a process may be wrong."""
_TAIL_BYTES: Final = 64 << 10
_QUESTION: Final = b'"request_user_input"'
_WAITING: Final = (_QUESTION, b"require_escalated", b"with_escalated_permissions")

_File = tuple[int, int]
"""A file's device and inode."""


class _Process(NamedTuple):
    """A process of Codex."""

    folder: str | None
    """Where it keeps its sessions; None if that is not known."""
    rollouts: set[_File] | None
    """What it has open; None if it does not say."""


class OpenRollouts:
    """The rollouts that programs have open, looked up once in a while for all sessions. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._processes: list[_Process] = []
        self._written: set[_File] | None = None

    def has(self, rollout: Path, folder: Path) -> bool | None:
        """Return whether a process has a rollout in Codex's ``folder`` open; None if that is not certain.

        It is not where some Codex that may use the folder has no rollout open at all, since it may open one for each
        line only, or does not say which files it has open. What was found counts for ``MAX_KNOWN_SECONDS``.
        """
        with suppress(OSError, ValueError, IndexError), self._lock:
            status = rollout.lstat()
            if not sees_all_processes() or not is_of_this_machine(proc_lines("self/mountinfo"), status.st_dev):
                return None
            if monotonic() >= self._until:
                self._processes, self._written = list(map(_looked_up, processes_named(_PROGRAM))), None
                self._until = monotonic() + MAX_KNOWN_SECONDS
            file, own = (status.st_dev, status.st_ino), os.path.realpath(folder)
            opened = [one.rollouts for one in self._processes if one.folder in {None, own}]
            if any(file in files for files in opened if files is not None):
                return True
            return self._is_written(file, status.st_mtime) if all(opened) else None
        return None

    def _is_written(self, file: _File, changed: float) -> bool:
        """Return whether a program of another name, which has Codex in it, writes a file that changed not long ago."""
        if time() - changed > MAX_SILENT_SECONDS:
            return False
        if self._written is None:
            self._written = written_files(_ROLLOUT)
        return file in self._written


def _looked_up(process: int) -> _Process:
    variables = environment_of(process) or {}
    home = variables.get("HOME", "")
    folder = variables.get("CODEX_HOME") or (home and f"{home}/.codex")
    known = os.path.realpath(folder) if Path(folder).is_absolute() else None
    return _Process(known, open_files(process, _ROLLOUT))


def has_started_program(rollout: Path, since: int) -> bool | None:
    """Return whether the process that has a rollout open has started a program since a time; None if none is known."""
    with suppress(OSError):
        status = rollout.lstat()
        for process in processes_named(_PROGRAM) if sees_all_processes() else ():
            if (status.st_dev, status.st_ino) in (open_files(process, _ROLLOUT) or ()):
                starts = [started_at(child) or 0 for child in children_of(process)]
                return any(start >= since - _CLOCK_DIFFERENCE for start in starts)
    return None


def asking_rollouts(rollouts: Sequence[Path]) -> set[Path]:
    """Return those that end with something that the user is asked, and whose process of Codex runs."""
    opened: set[tuple[int, int]] = set()
    if rollouts and sees_all_processes():
        opened.update(*(open_files(one, _ROLLOUT) or () for one in processes_named(_PROGRAM)))
    return {rollout for rollout in rollouts if _is_among(rollout, opened) and _waits(rollout)}


def _is_among(rollout: Path, opened: set[tuple[int, int]]) -> bool:
    with suppress(OSError):
        if opened:
            status = rollout.lstat()
            return (status.st_dev, status.st_ino) in opened
    return False


def _waits(rollout: Path) -> bool:
    """Return whether a question, or a command for which Codex asks, is among the last lines and has no answer."""
    lines = _last_lines(rollout)
    place = max((place for place, line in enumerate(lines) if any(mark in line for mark in _WAITING)), default=-1)
    record: Fields = (decode_object(lines[place]) if place >= 0 else None) or {}
    call = id_in(object_in(record, "payload"), "call_id")
    if not call or any(call.encode() in line for line in lines[place + 1 :]):
        return False
    since = microseconds_of_text(record.get("timestamp"))
    return _QUESTION in lines[place] or (since is not None and has_started_program(rollout, since) is False)


def _last_lines(rollout: Path) -> list[bytes]:
    with suppress(OSError):
        descriptor = os.open(rollout, system.READ | system.NO_LINK)
        try:
            start = max(0, os.fstat(descriptor).st_size - _TAIL_BYTES)
            return system.pread(descriptor, _TAIL_BYTES, start).splitlines()
        finally:
            os.close(descriptor)
    return []
