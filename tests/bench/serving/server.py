"""`server`: start, speed and memory of `seqthink serve` on both server paths, beside the Node reference."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.stdio import Server
from tests.bench.terminal import ROOT, python

REFERENCE = "@modelcontextprotocol/server-sequential-thinking"
FAST_PATH, SDK_PATH, NODE = "seqthink serve", "seqthink serve --no-front", "Node reference"
UNCOMPILED = "seqthink serve, not compiled"
_MIB = 1 << 20


class Size(NamedTuple):
    """Sizes of the measurement."""

    starts: int
    rounds: int
    alone: int
    together: int
    thoughts: int


class Found(NamedTuple):
    """Results of one server: seconds, calls per second, bytes."""

    first_answer: float
    p50: float
    p99: float
    rate: float
    cpu: float
    idle: float
    full: float


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure the servers in turn, so that a slow moment of the machine affects all of them alike."""
    size = Size(5, 2, 500, 5_000, 10_000) if is_quick else Size(15, 7, 2_000, 20_000, 100_000)
    table = Table(
        f"server: {size.rounds} rounds by turns; 500-character thoughts, thought logging off; 64 calls in flight",
        ["server", "first answer", "p50", "p99", "calls/s", "CPU a call", "MiB at start", f"at {size.thoughts:,}"],
    )
    commands = {FAST_PATH: python("seqthink", "serve"), SDK_PATH: python("seqthink", "serve", "--no-front")}
    reference, reason = _reference(folder)
    if reference:
        commands[NODE] = reference
    else:
        table.notes.append(f"The Node reference was left out: {reason}")
    started = _started_by_turns(commands, folder, size.starts)
    found = _measured(commands, folder, size, started)
    for name, result in found.items():
        speeds = (
            f"{result.p50 * 1e3:.2f} ms",
            f"{result.p99 * 1e3:.2f} ms",
            f"{result.rate:,.0f}",
            f"{result.cpu * 1e6:.0f} µs",
        )
        table.add(name, seconds(result.first_answer), *speeds, f"{result.idle / _MIB:.0f}", f"{result.full / _MIB:.0f}")
    uncompiled = started[UNCOMPILED]
    table.notes.append(
        f"Where Python finds no compiled code and may write none, the first answer takes {seconds(uncompiled)}."
    )
    return [table, _goals(found[FAST_PATH], found[NODE], uncompiled)] if reference else [table]


def _goals(ours: Found, theirs: Found, uncompiled: float) -> Table:
    table = Table(
        "server: goals of the fast path, as shares of the reference's figures",
        ["goal", "found", "verdict"],
    )

    def add(name: str, share: float, most: float, bound: str, *, is_bounded: bool) -> None:
        table.add(f"{name} ≤ {most}×{bound}", f"{share:.2f}×", verdict(share <= most and is_bounded))

    for name, first in (("first answer", ours.first_answer), ("first answer, not compiled", uncompiled)):
        add(name, first / theirs.first_answer, 0.2, ", ≤ 100 ms", is_bounded=first <= 0.1)
    add("p50", ours.p50 / theirs.p50, 0.8, "", is_bounded=True)
    add("CPU a call", ours.cpu / theirs.cpu, 0.6, "", is_bounded=True)
    add("memory when full", ours.full / theirs.full, 0.1, ", ≤ 16 MiB", is_bounded=ours.full <= 16 * _MIB)
    table.add("calls/s ≥ 1.2×", f"{ours.rate / theirs.rate:.2f}×", verdict(ours.rate >= 1.2 * theirs.rate))
    return table


def _started_by_turns(commands: Mapping[str, Sequence[str]], folder: Path, count: int) -> dict[str, float]:
    """Return the median time to the first answer of each server, and of ours where nothing is compiled."""
    environ = _environment(folder)
    cases = {name: (command, environ) for name, command in commands.items()}
    cases[UNCOMPILED] = (commands[FAST_PATH], _uncompiled_environment(folder))
    starts: dict[str, list[float]] = {name: [] for name in cases}
    for name in [*cases, *cases] * count:
        starts[name].append(_started(*cases[name]))
    # The first start has neither compiled code nor a warm file cache.
    return {name: median(times[1:]) for name, times in starts.items()}


def _measured(
    commands: Mapping[str, Sequence[str]], folder: Path, size: Size, started: Mapping[str, float]
) -> dict[str, Found]:
    environ = _environment(folder)
    speeds: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in commands}
    for name in [*commands] * size.rounds:
        speeds[name].append(_speed(commands[name], environ, size))
    found: dict[str, Found] = {}
    for name, command in commands.items():
        alone, slowest, rate, cpu = (median(column) for column in zip(*speeds[name], strict=True))
        found[name] = Found(started[name], alone, slowest, rate, cpu, *_memory(command, environ, size.thoughts))
    return found


def _environment(folder: Path) -> Mapping[str, str]:
    """Return an environment in which Python caches compiled code, as in an installed package."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ours = {"SEQTHINK_HOME": str(folder), "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    return {**environ, **ours, "DISABLE_THOUGHT_LOGGING": "true"}


def _uncompiled_environment(folder: Path) -> Mapping[str, str]:
    """Return an environment in which our code is not compiled and stays so, as in a checkout that cannot be written."""
    copy = folder / "uncompiled"
    shutil.copytree(ROOT / "seqthink", copy / "seqthink", ignore=shutil.ignore_patterns("__pycache__"))
    environ = {name: value for name, value in _environment(folder).items() if name != "PYTHONPYCACHEPREFIX"}
    # without the safe path, `python -m` would take the code of the current folder
    return {**environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONSAFEPATH": "1"}


def _started(command: Sequence[str], environ: Mapping[str, str]) -> float:
    server = Server(command, environ)
    server.close()
    return server.first_answer


def _speed(command: Sequence[str], environ: Mapping[str, str], size: Size) -> tuple[float, float, float, float]:
    server = Server(command, environ)
    try:
        server.think_together(500)
        alone = server.think(size.alone)
        took, cpu = server.think_together(size.together)
    finally:
        server.close()
    return median(alone), p99(alone), size.together / took, cpu / size.together


def _memory(command: Sequence[str], environ: Mapping[str, str], thoughts: int) -> tuple[int, int]:
    server = Server(command, environ)
    try:
        idle = server.resident
        server.think_together(thoughts)
        return idle, server.resident
    finally:
        server.close()


def _reference(folder: Path) -> tuple[list[str] | None, str]:
    """Return the command of the reference, installed in ``folder``; or None and the reason."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        return None, "no node and npm here"
    install = [npm, "install", "--prefix", str(folder / "node"), "--no-audit", "--no-fund", "--silent", REFERENCE]
    try:
        done = subprocess.run(install, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return None, "npm took longer than two minutes"
    program = folder / "node" / "node_modules" / REFERENCE / "dist" / "index.js"
    if done.returncode or not program.exists():
        return None, f"npm could not install it (exit {done.returncode})"
    return [node, str(program)], ""
