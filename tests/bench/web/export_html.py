"""An exported page of 10,000 thoughts: how long the export takes, and how long a browser takes to open it."""

import os
import subprocess
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench import journals
from tests.bench.report import Table, seconds, spread, verdict
from tests.bench.terminal import python
from tests.support.screens.browser import Page, browser

GOAL_SECONDS = 1.0
"""For 10,000 plain thoughts: to write the page, and to open it."""
_LENGTH = 10_000
_IS_PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"


class _Opening(NamedTuple):
    """Seconds since the navigation."""

    loaded: float
    """To the load event."""
    painted: float
    """To the first paint, by the browser's own clock."""
    drawn: float
    """To the second frame after the load event: the page is laid out and shown."""
    answered: float
    """To the answer to a key: ``/`` has put the cursor into the search field."""


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Export and open pages of several shapes."""
    rounds = 1 if is_quick else 5
    lengths = (_LENGTH,) if is_quick else (_LENGTH, 10 * _LENGTH)
    exported = Table(
        f"web: `seqthink export` to HTML, plain thoughts (median of {rounds})",
        ["thoughts", "shape", "file", "seconds", "goal", ""],
    )
    opened = Table(
        f"web: the exported page in Chromium, from the navigation on (median of {rounds})",
        ["thoughts", "shape", "loaded", "first paint", "drawn", "a key answered", "goal", ""],
    )
    _export(journals.write(folder / "first.jsonl", 1), folder / "first.html")  # compiles what the others load
    with browser(folder / "browser") as page:
        for length in lengths:
            for shape in ("straight", "fork", "robin", "revise") if length == _LENGTH else ("straight",):
                journal = journals.write(folder / f"{length}-{shape}.jsonl", length, shape)
                path = folder / f"{length}-{shape}.html"
                taken = [_export(journal, path) for _ in range(rounds)]
                openings = [_open(page, path) for _ in range(rounds)]
                has_goal = length == _LENGTH and shape == "straight"
                goal = f"≤ {seconds(GOAL_SECONDS)}" if has_goal else ""
                size = f"{path.stat().st_size / 1e6:.1f} MB"
                met = verdict(median(taken) <= GOAL_SECONDS) if has_goal else ""
                exported.add(f"{length:,}", shape, size, spread(taken), goal, met)
                medians = [median(values) for values in zip(*openings, strict=True)]
                met = verdict(max(medians) <= GOAL_SECONDS) if has_goal else ""
                opened.add(f"{length:,}", shape, *map(seconds, medians), goal, met)
                journal.unlink()
                path.unlink()
    return [exported, opened]


def _export(journal: Path, path: Path) -> float:
    start = time.perf_counter()
    command = python("seqthink", "export", "--force", "-o", str(path), str(journal))
    environ = os.environ | {"PYTHONPYCACHEPREFIX": str(path.parent / "compiled")}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environ)
    return time.perf_counter() - start


def _open(page: Page, path: Path) -> _Opening:
    page.call("Page.navigate", url="about:blank")
    start = time.perf_counter()
    page.open(path, 1440)
    loaded = time.perf_counter() - start
    page.ask(_IS_PAINTED)
    drawn = time.perf_counter() - start
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="/", text="/" if kind == "keyDown" else "")
    page.until("document.activeElement.id === 'find'")
    answered = time.perf_counter() - start
    painted = page.ask("performance.getEntriesByType('paint')[0]?.startTime ?? 0") / 1000
    return _Opening(loaded, painted, drawn, answered)
