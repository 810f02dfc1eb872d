"""`seqthink config`: what to tell an MCP client of the server, and where it reads that."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from seqthink.cli.common import DEFAULT_WIDTH_CELLS, CommandParser, is_terminal, output, print_stderr
from seqthink.cli.program import folder_options, program_command, shell_command
from seqthink.cli.serve_options import parse_options
from seqthink.clients.launch import Launch, make_launch
from seqthink.clients.registry import CLIENTS, ConfigFile, McpClient
from seqthink.errors import UsageError
from seqthink.text import one_line

_FOLDERS = ("SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR", "XDG_STATE_HOME")
_OURS = ("SEQTHINK_THEME", "SEQTHINK_DEBUG")
"""What the other commands read, and the server does not."""

_REPLACED = "server-sequential-thinking"
_EXAMPLE = "Use sequential thinking: why is our CI slow?"


def run(arguments: list[str]) -> int:
    """Print one client's configuration, or which clients there are."""
    parser = CommandParser(
        "config",
        "Print what an MCP client has to be told to start this server, and where it reads that. "
        "OPTIONS are those of `seqthink serve`.",
        "seqthink config claude-code",
        usage="seqthink config [-h] [--journal-dir D] [--list] [CLIENT] [-- OPTIONS]",
    )
    parser.add_argument("client", nargs="?", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--list", action="store_true", help="name the clients and leave")
    own, options = _parted(arguments)
    chosen = parser.parse_args(own)
    if chosen.list:
        with output() as out:
            out.writelines(f"{line}\n" for line in _list())
        return 0
    client = _client(chosen.client)
    if chosen.journal_dir:
        options = ["--journal-dir", _absolute(chosen.journal_dir), *options]
    start = _launch(options)
    _print(client, start, shell_command("watch", *folder_options(chosen.journal_dir)))
    if start.is_temporary:
        print_stderr(
            f"{start.command} was installed for one run and may be gone tomorrow: install seqthink first (README)"
        )
    return 0


def _parted(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Part what is said to this command from what is for `serve`, behind ``--``."""
    if "--" not in arguments:
        return arguments, []
    place = arguments.index("--")
    return arguments[:place], arguments[place + 1 :]


def _client(name: str | None) -> McpClient:
    if name is not None and name in CLIENTS:
        return CLIENTS[name]
    there_are = f"there are: {', '.join(CLIENTS)}"
    if name is None:
        raise UsageError(f"config: which client? {there_are}")
    from difflib import get_close_matches

    close = get_close_matches(name, CLIENTS, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"config: no client {name[:40]!r}; {hint}{there_are}")


def _launch(options: list[str]) -> Launch:
    """Return how a client is to start the installed program.

    Raises:
        UsageError: `serve` does not take ``options``, or a name among them is no text.
    """
    folder = parse_options(options, {}).journal_dir
    if folder is not None and not folder.is_absolute():
        raise UsageError(f"config: a client starts the server anywhere; put --journal-dir {folder} before --")
    given = {name: value for name, value in os.environ.items() if value and _is_for_server(name)}
    given |= {name: _absolute(Path(given[name])) for name in _FOLDERS if name in given}
    start = make_launch(program_command(), options, given)
    for word in (*start.command_line, *given.values()):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"config: {word!r} is not UTF-8; no client's configuration can hold it") from None
    return start


def _is_for_server(variable: str) -> bool:
    """Return whether the server reads a variable: a client need not have those of your shell."""
    if variable in {"XDG_STATE_HOME", "DISABLE_THOUGHT_LOGGING", "ENABLE_GAN_AUDITING"}:
        return True
    return variable.startswith("SEQTHINK_") and variable not in _OURS


def _absolute(folder: Path) -> str:
    """Return a folder's name as it is from everywhere.

    Raises:
        UsageError: it begins with somebody's home folder, and nobody knows where that is.
    """
    try:
        return str(folder.expanduser().resolve())
    except RuntimeError as error:
        raise UsageError(f"config: {folder}: whose home folder ~ is, is not known; write the whole path") from error


def _list() -> Iterator[str]:
    widths = max(map(len, CLIENTS)), max(len(client.title) for client in CLIENTS.values())
    for client in CLIENTS.values():
        [best, *_] = _places(client)
        yield f"{client.name:<{widths[0]}}  {client.title:<{widths[1]}}  {best.path}"


def _places(client: McpClient) -> list[ConfigFile]:
    return list(client.config_files(sys.platform, os.environ))


def _print(client: McpClient, start: Launch, then: str) -> None:
    """Print all on a terminal; in a pipe the snippet alone, so that it can go into a file, and the rest on stderr."""
    snippet = client.snippet(start)
    before, after = _before(client, start), [*_after(client), f"Then: {then}"]
    if not is_terminal():
        for line in (*before, *after):
            print(line, file=sys.stderr)
        with output() as out:
            print(snippet, file=out)
        return
    with output() as out:
        print("\n".join([*before, "", snippet, "", *after]), file=out)


def _before(client: McpClient, start: Launch) -> list[str]:
    """Return the command, if there is one, and the file that the snippet is for."""
    command = client.add_command(start)
    # What no line can show, nobody can copy from one.
    by_command = [f"{client.title}, by command:", "", f"  {command}", ""] if command == one_line(command) != "" else []
    [best, *_] = _places(client)
    place = f"{one_line(best.path)} ({best.scope}; {_there(best)})"
    return [
        *by_command,
        *_wrapped(f"Or this entry in {place}:" if by_command else f"{client.title}: this entry in {place}:"),
    ]


def _after(client: McpClient) -> list[str]:
    others = [f"Or in {one_line(other.path)}, for {other.scope}." for other in _places(client)[1:]]
    return _wrapped(*others, f"{client.restart_hint}. Then ask, for example: {_EXAMPLE}")


def _wrapped(*sentences: str) -> list[str]:
    """Return prose as wide as the terminal; paths stay whole."""
    width = shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24)).columns if is_terminal() else 10_000
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(sentence, max(20, width - 1), break_long_words=False, break_on_hyphens=False)
    ]


def _there(place: ConfigFile) -> str:
    """Say what has to be done about what the file may hold already."""
    try:
        text = Path(os.path.expandvars(place.path)).expanduser().read_text("utf-8", "replace")
    except (OSError, RuntimeError):
        return "make it, if it is not there"
    if _REPLACED in text:
        return f"take {_REPLACED} out there: its tool has the same name"
    return "add the entry to what it holds"
