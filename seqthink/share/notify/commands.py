"""Runs a command of the user: in a session of its own, for at most some seconds, and never through a shell."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Final, NamedTuple

from seqthink.core import system
from seqthink.core.text import one_line

LIMIT_SECONDS: Final = 10.0
"""How long a command may take; it is killed then, with all that it has started."""
_MAX_OUTPUT_BYTES: Final = 4096
_MAX_LINE_CHARS: Final = 200
_LAST_OUTPUT_SECONDS: Final = 0.2
"""How long is waited for the output of a command that has ended: what it left running may keep the pipe open."""


class CommandOutcome(NamedTuple):
    """What became of a command."""

    seconds: float
    status: int | None = None
    """Its exit status, negative for a signal; None if it was not started, or took too long."""
    problem: str = ""
    """Why it did not work, in words that are safe to show; empty if it did."""
    out: bytes = b""
    """The beginning of what it printed, if that is wanted."""
    err: bytes = b""


def run_command(
    words: Sequence[str],
    variables: Mapping[str, str],
    stdin_data: bytes,
    *,
    limit_seconds: float = LIMIT_SECONDS,
    keeps_output: bool = False,
) -> CommandOutcome:
    """Run a command in the home folder to its end, or until the time is up; what it leaves running goes on.

    Args:
        words: the program, found in PATH or by its path, and its arguments. A leading ``~`` is the home folder.
        variables: are added to the environment.
        stdin_data: at most 16 KiB, which no pipe refuses.
        limit_seconds: how long it may take.
        keeps_output: whether what it prints is wanted.
    """
    began, home = monotonic(), system.home_folder()
    program = str(home / words[0][2:]) if words[0].startswith(("~/", "~\\")) else words[0]
    try:
        process = subprocess.Popen(
            [program, *words[1:]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if keeps_output else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=home if home.is_dir() else Path(os.sep),
            env={**os.environ, **variables},
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return CommandOutcome(monotonic() - began, problem=f"cannot be started: {one_line(reason).lower()}")
    heads = [_Head(stream) for stream in (process.stdout, process.stderr) if stream is not None]
    _give(process.stdin, stdin_data)
    try:
        status = process.wait(limit_seconds)
    except subprocess.TimeoutExpired:
        status = None
        _kill(process)
        process.wait()
    *out, err = [head.taken() for head in heads]
    seconds = monotonic() - began
    return CommandOutcome(seconds, status, _problem(status, err, limit_seconds), b"".join(out), err)


class _Head:
    """The beginning of what a process writes; a thread takes in the rest, so that the process never waits."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._data = b""
        self._thread = threading.Thread(target=self._read, name="output of a command", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with suppress(OSError), self._stream:
            while chunk := os.read(self._stream.fileno(), _MAX_OUTPUT_BYTES):
                self._data = (self._data + chunk)[:_MAX_OUTPUT_BYTES]

    def taken(self) -> bytes:
        """Return what came so far from a process that has ended."""
        self._thread.join(_LAST_OUTPUT_SECONDS)
        return self._data


def _give(stream: IO[bytes] | None, data: bytes) -> None:
    """Give a process its input; one that does not read it is not asked to."""
    assert stream is not None, "it is a pipe"
    with suppress(OSError):
        stream.write(data)
    with suppress(OSError):
        stream.close()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process, with what it started where the system has groups."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter where all have ended
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _problem(status: int | None, err: bytes, limit_seconds: float) -> str:
    if status == 0:
        return ""
    lines = (one_line(line) for line in err.decode(errors="replace").splitlines())
    first = next((line for line in lines if line), "")[:_MAX_LINE_CHARS]
    if status is None:
        ended = f"took longer than {limit_seconds:g} s and was killed"
    else:
        ended = f"exit status {status}" if status > 0 else f"ended by signal {-status}"
    return f"{ended}: {first}" if first else ended
