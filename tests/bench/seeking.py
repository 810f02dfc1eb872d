"""`seek`: the cost of showing another position; it must depend on neither the distance nor the journal's length."""

import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from statistics import median

from msgspec.structs import replace

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.core.events import ThoughtEvent
from tests.bench import journals
from tests.bench.frames import HEIGHT, draw
from tests.bench.report import Table, seconds, verdict
from tui.state.viewport import Viewport

SEEKS = 30
FLAT = 3.0
"""The slowest seek may take this many times as long as the fastest: rows differ, and caches miss more."""
VIEWS = ("tree", "timeline")
SHAPES = {"straight": "straight", "robin": "64 branches in turn", "chains": "two chains, half each"}


def measure(_: Path, *, is_quick: bool) -> list[Table]:
    """Seek back and forth in journals of different lengths, over different distances."""
    lengths = [1000, 30_000] if is_quick else [1000, 10_000, 50_000]
    columns = ["shape, view, distance (CPU)", *(f"{length:,}" for length in lengths), "last / first"]
    table = Table("seek: another moment and the 40 rows drawn there, median", columns)
    for shape, name in SHAPES.items():
        found = [_seeks(length, shape) for length in lengths]
        for way in found[0]:
            times = [seek_times[way] for seek_times in found]
            table.add(f"{name}, {way}", *map(seconds, times), f"{times[-1] / times[0]:.1f}")
        for view in VIEWS:
            times = [time for seek_times in found for way, time in seek_times.items() if way.startswith(view)]
            ratio = max(times) / min(times)
            table.notes.append(
                f"{name}, {view}: slowest / fastest {ratio:.1f}, goal ≤ {FLAT:.0f}: {verdict(ratio <= FLAT)}"
            )
    return [table]


def _events(length: int, shape: str) -> Iterator[ThoughtEvent]:
    if shape != "chains":
        return journals.events(length, shape)
    halves = (journals.events(length // 2, "straight") for _ in range(2))
    return (
        replace(event, seq=event.seq + half * (length // 2)) for half, events in enumerate(halves) for event in events
    )


def _seeks(length: int, shape: str) -> dict[str, float]:
    """Return the cost of a seek for tree and timeline and each distance."""
    fold, viewing = Fold(), Viewport()
    viewing.resize(HEIGHT)
    events = _events(length, shape)
    while part := list(islice(events, 1000)):
        for event in part:
            fold.evolve(event)
        viewing.update(fold.session())
    whole, found = fold.session(), dict[str, float]()
    for name in VIEWS:
        for distance in ("1", "1,000", "half", "whole"):
            step = {"half": length // 2, "whole": length}.get(distance) or int(distance.replace(",", ""))
            found[f"{name}, {distance}"] = _median(viewing, whole, min(step, length - HEIGHT - 1))
        viewing.toggle_timeline()
    return found


def _median(viewing: Viewport, whole: Session, step: int) -> float:
    """Seek back and forth between two positions with a full screen of rows, each pair elsewhere."""
    times: list[float] = []
    room = whole.thought_count - 1 - HEIGHT - step
    for number in range(SEEKS):
        first = HEIGHT + room * (number % 7) // 7
        for count in (first, first + step):
            started = time.process_time()
            viewing.follow()
            viewing.update(whole.at(whole.positions.after_thought(count)), whole)
            draw(viewing)
            times.append(time.process_time() - started)
    return median(times)
