"""How much work a call is: executed lines of Python, and calls of functions written in C.

Both are the same in each run, whatever else the machine does. What a single C call does is not seen: a search in a long
list, a copy of a long text. `python -m tests.bench growth` times the same inputs, larger, for that.
"""

import sys
import threading
from collections.abc import Callable
from itertools import count
from types import FrameType
from typing import Any


def work_of(run: Callable[[], object]) -> int:
    """Return how much work a call is, in whatever thread."""
    steps = count()

    def on_line(_frame: FrameType, _event: str, _argument: object) -> Any:  # noqa: ANN401 - as `sys.settrace` wants it
        next(steps)
        return on_line

    def on_call(_frame: FrameType, event: str, _argument: object) -> None:
        if event == "c_call":
            next(steps)

    before = sys.gettrace(), sys.getprofile()
    threading.settrace(on_line)
    threading.setprofile(on_call)
    sys.settrace(on_line)
    sys.setprofile(on_call)
    try:
        run()
    finally:
        sys.setprofile(before[1])
        sys.settrace(before[0])
        threading.setprofile(None)  # pyright: ignore[reportArgumentType] - None ends it
        threading.settrace(None)  # pyright: ignore[reportArgumentType] - None ends it
    return next(steps)
