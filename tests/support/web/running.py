"""Starts `page_server`, and talks to it in raw bytes: what a browser would never send is what matters here."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from seqthink.share.web.answers import SAFETY_HEADERS
from tests.conftest import PROJECT
from tests.support.proc import process_file
from tests.support.servers.commands import TIMEOUT_SECONDS, environment

CLOSE = "Connection: close"


class RawAnswer(NamedTuple):
    """One answer, as far as it came until the server closed the connection."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        """Return a header's value; "" if it is not there, several joined by blanks."""
        return " ".join(value for other, value in self.headers if other == name)

    @property
    def is_safe(self) -> bool:
        """Whether each header of the set is there once, as it must be, and nothing reveals what the server is."""
        names = [name for name, _ in self.headers]
        wanted = [(name.decode(), value.decode()) for name, value in SAFETY_HEADERS]
        return all(header in self.headers and names.count(header[0]) == 1 for header in wanted) and not {
            "server",
            "date",
        } & {*names}


def parse_answer(data: bytes) -> RawAnswer:
    """Return the first answer of ``data``; status 0 if there is none."""
    head, _, body = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    match = re.fullmatch(r"HTTP/1\.1 ([0-9]{3}) .*", first)
    pairs = [line.split(": ", 1) for line in lines] if match else []
    return RawAnswer(int(match[1]) if match else 0, [(pair[0].lower(), pair[-1]) for pair in pairs], body)


class PageServer:
    """A running server.

    Args:
        process: serves on loopback, with pipes for its streams.
    """

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.link = self.next_link()
        self.port = int(self.link.split(":")[2].split("/")[0])
        self.token = self.link.rpartition("=")[2]
        self.prefix = ""
        self.cookie = ""

    @property
    def host(self) -> str:
        """The value of the header `Host` that a browser sends."""
        return f"127.0.0.1:{self.port}"

    def next_link(self) -> str:
        """Return the next line of stdout."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def enter(self) -> None:
        """Exchange the link for the cookie, which later calls of `get` send."""
        answer = self.get(f"/?t={self.token}")
        assert answer.status == 303, answer
        self.prefix = answer.header("location").removesuffix("/")
        self.cookie = answer.header("set-cookie").partition(";")[0]

    def connect(self, *, receive_bytes: int = 0) -> socket.socket:
        """Return an open connection."""
        connection = socket.socket()
        if receive_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        connection.settimeout(TIMEOUT_SECONDS)
        connection.connect(("127.0.0.1", self.port))
        return connection

    def request(self, target: str, *headers: str, method: str = "GET", host: str | None = None) -> bytes:
        """Return the bytes of a request; below our path and with our cookie if `enter` was called."""
        own = [f"Host: {self.host if host is None else host}", *([f"Cookie: {self.cookie}"] if self.cookie else [])]
        below = self.prefix if re.match("/(?!/)", target) else ""
        lines = [f"{method} {below}{target} HTTP/1.1", *own, *headers]
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def send(self, data: bytes) -> RawAnswer:
        """Send bytes, and return what comes back until the server closes the connection."""
        return parse_answer(self.exchange(data))

    def exchange(self, data: bytes) -> bytes:
        """Send bytes, and return all bytes that come back until the server closes the connection."""
        with self.connect() as connection:
            with suppress(BrokenPipeError, ConnectionResetError):  # refused before all was sent
                connection.sendall(data)
            return read_all(connection)

    def get(self, target: str, *headers: str, method: str = "GET", host: str | None = None) -> RawAnswer:
        """Send a request that ends its connection."""
        return self.send(self.request(target, CLOSE, *headers, method=method, host=host))

    def resident_bytes(self) -> int:
        """Return the memory of the server."""
        pages = int(process_file(self.process.pid, "statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def open_connections(self) -> int:
        """Return how many sockets the server has, its own among them."""
        return sum(map(_is_socket, process_file(self.process.pid, "fd").iterdir()))

    def end(self, number: int = signal.SIGTERM) -> tuple[int, bytes, bytes]:
        """Send a signal; return the exit status and what else was written to stdout and stderr."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=TIMEOUT_SECONDS)
        return self.process.returncode, out, err


def _is_socket(descriptor: Path) -> bool:
    try:
        return str(descriptor.readlink()).startswith("socket:")
    except FileNotFoundError:  # closed meanwhile
        return False


def read_all(connection: socket.socket) -> bytes:
    """Return all bytes until the other side ends or resets the connection."""
    data = bytearray()
    try:
        while more := connection.recv(1 << 16):
            data += more
    except ConnectionResetError:
        pass
    return bytes(data)


def read_until(connection: socket.socket, wanted: bytes) -> bytes:
    """Return the bytes up to ``wanted``."""
    data = bytearray()
    while wanted not in data:
        more = connection.recv(1 << 16)
        assert more, f"the connection ended after {bytes(data)!r}"
        data += more
    return bytes(data)


@contextmanager
def page_server(**bounds: Any) -> Generator[PageServer]:  # noqa: ANN401 - fields of `Bounds`
    """Give a running server, and end it."""
    command = [sys.executable, "-m", "tests.support.web.page_server", json.dumps(bounds)]
    with subprocess.Popen(
        command, cwd=PROJECT, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield PageServer(process)
        finally:
            process.kill()
