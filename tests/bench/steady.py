"""`steady`, `soak`: a stream of thoughts: memory a thought in the viewer, and the delay until each is painted."""

import re
import time
from pathlib import Path
from statistics import median
from typing import Self

from tests.bench import journals
from tests.bench.live import P99_GOAL_SECONDS
from tests.bench.memory import GOAL_BYTES
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.terminal import TIMEOUT_SECONDS, Terminal, python, wait_seconds

STREAMS = ((10, 60), (100, 40), (1000, 200))
"""Thoughts per second, and the seconds for which they arrive."""
BEFORE = 1000
DAY_SECONDS, DAY_STEP_SECONDS, DAY_RATE = 24 * 3600, 4, 200
"""A day of the journal's clock, the time between two thoughts by it, and how many come in a real second."""
SOAK_MINUTES, SOAK_RATE = 60, 20
"""How long the soak lasts by default, and its thoughts a second."""
FILLING, FILLING_RATE = 1000, 100
"""Number and rate of thoughts sent first, to fill the caches: these are bounded and reported separately."""
_MARK = re.compile(rb"t(\d+)\.")
_MAX_MARK_BYTES = 12


class Painted:
    """Records when each thought, or a later one, first appears in the terminal's output."""

    def __init__(self) -> None:
        self.newest: list[tuple[int, float]] = [(0, 0.0)]
        self._rest = b""

    def hear(self, data: bytes, now: float) -> None:
        """Scan output that arrived at ``now``."""
        data = self._rest + data
        self._rest = data[-_MAX_MARK_BYTES:]
        place = max((int(found) for found in _MARK.findall(data)), default=0)
        if place > self.newest[-1][0]:
            self.newest.append((place, now))

    def delays(self, first: int, appended: list[float]) -> list[float]:
        """Return the seconds from append to screen for each thought from ``first`` on, and forget what came before."""
        found: list[float] = []
        frames = iter(self.newest)
        place, at = next(frames)
        for number, since in enumerate(appended, first):
            while place < number:
                place, at = next(frames)
            found.append(at - since)
        del self.newest[:-1]
        return found


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Watch a journal that grows at each rate, without a pause, and one that grows for a day."""
    table = Table(
        f"steady: a stream of thoughts into a viewer of {BEFORE:,} (pty, 140x45)",
        ["thoughts a second", "thoughts", *_MEMORY, *_DELAY, "CPU"],
    )
    for rate, span in STREAMS:
        _row(table, folder / f"steady-{rate}.jsonl", rate, rate * (span // 4 if is_quick else span))
    table.notes.append(f"caches full: after {FILLING:,} thoughts more; a thought's bytes are counted from there")
    table.notes.append("to bytes: from the append to the bytes of a row of that thought or of a later one")
    count = DAY_SECONDS // DAY_STEP_SECONDS // (4 if is_quick else 1)
    title = (
        f"steady: {'a quarter of a day' if is_quick else 'a day'}, a thought every {DAY_STEP_SECONDS} s of its clock"
    )
    return [table, _by_quarters(title, folder / "steady-day.jsonl", DAY_RATE, count)]


def soak(folder: Path, *, is_quick: bool, minutes: int = SOAK_MINUTES) -> list[Table]:
    """Watch a journal that grows for an hour, or for that many minutes."""
    minutes = 1 if is_quick else minutes
    title = f"soak: {minutes} min, {SOAK_RATE} thoughts a second"
    return [_by_quarters(title, folder / "soak.jsonl", SOAK_RATE, SOAK_RATE * 60 * minutes)]


def _by_quarters(title: str, path: Path, rate: int, count: int) -> Table:
    """Watch a journal that grows by ``count`` thoughts, ``rate`` a second, and report each quarter: a drift is seen."""
    table = Table(
        f"{title} ({count:,} thoughts, {rate} a second; pty, 140x45)",
        ["quarter", "MB", "bytes a thought", f"goal ≤ {GOAL_BYTES}", *_DELAY, "CPU"],
    )
    with _Stream(path, DAY_STEP_SECONDS) as stream:
        stream.pour(FILLING, FILLING_RATE)
        wait_seconds(1)
        quarter = max(1, count // 4)
        for name in range(1, 5):
            before, cpu, started = stream.terminal.resident, stream.terminal.cpu, time.perf_counter()
            delays = stream.pour(quarter, rate)
            share = (stream.terminal.cpu - cpu) / (time.perf_counter() - started)
            held = stream.terminal.resident
            each = (held - before) / quarter
            cells = (f"{held / 1e6:.1f}", f"{each:,.0f}", verdict(each <= GOAL_BYTES))
            table.add(f"{name}", *cells, *_delay_cells(delays), f"{share * 100:.0f} %")
    return table


_MEMORY = ("MB opened", "caches full", "at the end", "bytes a thought", f"goal ≤ {GOAL_BYTES}")
_DELAY = ("to bytes: median", "p99", f"goal ≤ {seconds(P99_GOAL_SECONDS)}")


class _Stream:
    """A viewer that follows a journal, and thoughts that are appended to it; a context manager."""

    def __init__(self, path: Path, seconds: float = 0.01) -> None:
        journals.write(path, BEFORE, is_over=False)
        self._path, self._seconds = path, seconds
        self._painted = Painted()
        self._newest = BEFORE
        self.terminal = Terminal(python("seqthink", "watch", str(path)), path.parent, self._painted.hear)

    def __enter__(self) -> Self:
        self.terminal.wait(journals.text_mark(BEFORE))
        wait_seconds(3)
        return self

    def __exit__(self, *_: object) -> None:
        self.terminal.__exit__()
        self._path.unlink()

    def pour(self, count: int, rate: int) -> list[float]:
        """Append thoughts at a rate and wait until the last is painted; return the seconds that each took."""
        places = range(self._newest + 1, self._newest + 1 + count)
        appended: list[float] = []
        started = time.perf_counter()
        with self._path.open("ab", 0) as file:
            for place in places:
                line = journals.line(place, places.stop, self._seconds)
                wait_seconds(max(0.0, started + len(appended) / rate - time.perf_counter()))
                appended.append(time.perf_counter())
                file.write(line)
                self.terminal.forget()
        self._newest = places[-1]
        bound = time.perf_counter() + TIMEOUT_SECONDS
        while self._painted.newest[-1][0] < self._newest:
            if time.perf_counter() > bound:
                raise TimeoutError(f"{self._newest} never came")
            wait_seconds(0.01)
        return self._painted.delays(places[0], appended)


def _delay_cells(delays: list[float]) -> tuple[str, str, str]:
    return seconds(median(delays)), seconds(p99(delays)), verdict(p99(delays) <= P99_GOAL_SECONDS)


def _row(table: Table, path: Path, rate: int, count: int) -> None:
    with _Stream(path) as stream:
        terminal = stream.terminal
        opened = terminal.resident
        stream.pour(FILLING, FILLING_RATE)
        wait_seconds(1)
        full, cpu, started = terminal.resident, terminal.cpu, time.perf_counter()
        delays = stream.pour(count, rate)
        share = (terminal.cpu - cpu) / (time.perf_counter() - started)
        held = terminal.resident
    each = (held - full) / count
    table.add(
        f"{rate:,}",
        f"{count:,}",
        *(f"{resident / 1e6:.1f}" for resident in (opened, full, held)),
        f"{each:,.0f}",
        verdict(each <= GOAL_BYTES),
        *_delay_cells(delays),
        f"{share * 100:.0f} %",
    )
