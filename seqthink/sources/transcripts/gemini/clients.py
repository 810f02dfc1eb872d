"""The processes of Gemini CLI, as far as Linux shows them: which session each works on, and which commands it runs.

The client writes a call into its session when the call has ended, so while it runs a command its process is all that
says so. A command is run by a shell in a form of its own, which distinguishes it from other child processes: servers,
searches, and what the user runs with ``!``. The client keeps no file open. Its session is the only one of its project
that has changed since it began, or the newest of those that it began itself, by the log of what the user typed
(``logs.json``); in any other case that is not known.
"""

import os
import re
import threading
from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from seqthink.sources.transcripts.files.json_lines import bounded_id, decode_object, microseconds_of_text
from seqthink.sources.transcripts.files.listing import list_files
from seqthink.sources.transcripts.files.local_machine import (
    all_processes,
    command_line,
    environment_of,
    is_of_this_machine,
    may_write_our_files,
    parent_of,
    proc_lines,
    sees_all_processes,
    started_at,
    working_folder_of,
)
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.gemini.projects import working_folder
from seqthink.sources.transcripts.json_fields import id_in, objects_in, text_in, time_in

MAX_KNOWN_SECONDS: Final = 1.0
"""How long it counts which processes there are: looking through all of them takes milliseconds."""
MIN_PAUSES: Final = 20
"""It counts for at least this many times as long as it took, so that looking takes little of the time."""
CLOCK_DIFFERENCE: Final = 100_000
"""By how many microseconds the start of a process may be wrong."""
_COMMAND: Final = re.compile(
    r"_bgpids_file=[^\n]*\n\(\n[^\n]*jobs -p[^\n]*\n(?P<command>.*)\n\)\n__code=\$\?\nexit \$__code", re.DOTALL
)
"""How the client wraps a command that the model wants, for the shell."""
_INTERPRETERS: Final = ("node", "bun", "deno", "gemini")
_SCRIPTS: Final = frozenset({"gemini", "gemini.js"})
_PACKAGE: Final = "gemini-cli"
_ANY_NAME: Final = "gemini"
_NO_CLIENTS: Final = frozenset(
    (
        *("ash", "bash", "dash", "fish", "ksh", "sh", "zsh", "tmux", "screen", "ssh", "su", "sudo", "env", "timeout"),
        *("cat", "emacs", "git", "grep", "less", "nano", "nvim", "rg", "tail", "vi", "vim", "python", "seqthink", "uv"),
    )
)
"""Programs that are not a client, though one may be named in their arguments, as the command of a shell."""
_HEAD_BYTES: Final = 1 << 16
_SESSION_ID: Final = re.compile(rb'"sessionId"\s*:\s*"([\w.:-]{1,200})"')
_NO_NAME: Final = re.compile(r"[\d.]*$")
"""What follows a program's name: its version."""
_STARTED: Final = re.compile(rb'"startTime"\s*:\s*"([^"]{1,40})"')
_CLEARS: Final = (["/clear"], ["/new"])
"""What the user types to begin another session."""
_CLEAR_TIME: Final = 5_000_000
"""Within how many microseconds it begins then."""
_MAX_LOG_BYTES: Final = 4 << 20
_ANSWER: Final = re.compile(rb'"type"\s*:\s*"gemini"')


class RunningCommand(NamedTuple):
    """A command that a client runs."""

    process: int
    started: int
    """When it began, in microseconds since 1970."""
    text: str
    """What the model wants to be run."""


class _Client(NamedTuple):
    """A process of Gemini CLI."""

    started: int
    folder: str | None
    """Where it keeps its sessions; None if that is not known."""
    cwd: str | None
    """Where it works; None likewise."""
    commands: tuple[RunningCommand, ...]


class _Seen(NamedTuple):
    """What a look at all processes has shown."""

    clients: tuple[_Client, ...] = ()
    has_others: bool = False
    """Whether a process may be an unknown client, going by its name."""


class _Changed(NamedTuple):
    """A session that has changed."""

    began: int
    """When it began, in microseconds since 1970; 0 if that is not known."""
    changed: int
    """When it changed last, likewise."""


class _Project(NamedTuple):
    """The folders of a project."""

    folder: str
    """The client's own folder."""
    cwd: str
    """The working folder."""
    chats: Path


class Clients:
    """The processes of Gemini CLI, looked up once in a while for all sessions. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._seen = _Seen()

    def is_running(self, path: Path, session: str) -> bool | None:
        """Return whether a client works on the session in the file ``path``; None if that is not certain."""
        project = _project_of(path)
        if project is None:
            return None
        here, is_certain = self._in(project)
        if not here:
            return False if is_certain else None
        return True if self._of(project, session, here) is not None else None

    def commands(self, path: Path, session: str) -> tuple[RunningCommand, ...]:
        """Return the commands that are being run for the session in the file ``path``, as far as that is certain."""
        project = _project_of(path)
        here = self._in(project)[0] if project is not None else []
        # Most of the time nothing runs: then nobody has to know whose it would be.
        if project is None or not any(client.commands for client in here):
            return ()
        client = self._of(project, session, here)
        return client.commands if client is not None else ()

    def _in(self, project: _Project) -> tuple[list[_Client], bool]:
        """Return the clients that may work in a project, and whether there can be no others."""
        with self._lock:
            if monotonic() >= self._until:
                before = monotonic()
                self._seen = _look()
                took = monotonic() - before
                self._until = monotonic() + max(MAX_KNOWN_SECONDS, took * MIN_PAUSES)
            seen = self._seen
        here = [one for one in seen.clients if one.folder in {None, project.folder} and one.cwd in {None, project.cwd}]
        return here, not seen.has_others

    @staticmethod
    def _of(project: _Project, session: str, here: list[_Client]) -> _Client | None:
        """Return the client that works on a session: the only one there, for the only session that it can be."""
        if len(here) != 1 or here[0].folder is None or here[0].cwd is None:
            return None
        changed = _changed_since(project.chats, here[0].started)
        return here[0] if _newest_of_one_client(changed, project.chats.parent, here[0].started) == session else None


def _look() -> _Seen:
    ours = filter(may_write_our_files, all_processes())
    lines = {process: line for process in ours if (line := command_line(process))}
    wrapped = {process: text for process, line in lines.items() if (text := _command_in(line)) is not None}
    named = {process for process, line in lines.items() if process not in wrapped and _is_client(line)}
    # The client starts itself once more, with more memory; that one works.
    clients = named - {parent_of(process) for process in named}
    commands: dict[int | None, list[RunningCommand]] = {}
    for process, text in wrapped.items():
        if started := started_at(process):
            commands.setdefault(parent_of(process), []).append(RunningCommand(process, started, text))
    known = named | wrapped.keys()
    others = {process for process, line in lines.items() if process not in known and _is_named(line)}
    seen = [_looked_up(process, commands.get(process, ())) for process in sorted(clients)]
    has_others = any(process != os.getpid() and not _is_below(process, known) for process in others)
    return _Seen(tuple(one for one in seen if one is not None), has_others=has_others)


def _is_below(process: int, above: Set[int]) -> bool:
    """Return whether one of some processes has started another one, or what started that."""
    one = parent_of(process)
    while one and one not in above:
        one = parent_of(one)
    return bool(one)


def _command_in(line: list[str]) -> str | None:
    """Return the command of the model's that a shell runs for the client; None if this is none."""
    matched = _COMMAND.search(line[2]) if len(line) == 3 and line[1] == "-c" else None
    return matched["command"] if matched is not None else None


def _is_client(line: list[str]) -> bool:
    return _name_of(line).startswith(_INTERPRETERS) and any(
        one.rpartition("/")[2] in _SCRIPTS or _PACKAGE in one for one in line
    )


def _is_named(line: list[str]) -> bool:
    """Return whether a process may be a client that is started in some other way, as by an editor."""
    program = _NO_NAME.sub("", _name_of(line).lstrip("-"))
    return program not in _NO_CLIENTS and any(_ANY_NAME in one.lower() for one in line)


def _name_of(line: list[str]) -> str:
    """Return the name of a process's program, without its folder."""
    return line[0].rpartition("/")[2].partition(":")[0]


def _looked_up(process: int, commands: Iterable[RunningCommand]) -> _Client | None:
    started = started_at(process)
    if started is None:
        return None
    variables = environment_of(process) or {}
    home = variables.get("GEMINI_CLI_HOME") or variables.get("HOME", "")
    folder = os.path.realpath(f"{home}/.gemini") if Path(home).is_absolute() else None
    ordered = tuple(sorted(commands, key=lambda command: (command.started, command.process)))
    return _Client(started, folder, working_folder_of(process), ordered)


def _project_of(path: Path) -> _Project | None:
    """Return the project that a session's file belongs to; None if it is not where the client writes it."""
    chats = path.parent
    own = chats.parent.parent.parent
    if chats.name != "chats" or chats.parent.parent.name != "tmp":
        return None
    with suppress(OSError, ValueError, IndexError):
        device = path.lstat().st_dev
        if sees_all_processes() and is_of_this_machine(proc_lines("self/mountinfo"), device):
            cwd = working_folder(own, chats.parent.name)
            return _Project(os.path.realpath(own), os.path.realpath(cwd), chats) if cwd else None
    return None


def _changed_since(chats: Path, time: int) -> dict[str, _Changed]:
    """Return the sessions of a project that have changed since a time; the key "" is one that cannot be read.

    Those without an answer of the model are left out: a client begins one, and may go on with another.
    """
    found: dict[str, _Changed] = {}
    for file in list_files(chats, depth=0, wants_file=lambda name: name.startswith("session-")):
        if file.changed < time - CLOCK_DIFFERENCE:
            continue
        try:
            head = read_head(Path(file.path), _HEAD_BYTES)
        except OSError:
            head = b""
        matched = _SESSION_ID.search(head)
        if len(head) >= _HEAD_BYTES or _ANSWER.search(head) or matched is None:
            session = (bounded_id(matched[1].decode("utf-8", "replace")) or "") if matched else ""
            began = _STARTED.search(head)
            known = found.get(session, _Changed(0, 0))
            at = (microseconds_of_text(began[1].decode("ascii", "replace")) if began else None) or 0
            found[session] = _Changed(max(known.began, at), max(known.changed, file.changed))
    return found


def _newest_of_one_client(sessions: Mapping[str, _Changed], project: Path, time: int) -> str | None:
    """Return the session that a client works on, of those that have changed since it began; None if not known.

    Where there are several, one has to be that with which it began, and all others be begun by its user's ``/clear``.
    The log names the first one with all that the user types in that process.
    """
    if len(sessions) < 2:
        return next(iter(sessions), None)
    typed = _typed_since(project / "logs.json", time)
    own = {session for session, _, _ in typed}
    cleared = [at for _, at, text in typed if text.split(maxsplit=1)[:1] in _CLEARS]
    others = [one.began for name, one in sessions.items() if name not in own]
    if len(own) != 1 or not all(any(0 <= began - at <= _CLEAR_TIME for at in cleared) for began in others):
        return None
    newest = max(sessions, key=lambda name: sessions[name].changed)
    return newest if sessions[newest].began == max(one.began for one in sessions.values()) else None


def _typed_since(log: Path, time: int) -> list[tuple[str, int, str]]:
    """Return what users typed in a project since a time: the first session of the process, when, and what."""
    try:
        content = read_head(log, _MAX_LOG_BYTES)
    except OSError:
        return []
    entries = objects_in(decode_object(b'{"log":%b}' % content) or {}, "log")
    typed = [(id_in(one, "sessionId"), time_in(one, "timestamp") or 0, text_in(one, "message")) for one in entries]
    return [one for one in typed if one[1] >= time]
