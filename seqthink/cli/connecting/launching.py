"""The command line by which a client is to start the installed program, with the environment that the server needs."""

import argparse
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from seqthink.cli.common import PROGRAM_NAME, program_command
from seqthink.cli.serve_options import parse_options
from seqthink.connect.clients.launch import Launch, make_launch, make_tap_launch
from seqthink.core.errors import UsageError
from seqthink.server.tap.options import words_of

_FOLDER_VARIABLES = ("SEQTHINK_HOME", "SEQTHINK_JOURNAL_DIR", "XDG_STATE_HOME")
"""Variables that name folders; their values are made absolute."""
_OTHER_VARIABLES = ("SEQTHINK_THEME", "SEQTHINK_DEBUG")
"""Variables that only the other commands read, not the server."""

_TAP_VARIABLES = ("SEQTHINK_TITLE", *_FOLDER_VARIABLES)
"""Variables that the tap reads."""


def server_launch(options: list[str]) -> Launch:
    """Return how a client is to start the installed program.

    Raises:
        UsageError: `serve` does not take ``options``, or one of the words is not UTF-8.
    """
    folder = parse_options(options, {}).journal_dir
    if folder is not None and not folder.is_absolute():
        raise UsageError(f"config: a client may start the server in any folder; put --journal-dir {folder} before --")
    names = [name for name in os.environ if _is_for_server(name)]
    return _checked(make_launch(program_command(), options, _environment(names)))


def shared_launch(options: Sequence[str]) -> Launch:
    """Return how a client is to start the server from a file that a project shares: by no path of this machine."""
    return Launch("uvx", (PROGRAM_NAME, "serve", *options))


def tap_launch(chosen: argparse.Namespace, folder: Sequence[str], command: Sequence[str]) -> Launch:
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
    return environment | {name: absolute(Path(environment[name])) for name in _FOLDER_VARIABLES if name in environment}


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


def absolute(folder: Path) -> str:
    """Return a folder's absolute path.

    Raises:
        UsageError: it starts with ``~`` and the home folder is unknown.
    """
    try:
        return str(folder.expanduser().resolve())
    except RuntimeError as error:
        raise UsageError(f"config: {folder}: the home folder (~) is unknown; write the whole path") from error
