"""`frame`: the cost of one step in short and long journals; a frame's work must not depend on the length."""

import asyncio
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median

from textual.app import App, ComposeResult
from textual.widgets import Tree as BuiltIn
from typing_extensions import override

from seqthink.chain.fold import Fold
from seqthink.drawing.rows.painter import Painter
from tests.bench import journals
from tests.bench.report import Table, seconds, verdict
from tests.support.journals.given_texts import GivenTexts
from tui.state.viewport import Viewport

HEIGHT, WIDTH, SCREEN = 40, 79, 140
STEPS = 40
FLAT = 2.0
"""A step in the longest journal may cost this many times as much as in the shortest: caches miss more there."""


def measure(_: Path, *, is_quick: bool) -> list[Table]:
    """Step through journals of every shape and length, and append to Textual's own tree."""
    lengths = [1000, 30_000] if is_quick else [1000, 10_000, 50_000]
    columns = ["shape, step (CPU)", *(f"{length:,}" for length in lengths), "last / first", f"goal ≤ {FLAT:.0f}"]
    table = Table("frame: one step and the 40 rows drawn after it, median", columns)
    for shape in journals.SHAPES:
        found = [_steps(length, shape) for length in lengths]
        for step in found[0]:
            ratio = found[-1][step] / found[0][step]
            times = (seconds(step_times[step]) for step_times in found)
            table.add(f"{journals.WORDS[shape]}, {step}", *times, f"{ratio:.1f}", verdict(ratio <= FLAT))
    return [table, _built_in([1000] if is_quick else [1000, 10_000])]


def _steps(length: int, shape: str) -> dict[str, float]:
    """Return the cost of each step at the end of a journal of ``length`` thoughts."""
    more = journals.events(length + 2 * STEPS, shape)
    fold, viewing = Fold(), Viewport()
    viewing.resize(HEIGHT)
    for place, event in enumerate(islice(more, length), start=1):
        fold.evolve(event)
        if place % 1000 == 0:
            viewing.update(fold.session())
    viewing.update(fold.session())
    session = fold.session()

    def append(_: int) -> None:
        fold.evolve(next(more))
        viewing.update(fold.session())
        draw(viewing)

    def seek(number: int) -> None:
        viewing.tree.show(session.at_thought(max(2, length * (number * 7 % 11 + 1) // 12)))
        viewing.follow()
        draw(viewing)

    return {
        "fold": _median(lambda _: fold.evolve(next(more))),
        "append": _median(append),
        "scroll": _median(lambda _: _drawn(viewing, lambda: viewing.move(-1))),
        "page": _median(lambda _: _drawn(viewing, lambda: viewing.move(-HEIGHT))),
        "seek": _median(seek),
    }


def _drawn(viewing: Viewport, step: Callable[[], None]) -> None:
    step()
    draw(viewing)


def draw(viewing: Viewport) -> None:
    """Draw the rows in view."""
    tree = viewing.tree
    painter = Painter(
        tree=tree,
        texts=GivenTexts(tree.session, lambda index: f"thought {index} of many"),
        width=WIDTH,
        screen_width=SCREEN,
        selected=viewing.selected,
    )
    for row in range(viewing.top, min(tree.count, viewing.top + HEIGHT)):
        painter.draw_row(row)


def _median(step: Callable[[int], None]) -> float:
    times: list[float] = []
    for number in range(STEPS):
        started = time.process_time()
        step(number)
        times.append(time.process_time() - started)
    return median(times)


class _BuiltInApp(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.nodes = BuiltIn[None]("thoughts")

    @override
    def compose(self) -> ComposeResult:
        yield self.nodes


def _built_in(lengths: list[int]) -> Table:
    table = Table("for comparison: one append and its frame, Textual's own Tree", ["nodes", "CPU, median"])
    for length in lengths:
        table.add(f"{length:,}", seconds(asyncio.run(_append_built_in(length))))
    return table


async def _append_built_in(length: int) -> float:
    app = _BuiltInApp()
    async with app.run_test(size=(SCREEN, HEIGHT)) as pilot:
        tree = app.nodes
        tree.root.expand()
        for number in range(length):
            tree.root.add_leaf(f"thought {number}")
        await pilot.pause()
        times: list[float] = []
        for number in range(10):
            started = time.process_time()
            tree.root.add_leaf(f"new {number}")
            await pilot.pause()
            times.append(time.process_time() - started)
    return median(times)
