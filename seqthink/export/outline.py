"""The tree of an HTML page: rows that link to their thoughts, foldable chains and branches, lines as SVG paths."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, LEFT
from seqthink.drawing.text.spans import Role, spans_text
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from seqthink.export.row_drawing import PlacedCell, drawn_cells
from seqthink.export.sections import SectionRow, section_rows
from seqthink.export.svg_paths import CellGrid, SvgPath, svg_paths, vertical_lines

GRID = CellGrid(10, 28)
"""Size of a cell left of a row's text."""
MAX_GUTTERS = 4096
"""How many pictures left of rows are kept to be used again."""
_MAX_TEXT_CHARS = 160
"""Length of a row's text; the page cuts it to its width."""


class ChainTitle(Struct, frozen=True):
    """The heading of a chain."""

    number: int
    """The chain, from 1."""
    clock: str
    """When it began."""


class Gutter(Struct, frozen=True, eq=False):
    """The picture left of a row's text."""

    width: str
    height: str
    paths: Sequence[SvgPath]
    corner: Sequence[SvgPath]
    """The corner that leads into a branch, which is hidden while the branch is folded."""


class ChainRow(Struct, frozen=True):
    """The row of a chain's heading, with which a section begins."""

    chain: ChainTitle
    is_heading: bool = True


class OutlineRow(Struct, frozen=True, kw_only=True):
    """Any other row."""

    chain: None = None
    is_heading: bool
    """Whether a section begins with it."""
    anchor: str
    """What the row links to, or ""."""
    gutter: Gutter
    levels: str
    """By how many levels the row is deeper than the picture shows: ``+2``."""
    role_of_levels: Role
    number: int | str | None
    """A thought's number."""
    text: str
    role: Role
    rest: str
    """What goes on quietly behind the text."""
    marks: Sequence[tuple[str, Role]]
    duration: str


class _Gutters:
    """The pictures left of rows; many rows have the same one, so it is drawn once."""

    def __init__(self, left: float) -> None:
        self._left = left
        self._known: dict[tuple[object, ...], Gutter] = {}

    def of(self, cells: list[PlacedCell]) -> Gutter:
        """Return the picture of a row's lines and signs."""
        key = tuple([(column, cell.arms, cell.role, cell.sign) for column, cell in cells])
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MAX_GUTTERS:
                self._known.clear()
            found = self._known[key] = _gutter(cells, self._left)
        return found


def outline(painter: Painter) -> Iterator[ChainRow | OutlineRow | None]:
    """Yield the rows of the tree, and None wherever a section ends."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    gutters = _Gutters(-painter.indent * GRID.width)
    for outlined in section_rows(tree):
        if outlined is None:
            yield None
        elif outlined.row.kind is RowKind.CHAIN:
            yield ChainRow(chain_title(tree.session, outlined.row.chain))
        else:
            yield _row(painter, tree, outlined, gutters)


def chain_title(session: Session, chain: int) -> ChainTitle:
    """Return a chain's heading."""
    first = session.chains.thoughts_of(chain)[0]
    return ChainTitle(chain + 1, units.clock(session.thoughts.time_of(first), seconds=False))


def anchor_of(session: Session, row: TreeRow) -> str:
    """Return the anchor that a row links to, or ""."""
    match row.kind:
        case RowKind.THOUGHT:
            return thought_anchor(session, row.ordinal)
        case RowKind.ASIDE:
            return f"t{session.asides.get(row.ordinal).seq}"
        case _:
            return ""


def thought_anchor(session: Session, index: int) -> str:
    """Return the anchor of a thought."""
    return f"t{session.thoughts.get(index).seq}"


def _row(painter: Painter, tree: Tree, outlined: SectionRow, gutters: _Gutters) -> OutlineRow:
    session, row = tree.session, outlined.row
    parts, _ = painter.parts_of(row, outlined.number)
    return OutlineRow(
        is_heading=outlined.is_heading,
        anchor=anchor_of(session, row),
        gutter=gutters.of(drawn_cells(tree, row, parts.cells)),
        levels="".join(cell.text for cell in parts.cells),
        role_of_levels=next((cell.role for cell in parts.cells if cell.text), Role.LINE),
        number=session.thoughts.number_of(row.ordinal) if row.kind is RowKind.THOUGHT else None,
        text=cut(spans_text([parts.text]), _MAX_TEXT_CHARS),
        role=parts.text.role,
        rest=cut(parts.rest, _MAX_TEXT_CHARS),
        marks=[(mark.text, mark.role) for group in (*parts.mark_groups, *parts.revision_marks) for mark in group],
        duration=parts.duration,
    )


def _gutter(cells: list[PlacedCell], left: float) -> Gutter:
    width = left + (1 + max((column for column, _ in cells), default=0)) * GRID.width
    corner = [(column, cell) for column, cell in cells[-1:] if cell.arms == LEFT | DOWN]
    return Gutter(
        width=f"{width:g}",
        height=f"{GRID.height:g}",
        paths=_paths(cells[: len(cells) - len(corner)], left),
        corner=_paths(corner, left),
    )


def _paths(cells: list[PlacedCell], left: float) -> list[SvgPath]:
    lines = [SvgPath(piece.role, piece.steps) for piece in vertical_lines(cells, GRID, left)]
    return [*lines, *svg_paths(cells, GRID, left)]
