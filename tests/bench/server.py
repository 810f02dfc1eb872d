"""`server`: calls a second, CPU a call, cold start and memory of `seqthink serve`, beside the Node reference."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.bench.report import Table, seconds
from tests.bench.terminal import ROOT, python

REFERENCE = "@modelcontextprotocol/server-sequential-thinking"
_TICKS = os.sysconf("SC_CLK_TCK")


class Client:
    """A server on two pipes, asked by hand."""

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        environment = {**os.environ, "SEQTHINK_HOME": str(folder), "PYTHONPATH": str(ROOT)}
        environment["DISABLE_THOUGHT_LOGGING"] = "true"
        self.began = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, env=environment)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._send, self._answers = self._process.stdin, self._process.stdout
        who = {"name": "bench", "version": "1"}
        self.ask(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who})
        self.cold = time.perf_counter() - self.began
        self._send.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self._send.flush()

    def ask(self, number: int, method: str, params: object) -> None:
        """Ask and wait for the answer."""
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self._send.write(json.dumps(message).encode() + b"\n")
        self._send.flush()
        answer = self._answers.readline()
        assert b'"result"' in answer, answer

    def think(self, number: int) -> None:
        """Call the tool."""
        fields = {"thought": "x" * 400, "thoughtNumber": number, "totalThoughts": 9999, "nextThoughtNeeded": True}
        self.ask(number, "tools/call", {"name": "sequentialthinking", "arguments": fields})

    @property
    def cpu(self) -> float:
        """The seconds of CPU that it has taken."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS

    @property
    def resident(self) -> int:
        """The bytes of memory that it holds."""
        fields = Path(f"/proc/{self._process.pid}/statm").read_text("utf-8").split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")

    def close(self) -> None:
        """Let it end."""
        self._send.close()
        self._process.wait(10)


def measure(folder: Path, *, is_quick: bool) -> list[Table]:
    """Call both servers by turns, one call after the other."""
    calls, rounds = (1000, 3) if is_quick else (5000, 5)
    table = Table(
        f"server: {calls} calls one after the other over stdio, median of {rounds}",
        ["server", "initialize answered", "calls/s", "CPU a call", "MB resident after"],
    )
    commands = {"seqthink serve": python("seqthink", "serve")}
    reference, reason = _reference(folder)
    if reference:
        commands["Node reference"] = reference
    else:
        table.notes.append(f"The Node reference was left out: {reason}")
    found: dict[str, list[tuple[float, float, float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            found[name].append(_round(command, folder, calls))
    for name, values in found.items():
        cold, rate, cpu, held = (median(column) for column in zip(*values, strict=True))
        table.add(name, seconds(cold), f"{rate:.0f}", f"{cpu * 1e6:.0f} µs", f"{held / 1e6:.0f}")
    return [table]


def _round(command: Sequence[str], folder: Path, calls: int) -> tuple[float, float, float, float]:
    client = Client(command, folder)
    try:
        client.think(1)
        before, began = client.cpu, time.perf_counter()
        for number in range(2, calls + 2):
            client.think(number)
        took = time.perf_counter() - began
        return client.cold, calls / took, (client.cpu - before) / calls, client.resident
    finally:
        client.close()


def _reference(folder: Path) -> tuple[list[str] | None, str]:
    """Return the command of the reference, installed in ``folder``; or None and why."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        return None, "no node and npm here"
    install = [npm, "install", "--prefix", str(folder / "node"), "--no-audit", "--no-fund", "--silent", REFERENCE]
    try:
        done = subprocess.run(install, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return None, "npm took longer than two minutes"
    program = folder / "node" / "node_modules" / REFERENCE / "dist" / "index.js"
    if done.returncode or not program.exists():
        return None, f"npm could not install it (exit {done.returncode})"
    return [node, str(program)], ""
