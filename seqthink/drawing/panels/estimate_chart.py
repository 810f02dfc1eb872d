"""Chart of a lane: how many thoughts its estimate left at each of its thoughts (docs/screens.md, "Wide").

The x axis counts the lane's thoughts in order of arrival; the y axis is linear, from 0, with even ticks. Both are as
fine as the dots of Braille characters. Behind the newest thought, single dots lead to where the estimate ends. The
cost depends on the chart's width, not on the lane's length.
"""

from itertools import groupby
from typing import NamedTuple

from seqthink.chain.model import NONE, Thought
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.text.dot_grid import CELL_COLUMNS, CELL_LEVELS, DotGrid
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans, clip

MAX_CHART_ROWS = 8
"""Rows of the plot, without the axis."""
MAX_STEP_CELLS = 6
"""Maximal distance of two thoughts in cells; minimal distance of two labels below the axis."""
MIN_PLOT_ROWS, MIN_PLOT_CELLS = 3, 8
MAX_FILTERED = 4096
"""Thoughts of a lane up to which native reasoning is left out one by one; in longer lanes its places count, too."""
_ROUND_STEPS = (1, 2, 3, 4, 5, 10, 15, 20, 25, 30, 40, 50)
"""Distances of two ticks, and these times powers of ten."""


class _Point(NamedTuple):
    """One dot column of the plot at which a thought is."""

    number: int
    remaining: int
    has_changed: bool
    """Whether the estimate changed here, and not only to follow the numbers."""


class _Plot(NamedTuple):
    """What is to be drawn; columns are those of dots."""

    points: dict[int, _Point]
    """By column."""
    ahead: dict[int, int]
    """By column: how many thoughts are left there by the newest estimate."""
    step: int
    """Columns from one thought to the next; 0 where several share one."""
    end: int
    """The last column of the line."""
    places: int
    """How many thoughts the x axis has, those that are expected included."""


def estimate_chart(session: Session, lane: int, *, width: int, height: int, signs: Signs) -> list[Spans]:
    """Return the chart of a lane in at most ``height`` lines of ``width`` cells.

    The last line labels the axis with thought numbers. Without room, or if the same number was left all the time, there
    is no chart.
    """
    if not session.lanes.length_of(lane):
        return []
    newest = session.thoughts.get(session.lanes.leading_in(lane))
    if newest.native is not None:
        return []  # nothing says how much native reasoning will follow
    thoughts = _LaneThoughts(session, lane)
    rows = min(MAX_CHART_ROWS, height - 1)
    if rows < MIN_PLOT_ROWS or width - 5 < MIN_PLOT_CELLS:
        return []
    plot = _plot(session, thoughts, newest, width - 5)
    top = max(point.remaining for point in plot.points.values())
    tick = _tick(top, rows)
    axis = max(2, len(str(_row(top, tick) * tick))) + 2
    if axis > 4:
        if width - axis - 1 < MIN_PLOT_CELLS:
            return []
        plot = _plot(session, thoughts, newest, width - axis - 1)
    if len({point.remaining for point in plot.points.values()}) < 2:
        return []
    cells = _drawn_cells(plot, tick, width - axis - 1, signs)
    lines = [
        [Span(f"{row * tick:>{axis - 2}}  ", Role.MUTED), *_row_spans(cells, row)]
        for row in range(_row(top, tick), -1, -1)
    ]
    return [clip(line, width) for line in (*lines, _labels(plot, thoughts, newest, axis, width - axis - 1))]


class EstimatePoint(NamedTuple):
    """What the estimate of a lane was at one of its thoughts."""

    thought: int
    """Index of the thought."""
    number: int
    estimate: int
    remaining: int
    """How many thoughts the estimate left."""
    has_changed: bool
    """Whether the estimate changed here, and not only to follow the numbers."""


def estimate_points(session: Session, lane: int, max_points: int) -> list[EstimatePoint]:
    """Return what the chart of a lane shows, at even distances where the lane has more than ``max_points`` thoughts.

    Nothing for native reasoning: nothing says how much of it will follow.
    """
    length = session.lanes.length_of(lane)
    if not length or session.thoughts.get(session.lanes.leading_in(lane)).native is not None:
        return []
    thoughts = _LaneThoughts(session, lane)
    shown = min(thoughts.count, max_points)
    places = [place * (thoughts.count - 1) // max(1, shown - 1) for place in range(shown)]
    return [point for place in places if (point := thoughts.point_at(place)) is not None]


class _LaneThoughts:
    """The thoughts of a lane that have a place on the x axis: its calls of the thinking tool."""

    def __init__(self, session: Session, lane: int) -> None:
        self._session = session
        self._lane = lane
        self._thoughts = session.lanes.get(lane).thoughts
        self.count = session.lanes.length_of(lane)
        if session.native.count and self.count <= MAX_FILTERED:
            calls = [index for index in self._thoughts[: self.count] if session.native.kind_of(index) is None]
            self._thoughts, self.count = calls, len(calls)

    def at(self, place: int) -> _Point | None:
        """Return the point at a place, counted from 0; None before the first call."""
        point = self.point_at(place)
        return _Point(point.number, point.remaining, point.has_changed) if point is not None else None

    def point_at(self, place: int) -> EstimatePoint | None:
        """Return the same with its thought and its estimate."""
        index = self._session.native.newest_call_at(self._thoughts[place])
        if index == NONE or self._session.thoughts.lane_of(index) != self._lane:
            return None
        thought = self._session.thoughts.get(index)
        is_last = index == self._session.lanes.leading_in(self._lane)
        is_over = self._session.thoughts.is_final(index) or (is_last and _is_over(self._session, thought))
        remaining = 0 if is_over else max(0, thought.estimate - thought.highest_number)
        has_changed = thought.marked_change is not None
        return EstimatePoint(index, thought.number, thought.estimate, remaining, has_changed)


def _is_over(session: Session, newest: Thought) -> bool:
    """Return whether nothing is left of a lane with this newest thought, whatever was estimated."""
    return session.thoughts.is_final(newest.index) or session.chain_state(newest.chain) is State.DONE


def _plot(session: Session, thoughts: _LaneThoughts, newest: Thought, room: int) -> _Plot:
    left = 0 if _is_over(session, newest) else max(0, newest.estimate - newest.highest_number)
    expected = min(left, max(MAX_CHART_ROWS, thoughts.count))
    places, dots = thoughts.count + expected, room * CELL_COLUMNS
    step = min(MAX_STEP_CELLS * CELL_COLUMNS, (dots - 1) // max(1, places - 1))
    # Several thoughts in one column: the newest of them represents all.
    columns = {place * step: place for place in range(places)} if step else _sampled(places, dots)
    points = {
        column: point for column, place in columns.items() if place < thoughts.count and (point := thoughts.at(place))
    }
    if not points:
        return _Plot({0: _Point(newest.number, left, has_changed=False)}, {}, step, 0, places)
    ahead = {
        column: left - (place - thoughts.count + 1) for column, place in columns.items() if place >= thoughts.count
    }
    first = min(ahead, default=0)
    dotted = {column: _between(ahead, column, step) for column in range(first, max(ahead) + 1, 2)} if ahead else {}
    return _Plot(points, dotted, step, max(points), places)


def _between(ahead: dict[int, int], column: int, step: int) -> int:
    """Return what is left at a column, also between two thoughts that are expected."""
    return ahead[column] if column in ahead else ahead[column - column % step]


def _sampled(places: int, dots: int) -> dict[int, int]:
    return {column: column * (places - 1) // (dots - 1) for column in range(dots)}


def _tick(top: int, rows: int) -> int:
    """Return the smallest round distance of two rows with which ``top`` fits into ``rows``."""
    scale = 1
    while True:
        for step in _ROUND_STEPS:
            if -(-top // (step * scale)) < rows:
                return step * scale
        scale *= 10


def _level(value: int, tick: int) -> int:
    """Return the level of a value among the dots: that of a tick is in its row, and only 0 is on the lowest one."""
    return -(-value * CELL_LEVELS // tick) + 1


def _row(value: int, tick: int) -> int:
    """Return the row of a value, counted from the axis."""
    return _level(value, tick) // CELL_LEVELS


def _line_grid(plot: _Plot, tick: int, room: int) -> DotGrid:
    """Return the dots of the line, which goes from level to level at each thought."""
    grid, before, level = DotGrid(), -1, -1
    last = min(room * CELL_COLUMNS, plot.end + max(1, plot.step), min(plot.ahead, default=plot.end + plot.step + 1))
    for column in range(min(plot.points), last):
        point = plot.points.get(column)
        level = _level(point.remaining, tick) if point is not None else level
        grid.draw(column, level if before < 0 else before, level)
        before = level
    return grid


def _ahead_grid(plot: _Plot, tick: int) -> DotGrid:
    """Return the dots of what is expected."""
    grid = DotGrid()
    for column, value in plot.ahead.items():
        grid.draw(column, _level(value, tick), _level(value, tick))
    return grid


def _drawn_cells(plot: _Plot, tick: int, room: int, signs: Signs) -> dict[int, dict[int, Span]]:
    """Return the cells that are not blank, by row and column; rows count from the bottom."""
    line, ahead = _line_grid(plot, tick, room), _ahead_grid(plot, tick)
    cells: dict[int, dict[int, Span]] = {}
    for row in range(max(_row(point.remaining, tick) for point in plot.points.values()) + 1):
        cells[row] = {}
        for cell in range(room):
            if sign := line.sign_at(cell, row, signs):
                cells[row][cell] = Span(sign, Role.ESTIMATE)
            elif sign := ahead.sign_at(cell, row, signs):
                cells[row][cell] = Span(signs.missing[0] if sign.isascii() else sign, Role.MUTED)
    for column, point in plot.points.items():
        if point.has_changed and plot.step >= CELL_COLUMNS:
            cells[_row(point.remaining, tick)][column // CELL_COLUMNS] = Span(signs.thought, Role.ESTIMATE)
    return cells


def _row_spans(cells: dict[int, dict[int, Span]], row: int) -> Spans:
    drawn = cells[row]
    spans = [drawn.get(cell, Span(" ", Role.MUTED)) for cell in range(max(drawn, default=-1) + 1)]
    return [Span("".join(span.text for span in run), role) for role, run in groupby(spans, key=lambda span: span.role)]


def _labels(plot: _Plot, thoughts: _LaneThoughts, newest: Thought, axis: int, room: int) -> Spans:
    """Return the line below the axis: thought numbers at even distances."""
    text = [" "] * room
    last = plot.places - 1
    scale = plot.step / CELL_COLUMNS or (room - 1) / max(1, last)
    every = next(
        step * 10**power for power in range(20) for step in (1, 2, 5) if step * 10**power * scale >= MAX_STEP_CELLS
    )
    offset = 1 if every >= 5 else 0  # 1, 2, 3; 1, 3, 5; but 1, 10, 20
    free = 0
    for place in (0, *range(every - offset, plot.places, every)):
        column = round(place * scale)
        point = thoughts.at(place) if place < thoughts.count else None
        number = point.number if point is not None else newest.highest_number + place - thoughts.count + 1
        label = str(number) if place >= thoughts.count or point is not None else ""
        if free <= column <= room - len(label):
            text[column : column + len(label)] = label
            free = column + len(label) + 1
    return [Span(" " * axis + "".join(text).rstrip(), Role.MUTED)]
