"""The options `--repo` and `--branch`: which sessions a command is about, or chooses from."""

import os
from argparse import Namespace
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from seqthink.chain.overview.session_filter import SessionFilter
    from seqthink.cli.common import CommandParser
    from seqthink.journal.store import SessionFile
    from seqthink.sources.transcripts.choosing import ChosenSession

_HERE = (".", "..", "~")
_LAST = frozenset({None, "last"})


def add_wanted(parser: "CommandParser", verb: str) -> None:
    """Add `--repo` and `--branch`: the sessions to "show", or whatever ``verb`` says."""
    parser.add_argument(
        "--repo",
        action="append",
        metavar="REPO",
        help=f"{verb} only sessions of repositories with REPO in their names, or OWNER/NAME in their addresses; "
        "=NAME for that name exactly, a folder such as . for its repository (can be repeated)",
    )
    parser.add_argument(
        "--branch",
        action="append",
        metavar="NAME",
        help=f"{verb} only sessions on git branches with NAME in their names, =NAME for exactly that (can be repeated)",
    )


def has_wanted(options: Namespace) -> bool:
    """Return whether the command line says which sessions it is about."""
    return bool(getattr(options, "repo", None) or getattr(options, "branch", None))


def wanted_of(options: Namespace) -> "SessionFilter":
    """Return which sessions a command is about: all, if its line does not say it.

    Raises:
        UsageError: a value is empty, or a folder is in no repository that can be named.
    """
    from seqthink.chain.overview.session_filter import SessionFilter  # not needed for Tab or help

    repositories, branches = getattr(options, "repo", None) or (), getattr(options, "branch", None) or ()
    for name, values in (("--repo", repositories), ("--branch", branches)):
        if not all(value.removeprefix("=").strip() for value in values):
            raise UsageError(f"{name} needs a name, or a part of one")
    return SessionFilter(repositories=tuple(map(_repository, repositories)), branches=tuple(branches))


def wanted_words(options: Namespace) -> str:
    """Return what the command line says of it, for a sentence: ``--repo shop --branch feat``."""
    named = (("--repo", getattr(options, "repo", None)), ("--branch", getattr(options, "branch", None)))
    return " ".join(f"{name} {value}" for name, values in named for value in values or ())


def _repository(named: str) -> str:
    """Return a condition on a repository; of a folder that was named, the condition that it is that one."""
    is_folder = named in _HERE or named.startswith(("./", "../", "~/", "/", ".\\", "..\\")) or os.path.isabs(named)  # noqa: PTH117 - text
    if not is_folder:
        return named
    from seqthink.library.repositories.repository import repository_of  # reads a folder

    folder = os.path.abspath(os.path.expanduser(named))  # noqa: PTH100, PTH111 - as text, links stay
    if not os.path.isdir(folder):  # noqa: PTH112 - as text
        raise UsageError(f"--repo {named}: there is no such folder")
    return f"={repository_of(folder).address}"


def require_choice(options: Namespace) -> None:
    """Raise if the command line names one session and says which ones it may be, too.

    Raises:
        UsageError: it does.
    """
    if has_wanted(options) and options.session not in _LAST:
        raise UsageError(f"{wanted_words(options)} is for choosing a session; leave it out, or name `last`")


def newest_journal(options: Namespace, folder: "Path") -> "SessionFile | None":
    """Return the newest journal of ``folder`` that the command line wants; None if there is none.

    Raises:
        UsageError: the folder cannot be read.
    """
    # They take time to load.
    from seqthink.journal.store import list_sessions
    from seqthink.library.catalog.wanted_sessions import WantedSessions

    wanted = WantedSessions(wanted_of(options))
    return next(filter(wanted.has, list_sessions(folder)), None)


def wanted_transcripts(options: Namespace, chosen: "Iterable[ChosenSession]") -> "Iterator[ChosenSession]":
    """Yield the sessions of clients that the command line wants, by the beginning of each."""
    # They take time to load.
    from seqthink.library.catalog.wanted_sessions import WantedSessions
    from seqthink.sources.transcripts.choosing import place_of

    wanted = WantedSessions(wanted_of(options))
    return (session for session in chosen if wanted.filter.is_empty or wanted.has_place(place_of(session)))
