"""Where the commands hand over to the viewer, and the only place that does: a terminal is there, so it is drawn on."""

import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typing_extensions import Unpack

from seqthink.cli.common import ViewerOptions

FRAMES_PER_SECOND = "120"
"""How often a second what changed is painted at most: a key comes on the heels of an arrival, and waits for less."""


def watch(path: Path | None, *, folder: Path, stale: int, **looks: Unpack[ViewerOptions]) -> str:
    """Show a session as it grows until the person leaves; without a path, the one of ``folder`` that is news.

    Returns what they want next: ``demo``, or nothing.
    """
    return _viewer("run").watch(path, folder=folder, stale=stale, **looks)


def watch_demo(
    find: Callable[[], Path | None],
    trouble: Callable[[], str],
    *,
    folder: Path,
    stale: int,
    **looks: Unpack[ViewerOptions],
) -> None:
    """Show the journal of a demo, which ``find`` gives once it is there, until the person leaves or it failed."""
    demo = _viewer("settings").Demo(find, trouble)
    _viewer("run").watch(None, folder=folder, stale=stale, demo=demo, **looks)


def watch_stdin(*, stale: int, **looks: Unpack[ViewerOptions]) -> int:
    """Show the journal that comes in on stdin until the person leaves."""
    _viewer("run").watch_stdin(stale=stale, **looks)
    return 0


def replay(
    path: Path, *, at: int | None, speed: float, idle_limit: float, is_looping: bool, **looks: Unpack[ViewerOptions]
) -> int:
    """Play a saved session until the person leaves, or show it at its ``at``-th thought to arrive (0: at its end)."""
    _viewer("run").replay(path, at=at, speed=speed, idle_limit=idle_limit, is_looping=is_looping, **looks)
    return 0


def _viewer(module: str) -> Any:  # noqa: ANN401 - loaded by name: a command that draws nothing must not load it
    os.environ.setdefault("TEXTUAL_FPS", FRAMES_PER_SECOND)  # read when it is imported
    return importlib.import_module(f"tui.{module}")
