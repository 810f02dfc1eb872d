"""Columns in which lines run down the rows of a timeline: lanes, and the arrows of revisions.

Rows are thoughts in order of arrival. A line always ends at the newest row, so a column is chosen once, from what came
before: the first that is free from the line's first row on. The choice holds at every later moment, and any earlier
moment is the same runs, cut.
"""

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seqthink.chain.model import NONE

SHARED = -2
"""The owner of the run that all the lines without a column of their own have in common."""


class ColumnRun(NamedTuple):
    """A line in one column from the row ``start`` to ``end``: since the row ``born``, and whose it is.

    Before ``born`` came nothing was there; the rows between are those on which the owner had nothing to say yet.
    """

    start: int
    created: int
    end: int
    owner: int


class _Column:
    """The runs of one column, apart from each other and in order."""

    __slots__ = ("borns", "ends", "owners", "starts")

    def __init__(self) -> None:
        self.starts = array("i")
        self.borns = array("i")
        self.ends = array("i")
        self.owners = array("i")

    def append(self, run: ColumnRun) -> None:
        self.starts.append(run.start)
        self.borns.append(run.created)
        self.ends.append(run.end)
        self.owners.append(run.owner)


class LineColumns:
    """At most ``most`` columns, the first ``reserved`` of which are only given to who asks for them.

    A column in which a run ended stays empty for ``rest`` rows, unless another chain has begun.
    """

    def __init__(self, max_columns: int, *, reserved: int = 0, rest_rows: int = 0) -> None:
        self._columns = [_Column() for _ in range(max_columns)]
        self._reserved = reserved
        self._rest = rest_rows
        self._uses: dict[int, array[int]] = {}
        self._shared = array("i")

    @property
    def max_columns(self) -> int:
        """How many columns there may be."""
        return len(self._columns)

    def reserve(self, column: int, owner: int, row: int) -> int:
        """Begin a run of ``owner`` at ``row``, the newest one, in a reserved column."""
        self._columns[column].append(ColumnRun(row, row, row, owner))
        return column

    def extend(self, column: int, owner: int, row: int) -> bool:
        """Let the run of ``owner`` go on to ``row``, the newest one; return whether it still has the column."""
        runs = self._columns[column]
        if not runs.owners or runs.owners[-1] != owner:
            return False
        runs.ends[-1] = row
        return True

    def join(self, owner: int, row: int, max_gap_rows: int) -> int:
        """Let a run of ``owner`` that ended at most ``longest`` rows ago go on to ``row``; return its column, or NONE.

        ``row`` is the newest one.
        """
        for column, runs in enumerate(self._columns):
            if runs.owners and runs.owners[-1] == owner and row - runs.ends[-1] <= max_gap_rows:
                runs.ends[-1] = row
                return column
        return NONE

    def open(self, owner: int, start: int, row: int, chain: range) -> int:
        """Begin a run from ``start`` to ``row``, the newest one, in the first free column, and return it, or NONE.

        ``chain`` holds the rows of the chain that ``row`` belongs to.
        """
        for column in range(self._reserved, len(self._columns)):
            runs = self._columns[column]
            end = runs.ends[-1] if runs.ends else NONE
            if end < chain.start or end + self._rest < start:
                runs.append(ColumnRun(start, row, row, owner))
                self._use(column, row, chain)
                return column
        return NONE

    def share(self, row: int, chain: range) -> int:
        """Put ``row``, the newest one, into the last column, with all that found none of their own."""
        column = len(self._columns) - 1
        runs = self._columns[column]
        if runs.owners and runs.owners[-1] == SHARED and runs.starts[-1] >= chain.start:
            runs.ends[-1] = row
        else:
            runs.append(ColumnRun(row, row, row, SHARED))
        self._shared.append(row)
        return column

    def columns_used(self, chain: range) -> int:
        """Return how many columns the chain of these rows has needed, the reserved ones included."""
        uses = self._uses.get(chain.start)
        return self._reserved + (bisect_left(uses, chain.stop) if uses else 0)

    def run_at(self, column: int, row: int, length: int) -> ColumnRun | None:
        """Return the run of a column that may reach ``row``, as it was when the first ``length`` rows had come.

        Its end can be later than they are.
        """
        runs = self._columns[column]
        number = bisect_right(runs.starts, row) - 1
        if number < 0 or runs.ends[number] < row or runs.borns[number] >= length:
            return None
        return ColumnRun(runs.starts[number], runs.borns[number], runs.ends[number], runs.owners[number])

    def last_shared_row(self, length: int) -> int:
        """Return the newest of the first ``length`` rows that shares the last column."""
        return self._shared[bisect_left(self._shared, length) - 1]

    def _use(self, column: int, row: int, chain: range) -> None:
        uses = self._uses.get(chain.start)
        if uses is None:
            uses = self._uses[chain.start] = array("i")
        if column - self._reserved >= len(uses):
            uses.append(row)
