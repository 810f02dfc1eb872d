"""Single timers that always fire."""

from typing import TypeVar

from textual.timer import Timer

AnyTimer = TypeVar("AnyTimer")


def punctual(timer: AnyTimer) -> AnyTimer:
    """Return a timer that was just set, which now calls back however busy the machine is.

    Textual leaves a call out that is late before it has begun to wait, and of a single call nothing is left then.
    """
    if isinstance(timer, Timer):
        timer._skip = False  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - `set_timer` has no parameter for it
    return timer
