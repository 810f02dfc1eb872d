"""`make fleet`: an engine, three machines and the wall; and nothing of them is left behind."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from seqthink.cli.stories.engine_program import INSTALL, PROGRAMS, find_program
from seqthink.cli.stories.three_machines import MACHINES
from seqthink.journal.folder import ID_ALPHABET
from seqthink.sources.fleet.layout import is_origin
from tests.support.depth import first
from tests.support.screens.terminal import Terminal
from tests.support.servers.commands import environment

COMMAND = [sys.executable, "-m", "seqthink.cli.stories.three_machines"]
ENGINE = pytest.mark.skipif(find_program() is None, reason="neither redis-server nor valkey-server is on the PATH")


def run_with(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *options],
        env=environment(PATH=str(path)),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        encoding="utf-8",
    )


def test_without_an_engine_it_says_which_package_to_install(tmp_path: Path) -> None:
    done = run_with(tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{INSTALL}\n")
    assert all(word in INSTALL for word in ("apt install redis-server", "dnf install valkey", "brew install redis"))


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_engine_that_ends_at_once_is_said_in_a_line(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
    (tmp_path / name).chmod(0o755)

    done = run_with(tmp_path)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"the fleet does not start: {name} ended at once: it says nothing\n"


def test_the_origins_are_names_as_the_shipper_makes_them() -> None:
    origins = [machine.origin for machine in MACHINES]

    assert len(set(origins)) == 3
    assert all(is_origin(origin) for origin in origins)
    assert all(set(origin.rpartition("-")[2]) <= set(ID_ALPHABET) for origin in origins)
    assert all(len(origin.rpartition("-")[2]) == 6 for origin in origins)


@pytest.mark.deep  # an engine, three servers and a wall
@ENGINE
def test_a_wall_that_fails_ends_it_all(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND,
        env=environment(TMPDIR=str(tmp_path), TERM="dumb"),
        stdin=subprocess.DEVNULL,  # no terminal: the wall cannot be shown
        capture_output=True,
        check=False,
        encoding="utf-8",
    )

    assert done.returncode != 0
    assert "the wall ended with status" in done.stderr
    assert "Traceback" not in done.stderr
    assert_gone(tmp_path)


@pytest.mark.deep  # an engine, three servers and a wall
@ENGINE
@pytest.mark.parametrize("how", first(1, ["key", "signal"]))
def test_nothing_is_left_behind_and_nothing_was_lost(how: str, tmp_path: Path) -> None:
    with Terminal(COMMAND, (120, 35), variables={"TMPDIR": str(tmp_path)}) as terminal:
        terminal.until("laptop")
        if how == "key":
            terminal.type("q")
        else:
            terminal.process.send_signal(signal.SIGTERM)
        status = terminal.end()

    assert "Traceback" not in terminal.text
    if how == "key":
        assert status == 0
        assert re.search(
            r"3 machines, \d sessions, \d+ lines: the engine has each of them, byte for byte", terminal.text
        )
    else:
        assert status == 130
    assert_gone(tmp_path)


def assert_gone(folder: Path) -> None:
    """See that no process works in the folder, and that it is empty."""
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, check=True, encoding="utf-8").stdout

    assert str(folder) not in found
    assert [path.name for path in folder.glob("seqthink-fleet-*")] == []
