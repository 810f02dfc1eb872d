"""`steady`: a constant stream of thoughts: memory per thought in the viewer, and the delay until each is painted."""

import re
import time
from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.live import P99_GOAL_SECONDS
from tests.bench.memory import GOAL_BYTES
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.terminal import TIMEOUT_SECONDS, Terminal, python, wait_seconds

STREAMS = ((10, 60), (100, 40), (1000, 200))
"""Thoughts per second, and the seconds for which they arrive."""
BEFORE = 1000
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
        """Return the seconds from append to screen for each thought from ``first`` on."""
        found: list[float] = []
        frames = iter(self.newest)
        place, at = next(frames)
        for number, since in enumerate(appended, first):
            while place < number:
                place, at = next(frames)
            found.append(at - since)
        return found


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Watch a journal that grows at each rate, without a pause."""
    table = Table(
        f"steady: a stream of thoughts into a viewer of {BEFORE:,} (pty, 140x45)",
        ["thoughts a second", "thoughts", *_MEMORY, *_DELAY, "CPU"],
    )
    for rate, span in STREAMS:
        _row(table, folder / f"steady-{rate}.jsonl", rate, rate * (span // 4 if is_quick else span))
    table.notes.append(f"caches full: after {FILLING:,} thoughts more; a thought's bytes are counted from there")
    table.notes.append("to bytes: from the append to the bytes of a row of that thought or of a later one")
    return [table]


_MEMORY = ("MB opened", "caches full", "at the end", "bytes a thought", f"goal ≤ {GOAL_BYTES}")
_DELAY = ("to bytes: median", "p99", f"goal ≤ {seconds(P99_GOAL_SECONDS)}")


def _row(table: Table, path: Path, rate: int, count: int) -> None:
    journals.write(path, BEFORE, is_over=False)
    painted = Painted()
    first = BEFORE + FILLING + 1
    with (
        Terminal(python("seqthink", "watch", str(path)), path.parent, painted.hear) as terminal,
        path.open("ab", 0) as file,
    ):

        def pour(places: range, rate: int) -> list[float]:
            """Append thoughts at a rate and wait until the last is painted; return the time of each append."""
            appended: list[float] = []
            started = time.perf_counter()
            for place in places:
                line = journals.line(place, places.stop)
                wait_seconds(max(0.0, started + len(appended) / rate - time.perf_counter()))
                appended.append(time.perf_counter())
                file.write(line)
                terminal.forget()
            bound = time.perf_counter() + TIMEOUT_SECONDS
            while painted.newest[-1][0] < places[-1]:
                if time.perf_counter() > bound:
                    raise TimeoutError(f"{places[-1]} never came")
                wait_seconds(0.01)
            return appended

        terminal.wait(journals.text_mark(BEFORE))
        wait_seconds(3)
        opened = terminal.resident
        pour(range(BEFORE + 1, first), FILLING_RATE)
        wait_seconds(1)
        full, cpu, started = terminal.resident, terminal.cpu, time.perf_counter()
        delays = painted.delays(first, pour(range(first, first + count), rate))
        share = (terminal.cpu - cpu) / (time.perf_counter() - started)
        held = terminal.resident
    path.unlink()
    each = (held - full) / count
    table.add(
        f"{rate:,}",
        f"{count:,}",
        *(f"{resident / 1e6:.1f}" for resident in (opened, full, held)),
        f"{each:,.0f}",
        verdict(each <= GOAL_BYTES),
        seconds(median(delays)),
        seconds(p99(delays)),
        verdict(p99(delays) <= P99_GOAL_SECONDS),
        f"{share * 100:.0f} %",
    )
