"""Runs a command with the tap around it, or without."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import PROJECT
from tests.support.servers.commands import TIMEOUT_SECONDS, command, environment
from tests.support.servers.wire import Wire, start

SCRIPTED_SERVER = PROJECT / "tests" / "support" / "servers" / "scripted_server.py"


def script(program: str, *arguments: str) -> list[str]:
    """Return the command line of a small Python program."""
    return [sys.executable, "-I", "-c", program, *arguments]


def tap_command(words: Sequence[str], *options: str) -> list[str]:
    """Return the command line of ``words`` inside the tap."""
    return [*command("tap", *options), "--", *words]


def run_bytes(words: Sequence[str], stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end."""
    return subprocess.run(
        words, input=stdin, capture_output=True, env=environment(), timeout=TIMEOUT_SECONDS, check=False
    )


def start_tapped(words: Sequence[str], *options: str, keep_stderr: bool = True) -> Wire:
    """Start a command inside the tap, with pipes to it."""
    return start(program=tap_command(words, *options), keep_stderr=keep_stderr)


def scripted_server(*options: str) -> Wire:
    """Start the scripted server inside the tap."""
    return start_tapped([sys.executable, "-I", str(SCRIPTED_SERVER)], *options)


def all_of_stderr(wire: Wire) -> str:
    """Return what the tap and its command have written to stderr, once both have ended."""
    assert wire.stderr is not None
    pieces: list[bytes] = []
    while piece := os.read(wire.stderr, 1 << 16):
        pieces.append(piece)
    return b"".join(pieces).decode()


def sessions_folder() -> Path:
    """Return the folder of the journals of this test."""
    return Path(os.environ["SEQTHINK_HOME"]) / "sessions"
