"""Each client: its entry, the server that it starts, and the folder that this server writes to."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from seqthink import __version__
from seqthink.connect.clients.entries import is_ours
from seqthink.connect.doctor.audit_checks import audit_checks
from seqthink.connect.doctor.client_entries import ClientEntries, EntryScope, FileProblem, NamedEntry
from seqthink.connect.doctor.client_habits import client_environment, environment_in_words, starts_in_current_folder
from seqthink.connect.doctor.client_switches import switch_checks
from seqthink.connect.doctor.command_checks import find_program
from seqthink.connect.doctor.fixes import shell_word, write_command
from seqthink.connect.doctor.probe_results import ProbeResult
from seqthink.connect.doctor.results import CheckGroup, CheckResult, right, unseen, warning, wrong
from seqthink.connect.doctor.server_checks import TriedEntry, server_checks
from seqthink.connect.doctor.server_commands import (
    EntryError,
    PlaceholderError,
    ServerCommand,
    filled_in,
    named_folder,
    read_entry,
)
from seqthink.connect.doctor.switches.client_switch import NamedServer
from seqthink.journal.folder import default_folder_name

_FOLDER_VARIABLES: Final = ("SEQTHINK_JOURNAL_DIR", "SEQTHINK_HOME", "XDG_STATE_HOME")
_WHERE: Final[Mapping[EntryScope, str]] = {
    "local": "the user's file, for this folder alone",
    "project": "the project's file",
    "user": "the user's file",
    "plugin": "a plugin",
}


class Surroundings(Struct, frozen=True):
    """What all checks of clients share."""

    environ: Mapping[str, str]
    """The environment of this shell."""
    program: Sequence[str]
    """The command of this program."""
    folder: Path | None
    """The folder in which the viewer looks; None if it is not known."""
    folder_option: str = ""
    """The folder that this command was given as an option."""
    seconds: float = 20
    """How long a server has for its answers."""
    starts_servers: bool = True


class Start(Struct, frozen=True):
    """How the server of an entry is started."""

    command: ServerCommand
    environment: Mapping[str, str]
    """The client's own, without the entry's variables."""


class Examination(Struct, frozen=True):
    """What the entry of a client says, and what is left to be tried."""

    entries: ClientEntries
    results: Sequence[CheckResult]
    start: Start | None = None
    """How the server is started; None if there is none to try."""

    @property
    def entry(self) -> NamedEntry | None:
        """The entry that counts."""
        return self.entries.ours[0] if self.entries.ours else None


def examine(entries: ClientEntries, around: Surroundings, *, is_named: bool) -> Examination:
    """Return what the files of a client say.

    Args:
        entries: what its files hold.
        around: what all checks share.
        is_named: whether the user asked for this client: then it is wrong that there is no entry.
    """
    client = entries.client.name
    problems = [_problem(problem, entries) for problem in entries.problems]
    if not entries.ours:
        return Examination(entries, [*problems, *([] if problems else [_no_entry(entries, is_named=is_named)])])
    results = [*problems, *_entry_results(entries)]
    chosen = entries.ours[0]
    start, more = _start(client, chosen, around)
    return Examination(entries, [*results, *more], start)


def conclude(examination: Examination, around: Surroundings, probe: ProbeResult | None, version: str) -> CheckGroup:
    """Return all that there is to say about a client.

    Args:
        examination: what its files say.
        around: what all checks share.
        probe: the result of trying its server; None if it was not tried.
        version: the client's own version; "" if it is not known.
    """
    client, entry, start = examination.entries.client, examination.entry, examination.start
    results = [right("client", version)] if version else []
    results += examination.results
    if entry is not None and start is not None:
        if probe is None:
            results.append(unseen("server", "not started, as you asked"))
        else:
            results += server_checks(_tried(entry, start, client.name, around), probe, around.seconds)
        if is_ours(entry.entry):
            results += _folder(entry, start, client.name, around)
            results += audit_checks(start.command, start.environment, around.program)
    return CheckGroup(client.title, results, client.name)


def _no_entry(entries: ClientEntries, *, is_named: bool) -> CheckResult:
    write = write_command(entries.client.name)
    if entries.references:
        message, fix = "the reference server is there, whose thoughts are not kept", f"{write} --replace"
        return wrong("entry", message, fix=fix) if is_named else warning("entry", message, fix=fix)
    if is_named:
        return wrong("entry", "there is none", fix=write)
    return unseen("entry", f"there is none; `{write}` adds it")


def _problem(problem: FileProblem, entries: ClientEntries) -> CheckResult:
    subject = "project's file" if problem.scope == "project" else "file"
    if problem.path is None:
        return unseen(subject, "not looked for", problem.reason)
    if problem.line:
        message = f"line {problem.line}, column {problem.column} cannot be read, not by {entries.client.title} either"
        fix, place = f"correct line {problem.line} of {{}}", shell_word(problem.path)
        return wrong(subject, message, problem.reason, fix=fix, fix_detail=place)
    fix, reason = _file_fix(problem.path), problem.reason.removeprefix("it cannot be read: ")
    return wrong(subject, "cannot be read", f"{problem.path}: {reason}", fix=fix, fix_detail=shell_word(problem.path))


def _file_fix(path: Path) -> str:
    """Return what helps with a file that cannot be read."""
    if path.is_symlink() and not path.exists():
        return "rm {}"
    if path.exists() and not path.is_file():
        return "mv {} {}.moved"
    if path.exists() and not os.access(path, os.R_OK):
        return "chmod u+r {}"
    return "put {} right, as it says"


def _entry_results(entries: ClientEntries) -> Iterator[CheckResult]:
    chosen, others = entries.ours[0], entries.ours[1:]
    covered = [_where(one) for one in others if one.name == chosen.name]
    have = "have one, too, and they do" if len(covered) > 1 else "has one, too, which does"
    both = f"; {' and '.join(covered)} {have} not count here" if covered else ""
    yield right("entry", f"in {_where(chosen)}{both}", chosen.place.shown)
    yield from _doubles([one for one in others if one.name != chosen.name][:1])
    server = NamedServer(chosen.name, chosen.entry, str(chosen.place.path), chosen.scope == "project")
    yield from switch_checks(entries.client, server, entries.files, entries.project)
    if entries.references:
        fix = f"{write_command(entries.client.name, entries.references[0].scope)} --replace"
        message = "the reference server is there, too: a model may pick either tool"
        yield warning("two tools", message, entries.references[0].name, fix=fix)


def _where(entry: NamedEntry) -> str:
    is_extension = entry.plugin is not None and entry.plugin.kind == "extension"
    return "an extension" if is_extension else _WHERE[entry.scope]


def _doubles(others: Sequence[NamedEntry]) -> Iterator[CheckResult]:
    """Yield what to do with an entry that starts a second server."""
    for one in others:
        if one.plugin is not None:
            message = f"one more, a {one.plugin.kind}, starts seqthink: two servers, each with its own sessions"
            yield warning("entry", message, one.plugin.name, fix=one.plugin.removal)
            continue
        message = "one more entry starts seqthink: two servers, each with its own sessions"
        fix = "take the entry {} out of " + ("the project's file" if one.scope == "project" else "the file")
        yield warning("entry", message, one.name, fix=fix, fix_detail=shell_word(one.name))


def _start(client: str, chosen: NamedEntry, around: Surroundings) -> tuple[Start | None, list[CheckResult]]:
    """Return how the server of an entry is started, and its problems."""
    write = _rewrite(client, chosen)
    try:
        read = read_entry(chosen.entry)
    except EntryError as error:
        return None, [wrong("entry", str(error), fix=write)]
    environment = client_environment(client, around.environ, sys.platform)
    try:
        command = filled_in(read, {**around.environ})
    except PlaceholderError:
        return None, [unseen("server", "the entry holds a placeholder that only the client can fill in")]
    searched = {**environment, **command.environment}
    found = find_program(command, searched, around.environ.get("PATH", ""), write)
    if not found.path:
        return None, found.results
    is_path = os.path.dirname(command.words[0])  # noqa: PTH120 - as `find_program` looks at it
    words = command.words if is_path else (found.path, *command.words[1:])
    folder = command.folder or (_current_folder() if starts_in_current_folder(client) else "")
    return Start(ServerCommand(words, command.environment, folder), environment), found.results


def _current_folder() -> str:
    """Return the current folder; "" if that has gone."""
    with suppress(OSError):
        return str(Path.cwd())
    return ""


def _rewrite(client: str, entry: NamedEntry) -> str:
    """Return the command that puts our entry in the place of this one; a stranger's goes only on request."""
    force = "" if is_ours(entry.entry) or entry.scope == "local" else " --force"
    return _write(client, entry) + force


def _write(client: str, entry: NamedEntry, option: str = "") -> str:
    """Return the command that writes our entry again; a plugin goes first, so that there is one server and not two."""
    if entry.plugin is not None:
        return f"{entry.plugin.removal} && {write_command(client)}{option}"
    return write_command(client, "user" if option else entry.scope) + option


def _tried(entry: NamedEntry, start: Start, client: str, around: Surroundings) -> TriedEntry:
    words = start.command.words
    return TriedEntry(
        words,
        is_ours(entry.entry),
        _is_this_program(words, around.program),
        start.command.is_container,
        _write(client, entry),
        _rewrite(client, entry),
        str(entry.place.path),
        __version__,
        environment_in_words(client),
    )


def _is_this_program(words: Sequence[str], program: Sequence[str]) -> bool:
    length = len(program)
    own = [os.path.realpath(program[0]), *program[1:], "serve"]
    return [os.path.realpath(words[0]), *words[1 : length + 1]] == own and len(words) == length + 1


def _folder(entry: NamedEntry, start: Start, client: str, around: Surroundings) -> Iterator[CheckResult]:
    """Compare the folder that the server writes to with the one in which the viewer looks."""
    if around.folder is None:
        return
    if start.command.is_container:
        yield unseen("journals", "not known whether the container's folder is one of this machine's")
        return
    variables = {**start.environment, **start.command.environment}
    try:
        theirs = named_folder(start.command) or default_folder_name(variables)
    except RuntimeError:
        yield unseen("journals", "the server's folder is not known without a home folder")
        return
    theirs = os.path.expanduser(theirs)  # noqa: PTH111 - as the server does
    if os.path.realpath(theirs) == os.path.realpath(around.folder):
        yield right("journals", "the server writes where the viewer looks")
        return
    message = "the server writes into another folder than the viewer looks in: it would wait forever"
    is_named = bool(named_folder(start.command)) or any(
        start.command.environment.get(name) for name in _FOLDER_VARIABLES
    )
    if is_named:
        fix, detail = "seqthink watch --journal-dir {}", shell_word(theirs)
    elif around.folder_option:
        fix, detail = _write(client, entry, " --journal-dir {}"), shell_word(around.folder_option)
    else:
        fix, detail = _write(client, entry), ""
    yield wrong("journals", message, theirs, fix=fix, fix_detail=detail)
