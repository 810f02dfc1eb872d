"""Starts the viewer on the terminal: the edge that reads the real clock, the zone and the environment."""

import os
import time
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from seqthink.drawing.glyphs import ASCII, UNICODE
from seqthink.errors import SeqthinkError, UsageError
from seqthink.text import one_line
from tui.app import Viewer
from tui.settings import Demo, Settings


def watch(path: Path | None, *, folder: Path, stale: int, is_ascii: bool, demo: Demo | None = None) -> str:
    """Show the session at ``path``, or the one of ``folder`` that is news, until the person leaves.

    Returns what they want next: ``demo``, or nothing.

    Raises:
        SeqthinkError: the viewer itself failed.
    """
    return _run(path, _settings(folder, stale=stale, is_ascii=is_ascii, demo=demo))


def watch_stdin(*, stale: int, is_ascii: bool) -> None:
    """Show the journal that comes in on stdin; the keys then come from the controlling terminal.

    Raises:
        UsageError: there is no controlling terminal.
        SeqthinkError: the viewer itself failed.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise UsageError("watch -: there is no terminal for the keys; use `seqthink show`") from error
    pipe = os.dup(0)
    os.dup2(terminal, 0)
    _run(None, _settings(Path(), stale=stale, is_ascii=is_ascii, pipe=pipe))


def replay(path: Path, *, at: int | None, is_ascii: bool) -> None:
    """Show a saved session as it was when its ``at``-th thought had just come (None: at its end).

    Raises:
        SeqthinkError: the viewer itself failed.
    """
    _run(path, _settings(path.parent, stale=0, is_ascii=is_ascii, replay_at=at, is_replay=True))


def _settings(
    folder: Path,
    *,
    stale: int,
    is_ascii: bool,
    pipe: int | None = None,
    replay_at: int | None = None,
    is_replay: bool = False,
    demo: Demo | None = None,
) -> Settings:
    return Settings(
        folder=folder,
        clock=_now,
        zone=_zone(),
        signs=ASCII if is_ascii else UNICODE,
        look="mono" if os.environ.get("NO_COLOR") else "dark",
        stale=stale,
        pipe=pipe,
        is_replay=is_replay,
        replay_at=replay_at,
        demo=demo,
    )


def _run(path: Path | None, settings: Settings) -> str:
    viewer = Viewer(path, settings)
    wish = viewer.run() or ""
    if isinstance(viewer.failure, SeqthinkError):
        raise viewer.failure
    if viewer.failure is not None:
        kind, said = type(viewer.failure).__name__, one_line(str(viewer.failure))[:200]
        raise SeqthinkError(f"the viewer failed ({kind}: {said}); the journal is not touched by that")
    return wish


def _now() -> int:
    return time.time_ns() // 1000


def _zone() -> tzinfo:
    return datetime.fromtimestamp(time.time(), UTC).astimezone().tzinfo or UTC
