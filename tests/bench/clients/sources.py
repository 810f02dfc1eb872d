"""`sources`: all sources at once, with thousands of sessions of each on disk: ours, and one that a package brings."""

import json
import os
import shutil
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench import journals, transcripts
from tests.bench.clients import client_lines
from tests.bench.report import Table, p99, seconds, spread, verdict
from tests.bench.terminal import Terminal, python, wait_seconds
from tests.support.transcripts import acme

RATIO_GOAL, IDLE_GOAL_SHARE, PAINTED_GOAL_SECONDS = 1.2, 0.006, 0.100
SESSIONS = 5_000
"""Of each source."""
ALL = (*transcripts.ALL, acme.NAME)
_SESSION_BYTES = 4_000
_THOUGHTS = 12
_SETTLED_SECONDS = 15
"""After this time everything on disk has been listed once, and is remembered for the next viewer."""
_PAUSES = (0.11, 0.33, 0.21, 0.47)


class AcmeTranscript:
    """A session of the package's client that goes on now."""

    def __init__(self, home: Path) -> None:
        self._path = acme.write_session(home, "new")

    def begin(self, _least_bytes: int, places: range) -> None:
        """Write the first thoughts."""
        for place in places:
            self.add(place)

    def add(self, place: int) -> float:
        """Write a thought; return the time."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        asked = {"at": at, "id": f"c{place}", "kind": "call", "tool": "sequentialthinking"}
        ended = {"at": at, "id": f"e{place}", "kind": "result", "call": f"c{place}", "ok": True}
        lines = [json.dumps(one) for one in ({**asked, "input": client_lines.arguments(place)}, ended)]
        data = ("\n".join(lines) + "\n").encode()
        with self._path.open("ab", 0) as file:
            began = time.perf_counter()
            file.write(data)
        return began

    def remove(self) -> None:
        """Delete the session."""
        self._path.unlink()

    def close(self) -> None:
        """Nothing is open."""


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Fill a home folder with sessions of all sources, and watch."""
    count = 500 if is_quick else SESSIONS
    place = _Place(folder / "all", folder / "none", folder / "packages")
    acme.install(folder / "packages")
    number = len(transcripts.ALL) * count
    transcripts.fill(folder / "all", number, number * _SESSION_BYTES, transcripts.ALL)
    for session in range(count):
        path = acme.write_session(folder / "all", f"s{session}")
        then = time.time() - 3600 - 60 * session
        os.utime(path, (then, then))
    title = f"{len(ALL)} sources with {count:,} sessions of each"
    tables = [
        _first_frames(title, folder, place, rounds=5 if is_quick else 9),
        _live(title, place, count=5 if is_quick else 12),
        _idle(title, folder, place, span=10 if is_quick else 125),
    ]
    shutil.rmtree(folder / "all")
    return tables


class _Place(NamedTuple):
    """Where a viewer finds everything."""

    home: Path | None
    """The folder with the transcripts of clients."""
    kept: Path
    """The folder of journals and of what viewers keep."""
    packages: Path | None = None

    def terminal(self, *words: str) -> Terminal:
        """Start a viewer."""
        return Terminal(python("seqthink", "watch", *words), self.kept, home=self.home, packages=self.packages)


def _first_frames(title: str, folder: Path, place: _Place, rounds: int) -> Table:
    """Start the viewer at a journal and at the newest session, with nothing else on disk and with all, in turn."""
    table = Table(
        f"{title}: process start to the first rows (pty, 140x45)", ["shows", "wall", "CPU", "ratio", "goal", ""]
    )
    journal = str(journals.write(folder / "first.jsonl", _THOUGHTS))
    alone = _Place(folder / "alone", folder / "none-alone")
    for home in (folder / "alone", folder / "all"):
        transcripts.transcript(home, "claude", client_lines.NEW_SESSIONS).begin(0, range(1, 1 + _THOUGHTS))
    with place.terminal() as first:
        took = first.wait(journals.text_mark(_THOUGHTS)) - first.started
        table.add(
            "the newest session, of claude, among all, the first time", seconds(took), seconds(first.cpu), "", "", ""
        )
        wait_seconds(_SETTLED_SECONDS)
    with alone.terminal() as first:
        first.wait(journals.text_mark(_THOUGHTS))
        wait_seconds(_SETTLED_SECONDS)
    bare = alone._replace(home=None)
    for shown, words, without in (("a journal", [journal], bare), ("the newest session, of claude", [], alone)):
        _compare(table, shown, words, (without, place), rounds)
    transcripts.transcript(folder / "all", "claude", client_lines.NEW_SESSIONS).remove()
    table.notes.append("The ratio is that of CPU times until the rows. Only the first time nothing is remembered.")
    return table


def _compare(table: Table, shown: str, words: list[str], places: tuple[_Place, _Place], rounds: int) -> None:
    taken: tuple[list[tuple[float, float]], ...] = ([], [])
    for _ in range(rounds):
        for place, found in zip(places, taken, strict=True):
            found.append(_first(place.terminal(*words)))
    bare, among = (median(cpu for _, cpu in found) for found in taken)
    walls = [spread([wall for wall, _ in found]) for found in taken]
    table.add(f"{shown}, nothing else", walls[0], seconds(bare), "", "", "")
    goal = f"≤ {RATIO_GOAL:g}", verdict(among / bare <= RATIO_GOAL)
    table.add(f"{shown}, among all", walls[1], seconds(among), f"{among / bare:.2f}", *goal)


def _first(started: Terminal) -> tuple[float, float]:
    with started as terminal:
        return terminal.wait(journals.text_mark(_THOUGHTS)) - terminal.started, terminal.cpu


def _newest(place: _Place, client: str) -> "AcmeTranscript | transcripts.Transcript":
    assert place.home is not None
    if client == acme.NAME:
        return AcmeTranscript(place.home)
    return transcripts.transcript(place.home, client, client_lines.NEW_SESSIONS)


def _live(title: str, place: _Place, count: int) -> Table:
    """Append one thought at a time to the newest session of each client."""
    table = Table(f"{title}: record on disk to the bytes of its row (pty, 140x45)", ["", "median", "p99", "goal", ""])
    every: list[float] = []
    for client in ALL:
        with closing(_newest(place, client)) as newest:
            newest.begin(0, range(1, 3))
            with place.terminal() as terminal:
                terminal.wait(journals.text_mark(2))
                wait_seconds(3)
                found: list[float] = []
                for number in range(3, 3 + count):
                    terminal.forget()
                    added = newest.add(number)
                    found.append(terminal.wait(journals.text_mark(number)) - added)
                    wait_seconds(_PAUSES[number % len(_PAUSES)])
            newest.remove()
        table.add(client, seconds(median(found)), seconds(p99(found)), "", "")
        every += found
    goal = f"≤ {seconds(PAINTED_GOAL_SECONDS)}", verdict(p99(every) <= PAINTED_GOAL_SECONDS)
    table.add(f"all {len(every)}", seconds(median(every)), seconds(p99(every)), *goal)
    return table


def _idle(title: str, folder: Path, place: _Place, span: int) -> Table:
    """Let the viewer be at a session that nobody writes to, for as long as it takes to look at all folders once."""
    table = Table(f"{title}: CPU over {span} s in which nothing happens", ["shown", "CPU", "goal", ""])
    journal = journals.write(folder / "idle.jsonl", _THOUGHTS)
    with place._replace(home=None).terminal(str(journal)) as terminal:
        table.add("a journal, no sources", f"{_idle_share(terminal, _THOUGHTS, min(span, 25)):.2%}", "", "")
    with closing(_newest(place, "claude")) as newest:
        newest.begin(0, range(201, 203))
        with place.terminal() as terminal:
            share = _idle_share(terminal, 202, span)
        newest.remove()
    table.add("claude", f"{share:.2%}", f"< {IDLE_GOAL_SHARE:.1%}", verdict(share < IDLE_GOAL_SHARE))
    return table


def _idle_share(terminal: Terminal, place: int, span: int) -> float:
    terminal.wait(journals.text_mark(place))
    wait_seconds(_SETTLED_SECONDS)
    before = terminal.cpu
    wait_seconds(span)
    return (terminal.cpu - before) / span
