"""`transcripts`: of four clients: first frame among thousands, append to paint, idle CPU, a huge rollout."""

import compileall
import shutil
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from tests.bench import journals, transcripts
from tests.bench.clients import client_lines
from tests.bench.report import Table, p99, seconds, spread, verdict
from tests.bench.terminal import ROOT, Terminal, python, wait_seconds
from tests.support.journals.build import JournalBuilder

FIRST_FRAME_GOAL_SECONDS, HUGE_GOAL_SECONDS, IDLE_GOAL_SHARE = 1.0, 5.0, 0.01
GOAL_SECONDS = {**dict.fromkeys(transcripts.JSON_LINES, 0.060), transcripts.DATABASE: 0.100}
"""From a record on disk to the bytes of its row."""
ALL = (*transcripts.JSON_LINES, transcripts.DATABASE)
_MEGABYTE = 1_000_000
_THOUGHTS = 12
_TRANSCRIPT_DELAY_SECONDS = 0.1
_PAUSES = (0.31, 0.53, 0.41, 0.67)


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Fill a home folder with transcripts, and watch."""
    for package in ("seqthink", "tui"):
        compileall.compile_dir(str(ROOT / package), quiet=2)
    sessions, size = (400, 400 * _MEGABYTE) if is_quick else (2000, 5000 * _MEGABYTE)
    few, many = folder / "few", folder / "many"
    transcripts.fill(few, 50, 50 * _MEGABYTE)
    transcripts.fill(many, sessions, size)
    homes = {"50 sessions": few, f"{sessions:,} sessions": many}
    tables = [
        _first_frames(folder, homes, rounds=3 if is_quick else 9),
        _live(folder, homes, count=10 if is_quick else 30),
        _idle(folder, homes, span=10 if is_quick else 20),
    ]
    shutil.rmtree(many)
    return [*tables, _huge(folder, 200 * _MEGABYTE if is_quick else 2000 * _MEGABYTE)]


def _first_frames(folder: Path, homes: dict[str, Path], rounds: int) -> Table:
    """Start the viewer with and without transcripts in turn; the newest session's last thought counts."""
    table = Table(
        "transcripts: process start to the frame with the newest session's rows (pty, 140x45)",
        ["on disk, newest session of", "wall: median (range)", "CPU", "journals only", "ratio", "goal", ""],
    )
    journal = journals.write(folder / "newest.jsonl", _THOUGHTS)
    for name, home in homes.items():
        for client in ALL:
            with closing(transcripts.transcript(home, client, 0)) as newest:
                newest.begin(_MEGABYTE, range(101, 101 + _THOUGHTS))
                found: list[tuple[float, float]] = []
                bare: list[float] = []
                for _ in range(rounds):
                    bare.append(_first(folder, ["watch", str(journal)], _THOUGHTS, None)[0])
                    found.append(_first(folder / "none", ["watch"], 100 + _THOUGHTS, home))
                newest.remove()
            walls, cpus = zip(*found, strict=True)
            middle, base = median(walls), median(bare)
            cells = (spread(walls), seconds(median(cpus)), seconds(base), f"{middle / base:.1f}")
            goal = f"≤ {FIRST_FRAME_GOAL_SECONDS:g} s", verdict(middle <= FIRST_FRAME_GOAL_SECONDS)
            table.add(f"{name}, {client}", *cells, *goal)
    return table


def _first(folder: Path, arguments: list[str], place: int, home: Path | None) -> tuple[float, float]:
    with Terminal(python("seqthink", *arguments), folder, home=home) as terminal:
        took = terminal.wait(journals.text_mark(place)) - terminal.started
        return took, terminal.cpu


def _live(folder: Path, homes: dict[str, Path], count: int) -> Table:
    """Append one thought at a time to the newest session of each client."""
    table = Table(
        "transcripts: record on disk to the bytes of its row (pty, 140x45)",
        ["session of, on disk", "median", "p99", "goal", ""],
    )
    for name, home in homes.items():
        for client in ALL:
            with closing(transcripts.transcript(home, client, client_lines.NEW_SESSIONS)) as newest:
                newest.begin(_MEGABYTE, range(1, 3))
                with Terminal(python("seqthink", "watch"), folder / "none", home=home) as terminal:
                    terminal.wait(journals.text_mark(2))
                    wait_seconds(3)
                    found = [_painted(terminal, newest, place) for place in range(3, 3 + count)]
                newest.remove()
            middle, goal = median(found), GOAL_SECONDS[client]
            table.add(
                f"{client}, {name}", seconds(middle), seconds(p99(found)), f"≤ {seconds(goal)}", verdict(middle <= goal)
            )
    _joined(table, folder, homes["50 sessions"], count)
    return table


def _painted(terminal: Terminal, newest: transcripts.Transcript, place: int) -> float:
    terminal.forget()
    added = newest.add(place)
    took = terminal.wait(journals.text_mark(place)) - added
    wait_seconds(_PAUSES[place % len(_PAUSES)])
    return took


def _joined(table: Table, folder: Path, home: Path, count: int) -> None:
    """ToolCall our server, too, whose journal has the thought 100 ms before the transcript: as Claude Code does it."""
    session = client_lines.NEW_SESSIONS + 2
    began = datetime.fromtimestamp(time.time(), UTC)
    journal = folder / "joined" / "sessions" / f"{began:%Y%m%dT%H%M%S.%fZ}-k3v9qa.jsonl"
    journal.parent.mkdir(parents=True)
    builder = JournalBuilder(began).session(journal.stem)
    with closing(transcripts.transcript(home, "claude", session)) as newest, journal.open("ab", 0) as file:
        newest.begin(_MEGABYTE, range(1, 3))
        for place in (1, 2):
            _think(builder, session, place)
        file.write(builder.data)
        with Terminal(python("seqthink", "watch"), folder / "joined", home=home) as terminal:
            terminal.wait(journals.text_mark(2))
            wait_seconds(3)
            found: list[float] = []
            for place in range(3, 3 + count):
                terminal.forget()
                written = len(builder.data)
                data = _think(builder, session, place).data[written:]
                started = time.perf_counter()
                file.write(data)
                wait_seconds(_TRANSCRIPT_DELAY_SECONDS)
                newest.add(place)
                found.append(terminal.wait(journals.text_mark(place)) - started)
                wait_seconds(_PAUSES[place % len(_PAUSES)])
        newest.remove()
    middle, goal = median(found), _TRANSCRIPT_DELAY_SECONDS + GOAL_SECONDS["claude"]
    name = f"claude, from our journal's line, {seconds(_TRANSCRIPT_DELAY_SECONDS)} ahead"
    table.add(name, seconds(middle), seconds(p99(found)), f"≤ {seconds(goal)}", verdict(middle <= goal))


def _think(builder: JournalBuilder, session: int, place: int) -> JournalBuilder:
    asked, call = client_lines.arguments(place), client_lines.call_id(session, place)
    builder.now = datetime.fromtimestamp(time.time(), UTC)
    return builder.thought(str(asked["thought"]), place, place + 5, call=call, after=0)


def _idle(folder: Path, homes: dict[str, Path], span: int) -> Table:
    """Let the viewer stand at a session that nobody writes to."""
    table = Table(f"transcripts: CPU over {span} s in which nothing happens", ["on disk, shown", "CPU", "goal", ""])
    journal = journals.write(folder / "idle.jsonl", _THOUGHTS)
    with Terminal(python("seqthink", "watch", str(journal)), folder) as terminal:
        share = _idle_share(terminal, _THOUGHTS, span)
        table.add("no sources, a journal", f"{share * 100:.2f} %", "", "")
    for name, home in homes.items():
        for client in ALL:
            with closing(transcripts.transcript(home, client, client_lines.NEW_SESSIONS + 1)) as newest:
                newest.begin(_MEGABYTE, range(201, 203))
                with Terminal(python("seqthink", "watch"), folder / "none", home=home) as terminal:
                    share = _idle_share(terminal, 202, span)
                newest.remove()
            met = verdict(share < IDLE_GOAL_SHARE)
            table.add(f"{name}, {client}", f"{share * 100:.2f} %", f"< {IDLE_GOAL_SHARE * 100:g} %", met)
    return table


def _idle_share(terminal: Terminal, place: int, span: int) -> float:
    terminal.wait(journals.text_mark(place))
    wait_seconds(4)
    before = terminal.cpu
    wait_seconds(span)
    return (terminal.cpu - before) / span


def _huge(folder: Path, size: int) -> Table:
    """Open a rollout; nine tenths of it are records of compactions."""
    table = Table(
        f"transcripts: a Codex rollout of {size / 1e9:.1f} GB, 90 % of it `compacted` (pty, 140x45)",
        ["", "from", "took", "goal", ""],
    )
    home = folder / "huge"
    rollout = transcripts.FileTranscript(home, "codex", 1)
    rollout.begin(0, range(1, 2))
    filling = rollout.lines.filling(1, 9 * _MEGABYTE)
    count = size // (10 * _MEGABYTE)
    rest = b"".join(rollout.lines.thought(1, 1)) + rollout.output(_MEGABYTE)
    with rollout.path.open("ab") as file:
        for place in range(2, 2 + count):
            file.write(filling)
            file.write(rest.replace(b"t1.", b"t%d." % place).replace(b"call_1_1", b"call_1_%d" % place))
    with Terminal(python("seqthink", "watch"), folder / "none", home=home) as terminal:
        first = terminal.wait(journals.text_mark(1)) - terminal.started
        keys: list[float] = []
        for key, answer in (("?", "Signs"), ("q", "following")) * 3:
            terminal.forget()
            pressed = terminal.press(key)
            keys.append(terminal.wait(answer) - pressed)
        last = terminal.wait(journals.text_mark(1 + count)) - terminal.started
    table.add("first thought", "process start", seconds(first), "", "")
    table.add("a key meanwhile", "key", spread(keys), "", "")
    table.add(
        "last thought", "process start", seconds(last), f"≤ {HUGE_GOAL_SECONDS:g} s", verdict(last <= HUGE_GOAL_SECONDS)
    )
    shutil.rmtree(home)
    return table
