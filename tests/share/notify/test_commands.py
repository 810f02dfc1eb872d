"""A command of the user: what it gets, how long it may take, and what becomes of what it starts."""

import json
import os
import sys
import time
from pathlib import Path

import pytest

from seqthink.share.notify.commands import run_command

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the commands are shell scripts")
LIMIT = 0.3


def test_it_gets_the_facts_in_its_environment_and_on_stdin_and_nothing_is_expanded(tmp_path: Path) -> None:
    text = "$(touch owned) `touch owned` $HOME; touch owned"
    script = (
        "import json, os, pathlib, sys;"
        "got = [os.environ['SEQTHINK_TEXT'], sys.stdin.read(), sys.argv[1:]];"
        "pathlib.Path(sys.argv[1]).write_text(json.dumps(got), 'utf-8')"
    )
    path = tmp_path / "got.json"
    outcome = run_command([sys.executable, "-c", script, str(path), "$HOME"], {"SEQTHINK_TEXT": text}, b"{}\n")

    assert (outcome.status, outcome.problem) == (0, "")
    assert json.loads(path.read_text("utf-8")) == [text, "{}\n", [str(path), "$HOME"]]


def test_it_runs_in_the_home_folder_and_a_program_there_may_be_named_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    program = tmp_path / "call me"
    program.write_text("#!/bin/sh\npwd\n", encoding="utf-8")
    program.chmod(0o700)

    assert run_command(["~/call me"], {}, b"", keeps_output=True).out.decode().strip() == str(tmp_path)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["no-such-program"], "cannot be started: no such file or directory"),
        (["/"], "cannot be started: permission denied"),
        (["nul\0"], "cannot be started: embedded null byte"),
        (["sh", "-c", "exit 3"], "exit status 3"),
        (["sh", "-c", "kill -9 $$"], "ended by signal 9"),
        (
            ["sh", "-c", "echo >&2; printf 'no\\033[31m host\\n' >&2; echo more >&2; exit 1"],
            "exit status 1: no␛[31m host",
        ),
        (["sleep", "60"], "took longer than 0.3 s and was killed"),
    ],
    ids=lambda value: str(value)[-12:],
)
def test_why_it_did_not_work_is_one_safe_line(words: list[str], problem: str) -> None:
    assert run_command(words, {}, b"{}\n", limit_seconds=LIMIT if words[0] == "sleep" else 10).problem == problem


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def test_one_that_takes_too_long_is_killed_with_what_it_started(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = f"sleep 600 & echo $! > {pid_file}; wait"
    outcome = run_command(["sh", "-c", script], {}, b"{}\n", limit_seconds=1)
    pid = int(pid_file.read_text("utf-8"))

    assert outcome.problem == "took longer than 1 s and was killed"
    deadline = time.monotonic() + 5
    while _is_running(pid):
        assert time.monotonic() < deadline
        os.sched_yield()


def test_one_that_reads_nothing_and_one_that_floods_its_output_hold_nothing_up() -> None:
    reads_nothing = run_command(["true"], {}, b"x" * (16 << 10))
    floods = run_command(["sh", "-c", "yes >&2"], {}, b"", limit_seconds=LIMIT)

    assert reads_nothing.problem == ""
    assert floods.problem == "took longer than 0.3 s and was killed: y"
    assert len(floods.err) <= 4096


def test_what_it_leaves_running_with_its_output_open_is_not_waited_for(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    outcome = run_command(["sh", "-c", f"sleep 600 & echo $! > {pid_file}"], {}, b"")
    pid = int(pid_file.read_text("utf-8"))

    assert (outcome.problem, _is_running(pid)) == ("", True)
    assert outcome.seconds < 5
    os.kill(pid, 9)
