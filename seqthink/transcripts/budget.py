"""How much time reading other programs' files may take, and what was left out because it was over.

A command makes one budget and gives it to all that reads for it; each reader asks it between two pieces of work, and
says in a sentence what it has left out. docs/sources.md, "Bounds".
"""

import threading
import time
from collections.abc import Callable
from typing import Final

STATUS_SECONDS: Final = 2.0
"""What `seqthink status` may take, which is run every few seconds."""
COMMAND_SECONDS: Final = 120.0
"""What a command may take that somebody waits for."""
MAX_SENTENCES: Final = 20
"""More than these are counted."""
NO_LIMIT: Final = float("inf")


class Budget:
    """Any thread may ask it.

    Args:
        seconds: how long reading may take in all; `NO_LIMIT` for any time.
        clock: seconds of a clock that never goes back.
    """

    def __init__(self, seconds: float = NO_LIMIT, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        """How long reading may take in all."""
        self._clock = clock
        self._end = clock() + seconds if seconds != NO_LIMIT else NO_LIMIT
        self._lock = threading.Lock()
        self._left_out: dict[str, None] = {}
        self._more = 0

    @property
    def is_spent(self) -> bool:
        """Whether the time is over: the reader stops, and says what it leaves out."""
        return self._end != NO_LIMIT and self._clock() >= self._end

    def leave_out(self, sentence: str) -> None:
        """Remember what was left out, and how it can be read anyway. Each sentence counts once."""
        with self._lock:
            if sentence in self._left_out:
                return
            if len(self._left_out) < MAX_SENTENCES:
                self._left_out[sentence] = None
            else:
                self._more += 1

    def renew(self) -> None:
        """Let the time begin again, and forget what was left out: all is looked at again."""
        with self._lock:
            self._end = self._clock() + self.seconds if self.seconds != NO_LIMIT else NO_LIMIT
            self._left_out, self._more = {}, 0

    @property
    def left_out(self) -> list[str]:
        """Sentences about what was left out; empty if nothing was."""
        with self._lock:
            more = [f"{self._more:,} more were left out"] if self._more else []
            return [*self._left_out, *more]
