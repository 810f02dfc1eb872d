"""Signals as one fact to wait for: none of them interrupts what runs, so no event is ever half written."""

import os
import signal
from functools import cached_property

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends the server cleanly."""


class Signals:
    """Whether one of ``STOPPING`` came since this was made."""

    def __init__(self) -> None:
        self.has_arrived = False
        for number in STOP_SIGNALS:
            signal.signal(number, self._note)

    @cached_property
    def wake_descriptor(self) -> int:
        """A descriptor that can be read as soon as a signal comes; not for one that came before it was asked for."""
        bell, rope = os.pipe()
        os.set_blocking(rope, False)
        signal.set_wakeup_fd(rope, warn_on_full_buffer=False)
        return bell

    def _note(self, _number: int, _frame: object) -> None:
        self.has_arrived = True
