"""Audits: whether the libraries are there that they can do more with."""

import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.connect.doctor.results import CheckResult, right, unseen, warning
from seqthink.connect.doctor.server_commands import ServerCommand
from seqthink.core.system import read_switch

_EXTRA: Final = "tree_sitter"
"""A library of the extra `audit`."""
_FIX: Final = "uv tool install 'seqthink[audit]'"


def audit_checks(
    command: ServerCommand, environment: Mapping[str, str], program: Sequence[str]
) -> Iterator[CheckResult]:
    """Yield whether a server that audits has what that needs; nothing if it does not audit.

    Args:
        command: what the entry starts.
        environment: the client's own environment.
        program: the command of this program.
    """
    switch = {**environment, **command.environment}.get("ENABLE_GAN_AUDITING", "")
    is_on = read_switch(switch)
    if is_on is None:
        yield warning("audits", "off: ENABLE_GAN_AUDITING is neither yes nor no", fix="set it to true or false")
    if not is_on:
        return
    if any("[audit]" in word for word in command.words):
        yield right("audits", "on, with the extra `audit`")
    elif os.path.realpath(command.words[0]) == os.path.realpath(program[0]):
        yield _here()
    else:
        yield _beside(Path(os.path.realpath(command.words[0])))


def _here() -> CheckResult:
    return _found(is_there=importlib.util.find_spec(_EXTRA) is not None)


def _beside(program: Path) -> CheckResult:
    """Look for the library in the environment that a program is installed in, without starting it."""
    libraries = [
        *program.parent.parent.glob("lib/python3*/site-packages"),
        *program.parent.parent.glob("Lib/site-packages"),
    ]
    if not libraries:
        return unseen("audits", "on; whether the extra `audit` is installed cannot be seen from here")
    return _found(is_there=any((folder / _EXTRA).is_dir() for folder in libraries))


def _found(*, is_there: bool) -> CheckResult:
    if is_there:
        return right("audits", "on, with the extra `audit`")
    return warning("audits", "on, but without the extra `audit` few mistakes are found", fix=_FIX)
