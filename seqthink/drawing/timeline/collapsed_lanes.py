"""The lanes of a timeline that find no column: how many of them pass a row."""

from array import array
from bisect import bisect_right
from collections.abc import Callable

MAX_COUNTED_LANES = 99
"""How many lanes are looked at for one row; of a chain with more, those that appeared last."""


class CollapsedLanes:
    """Runs of lanes without a column; rows are counted in thoughts. It only grows.

    A run goes from the first to the last thought that found no column.
    """

    def __init__(self) -> None:
        self._lanes = array("i")
        self._starts = array("i")
        self._ends = array("i")
        self._newest_run: dict[int, int] = {}

    def add(self, lane: int, row: int, before: int) -> None:
        """Add a thought of ``lane`` at ``row``, the newest; ``before`` is the row of the one before it, or NONE."""
        run = self._newest_run.get(lane)
        if run is not None and self._ends[run] == before:
            self._ends[run] = row
            return
        self._newest_run[lane] = len(self._lanes)
        self._lanes.append(lane)
        self._starts.append(row)
        self._ends.append(row)

    def passing(self, first: int, last: int, chain: range, newest_in: Callable[[int], int]) -> int:
        """Return how many runs of ``chain`` reach from row ``first`` or above to row ``last`` or below.

        More than `MAX_COUNTED_LANES` means that not all were looked at. ``newest_in`` returns the newest thought that a
        lane has at the shown position, where a run ends that goes on later.
        """
        stop = bisect_right(self._starts, first)
        count = 0
        for run in range(stop - 1, max(-1, stop - 1 - MAX_COUNTED_LANES), -1):
            if self._starts[run] < chain.start:
                return count
            count += min(self._ends[run], newest_in(self._lanes[run])) >= last
        is_all = stop <= MAX_COUNTED_LANES or self._starts[stop - 1 - MAX_COUNTED_LANES] < chain.start
        return count if is_all else MAX_COUNTED_LANES + 1
