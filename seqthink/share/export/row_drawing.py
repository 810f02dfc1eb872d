"""The signs and lines left of a row's text as a picture draws them.

On the screen the signs of a lane are one below the other; in a picture a line connects them.
"""

from collections.abc import Iterator, Sequence

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.glyphs import DOWN, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell
from seqthink.drawing.timeline.timeline import MAX_LANES, Timeline
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import BranchedRows, RowKind, RowSource, TreeRow
from seqthink.drawing.tree.tree import Tree

PlacedCell = tuple[int, GutterCell]
"""A cell that is not blank, and its column, from 0."""

_ROW_SIGNS = frozenset(CellSign) - {
    CellSign.CURSOR, CellSign.MARKED, CellSign.RULE, CellSign.ARROW_STUB, CellSign.ARROW_HEAD
}  # fmt: skip
"""The signs on the line of their lane."""


def drawn_cells(rows: RowSource, row: TreeRow, cells: Sequence[GutterCell]) -> list[PlacedCell]:
    """Return the lines and signs of a row's ``cells``, after the line that runs through the row's sign."""
    drawn = [(column, cell) for column, cell in enumerate(cells) if cell.arms or cell.sign]
    return [*_through(rows, row, drawn), *drawn]


def _through(rows: RowSource, row: TreeRow, cells: list[PlacedCell]) -> Iterator[PlacedCell]:
    """Yield the line of the row's own lane, with the sign through which it runs."""
    node = next((placed for placed in reversed(cells) if placed[1].sign in _ROW_SIGNS), None)
    if node is None or row.lane == NONE:
        return
    session = rows.session
    if isinstance(rows, Timeline):
        arms, ordinal = _timeline_arms(rows, row)
    else:
        assert isinstance(rows, Tree | FilteredTree), "rows that are not in order of arrival are in tree order"
        arms, ordinal = _tree_arms(rows, row, session.lanes.get(row.lane)), row.lane
    if arms:
        yield node[0], GutterCell(arms, lane_role(session.lanes.get(ordinal)), node[1].sign)


def _timeline_arms(rows: Timeline, row: TreeRow) -> tuple[int, int]:
    """Return where the line goes in whose column a row of the timeline has its sign, and whose line it is."""
    session, first, last = rows.session, row.ordinal, row.ordinal
    if row.kind is RowKind.ASIDE:
        aside = session.asides.get(row.ordinal)
        above, first, last = aside.thought_above, aside.thoughts_before - 1, aside.thoughts_before
    else:
        above = row.ordinal
    column = rows.column_of(above) if above != NONE else MAX_LANES
    run = rows.lane_run(column, first) if column < MAX_LANES and first >= 0 else None
    if run is None or run.end < last:
        return 0, NONE
    return (UP if run.start < last else 0) | (DOWN if run.end > first else 0), run.owner


def _tree_arms(rows: BranchedRows, row: TreeRow, lane: Lane) -> int:
    session = rows.session
    match row.kind:
        case RowKind.EXPECTED:
            return UP
        case RowKind.ASIDE:
            above = session.asides.get(row.ordinal).thought_above
        case _:
            above = row.ordinal
    if above == NONE:
        return DOWN
    index_in_lane = session.thoughts.index_in_lane(above)
    goes_up = row.kind is RowKind.ASIDE or index_in_lane > 0 or not lane.is_trunk
    goes_down = index_in_lane + 1 < session.lanes.length_of(lane.ordinal) or rows.expected_lane == lane.ordinal
    if row.kind is RowKind.THOUGHT:
        goes_down |= session.lanes.newest_branch_from(above) != NONE or session.asides.first_after(above) != NONE
    return (UP if goes_up else 0) | (DOWN if goes_down else 0)
