"""`sessions`: thousands of journals, read and remembered, beside an interpreter and `ls -l`; and of transcripts."""

import os
import resource
import shutil
import subprocess
from pathlib import Path
from statistics import median
from time import perf_counter, time

from tests.bench import transcripts
from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import python
from tests.support.journals.build import JournalBuilder
from tests.support.servers.commands import environment

GOALS = {2_000: 0.15, 20_000: 1.0}
TRANSCRIPTS = (500, 5_000)
_TRANSCRIPT_BYTES = 200_000
_TEXT = "The pool of the checkout starves while the report job holds its connections. " * 8
_HOUR = 3600


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """List each folder once as it is, then again and again."""
    tables: list[Table] = []
    for count, goal in GOALS.items() if not is_quick else [(2_000, GOALS[2_000])]:
        home = folder / str(count)
        _fill(home / "sessions", count, 30 if count == 2_000 else 1)
        tables.append(_table(home, count, goal, 5 if is_quick else 15))
        shutil.rmtree(home)
    for count in TRANSCRIPTS[:1] if is_quick else TRANSCRIPTS:
        tables.append(_of_clients(folder / "clients", count))
        shutil.rmtree(folder / "clients")
    return tables


def _of_clients(home: Path, count: int) -> Table:
    """List that many sessions of clients, all of which have to be read."""
    transcripts.fill(home, count, count * _TRANSCRIPT_BYTES)
    variables = environment(HOME=str(home), SEQTHINK_HOME=str(home / "seqthink"))
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    ours = python("seqthink", "sessions")
    table = Table(f"sessions: {count:,} sessions of clients, 200 KB each", ["process", "wall", "CPU"])
    for name, more in (("as it is", {}), ("SEQTHINK_READ_SECONDS=0", {"SEQTHINK_READ_SECONDS": "0"})):
        table.add(name, *map(seconds, _run(ours, variables | more)))
    return table


def _table(home: Path, count: int, goal: float, rounds: int) -> Table:
    variables = environment(SEQTHINK_HOME=str(home))
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
    ours = python("seqthink", "sessions", "--sources", "journal")
    commands = {
        "python -c pass": [ours[0], "-c", "pass"],
        "ls -l": ["ls", "-l", str(home / "sessions")],
        "seqthink sessions --sources journal": ours,
        "seqthink sessions --sources journal --json": [*ours, "--json"],
    }
    _run(commands["python -c pass"], variables)
    first = {name: _run(command, variables) for name, command in commands.items()}
    again: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            again[name].append(_run(command, variables))
    table = Table(
        f"sessions: {count:,} journals, the whole process, in a pipe",
        ["process", "first time: wall", "CPU", "again: wall", "CPU", "goal", ""],
    )
    for name, taken in again.items():
        wall, cpu = (median(values) for values in zip(*taken, strict=True))
        is_ours = name.startswith("seqthink")
        cells = [*map(seconds, (*first[name], wall, cpu)), f"≤ {seconds(goal)}" if is_ours else ""]
        table.add(name, *cells, verdict(wall <= goal) if is_ours else "")
    return table


def _fill(folder: Path, count: int, thoughts: int) -> None:
    """Write journals that ended some hours ago, one after the other."""
    folder.mkdir(parents=True)
    builder = JournalBuilder().session()
    for place in range(1, thoughts + 1):
        builder.thought(f"{place}. {_TEXT}", place, thoughts, next=place < thoughts)
    data = builder.end().data
    for number in range(count):
        path = folder / f"20260101T000000.{number:06}Z-aaaaaa.jsonl"
        path.write_bytes(data)
        moment = time() - _HOUR - (count - number)
        os.utime(path, (moment, moment))


def _run(command: list[str], variables: dict[str, str]) -> tuple[float, float]:
    """Return the seconds that a process took, and those of the processor."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    took, after = perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
