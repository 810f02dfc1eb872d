"""How long to wait before an engine that failed is tried again, and what is said of it."""

from collections.abc import Callable
from typing import Final

from seqthink.sources.fleet.failures import EngineUnavailableError

FIRST_SECONDS: Final = 0.05
MAX_SECONDS: Final = 30.0


class Backoff:
    """Pauses that double, each with a random share so that many machines do not come back at once.

    Args:
        show: prints one line for the user.
        fraction: returns a random number from 0 to 1.
    """

    def __init__(self, show: Callable[[str], None], fraction: Callable[[], float]) -> None:
        self._show = show
        self._fraction = fraction
        self._pause = FIRST_SECONDS
        self._reported = ""

    @property
    def has_failed(self) -> bool:
        """Whether the engine failed and did not work since."""
        return bool(self._reported)

    def failed(self, error: EngineUnavailableError) -> float:
        """Note a failure; return for how many seconds to wait."""
        reason = str(error)
        if reason != self._reported:
            if not self._reported:
                self._show(f"{reason}; trying again until it works")
            self._reported = reason
        pause = self._pause
        self._pause = min(2 * pause, MAX_SECONDS)
        return pause * (0.5 + 0.5 * self._fraction())

    def worked(self) -> None:
        """Note that the engine did what it was asked."""
        if self._reported:
            self._show("the engine is back")
            self._reported = ""
        self._pause = FIRST_SECONDS
