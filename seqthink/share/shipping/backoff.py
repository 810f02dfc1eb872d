"""How long to wait before an engine that failed is tried again, and what is said of it."""

from collections.abc import Callable
from typing import Final

from seqthink.sources.fleet.failures import EngineUnavailableError

FIRST_SECONDS: Final = 0.05
MAX_SECONDS: Final = 30.0


class Backoff:
    """Pauses that double, each with a random share so that many machines do not come back at once.

    Args:
        tell: says one line to the user.
        fraction: returns a random number from 0 to 1.
    """

    def __init__(self, tell: Callable[[str], None], fraction: Callable[[], float]) -> None:
        self._tell = tell
        self._fraction = fraction
        self._pause = FIRST_SECONDS
        self._told = ""

    @property
    def has_failed(self) -> bool:
        """Whether the engine failed and did not work since."""
        return bool(self._told)

    def failed(self, error: EngineUnavailableError) -> float:
        """Note a failure; return for how many seconds to wait."""
        reason = str(error)
        if reason != self._told:
            if not self._told:
                self._tell(f"{reason}; trying again until it works")
            self._told = reason
        pause = self._pause
        self._pause = min(2 * pause, MAX_SECONDS)
        return pause * (0.5 + 0.5 * self._fraction())

    def worked(self) -> None:
        """Note that the engine did what it was asked."""
        if self._told:
            self._tell("the engine is back")
            self._told = ""
        self._pause = FIRST_SECONDS
