"""When thoughts arrived, on a clock that never goes back, and the long pauses in which nothing at all came."""

from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict

from seqthink.core.times import MIN_MICROSECONDS

MIN_PAUSE = 60_000_000
"""Microseconds from which the time between two lines is a pause: as long as after which a session is quiet."""
_MAX_OFFSET = 1 << 61
_MAX_TIME = _MAX_OFFSET + MIN_MICROSECONDS
"""Where a clock that jumped back too often stays, so that it fits into a column."""


class _PauseColumns:
    """The pauses of one class of length, in order of arrival."""

    def __init__(self) -> None:
        self.entries = array("i")
        """The lines that ended them."""
        self.thoughts = array("i")
        """The thoughts before them."""
        self.starts = array("q")
        self.stops = array("q")


class ArrivalColumns:
    """What is kept of the times at which thoughts arrived; nothing for a thought that came soon after another line.

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
        self._pauses: defaultdict[int, _PauseColumns] = defaultdict(_PauseColumns)
        """The pauses by their length: each class is twice the one before."""
        self.other_entries = array("i")
        """Entries of all lines that are not thoughts, visible or not, but those of servers that started or ended."""
        self.other_times = array("q")
        """The times of these lines."""
        # The newest time of the lines behind each number of thoughts.
        self._active_behind, self._active = 0, 0

    def add(self, index: int, entry: int, passed: int) -> None:
        """Record that a thought came long after the thought before it, or before that by the journal's clock.

        Args:
            index: the thought.
            entry: its line.
            passed: the time since the thought before, in microseconds.
        """
        if passed >= MIN_PAUSE:
            self._end_pause(index, entry, self._times[index - 1] + passed)
        elif passed < 0:
            offset = min(_MAX_OFFSET, (self._offsets[-1] if self._offsets else 0) - passed)
            self._turn_times.append(min(_MAX_TIME, self._times[index - 1] + passed + offset))
            self._offsets.append(offset)
            self._turns.append(index)

    def add_other(self, entry: int, time: int, *, is_of_server: bool) -> None:
        """Record that the line ``entry``, which is not a thought, was written at ``time``: it ends a pause, too.

        ``is_of_server`` says whether it says that a server started or ended.
        """
        if not is_of_server:
            self.other_entries.append(entry)
            self.other_times.append(time)
        if self._times:
            self._end_pause(len(self._times), entry, time)

    def _end_pause(self, count: int, entry: int, time: int) -> None:
        """Record that a line came behind the first ``count`` thoughts, and the pause before it if there was one."""
        since = self._times[count - 1]
        if self._active_behind == count:
            since = max(since, self._active)
        if time <= since:
            return
        self._active_behind, self._active = count, time
        if time - since >= MIN_PAUSE:
            offset = self._offsets[-1] if self._offsets else 0
            pauses = self._pauses[((time - since) // MIN_PAUSE).bit_length()]
            pauses.entries.append(entry)
            pauses.thoughts.append(count - 1)
            pauses.starts.append(min(_MAX_TIME, since + offset))
            pauses.stops.append(min(_MAX_TIME, time + offset))

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

    def pauses(self, entry_count: int, limit: int) -> list[tuple[int, int, int, int]]:
        """Return the longest pauses in the first ``entry_count`` lines, in order of arrival.

        Each is the thought before it, its start and its end by the same clock, and the line that ended it. They are
        taken by classes of length, the longest first, until a class has more than ``limit``.
        """
        found: list[tuple[int, int, int, int]] = []
        for length in sorted(self._pauses, reverse=True):
            pauses = self._pauses[length]
            known = bisect_left(pauses.entries, entry_count)
            if known > limit:
                break
            columns = (pauses.thoughts, pauses.starts, pauses.stops, pauses.entries)
            found += zip(*(column[:known] for column in columns), strict=True)
        return sorted(found)
