"""Queries about when the thoughts of a session arrived."""

from bisect import bisect_left
from typing import NamedTuple

from seqthink.chain.columns.arrival_columns import MIN_PAUSE, ArrivalColumns

__all__ = ["MIN_PAUSE", "Arrivals", "Pause"]


class Pause(NamedTuple):
    """A long time in which nothing came, neither a thought nor any other line; microseconds since the first thought."""

    start: int
    stop: int
    after: int
    """The newest thought before it."""
    entry: int
    """The line that ended it."""

    @property
    def duration(self) -> int:
        """How long it took, in microseconds."""
        return self.stop - self.start


class Arrivals:
    """When the first ``thought_count`` thoughts arrived, in microseconds since the first one; the time never goes back.

    The pauses are those in the first ``entry_count`` lines. Every query but that for pauses is a binary search.
    """

    __slots__ = ("_columns", "_entry_count", "_origin", "count")

    def __init__(self, columns: ArrivalColumns, thought_count: int, entry_count: int) -> None:
        self._columns = columns
        self._entry_count = entry_count
        self.count = thought_count
        """How many thoughts there are."""
        self._origin = columns.time_of(0) if thought_count else 0

    def time_of(self, index: int) -> int:
        """Return when the thought ``index`` arrived."""
        return self._columns.time_of(index) - self._origin

    def count_until(self, time: int) -> int:
        """Return how many thoughts had arrived at ``time``."""
        return self._columns.count_until(time + self._origin, self.count)

    @property
    def last_other_time(self) -> int:
        """When the newest line came that is not a thought, nor a server's start or end, since 1970; 0 for none."""
        count = bisect_left(self._columns.other_entries, self._entry_count)
        return self._columns.other_times[count - 1] if count else 0

    def pauses(self, limit: int) -> list[Pause]:
        """Return the longest pauses in order of arrival.

        They are taken by classes of length, the longest first, until a class has more than ``limit``.
        """
        found: list[Pause] = []
        for after, start, stop, entry in self._columns.pauses(self._entry_count, limit):
            # A line's clock may be ahead of that of the thought behind it.
            newest = min(stop, self._columns.time_of(after + 1)) if after + 1 < self.count else stop
            if newest - start >= MIN_PAUSE:
                found.append(Pause(start - self._origin, newest - self._origin, after, entry))
        return found
