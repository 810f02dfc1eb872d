"""`seqthink config`: prints an MCP client's configuration and where it belongs."""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from seqthink.cli.common import (
    DEFAULT_WIDTH_CELLS,
    CommandParser,
    folder_options,
    is_terminal,
    print_stderr,
    program_command,
    shell_command,
)
from seqthink.cli.serve_options import parse_options
from seqthink.cli.standard_output import output
from seqthink.clients.launch import Launch, make_launch, make_tap_launch
from seqthink.clients.registry import CLIENTS, ConfigFile, McpClient
from seqthink.errors import UsageError
from seqthink.tap.options import add_tap_options, words_of
from seqthink.text import one_line

_FOLDER_VARIABLES = ("SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR", "XDG_STATE_HOME")
"""Variables that name folders; their values are made absolute."""
_OTHER_VARIABLES = ("SEQTHINK_THEME", "SEQTHINK_DEBUG")
"""Variables that only the other commands read, not the server."""

_TAP_VARIABLES = ("SEQTHINK_TITLE", *_FOLDER_VARIABLES)
"""Variables that the tap reads."""

_REFERENCE_SERVER = "server-sequential-thinking"
"""The reference server's package; its tool has the same name as ours."""
_TAP_ADVICE = "in place of the server's own entry there: two would offer the same tool"
_EXAMPLE_PROMPT = "Use sequential thinking: why is our CI slow?"


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "config",
        "Print the configuration that an MCP client needs to start this server, and where it goes. "
        "OPTIONS are those of `seqthink serve`. With --tap: to start another server, whose command is CMD, "
        "inside `seqthink tap`.",
        "seqthink config claude-code",
        usage="seqthink config [-h] [--journal-dir D] [--list] [CLIENT] [-- OPTIONS]\n"
        "       seqthink config --tap [--tool NAME] [--field THEIRS=OURS] CLIENT -- CMD …",
    )
    parser.add_argument("client", nargs="?", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--list", action="store_true", help="list the clients and exit")
    parser.add_argument("--tap", action="store_true", help="the entry of another server, with the tap around it")
    add_tap_options(parser, "with --tap: ")
    return parser


def run(arguments: list[str]) -> int:
    """Print one client's configuration, or the list of clients."""
    own_arguments, options = _split_arguments(arguments)
    chosen = make_parser().parse_args(own_arguments)
    if chosen.list:
        with output() as out:
            out.writelines(f"{line}\n" for line in _list())
        return 0
    client = _client(chosen.client)
    folder = ["--journal-dir", _absolute(chosen.journal_dir)] if chosen.journal_dir else []
    launch = _tap_launch(chosen, folder, options) if _is_tap(chosen) else _launch([*folder, *options])
    _print(client, launch, shell_command("watch", *folder_options(chosen.journal_dir)), is_tap=chosen.tap)
    if launch.is_temporary:
        print_stderr(f"{launch.command} is a temporary installation: install seqthink first (README)")
    return 0


def _split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split the arguments at ``--``: those of this command, and those of `serve`."""
    if "--" not in arguments:
        return arguments, []
    separator = arguments.index("--")
    return arguments[:separator], arguments[separator + 1 :]


def _client(name: str | None) -> McpClient:
    if name is not None and name in CLIENTS:
        return CLIENTS[name]
    known_clients = f"choose from: {', '.join(CLIENTS)}"
    if name is None:
        raise UsageError(f"config: which client? {known_clients}")
    from difflib import get_close_matches

    close = get_close_matches(name, CLIENTS, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise UsageError(f"config: unknown client {name[:40]!r}; {hint}{known_clients}")


def _launch(options: list[str]) -> Launch:
    """Return how a client is to start the installed program.

    Raises:
        UsageError: `serve` does not take ``options``, or one of the words is not UTF-8.
    """
    folder = parse_options(options, {}).journal_dir
    if folder is not None and not folder.is_absolute():
        raise UsageError(f"config: a client may start the server in any folder; put --journal-dir {folder} before --")
    names = [name for name in os.environ if _is_for_server(name)]
    return _checked(make_launch(program_command(), options, _environment(names)))


def _is_tap(chosen: argparse.Namespace) -> bool:
    """Return whether the entry is to start the tap.

    Raises:
        UsageError: it is not, but there are options of the tap.
    """
    if not chosen.tap and words_of(chosen):
        raise UsageError("config: --tool and --field need --tap")
    return chosen.tap


def _tap_launch(chosen: argparse.Namespace, folder: Sequence[str], command: Sequence[str]) -> Launch:
    """Return how a client is to start another server inside the tap.

    Raises:
        UsageError: there is no ``command``, or it is found in one folder only, or one of the words is not UTF-8.
    """
    if not command:
        raise UsageError("config: --tap: which server? write its command after --")
    if "/" in command[0] and not Path(command[0]).is_absolute():
        raise UsageError(f"config: a client may start {command[0]} in any folder; write its whole path")
    return _checked(
        make_tap_launch(program_command(), [*folder, *words_of(chosen)], command, _environment(_TAP_VARIABLES))
    )


def _environment(names: Sequence[str]) -> Mapping[str, str]:
    """Return those variables of ``names`` that are set; folders are made absolute."""
    environment = {name: os.environ[name] for name in names if os.environ.get(name)}
    return environment | {name: _absolute(Path(environment[name])) for name in _FOLDER_VARIABLES if name in environment}


def _checked(launch: Launch) -> Launch:
    """Return ``launch`` if a configuration can hold it.

    Raises:
        UsageError: one of the words is not UTF-8.
    """
    for word in (*launch.command_line, *launch.environment.values()):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageError(f"config: {word!r} is not UTF-8; no client's configuration can hold it") from None
    return launch


def _is_for_server(variable: str) -> bool:
    """Return whether the server reads an environment variable: a client may not have those of your shell."""
    if variable in {"XDG_STATE_HOME", "DISABLE_THOUGHT_LOGGING", "ENABLE_GAN_AUDITING"}:
        return True
    return variable.startswith("SEQTHINK_") and variable not in _OTHER_VARIABLES


def _absolute(folder: Path) -> str:
    """Return a folder's absolute path.

    Raises:
        UsageError: it starts with ``~`` and the home folder is unknown.
    """
    try:
        return str(folder.expanduser().resolve())
    except RuntimeError as error:
        raise UsageError(f"config: {folder}: the home folder (~) is unknown; write the whole path") from error


def _list() -> Iterator[str]:
    widths = max(map(len, CLIENTS)), max(len(client.title) for client in CLIENTS.values())
    for client in CLIENTS.values():
        [preferred, *_] = _config_files(client)
        yield f"{client.name:<{widths[0]}}  {client.title:<{widths[1]}}  {preferred.path}"


def _config_files(client: McpClient) -> list[ConfigFile]:
    return list(client.config_files(sys.platform, os.environ))


def _print(client: McpClient, start: Launch, then: str, *, is_tap: bool) -> None:
    """Print everything on a terminal; in a pipe only the snippet, for a file, and the rest on stderr."""
    snippet = client.snippet(start)
    before, after = _lines_before(client, start, is_tap=is_tap), [*_lines_after(client), f"Then: {then}"]
    if not is_terminal():
        for line in (*before, *after):
            print(line, file=sys.stderr)
        with output() as out:
            print(snippet, file=out)
        return
    with output() as out:
        print("\n".join([*before, "", snippet, "", *after]), file=out)


def _lines_before(client: McpClient, start: Launch, *, is_tap: bool) -> list[str]:
    """Return the lines before the snippet: the client's own command, if any, and the file that the snippet is for."""
    command = client.add_command(start)
    # A command with control characters cannot be copied from a terminal.
    by_command = [f"{client.title}, by command:", "", f"  {command}", ""] if command == one_line(command) != "" else []
    [preferred, *_] = _config_files(client)
    file = f"{one_line(preferred.path)} ({preferred.scope}; {_TAP_ADVICE if is_tap else _file_advice(preferred)})"
    return [
        *by_command,
        *_wrapped(f"Or this entry in {file}:" if by_command else f"{client.title}: this entry in {file}:"),
    ]


def _lines_after(client: McpClient) -> list[str]:
    others = [f"Or in {one_line(other.path)}, for {other.scope}." for other in _config_files(client)[1:]]
    return _wrapped(*others, f"{client.restart_hint}. Then ask, for example: {_EXAMPLE_PROMPT}")


def _wrapped(*sentences: str) -> list[str]:
    """Return sentences wrapped to the terminal's width; paths are not broken."""
    width = shutil.get_terminal_size((DEFAULT_WIDTH_CELLS, 24)).columns if is_terminal() else 10_000
    return [
        line
        for sentence in sentences
        for line in textwrap.wrap(sentence, max(20, width - 1), break_long_words=False, break_on_hyphens=False)
    ]


def _file_advice(file: ConfigFile) -> str:
    """Return what to do if the file exists already."""
    try:
        text = Path(os.path.expandvars(file.path)).expanduser().read_text("utf-8", "replace")
    except (OSError, RuntimeError):
        return "create it if it does not exist"
    if _REFERENCE_SERVER in text:
        return f"remove {_REFERENCE_SERVER} there: its tool has the same name"
    return "add the entry to its content"
