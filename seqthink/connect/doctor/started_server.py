"""A server that was started to be tried: its pipes with bounds, and its end with all that it has started.

Threads read both pipes, since a program may fill the one while the other is waited for. Nothing that the program does
keeps us: each wait has a limit, what it writes is kept up to a size, and at the end its whole process group is killed.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import IO, Final, Self

MAX_STDOUT_BYTES: Final = 4 << 20
"""What a server may write on stdout: its answers take some 20 kB. The rest is not read."""
_MAX_STDERR_BYTES: Final = 1 << 16
"""What is kept of stderr, from its end."""
_CHUNK_BYTES: Final = 1 << 16
_STEP_SECONDS: Final = 0.05
"""How often a wait looks whether it was called off."""
_LEAVE_SECONDS: Final = 2.0
"""How long a server has to end after its stdin was closed."""
_REST_SECONDS: Final = 0.5
"""How long the rest of each pipe is waited for after the end."""


class FloodedError(Exception):
    """The program has written more than `MAX_STDOUT_BYTES` on stdout."""


class StdoutClosedError(Exception):
    """The program has closed its stdout: it has ended, or it will never answer."""


class SilentError(Exception):
    """The program has written nothing for the whole time."""


class StartedServer:
    """A running program and the lines of its stdout.

    Args:
        command_line: the program and its arguments.
        environment: all of its environment.
        folder: its working folder.
        cancelled: set when the result is not wanted any more.

    Raises:
        OSError: the program cannot be started.
        ValueError: a word holds a null character.
    """

    def __init__(
        self, command_line: Sequence[str], environment: Mapping[str, str], folder: Path, cancelled: Event
    ) -> None:
        self._cancelled = cancelled
        self._process = subprocess.Popen(
            command_line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            bufsize=0,
            start_new_session=True,
        )
        self._lines: Queue[bytes | None] = Queue()
        self._is_flooded = False
        self._stderr = b""
        stdout, stderr = self._process.stdout, self._process.stderr
        assert stdout is not None
        assert stderr is not None
        self._readers = (
            (Thread(target=self._read_stdout, args=(stdout,), daemon=True), stdout),
            (Thread(target=self._read_stderr, args=(stderr,), daemon=True), stderr),
        )
        for thread, _pipe in self._readers:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.end()

    def send(self, data: bytes) -> None:
        """Write ``data``, which is small enough for the pipe to take it at once."""
        assert self._process.stdin is not None
        with suppress(OSError):  # no answer will come, and that is said
            self._process.stdin.write(data)

    def next_line(self, until: float) -> bytes:
        """Return the next line of stdout, without its line feed. ``until`` is a time of the monotonic clock.

        Raises:
            FloodedError: the program writes too much.
            StdoutClosedError: there is no more.
            SilentError: none came in time, or the wait was called off.
        """
        while not self._cancelled.is_set():
            try:
                line = self._lines.get(timeout=max(0.0, min(_STEP_SECONDS, until - monotonic())))
            except Empty:
                if monotonic() >= until:
                    break
                continue
            if line is None:
                raise FloodedError if self._is_flooded else StdoutClosedError
            return line
        raise SilentError

    def end(self, *, at_once: bool = False) -> int | None:
        """Close stdin, give the server a moment to leave, kill what is left of it, and return its exit status.

        The status is None where it did not leave by itself. ``at_once`` gives it no time: it has had enough.
        """
        if self._process.returncode is not None:
            return self._process.returncode
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        has_left = self._leaves_until(monotonic() + (0 if at_once else _LEAVE_SECONDS))
        self._kill_group()
        self._process.wait()
        for thread, pipe in self._readers:
            thread.join(_REST_SECONDS)  # a process that has left the group may hold a pipe for ever
            if not thread.is_alive():
                pipe.close()
        return self._process.returncode if has_left else None

    @property
    def stderr(self) -> str:
        """The end of what the program has written on stderr; complete after `end`. Untrusted text."""
        return self._stderr.decode("utf-8", "replace")

    def _leaves_until(self, until: float) -> bool:
        """Wait for the program's end, but leave its number in place: its group is to be killed by that."""
        while not self._has_left():
            if monotonic() >= until or self._cancelled.is_set():
                return False
            self._cancelled.wait(_STEP_SECONDS / 5)
        return True

    def _has_left(self) -> bool:
        if hasattr(os, "waitid"):
            return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        return self._process.poll() is not None  # Windows, and Python before 3.13 on macOS

    def _kill_group(self) -> None:
        with suppress(OSError):  # nothing is left of it
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _read_stdout(self, pipe: IO[bytes]) -> None:
        begun, total = b"", 0
        for chunk in _chunks(pipe):
            total += len(chunk)
            *lines, begun = (begun + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line)
            if total > MAX_STDOUT_BYTES:
                self._is_flooded = True
                break
        if begun.strip():
            self._lines.put(begun)
        self._lines.put(None)

    def _read_stderr(self, pipe: IO[bytes]) -> None:
        for chunk in _chunks(pipe):
            self._stderr = (self._stderr + chunk)[-_MAX_STDERR_BYTES:]


def _chunks(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield what a pipe brings, to its end."""
    with suppress(OSError, ValueError):  # it was closed
        while chunk := pipe.read(_CHUNK_BYTES):
            yield chunk
