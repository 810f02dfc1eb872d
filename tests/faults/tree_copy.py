"""A copy of the project in which faults are planted: with its own environment, so that programs run the copy's code."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from msgspec import Struct

from tests.conftest import PROJECT
from tests.faults.catalogue import Fault

MAX_SECONDS = 1800
"""A fault under which the tests run longer counts as found: they hang."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) ([^\s\[]+(?:\[.*?\])?)(?= - |$)", re.MULTILINE)
"""The line of a failed test in pytest's summary; the values of its parameters may have spaces."""
_NOTHING_RAN = 5
"""pytest's exit status for a selection without tests."""


class SuiteRun(Struct, frozen=True):
    """How the tests of a selection ended."""

    failed: str
    """The first test that failed; empty if none did."""
    seconds: float


class TreeCopy:
    """A copy of the working tree.

    Args:
        folder: where it is to be; what is there is replaced.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if folder.exists():
            shutil.rmtree(folder)
        _git(PROJECT.parent, "clone", "-q", "--shared", str(PROJECT), str(folder))
        for name in _git(PROJECT, "ls-files", "-z", "-mo", "--exclude-standard").split("\0"):
            source, target = PROJECT / name, folder / name
            if name and source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
            elif name:
                target.unlink(missing_ok=True)
        self._copy_environment()

    def _copy_environment(self) -> None:
        """Copy `.venv` by links; its programs and its way to the project's code are those of the copy."""
        source, target = PROJECT / ".venv", self._folder / ".venv"
        shutil.copytree(source, target, symlinks=True, copy_function=_linked)
        ways = [
            path for path in target.glob("lib/python*/site-packages/*.pth") if str(PROJECT) in path.read_text("utf-8")
        ]
        programs = [path for path in (target / "bin").iterdir() if path.is_file() and not path.is_symlink()]
        for path in [*ways, *programs]:
            data = path.read_bytes()
            if bytes(PROJECT) in data:
                mode = path.stat().st_mode
                path.unlink()  # a link to the original
                path.write_bytes(data.replace(bytes(PROJECT), bytes(self._folder)))
                path.chmod(mode)

    @contextmanager
    def planted(self, fault: Fault) -> Generator[None]:
        """Plant a fault, and take it away again."""
        path = self._folder / fault.file
        text = path.read_text("utf-8")
        try:
            self._write(path, text.replace(fault.before, fault.after))
            yield
        finally:
            self._write(path, text)

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.write_text(text, "utf-8")
        # Python compares the time in seconds and the size, which may both be equal.
        for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
            compiled.unlink()

    def places_of(self, fault: Fault) -> int:
        """Return in how many places a fault could be planted."""
        return fault.places_in(self._folder)

    def run(self, selection: Sequence[str]) -> SuiteRun:
        """Run tests until the first one fails."""
        began = monotonic()
        process = subprocess.Popen(
            [".venv/bin/python", "-m", "pytest", "-x", "-q", "--tb=no", "-rfE", *selection],
            cwd=self._folder,
            env=_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            return SuiteRun("(hangs)", monotonic() - began)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        if process.returncode in {0, _NOTHING_RAN}:
            return SuiteRun("", monotonic() - began)
        return SuiteRun(first_failed(output) or "(no test can run)", monotonic() - began)


def first_failed(output: str) -> str:
    """Return the name of the first failed test in pytest's output; empty if it names none."""
    found = _FAILED.search(output)
    return found[1] if found else ""


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _environment() -> dict[str, str]:
    without = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"}
    return {name: value for name, value in os.environ.items() if name not in without} | {
        "PYTHONWARNDEFAULTENCODING": "1"
    }


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout
