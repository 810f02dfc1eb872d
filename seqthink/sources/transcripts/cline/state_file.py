"""The file beside a session's document in which Cline CLI says what state the session is in, and which process has it.

A session that is resumed keeps the number of the process that began it. So a process that runs is the session's; one
that does not says nothing, unless no process of the client runs at all.
"""

from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.local_machine import all_processes, command_line, sees_all_processes, started_at
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.json_fields import Fields, number_in, object_in, text_in, time_in
from seqthink.sources.transcripts.source import ClientProcess

_MAX_STATE_BYTES: Final = 1 << 18
_PROGRAM: Final = "cline"
_AT_WORK: Final = frozenset({"running", "pending", ""})
_LATER: Final = 60_000_000
"""A process that began so much later than the session is another one, which has its number by now."""


class ClineState(NamedTuple):
    """What the client says of a session."""

    status: str = ""
    process: int = 0
    began: int = 0
    """When it began, in microseconds since 1970."""
    changed: int = 0
    """When the file was written last, in nanoseconds since 1970."""
    cwd: str = ""
    title: str = ""
    """The title; how the first prompt begins, unless the user gave another."""
    version: str = ""

    @property
    def is_at_work(self) -> bool:
        """Whether the client works on a prompt, or does not say."""
        return self.status in _AT_WORK


def read_state(document: Path) -> ClineState:
    """Return what is written beside a session's document; nothing if it is not there, or torn."""
    file = document.with_name(f"{document.name.partition('.')[0]}.json")
    try:
        changed = file.stat().st_mtime_ns
        fields = decode_object(read_head(file, _MAX_STATE_BYTES))
    except OSError:
        return ClineState()
    return _state(fields, changed) if fields is not None else ClineState()


def _state(fields: Fields, changed: int) -> ClineState:
    about = object_in(fields, "metadata")
    return ClineState(
        status=text_in(fields, "status"),
        process=number_in(fields, "pid") or 0,
        began=time_in(fields, "started_at") or 0,
        changed=changed,
        cwd=text_in(fields, "cwd"),
        title=text_in(about, "title"),
        version=text_in(object_in(about, "sessionHistoryOrigin"), "version"),
    )


def process_of(state: ClineState) -> ClientProcess:
    """Return whether the process of a session runs, as far as that is known."""
    if not 0 < state.process < 1 << 31:
        return ClientProcess()
    if system.is_running(state.process) and not _is_reused(state):
        return ClientProcess(is_running=True)
    return ClientProcess(is_running=None if _may_run() else False)


def _is_reused(state: ClineState) -> bool:
    begun = started_at(state.process)
    return begun is not None and state.began > 0 and begun > state.began + _LATER


def _may_run() -> bool:
    """Return whether a process of the client may run: one does, or not every process is seen."""
    if not sees_all_processes():
        return True
    return any(_PROGRAM in Path(word).name for process in all_processes() for word in command_line(process)[:2])
