"""Chart of a lane: thought numbers as points, estimates as a line (docs/screens.md, "Wide").

The x axis counts the lane's thoughts in order of arrival, not seconds. The cost of a chart depends on its width, not on
the lane's length.
"""

from bisect import bisect_right
from itertools import pairwise

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_CHART_ROWS = 8
"""Rows of the plot, without the axis."""
MAX_STEP_CELLS = 6
"""Maximal distance of two thoughts in cells, also of two labels of the axis."""


class _Column(Struct):
    """One column of the plot: the newest thought in it."""

    estimate: int = 0
    """The estimate; 0 where no thought falls in the column."""
    number: int = 0
    """The thought's number; 0 where there is no point."""
    axis_number: int = 0
    """The number written below the axis; 0 for none."""


def estimate_chart(session: Session, lane: int, *, width: int, height: int, signs: Signs) -> list[Spans]:
    """Return the chart of a lane in at most ``height`` lines of ``width`` cells; [] if there is no room for one.

    The last line labels the axis with thought numbers.
    """
    newest = session.thoughts.get(session.lanes.leading_in(lane)) if session.lanes.length_of(lane) else None
    if newest is not None and newest.native is not None:
        return []  # nothing says how much native reasoning will follow
    axis = max(2, len(str(newest.estimate if newest else 0))) + 2
    rows, room = min(MAX_CHART_ROWS, height - 1), width - axis - 1
    if newest is None or rows < 3 or room < 8:
        return []
    columns, step = _columns(session, lane, room)
    levels = _levels(columns, rows)
    axis = max(axis, len(str(levels[-1])) + 2)
    lines = [_line(columns, row, levels, step, signs, axis) for row in range(len(levels) - 1, -1, -1)]
    return [*lines, _labels(columns, axis)]


def _columns(session: Session, lane: int, room: int) -> tuple[list[_Column], int]:
    thoughts, length = session.lanes.get(lane).thoughts, session.lanes.length_of(lane)
    if session.native.count:
        thoughts = [index for index in thoughts[:length] if session.native.kind_of(index) is None]
        length = len(thoughts)
    newest = session.thoughts.get(session.lanes.leading_in(lane))
    is_over = session.thoughts.is_final(newest.index) or session.chain_state(newest.chain) is State.DONE
    expected = 0 if is_over else min(MAX_CHART_ROWS, max(0, newest.estimate - newest.highest_number))
    step = min(MAX_STEP_CELLS, (room - 1) // max(1, length + expected - 1))
    columns = [_Column() for _ in range(room)]
    if step:
        indices = {index_in_lane: index_in_lane * step for index_in_lane in range(length)}
    else:
        # Several thoughts per cell: the newest one represents it.
        indices = {column * (length - 1) // (room - 1): column for column in range(room)}
    for index_in_lane, column in indices.items():
        index = thoughts[index_in_lane]
        columns[column].estimate = session.thoughts.estimate_of(index)
        columns[column].number = columns[column].axis_number = session.thoughts.number_of(index)
    for ahead in range(expected):
        column = (length + ahead) * step
        if step and column < room:
            columns[column].axis_number = newest.highest_number + ahead + 1
    return columns, step


def _levels(columns: list[_Column], rows: int) -> list[int]:
    """Return the value at which each row starts, bottom row first: every value, or a selection if they do not fit."""
    top = max(max(column.estimate, column.number) for column in columns)
    if top <= rows:
        return list(range(1, top + 1))
    totals = list(dict.fromkeys(column.estimate for column in reversed(columns) if column.estimate))
    levels = sorted({1, top, *(totals if len(totals) <= rows - 2 else ())})
    while len(levels) < rows:
        gap, index = max((after - before, -index) for index, (before, after) in enumerate(pairwise(levels)))
        if gap < 2:
            break
        levels.insert(1 - index, levels[-index] + gap // 2)
    return levels


def _row(value: int, levels: list[int]) -> int:
    return bisect_right(levels, value) - 1


def _line(columns: list[_Column], row: int, levels: list[int], step: int, signs: Signs, axis: int) -> Spans:
    value = levels[row]
    spans: Spans = [Span(f"{value:>{axis - 2}}  ", Role.MUTED)]
    level = before = -1
    ends = _last_column(columns) + max(1, step) - 1
    for number, column in enumerate(columns):
        before, level = level, _row(column.estimate, levels) if column.estimate else level
        if column.number and _row(column.number, levels) == row:
            spans.append(Span(signs.thought, Role.TEXT))
        else:
            arms = _arms(before, level, row) if number <= ends else 0
            spans.append(Span(signs.box_line(arms), Role.ESTIMATE))
    return spans


def _last_column(columns: list[_Column]) -> int:
    return max(number for number, column in enumerate(columns) if column.estimate)


def _arms(before: int, level: int, row: int) -> int:
    """Return the arms of the estimate line in a cell, on its way from row ``before`` to row ``level``."""
    if level < 0:
        return 0
    if before in {-1, level}:
        return LEFT | RIGHT if row == level else 0
    low, high = sorted((before, level))
    if row == before:
        return LEFT | (UP if level > before else DOWN)
    if row == level:
        return RIGHT | (DOWN if level > before else UP)
    return UP | DOWN if low < row < high else 0


def _labels(columns: list[_Column], axis: int) -> Spans:
    text = [" "] * len(columns)
    free = 0
    for number, column in enumerate(columns):
        label = str(column.axis_number) if column.axis_number else ""
        if label and number >= free and number + len(label) <= len(text):
            text[number : number + len(label)] = label
            free = number + max(len(label) + 1, MAX_STEP_CELLS)
    return [Span(" " * axis + "".join(text).rstrip(), Role.MUTED)]
