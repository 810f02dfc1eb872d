"""An engine of this machine, run for a demo in a folder of its own: `redis-server` or `valkey-server`."""

import shutil
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from seqthink.core.errors import SeqthinkError

PROGRAMS = ("redis-server", "valkey-server")
"""What is looked for on the PATH, in this order."""
INSTALL = """no engine is on this machine; install one of these packages, and try again:
  Debian, Ubuntu:  apt install redis-server
  Fedora:          dnf install valkey
  macOS:           brew install redis"""
"""What to do where there is none. Its service need not run: each demo starts an engine of its own."""
_START_SECONDS = 30.0
_STOP_SECONDS = 10.0
_PAUSE_SECONDS = 0.02


class EngineProgram:
    """An engine on a free port of this machine, which by default keeps what it gets in a file (AOF)."""

    def __init__(self, program: str, folder: Path, *, is_kept: bool = True) -> None:
        """Prepare the engine.

        Args:
            program: path of `redis-server` or `valkey-server`.
            folder: where it keeps its data; must be there.
            is_kept: whether what it got is there again after it was killed.
        """
        self._program = program
        self._folder = folder
        self._is_kept = is_kept
        self.port = _free_port()
        """Where it listens, on 127.0.0.1."""
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What `seqthink ship` and ``--fleet`` are given."""
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it serves; what it kept before is there again.

        Raises:
            SeqthinkError: it ends at once, or does not serve in time.
        """
        self._process = process = subprocess.Popen(
            [
                *(self._program, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self._folder)),
                *(
                    "--appendonly",
                    "yes" if self._is_kept else "no",
                    "--appendfsync",
                    "everysec",
                    "--save",
                    "",
                    "--maxmemory-policy",
                    "noeviction",
                ),
                *("--loglevel", "warning", "--logfile", str(self._folder / "engine.log")),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C in the terminal ends the demo, which then ends this
        )
        pause, waited = threading.Event(), 0.0
        while not _serves(self.port):
            if process.poll() is not None:
                raise SeqthinkError(f"{Path(self._program).name} ended at once: {self._last_words()}")
            if waited >= _START_SECONDS:
                raise SeqthinkError(f"{Path(self._program).name} did not serve within {_START_SECONDS:.0f} s")
            pause.wait(_PAUSE_SECONDS)
            waited += _PAUSE_SECONDS

    def kill(self) -> None:
        """End it as a loss of power would, and wait for its end."""
        self._end(subprocess.Popen[bytes].kill)

    def stop(self) -> None:
        """End it, and wait for its end."""
        self._end(subprocess.Popen[bytes].terminate)

    def _end(self, how: Callable[[subprocess.Popen[bytes]], None]) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        how(process)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        with suppress(OSError):
            lines = (self._folder / "engine.log").read_text(encoding="utf-8", errors="replace").split("\n")
            return next((line for line in reversed(lines) if line.strip()), "it says nothing")
        return "it says nothing"


def find_program() -> str | None:
    """Return the path of an engine's program; None if there is none on the PATH."""
    return next((found for found in map(shutil.which, PROGRAMS) if found), None)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _serves(port: int) -> bool:
    """Whether the engine answers; while it loads its file, it says so instead."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False
