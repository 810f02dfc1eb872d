"""What the README shows is so: commands run today, in a checkout, and pictures are there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import PROJECT
from tests.project.test_project import pyproject
from tests.support.docs import readme
from tests.support.docs.proofs import lay_out, prove

BOUND_SECONDS = 120


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in."""
    return lay_out(tmp_path / "desk", seqthink_home, monkeypatch)


# Commands


@pytest.mark.parametrize("command", sorted({*readme.shell_commands()}))
def test_a_command_does_what_it_is_there_for(command: str, desk: Path) -> None:
    prove(command, desk)


def first_screen() -> list[str]:
    """Return the commands above the first heading."""
    top = readme.text().split("\n## ", 1)[0]
    return [command for command in readme.shell_commands() if f"\n{command}" in top]


def run_target(target: str, arguments: str, home: Path) -> str:
    """Run a target of the Makefile with the tools of this very environment, and return what it printed."""
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "MAKE"))}
    done = subprocess.run(
        ["make", "-o", "install", f"BIN={Path(sys.executable).parent}", target, f"ARGS={arguments}"],
        cwd=PROJECT,
        env={**kept, "SEQTHINK_HOME": str(home)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=BOUND_SECONDS,
    )
    return done.stdout


def test_the_first_commands_need_nothing_but_a_checkout() -> None:
    commands = first_screen()

    assert commands[:2] == ["make demo", "make test"]
    assert [command for command in commands if command.startswith("uvx") or command.endswith("install seqthink")] == []


def test_make_demo_shows_thoughts(tmp_path: Path) -> None:
    assert "Checkout answers 502" in run_target("demo", "--fast", tmp_path)


@pytest.mark.deep  # running the suite has run the target
def test_make_test_runs_tests(tmp_path: Path) -> None:
    assert "passed" in run_target("test", "-v -n 0 -p no:randomly tests/core/test_times.py", tmp_path)


def test_a_fence_holds_commands_and_nothing_else() -> None:
    assert {block.language for block in readme.all_blocks()} == {"sh"}


# Pictures


def test_the_first_picture_is_the_one_that_moves_and_each_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]{20,}\]\((screenshots/[\w-]+\.(?:svg|png))\)", readme.prose())

    assert pictures[0] == "screenshots/demo.svg"
    assert len(pictures) == readme.prose().count("![")
    assert [path for path in pictures if not (PROJECT / path).is_file()] == []


# Requirements


def test_the_python_that_is_asked_for_is_the_project_s() -> None:
    least = pyproject()["project"]["requires-python"].removeprefix(">=")

    assert f"Python {least} or newer" in readme.text()
