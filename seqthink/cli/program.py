"""This program as others start it: a client by its absolute path, a person by what their shell finds."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

NAME = "seqthink"


def program() -> list[str]:
    """Return the installed program: as it was called, else beside the interpreter, else by the interpreter.

    A link is left as it is: what `pipx` and `uv tool` put on the PATH outlives what it points to.
    """
    called = sys.argv[0]
    found = shutil.which(called) if Path(called).name.startswith(NAME) else None
    beside = shutil.which(NAME, path=str(Path(sys.executable).parent))
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", NAME]


def shell_command(*words: str) -> str:
    """Return the line that runs ``words`` of this program in the person's shell: by its name, where that finds it."""
    own, found = program(), shutil.which(NAME)
    is_found = found is not None and len(own) == 1 and os.path.realpath(found) == os.path.realpath(own[0])
    return shlex.join([*([NAME] if is_found else own), *words])


def folder_options(folder: Path | None) -> Sequence[str]:
    """Return the option that names the folder of the journals, where one was named."""
    return ["--journal-dir", str(folder.absolute())] if folder is not None else []
