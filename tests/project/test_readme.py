"""What the README shows is so: commands run, configurations parse, the drawing is the code's, pictures are there."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.audit.config import parse_config
from seqthink.connect.clients.registry import CLIENTS
from tests.conftest import PROJECT
from tests.project.test_project import pyproject
from tests.support.depth import first
from tests.support.docs import readme
from tests.support.docs.proofs import HERE, given_texts, lay_out, prove

BOUND_SECONDS = 120


@pytest.fixture
def desk(tmp_path: Path, seqthink_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder to run commands in."""
    return lay_out(tmp_path / "desk", seqthink_home, monkeypatch)


# Commands


@pytest.mark.parametrize("command", first(3, sorted({*readme.shell_commands()})))
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


@pytest.mark.deep  # whoever runs the suite has run the target
def test_make_test_runs_tests(tmp_path: Path) -> None:
    assert "passed" in run_target("test", "-v -n 0 -p no:randomly tests/core/test_times.py", tmp_path)


def test_every_fence_is_of_a_kind_that_is_tested() -> None:
    kinds = {block.language for block in readme.all_blocks()}

    assert kinds == {"sh", "json", "text"}
    assert all(block.language in {"json", "text"} or len(block.text.split()) > 1 for block in readme.all_blocks())


# Configurations, answers, a line of a journal


@pytest.mark.parametrize("block", [block.text for block in readme.blocks("json")])
def test_a_piece_of_json_is_a_configuration_an_answer_or_a_line(block: str) -> None:
    value = json.loads(block)

    if "mcpServers" in value:
        assert value == json.loads(CLIENTS["cursor"].snippet(HERE))
    elif "threshold" in value:
        parsed = parse_config(f"```gan-config\n{block}```")
        assert (parsed.given_settings, parsed.problems) == (value.keys(), ())
    elif "v" in value:
        assert block in readme.SAMPLE.read_text(encoding="utf-8")
    else:
        assert block.strip() in given_texts()


def test_the_clients_of_the_text_are_those_there_are() -> None:
    [line] = [line for line in readme.prose().splitlines() if line.startswith("The clients: ")]

    assert readme.codes(line) == list(CLIENTS)


# Drawing, pictures


def test_the_drawing_is_what_its_command_prints() -> None:
    assert readme.drawing() == readme.run(readme.drawing_command())


def test_the_first_picture_is_the_one_that_moves_and_each_is_there() -> None:
    pictures = re.findall(r"!\[[^\]]{20,}\]\((screenshots/[\w-]+\.(?:svg|png))\)", readme.prose())

    assert pictures[0] == "screenshots/demo.svg"
    assert len(pictures) == readme.prose().count("![")
    assert [path for path in pictures if not (PROJECT / path).is_file()] == []


# How it works


def test_every_module_of_the_map_is_there_and_every_package_is_on_the_map() -> None:
    named = [path for where, _ in readme.rows("Where") for path in readme.codes(where)]
    packages = {f"{path.parent.relative_to(PROJECT)}/" for path in (PROJECT / "seqthink").glob("*/__init__.py")}
    modules = {f"seqthink/{path.name}" for path in (PROJECT / "seqthink").glob("[!_]*.py")}

    assert [path for path in named if not (PROJECT / path).exists()] == []
    assert set(named) == packages | modules | {"tui/"}


def test_the_python_that_is_asked_for_is_the_project_s() -> None:
    least = pyproject()["project"]["requires-python"].removeprefix(">=")

    assert f"Python {least} or newer" in readme.text()
