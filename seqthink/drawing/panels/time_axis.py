"""The axis of the time line: the journal's own time, with long pauses compressed (docs/screens.md, "The time line").

A pause, a minute or more in which nothing came, takes its share of the axis, but no more than `MAX_PAUSE_CELLS`, or
twice the average between two thoughts; then it has a name. The work depends on the number of cells, not on that of
thoughts.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from seqthink.chain.arrivals import Arrivals, Pause

MAX_PAUSE_CELLS = 12
"""Cells that a long pause takes at most; with few thoughts more."""
NAMED_SHARE = 4
"""A pause that takes at least one part in this many of the axis is named, too, though it is not compressed."""


class CellThoughts(NamedTuple):
    """The thoughts that arrived in one cell."""

    cell: int
    first: int
    stop: int


class NamedPause(NamedTuple):
    """A pause with a name: it has the cells between two thoughts."""

    first: int
    """Its first cell."""
    stop: int
    """The cell behind its last one."""
    duration: int
    """How long it took, in microseconds."""
    entry: int
    """The line that ended it."""


class TimeAxis:
    """Which cell of the axis shows which thoughts.

    Args:
        arrivals: when the thoughts arrived.
        left: cells before the axis on its line.
        cells: width of the axis, at least 1.
        trailing: microseconds from the newest thought to the end of the axis.
    """

    def __init__(self, arrivals: Arrivals, left: int, cells: int, trailing: int = 0) -> None:
        self._arrivals = arrivals
        self.left = left
        self.cells = cells
        self.count = arrivals.count
        """How many thoughts the axis has."""
        newest = arrivals.time_of(self.count - 1) if self.count else 0
        self._duration = newest + max(0, trailing)
        self.pauses: list[NamedPause] = []
        """The pauses with names, from left to right."""
        if self._duration:
            self._edges = self._time_edges()
        else:
            # All came at once: their order is all there is to show.
            room = max(1, cells - 1)
            self._edges = [(2 * cell + 1) * (self.count - 1) // (2 * room) for cell in range(cells - 1)]

    def column_of(self, index: int) -> int:
        """Return the column of the thought ``index`` on the line."""
        return self.left + bisect_left(self._edges, self._arrivals.time_of(index) if self._duration else index)

    def index_at(self, column: int) -> int:
        """Return the newest thought at a column of the line, or before it; NONE (-1) if there are no thoughts."""
        cell = min(max(0, column - self.left), self.cells - 1)
        return max(0, self._count_until(cell) - 1) if self.count else -1

    def arrivals_by_cell(self) -> list[CellThoughts]:
        """Return the cells in which thoughts arrived, from left to right."""
        found: list[CellThoughts] = []
        first = 0
        for cell in range(self.cells):
            stop = self._count_until(cell)
            if stop > first:
                found.append(CellThoughts(cell, first, stop))
            first = stop
        return found

    def _count_until(self, cell: int) -> int:
        """Return how many thoughts arrived up to the end of a cell."""
        if cell >= self.cells - 1:
            return self.count
        edge = self._edges[cell]
        return self._arrivals.count_until(edge) if self._duration else edge + 1

    def _time_edges(self) -> list[int]:
        """Return the newest time that each cell but the last shows; note which pauses have names."""
        room = max(1, self.cells - 1)
        intervals = max(1, self.count - 1)
        most = min(max(MAX_PAUSE_CELLS, 2 * room / intervals), max(1, room / 2))
        found = self._arrivals.pauses(int(2 * room / most) + 1)
        pauses = [pause for pause in found if pause.stop <= self._duration]
        cells_by_length = _compressed(
            sorted((pause.duration for pause in pauses), reverse=True), self._duration, room, most
        )
        points = _break_points(pauses, self._duration, room, cells_by_length)
        edges = _inverse(points, [cell + 0.5 for cell in range(self.cells - 1)])
        self.pauses = [
            NamedPause(start, stop, pause.duration, pause.entry)
            for pause in pauses
            for start, stop in [(bisect_left(edges, pause.start) + 1, bisect_left(edges, pause.stop))]
            if pause.duration >= cells_by_length.shortest or (stop - start + 1) * NAMED_SHARE >= room
        ]
        return edges


class _Compression(NamedTuple):
    """How long pauses are compressed."""

    shortest: float
    """Pauses of at least this many microseconds are compressed, each to the same number of cells."""
    pause_cells: float
    scale: float
    """Cells a microsecond of all other time."""


def _compressed(durations: Sequence[int], whole: int, room: int, most: float) -> _Compression:
    """Compress as many pauses as would take more than ``most`` of ``room`` cells, the longest first."""
    rest, left, shortest = whole, float(room), float("inf")
    for number, duration in enumerate(durations):
        if duration * left <= most * rest:
            break
        shortest, rest, left = duration, rest - duration, left - most
        if rest <= 0:
            return _Compression(shortest, room / (number + 1), 0.0)
    return _Compression(shortest, most, left / rest)


def _break_points(pauses: Iterable[Pause], whole: int, room: int, compression: _Compression) -> list[tuple[int, float]]:
    """Return the times at which the scale of the axis changes, each with its place in cells."""
    points, place, time = [(0, 0.0)], 0.0, 0
    for pause in pauses:
        if pause.duration >= compression.shortest:
            place += (pause.start - time) * compression.scale
            points.append((pause.start, place))
            place, time = place + compression.pause_cells, pause.stop
            points.append((time, place))
    return [*points, (whole, float(room))]


def _inverse(points: Sequence[tuple[int, float]], places: Iterable[float]) -> list[int]:
    """Return the time at each of the places, which ascend."""
    times: list[int] = []
    number, newest = 1, 0
    for place in places:
        while number < len(points) - 1 and points[number][1] <= place:
            number += 1
        (start, low), (stop, high) = points[number - 1], points[number]
        share = min(1.0, max(0.0, (place - low) / (high - low))) if high > low else 0.0
        newest = max(newest, start + int((stop - start) * share))
        times.append(newest)
    return times
