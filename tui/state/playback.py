"""Plays a journal: the position of the playhead, and when it moves. It gets the time and never reads a clock.

A position is the number of journal lines shown. Playback keeps the journal's own pace: the gap between two lines is
divided by the speed and cut to the idle limit (docs/viewer.md, "Replay"); a clock that jumps back counts as no gap.
"""

from typing import Protocol

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
IDLE_LIMIT_SECONDS = 4.0
MIN_LOOP_REST_SECONDS = 2.0
"""Minimum time that the end of a loop stays on screen."""
MAX_LATE_SECONDS = 0.5
"""How much of a late step is made up for; after the machine slept, playback continues where it was."""
MAX_STEPS_AT_ONCE = 1000
"""Positions passed in one step at most: lines with equal times must not block the keys."""


class Playable(Protocol):
    """The part of `Positions` that playback needs."""

    @property
    def end(self) -> int:
        """The last position: the number of journal lines."""
        ...

    @property
    def first(self) -> int:
        """The first position at which something is shown."""
        ...

    def next_visible(self, position: int) -> int:
        """Return the next position that shows something new."""
        ...

    def time_at(self, position: int) -> int:
        """Return the timestamp of a position, in microseconds since 1970."""
        ...


class Playback:
    """The playhead in one session. All times are seconds on a monotonic clock."""

    def __init__(self, *, speed: float = 1.0, idle_limit: float = IDLE_LIMIT_SECONDS, is_looping: bool = False) -> None:
        self.speed = speed
        """Factor on the journal's own pace."""
        self.idle_limit = idle_limit
        """Longest gap between two lines, in seconds."""
        self.is_looping = is_looping
        self.is_playing = False
        self.position = 0
        """Number of journal lines shown."""
        self._gap_started_at = 0.0
        self._gap_share = 0.0

    def play(self, positions: Playable, now: float) -> None:
        """Play from the position; at the end, start again, unless the session has a single position."""
        if self.position >= positions.end:
            self.seek(positions.first, positions, now)
        self._gap_share, self._gap_started_at = self._passed_share(positions, now), now
        self.is_playing = self.is_looping or self.position < positions.end

    def pause(self, positions: Playable, now: float) -> None:
        """Pause; the part of the gap that has passed is not waited for again."""
        self._gap_share = self._passed_share(positions, now)
        self.is_playing = False

    def seek(self, position: int, positions: Playable, now: float) -> None:
        """Go to a position and restart the gap after it. At the end it pauses, unless it is looping."""
        self.position = position
        self._gap_started_at, self._gap_share = now, 0.0
        if position >= positions.end and not self.is_looping:
            self.is_playing = False

    def change_speed(self, steps: int, positions: Playable, now: float) -> None:
        """Change the speed by ``steps`` of `SPEEDS`; negative steps slow down."""
        self._gap_share, self._gap_started_at = self._passed_share(positions, now), now
        for _ in range(abs(steps)):
            further = [speed for speed in SPEEDS if (speed > self.speed if steps > 0 else speed < self.speed)]
            if further:
                self.speed = further[0] if steps > 0 else further[-1]

    def skip_time(self, seconds: float) -> None:
        """Ignore time that passed while nothing could be seen."""
        self._gap_started_at += seconds

    def advance(self, positions: Playable, now: float) -> bool:
        """Move to the position that is due at ``now``; return whether the position changed."""
        before = self.position
        for _ in range(MAX_STEPS_AT_ONCE):
            wait = self.seconds_to_next(positions, now)
            if wait is None or wait > 0:
                break
            is_over = self.position >= positions.end
            following = positions.first if is_over else positions.next_visible(self.position)
            self.seek(following, positions, max(now + wait, now - MAX_LATE_SECONDS))
        return self.position != before

    def seconds_to_next(self, positions: Playable, now: float) -> float | None:
        """Return the seconds until the next move, 0 or less when it is due; None when there is none."""
        if not self.is_playing or (self.position >= positions.end and not self.is_looping):
            return None
        return self._gap_seconds(positions) * (1 - self._gap_share) - (now - self._gap_started_at)

    def _gap_seconds(self, positions: Playable) -> float:
        if self.position >= positions.end:
            return max(MIN_LOOP_REST_SECONDS, self.idle_limit)
        passed = positions.time_at(positions.next_visible(self.position)) - positions.time_at(self.position)
        return min(max(0, passed) / 1_000_000 / self.speed, self.idle_limit)

    def _passed_share(self, positions: Playable, now: float) -> float:
        """Return the share of the gap that has passed, from 0 to 1."""
        wait, gap = self.seconds_to_next(positions, now), self._gap_seconds(positions)
        return self._gap_share if wait is None or not gap else min(1.0, max(0.0, 1 - wait / gap))
