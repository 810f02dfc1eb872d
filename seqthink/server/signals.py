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
            signal.signal(number, self._on_signal)

    @cached_property
    def wake_descriptor(self) -> int:
        """A descriptor that can be read as soon as a signal comes; not for one that came before it was asked for."""
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        return wake_read

    def _on_signal(self, _number: int, _frame: object) -> None:
        self.has_arrived = True
