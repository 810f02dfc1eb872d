"""How to start this program: an absolute path for clients, a short command for the user's shell."""

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

PROGRAM_NAME = "seqthink"


def program_command() -> list[str]:
    """Return the installed program's command: as called, else beside the interpreter, else through the interpreter.

    Links are not resolved: what `pipx` and `uv tool` put on the PATH outlives its target.
    """
    called = sys.argv[0]
    found = shutil.which(called) if Path(called).name.startswith(PROGRAM_NAME) else None
    beside = shutil.which(PROGRAM_NAME, path=str(Path(sys.executable).parent))
    if found or beside:
        return [os.path.abspath(found or beside or "")]  # noqa: PTH100 - `resolve` would follow the link
    return [sys.executable, "-m", PROGRAM_NAME]


def shell_command(*words: str) -> str:
    """Return a shell command that runs this program with ``words``: by name if the shell finds it, else by path."""
    own, found = program_command(), shutil.which(PROGRAM_NAME)
    is_found = found is not None and len(own) == 1 and os.path.realpath(found) == os.path.realpath(own[0])
    return shlex.join([*([PROGRAM_NAME] if is_found else own), *words])


def folder_options(folder: Path | None) -> Sequence[str]:
    """Return the option for the journal folder, if one was named."""
    return ["--journal-dir", str(folder.absolute())] if folder is not None else []
