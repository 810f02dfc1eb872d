"""A line on a terminal that says how far a backlog is, and one that says when all is there."""

import time
from collections.abc import Callable
from typing import TextIO

from seqthink.core.progress_line import ProgressLine
from seqthink.share.shipping.shipper import Shipper


class ShippingProgress:
    """Called by a shipper now and then, it shows how far it is.

    Args:
        screen: the terminal.
        monotonic: returns seconds of a clock that never goes back.
    """

    def __init__(self, screen: TextIO, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._line = ProgressLine(screen, monotonic)
        self._monotonic = monotonic
        self._began = monotonic()
        self._was_done = False

    def __call__(self, shipper: Shipper) -> None:
        """Show how far the shipper is."""
        if self._was_done:
            return
        if shipper.is_done and not shipper.has_failed:
            self._was_done = True
            self._line.finish(f"seqthink: all is there, {shipper.summary()}; following")
            return

        def words() -> str:
            rate = shipper.lines / max(self._monotonic() - self._began, 1e-3)
            left = len(shipper.sender.waiting)
            return f"seqthink: {left:,} sessions to go, {shipper.lines:,} lines sent, {rate:,.0f} a second"

        self._line.show(words)
