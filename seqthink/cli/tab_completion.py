"""Answers the Tab key: argcomplete reads the half-typed line and asks the command's own parser what may follow.

The shell's script starts the program with the line in the environment; the program answers on a separate descriptor and
exits. An argument's metavar says what its values are: ``SESSION``, ``FILE`` and ``CLIENT`` are looked up, words in
small letters are offered as they are.
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
    """Complete the command that the line names, or the names of ``commands``; then exit."""
    words = split_line(os.environ["COMP_LINE"], int(os.environ["COMP_POINT"]))[3]
    command = words[1] if words[1:] else ""
    if command in commands or command == "help":
        # argcomplete then takes the second word for the program: the words after it are the command's.
        os.environ["_ARGCOMPLETE"] = "2"
    if command in commands:
        _answer_at_first_parse()
        importlib.import_module(f"seqthink.cli.{command}").run([])
    _answer(_command_parser(commands))


def _answer_at_first_parse() -> None:
    """Patch argparse so that the first parser completes instead of parsing. Commands do nothing before they parse."""
    parse = argparse.ArgumentParser.parse_known_args

    def answer(parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        argparse.ArgumentParser.parse_known_args = parse
        _answer(parser)

    argparse.ArgumentParser.parse_known_args = answer  # pyright: ignore[reportAttributeAccessIssue] - argparse is patched for this one process


def _answer(parser: argparse.ArgumentParser, *_: object) -> NoReturn:
    """Print the completions for ``parser`` at the end of the line, and exit."""
    argcomplete.autocomplete(parser, always_complete_options=False, default_completer=_completions)  # pyright: ignore[reportArgumentType] - any callable will do
    raise AssertionError("argcomplete has left")


def _command_parser(commands: Mapping[str, str]) -> argparse.ArgumentParser:
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
    if not found and not {"F", "FILE"}.isdisjoint(kinds):
        found += FilesCompleter([SUFFIX] if "FILE" in kinds else [])(prefix)
    return found


def _candidates(kind: str, options: argparse.Namespace) -> list[str]:
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
