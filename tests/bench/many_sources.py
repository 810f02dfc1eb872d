"""All sources at once, with thousands of sessions of each on disk: ours, and one that a package brings."""

import json
import os
import shutil
import time
from contextlib import closing
from pathlib import Path
from statistics import median

from tests.bench import journals, transcripts
from tests.bench.report import Table, p99, seconds, spread, verdict
from tests.bench.terminal import Terminal, python, wait_seconds
from tests.support.transcripts import acme

RATIO_GOAL, IDLE_GOAL_SHARE, PAINTED_GOAL_SECONDS = 1.2, 0.006, 0.100
SESSIONS = 5_000
"""Of each source."""
ALL = (*transcripts.JSON_LINES, transcripts.DATABASE, acme.NAME)
_SESSION_BYTES = 4_000
_THOUGHTS = 12
_SETTLED_SECONDS = 15
"""After this time everything on disk has been listed once, and the rows of the list have been read."""
_PAUSES = (0.31, 0.53, 0.41, 0.67)


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
    home, packages = folder / "all", folder / "packages"
    acme.install(packages)
    transcripts.fill(home, 4 * count, 4 * count * _SESSION_BYTES)
    for number in range(count):
        path = acme.write_session(home, f"s{number}")
        then = time.time() - 3600 - 60 * number
        os.utime(path, (then, then))
    title = f"{len(ALL)} sources with {count:,} sessions of each"
    tables = [
        _first_frames(title, folder, home, packages, rounds=5 if is_quick else 15),
        _live(title, folder, home, packages, count=12 if is_quick else 100),
        _idle(title, folder, home, packages, span=20 if is_quick else 60),
    ]
    shutil.rmtree(home)
    return tables


def _first_frames(title: str, folder: Path, home: Path, packages: Path, rounds: int) -> Table:
    """Start the viewer at a journal and at the newest session, with nothing else on disk and with all, in turn."""
    table = Table(
        f"{title}: process start to the first frame (pty, 140x45)", ["shows", "wall", "CPU", "ratio", "goal", ""]
    )
    journal = journals.write(folder / "first.jsonl", _THOUGHTS)
    alone = folder / "alone"
    named = ["watch", str(journal)]
    pairs = {"a journal": (named, None, home), "the newest session, of claude": (["watch"], alone, home)}
    for one in (alone, home):
        transcripts.transcript(one, "claude", client_lines.NEW_SESSIONS).begin(0, range(1, 1 + _THOUGHTS))
    for shown, (words, none, every) in pairs.items():
        bare: list[tuple[float, float]] = []
        among: list[tuple[float, float]] = []
        for _ in range(rounds):
            bare.append(_first(Terminal(python("seqthink", *words), folder / "none", home=none)))
            among.append(_first(Terminal(python("seqthink", *words), folder / "none", home=every, packages=packages)))
        base, ratio = median(cpu for _, cpu in bare), _median_ratio(bare, among)
        table.add(f"{shown}, nothing else", _walls(bare), seconds(base), "", "", "")
        goal = f"≤ {RATIO_GOAL:g}", verdict(ratio <= RATIO_GOAL)
        table.add(f"{shown}, among all", _walls(among), seconds(ratio * base), f"{ratio:.2f}", *goal)
    transcripts.transcript(home, "claude", client_lines.NEW_SESSIONS).remove()
    table.notes.append("The ratio is that of CPU times until the frame.")
    return table


def _median_ratio(bare: list[tuple[float, float]], among: list[tuple[float, float]]) -> float:
    return median(cpu for _, cpu in among) / median(cpu for _, cpu in bare)


def _walls(found: list[tuple[float, float]]) -> str:
    return spread([wall for wall, _ in found])


def _first(started: Terminal) -> tuple[float, float]:
    with started as terminal:
        return terminal.wait(journals.text_mark(_THOUGHTS)) - terminal.started, terminal.cpu


def _newest(home: Path, client: str) -> "AcmeTranscript | transcripts.Transcript":
    return (
        AcmeTranscript(home) if client == acme.NAME else transcripts.transcript(home, client, client_lines.NEW_SESSIONS)
    )


def _live(title: str, folder: Path, home: Path, packages: Path, count: int) -> Table:
    """Append one thought at a time to the newest session of each client."""
    table = Table(f"{title}: record on disk to the bytes of its row (pty, 140x45)", ["", "median", "p99", "goal", ""])
    for client in ALL:
        with closing(_newest(home, client)) as newest:
            newest.begin(0, range(1, 3))
            with Terminal(python("seqthink", "watch"), folder / "none", home=home, packages=packages) as terminal:
                terminal.wait(journals.text_mark(2))
                wait_seconds(5)
                found: list[float] = []
                for place in range(3, 3 + count):
                    terminal.forget()
                    added = newest.add(place)
                    found.append(terminal.wait(journals.text_mark(place)) - added)
                    wait_seconds(_PAUSES[place % len(_PAUSES)])
            newest.remove()
        goal = f"≤ {seconds(PAINTED_GOAL_SECONDS)}", verdict(p99(found) <= PAINTED_GOAL_SECONDS)
        table.add(client, seconds(median(found)), seconds(p99(found)), *goal)
    return table


def _idle(title: str, folder: Path, home: Path, packages: Path, span: int) -> Table:
    """Let the viewer be at a session that nobody writes to."""
    table = Table(f"{title}: CPU over {span} s in which nothing happens", ["shown", "CPU", "goal", ""])
    journal = journals.write(folder / "idle.jsonl", _THOUGHTS)
    with Terminal(python("seqthink", "watch", str(journal)), folder / "none") as terminal:
        table.add("a journal, no sources", f"{_idle_share(terminal, _THOUGHTS, span):.2%}", "", "")
    for client in ALL:
        with closing(_newest(home, client)) as newest:
            newest.begin(0, range(201, 203))
            with Terminal(python("seqthink", "watch"), folder / "none", home=home, packages=packages) as terminal:
                share = _idle_share(terminal, 202, span)
            newest.remove()
        table.add(client, f"{share:.2%}", f"< {IDLE_GOAL_SHARE:.1%}", verdict(share < IDLE_GOAL_SHARE))
    return table


def _idle_share(terminal: Terminal, place: int, span: int) -> float:
    terminal.wait(journals.text_mark(place))
    wait_seconds(_SETTLED_SECONDS)
    before = terminal.cpu
    wait_seconds(span)
    return (terminal.cpu - before) / span
