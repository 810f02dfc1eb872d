"""Starts the viewer; everything the command line knows comes in as arguments."""

import os
from pathlib import Path

from msgspec.structs import replace

from seqthink.errors import UsageError
from tui.app import Settings, Viewer


def watch(path: Path | None, settings: Settings) -> str:
    """Show the session at ``path``, or the one that is worth it, until the person leaves; return what to do next."""
    return Viewer(path, settings).run() or ""


def watch_pipe(settings: Settings) -> str:
    """Show the journal that comes in on standard input; keys then come from the controlling terminal."""
    pipe = os.dup(0)
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise UsageError("reading a journal from a pipe needs a terminal for the keys; use `seqthink show`") from error
    os.dup2(terminal, 0)
    return watch(None, replace(settings, pipe=pipe))
