"""Starts the viewer on the terminal: the edge that reads the real clock, the zone and the environment."""

import os
import select
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from typing_extensions import Unpack

from seqthink.drawing.glyphs import ASCII, UNICODE
from seqthink.errors import SeqthinkError, UsageError
from seqthink.text import one_line
from tui.app import Viewer
from tui.driver import SIGNALLED, Driver, signals_as_before
from tui.garbage import Garbage
from tui.heap import keep_large_pieces_apart
from tui.settings import Demo, Looks, Settings

SWITCH_SECONDS = 0.001
"""How long a search in its thread, or a frame that is made, may keep the other threads from their turn."""


def watch(path: Path | None, *, folder: Path, stale: int, demo: Demo | None = None, **looks: Unpack[Looks]) -> str:
    """Show the session at ``path``, or the one of ``folder`` that is news, until the person leaves.

    Returns what they want next: ``demo``, or nothing.

    Raises:
        SeqthinkError: the viewer itself failed.
        SystemExit: a signal ended it.
    """
    return _run(path, _settings(folder, stale=stale, demo=demo, **looks), has_mouse=looks["has_mouse"])


def watch_stdin(*, stale: int, **looks: Unpack[Looks]) -> None:
    """Show the journal that comes in on stdin; the keys then come from the controlling terminal.

    Raises:
        UsageError: there is no controlling terminal.
        SeqthinkError: the viewer itself failed.
    """
    _run(None, _settings(Path(), stale=stale, pipe=os.dup(0), **looks), has_mouse=looks["has_mouse"])


def replay(
    path: Path, *, at: int | None, speed: float, idle_limit: float, is_looping: bool, **looks: Unpack[Looks]
) -> None:
    """Play a saved session, or show it as it was when its ``at``-th thought had just come (0: at its end).

    Raises:
        SeqthinkError: the viewer itself failed.
    """
    settings = replace(
        _settings(path.parent, stale=0, **looks),
        is_replay=True,
        replay_at=at,
        speed=speed,
        idle_limit=idle_limit,
        is_looping=is_looping,
    )
    _run(path, settings, has_mouse=looks["has_mouse"])


def _settings(
    folder: Path,
    *,
    stale: int,
    pipe: int | None = None,
    demo: Demo | None = None,
    **looks: Unpack[Looks],
) -> Settings:
    return Settings(
        folder=folder,
        clock=_now,
        zone=_zone(),
        decode=looks["decode"],
        has_hung_up=_has_hung_up,
        connect=looks["connect"],
        signs=ASCII if looks["is_ascii"] else UNICODE,
        look=_for_terminal(looks["theme"]),
        has_motion=looks["has_motion"],
        stale=stale,
        pipe=pipe,
        demo=demo,
    )


def _for_terminal(theme: str) -> str:
    """Return the theme, or the terminal's own colours where it has but sixteen: shades of ours would all be one."""
    has_few = Console(force_terminal=True).color_system == "standard"
    return "ansi" if has_few and theme != "mono" else theme


def _run(path: Path | None, settings: Settings, *, has_mouse: bool) -> str:
    viewer = Viewer(path, settings)
    viewer.driver_class = Driver
    Garbage.take_over()
    keep_large_pieces_apart()
    sys.setswitchinterval(SWITCH_SECONDS)
    with _on_the_terminal(), signals_as_before():
        wish = viewer.run(mouse=has_mouse) or ""
        let_go()
    if isinstance(viewer.failure, SeqthinkError):
        raise viewer.failure
    if viewer.failure is not None:
        kind, said = type(viewer.failure).__name__, one_line(str(viewer.failure))[:200]
        raise SeqthinkError(f"the viewer failed ({kind}: {said}); the journal is not touched by that")
    if viewer.return_code is not None and viewer.return_code > SIGNALLED:
        raise SystemExit(viewer.return_code)
    return wish


@contextmanager
def _on_the_terminal() -> Generator[None]:
    """Let Textual have the terminal, whatever stdin and stderr are: it reads the one and draws on the other.

    Raises:
        UsageError: there is no terminal for the keys.
    """
    if sys.__stdin__ is None or sys.__stderr__ is None:
        raise UsageError("stdin or stderr is closed, and the viewer needs both; use `seqthink show`")
    if not os.isatty(0):
        try:
            terminal = os.open("/dev/tty", os.O_RDWR)
        except OSError as error:
            raise UsageError("there is no terminal for the keys; use `seqthink show`") from error
        os.dup2(terminal, 0)
        os.close(terminal)
    if os.isatty(2):
        yield
        return
    sys.__stderr__.flush()
    errors = os.dup(2)
    os.dup2(1, 2)
    try:
        yield
    finally:
        sys.__stderr__.flush()
        os.dup2(errors, 2)
        os.close(errors)


def _has_hung_up() -> bool:
    """Return whether the terminal is gone: a closed window, a lost connection. Not all of them send a signal."""
    if not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(0, 0)
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def let_go() -> None:
    """Write what is left; where the terminal is gone that goes nowhere, or the interpreter would fail at its end."""
    for stream, number in ((sys.__stdout__, 1), (sys.__stderr__, 2)):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, number)
            os.close(nowhere)


def _now() -> int:
    return time.time_ns() // 1000


def _zone() -> tzinfo:
    return datetime.fromtimestamp(time.time(), UTC).astimezone().tzinfo or UTC
