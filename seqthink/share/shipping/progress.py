"""A line on a terminal that says how far a backlog is, and one that says when all is there."""

import time
from collections.abc import Callable
from typing import Final, TextIO

from seqthink.share.shipping.shipper import Shipper

_FIRST_SECONDS: Final = 0.5
_STEP_SECONDS: Final = 0.25


class ShippingProgress:
    """Called by a shipper now and then, it shows how far it is.

    Args:
        screen: the terminal.
        monotonic: returns seconds of a clock that never goes back.
    """

    def __init__(self, screen: TextIO, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._screen = screen
        self._monotonic = monotonic
        self._began = monotonic()
        self._next = self._began + _FIRST_SECONDS
        self._is_shown = self._was_done = False

    def __call__(self, shipper: Shipper) -> None:
        """Show how far the shipper is."""
        if self._was_done:
            return
        seconds = self._monotonic()
        if shipper.is_done and not shipper.has_failed:
            self._was_done = True
            self._clear()
            self._write(f"seqthink: all is there, {shipper.summary()}; following\n")
        elif seconds >= self._next:
            self._next = seconds + _STEP_SECONDS
            rate = shipper.lines / max(seconds - self._began, 1e-3)
            self._is_shown = True
            left = len(shipper.sender.waiting)
            self._write(
                f"\rseqthink: {left:,} sessions to go, {shipper.lines:,} lines sent, {rate:,.0f} a second\x1b[K"
            )

    def _clear(self) -> None:
        if self._is_shown:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        try:
            self._screen.write(text)
            self._screen.flush()
        except (OSError, ValueError):  # the terminal is gone
            self._was_done = True
