"""`why`: how many lines of a made repository find their thought, and how long a query takes among many sessions."""

import os
import resource
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from tests.bench import transcripts
from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import python
from tests.support.repositories.made_history import KnownLine, MadeHistory, make_history

FOUND_GOAL, QUERY_GOAL_SECONDS = 0.95, 1.0
SAME_TEXT = "same text"
_SESSION_BYTES = 4_000
_ROUNDS = 7


class LineAnswer(NamedTuple):
    """What `seqthink why` says about a line."""

    level: str
    session: str
    """The reference of the session; empty without one."""
    call: str
    """The client's id of the call; empty without an edit."""
    thought: str
    """The text behind it."""


class _Edit(msgspec.Struct):
    call: str | None
    lines: list[tuple[int, int]]


class _Session(msgspec.Struct):
    link: str


class _Behind(msgspec.Struct):
    text: str


class _Answer(msgspec.Struct):
    level: str
    lines: list[tuple[int, int]]
    edits: list[_Edit]
    session: _Session | None
    behind: _Behind | None


class _Printed(msgspec.Struct):
    """What the command prints, as far as it is asked for here."""

    answers: list[_Answer]


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Make repositories, and ask for each line; then ask for some among thousands of sessions."""
    truth = Table(
        "why: each line of made repositories, by agents of three clients and by hand",
        ["commits", "agents' lines", "with their thought", "goal", "", "wrong at same text", "by hand, not claimed"],
        notes=["Lines that git blame itself attributes to another commit are left out."],
    )
    histories = [make_history(folder / f"made-{seed}", 60 if is_quick else 200, seed) for seed in (1, 2, 3)]
    for history in histories:
        counts = count_answers(history)
        found = counts["found"] / counts["agent"]
        is_met = found >= FOUND_GOAL and not counts["wrong"]
        by_hand = f"{counts['hand'] - counts['claimed']} of {counts['hand']}"
        met = verdict(is_met)
        truth.add(
            len(history.commits), counts["agent"], f"{found:.1%}", "≥ 95 %, 0 wrong", met, counts["wrong"], by_hand
        )
    tables = [truth, _times(histories[0], 500 if is_quick else 5_000)]
    shutil.rmtree(folder)
    return tables


def count_answers(history: MadeHistory) -> Counter[str]:
    """Return how many lines there are of agents and by hand, how many found their thought, how many are wrong."""
    counts = Counter[str]()
    for path, lines in history.files.items():
        answers = answers_of(history, path)
        for number, (line, commit) in enumerate(zip(lines, _blamed(history, path), strict=True), 1):
            if commit == line.commit:
                counts.update(_judged(line, answers.get(number)))
    return counts


def answers_of(history: MadeHistory, path: str) -> Mapping[int, LineAnswer]:
    """Ask about a whole file; return the answer for each line, by its number."""
    run = subprocess.run(
        python("seqthink", "why", path, "--json"),
        cwd=history.repository,
        env=_environment(history),
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode in {0, 1}, run.stderr
    return dict(_answers(msgspec.json.decode(run.stdout, type=_Printed)))


def _answers(printed: _Printed) -> Iterator[tuple[int, LineAnswer]]:
    for answer in printed.answers:
        session = answer.session.link.partition("#")[0] if answer.session else ""
        thought = answer.behind.text if answer.behind else ""
        calls = {number: edit.call for edit in answer.edits for number in _numbers(edit.lines)}
        for number in _numbers(answer.lines):
            yield number, LineAnswer(answer.level, session, calls.get(number) or "", thought)


def _numbers(ranges: list[tuple[int, int]]) -> Iterator[int]:
    for first, last in ranges:
        yield from range(first, last + 1)


def _judged(line: KnownLine, answer: LineAnswer | None) -> list[str]:
    """Return the counts that a line belongs to."""
    is_sure = answer is not None and answer.level == SAME_TEXT
    if line.origin is None:
        return ["hand", "claimed"] if is_sure else ["hand"]
    origin = line.origin
    is_right = (
        answer is not None
        and answer.session == f"{origin.client}-{origin.session}"
        and answer.call == origin.call
        and origin.thought in answer.thought
    )
    return ["agent", *(["found"] if is_right else ["wrong"] if is_sure else [])]


def _blamed(history: MadeHistory, path: str) -> list[int]:
    """Return the number of the commit of each line, as git sees it."""
    blame = subprocess.run(
        ["git", "blame", "-s", "-l", "--root", path],
        cwd=history.repository,
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    numbers = {commit: number for number, commit in enumerate(history.commits, 1)}
    return [numbers.get(line[:40], len(numbers) + 1) for line in blame.stdout.splitlines()]


def _times(history: MadeHistory, count: int) -> Table:
    """Ask with the sessions of others on disk: the first time, and again."""
    transcripts.fill(history.home, count, count * _SESSION_BYTES)
    table = Table(
        f"why: one line, among {count:,} sessions",
        ["", "median", "CPU", "goal", ""],
        notes=["From process start to end. The first time reads each session."],
    )
    path = max(history.files, key=lambda name: len(history.files[name]))
    first, cpu = _ask(history, f"{path}:3")
    table.add("the first time", seconds(first), seconds(cpu), "", "")
    again = [_ask(history, f"{path}:{3 + number}") for number in range(_ROUNDS)]
    middle = median(took for took, _ in again)
    goal = f"≤ {QUERY_GOAL_SECONDS:g} s"
    table.add(
        "then", seconds(middle), seconds(median(cpu for _, cpu in again)), goal, verdict(middle <= QUERY_GOAL_SECONDS)
    )
    return table


def _ask(history: MadeHistory, what: str) -> tuple[float, float]:
    """Return the seconds and the CPU seconds of one question."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    run = subprocess.run(
        python("seqthink", "why", what),
        cwd=history.repository,
        env=_environment(history),
        check=False,
        capture_output=True,
    )
    took = time.perf_counter() - began
    assert run.returncode in {0, 1}, run.stderr
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, now.ru_utime - used.ru_utime + now.ru_stime - used.ru_stime


def _environment(history: MadeHistory) -> dict[str, str]:
    """Return an environment with the home folder of the agents, and nothing of the user's."""
    root = Path(__file__).parents[3]
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return {**kept, "HOME": str(history.home), "PYTHONPATH": str(root), "SEQTHINK_HOME": str(history.home / "kept")}
