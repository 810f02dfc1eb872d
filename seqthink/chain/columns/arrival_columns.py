"""When thoughts arrived, on a clock that never goes back, and the long pauses between them."""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict

from seqthink.times import MIN_MICROSECONDS

MIN_PAUSE = 60_000_000
"""Microseconds from which the time between two thoughts is a pause: as long as after which a session is quiet."""
_MAX_OFFSET = 1 << 61
_MAX_TIME = _MAX_OFFSET + MIN_MICROSECONDS
"""Where a clock that jumped back too often stays, so that it fits into a column."""


class ArrivalColumns:
    """What is kept of the times at which thoughts arrived; nothing for a thought that came soon after another.

    A clock that jumps back is put forward by as much from there on: the jump takes no time, and no later thought is
    before an earlier one.

    Args:
        times: the column of the thoughts' times, in microseconds since 1970.
    """

    def __init__(self, times: "array[int]") -> None:
        self._times = times
        # One item for each time at which the clock jumped back.
        self._turns = array("i")
        self._offsets = array("q")
        self._turn_times = array("q")
        self._pauses: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        """The thoughts that came after a pause, by the length of the pause: each class is twice the one before."""

    def add(self, index: int, passed: int) -> None:
        """Record that the thought ``index`` came ``passed`` microseconds after the one before, by the journal."""
        if passed >= MIN_PAUSE:
            self._pauses[(passed // MIN_PAUSE).bit_length()].append(index)
        elif passed < 0:
            offset = min(_MAX_OFFSET, (self._offsets[-1] if self._offsets else 0) - passed)
            self._turn_times.append(min(_MAX_TIME, self._times[index - 1] + passed + offset))
            self._offsets.append(offset)
            self._turns.append(index)

    def time_of(self, index: int) -> int:
        """Return when the thought ``index`` arrived, in microseconds, on a clock that never goes back."""
        turn = bisect_right(self._turns, index)
        return min(_MAX_TIME, self._times[index] + self._offsets[turn - 1]) if turn else self._times[index]

    def count_until(self, time: int, count: int) -> int:
        """Return how many of the first ``count`` thoughts had arrived at ``time``, by the same clock."""
        if time >= _MAX_TIME:
            return count
        turn = bisect_right(self._turn_times, time, 0, bisect_left(self._turns, count))
        start = self._turns[turn - 1] if turn else 0
        stop = min(count, self._turns[turn]) if turn < len(self._turns) else count
        return bisect_right(self._times, time - (self._offsets[turn - 1] if turn else 0), start, stop)

    def pauses(self, count: int, limit: int) -> list[int]:
        """Return the thoughts among the first ``count`` that came after the longest pauses, in order of arrival.

        Pauses are taken by classes of length, the longest first, until a class has more than ``limit``.
        """
        found: list[int] = []
        for length in sorted(self._pauses, reverse=True):
            after = self._pauses[length]
            known = bisect_left(after, count)
            if known > limit:
                break
            found += after[:known]
        return sorted(found)
