"""`live`: time from an append, and from the server's reply, to the painted row; and key latency under load."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests.bench import journals
from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.terminal import ROOT, Terminal, python, wait_seconds

P99_GOAL_SECONDS, KEY_GOAL_SECONDS = 0.060, 0.050
RATE = 200
_PAUSES = (0.11, 0.23, 0.17, 0.31)
"""Seconds between two thoughts: long enough that each is the first after a pause."""


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Append and call one thought at a time, then measure keys under a stream of thoughts."""
    count = 20 if is_quick else 100
    table = Table("live: to the bytes of the painted row (pty, 140x45)", ["from", "median", "p99", "goal", ""])
    rain = Table(f"keys while {RATE} thoughts a second arrive: key to its echo", ["thoughts before", *_COLUMNS])
    for length in (1000, 100_000):
        path = journals.write(folder / f"live-{length}.jsonl", length, is_over=False)
        with Terminal(python("seqthink", "watch", str(path)), folder) as terminal, path.open("ab", 0) as file:
            terminal.wait(journals.text_mark(length))
            wait_seconds(1)

            def add(place: int, write: Callable[[bytes], object] = file.write, length: int = length) -> None:
                write(journals.line(place, length))

            found = [_painted(terminal, add, length + number, number) for number in range(1, count + 1)]
            _row(table, f"append, {length:,} thoughts", found)
            _row(rain, f"{length:,}", _keys(terminal, add, length + count, presses=count // 4), KEY_GOAL_SECONDS)
        path.unlink()
    _row(table, "reply, a new session", _replies(folder, count))
    echoes = _echoes(folder, count // 4)
    rain.add("the bare app, no rain", seconds(median(echoes)), seconds(p99(echoes)), "", "")
    return [table, rain]


_COLUMNS = ("median", "p99", "goal", "")


def _row(table: Table, name: str, found: list[float], goal: float = 0) -> None:
    middle, last = median(found), p99(found)
    if goal:
        table.add(name, seconds(middle), seconds(last), f"≤ {seconds(goal)}", verdict(middle <= goal))
        return
    table.add(
        name,
        seconds(middle),
        seconds(last),
        f"p99 ≤ {seconds(P99_GOAL_SECONDS)}",
        verdict(last <= P99_GOAL_SECONDS),
    )


def _painted(terminal: Terminal, add: Callable[[int], None], place: int, number: int) -> float:
    terminal.forget()
    started = time.perf_counter()
    add(place)
    took = terminal.wait(journals.text_mark(place)) - started
    wait_seconds(_PAUSES[number % len(_PAUSES)])
    return took


def _echoes(folder: Path, presses: int) -> list[float]:
    """Return the seconds that the bare app takes to show each key press."""
    found: list[float] = []
    with Terminal(python("tests.bench.bare"), folder) as terminal:
        terminal.wait("the bare app")
        wait_seconds(1)
        for number in range(1, presses + 1):
            pressed = terminal.press("x")
            found.append(terminal.wait(f"echo{number}.") - pressed)
            wait_seconds(0.137)
    return found


def _keys(terminal: Terminal, add: Callable[[int], None], last: int, *, presses: int) -> list[float]:
    """Return the seconds until ``Space`` shows that the viewer holds or follows, under load."""
    is_over = threading.Event()

    def pour() -> None:
        started, place = time.perf_counter(), last
        while not is_over.wait(max(0.0, started + (place - last) / RATE - time.perf_counter())):
            place += 1
            add(place)

    rain = threading.Thread(target=pour)
    rain.start()
    found: list[float] = []
    try:
        wait_seconds(0.5)
        for number in range(presses):
            terminal.forget()
            wanted = ("following",) if number % 2 else (" new ", "paused")
            pressed = terminal.press(" ")
            found.append(terminal.wait(*wanted) - pressed)
            wait_seconds(0.137)
    finally:
        is_over.set()
        rain.join()
    return found


def _replies(folder: Path, count: int) -> list[float]:
    environment = {**os.environ, "SEQTHINK_HOME": str(folder), "PYTHONPATH": str(ROOT)}
    command = python("seqthink", "serve")
    found: list[float] = []
    with subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        send, answer = server.stdin, server.stdout

        def ask(method: str, params: object, number: int | None = None) -> float:
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            send.write(json.dumps(message | ({"id": number} if number else {})).encode() + b"\n")
            send.flush()
            if number:
                assert b"error" not in answer.readline()
            return time.perf_counter()

        who = {"name": "bench", "version": "1"}
        ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who}, 1)
        ask("notifications/initialized", {})

        def think(place: int) -> float:
            fields = {"thoughtNumber": place, "totalThoughts": 999, "nextThoughtNeeded": True}
            fields |= {"thought": f"{journals.text_mark(place)} go on"}
            return ask("tools/call", {"name": "sequentialthinking", "arguments": fields}, place + 1)

        think(1)
        with Terminal(python("seqthink", "watch"), folder) as terminal:
            terminal.wait(journals.text_mark(1))
            wait_seconds(1)
            for place in range(2, count + 2):
                terminal.forget()
                replied = think(place)
                found.append(max(0.0, terminal.wait(journals.text_mark(place)) - replied))
                wait_seconds(_PAUSES[place % len(_PAUSES)])
        send.close()
    return found
