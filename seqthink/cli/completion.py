"""`seqthink completion`: prints the shell script that enables Tab completion; also answers the Tab key.

That script starts the program with the half-typed line in the environment. argcomplete reads the line and asks the
command's own parser what may follow; the program answers on a separate descriptor and exits. An argument's metavar says
what its values are: ``SESSION``, ``FILE`` and ``CLIENT`` are looked up, words in small letters are offered as they are.
"""

import argparse
import importlib
import os
from collections.abc import Mapping
from typing import Any, NoReturn

import argcomplete
from argcomplete.completers import DirectoriesCompleter, FilesCompleter
from argcomplete.lexers import split_line
from argcomplete.shell_integration import shellcode

from seqthink.cli import module_name
from seqthink.cli.common import CommandParser
from seqthink.cli.fleet.options import fleet_url
from seqthink.cli.option_values import journal_folder
from seqthink.cli.standard_output import output
from seqthink.core.errors import UsageError
from seqthink.journal.folder import SUFFIX, is_journal

SHELLS = ("bash", "zsh", "fish")
_FILE_SUFFIXES = {"F": (), "FILE": (SUFFIX,), "TRANSCRIPT": (".jsonl", ".json", ".db", ".zst")}
"""The endings of the files that are offered, by metavar; none: all files."""


def make_parser() -> CommandParser:
    """Return the parser of the command line."""
    parser = CommandParser(
        "completion",
        'eval "$(seqthink completion bash)"',
        notes="Put the example into ~/.bashrc, or with zsh into ~/.zshrc; for fish: `seqthink completion fish | "
        "source`. Tab then completes commands, options, sessions and files.",
        reads_journals=False,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")
    return parser


def run(arguments: list[str]) -> int:
    """Print the script for a shell."""
    options = make_parser().parse_args(arguments)
    with output() as out:
        out.write(shellcode(["seqthink"], shell=options.shell))
    return 0


def complete(commands: Mapping[str, str]) -> NoReturn:
    """Complete the command that the line names, or the names of ``commands``; then exit."""
    words = split_line(os.environ["COMP_LINE"], int(os.environ["COMP_POINT"]))[3]
    command = words[1] if words[1:] else ""
    if command in commands or command == "help":
        # argcomplete then takes the second word for the program: the words after it are the command's.
        os.environ["_ARGCOMPLETE"] = "2"
    if command in commands:
        _answer(importlib.import_module(f"seqthink.cli.{module_name(command)}").make_parser())
    _answer(_program_parser(commands))


def _answer(parser: argparse.ArgumentParser) -> NoReturn:
    """Print the completions for ``parser`` at the end of the line, and exit."""
    argcomplete.autocomplete(parser, always_complete_options=False, default_completer=_completions)  # pyright: ignore[reportArgumentType] - any callable will do
    raise AssertionError("argcomplete has left")


def _program_parser(commands: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="seqthink")
    parser.add_argument("--version", action="store_true", help="the version")
    choice = parser.add_subparsers()
    for name, summary in commands.items():
        choice.add_parser(name, help=summary)
    choice.add_parser("help", help="all of these, or one")
    return parser


def _completions(prefix: str, action: argparse.Action, parsed_args: argparse.Namespace, **_: Any) -> list[str]:  # noqa: ANN401 - argcomplete's own
    """Return the possible values of an argument, by its metavar."""
    kinds = str(action.metavar).split("|")
    found = [word for kind in kinds for word in _candidates(kind, parsed_args) if word.startswith(prefix)]
    if "D" in kinds:
        found += DirectoriesCompleter()(prefix=prefix)
    # A file's name can be anything, so files are offered only where nothing else fits.
    suffixes = next((_FILE_SUFFIXES[kind] for kind in kinds if kind in _FILE_SUFFIXES), None)
    if not found and suffixes is not None:
        found += FilesCompleter(suffixes)(prefix)
    return found


def _candidates(kind: str, options: argparse.Namespace) -> list[str]:
    if kind == "CLIENT":
        from seqthink.connect.clients.registry import CLIENTS  # one kind of value of many

        return [*CLIENTS]
    if kind in {"SESSION", "ID"}:
        return [*(["last"] if kind == "SESSION" else []), *_sessions(options)]
    return [] if kind.isupper() else [kind]


def _sessions(options: argparse.Namespace) -> list[str]:
    """Return the ids of the sessions, newest first; none of a fleet, for which an engine would have to be asked."""
    try:
        if fleet_url(options) is not None:
            return []
        with os.scandir(journal_folder(options)) as entries:
            names = [entry.name for entry in entries if is_journal(entry.name)]
    except (OSError, UsageError):
        return []
    return sorted((name.removesuffix(SUFFIX) for name in names), reverse=True)
