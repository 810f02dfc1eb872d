"""`open` and `start`: time from the start of the process to the first frame and to a usable tree."""

from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.report import Table, seconds, spread, verdict
from tests.bench.terminal import Terminal, python, wait_seconds

GOAL_SECONDS = {50_000: 0.3}
"""By length: to a usable tree, over a bare app."""


@dataclass
class Opened:
    """Times of one opening, in seconds from the start of the process."""

    first: list[float] = field(default_factory=list[float])
    usable: list[float] = field(default_factory=list[float])
    key: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    newest: list[float] = field(default_factory=list[float])
    """From the first bytes to the newest thought on the screen."""
    resident: int = 0


def bare(folder: Path) -> tuple[float, float]:
    """Return the bare app's seconds to its first frame, and its CPU seconds."""
    with Terminal(python("tests.bench.bare"), folder) as terminal:
        took = terminal.wait("the bare app") - terminal.started
        return took, terminal.cpu


def opened(path: Path, length: int, to: Opened) -> None:
    """Open a journal once and return the times."""
    with Terminal(python("seqthink", "watch", str(path)), path.parent) as terminal:
        to.newest.append(terminal.wait(journals.text_mark(length)) - terminal.first_at)
        loaded = terminal.wait("stopped") - terminal.started  # its state, which is known when all has been read
        terminal.forget()
        pressed = terminal.press("?")
        answered = terminal.wait("Signs") - pressed
        to.first.append(terminal.first_at - terminal.started)
        to.usable.append(loaded + answered)
        to.key.append(answered)
        to.cpu.append(terminal.cpu)
        wait_seconds(0.5)
        to.resident = terminal.resident


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Open journals of different lengths, alternating with the bare app."""
    table = Table(
        "open: process start to a usable tree (pty, 140x45), over the bare Textual app",
        ["journal", "first bytes", "usable: median (range)", "bare app", "over it", "goal", "", "CPU over it", "key"],
    )
    lengths = [1000, 10_000] if is_quick else [1000, 10_000, 50_000]
    kinds = [(length, shape) for length in lengths for shape in journals.SHAPES[: 1 if length == 1000 else None]]
    bares: list[tuple[float, float]] = []
    found: list[Opened] = []
    for length, shape in kinds:
        path, opening = journals.write(folder / f"open-{shape}-{length}.jsonl", length, shape), Opened()
        found.append(opening)
        for _ in range(3 if is_quick else 5):
            bares.append(bare(folder))
            opened(path, length, opening)
        path.unlink()
    start, start_cpu = (median(values) for values in zip(*bares, strict=True))
    for (length, shape), opening in zip(kinds, found, strict=True):
        name, over, goal = (
            f"{length:,}, {journals.WORDS[shape]}",
            median(opening.usable) - start,
            GOAL_SECONDS.get(length),
        )
        table.add(
            name,
            seconds(median(opening.first)),
            spread(opening.usable),
            seconds(start),
            seconds(over),
            f"≤ {goal} s" if goal else "",
            verdict(over <= goal) if goal else "",
            seconds(median(opening.cpu) - start_cpu),
            seconds(median(opening.key)),
        )
        table.notes.append(f"{name}: the newest thought {spread(opening.newest)} after the first bytes")
        each = (opening.resident - found[0].resident) / length
        table.notes.append(
            f"{name}: {opening.resident / 1e6:.0f} MB resident, {each:.0f} bytes a thought over the first"
        )
    return [table]
