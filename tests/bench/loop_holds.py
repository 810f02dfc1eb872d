"""`hold`: the longest time the event loop is blocked in long journals; no key is answered meanwhile."""

import asyncio
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path

from textual.pilot import Pilot

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.bench import journals
from tests.bench.report import Table, seconds, verdict
from tui.app import Viewer
from tui.settings import Settings
from tui.terminal.memory_tuning import disable_automatic_full_collections

GOAL_SECONDS = 0.030
_SIZE = (140, 45)
_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("`g` and `G`", ("g", "G")),
    ("page up, thrice", ("pageup",) * 3),
    ("`h` to the head, fold, unfold", ("h", "h", "l")),
    ("`t`, the first time", ("t",)),
    ("`t`, back to the tree", ("t",)),
    ("`/`, 1 hit in 90", ("slash", *"t77", "enter")),
    ("`n`, twice", ("n", "n", "escape")),
    ("`&`, 1 row in 90", ("ampersand", *"t77", "enter")),
    ("`g` and `G` while filtered", ("g", "G")),
    ("`Esc`: all rows again", ("escape",)),
    ("`,` thrice", ("comma",) * 3),
    ("`[` thrice", ("left_square_bracket",) * 3),
    ("`Home`", ("home",)),
    ("`End`", ("end",)),
)


class LoopHolds:
    """Records the CPU time of each event loop turn; other programs do not count."""

    def __init__(self) -> None:
        self.longest = 0.0

    @contextmanager
    def recorded(self) -> Generator[None]:
        """Start recording turns."""
        plain: Callable[[asyncio.Handle], None] = asyncio.Handle._run  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType] - the bench stands in for the loop's own

        def run(handle: asyncio.Handle) -> None:
            started = time.thread_time()
            plain(handle)
            self.longest = max(self.longest, time.thread_time() - started)

        asyncio.Handle._run = run  # pyright: ignore[reportAttributeAccessIssue] - the bench stands in for the loop's own
        try:
            yield
        finally:
            asyncio.Handle._run = plain  # pyright: ignore[reportAttributeAccessIssue] - the bench stands in for the loop's own

    def take_longest(self) -> float:
        """Return the longest turn since the last time."""
        longest, self.longest = self.longest, 0.0
        return longest


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Open a long journal of every shape, and press the most expensive keys."""
    length = 30_000 if is_quick else 50_000
    found: dict[str, dict[str, tuple[float, float]]] = {}
    disable_automatic_full_collections()
    for shape in journals.SHAPES:
        path = journals.write(folder / f"hold-{shape}.jsonl", length, shape)
        found[shape] = asyncio.run(_held(path))
        path.unlink()
    table = Table(
        f"hold: the longest turn of the event loop (CPU) at {length:,} thoughts, and how long all took",
        ["while", *journals.SHAPES, f"goal ≤ {seconds(GOAL_SECONDS)}"],
    )
    for step in next(iter(found.values())):
        held = [found[shape][step] for shape in journals.SHAPES]
        cells = (f"{seconds(longest)} of {seconds(took)}" for longest, took in held)
        table.add(step, *cells, verdict(max(longest for longest, _ in held) <= GOAL_SECONDS))
    return [table]


async def _held(path: Path) -> dict[str, tuple[float, float]]:
    """Return the longest hold and the time of each step."""
    settings = Settings(
        folder=path.parent,
        catalog=SessionCatalog(FolderPlace(path.parent)),
        clock=lambda: time.time_ns() // 1000,
        zone=UTC,
        has_motion=False,
    )
    app, holds = Viewer(path, settings), LoopHolds()
    found: dict[str, tuple[float, float]] = {}
    with holds.recorded():
        started = time.perf_counter()
        async with app.run_test(size=_SIZE) as pilot:
            holds.take_longest()  # the start of the widgets
            await _until(lambda: app.is_ready)
            found["opening"] = holds.take_longest(), time.perf_counter() - started
            for name, keys in _KEYS:
                started = time.perf_counter()
                await _press(app, pilot, keys)
                found[name] = holds.take_longest(), time.perf_counter() - started
    return found


async def _press(app: Viewer, pilot: Pilot[str], keys: tuple[str, ...]) -> None:
    for key in keys:
        await pilot.press(key)
        await _until(lambda: app.is_ready)
    await _until(lambda: all(worker.is_finished for worker in app.workers if worker.group in {"rows", "find"}))


async def _until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - the app has no event for having drawn
        await asyncio.sleep(0.01)
