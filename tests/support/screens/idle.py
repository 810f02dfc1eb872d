"""Waits until a viewer under test has nothing to do, instead of for fixed times.

Textual's own `wait_for_idle` sleeps for 20 ms at a time until the process has worked for less than 1 ms of it. It does
so twice for each key and once for each pause, which is most of a test's time; and where other programs take the
processor, a viewer that works looks idle. Here it is idle when its event loop has nothing to call, now or within a
moment, and none of its threads works.
"""

import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import PurePath
from time import monotonic
from types import FrameType
from typing import Any
from weakref import WeakSet

import pytest
import textual.app
import textual.pilot
from textual._context import active_app

MAX_SECONDS = 1.0
"""Something that never rests, such as a replay, is not waited for longer."""
_MOMENT_SECONDS = 0.01
"""What is due so soon belongs to what was begun: a slice of a search, a frame."""
_TURNS = 3
"""Turns of the loop without anything to call: what a thread has handed over comes with the next one."""
_PAUSE_SECONDS = 0.001
_FRAMES_SECONDS = 0.5
"""Where frames follow each other all the time, as in a replay, they are not waited for longer."""
_WAITING = {
    ("threading.py", "wait"),
    ("threading.py", "join"),
    ("threading.py", "_wait_for_tstate_lock"),
    ("thread.py", "_worker"),
    ("_asyncio.py", "run"),
    ("selectors.py", "select"),
    ("queue.py", "get"),
    ("gateway_base.py", "read"),
    ("folder_watch.py", "_run"),
}
"""Where a thread is that waits: a lock, a queue, a pool's next task, a change, the other end of pytest-xdist."""
_earlier: "WeakSet[threading.Thread]" = WeakSet()
"""The threads that tests before this one left behind: what they do does not concern its viewer."""


async def wait_until_idle(_min_sleep: float = 0, max_sleep: float = MAX_SECONDS) -> None:
    """Wait until nothing is going on; the parameters are those of Textual's `wait_for_idle`."""
    loop, until, turns = asyncio.get_running_loop(), monotonic() + max_sleep, 0
    while turns < _TURNS and monotonic() < until:
        await asyncio.sleep(0)
        due = _seconds_to_next(loop)
        if due is not None and due < _MOMENT_SECONDS:
            turns = 0
            await asyncio.sleep(max(0.0, due))
        elif _is_frame_due() or _is_a_thread_working():
            turns = 0
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            turns += 1


async def wait_for_frame() -> None:
    """Wait until what is drawn is laid out and painted, too, which takes a frame or two."""
    loop, until, turns = asyncio.get_running_loop(), monotonic() + _FRAMES_SECONDS, 0
    while turns < _TURNS and monotonic() < until:
        if _is_frame_due():
            turns = 0
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            turns = turns + 1 if _seconds_to_next(loop) != 0 else 0
            await asyncio.sleep(0)


def _seconds_to_next(loop: asyncio.AbstractEventLoop) -> float | None:
    """Return in how many seconds the loop calls something: 0 for now, None for never."""
    internals: Any = loop  # asyncio does not say it in public
    if internals._ready:
        return 0
    due = [handle.when() for handle in internals._scheduled if not handle.cancelled()]
    return min(due) - loop.time() if due else None


def _is_frame_due() -> bool:
    """Whether something is drawn that is not laid out or painted yet: Textual does so sixty times a second."""
    app = active_app.get(None)
    if app is None or not app.is_running or not app.screen_stack:
        return False
    screen: Any = app.screen  # Textual does not say it in public
    return bool(screen._layout_required or screen._repaint_required or screen._dirty_widgets)


def _is_a_thread_working() -> bool:
    own = threading.get_ident()
    frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage] - documented, in spite of its name
    del frames[own]  # it holds this very dictionary
    threads = {thread.ident: thread for thread in threading.enumerate()}
    return any(not _is_earlier(threads.get(number)) and not _is_waiting(frame) for number, frame in frames.items())


def _is_earlier(thread: threading.Thread | None) -> bool:
    return thread is not None and thread in _earlier


def _is_waiting(frame: FrameType) -> bool:
    return (PurePath(frame.f_code.co_filename).name, frame.f_code.co_name) in _WAITING


def use(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every pilot wait so."""
    _earlier.clear()
    _earlier.update(threading.enumerate())
    wait: Callable[..., Any] = wait_until_idle
    monkeypatch.setattr(textual.app, "wait_for_idle", wait)
    monkeypatch.setattr(textual.pilot, "wait_for_idle", wait)
