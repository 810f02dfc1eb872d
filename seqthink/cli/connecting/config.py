"""`seqthink config`: prints an MCP client's configuration and where it belongs."""

import argparse
import os
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from seqthink.cli.common import (
    DEFAULT_WIDTH_CELLS,
    CommandParser,
    folder_options,
    is_terminal,
    print_stderr,
    shell_command,
)
from seqthink.cli.connecting.dialogue import EXAMPLE_PROMPT
from seqthink.cli.connecting.launching import absolute, server_launch, tap_launch
from seqthink.cli.connecting.writing_options import add_writing_options, client_named
from seqthink.cli.standard_output import output
from seqthink.connect.client_files.plugins import plugins_with_us
from seqthink.connect.clients.entries import REFERENCE_PACKAGE
from seqthink.connect.clients.launch import Launch
from seqthink.connect.clients.registry import CLIENTS, ConfigFile, McpClient
from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.server.tap.options import add_tap_options, words_of

_TAP_ADVICE = "in place of the server's own entry there: two would offer the same tool"

_TAP_OPTIONS_ALONE = "config: --tool and --field need --tap"


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "config",
        "seqthink config cursor",
        "seqthink config cursor --write",
        "seqthink config --tap cursor -- npx -y some-thinking-server",
        usage="seqthink config [options] CLIENT [-- OPTIONS OF serve]\n"
        "       seqthink config --tap [options] CLIENT -- COMMAND …",
        notes="It prints the entry and names its file. With --tap, the entry starts another server, by COMMAND, inside "
        "`seqthink tap`.",
    )
    parser.add_argument("client", nargs="?", metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument("--list", action="store_true", help="list the clients and exit")
    parser.add_argument("--print", action="store_true", help="print only the entry, also on a terminal")
    parser.add_argument(
        "--write", action="store_true", help="write the entry into the client's file, after showing it and asking"
    )
    parser.add_argument(
        "--scope", choices=("user", "project"), help="with --write: the file for all projects, or for this one"
    )
    add_writing_options(parser)
    parser.add_argument("--force", action="store_true", help="also replace another server that has our name")
    parser.add_argument("--tap", action="store_true", help="wrap another server in the tap")
    add_tap_options(parser, "with --tap: ")
    return parser


def run(arguments: list[str]) -> int:
    """Print one client's configuration or write it, or print the list of clients."""
    own_arguments, options = _split_arguments(arguments)
    chosen = make_parser().parse_args(own_arguments)
    if chosen.list:
        with output() as out:
            out.writelines(f"{line}\n" for line in _list())
        return 0
    client = client_named("config", chosen.client)
    if _is_to_write(chosen):
        from seqthink.cli.connecting.writing import write_one  # loads the editors of all syntaxes

        return write_one(client, chosen, options)
    folder = ["--journal-dir", absolute(chosen.journal_dir)] if chosen.journal_dir else []
    launch = tap_launch(chosen, folder, options) if _is_tap(chosen) else server_launch([*folder, *options])
    then = shell_command("watch", *folder_options(chosen.journal_dir))
    if chosen.print:
        with output() as out:
            print(client.snippet(launch), file=out)
    else:
        _print(client, launch, then, is_tap=chosen.tap)
    if launch.is_temporary:
        print_stderr(f"{launch.command} is a temporary installation: install seqthink first (README)")
    return 0


def _is_to_write(chosen: argparse.Namespace) -> bool:
    """Return whether a file is to be written, or shown as it would be.

    Raises:
        UsageError: the options contradict each other.
    """
    writes = chosen.write or chosen.remove or chosen.dry_run
    if not writes and (chosen.yes or chosen.replace or chosen.force or chosen.scope):
        raise UsageError("config: --scope, --replace, --force and --yes need --write")
    if writes and chosen.print:
        raise UsageError("config: --print or --write, not both")
    if writes and not chosen.tap and words_of(chosen):
        raise UsageError(_TAP_OPTIONS_ALONE)
    if writes and chosen.tap:
        raise UsageError(
            "config: --tap prints an entry and does not write it: it belongs in place of that server's own, whose name "
            "only you know"
        )
    return writes


def _split_arguments(arguments: list[str]) -> tuple[list[str], list[str]]:
    """Split the arguments at ``--``: those of this command, and those of `serve`."""
    if "--" not in arguments:
        return arguments, []
    separator = arguments.index("--")
    return arguments[:separator], arguments[separator + 1 :]


def _is_tap(chosen: argparse.Namespace) -> bool:
    """Return whether the entry is to start the tap.

    Raises:
        UsageError: it is not, but there are options of the tap.
    """
    if not chosen.tap and words_of(chosen):
        raise UsageError(_TAP_OPTIONS_ALONE)
    return chosen.tap


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
    before, after = _lines_before(client, start, is_tap=is_tap), [*_lines_after(client, is_tap=is_tap), f"Then: {then}"]
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
    found = [] if is_tap else plugins_with_us(client, os.environ)
    there = [
        f"{client.title}: the {one.kind} {one.name} starts seqthink already; keep one of the two." for one in found
    ]
    command = client.add_command(start)
    # A command with control characters cannot be copied from a terminal.
    by_command = [f"{client.title}, by command:", "", f"  {command}", ""] if command == one_line(command) != "" else []
    [preferred, *_] = _config_files(client)
    file = f"{one_line(preferred.path)} ({preferred.applies_to}; {_TAP_ADVICE if is_tap else _file_advice(preferred)})"
    return [
        *_wrapped(*map(one_line, there)),
        *by_command,
        *_wrapped(f"Or this entry in {file}:" if by_command else f"{client.title}: this entry in {file}:"),
    ]


def _lines_after(client: McpClient, *, is_tap: bool) -> list[str]:
    by_us = [] if is_tap else ["With --write it is written for you: you see the change, and are asked."]
    others = [f"Or in {one_line(other.path)}, for {other.applies_to}." for other in _config_files(client)[1:]]
    return _wrapped(*others, *by_us, f"{client.restart_hint}. Then ask, for example: {EXAMPLE_PROMPT}")


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
    if REFERENCE_PACKAGE in text:
        return f"remove {REFERENCE_PACKAGE} there: its tool has the same name"
    return "add the entry to its content"
