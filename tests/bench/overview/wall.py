"""`wall`: from an append to the painted tile while six agents think; the viewer's CPU then, and without news."""

import fcntl
import re
import socket
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.terminal import Terminal, python, wait_seconds
from tests.support.journals.build import JournalBuilder

AGENTS, RATE = 6, 20
"""How many agents think, and how many thoughts each has in a second."""
GOAL_CPU_SHARE, IDLE_GOAL_CPU_SHARE = 0.4, 0.006
RECORDS_A_SECOND, P99_GOAL_SECONDS = 200, 0.060
"""Records in all tiles together, and from when one is appended to when it is painted."""
SILENT = 20
HISTORY = 2_000
"""Old journals in the folder."""


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Show the wall while six agents think, while twenty are silent, and beside many old journals."""
    span = 10 if is_quick else 30
    painted = _painted(_folder(folder / "painted", AGENTS, 100), span)
    table = Table(f"wall: CPU over {span} s (pty, 140x45)", ["what happens", "CPU", "goal", ""])
    thinking = _folder(folder / "thinking", AGENTS, 100)
    silent = _folder(folder / "silent", SILENT, 100)
    beside = _folder(folder / "beside", SILENT, 100, history=HISTORY // 10 if is_quick else HISTORY)
    _row(table, f"{AGENTS} agents, {RATE} thoughts a second each", thinking, span, RATE, GOAL_CPU_SHARE)
    _row(table, f"{SILENT} silent sessions", silent, span, 0, IDLE_GOAL_CPU_SHARE)
    _row(table, f"{SILENT} silent sessions of many old ones", beside, span, 0, IDLE_GOAL_CPU_SHARE)
    return [painted, table]


def _painted(home: Path, span: int) -> Table:
    """Append to six live tiles in turn; a record that others hide before it is painted is left out."""
    appended, seen, waiting = dict[int, float](), dict[int, float](), bytearray()

    def hear(data: bytes, now: float) -> None:
        waiting.extend(data)
        for mark in re.finditer(rb"t(\d+)\.", waiting):
            seen.setdefault(int(mark[1]), now)
        del waiting[:-16]

    with ExitStack() as held:
        files = [held.enter_context(path.open("ab", 0)) for path in sorted((home / "sessions").glob("20260310*"))]
        for file in files:
            fcntl.flock(file, fcntl.LOCK_EX)
        terminal = held.enter_context(Terminal(python("seqthink", "watch", "--all"), home, hear))
        terminal.wait(journals.text_mark(100))
        wait_seconds(4)
        started = time.perf_counter()
        for number in range(span * RECORDS_A_SECOND):
            wait_seconds(max(0.0, started + number / RECORDS_A_SECOND - time.perf_counter()))
            line = journals.line(1000 + number, 10_000)
            appended[1000 + number] = time.perf_counter()
            files[number % len(files)].write(line)
        wait_seconds(1)
    found = [seen[place] - at for place, at in appended.items() if place in seen]
    table = Table(
        f"wall: append to painted tile, {RECORDS_A_SECOND} records a second", ["tiles", "median", "p99", "goal", ""]
    )
    last = p99(found)
    goal = f"p99 ≤ {seconds(P99_GOAL_SECONDS)}"
    table.add(f"{AGENTS} live", seconds(median(found)), seconds(last), goal, verdict(last <= P99_GOAL_SECONDS))
    return table


def _folder(home: Path, count: int, thoughts: int, history: int = 0) -> Path:
    sessions = home / "sessions"
    sessions.mkdir(parents=True)
    for number in range(history):
        JournalBuilder().session().thought("Old", 1, 1, next=False).end().write(
            sessions / f"20260101T000000.{number:06}Z-aaaaaa.jsonl"
        )
    for number in range(count):
        path = journals.write(sessions / f"20260310T140200.{number:06}Z-aaaaaa.jsonl", thoughts, is_over=False)
        path.write_bytes(path.read_bytes().replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode(), 1))
    return home


def _row(table: Table, name: str, home: Path, span: int, rate: int, goal: float) -> None:
    paths = sorted((home / "sessions").glob("20260310*"))
    with ExitStack() as held:
        files = [held.enter_context(path.open("ab", 0)) for path in paths]
        for file in files:
            fcntl.flock(file, fcntl.LOCK_EX)
        terminal = held.enter_context(Terminal(python("seqthink", "watch", "--all"), home))
        terminal.wait(journals.text_mark(100))
        wait_seconds(4)
        before, started = terminal.cpu, time.perf_counter()
        for place in range(101, 101 + max(1, span * max(1, rate))):
            wait_seconds(max(0.0, started + (place - 100) / max(1, rate) - time.perf_counter()))
            for file in files if rate else ():
                file.write(journals.line(place, 10_000))
        share = (terminal.cpu - before) / (time.perf_counter() - started)
    table.add(name, f"{share * 100:.2f} %", f"≤ {goal * 100:g} %", verdict(share <= goal))
