"""A minimal client on a server's pipes: one call after the other, or many in flight."""

import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_TEXT = "The quick brown fox weighs the evidence and jumps to a tentative conclusion. " * 7
_TIMEOUT_SECONDS = 60.0


class Server:
    """A running server; its clock starts just before its process is made."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        started = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, env=environ)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._send, self._receive = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._number = 0
        who = {"name": "bench", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who})
        self.first_answer = time.perf_counter() - started
        os.write(self._send, b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def think(self, calls: int) -> list[float]:
        """Make calls one after the other, and return the seconds that each took."""
        took: list[float] = []
        for _ in range(calls):
            line = self._call()
            started = time.perf_counter()
            os.write(self._send, line)
            self._take(1)
            took.append(time.perf_counter() - started)
        return took

    def think_together(self, calls: int, in_flight: int = 64) -> tuple[float, float]:
        """Keep ``in_flight`` calls open; return the wall seconds, and the server's CPU seconds."""
        lines = [self._call() for _ in range(calls)]
        cpu, started = self.cpu, time.perf_counter()
        sent = answered = 0
        while answered < calls:
            until = min(calls, answered + in_flight)
            if until > sent:
                _write(self._send, b"".join(lines[sent:until]))
                sent = until
            answered += self._take(1)
        return time.perf_counter() - started, self.cpu - cpu

    @property
    def cpu(self) -> float:
        """CPU seconds that the server has used."""
        return cpu_of(self._process.pid)

    @property
    def resident(self) -> int:
        """Resident memory of the server, in bytes."""
        return resident_of(self._process.pid)

    def close(self) -> None:
        """Close its stdin and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()

    def _ask(self, method: str, params: object) -> None:
        os.write(self._send, self._line(method, params))
        self._take(1)

    def _call(self) -> bytes:
        text = f"Thought {self._number}: {_TEXT}"[:500]
        fields = {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": self._number + 1, "totalThoughts": 10**6}
        return self._line("tools/call", {"name": "sequentialthinking", "arguments": fields})

    def _line(self, method: str, params: object) -> bytes:
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"

    def _take(self, least: int) -> int:
        """Read until ``least`` more answers are complete, and return their number; an error ends the measurement."""
        data = b""
        while not data.endswith(b"\n") or data.count(b"\n") < least:
            ready, _, _ = select.select([self._receive], [], [], _TIMEOUT_SECONDS)
            assert ready, "the server says nothing"
            chunk = os.read(self._receive, 1 << 20)
            assert chunk, "the server left"
            data += chunk
        assert b'"error"' not in data, data[:500]
        assert b'"isError"' not in data, data[:500]
        return data.count(b"\n")


def cpu_of(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_of(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    fields = Path(f"/proc/{pid}/statm").read_text("utf-8").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
