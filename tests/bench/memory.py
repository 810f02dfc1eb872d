"""`memory`: bytes per thought in the fold and the tree, and the resident memory of the real viewer."""

import gc
import subprocess
import sys
from itertools import islice
from pathlib import Path

from tests.bench import journals
from tests.bench.report import Table, verdict
from tests.bench.terminal import ROOT, Terminal, python, wait_seconds

GOAL_BYTES = 400


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Fold each shape in its own process, and open the viewer on straight journals."""
    length = 100_000 if is_quick else 300_000
    table = Table(f"memory: bytes a thought at {length:,} thoughts", ["shape", "fold + tree", "goal", ""])
    for shape in journals.SHAPES:
        command = [sys.executable, "-m", "tests.bench.memory", shape, str(length)]
        each = float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
        table.add(journals.WORDS[shape], f"{each:.0f}", f"≤ {GOAL_BYTES}", verdict(each <= GOAL_BYTES))
    viewer = Table("memory: the viewer's resident set", ["thoughts", "MB", "bytes a thought over 1,000", "goal", ""])
    least = 0
    for length in (1000, 10_000) if is_quick else (1000, 10_000, 50_000):
        held = _resident(journals.write(folder / f"memory-{length}.jsonl", length), length)
        each = (held - least) / length
        cells = (f"{each:.0f}", f"≤ {GOAL_BYTES}", verdict(each <= GOAL_BYTES)) if least else ("", "", "")
        viewer.add(f"{length:,}", f"{held / 1e6:.0f}", *cells)
        least = least or held
    return [table, viewer]


def _resident(path: Path, length: int) -> int:
    with Terminal(python("seqthink", "replay", str(path), "--at", "end"), path.parent) as terminal:
        terminal.wait(journals.text_mark(length))
        wait_seconds(1)
        held = terminal.resident
    path.unlink()
    return held


def _fold(shape: str, length: int) -> float:
    from seqthink.chain.fold import Fold
    from tui.state.viewport import Viewport
    from tui.terminal.memory_tuning import map_large_allocations

    map_large_allocations()
    gc.collect()
    before = _own_resident()
    fold, viewing = Fold(), Viewport()
    events = journals.events(length, shape)
    for _ in range(0, length, 1000):
        for event in islice(events, 1000):
            fold.evolve(event)
        viewing.update(fold.session())
    gc.collect()
    return (_own_resident() - before) / length


def _own_resident() -> int:
    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * 4096


if __name__ == "__main__":
    print(_fold(sys.argv[1], int(sys.argv[2])))
