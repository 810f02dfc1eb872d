"""Plays a journal: where the playhead stands, and when it moves on. It is told the time and never reads it.

A position is how many lines of the journal are shown. The pace is the journal's own: the gap between two lines, over
the speed, cut to the idle limit (screens.md, "(e)"); a clock that jumps back counts as no gap.
"""

from typing import Protocol

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
IDLE_LIMIT = 4.0
LEAST_REST = 2.0
"""Seconds for which the end of a loop stays, at least."""
LATEST = 0.5
"""Seconds that are made up for when a step comes late; a machine that slept goes on where it was."""
MOST_AT_ONCE = 1000
"""How many positions are passed in one step at most: equal times must not hold up the keys."""


class Track(Protocol):
    """What is played; a session is one."""

    @property
    def entry_count(self) -> int:
        """The last position."""
        ...

    @property
    def first_position(self) -> int:
        """The first position."""
        ...

    def next_position(self, position: int) -> int:
        """Return the position after another."""
        ...

    def time_at(self, position: int) -> int:
        """Return when a position was reached, in microseconds."""
        ...


class Playback:
    """The playhead of one track. All times are seconds on one clock that never goes back."""

    def __init__(self, *, speed: float = 1.0, idle_limit: float = IDLE_LIMIT, is_looping: bool = False) -> None:
        self.speed = speed
        self.idle_limit = idle_limit
        self.is_looping = is_looping
        self.is_playing = False
        self.position = 0
        self._since = 0.0
        self._passed = 0.0

    def play(self, track: Track, now: float) -> None:
        """Go on from where it stands; from the end, begin again, unless there is nothing but the end."""
        if self.position >= track.entry_count:
            self.seek(track.first_position, track, now)
        self._passed, self._since = self._share(track, now), now
        self.is_playing = self.is_looping or self.position < track.entry_count

    def pause(self, track: Track, now: float) -> None:
        """Stand still; what has passed of the gap is not waited for again."""
        self._passed = self._share(track, now)
        self.is_playing = False

    def seek(self, position: int, track: Track, now: float) -> None:
        """Go to a position; the gap after it begins anew. At the end it pauses, unless it is looping."""
        self.position = position
        self._since, self._passed = now, 0.0
        if position >= track.entry_count and not self.is_looping:
            self.is_playing = False

    def change_speed(self, steps: int, track: Track, now: float) -> None:
        """Go ``steps`` speeds up, or down: to the next of the fixed ones."""
        self._passed, self._since = self._share(track, now), now
        for _ in range(abs(steps)):
            further = [speed for speed in SPEEDS if (speed > self.speed if steps > 0 else speed < self.speed)]
            if further:
                self.speed = further[0] if steps > 0 else further[-1]

    def skip(self, seconds: float) -> None:
        """Let time pass that does not count: nobody was there to see it played."""
        self._since += seconds

    def advance(self, track: Track, now: float) -> bool:
        """Move on as far as the time has come; return whether it did."""
        before = self.position
        for _ in range(MOST_AT_ONCE):
            wait = self.wait(track, now)
            if wait is None or wait > 0:
                break
            is_over = self.position >= track.entry_count
            following = track.first_position if is_over else track.next_position(self.position)
            self.seek(following, track, max(now + wait, now - LATEST))
        return self.position != before

    def wait(self, track: Track, now: float) -> float | None:
        """Return in how many seconds the next move is due, not above 0 when it is; None when there will be none."""
        if not self.is_playing or (self.position >= track.entry_count and not self.is_looping):
            return None
        return self._gap(track) * (1 - self._passed) - (now - self._since)

    def _gap(self, track: Track) -> float:
        if self.position >= track.entry_count:
            return max(LEAST_REST, self.idle_limit)
        passed = track.time_at(track.next_position(self.position)) - track.time_at(self.position)
        return min(max(0, passed) / 1_000_000 / self.speed, self.idle_limit)

    def _share(self, track: Track, now: float) -> float:
        """Return how much of the gap has passed, from 0 to 1."""
        wait, gap = self.wait(track, now), self._gap(track)
        return self._passed if wait is None or not gap else min(1.0, max(0.0, 1 - wait / gap))
