"""When what has come is drawn: at once after a quiet moment, then as often as leaves the keys their time.

It is told the time, in seconds on a clock that never goes back, and never reads it.
"""

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS, PAUSE_FACTOR = 1 / 30, 1 / 15, 2
"""Seconds between two frames of arrivals: as many times what the last one took, between these bounds.

What comes just after a frame waits so long and is painted in the next: within 60 ms where a frame takes 20.
"""
RECHECK_SECONDS = 0.004
"""Seconds after which it is looked again whether what a key has drawn is painted."""


class FramePacer:
    """Frames, as they are drawn and painted."""

    def __init__(self) -> None:
        self._arrived_at = self._painted_by = 0.0
        self._pause = MIN_PAUSE_SECONDS
        self._is_measured = True

    def record_draw(self, now: float) -> None:
        """Note that something is drawn, for a key or for arrivals; it is painted a little later."""
        self._painted_by = (
            now + MIN_PAUSE_SECONDS
        )  # by then at the latest: what was drawn on a page that is gone never is

    def record_arrival(self, now: float) -> None:
        """Note that what has come is taken in, to be drawn."""
        self._arrived_at, self._is_measured = now, False

    def record_paint(self, now: float) -> None:
        """Note that what was drawn is painted."""
        self._painted_by = 0.0
        if not self._is_measured:
            self._is_measured = True
            self._pause = min(MAX_PAUSE_SECONDS, max(MIN_PAUSE_SECONDS, PAUSE_FACTOR * (now - self._arrived_at)))

    def seconds_until_arrival(self, now: float) -> float:
        """Return how long arrivals have to wait, not above 0 when it is their turn: what a key has drawn goes first."""
        return max(self._arrived_at + self._pause - now, RECHECK_SECONDS if now < self._painted_by else 0.0)
