"""Where the commands hand over to the viewer, and the only place that does: a terminal is there, so it is drawn on."""

import importlib
from pathlib import Path
from typing import Any


def prepare() -> None:
    """Load the viewer, which takes a moment, while something else is going on."""
    _viewer()


def watch(path: Path | None, *, folder: Path, stale: int, is_ascii: bool, is_demo: bool = False) -> int:
    """Show a session as it grows until the person leaves; without a path, the one of ``folder`` that is news."""
    wish = _viewer().watch(path, folder=folder, stale=stale, is_ascii=is_ascii, is_demo=is_demo)
    if wish != "demo":
        return 0
    from seqthink.cli import demo

    return demo.run(["--journal-dir", str(folder), *(["--ascii"] if is_ascii else [])])


def watch_stdin(*, stale: int, is_ascii: bool) -> int:
    """Show the journal that comes in on stdin until the person leaves."""
    _viewer().watch_stdin(stale=stale, is_ascii=is_ascii)
    return 0


def replay(path: Path, *, at: int | None, is_ascii: bool) -> int:
    """Show a saved session until the person leaves, from its ``at``-th thought to arrive (None: from its end)."""
    _viewer().replay(path, at=at, is_ascii=is_ascii)
    return 0


def _viewer() -> Any:  # noqa: ANN401 - loaded by name: a command that draws nothing must not load it
    return importlib.import_module("tui.run")
