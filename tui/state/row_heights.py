"""How many lines the rows of a viewport take: up to three while all of them fit the pane, else two or one.

`RowHeights.most` holds for all rows: the lines that a row may take. One with a short text takes fewer. The newest rows
are raised: they take up to three lines as long as all rows still fit. Where they do not fit anyway, a part of a high
pane is for that. Only rows near the screen are measured, so the cost does not depend on the length of a chain.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import takewhile

from seqthink.drawing.tree.row_source import RowKind, RowSource, TreeRow

MAX_ROW_LINES = 3
"""Lines that a row takes at most."""
SLACK_LINES = 3
"""Lines that must stay free before the rows of a growing tree take more lines, so that they do not change back soon."""

RAISED_SHARE, MIN_RAISED_LINES, MAX_RAISED_ROWS = 3, 18, 5
"""Where rows do not all fit: the share of a pane's lines (one in three) that its newest rows may take beyond one each,
the lines that a pane must have for it, and the number of rows that may."""

RowMeasure = Callable[[RowSource, int, int], int]
"""Returns how many lines the text of a row needs, from 1 up to a bound."""


def _one_line(tree: RowSource, number: int, most: int) -> int:  # noqa: ARG001 - a `RowMeasure`
    return 1


def _below(tree: RowSource, number: int) -> Iterator[int]:
    """Yield the rows below a thought's that are not thoughts: what was done and said after it."""
    below = range(number + 1, tree.count)
    return takewhile(lambda one: tree.row(one).kind is RowKind.ASIDE, below)


class RowHeights:
    """The lines of each row, and the way from lines to rows and back."""

    def __init__(self) -> None:
        self.most = 1
        """Lines that a row may take now."""
        self._raised: dict[TreeRow, int] = {}
        self._raised_at: dict[int, int] = {}  # by their numbers in the rows below
        self._raised_in: tuple[RowSource | None, int] = (None, 0)
        self._measure: RowMeasure = _one_line
        self._needed: dict[int, int] = {}
        self._measured_rows: tuple[RowSource | None, int] = (None, 0)

    def measure_with(self, measure: RowMeasure) -> None:
        """Measure rows with ``measure`` from now on: texts or width may have changed."""
        self._measure = measure
        self._needed.clear()

    def fitting(self, tree: RowSource, lines: int, *, slack: int = 0) -> int:
        """Return the lines that rows may take so that all rows fit into ``lines`` lines; 1 if they do not fit anyway.

        Args:
            tree: the rows.
            lines: lines of the pane.
            slack: lines that must stay free before rows take more lines than now.
        """
        for most in range(MAX_ROW_LINES, 1, -1):
            room = lines - (slack if most > self.most else 0)
            if tree.count <= room and self._total(tree, most) <= room:
                return most
        return 1

    def raise_newest(self, tree: RowSource, newest: int, lines: int) -> bool:
        """Raise row ``newest`` and others, as far as ``lines`` lines allow; return whether that is a change.

        First come what was done and said after it, then the rows above it, and where all rows fit those below it, too.
        All other rows take as many lines as `most` says.
        """
        before, self._raised = self._raised, {}
        self._raised_in = (None, 0)
        taken = self.total(tree, lines)
        spare = lines - taken if taken <= lines else lines // RAISED_SHARE if lines >= MIN_RAISED_LINES else 0
        last = newest - (lines if taken <= lines else MAX_RAISED_ROWS)
        rows: Iterable[int] = range(newest, max(-1, last), -1)
        if taken <= lines and newest >= 0:
            rows = (newest, *_below(tree, newest), *rows[1:], *range(newest + 1, tree.count))
        for number in rows:
            if spare <= 0 or self.most == MAX_ROW_LINES:
                break
            row, own = tree.row(number), self.lines_of(tree, number)
            more = min(spare, self._lines_needed(tree, number) - own)
            if more > 0 and row not in self._raised:
                self._raised[row] = own + more
                spare -= more
        self._raised_in = (None, 0)
        return self._raised != before

    @property
    def are_even(self) -> bool:
        """Whether every row takes one line."""
        return self.most == 1 and not self._raised

    def total(self, tree: RowSource, bound: int) -> int:
        """Return how many lines all rows take; more than ``bound``, and not counted further, if they do not fit."""
        if tree.count > bound or self.are_even:
            return tree.count
        return sum(self.lines_of(tree, number) for number in range(tree.count))

    def lines_of(self, tree: RowSource, number: int) -> int:
        """Return how many lines a row takes."""
        most = self._raised_numbers(tree).get(number, self.most) if self._raised else self.most
        return 1 if most == 1 else min(most, self._lines_needed(tree, number))

    def places(self, tree: RowSource, top: int, lines: int) -> list[tuple[int, int]]:
        """Return `place_in_view` of each of the first ``lines`` lines of a pane whose first row is ``top``."""
        found: list[tuple[int, int]] = []
        while len(found) < lines:
            found += [(top, line) for line in range(self.lines_of(tree, top) if top < tree.count else 1)]
            top += 1
        return found[:lines]

    def _raised_numbers(self, tree: RowSource) -> dict[int, int]:
        """Return the lines of raised rows by their numbers now."""
        if self._raised_in != (tree, tree.version):
            self._raised_in = (tree, tree.version)
            places = ((tree.row_of(row), lines) for row, lines in self._raised.items())
            self._raised_at = {number: lines for number, lines in places if number is not None}
        return self._raised_at

    def between(self, tree: RowSource, first: int, last: int) -> int:
        """Return how many lines the rows from ``first`` up to ``last``, without it, take; negative if it is above."""
        if last < first:
            return -self.between(tree, last, first)
        if self.most == 1:
            raised = self._raised_numbers(tree) if self._raised else ()
            return last - first + sum(self.lines_of(tree, number) - 1 for number in raised if first <= number < last)
        return sum(self.lines_of(tree, number) for number in range(first, min(last, tree.count)))

    def first_above(self, tree: RowSource, last: int, lines: int) -> int:
        """Return the first of the rows that end with row ``last`` and fit into ``lines`` lines, or the one behind."""
        if self.are_even:
            return last - lines + 1
        first = min(last + 1, tree.count)
        while first > 0 and (lines := lines - self.lines_of(tree, first - 1)) >= 0:
            first -= 1
        return first

    def row_from(self, tree: RowSource, row: int, lines: int) -> int:
        """Return the row about ``lines`` lines below ``row``, or above it: another one as long as there is one."""
        if self.are_even or abs(lines) > tree.count:
            return row + lines
        step = 1 if lines > 0 else -1
        room = abs(lines)
        while room > 0 and 0 <= row + step < tree.count:
            row += step
            room -= self.lines_of(tree, row)
        return row

    def place_in_view(self, tree: RowSource, top: int, line: int) -> tuple[int, int]:
        """Return the row in a line of a pane whose first row is ``top``, and which line of the row it is.

        Below all rows, the number of the row is their count or more.
        """
        if self.are_even:
            return top + line, 0
        while top < tree.count and line >= (lines := self.lines_of(tree, top)):
            top, line = top + 1, line - lines
        return top, line

    def _total(self, tree: RowSource, most: int) -> int:
        return sum(min(most, self._lines_needed(tree, number)) for number in range(tree.count))

    def _lines_needed(self, tree: RowSource, number: int) -> int:
        if self._measured_rows != (tree, tree.version):
            self._measured_rows = (tree, tree.version)
            self._needed.clear()
        needed = self._needed.get(number)
        if needed is None:
            needed = self._needed[number] = self._measure(tree, number, MAX_ROW_LINES)
        return needed
