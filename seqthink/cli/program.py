"""This program as others start it: a client by its absolute path, a person by what their shell finds."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAM_NAME = "seqthink"


def program_command() -> list[str]:
    """Return the installed program: as it was called, else beside the interpreter, else by the interpreter.

    A link is left as it is: what `pipx` and `uv tool` put on the PATH outlives what it points to.
    """
    called = sys.argv[0]
    found = shutil.which(called) if Path(called).name.startswith(PROGRAM_NAME) else None
    beside = shutil.which(PROGRAM_NAME, path=str(Path(sys.executable).parent))
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", PROGRAM_NAME]


def shell_command(*words: str) -> str:
    """Return the line that runs ``words`` of this program in the person's shell: by its name, where that finds it."""
    own, found = program_command(), shutil.which(PROGRAM_NAME)
    is_found = found is not None and len(own) == 1 and os.path.realpath(found) == os.path.realpath(own[0])
    return shlex.join([*([PROGRAM_NAME] if is_found else own), *words])


def folder_options(folder: Path | None) -> Sequence[str]:
    """Return the option that names the folder of the journals, where one was named."""
    return ["--journal-dir", str(folder.absolute())] if folder is not None else []
