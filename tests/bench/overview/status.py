"""`status`: the line for tmux and scripts, with 20 live of 2,000 journals."""

import fcntl
import os
import subprocess
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, time

from tests.bench.report import Table, spread, verdict
from tests.bench.terminal import python
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import HOST
from tests.support.servers.commands import environment

GOAL_SECONDS = 0.04
LIVE, ALL = 20, 2_000
_TEXT = "The pool of the checkout starves while the report job holds its connections. " * 8


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Run the command again and again, beside an interpreter that does nothing."""
    sessions = folder / "sessions"
    sessions.mkdir()
    with ExitStack() as locks:
        for number in range(ALL):
            path = _write(sessions, number)
            if number >= ALL - LIVE:
                file = locks.enter_context(path.open("ab"))
                fcntl.flock(file, fcntl.LOCK_EX)
        variables = environment(SEQTHINK_HOME=str(folder))
        command = python("seqthink", "status", "--format", "tmux", "--sources", "journal")
        variables.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
        _run(command, variables)
        empty: list[float] = []
        took: list[float] = []
        for _ in range(15 if is_quick else 60):
            empty.append(_run([command[0], "-c", "pass"], variables))
            took.append(_run(command, variables))
    table = Table("status: 20 live of 2,000 journals, the whole process", ["process", "wall: median (range)", "goal"])
    table.add("python -c pass", spread(empty), "")
    table.add("seqthink status", spread(took), verdict(median(took) <= GOAL_SECONDS))
    return [table]


def _write(folder: Path, number: int) -> Path:
    """Write a journal of 30 thoughts; the live ones changed now, the others one after another in the last weeks."""
    now = datetime.fromtimestamp(time(), UTC) - timedelta(minutes=15 * (ALL - 1 - number) * (number < ALL - LIVE))
    builder = JournalBuilder(now - timedelta(seconds=300)).session(host=HOST)
    for place in range(1, 31):
        builder.thought(f"{place}. {_TEXT}", place, 30, next=place < 30 or number >= ALL - LIVE)
    if number < ALL - LIVE:
        builder.end()
    path = folder / f"{now:%Y%m%dT%H%M%S.%f}Z-{number:06}.jsonl"
    path.write_bytes(builder.data)
    os.utime(path, (now.timestamp(), now.timestamp()))
    return path


def _run(command: list[str], variables: dict[str, str]) -> float:
    began = perf_counter()
    subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True)
    return perf_counter() - began
