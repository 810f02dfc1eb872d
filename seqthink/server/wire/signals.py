"""Turns signals into a flag and a readable descriptor.

No signal interrupts running code, so no event is half written.
"""

import os
import signal
from functools import cached_property

_STOP_NAMES = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")
STOP_SIGNALS = tuple(number for name in _STOP_NAMES if (number := getattr(signal, name, None)) is not None)
"""The signals that end the server cleanly, as far as the system has them."""


class Signals:
    """Records whether one of ``STOP_SIGNALS`` arrived since its creation."""

    def __init__(self) -> None:
        self.has_arrived = False
        for number in STOP_SIGNALS:
            signal.signal(number, self._on_signal)

    @cached_property
    def wake_descriptor(self) -> int:
        """A descriptor that becomes readable when a signal arrives; signals before its first use do not count."""
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_write, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        return wake_read

    def _on_signal(self, _number: int, _frame: object) -> None:
        self.has_arrived = True
