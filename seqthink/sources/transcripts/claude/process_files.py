"""What the processes of Claude Code say of themselves: each keeps a small file in ``~/.claude/sessions``.

A process that was killed leaves its file behind, and its number may be another program's by now. Nothing in such a file
is trusted: it is the file of a session only if it names that session, and its process has to run.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from seqthink.core import system
from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.files.listing import list_files
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.json_fields import Fields, id_in, number_in, text_in
from seqthink.sources.transcripts.source import ClientProcess

_MAX_PROCESSES: Final = 200
_MAX_PROCESS_BYTES: Final = 1 << 14
_MAX_WAITS_FOR_CHARS: Final = 80
_OWN_DIALOG: Final = "dialog open"
"""What a process waits for whose user has opened a menu: the agent asks nothing."""


def process_of(folder: Path, session: str) -> ClientProcess:
    """Return what the processes in ``folder`` say of a session: one that runs, else one that was killed."""
    found = [_process(fields) for fields in _processes(folder) if fields.get("sessionId") == session]
    # The session of a process that was killed may have been resumed by another.
    return next((one for runs in (True, False) for one in found if one.is_running is runs), ClientProcess())


def waiting_sessions(folder: Path) -> dict[str, str]:
    """Return for each session that waits for its user what it waits for."""
    found: dict[str, str] = {}
    for fields in _processes(folder):
        session, process = id_in(fields, "sessionId"), _process(fields)
        if session and process.waits_for:
            found[session] = process.waits_for
    return found


def _processes(folder: Path) -> Iterator[Fields]:
    for file in list_files(folder, depth=0, wants_file=lambda name: name.endswith(".json"))[:_MAX_PROCESSES]:
        with suppress(OSError):
            yield decode_object(read_head(Path(file.path), _MAX_PROCESS_BYTES)) or {}


def _process(fields: Fields) -> ClientProcess:
    is_running = _is_running(fields)
    waits_for = text_in(fields, "waitingFor")[:_MAX_WAITS_FOR_CHARS]
    if not is_running or fields.get("status") != "waiting" or waits_for == _OWN_DIALOG:
        return ClientProcess(is_running=is_running)
    since = number_in(fields, "statusUpdatedAt") or 0
    return ClientProcess(is_running=True, waits_for=waits_for or "input", since=since * 1000)


def _is_running(fields: Fields) -> bool | None:
    pid = fields.get("pid")
    if not isinstance(pid, int) or isinstance(pid, bool) or not 0 < pid < 1 << 31:
        return None
    if _is_of_container(fields.get("pidDomain")):
        return None
    is_running = system.is_running(pid)
    return False if is_running and _is_reused(pid, fields.get("procStart")) else is_running


def _is_of_container(domain: object) -> bool:
    """Return whether process numbers mean others here: those of a container that shares this home folder."""
    _, separator, namespace = domain.rpartition(":pid:") if isinstance(domain, str) else ("", "", "")
    with suppress(OSError):
        return bool(separator) and os.readlink("/proc/self/ns/pid") != f"pid:{namespace}"  # noqa: PTH115 - no path
    return False


def _is_reused(pid: int, started: object) -> bool:
    """Return whether another program has this number by now: on Linux a file names when its process started."""
    now = system.process_start(pid)
    return now is not None and isinstance(started, str) and started.isdecimal() and started != now
