"""An environment in which the wheel is installed, beside what it needs and nothing else."""

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.conftest import PROJECT

TIMEOUT_SECONDS = 120.0
RUNTIME_PINS = PROJECT / ".ci" / "runtime.txt"

REAL = os.environ.get("SEQTHINK_INSTALLED", "")
"""The folder of an environment that an installer made from the pins (`.ci/wheel`); empty: one is made here."""

CompletedCommand = subprocess.CompletedProcess[str]


class Installed(NamedTuple):
    """An environment's folder, and what is run in it: never with the source tree on the import path."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def program(self) -> Path:
        return self.folder / "bin" / "seqthink"

    def run(
        self, *arguments: str | Path, cwd: Path, variables: Mapping[str, str] | None = None, stdin: str = ""
    ) -> CompletedCommand:
        """Run a program of the environment's `bin` folder in ``cwd``, and return its result."""
        name, *rest = map(str, arguments)
        return subprocess.run(
            [str(self.folder / "bin" / name), *rest],
            cwd=cwd,
            env=outside() | dict(variables or {}),
            input=stdin,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
        )


def outside() -> dict[str, str]:
    """Return the test's environment without anything that leads to the source tree."""
    return {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}


def pinned_names(pins: Path = RUNTIME_PINS) -> list[str]:
    """Return the packages that a user gets, by name, those of other platforms included."""
    return re.findall(r"^([\w.-]+)==", pins.read_text(encoding="utf-8"), re.MULTILINE)


def install(wheel: Path, folder: Path) -> Installed:
    """Make an environment in ``folder``: the wheel, installed, and the packages of `.ci/runtime.txt`, linked to ours.

    Links in place of copies: a hundred megabytes less, and nothing has to be compiled again. Whether an installer finds
    the same packages is for `.ci/wheel` to show, which fetches them.
    """
    uv = shutil.which("uv")
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    for source in _top_levels(pinned_names()):
        if not (packages / source.name).exists():
            (packages / source.name).symlink_to(source)
    python = str(folder / "bin" / "python")
    # fmt: off
    installer = (
        [sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-cache-dir",
         "--disable-pip-version-check"]
        if uv is None  # then pip has installed this environment, and a copy of its own would take seconds
        else [uv, "pip", "install", "--python", python, "--offline", "--no-cache", "--compile-bytecode", "--no-config"]
    )
    # fmt: on
    home = folder / "home"
    home.mkdir()
    subprocess.run(
        [*installer, "-q", "--no-deps", str(wheel)],
        env=outside() | {"HOME": str(home)}, capture_output=True, check=True, timeout=TIMEOUT_SECONDS,
    )  # fmt: skip
    return Installed(folder)


def _top_levels(names: list[str]) -> Iterator[Path]:
    """Yield the files and folders at the top of site-packages that belong to the named packages."""
    seen: set[Path] = set()
    for name in names:
        try:
            found = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another platform
        for path in found.files or []:
            if path.parts[0] not in {"..", "__pycache__"}:
                seen.add(Path(str(found.locate_file(path.parts[0]))))
    yield from sorted(seen)
