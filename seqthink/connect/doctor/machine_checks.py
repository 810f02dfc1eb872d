"""This machine: which seqthink runs, on what, and whether another one is on the PATH."""

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink import __version__
from seqthink.connect.clients.launch import Launch
from seqthink.connect.doctor.fixes import INSTALL, REINSTALL, shell_word
from seqthink.connect.doctor.results import CheckResult, right, warning, wrong
from seqthink.connect.doctor.versions import version_in

_LIBRARIES: Final = ("mcp", "textual")


def machine_checks(program: Sequence[str], environ: Mapping[str, str]) -> list[CheckResult]:
    """Return the results for this installation.

    Args:
        program: the command of this program.
        environ: the environment.
    """
    return [
        right("seqthink", f"{__version__} on Python {platform.python_version()}, {_system()}", " ".join(program)),
        *_libraries(),
        *_temporary(program),
        *_programs(program, environ.get("PATH", "")),
        *_home(environ),
    ]


def _system() -> str:
    return {"linux": "Linux", "darwin": "macOS", "win32": "Windows"}.get(sys.platform, "another system")


def _libraries() -> Iterator[CheckResult]:
    found: list[str] = []
    for name in _LIBRARIES:
        try:
            found.append(f"{name} {version_in(importlib.metadata.version(name))}")
        except importlib.metadata.PackageNotFoundError:
            yield wrong("libraries", f"{name} is not installed", fix=REINSTALL)
    if found:
        yield right("libraries", ", ".join(found))


def _temporary(program: Sequence[str]) -> Iterator[CheckResult]:
    if Launch(program[0]).is_temporary:
        yield warning("installed", "only for this run: the folder is emptied some day", fix=INSTALL)


def _programs(program: Sequence[str], path: str) -> Iterator[CheckResult]:
    """Compare the programs of our name on the PATH, links followed."""
    found: dict[str, str] = {}
    for folder in path.split(os.pathsep):
        candidate = os.path.join(folder, "seqthink.exe" if os.name == "nt" else "seqthink")  # noqa: PTH118 - Path("") is the current folder
        if folder and os.access(candidate, os.X_OK) and Path(candidate).is_file():
            found.setdefault(os.path.realpath(candidate), candidate)
    if len(found) > 1:
        own = os.path.realpath(program[0]) if len(program) == 1 else ""
        other = next((place for real, place in found.items() if real != own), "")
        command, detail = _removal(os.path.realpath(other), other)
        message = f"{len(found)} different ones are on the PATH; the first one answers to the name"
        yield warning("installed", message, ", ".join(found.values()), fix=command, fix_detail=detail)


def _removal(real: str, shown: str) -> tuple[str, str]:
    """Return the command that removes an installation, and what fills it."""
    parts = Path(real).parts
    if "pipx" in parts:
        return "pipx uninstall seqthink", ""
    if "uv" in parts and "tools" in parts:
        return "uv tool uninstall seqthink", ""
    python = Path(real).with_name("python")
    if python.exists():
        return "{} -m pip uninstall seqthink", shell_word(python)
    return "rm {}", shell_word(shown)


def _home(environ: Mapping[str, str]) -> Iterator[CheckResult]:
    if os.name != "posix":
        return
    expanded = os.path.expanduser("~")  # noqa: PTH111 - `Path.home` raises where this returns it as it is
    if not expanded.startswith("/"):
        yield wrong("home folder", "it is not known", fix="export HOME=/the/path/of/your/home/folder")
    elif not environ.get("HOME"):
        yield warning(
            "home folder",
            "HOME is not set; the account's is taken",
            fix="export HOME={}",
            fix_detail=shell_word(expanded),
        )
    elif not Path(expanded).is_dir():
        yield wrong("home folder", "HOME names no folder", expanded, fix="export HOME=/the/path/of/your/home/folder")
