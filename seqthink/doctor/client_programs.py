"""Which version of a client is installed, where its program says so without opening a window."""

import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Final

from seqthink.doctor.started_server import FloodedError, SilentError, StartedServer, StdoutClosedError
from seqthink.doctor.versions import UNKNOWN, version_in

_PROGRAMS: Final = {"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini", "opencode": "opencode"}
"""The programs of clients that live in a terminal."""
_SECONDS: Final = 5.0
_MAX_LINES: Final = 20


def client_version(client: str, environ: Mapping[str, str], cancelled: Event) -> str:
    """Return the version of a client, as its program says it; "" if it does not.

    Args:
        client: its name on the command line.
        environ: the environment of this shell.
        cancelled: set when nobody waits for the answer any more.
    """
    program = shutil.which(_PROGRAMS[client], path=environ.get("PATH", "")) if client in _PROGRAMS else None
    if program is None:
        return ""
    until = monotonic() + _SECONDS
    with (
        suppress(OSError, ValueError, FloodedError, SilentError, StdoutClosedError),
        StartedServer([program, "--version"], environ, Path.cwd(), cancelled) as started,
    ):
        for _ in range(_MAX_LINES):
            version = version_in(started.next_line(until).decode("utf-8", "replace"))
            if version != UNKNOWN:
                return version
    return ""
