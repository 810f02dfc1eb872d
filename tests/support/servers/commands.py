"""Runs `seqthink` in a process of its own, a fork of a warm one where that makes no difference."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.conftest import PROJECT
from tests.support.servers.warm_commands import run_in_a_fork

TIMEOUT_SECONDS = 60.0
JOURNALS = PROJECT / "tests" / "journals"
SHOP_API = JOURNALS / "shop-api.jsonl"

CompletedCommand = subprocess.CompletedProcess[str]


def environment(**more: str) -> dict[str, str]:
    """Return the test's environment, with the project on the import path."""
    return os.environ | {"PYTHONPATH": str(PROJECT)} | more


def command(*arguments: str | Path) -> list[str]:
    """Return the command line of `seqthink` with ``arguments``."""
    return [sys.executable, "-m", "seqthink", *map(str, arguments)]


def seqthink(
    *arguments: str | Path, stdin: str | None = None, variables: Mapping[str, str] | None = None
) -> CompletedCommand:
    """Run a command without a terminal and return its result."""
    environ = environment() | dict(variables or {})
    return run_in_a_fork(command(*arguments), environ, stdin) or subprocess.run(
        command(*arguments),
        env=environ,
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
    )


def refusal_line(done: CompletedCommand) -> str:
    """Return the one line of stderr of a refused command, which must have written nothing else."""
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("seqthink: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.removeprefix("seqthink: ").rstrip("\n")
