"""`handover`: what a message waits that needs the SDK, by how long after the handshake it comes; what loading costs.

Each session stands beside one with `--no-front`, which has had the SDK from its start: what that one takes is the work
itself, the difference is the wait.
"""

import itertools
import json
import os
import select
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from tests.bench.report import Table, p99, seconds, verdict
from tests.bench.stdio import cpu_of, resident_of
from tests.bench.terminal import ROOT, python, wait_seconds

GOAL_SECONDS: Final = 0.05
_GOAL_LATENCY_SECONDS: Final = 0.005
_DELAYS: Final = (0.0, 0.2, 0.5, 1.0, 3.0)
_CODE: Final = "Fix it:\n\n```python\ndef f(x):\n    return x\n```\n"
_TIMEOUT_SECONDS: Final = 60.0
_MESSAGES_PER_SECOND: Final = 50
_MIB: Final = 1 << 20

Message = dict[str, Any]


class Case(NamedTuple):
    """A session in which a message needs the SDK."""

    options: Sequence[str]
    environ: Mapping[str, str]
    capabilities: Message
    before: int
    """Thoughts without code that come at once after the handshake."""
    needs_sdk: str
    """The message that needs the SDK: a method, or the text of a thought."""


CASES: Final = {
    "unknown method": Case((), {}, {}, 1, "resources/list"),
    "call with a task": Case((), {}, {}, 1, "task"),
    "first call, audits": Case((), {"ENABLE_GAN_AUDITING": "true"}, {}, 0, _CODE),
    "first call, audits, no code": Case((), {"ENABLE_GAN_AUDITING": "true"}, {}, 0, "No code here"),
    "limit, asks the user": Case(("--max-thoughts", "1"), {}, {"elicitation": {}}, 1, "One more"),
}


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Measure the waits, then messages during the import, then memory."""
    rounds = 3 if is_quick else 7
    delays = _DELAYS[::2] if is_quick else _DELAYS
    environ = _environment(folder)
    return [_waits(environ, rounds, delays), _latency(environ, rounds), _memory(environ)]


def _waits(environ: Mapping[str, str], rounds: int, delays: Sequence[float]) -> Table:
    table = Table(
        f"handover: from the message to its answer, medians of {rounds} rounds by turns",
        ["what", "after", "wall", "CPU", "SDK from the start: wall", "CPU", "wait", "goal", ""],
    )
    for (name, case), delay in itertools.product(CASES.items(), delays):
        ours: list[tuple[float, float]] = []
        theirs: list[tuple[float, float]] = []
        for _ in range(rounds):
            ours.append(_timed(case, environ, delay))
            theirs.append(_timed(case._replace(options=("--no-front", *case.options)), environ, max(delay, 1.0)))
        (wall, cpu), (work_wall, work_cpu) = (map(median, zip(*values, strict=True)) for values in (ours, theirs))
        wait = wall - work_wall
        table.add(
            name, seconds(delay) if delay else "0", seconds(wall), seconds(cpu), seconds(work_wall), seconds(work_cpu),
            f"{wait * 1e3:.0f} ms", f"≤ {seconds(GOAL_SECONDS)}", verdict(wait <= GOAL_SECONDS),
        )  # fmt: skip
    table.notes.append(
        "CPU: of the server alone, from the message to its answer; loading that runs meanwhile counts. Steps of 10 ms."
    )
    return table


def _timed(case: Case, environ: Mapping[str, str], delay: float) -> tuple[float, float]:
    """Return the wall and CPU seconds from the message that needs the SDK to its answer, or to the question."""
    with _Client(case, environ) as client:
        for number in range(1, case.before + 1):
            client.ask("tools/call", _thought("Before", number))
        wait_seconds(delay)
        method, params = "tools/call", _thought(case.needs_sdk, case.before + 1)
        if case.needs_sdk == "resources/list":
            method, params = case.needs_sdk, {}
        elif case.needs_sdk == "task":
            params["task"] = {"ttl": 1000}
        cpu, started = client.cpu, time.perf_counter()
        client.ask(method, params)
        return time.perf_counter() - started, client.cpu - cpu


def _latency(environ: Mapping[str, str], rounds: int) -> Table:
    """Return what plain messages wait while the SDK is loaded, beside a session that loads nothing."""
    table = Table(
        f"handover: a ping every {1000 // _MESSAGES_PER_SECOND} ms in the first 2 s after the handshake",
        ["session", "pings", "p50", "p99", "slowest", "over quiet, p99", "goal", ""],
    )
    audits = Case((), {"ENABLE_GAN_AUDITING": "true"}, {}, 0, "")
    took: dict[str, list[float]] = {"nothing is loaded": [], "the SDK and a judge are loaded": []}
    for _ in range(rounds):
        for name, case in zip(took, (audits._replace(environ={}), audits), strict=True):
            with _Client(case, environ) as client:
                took[name] += client.pings(2 * _MESSAGES_PER_SECOND)
    quiet = p99(took["nothing is loaded"])
    for name, values in took.items():
        over = p99(values) - quiet
        cells = ("", "", "")
        if over:
            cells = (seconds(over), f"≤ {seconds(_GOAL_LATENCY_SECONDS)}", verdict(over <= _GOAL_LATENCY_SECONDS))
        table.add(name, len(values), seconds(median(values)), seconds(p99(values)), seconds(max(values)), *cells)
    return table


def _memory(environ: Mapping[str, str]) -> Table:
    table = Table(
        "handover: three seconds after the handshake", ["session", "MiB, server", "MiB, with judge", "CPU, server"]
    )
    audits = CASES["first call, audits"]
    cases = {
        "plain": CASES["call with a task"],
        "a limit, and a user to ask": CASES["limit, asks the user"],
        "audits": audits,
        "audits, SDK from the start": audits._replace(options=("--no-front",)),
    }
    for name, case in cases.items():
        with _Client(case, environ) as client:
            wait_seconds(3)
            server, *judges = client.resident
            table.add(name, server // _MIB, (server + sum(judges)) // _MIB, seconds(client.cpu))
    return table


class _Client:
    """A client of a server of its own; a context manager."""

    def __init__(self, case: Case, environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [*python("seqthink", "serve"), *case.options],
            stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, env={**environ, **case.environ},
        )  # fmt: skip
        self._number = 0
        self._data = b""
        who = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": case.capabilities, "clientInfo": who})
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> "_Client":
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(_TIMEOUT_SECONDS)
        self._process.stdout.close()

    @property
    def cpu(self) -> float:
        """CPU seconds that the server has used."""
        return cpu_of(self._process.pid)

    @property
    def resident(self) -> list[int]:
        """Resident bytes of the server, then of each process that it has started."""
        children = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        pids = [int(pid) for path in children for pid in path.read_text("utf-8").split()]
        return [resident_of(pid) for pid in (self._process.pid, *pids)]

    def ask(self, method: str, params: Message) -> Message:
        """Return the answer to a request, or the first request of the server that comes instead."""
        self._number += 1
        self._write({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self._number or message.get("method") == "elicitation/create":
                return message

    def pings(self, count: int) -> list[float]:
        """Send pings at a steady pace, whether or not they are answered; return what each waited."""
        sent: dict[int, float] = {}

        def send() -> None:
            begun = time.perf_counter()
            for number in range(count):
                wait_seconds(max(0.0, begun + number / _MESSAGES_PER_SECOND - time.perf_counter()))
                sent[1000 + number] = time.perf_counter()
                self._write({"jsonrpc": "2.0", "id": 1000 + number, "method": "ping"})

        sender = threading.Thread(target=send)
        sender.start()
        took: list[float] = []
        for _ in range(count):
            number = self._read()["id"]
            took.append(time.perf_counter() - sent[number])
        sender.join()
        return took

    def _write(self, message: Message) -> None:
        assert self._process.stdin is not None
        os.write(self._process.stdin.fileno(), json.dumps(message).encode() + b"\n")

    def _read(self) -> Message:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        while b"\n" not in self._data:
            ready, _, _ = select.select([descriptor], [], [], _TIMEOUT_SECONDS)
            assert ready, "the server says nothing"
            chunk = os.read(descriptor, 1 << 16)
            assert chunk, "the server left"
            self._data += chunk
        line, _, self._data = self._data.partition(b"\n")
        return json.loads(line)


def _thought(text: str, number: int) -> Message:
    fields = {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": 9}
    return {"name": "sequentialthinking", "arguments": fields}


def _environment(folder: Path) -> Mapping[str, str]:
    """Return an environment in which Python caches compiled code, as in an installed package."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    ours = {"SEQTHINK_HOME": str(folder), "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    compiled = {**environ, **ours, "DISABLE_THOUGHT_LOGGING": "true"}
    for case in CASES.values():  # what is compiled on first use is compiled now
        for options in (case.options, ("--no-front", *case.options)):
            _timed(case._replace(options=options), compiled, 0.0)
    return compiled
