"""The signs and lines left of a row's text as a picture draws them.

On the screen the signs of a lane are one below the other; in a picture a line connects them.
"""

from collections.abc import Iterator, Sequence

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.glyphs import DOWN, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree

PlacedCell = tuple[int, GutterCell]
"""A cell that is not blank, and its column, from 0."""

_ROW_SIGNS = frozenset({CellSign.THOUGHT, CellSign.FINAL, CellSign.REFUSED, CellSign.EXPECTED, CellSign.REVISION})


def drawn_cells(tree: Tree, row: TreeRow, cells: Sequence[GutterCell]) -> list[PlacedCell]:
    """Return the lines and signs of a row's ``cells``, after the line that runs through the row's sign."""
    drawn = [(column, cell) for column, cell in enumerate(cells) if cell.arms or cell.sign]
    return [*_through(tree, row, drawn), *drawn]


def _through(tree: Tree, row: TreeRow, cells: list[PlacedCell]) -> Iterator[PlacedCell]:
    """Yield the line of the row's own lane, with the sign through which it runs."""
    node = next((placed for placed in reversed(cells) if placed[1].sign in _ROW_SIGNS), None)
    if node is None:
        return
    lane = tree.session.lanes.get(row.lane) if row.lane != NONE else None
    arms = _arms(tree, row, lane) if lane else 0
    if lane and arms:
        yield node[0], GutterCell(arms, lane_role(lane), node[1].sign)


def _arms(tree: Tree, row: TreeRow, lane: Lane) -> int:
    session = tree.session
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
    goes_down = index_in_lane + 1 < session.lanes.length_of(lane.ordinal) or tree.expected_lane == lane.ordinal
    if row.kind is RowKind.THOUGHT:
        goes_down |= session.lanes.newest_branch_from(above) != NONE or session.asides.first_after(above) != NONE
    return (UP if goes_up else 0) | (DOWN if goes_down else 0)
