"""`fleet`: the goals of shipping, reading and watching through an engine, beside what the engine alone can do."""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import redis

from seqthink.cli.stories.engine_program import INSTALL, find_program
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import SentNote, Shipment
from seqthink.sources.fleet.layout import Layout, SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from tests.bench import journals
from tests.bench.fleet.costs import costs
from tests.bench.fleet.machines import ORIGIN, BenchFleet, bench_fleet
from tests.bench.fleet.serving import serving
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.stdio import cpu_of, resident_of
from tests.bench.terminal import Terminal, python, wait_seconds
from tests.support.journals.build import JournalBuilder

_SESSION = "20260310T140200.000000Z-k3v9qa"
_LIVE_RATE = 200
_BATCH_BYTES = 256 << 10


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure each goal on loopback, each with an engine of its own."""
    table = Table(
        "fleet: engine, shipper and viewer on this machine, AOF on", ["figure", "found", "engine alone", "goal", ""]
    )
    program = find_program()
    if program is None:
        table.notes.append(INSTALL)
        return [table]
    for one in (_painted, _backlog, _opened, _many_live, _listed, _noted):
        with tempfile.TemporaryDirectory(dir=folder) as place:
            try:
                one(table, Path(place), program, is_quick)
            except TimeoutError as error:
                table.add(one.__name__.strip("_"), "never came", "", "", verdict(is_met=False))
                table.notes.append(f"{one.__name__.strip('_')}: {error}")
    return [table, costs(folder, program, is_quick=is_quick), serving(folder, program, is_quick=is_quick)]


# From an append to the row that a remote viewer paints


def _painted(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    count = 600 if is_quick else 4_000
    with bench_fleet(folder, program) as fleet, ExitStack() as stack:
        path = journals.write(fleet.sessions / f"{_SESSION}.jsonl", 1000, is_over=False)
        file = stack.enter_context(path.open("ab", 0))
        fcntl.flock(file, fcntl.LOCK_EX)
        stack.enter_context(fleet.shipping("--verbatim"))
        fleet.wait_for({_SESSION: 1001})
        painted: dict[int, float] = {}

        def hear(data: bytes, now: float) -> None:
            for found in re.findall(rb"t(\d{4,})\.", data):
                painted.setdefault(int(found), now)

        command = python("seqthink", "watch", _SESSION, "--fleet", fleet.engine.url)
        terminal = stack.enter_context(Terminal(command, fleet.elsewhere, hear))
        terminal.wait(journals.text_mark(1000))
        wait_seconds(3)
        appended: dict[int, float] = {}
        started = time.perf_counter()
        for number in range(1, count + 1):
            wait_seconds(max(0.0, started + number / _LIVE_RATE - time.perf_counter()))
            line = journals.line(1000 + number, 1000)
            appended[1000 + number] = time.perf_counter()
            file.write(line)
        terminal.wait(journals.text_mark(1000 + count))
        wait_seconds(0.5)
    took = [painted[place] - appended[place] for place in appended if place in painted]
    middle, last = median(took), p99(took)
    table.add(
        f"append to painted row of a remote viewer, {_LIVE_RATE} thoughts/s, p50 / p99",
        f"{seconds(middle)} / {seconds(last)}",
        seconds(_round_trip(folder, program)),
        "≤ 25 / 60 ms",
        verdict(middle <= 0.025 and last <= 0.060),
    )
    table.notes.append(
        f"Painted rows: {len(took):,} of {len(appended):,} appended rows were painted one by one; "
        "beside it, the engine's time from an append to a blocked reader."
    )


def _round_trip(folder: Path, program: str) -> float:
    """Return the engine's own time from an XADD to a reader that waits in XREAD."""
    with tempfile.TemporaryDirectory(dir=folder) as place, bench_fleet(Path(place), program) as fleet:
        took: list[float] = []
        sent = [0.0]
        is_waiting = threading.Event()

        def read() -> None:
            for number in range(200):
                is_waiting.set()
                fleet.client.xread({"s": f"{number}-0"}, block=5000)
                took.append(time.perf_counter() - sent[0])

        reader = threading.Thread(target=read)
        reader.start()
        with redis.Redis(port=fleet.engine.port, protocol=2) as writer:
            for number in range(1, 201):
                is_waiting.wait()
                is_waiting.clear()
                wait_seconds(0.004)
                sent[0] = time.perf_counter()
                writer.xadd("s", {"l": b"x" * 600}, id=f"{number}-0")
        reader.join()
        return median(took)


# A backlog


def _backlog(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    length = 20_000 if is_quick else 100_000
    rounds = 2 if is_quick else 3
    source = journals.write(folder / "backlog", length)
    text = source.read_bytes()
    found: dict[str, list[float]] = {"--verbatim": [], "": [], "floor": []}
    for number in range(rounds):
        for option in ("--verbatim", ""):
            with bench_fleet(folder / f"{number}{option}", program) as fleet:
                shutil.copyfile(source, fleet.sessions / f"{_SESSION}.jsonl")
                first = _once(fleet, option)
                again = _once(fleet, option)
                assert fleet.last(_SESSION) == text.count(b"\n")
                found[option].append(text.count(b"\n") / max(1e-6, first - again))
            shutil.rmtree(folder / f"{number}{option}")
        with bench_fleet(folder / f"{number}floor", program) as fleet:
            found["floor"].append(_floor(fleet, text))
        shutil.rmtree(folder / f"{number}floor")
    verbatim, redacting, floor = (median(found[name]) for name in ("--verbatim", "", "floor"))
    name = f"backlog of {length:,} ({len(text) / 1e6:.0f} MB), one shipper, "
    table.add(
        f"{name}--verbatim",
        f"{verbatim:,.0f}/s",
        f"{floor:,.0f}/s",
        "≥ 60,000/s, ≥ 0.5 of it",
        verdict(verbatim >= 60_000 and verbatim >= 0.5 * floor),
    )
    table.add(f"{name}redacting", f"{redacting:,.0f}/s", "", "≥ 8,000/s", verdict(redacting >= 8_000))
    table.notes.append(
        "Backlog: seconds of `ship --once`, without those that it takes when all is there already. Engine "
        "alone: the same lines from memory, 256 KiB of plain XADD in a pipeline at a time."
    )


def _once(fleet: BenchFleet, option: str) -> float:
    started = time.perf_counter()
    command = fleet.ship("--once", *([option] if option else []))
    subprocess.run(command, env=fleet.environment(), stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return time.perf_counter() - started


def _floor(fleet: BenchFleet, text: bytes) -> float:
    lines = text.split(b"\n")[:-1]
    key = Layout("main").lines(SessionName(ORIGIN, _SESSION))
    started = time.perf_counter()
    pipeline: Any = fleet.client.pipeline(transaction=False)  # pyright: ignore[reportUnknownMemberType] - the client has no types for it
    held = 0
    for number, line in enumerate(lines, 1):
        pipeline.xadd(key, {"l": line}, id=f"{number}-0")
        held += len(line)
        if held >= _BATCH_BYTES:
            pipeline.execute()
            held = 0
    pipeline.execute()
    return len(lines) / (time.perf_counter() - started)


# A long session


def _opened(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    length = 20_000 if is_quick else 100_000
    small = "20260310T140100.000000Z-k3v9qa"
    ends: list[float] = []
    small_ends: list[float] = []
    wholes: list[float] = []
    with bench_fleet(folder, program) as fleet:
        journals.write(fleet.sessions / f"{_SESSION}.jsonl", length)
        journals.write(fleet.sessions / f"{small}.jsonl", 100)
        _once(fleet, "--verbatim")
        floor = _read_whole(fleet)
        for _ in range(3 if is_quick else 5):
            small_end, start = _until(fleet, small, 100)
            small_ends.append(small_end)
            end, whole = _until(fleet, _SESSION, length)
            ends.append(end)
            wholes.append(whole - start)
    table.add(
        f"a remote viewer opens {length:,} thoughts, over one of 100",
        seconds(median(wholes)),
        seconds(floor),
        "≤ 1.5 s",
        verdict(median(wholes) <= 1.5),
    )
    table.add("its newest thought on the screen, from the first bytes", seconds(median(ends)), "", "", "")
    table.notes += [
        f"Opening: the end of the session of 100 comes {seconds(median(small_ends))} after the first bytes.",
        "Opening: `watch`, to a usable tree and an answered key. Engine alone: XRANGE of 1,000 at a time.",
    ]


def _until(fleet: BenchFleet, session: str, length: int) -> tuple[float, float]:
    """Return the seconds from the first bytes to the end of the session, and from the start to a usable tree."""
    command = python("seqthink", "watch", session, "--fleet", fleet.engine.url)
    with Terminal(command, fleet.elsewhere) as terminal:
        end = terminal.wait(journals.text_mark(length)) - terminal.first_at
        whole = terminal.wait("stopped") - terminal.started  # its state, which is known when all of it is
        terminal.forget()
        pressed = terminal.press("?")
        return end, whole + terminal.wait("Signs") - pressed


def _read_whole(fleet: BenchFleet) -> float:
    key = Layout("main").lines(SessionName(ORIGIN, _SESSION))
    started, after = time.perf_counter(), b"-"
    while found := fleet.client.xrange(key, min=after, count=1000):
        after = b"(" + found[-1][0]
    return time.perf_counter() - started


# Many live sessions


def _many_live(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    count = 200 if is_quick else 1_000
    span = 10.0 if is_quick else 20.0
    for option, goal in (("--verbatim", 0.30), ("", 0.45)):
        with bench_fleet(folder / f"live{option}", program) as fleet, ExitStack() as stack:
            files = [_live_journal(fleet, number, stack) for number in range(count)]
            shipper = stack.enter_context(fleet.shipping(*([option] if option else [])))
            names = [f"20260310T140200.{number:06}Z-aaaaaa" for number in range(count)]
            fleet.wait_for(dict.fromkeys(names, 2))
            rain = _Rain(files)
            stack.callback(rain.end)
            wait_seconds(3)
            written = rain.written
            before, engine_before, started = cpu_of(shipper.pid), _engine_cpu(fleet), time.perf_counter()
            wait_seconds(span)
            took = time.perf_counter() - started
            rate = (rain.written - written) / took
            share, engine_share = ((now - then) / took for now, then in (
                (cpu_of(shipper.pid), before), (_engine_cpu(fleet), engine_before)))  # fmt: skip
            resident = resident_of(shipper.pid) / 1e6
            lag = _lag(fleet, names, files)
        table.add(
            f"{count:,} live sessions, 1 event/s each, {option or 'redacting'}: the shipper's CPU, memory",
            f"{share:.0%} of a core, {resident:.0f} MB",
            f"{engine_share:.0%} of a core",
            f"≤ {goal:.0%}, ≤ 60 MB",
            verdict(share <= goal and resident <= 60),
        )
        table.notes.append(
            f"{count:,} live sessions, {option or 'redacting'}: "
            f"{rate:,.0f} events/s came; all was there {seconds(lag)} after the last."
        )


def _live_journal(fleet: BenchFleet, number: int, stack: ExitStack) -> Any:  # noqa: ANN401 - an open file
    path = fleet.sessions / f"20260310T140200.{number:06}Z-aaaaaa.jsonl"
    JournalBuilder().session(path.stem).thought(journals.FILLING, 1, 9).write(path)
    file = stack.enter_context(path.open("ab", 0))
    fcntl.flock(file, fcntl.LOCK_EX)
    return file


def _engine_cpu(fleet: BenchFleet) -> float:
    found: Any = fleet.client.info("cpu")
    return found["used_cpu_user"] + found["used_cpu_sys"]


class _Rain:
    """One event a second into each of many files, spread over the second."""

    def __init__(self, files: list[Any]) -> None:
        self._files = files
        self.written = 0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._is_over.set()
        self._thread.join()

    def _run(self) -> None:
        place, started, step = 0, time.perf_counter(), 1 / len(self._files)
        while not self._is_over.wait(max(0.0, started + place * step - time.perf_counter())):
            number = 2 + place // len(self._files)
            self._files[place % len(self._files)].write(journals.line(number, 9))
            place += 1
            self.written = place


def _lag(fleet: BenchFleet, names: list[str], files: list[Any]) -> float:
    for file in files:
        file.write(journals.line(900, 9))
    started = time.perf_counter()
    wanted = {name: (fleet.sessions / f"{name}.jsonl").read_bytes().count(b"\n") for name in names[-20:]}
    fleet.wait_for(wanted, 30)
    return time.perf_counter() - started


# A list of many


def _listed(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    count = 2_000 if is_quick else 10_000
    with bench_fleet(folder, program) as fleet:
        names = _put_cards(fleet, count)
        reader = open_reader(parse_address(fleet.engine.url), {})
        pages: list[float] = []
        for _ in range(20):
            started = time.perf_counter()
            shown = [listed.name for listed in reader.listed(100)]
            assert len([card for card in reader.cards(shown) if card]) == 100
            reader.lives(shown)
            pages.append(time.perf_counter() - started)
        reader.close()
        newest = f"Question {count - 1:05}"
        screens: list[float] = []
        for _ in range(3 if is_quick else 5):
            with Terminal(
                python("seqthink", "watch", names[-1].session, "--fleet", fleet.engine.url), fleet.elsewhere
            ) as terminal:
                terminal.wait(newest)
                wait_seconds(5)  # until all cards are there, which is not what is measured
                terminal.forget()
                pressed = terminal.press("s")
                screens.append(terminal.wait(f"Question {count - 5:05}") - pressed)
    table.add(
        f"list of {count:,} sessions: from `s` to the first page",
        seconds(median(screens)),
        seconds(median(pages)),
        "≤ 100 ms",
        verdict(median(screens) <= 0.1),
    )
    table.notes.append("List: beside it, a page of 100 names, cards and heartbeats from the engine.")


def _put_cards(fleet: BenchFleet, count: int) -> list[SessionName]:
    address = parse_address(fleet.engine.url)
    names: list[SessionName] = []
    now = int(time.time() * 1e6)
    for start in range(0, count, 500):
        cards: dict[str, Card] = {}
        shipments: list[Shipment] = []
        origin = f"host{start // 500:02}-aaaaaa"
        for number in range(start, min(count, start + 500)):
            session = f"20260310T140200.{number:06}Z-aaaaaa"
            lines = JournalBuilder().session(session).thought(f"Question {number:05}", 1, 3).lines
            when = now - (count - number) * 1_000_000
            cards[session] = Card(
                cwd="/home/ana/shop", client="claude-code", name="shop", title=f"Question {number:05}",
                progress="1 of ~3", state="thinking", newest=f"Question {number:05}", newest_number="1", started=when,
                last=when, newest_time=when, lines=2, bytes=sum(map(len, lines)), chains=1, thoughts=1,
                head=lines[0].decode().rstrip("\n"),
            )  # fmt: skip
            shipments.append(Shipment(session, 1, [line.rstrip(b"\n") for line in lines]))
            names.append(SessionName(origin, session))
        engine = open_origin(address, origin, {})
        engine.append(shipments)
        engine.put_cards(cards)
        engine.close()
    return names


# Notes back


def _noted(table: Table, folder: Path, program: str, is_quick: bool) -> None:
    count = 40 if is_quick else 200
    with bench_fleet(folder, program) as fleet, ExitStack() as stack:
        path = journals.write(fleet.sessions / f"{_SESSION}.jsonl", 10, is_over=False)
        file = stack.enter_context(path.open("ab", 0))
        fcntl.flock(file, fcntl.LOCK_EX)
        stack.enter_context(fleet.shipping("--notes", "--verbatim"))
        fleet.wait_for({_SESSION: 11})
        reader = open_reader(parse_address(fleet.engine.url), {})
        stack.callback(reader.close)
        notes = fleet.sessions / f"{_SESSION}.notes.jsonl"
        took: list[float] = []
        for number in range(count):
            note = SentNote(
                "", _SESSION, f"{number:016x}", "2026-03-10T14:02:00.000Z", f"note {number}.", "ana@desk", ""
            )
            sent = time.perf_counter()
            reader.send_note(SessionName(ORIGIN, _SESSION), note)
            _wait_for(lambda text=note.text: notes.exists() and text.encode() in notes.read_bytes())
            took.append(time.perf_counter() - sent)
            wait_seconds(0.02)
    found = took[5:]
    table.add(
        "note: from the viewer's side to the file at the agent's machine, p50 / p99",
        f"{seconds(median(found))} / {seconds(p99(found))}",
        "",
        "p99 ≤ 20 ms",
        verdict(p99(found) <= 0.020),
    )


def _wait_for(is_so: Callable[[], bool]) -> None:
    end = time.perf_counter() + 30
    while not is_so():
        if time.perf_counter() > end:
            raise TimeoutError("nothing came")
        os.sched_yield()
        wait_seconds(0.0003)
