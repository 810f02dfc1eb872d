"""`start`: the viewer's first frame, of a journal and of transcripts, beside that of the minimal Textual app."""

import compileall
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench import journals, transcripts
from tests.bench.opening import bare
from tests.bench.report import Table, seconds, spread, verdict
from tests.bench.terminal import ROOT, Terminal, python

GOAL_RATIO = 1.5
"""The first frame, in times that of the bare app."""
_THOUGHTS = 12
_SESSIONS, _SESSION_BYTES = 36, 100_000
"""What the clients' folders hold where there are any: nine sessions of each client."""
_CLIENTS = (*transcripts.JSON_LINES, transcripts.DATABASE)
_READING = "reading "
"""What the first frame says about a transcript that has yet to be read."""


class _Start(NamedTuple):
    """One start, in seconds since the process began; processor seconds likewise."""

    frame: float
    frame_cpu: float
    rows: float


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Start all in turn, so that a machine that is busy for a while is busy for each."""
    for package in ("seqthink", "tui"):
        compileall.compile_dir(str(ROOT / package), quiet=2)
    home, elsewhere = folder / "home", folder / "elsewhere"
    transcripts.fill(home, _SESSIONS, _SESSIONS * _SESSION_BYTES)
    starts: dict[str, Callable[[], _Start]] = {"bare Textual app": partial(_bare, folder)}
    files = {"journal": journals.write(folder / "start.jsonl", _THOUGHTS)}
    for client in _CLIENTS:
        with closing(transcripts.transcript(elsewhere, client, 0)) as written:
            written.begin(0, range(1, 1 + _THOUGHTS))
        files[f"transcript, {client}"] = written.path
    for name, path in files.items():
        starts[name] = partial(_watched, path, folder, None)
        starts[f"{name}, {_SESSIONS} sessions on disk"] = partial(_watched, path, folder, home)
    found: dict[str, list[_Start]] = {name: [] for name in starts}
    for _ in range(5 if is_quick else 15):
        for name, start in starts.items():
            found[name].append(start())
    table = Table(
        f"start: process start to the first frame, and to the rows of {_THOUGHTS} thoughts (pty, 140x45)",
        ["app", "first frame: median (range)", "CPU", "times bare", "goal", "", "rows", "times bare"],
    )
    least = _Start(*map(median, zip(*found["bare Textual app"], strict=True)))
    for name, values in found.items():
        frame, cpu, rows = (median(each) for each in zip(*values, strict=True))
        ratio = frame / least.frame
        table.add(
            name,
            spread([start.frame for start in values]),
            seconds(cpu),
            f"{ratio:.2f}",
            f"≤ {GOAL_RATIO}",
            verdict(ratio <= GOAL_RATIO),
            seconds(rows),
            f"{rows / least.rows:.2f}",
        )
    return [table]


def _bare(folder: Path) -> _Start:
    took, cpu = bare(folder)
    return _Start(took, cpu, took)


def _watched(path: Path, folder: Path, home: Path | None) -> _Start:
    """Start the viewer on one file; of a journal the first frame has its rows."""
    mark = journals.text_mark(_THOUGHTS)
    with Terminal(python("seqthink", "watch", str(path)), folder, home=home) as terminal:
        frame = terminal.wait(_READING, mark) - terminal.started
        cpu = terminal.cpu
        return _Start(frame, cpu, terminal.wait(mark) - terminal.started)
