"""Assigns columns to lines that run down the rows of a timeline: lanes and revision arrows.

Rows are thoughts in order of arrival. A line always ends at the newest row, so its column is chosen once: the first one
that is free from the line's first row on. The choice never changes, and the columns at any earlier position are the
same runs, cut off.
"""

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seqthink.chain.model import NONE


class ColumnRun(NamedTuple):
    """A line in one column from row ``start`` to row ``end``."""

    start: int
    """Its first row."""
    created: int
    """The row on which the run was created, at or after ``start``: before that row arrived, nothing was drawn."""
    end: int
    """Its last row."""
    owner: int
    """Whose line it is: a lane, or an arrow's target."""


class _Column:
    """The runs of one column, in order and without overlaps."""

    __slots__ = ("created_rows", "ends", "owners", "starts")

    def __init__(self) -> None:
        self.starts = array("i")
        self.created_rows = array("i")
        self.ends = array("i")
        self.owners = array("i")

    def append(self, run: ColumnRun) -> None:
        self.starts.append(run.start)
        self.created_rows.append(run.created)
        self.ends.append(run.end)
        self.owners.append(run.owner)


class LineColumns:
    """A fixed number of columns and the runs in them.

    The first ``reserved`` columns are only given out by `reserve`; a column stays empty for ``rest_rows`` rows after a
    run, unless a new chain starts.
    """

    def __init__(self, max_columns: int, *, reserved: int = 0, rest_rows: int = 0) -> None:
        self._columns = [_Column() for _ in range(max_columns)]
        self._reserved = reserved
        self._rest = rest_rows
        self._uses: dict[int, array[int]] = {}

    @property
    def max_columns(self) -> int:
        """The number of columns."""
        return len(self._columns)

    def reserve(self, column: int, owner: int, row: int) -> int:
        """Start a run of ``owner`` at ``row`` (the newest row) in a reserved column."""
        self._columns[column].append(ColumnRun(row, row, row, owner))
        return column

    def extend(self, column: int, owner: int, row: int) -> bool:
        """Extend the run of ``owner`` to ``row`` (the newest row); return False if it lost the column."""
        runs = self._columns[column]
        if not runs.owners or runs.owners[-1] != owner:
            return False
        runs.ends[-1] = row
        return True

    def join(self, owner: int, row: int, max_gap_rows: int) -> int:
        """Extend a run of ``owner`` that ended at most ``max_gap_rows`` rows ago to ``row``, the newest row.

        Returns:
            The run's column, or NONE.
        """
        for column, runs in enumerate(self._columns):
            if runs.owners and runs.owners[-1] == owner and row - runs.ends[-1] <= max_gap_rows:
                runs.ends[-1] = row
                return column
        return NONE

    def open(self, owner: int, start: int, row: int, chain: range) -> int:
        """Start a run from ``start`` to ``row`` (the newest row) in the first free column.

        Args:
            owner: whose run it is.
            start: the first row.
            row: the newest row.
            chain: the rows of the chain that ``row`` belongs to.

        Returns:
            The column, or NONE if none is free.
        """
        for column in range(self._reserved, len(self._columns)):
            runs = self._columns[column]
            end = runs.ends[-1] if runs.ends else NONE
            if end < chain.start or end + self._rest < start:
                runs.append(ColumnRun(start, row, row, owner))
                self._record_use(column, row, chain)
                return column
        return NONE

    def record_missing(self, row: int, chain: range) -> int:
        """Record that a line found no column at ``row``; return the column behind the last one."""
        self._record_use(len(self._columns), row, chain)
        return len(self._columns)

    def columns_used(self, chain: range) -> int:
        """Return how many columns the chain with these rows has needed, reserved ones included.

        That is one more than there are, if a line found none.
        """
        uses = self._uses.get(chain.start)
        return self._reserved + (bisect_left(uses, chain.stop) if uses else 0)

    def run_at(self, column: int, row: int, length: int) -> ColumnRun | None:
        """Return the run of ``column`` that may reach ``row``, as created within the first ``length`` rows.

        Its end may lie after those rows.
        """
        runs = self._columns[column]
        number = bisect_right(runs.starts, row) - 1
        if number < 0 or runs.ends[number] < row or runs.created_rows[number] >= length:
            return None
        return ColumnRun(runs.starts[number], runs.created_rows[number], runs.ends[number], runs.owners[number])

    def _record_use(self, column: int, row: int, chain: range) -> None:
        uses = self._uses.get(chain.start)
        if uses is None:
            uses = self._uses[chain.start] = array("i")
        if column - self._reserved >= len(uses):
            uses.append(row)
