"""`start`: the viewer's first frame, beside that of the minimal Textual app."""

from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.opening import bare
from tests.bench.report import Table, seconds, spread
from tests.bench.terminal import Terminal, python


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Start both in turn."""
    path = journals.write(folder / "start.jsonl", 12)
    ours: list[tuple[float, float]] = []
    theirs: list[tuple[float, float]] = []
    for _ in range(5 if is_quick else 15):
        theirs.append(bare(folder))
        with Terminal(python("seqthink", "watch", str(path)), folder) as terminal:
            took = terminal.wait(journals.text_mark(12)) - terminal.started
            ours.append((took, terminal.cpu))
    table = Table("start: process start to the first frame (pty)", ["app", "wall: median (range)", "CPU"])
    for name, values in (("bare Textual app", theirs), ("viewer, 12 thoughts", ours)):
        walls, cpus = zip(*values, strict=True)
        table.add(name, spread(walls), seconds(median(cpus)))
    return [table]
