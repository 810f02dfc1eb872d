"""A process that has loaded the server's code and forks a fresh server on request: real processes, real pipes.

Loading the SDK takes a second of CPU, and each recorded case needs its own server. Run as a program, it loads what a
server needs and the modules that its arguments name, then reads requests from the socket on its stdin: a line of JSON
and three descriptors each. `warm_commands` does the same for commands.
"""

import array
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Self

from tests.support.servers import faults

PROJECT = Path(__file__).parents[3]
TIMEOUT_SECONDS = 60.0
"""The longest that a test waits."""


class WarmServer:
    """The test's side: `spawn` returns the process id of a new server, `wait` its exit status."""

    def __init__(
        self,
        *further_modules: str,
        program: str = "tests.support.servers.warm_server",
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", program, *further_modules], stdin=theirs.fileno(), cwd=PROJECT, env=environ
            )
        self._replies = self._socket.makefile("r", encoding="utf-8")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._replies.close()
        self._socket.close()
        self._process.wait(10)

    def spawn(
        self,
        arguments: list[str],
        environ: Mapping[str, str],
        cwd: Path,
        descriptors: tuple[int, int, int],
        *,
        is_leader: bool = False,
    ) -> int:
        """Start a process with the descriptors, maybe the leader of a session; return its id."""
        request = {"arguments": arguments, "environ": dict(environ), "cwd": str(cwd), "is_leader": is_leader}
        packed = array.array("i", descriptors)
        self._socket.sendmsg(
            [json.dumps(request).encode() + b"\n"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, packed.tobytes())]
        )
        return int(self._replies.readline())

    def poll(self, pid: int) -> int | None:
        """Return the exit status of a process; None while it runs."""
        self._socket.sendall(json.dumps({"poll": pid}).encode() + b"\n")
        return json.loads(self._replies.readline())

    def wait(self, pid: int) -> int:
        """Wait for a server's exit and return its status; kill it when it is too slow."""
        self._socket.sendall(json.dumps({"wait": pid}).encode() + b"\n")
        if not select.select([self._socket], [], [], TIMEOUT_SECONDS)[0]:
            os.kill(pid, signal.SIGKILL)
        return int(self._replies.readline())


def take_over(request: dict[str, Any], descriptors: list[int]) -> None:
    """Give a forked process the descriptors, the environment and the folder of its request."""
    for standard, descriptor in enumerate(descriptors):
        os.dup2(descriptor, standard)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(request["environ"])
    os.chdir(request["cwd"])


def requests_of_forks() -> tuple[dict[str, Any], list[int]] | None:
    """Fork for each request; return in each fork with its request, at the end with None."""
    gc.freeze()  # collections in the forks need not visit what is loaded
    connection = socket.socket(fileno=os.dup(0))
    os.set_inheritable(connection.fileno(), False)
    while True:
        line, descriptors, _, _ = socket.recv_fds(connection, 1 << 20, 3)
        if not line:
            return None
        while not line.endswith(b"\n"):
            line += connection.recv(1 << 20)
        request = json.loads(line)
        if "arguments" not in request:
            connection.sendall(f"{json.dumps(_status(request))}\n".encode())
            continue
        if not (pid := _fork(is_leader=request["is_leader"])):
            connection.close()
            return request, descriptors
        for descriptor in descriptors:
            os.close(descriptor)
        connection.sendall(f"{pid}\n".encode())


def _status(request: dict[str, int]) -> int | None:
    """Return the exit status of the process that a request waits for, or polls: None while that runs."""
    pid = request.get("wait") or request["poll"]
    ended, status = os.waitpid(pid, 0 if "wait" in request else os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _fork(*, is_leader: bool) -> int:
    """Fork, and let the fork lead a session if it is to; what has its id can then send signals to its group."""
    is_done, done = os.pipe()
    pid = os.fork()
    if is_leader and not pid:
        os.setsid()
    os.close(done)
    if pid:
        os.read(is_done, 1)
    os.close(is_done)
    return pid


def _become_server(request: dict[str, Any], descriptors: list[int]) -> int:
    from seqthink.__main__ import main

    take_over(request, descriptors)
    if faulty := os.environ.get(faults.FOLDER):
        faults.install(Path(faulty))
    try:
        return main(request["arguments"])
    except SystemExit as leaving:
        return int(leaving.code or 0)


def _serve_requests(further_modules: Iterable[str]) -> None:
    modules = ("cli.serve", "server.recording.recorder", "server.recording.note_inbox", "server.sdk_path.sdk_server")
    for name in (*(f"seqthink.{module}" for module in modules), *further_modules):
        importlib.import_module(name)  # load what a server needs, before the first fork
    if forked := requests_of_forks():
        os._exit(_become_server(*forked))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _serve_requests(sys.argv[1:])
