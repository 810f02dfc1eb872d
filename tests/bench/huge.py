"""`huge`: one huge text through each command into a pipe: time, and peak memory compared with the text's size."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import ROOT
from tests.support.journals.build import JournalBuilder

MAX_SECONDS, MAX_TIMES_SIZE = 3.0, 4.0
"""Goals for 50 MB: seconds of CPU, and peak memory (including the interpreter) as a multiple of the line's bytes."""

# The system's figure for a finished process includes the memory of the process that started it.
_PROGRAM = """
import pathlib, re, sys
from seqthink.__main__ import main
code = main(sys.argv[1:])
print(re.search("VmHWM:.*", pathlib.Path("/proc/self/status").read_text("utf-8"))[0], file=sys.stderr)
sys.exit(code)
"""
_LINE = "A line of some words that an agent could have written.\n"
SHAPES: dict[str, Callable[[int], str]] = {
    "lines": lambda size: _LINE * (size // len(_LINE)),
    "one line": lambda size: "word and another, " * (size // 18),
    "one word": lambda size: "x" * size,
    "headings": lambda size: "# x\n" * (size // 4),
    "table": lambda size: "| a | b |\n|---|---|\n" + "| 1 | 2 |\n" * (size // 10),
    "quotes, 10,000 deep": lambda size: (">" * 10_000 + " q\n") * (size // 10_003),
    "`*`": lambda size: "*" * size,
    "`[`": lambda size: "[" * size,
    "`<`": lambda size: "<" * size,
    "backticks": lambda size: "`" * size,
    "Chinese": lambda size: "思考一步一步来，检查连接池。\n" * (size // 43),
    "Chinese, one line": lambda size: "思" * (size // 3),
    "emoji in lines": lambda size: "Some words, then one 🙂 and more words behind it\n" * (size // 51),
    "emoji": lambda size: "🙂" * (size // 4),
    "combining marks": lambda size: "e" + "\u0301" * (size // 2),
    "line feeds": lambda size: "\n" * (size // 2),
    "tabs": lambda size: "\t" * (size // 2),
    "escapes": lambda size: "\x1b" * (size // 6),
}
COMMANDS = (
    "show", "show --full", "show --timeline", "replay --at 1", "watch -", "check",
    "export --format md", "export --format html", "export --format json", "export --format svg",
    "export --format mermaid",
)  # fmt: skip
REDACTED = tuple(f"{command} --redact" for command in ("show --full", "export --format md", "export --format html"))


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Write each shape once, and read it by the commands that show all of it; the plain shape by all commands."""
    size = 5_000_000 if is_quick else 50_000_000
    every = Table(f"huge: one thought of {size / 1e6:.0f} MB, each command", _COLUMNS)
    lines = _write(folder, SHAPES["lines"](size))
    for command in (*COMMANDS, *REDACTED):
        _add(every, command, command, lines)
    shapes = Table(f"huge: `show --full` of one thought of {size / 1e6:.0f} MB, each shape", _COLUMNS)
    for name, text in SHAPES.items():
        _add(shapes, name, "show --full", _write(folder, text(size)))
    larger = Table(f"huge: one thought of {4 * size / 1e6:.0f} MB in lines", _COLUMNS)
    path = _write(folder, SHAPES["lines"](4 * size))
    for command in ("show --full", "export --format md", "export --format html"):
        _add(larger, command, command, path, times=4)
    alone = _run(["sessions", "--journal-dir", str(folder / "none")], folder / "none")[2]
    every.notes.append(f"the interpreter and the program alone: {alone / 1e6:.0f} MB")
    return [every, shapes, larger]


_COLUMNS = ("what", "CPU", "goal", "", "wall", "most memory", "times the line", "goal", "")


def _write(folder: Path, text: str) -> Path:
    path = folder / "huge.jsonl"
    path.write_bytes(JournalBuilder().session().thought(text, next=False).data)
    return path


def _add(table: Table, name: str, command: str, path: Path, *, times: int = 1) -> None:
    words = command.split()
    spent, wall, peak = _run([*words] if "-" in words else [words[0], str(path), *words[1:]], path)
    size, most = path.stat().st_size, MAX_SECONDS * times
    over = peak / size
    goals = (f"≤ {most:g} s", verdict(spent <= most)), (f"≤ {MAX_TIMES_SIZE:g}", verdict(over <= MAX_TIMES_SIZE))
    table.add(name, seconds(spent), *goals[0], seconds(wall), f"{peak / 1e6:.0f} MB", f"{over:.1f}", *goals[1])


def _run(arguments: list[str], path: Path) -> tuple[float, float, int]:
    """Return CPU seconds, wall seconds and peak memory in bytes of a command; its output is discarded."""
    started = time.perf_counter()
    with (path if path.is_file() else Path(os.devnull)).open("rb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, *arguments],
            cwd=ROOT,
            stdin=file,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        while process.stdout.read(1 << 20):
            pass
        errors = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
    process.stdout.close()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{arguments} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, time.perf_counter() - started, int(errors.split()[-2]) * 1024
