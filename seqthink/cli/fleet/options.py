"""The option `--fleet`: the sessions of other machines take the place of this machine's."""

import os
from argparse import Namespace
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from seqthink.core.errors import UsageError

if TYPE_CHECKING:
    from seqthink.cli.common import CommandParser

VARIABLE: Final = "SEQTHINK_FLEET"
_NONE: Final = frozenset({"", "none"})
_FILE_ENDING: Final = ".jsonl"
_OF_THIS_MACHINE: Final = ("journal_dir", "sources")


def add_fleet(parser: "CommandParser") -> None:
    """Add `--fleet`."""
    parser.add_argument(
        "--fleet",
        metavar="URL|none",
        help=f"use the sessions of the fleet at redis://HOST (default: {VARIABLE}); none: this machine's",
    )


def fleet_url(options: Namespace, environ: Mapping[str, str] | None = None) -> str | None:
    """Return the address of the fleet that a command is about; None for this machine's sessions.

    A command that has no such option is about this machine. What the command line says is stronger than the
    environment, also if it names a folder, a source or a file.

    Raises:
        UsageError: the command line names a fleet and something of this machine.
    """
    if "fleet" not in options:
        return None
    given: str | None = options.fleet
    own = _named_of_this_machine(options)
    if given is not None:
        if given in _NONE:
            return None
        if own:
            raise UsageError(f"--fleet shows the sessions of other machines; leave it out, or {own}")
        return given
    named = (os.environ if environ is None else environ).get(VARIABLE, "").strip()
    return None if own or named in _NONE else named


def _named_of_this_machine(options: Namespace) -> str:
    """Return what of the command line is about this machine; "" if nothing is."""
    for name in _OF_THIS_MACHINE:
        if getattr(options, name, None) is not None:
            return f"--{name.replace('_', '-')}"
    session: str | None = getattr(options, "session", None)
    if session is not None and (session == "-" or session[:1] in {".", "~", "/"} or session.endswith(_FILE_ENDING)):
        return "the file"
    return ""
