"""`find`: the first hit and all hits among many journals, for rare, common and missing words."""

import os
import random
import shutil
import subprocess
import time
from pathlib import Path

from seqthink.chain.query import words_query
from seqthink.journal.store import SessionFile, list_sessions
from seqthink.library.finding.search import MAX_HITS, TextSearch
from tests.bench.report import Table, seconds, verdict
from tests.bench.terminal import python
from tests.support.journals.build import START, JournalBuilder

FIRST_GOAL_SECONDS, ALL_GOAL_SECONDS = 0.3, 1.0
_RARE = "zygomorphic"
_QUERIES = {
    "rare, in the newest and the oldest session": _RARE,
    "common": "pool",
    "two common ones": "pool timeout",
    "in no text": "xylophone",
    "in no text, but in every line": "totalThoughts".lower(),
    "in no text, two Chinese characters": "目录",
    "in no text, with an umlaut": "für",
}
_TEXT = (
    "the pool of checkout starves while a report job holds its connections and so gateway answers 502 at the top of "
    "each hour then timeout retry cache index lock queue worker deploy release → “quoted” dash node test branch"
)
_THOUGHT_WORDS = 70
_VARIANTS = 4000


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Fill a folder with journals, and search."""
    count, size = (200, 3_000_000) if is_quick else (5000, 75_000_000)
    sessions = folder / "sessions"
    sessions.mkdir()
    fill(sessions, count, size)
    files = list_sessions(sessions)
    table = Table(
        f"find: {count:,} journals, {sum(file.size for file in files) / 1e6:.0f} MB",
        ["words", "hits", "first hit", "all", "goal", "", "CPU", "from the disk: all"],
        notes=[f"At most {MAX_HITS:,} hits. The goal of the first hit is for words that the newest session has."],
    )
    for name, words in _QUERIES.items():
        hits, first, took, cpu = search(files, words)
        forget(files)
        cold = search(files, words)[2]
        has_first = first is None or first <= FIRST_GOAL_SECONDS
        goal = f"≤ {FIRST_GOAL_SECONDS:g} s, ≤ {ALL_GOAL_SECONDS:g} s"
        first_text = "" if first is None else seconds(first)
        met = verdict(has_first and took <= ALL_GOAL_SECONDS)
        table.add(name, hits, first_text, seconds(took), goal, met, seconds(cpu), seconds(cold))
    processes = _processes(folder)
    shutil.rmtree(sessions)
    return [table, processes]


def _processes(folder: Path) -> Table:
    """Start the command, and wait for its first line."""
    table = Table("find: process start to the first line and to the end", ["words", "first line", "end"])
    for words in (_RARE, "pool"):
        started = time.perf_counter()
        with subprocess.Popen(
            python("seqthink", "find", "--sources", "journal", words, "--journal-dir", str(folder / "sessions")),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            first = time.perf_counter() - started
            process.stdout.read()
        table.add(words, seconds(first), seconds(time.perf_counter() - started))
    return table


def search(files: list[SessionFile], words: str) -> tuple[int, float | None, float, float]:
    """Return how many hits there are, and the seconds to the first one, to all, and of the processor."""
    started, cpu, first, hits = time.perf_counter(), time.process_time(), None, 0
    for hit in TextSearch(words_query(words)).hits(files):
        hits += hit is not None
        if hits and first is None:
            first = time.perf_counter() - started
        if hits == MAX_HITS:
            break
    return hits, first, time.perf_counter() - started, time.process_time() - cpu


def forget(files: list[SessionFile]) -> None:
    """Let the system forget what it has of the files in memory."""
    for file in files:
        descriptor = os.open(file.path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def fill(folder: Path, count: int, size: int) -> None:
    """Write ``count`` journals of ``size`` bytes together; the newest and the oldest have a rare word."""
    chance = random.Random(7)
    texts = [" ".join(chance.choices(_TEXT.split(), k=_THOUGHT_WORDS)).capitalize() for _ in range(_VARIANTS)]
    for number in range(count):
        builder = JournalBuilder(START).session(f"s{number:05}")
        written = 0
        while written < size // count:
            text = chance.choice(texts)
            rare = number in {0, count - 1} and not written
            builder.thought(f"{text}\n\n{_RARE}" if rare else f"{text}\n", builder.seq, 900, after=1)
            written = sum(map(len, builder.lines[-1:])) + written
        path = builder.end().write(folder / f"s{number:05}.jsonl")
        moment = START.timestamp() + number
        os.utime(path, (moment, moment))
