"""Signals as one fact to wait for: none of them interrupts what runs, so no event is ever half written."""

import os
import signal

STOPPING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends the server cleanly."""


class Signals:
    """Whether one of ``STOPPING`` came; ``bell`` is a descriptor that can be read from then on."""

    def __init__(self) -> None:
        self.came = False
        self.bell, rope = os.pipe()
        os.set_blocking(rope, False)
        signal.set_wakeup_fd(rope, warn_on_full_buffer=False)
        for number in STOPPING:
            signal.signal(number, self._note)

    def _note(self, _number: int, _frame: object) -> None:
        self.came = True
