"""`fold`: CPU time to read, decode and fold each shape, beside the floor: read, split and msgspec alone."""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import msgspec

from tests.bench import journals
from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import ROOT

GOAL_SECONDS = 0.1
"""For 50,000 thoughts."""
_STAGES = ("floor", "read", "fold")


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure each stage in a process of its own, by turns."""
    length, rounds = (10_000, 3) if is_quick else (50_000, 3)
    table = Table(
        f"fold: CPU to read {length:,} thoughts (median of {rounds}, by turns)",
        ["shape", "floor: read, split, msgspec", "reader", "reader and fold", "over the floor", "goal", ""],
    )
    goal = GOAL_SECONDS * length / 50_000
    for shape in journals.SHAPES:
        path = journals.write(folder / f"fold-{shape}.jsonl", length, shape)
        found = [[_spent(stage, path) for stage in _STAGES] for _ in range(rounds)]
        path.unlink()
        floor, read, whole = (median(column) for column in zip(*found, strict=True))
        cells = (seconds(floor), seconds(read), seconds(whole), f"{whole / floor:.2f}×")
        table.add(journals.WORDS[shape], *cells, f"≤ {seconds(goal)}", verdict(whole <= goal))
    return [table]


def _spent(stage: str, path: Path) -> float:
    command = [sys.executable, "-m", "tests.bench.reading.fold", stage, str(path)]
    return float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def _run(stage: str, path: Path) -> float:
    from seqthink.chain.native.switchable_fold import SwitchableFold
    from seqthink.core.events import Event
    from seqthink.journal.follow import SLICE_BYTES
    from seqthink.journal.reader import JournalReader
    from seqthink.library.live_session import LiveSession
    from tui.terminal.memory_tuning import disable_automatic_full_collections, map_large_allocations

    disable_automatic_full_collections()
    map_large_allocations()
    decode, started = msgspec.json.Decoder(Event).decode, time.process_time()
    if stage == "floor":
        rest = b""
        with path.open("rb", 0) as file:
            while chunk := file.read(64 << 10):
                *lines, rest = (rest + chunk).split(b"\n")
                _ = [decode(line) for line in lines]
        return time.process_time() - started
    live, reader = LiveSession(SwitchableFold), JournalReader(path)
    at_end = False
    while not at_end:
        batch = reader.read(SLICE_BYTES)
        at_end = batch.at_end
        if stage == "fold":
            live.add(batch)
    return time.process_time() - started


if __name__ == "__main__":
    print(_run(sys.argv[1], Path(sys.argv[2])))
