"""`idle`: the viewer's CPU while nothing happens."""

import fcntl
import socket
from pathlib import Path

from tests.bench import journals
from tests.bench.report import Table, verdict
from tests.bench.terminal import Terminal, python, wait_seconds

GOAL_CPU_SHARE = 0.006


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Watch a silent session that is thinking, a finished one, and the waiting screen."""
    span = 10 if is_quick else 30
    table = Table(f"idle: CPU over {span} s in which nothing happens", ["screen", "CPU", "goal", ""])
    path = journals.write(folder / "idle.jsonl", 1000, is_over=False)
    path.write_bytes(path.read_bytes().replace(b'"host":"desk"', f'"host":"{socket.gethostname()}"'.encode(), 1))
    empty = folder / "empty"
    empty.mkdir()
    with path.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        _row(table, "a live session", ["watch", str(path)], journals.text_mark(1000), folder, span)
    over = journals.write(folder / "over.jsonl", 1000)
    _row(table, "a finished session", ["watch", str(over)], journals.text_mark(1000), folder, span)
    _row(table, "waiting for a session", ["watch"], "sessions", empty, span)
    return [table]


def _row(table: Table, name: str, arguments: list[str], expected: str, folder: Path, span: int) -> None:
    with Terminal(python("seqthink", *arguments), folder) as terminal:
        terminal.wait(expected)
        wait_seconds(2)
        before = terminal.cpu
        wait_seconds(span)
        share = (terminal.cpu - before) / span
    table.add(name, f"{share * 100:.2f} %", f"< {GOAL_CPU_SHARE * 100} %", verdict(share < GOAL_CPU_SHARE))
