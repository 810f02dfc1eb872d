"""The tree of an HTML page: rows that link to their thoughts, foldable chains and branches, lines as SVG paths."""

from collections.abc import Iterator

from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.row_parts import RowParts
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, LEFT
from seqthink.drawing.text.spans import Role, Spans, spans_text
from seqthink.drawing.tree.tree import RowKind, Tree, TreeRow
from seqthink.export import html_text
from seqthink.export.row_drawing import DrawnCell, RowDrawing, row_drawing
from seqthink.export.sections import SectionNesting
from seqthink.export.svg_paths import CellGrid, SvgPath, svg_paths, vertical_lines

GRID = CellGrid(10, 28)
"""Size of a cell left of a row's text."""
_MAX_TEXT_CHARS = 160
"""Length of a row's text; the page cuts it to its width."""


def outline(painter: Painter) -> Iterator[str]:
    """Yield the rows of the tree as HTML."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    nesting = SectionNesting(tree)
    for number in range(tree.count):
        drawing = row_drawing(painter, number)
        yield "</details>" * nesting.sections_ended(drawing.row)
        if nesting.begins_section(drawing.row):
            yield f'<details class="part" open><summary>{_row(painter, drawing)}</summary>\n'
        else:
            yield _row(painter, drawing) + "\n"
    yield "</details>" * nesting.close_all()


def chain_title_html(session: Session, chain: int) -> str:
    """Return a chain's heading."""
    first = session.chains.thoughts_of(chain)[0]
    clock = units.clock(session.thoughts.time_of(first), seconds=False)
    return f'<span class="t">Chain {chain + 1}</span> <span class="d">{clock}</span>'


def anchor_of(session: Session, row: TreeRow) -> str:
    """Return the anchor that a row links to, or ""."""
    match row.kind:
        case RowKind.THOUGHT:
            return f"t{session.thoughts.get(row.ordinal).seq}"
        case RowKind.REFUSED:
            return f"t{session.refusals.get(row.ordinal).seq}"
        case _:
            return ""


def _row(painter: Painter, drawing: RowDrawing) -> str:
    session, row = painter.tree.session, drawing.row
    if row.kind is RowKind.CHAIN:
        return f'<span class="row chain">{chain_title_html(session, row.chain)}</span>'
    assert drawing.parts is not None, "only a chain's heading has none"
    left = -painter.indent * GRID.width
    body = _gutter(drawing.cells, left) + _row_text(session, row, drawing.parts)
    anchor = anchor_of(session, row)
    return f'<a class="row" href="#{anchor}">{body}</a>' if anchor else f'<span class="row">{body}</span>'


def _row_text(session: Session, row: TreeRow, parts: RowParts) -> str:
    number = f'<span class="n">{session.thoughts.number_of(row.ordinal)}</span>' if row.kind is RowKind.THOUGHT else ""
    extra = f'<span class="{Role.REVISION.value}">{parts.extra}</span>' if parts.extra else ""
    marks: Spans = [span for group in parts.mark_groups for span in group]
    text = html_text.line(cut(spans_text([parts.text]), _MAX_TEXT_CHARS))
    return (
        f'{number}<span class="t {parts.text.role.value}">{text}{extra}</span>'
        + "".join(f'<span class="m {mark.role.value}">{html_text.line(mark.text)}</span>' for mark in marks)
        + (f'<span class="d">{parts.duration}</span>' if parts.duration else "")
    )


def _gutter(cells: list[DrawnCell], left: float) -> str:
    """Return the SVG left of a row's text; the corner that leads into a branch is hidden while the branch is folded."""
    width = left + (1 + max((cell.column for cell in cells), default=0)) * GRID.width
    corner = [cell for cell in cells[-1:] if cell.arms == LEFT | DOWN]
    drawn = _strokes(cells[: len(cells) - len(corner)], left)
    opens = f'<g class="opens">{_strokes(corner, left)}</g>' if corner else ""
    return f'<svg width="{width:g}" height="{GRID.height:g}" aria-hidden="true">{drawn}{opens}</svg>'


def _strokes(cells: list[DrawnCell], left: float) -> str:
    lines = [SvgPath(piece.role, piece.steps) for piece in vertical_lines(cells, GRID, left)]
    return "".join(
        f'<path class="{path.role.value}{" area" if path.is_filled else ""}" d="{path.steps}"/>'
        for path in (*lines, *svg_paths(cells, GRID, left))
    )
