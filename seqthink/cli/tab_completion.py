"""Answers the Tab key: argcomplete reads the half-typed line and asks the command's own parser what may come next.

The shell's script starts the program with the line in the environment; it answers on a descriptor of its own and ends.
What a value may be, its name in the help page says: ``SESSION``, ``FILE``, ``CLIENT``, or in small letters a word as it
stands.
"""

import argparse
import importlib
import os
from collections.abc import Mapping
from typing import Any, NoReturn

import argcomplete
from argcomplete.completers import DirectoriesCompleter, FilesCompleter
from argcomplete.lexers import split_line

from seqthink.cli.common import journal_folder
from seqthink.errors import UsageError
from seqthink.journal.folder import SUFFIX, is_journal


def complete(commands: Mapping[str, str]) -> NoReturn:
    """Answer for the command that the line names, or say what ``commands`` there are."""
    words = split_line(os.environ["COMP_LINE"], int(os.environ["COMP_POINT"]))[3]
    command = words[1] if words[1:] else ""
    if command in commands or command == "help":
        # The second word stands for the program: what comes behind it is the command's.
        os.environ["_ARGCOMPLETE"] = "2"
    if command in commands:
        _answer_when_asked()
        importlib.import_module(f"seqthink.cli.{command}").run([])
    _answer(_chooser(commands))


def _answer_when_asked() -> None:
    """Let the first parser that is given something to read answer instead: a command does nothing before that."""
    parse = argparse.ArgumentParser.parse_known_args

    def answer(parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        argparse.ArgumentParser.parse_known_args = parse
        _answer(parser)

    argparse.ArgumentParser.parse_known_args = answer  # pyright: ignore[reportAttributeAccessIssue] - argparse is patched for this one process


def _answer(parser: argparse.ArgumentParser, *_: object) -> NoReturn:
    """Tell the shell what ``parser`` takes where the line ends, and leave."""
    argcomplete.autocomplete(parser, always_complete_options=False, default_completer=_values)  # pyright: ignore[reportArgumentType] - any callable will do
    raise AssertionError("argcomplete has left")


def _chooser(commands: Mapping[str, str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="seqthink")
    parser.add_argument("--version", action="store_true", help="the version")
    choice = parser.add_subparsers()
    for name, summary in commands.items():
        choice.add_parser(name, help=summary)
    choice.add_parser("help", help="all of these, or one")
    return parser


def _values(prefix: str, action: argparse.Action, parsed_args: argparse.Namespace, **_: Any) -> list[str]:  # noqa: ANN401 - argcomplete's own
    """Return what an argument may be, by the name that its help page gives it."""
    kinds = str(action.metavar).split("|")
    found = [word for kind in kinds for word in _words(kind, parsed_args) if word.startswith(prefix)]
    if "D" in kinds:
        found += DirectoriesCompleter()(prefix=prefix)
    # A file can be named by any letters, so it is offered where nothing else fits.
    if not found and not {"F", "FILE"}.isdisjoint(kinds):
        found += FilesCompleter([SUFFIX] if "FILE" in kinds else [])(prefix)
    return found


def _words(kind: str, options: argparse.Namespace) -> list[str]:
    if kind == "CLIENT":
        from seqthink.clients.registry import CLIENTS

        return [*CLIENTS]
    if kind in {"SESSION", "ID"}:
        return [*(["last"] if kind == "SESSION" else []), *_sessions(options)]
    return [] if kind.isupper() else [kind]


def _sessions(options: argparse.Namespace) -> list[str]:
    """Return the ids of the sessions, newest first."""
    try:
        with os.scandir(journal_folder(options)) as entries:
            names = [entry.name for entry in entries if is_journal(entry.name)]
    except (OSError, UsageError):
        return []
    return sorted((name.removesuffix(SUFFIX) for name in names), reverse=True)
