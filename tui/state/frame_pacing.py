"""Decides when arrivals are drawn: at once after a pause, otherwise at intervals that leave time for keys.

Pure: it gets the time, in seconds on a monotonic clock, and never reads one.
"""

MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS, PAUSE_FACTOR = 1 / 60, 1 / 15, 1.5
"""The pause between two frames of arrivals is `PAUSE_FACTOR` times the duration of the last one, within these bounds.

An arrival just after a frame waits for the next: it is painted within 50 ms where a frame takes 20.
"""
MAX_UNPAINTED_SECONDS = 1 / 30
"""How long arrivals give way to a frame that was drawn for a key and is not painted yet."""
RECHECK_SECONDS = 0.004
"""Interval for checking again whether a frame drawn for a key has been painted."""


class FramePacer:
    """Times of drawing and painting, and the pause that follows from them."""

    def __init__(self) -> None:
        self._arrived_at = self._painted_by = 0.0
        self._pause = MIN_PAUSE_SECONDS
        self._is_measured = True

    def record_draw(self, now: float) -> None:
        """Record that something is drawn, for a key or for arrivals; it is painted shortly afterwards."""
        self._painted_by = now + MAX_UNPAINTED_SECONDS  # a deadline: a frame of a closed screen is never painted

    def record_arrival(self, now: float) -> None:
        """Record that arrivals are about to be drawn."""
        self._arrived_at, self._is_measured = now, False

    def record_paint(self, now: float) -> None:
        """Record that the last frame has been painted."""
        self._painted_by = 0.0
        if not self._is_measured:
            self._is_measured = True
            self._pause = min(MAX_PAUSE_SECONDS, max(MIN_PAUSE_SECONDS, PAUSE_FACTOR * (now - self._arrived_at)))

    def seconds_until_arrival(self, now: float) -> float:
        """Return the seconds until arrivals may be drawn, 0 or less for now: frames for keys go first."""
        return max(self._arrived_at + self._pause - now, RECHECK_SECONDS if now < self._painted_by else 0.0)
