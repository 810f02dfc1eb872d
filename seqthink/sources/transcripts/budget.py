"""How much time and memory reading other programs' files may take, and what was left out because of that.

A command makes one budget and gives it to all that reads for it; each reader asks it between two pieces of work, and
says in a sentence what it leaves out. docs/sources.md, "Bounds".
"""

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final

VARIABLE: Final = "SEQTHINK_READ_SECONDS"
STATUS_SECONDS: Final = 3.0
"""What `seqthink status` may take, which is run every few seconds."""
LIST_SECONDS: Final = 10.0
"""What `seqthink sessions` may take, which shows a session that was not read in time all the same."""
COMMAND_SECONDS: Final = 300.0
"""What a command may take that somebody waits for, and each look of a viewer."""
STATUS_BYTES: Final = 256 << 20
COMMAND_BYTES: Final = 8 << 30
"""How much may be read; what is kept of it in memory is less."""
MAX_SENTENCES: Final = 20
"""More than these are counted."""
NO_LIMIT: Final = float("inf")


class Budget:
    """Any thread may ask it.

    Args:
        seconds: how long reading may take in all; `NO_LIMIT` for any time.
        max_bytes: how much may be read in all.
        clock: seconds of a clock that never goes back.
    """

    def __init__(
        self,
        seconds: float = NO_LIMIT,
        max_bytes: float = NO_LIMIT,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds, self._max_bytes, self._clock = seconds, max_bytes, clock
        self._lock = threading.Lock()
        self._left_out: dict[str, None] = {}
        self._more = 0
        self._read_bytes = 0
        self._end = clock() + seconds

    def renew(self) -> None:
        """Begin again, and forget what was left out: all is looked at once more."""
        with self._lock:
            self._end, self._read_bytes = self._clock() + self.seconds, 0
            self._left_out, self._more = {}, 0

    def spend(self, read_bytes: int) -> None:
        """Note that so much was read."""
        with self._lock:
            self._read_bytes += read_bytes

    @property
    def is_spent(self) -> bool:
        """Whether nothing more is to be read: the reader stops, and says what it leaves out."""
        return self._read_bytes > self._max_bytes or (self._end != NO_LIMIT and self._clock() >= self._end)

    @property
    def words(self) -> str:
        """The bound that was reached, and how more is read."""
        if self._read_bytes > self._max_bytes:
            return f"with {int(self._max_bytes) >> 20:,} MiB of other programs' files; --sources names fewer of them"
        return f"within {self.seconds:g} s; {VARIABLE}={max(60, int(self.seconds) * 10)} waits longer"

    def leave_out(self, sentence: str) -> None:
        """Remember what was left out, and how it can be read anyway. Each sentence counts once."""
        with self._lock:
            if sentence in self._left_out:
                return
            if len(self._left_out) < MAX_SENTENCES:
                self._left_out[sentence] = None
            else:
                self._more += 1

    @property
    def missed(self) -> int:
        """How many of the sentences say that the budget was spent before something was read."""
        with self._lock:
            return sum(self.words in sentence for sentence in self._left_out)

    @property
    def left_out(self) -> list[str]:
        """Sentences about what was left out; empty if nothing was."""
        with self._lock:
            return [*self._left_out, *([f"{self._more:,} more were left out"] if self._more else [])]


def budget_of(environ: Mapping[str, str], seconds: float = COMMAND_SECONDS, max_bytes: float = COMMAND_BYTES) -> Budget:
    """Return a command's budget, for which ``SEQTHINK_READ_SECONDS`` may allow another time; 0 means any."""
    try:
        allowed = float(environ.get(VARIABLE, ""))
    except ValueError:
        return Budget(seconds, max_bytes)
    return Budget(allowed if 0 < allowed < NO_LIMIT else NO_LIMIT, NO_LIMIT)
