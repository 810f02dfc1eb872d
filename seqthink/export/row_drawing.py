"""Tree rows taken apart for pictures: the signs and lines left of the text, cell by cell.

On the screen the signs of a lane are one below the other; in a picture a line connects them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.row_parts import RowParts, fit_row
from seqthink.drawing.text.glyphs import DOWN, UNICODE, UP
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree

ROW_SIGNS = frozenset({UNICODE.thought, UNICODE.final, UNICODE.refused, UNICODE.expected, UNICODE.revision})
_ARMS = {sign: bits for bits, sign in enumerate(UNICODE.box) if bits}
_DRAWN = ROW_SIGNS | _ARMS.keys() | {UNICODE.arrow_stub, UNICODE.arrow_head}


class DrawnCell(NamedTuple):
    """A sign or a line in one cell of a row; the row's own sign may have both."""

    column: int
    """The cell, from 0."""
    role: Role
    """Its colour."""
    sign: str = ""
    """The sign; empty for a line only."""
    arms: int = 0
    """Directions of the line, as bits."""


class RowDrawing(NamedTuple):
    """A row as drawn cells and text."""

    row: TreeRow
    cells: list[DrawnCell]
    parts: RowParts | None
    """The parts of the row; None for a chain's heading."""


def row_drawing(painter: Painter, number: int) -> RowDrawing:
    """Return row ``number`` taken apart."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a picture shows a tree, no timeline"
    row = tree.row(number)
    if row.kind is RowKind.CHAIN:
        return RowDrawing(row, list(_cells(painter.draw_row(number))), None)
    parts, _ = painter.parts(number)
    cells = list(_cells(parts.head))
    return RowDrawing(row, [*_through(tree, row, cells), *cells], parts)


def row_words(painter: Painter, number: int) -> Spans:
    """Return row ``number`` with a blank for every drawn sign."""
    row = painter.tree.row(number)
    if row.kind is RowKind.CHAIN:
        return [_blank(span) for span in painter.draw_row(number)]
    parts, layout = painter.parts(number)
    spans, count = fit_row(parts, layout, painter.signs.ellipsis), len(parts.head)
    return [*map(_blank, spans[:count]), *spans[count:]]


def _blank(span: Span) -> Span:
    return span._replace(text="".join(" " if sign in _DRAWN else sign for sign in span.text))


def _cells(spans: Iterable[Span]) -> Iterator[DrawnCell]:
    column = 0
    for span in spans:
        for offset, sign in enumerate("" if span.text.isspace() else span.text):
            if sign in _ARMS:
                yield DrawnCell(column + offset, span.role, arms=_ARMS[sign])
            elif sign in _DRAWN:
                yield DrawnCell(column + offset, span.role, sign)
        column += len(span.text)


def _through(tree: Tree, row: TreeRow, cells: list[DrawnCell]) -> Iterator[DrawnCell]:
    """Yield the line of the row's own lane, which runs through its sign."""
    node = next((cell for cell in reversed(cells) if cell.sign in ROW_SIGNS), None)
    if node is None:
        return
    lane = tree.session.lanes.get(row.lane) if row.lane != NONE else None
    arms = _arms(tree, row, lane) if lane else 0
    if lane and arms:
        yield DrawnCell(node.column, lane_role(lane), node.sign, arms)


def _arms(tree: Tree, row: TreeRow, lane: Lane) -> int:
    session = tree.session
    match row.kind:
        case RowKind.EXPECTED:
            return UP
        case RowKind.REFUSED:
            above = session.refusals.get(row.ordinal).thought_above
        case _:
            above = row.ordinal
    if above == NONE:
        return DOWN
    index_in_lane = session.thoughts.index_in_lane(above)
    goes_up = row.kind is RowKind.REFUSED or index_in_lane > 0 or not lane.is_trunk
    goes_down = index_in_lane + 1 < session.lanes.length_of(lane.ordinal) or tree.expected_lane == lane.ordinal
    if row.kind is RowKind.THOUGHT:
        goes_down |= session.lanes.newest_branch_from(above) != NONE or session.refusals.first_after(above) != NONE
    return (UP if goes_up else 0) | (DOWN if goes_down else 0)
