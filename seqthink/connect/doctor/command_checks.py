"""The program that an entry names: whether it is there, can be started, and stays."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from seqthink.connect.clients.launch import Launch
from seqthink.connect.doctor.fixes import INSTALL, shell_word
from seqthink.connect.doctor.results import CheckResult, warning, wrong
from seqthink.connect.doctor.server_commands import ServerCommand


class FoundProgram(NamedTuple):
    """Where the program of an entry is."""

    path: str
    """Its path; "" if it cannot be started."""
    results: list[CheckResult]
    """Its problems."""


def find_program(command: ServerCommand, environment: Mapping[str, str], shell_path: str, write: str) -> FoundProgram:
    """Look for the program as a client does, and then in the shell's search path.

    Args:
        command: what the entry starts.
        environment: the environment that the server gets.
        shell_path: the PATH of this shell.
        write: the command that writes the entry again.
    """
    word = command.words[0]
    if os.path.dirname(word):  # noqa: PTH120 - as the system looks at it: a folder makes it a path
        return _at(word, write)
    found = shutil.which(word, path=environment.get("PATH", ""))
    if found:
        return _at(found, write)
    found = shutil.which(word, path=shell_path)
    if found:
        message = "this shell finds it, but a program that no shell has started may not"
        return FoundProgram(found, [warning("command", message, word, fix=write)])
    return FoundProgram("", [wrong("command", "no such program on the PATH", word, fix=write)])


def _at(path: str, write: str) -> FoundProgram:
    is_temporary = Launch(path).is_temporary
    install = f"{INSTALL} && {write}"
    if not Path(path).exists():
        message = "is gone with the folder of a single run" if is_temporary else "there is no such file"
        return FoundProgram("", [wrong("command", message, path, fix=install if is_temporary else write)])
    if Path(path).is_dir():
        return FoundProgram("", [wrong("command", "is a folder, and no program", path, fix=write)])
    if not os.access(path, os.X_OK):
        return FoundProgram(
            "", [wrong("command", "may not be executed", path, fix="chmod u+x {}", fix_detail=shell_word(path))]
        )
    if is_temporary:
        message = "was installed for a single run; its folder is emptied some day"
        return FoundProgram(path, [warning("command", message, path, fix=install)])
    return FoundProgram(path, [])
