"""The client's side of a server's pipes: raw lines out, messages in, every wait bounded."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from seqthink.journal.folder import is_journal
from tests.support.proc import process_file
from tests.support.servers.warm_server import PROJECT, TIMEOUT_SECONDS, WarmServer

STATELESS_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "stateless-client", "version": "2"},
}

Message = dict[str, Any]


class Wire:
    """A running server and the pipes to it."""

    def __init__(self, pid: int, wait: Callable[[], int], stdin: int, stdout: int, stderr: int | None) -> None:
        self.pid = pid
        self.stdin: int | None = stdin
        self._wait = wait
        self._stdout = stdout
        self.stderr = stderr
        self._held = bytearray()
        self._status: int | None = None
        self._next_id = 1000
        self.warnings: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        if self._status is None:
            os.kill(self.pid, signal.SIGKILL)
            self.status()
        self.hang_up()
        os.close(self._stdout)
        if self.stderr is not None:
            os.close(self.stderr)

    def send(self, message: Message | bytes) -> None:
        """Write one line, reading answers meanwhile so that no pipe fills up."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(line + b"\n")

    def send_bytes(self, data: bytes) -> None:
        assert self.stdin is not None
        view = memoryview(data)
        while view:
            readable, writable, _ = select.select([self._stdout], [self.stdin], [], TIMEOUT_SECONDS)
            assert readable or writable, "the server neither reads nor writes"
            if readable and not self._read():
                raise BrokenPipeError("the server left")
            if writable:
                view = view[os.write(self.stdin, view[: select.PIPE_BUF]) :]

    def send_unread(self, data: bytes) -> None:
        """Write ``data`` without reading answers."""
        assert self.stdin is not None
        view = memoryview(data)
        while view:
            _, writable, _ = select.select([], [self.stdin], [], TIMEOUT_SECONDS)
            assert writable, "the server does not read"
            view = view[os.write(self.stdin, view[: select.PIPE_BUF]) :]

    def send_while_it_reads(self, data: bytes) -> bytes:
        """Write ``data`` without reading answers until the server stops reading; return the rest."""
        assert self.stdin is not None
        view = memoryview(data)
        while view and not self.reads_no_more():
            view = view[os.write(self.stdin, view[: select.PIPE_BUF]) :]
        return bytes(view)

    def reads_no_more(self) -> bool:
        """Wait until stdin takes more, or until it is full and the server, which had time to read on, waits, too."""
        assert self.stdin is not None
        end = time.monotonic() + TIMEOUT_SECONDS
        while not select.select([], [self.stdin], [], 0.5)[1]:
            if is_waiting(self.pid):
                return True
            assert time.monotonic() < end, "the server neither reads nor waits"
        return False

    def send_until_refused(self, data: bytes) -> None:
        """Write ``data``, reading answers meanwhile, until the server is gone."""
        with suppress(BrokenPipeError):
            self.send_bytes(data)

    def remaining_answers(self) -> list[Message]:
        """Return all complete messages of a killed server; a partial last one is dropped."""
        while self._is_readable() and self._read():
            pass
        *whole, _torn = bytes(self._held).split(b"\n")
        self._held.clear()
        return [json.loads(line) for line in whole]

    def close_stdout(self) -> None:
        """Stop reading answers."""
        nowhere = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nowhere, self._stdout)
        os.close(nowhere)

    def receive(self, bound: float = TIMEOUT_SECONDS) -> Message:
        """Return the server's next message."""
        end = time.monotonic() + bound
        while b"\n" not in self._held:
            readable, _, _ = select.select([self._stdout], [], [], max(0, end - time.monotonic()))
            assert readable, "the server says nothing"
            assert self._read(), "the server left"
        line, _, rest = bytes(self._held).partition(b"\n")
        self._held = bytearray(rest)
        return json.loads(line)

    def receive_bytes(self, size: int) -> bytes:
        """Return the next ``size`` bytes, or fewer at the end of stdout."""
        while len(self._held) < size and self._is_readable() and self._read():
            pass
        data, self._held = bytes(self._held[:size]), self._held[size:]
        return data

    def rest(self) -> list[Message]:
        """Return all messages until the server closes stdout."""
        while self._is_readable() and self._read():
            pass
        lines, self._held = bytes(self._held).splitlines(), bytearray()
        return [json.loads(line) for line in lines]

    def ask(self, method: str, params: Message | None = None) -> Message:
        """Send a request and return its answer; keep the warnings that come before it."""
        self._next_id += 1
        request: Message = {"jsonrpc": "2.0", "id": self._next_id, "method": method}
        self.send(request if params is None else request | {"params": params})
        answer = self.receive()
        while answer.get("method") == "notifications/message":
            assert (answer["params"]["level"], answer["params"]["logger"]) == ("warning", "seqthink")
            self.warnings.append(answer["params"]["data"])
            answer = self.receive()
        assert answer["id"] == self._next_id
        return answer

    def call(self, arguments: Any, *, name: str = "sequentialthinking", meta: Message | None = None) -> Message:  # noqa: ANN401 - whatever a test hands over
        """Call a tool and return the result."""
        params = {"name": name, "arguments": arguments} | ({"_meta": meta} if meta else {})
        return self.ask("tools/call", params)["result"]

    def handshake(self, version: str = "2025-06-18") -> Message:
        client = {"name": "handshake-client", "version": "1"}
        answer = self.ask("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def hang_up(self) -> None:
        """Close the server's stdin."""
        if self.stdin is not None:
            os.close(self.stdin)
            self.stdin = None

    def status(self) -> int:
        """Wait for the server's exit and return its status."""
        if self._status is None:
            self._status = self._wait()
        return self._status

    def _is_readable(self) -> bool:
        readable, _, _ = select.select([self._stdout], [], [], TIMEOUT_SECONDS)
        assert readable, "the server says nothing and does not leave"
        return True

    def _read(self) -> bytes:
        chunk = os.read(self._stdout, 1 << 16)
        self._held += chunk
        return chunk


def start(
    *arguments: str, warm: WarmServer | None = None, environ: Mapping[str, str] | None = None, cwd: Path | None = None,
    keep_stderr: bool = False, program: Sequence[str] = (sys.executable, "-m", "seqthink", "serve"),
) -> Wire:  # fmt: skip
    """Start `seqthink serve`, forked from ``warm``; or run ``program`` as a process of its own."""
    environ = {**os.environ, "PYTHONPATH": str(PROJECT), **(environ or {})}
    their_stdin, stdin = os.pipe()
    stdout, their_stdout = os.pipe()
    stderr, their_stderr = os.pipe() if keep_stderr else (None, os.open(os.devnull, os.O_WRONLY))
    theirs = (their_stdin, their_stdout, their_stderr)
    cwd = cwd or PROJECT
    try:
        if warm is None:
            process = subprocess.Popen(
                [*program, *arguments],
                stdin=their_stdin, stdout=their_stdout, stderr=their_stderr,
                env=environ, cwd=cwd,
            )  # fmt: skip
            return Wire(process.pid, lambda: process.wait(TIMEOUT_SECONDS), stdin, stdout, stderr)
        pid = warm.spawn(["serve", *arguments], environ, cwd, theirs)
        return Wire(pid, lambda: warm.wait(pid), stdin, stdout, stderr)
    finally:
        for descriptor in theirs:
            os.close(descriptor)


def is_waiting(pid: int) -> bool:
    """Return whether a process waits for something, and not for its turn on a busy machine."""
    stats = [path.read_text(encoding="utf-8") for path in process_file(pid, "task").glob("*/stat")]
    return all(stat.rpartition(") ")[2].startswith("S") for stat in stats)


def thought(text: str = "t", number: object = 1, total: object = 3, **more: Any) -> Message:  # noqa: ANN401 - whatever a test hands over
    """Return a thought's arguments."""
    return {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": number, "totalThoughts": total, **more}


def journals(folder: Path) -> list[Path]:
    """Return the journals in ``folder``, oldest first."""
    return sorted(path for path in folder.glob("*.jsonl") if is_journal(path.name))


def events(path: Path) -> list[Message]:
    """Return a journal's events as dicts."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
