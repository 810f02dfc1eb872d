"""`show`: a whole session through a pipe as rows, HTML and Markdown, beside reading and folding it alone."""

import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import python

COMMANDS = (
    ("show", ["show"], 1.5, 1.5),
    ("replay", ["replay"], 1.5, 1.5),
    ("html", ["export", "--format", "html"], 3.0, 12.0),
    ("md", ["export", "--format", "md"], 2.0, 2.0),
)
"""Name, arguments, and the goals in seconds for 100,000 plain and marked up texts."""
GOAL_FIRST_SECONDS = 0.2
_LOAD = (
    "import sys, pathlib; from seqthink.library.live_session import load_journal;"
    " load_journal(pathlib.Path(sys.argv[1]))"
)
_MARKED_UP = (
    " of the plan\n\nThe **pool** has `40` of 50:\n\n- the report holds 40\n- checkout starves, see [the log](https://x.org)\n\n"
    "```python\nfor n in range(50):\n    take(n)\n```\n"
)


def _run(arguments: Sequence[str]) -> tuple[float, float, float]:
    """Return seconds to the first line and to the end, and CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first = time.perf_counter() - start
        while process.stdout.read(1 << 20):
            pass
    whole, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return first, whole, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _marked_up(path: Path, length: int) -> Path:
    lines = journals.write(path, length).read_bytes().split(b"\n")
    text = _MARKED_UP.replace("\n", "\\n").encode()
    marked = (line.replace(journals.FILLING.encode(), text) for line in lines)
    path.write_bytes(b"\n".join(marked))
    return path


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Write everything of sessions with plain and with marked up texts."""
    length, rounds = (10_000, 1) if is_quick else (100_000, 3)
    table = Table(
        f"show: {length:,} thoughts through a pipe",
        ["texts", "command", "first line", "goal", "whole", "goal", "", "CPU", "over reading and folding"],
    )
    kinds = (
        ("plain", journals.write(folder / "plain.jsonl", length)),
        ("marked up", _marked_up(folder / "marked.jsonl", length)),
    )
    for texts, path in kinds:
        floor = median(_run([sys.executable, "-c", _LOAD, str(path)])[2] for _ in range(rounds))
        table.add(texts, "reading and folding", "", "", "", "", "", seconds(floor), "")
        for name, arguments, *goals in COMMANDS:
            runs = [_run(python("seqthink", *arguments, str(path))) for _ in range(rounds)]
            first, whole, cpu = (median(values) for values in zip(*runs, strict=True))
            goal = goals[texts != "plain"]
            table.add(
                texts, name, seconds(first), f"≤ {seconds(GOAL_FIRST_SECONDS)}", seconds(whole),
                "" if is_quick else f"≤ {goal} s", "" if is_quick else verdict(whole <= goal),
                seconds(cpu), seconds(cpu - floor),
            )  # fmt: skip
        path.unlink()
    return [table]
