"""The rows of an HTML page: they link to their thoughts, chains and branches fold, lines are SVG paths.

A page that holds everything takes the rows of a tree in sections; a live page takes single rows, of a tree or timeline.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from seqthink.chain.session import Session
from seqthink.core.text import first_line_and_rest
from seqthink.drawing.describe import units
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.row_parts import RowParts
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, LEFT
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text
from seqthink.drawing.tree.row_source import RowKind, RowSource, TreeRow
from seqthink.drawing.tree.tree import Tree
from seqthink.share.export.row_drawing import PlacedCell, drawn_cells
from seqthink.share.export.sections import section_rows
from seqthink.share.export.svg_paths import CellGrid, SvgPath, svg_paths, vertical_lines

GRID = CellGrid(10, 28)
"""Size of a cell left of a row's text."""
MAX_GUTTERS = 4096
"""How many pictures left of rows are kept to be used again."""
_MAX_TEXT_CHARS = 160
"""Length of a row's text; the page cuts it to its width."""


class ChainTitle(Struct, frozen=True):
    """The heading of a chain."""

    number: int | str
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
    """The row of an open chain's heading."""

    chain: ChainTitle
    is_heading: bool = True


class OutlineRow(Struct, frozen=True, kw_only=True):
    """Any other row."""

    chain: None = None
    is_heading: bool = False
    """Whether a section begins with it."""
    anchor: str
    """What the row links to, or ""."""
    gutter: Gutter
    levels: str
    """By how many levels the row is deeper than the picture shows: ``+2``."""
    role_of_levels: Role
    number: int | str | None
    """A thought's number."""
    label: str
    """What comes before the text: the branch to which a timeline switches, or which chain is folded."""
    role_of_label: Role
    text: str
    role: Role
    shape: Sequence[tuple[str, Role]]
    """The first thoughts of a folded branch or chain, as signs."""
    rest: str
    """What goes on quietly behind the text."""
    marks: Sequence[tuple[str, Role]]
    duration: str


class Gutters:
    """The pictures left of rows; many rows have the same one, so it is drawn once."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Gutter] = {}

    def of(self, cells: list[PlacedCell], left: float, columns: int = 0) -> Gutter:
        """Return the picture of a row's lines and signs, whose first cell begins at ``left`` pixels.

        It is as wide as these need, and at least ``columns`` cells.
        """
        key = (left, columns, *[(column, cell.arms, cell.role, cell.sign) for column, cell in cells])
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MAX_GUTTERS:
                self._known.clear()
            found = self._known[key] = _gutter(cells, left, columns)
        return found


def outline(painter: Painter) -> Iterator[ChainRow | OutlineRow | None]:
    """Yield the rows of a tree, and None wherever a section ends."""
    tree = painter.tree
    assert isinstance(tree, Tree), "a page shows a tree"
    gutters = Gutters()
    # Of a thought about which nothing is marked, as most are: one of its lane. They differ in their words alone.
    plain: dict[tuple[int, bool], OutlineRow] = {}
    for outlined in section_rows(tree):
        if outlined is None:
            yield None
            continue
        row, key = outlined.row, None
        if painter.is_like_its_lane(row):
            key = row.lane, painter.is_odd(row.ordinal)
            if key in plain:
                yield _like(painter, row, plain[key])
                continue
        drawn = _row(painter, row, outlined.number, gutters, is_heading=outlined.is_heading)
        if key is not None and isinstance(drawn, OutlineRow):
            if len(plain) >= MAX_GUTTERS:
                plain.clear()
            plain[key] = drawn
        yield drawn


def outline_row(painter: Painter, number: int, gutters: Gutters) -> ChainRow | OutlineRow:
    """Return an existing row of a tree or timeline alone."""
    return _row(painter, painter.tree.row(number), number, gutters, is_heading=False)


def chain_title(session: Session, chain: int) -> ChainTitle:
    """Return a chain's heading."""
    return ChainTitle(chain + 1, _chain_clock(session, chain))


def row_key(session: Session, row: TreeRow) -> str:
    """Return what a row is called as long as the session grows; of a row that leads to something, its anchor.

    ``t<seq>`` is a thought, ``a<seq>`` an aside, ``g<seq>`` the gap before a thought, ``b<lane>`` a branch's head,
    ``e<lane>`` what is expected on a lane, ``c<chain>`` a chain's heading.
    """
    match row.kind:
        case RowKind.THOUGHT:
            return thought_anchor(session, row.ordinal)
        case RowKind.ASIDE:
            return aside_anchor(session, row.ordinal)
        case RowKind.GAP:
            return f"g{session.thoughts.seq_of(row.ordinal)}"
        case RowKind.BRANCH:
            return f"b{row.lane}"
        case RowKind.EXPECTED:
            return f"e{row.lane}"
        case RowKind.CHAIN:
            return f"c{row.chain}"


def fold_key(row: TreeRow) -> str:
    """Return what folds with a row: ``<lane>`` for a branch's head, ``c<chain>`` for a chain's heading, or ""."""
    if row.kind is RowKind.CHAIN:
        return f"c{row.chain}"
    return f"{row.lane}" if row.kind is RowKind.BRANCH else ""


def is_row_open(rows: RowSource, row: TreeRow) -> bool | None:
    """Return whether what folds with a row is open; None for a row with which nothing folds."""
    if rows.foldable is None or row.kind not in {RowKind.CHAIN, RowKind.BRANCH}:
        return None
    return (
        rows.foldable.is_chain_open(row.chain) if row.kind is RowKind.CHAIN else not rows.foldable.is_folded(row.lane)
    )


def anchor_of(session: Session, row: TreeRow) -> str:
    """Return the anchor that a row links to, or ""."""
    return row_key(session, row) if row.kind in {RowKind.THOUGHT, RowKind.ASIDE} else ""


def thought_anchor(session: Session, index: int) -> str:
    """Return the anchor of a thought."""
    return f"t{session.thoughts.seq_of(index)}"


def aside_anchor(session: Session, ordinal: int) -> str:
    """Return the anchor of an aside."""
    return f"a{session.asides.get(ordinal).seq}"


def _number(session: Session, index: int) -> int | str:
    """Return a thought's number, or the place of native reasoning in its turn."""
    return session.thoughts.number_of(index) or session.thoughts.get(index).place_in_turn or ""


def _chain_clock(session: Session, chain: int) -> str:
    """Return when a chain began."""
    return units.clock(session.thoughts.time_of(session.chains.thoughts_of(chain)[0]), seconds=False)


def _row(painter: Painter, row: TreeRow, number: int, gutters: Gutters, *, is_heading: bool) -> ChainRow | OutlineRow:
    rows = painter.tree
    session, is_chain = rows.session, row.kind is RowKind.CHAIN
    if is_chain and is_row_open(rows, row) is not False:
        return ChainRow(chain_title(session, row.chain), is_heading)
    parts, _ = painter.parts_of(row, number)
    label, text, shape, rest = _words(row, parts)
    groups = (parts.lasting_mark, *(parts.mark_groups[1:] if is_chain else parts.mark_groups), *parts.revision_marks)
    return OutlineRow(
        is_heading=is_heading,
        anchor=anchor_of(session, row),
        gutter=gutters.of(
            drawn_cells(rows, row, parts.cells),
            -painter.indent * GRID.width,
            # the numbers of a timeline share one column
            len(parts.cells) if rows.is_by_arrival else 0,
        ),
        levels="".join(cell.text for cell in parts.cells),
        role_of_levels=next((cell.role for cell in parts.cells if cell.text), Role.LINE),
        number=_number(session, row.ordinal) if row.kind is RowKind.THOUGHT else None,
        label=label.text,
        role_of_label=label.role,
        text=cut(spans_text([text]), _MAX_TEXT_CHARS),
        role=text.role,
        shape=[(span.text, span.role) for span in shape],
        rest=cut(rest, _MAX_TEXT_CHARS),
        marks=[(mark.text, mark.role) for group in groups for mark in group],
        duration=parts.duration.strip(),
    )


def _like(painter: Painter, row: TreeRow, other: OutlineRow) -> OutlineRow:
    """Return a thought's row that looks like another one."""
    session, index = painter.tree.session, row.ordinal
    text, rest = first_line_and_rest(painter.texts.row_text(index), painter.signs.separator, cells=painter.width)
    took = session.thoughts.duration_of(index)
    return OutlineRow(
        anchor=thought_anchor(session, index),
        gutter=other.gutter,
        levels=other.levels,
        role_of_levels=other.role_of_levels,
        number=session.thoughts.number_of(index),
        label="",
        role_of_label=other.role_of_label,
        text=cut(text, _MAX_TEXT_CHARS),
        role=other.role,
        shape=(),
        rest=cut(rest, _MAX_TEXT_CHARS),
        marks=other.marks,
        duration=units.duration(took) if took else "",
    )


def _words(row: TreeRow, parts: RowParts) -> tuple[Span, Span, Spans, str]:
    """Return the label, the text, the shape of what is folded, and what goes on quietly."""
    none = Span("", Role.MUTED)
    match row.kind:
        case RowKind.CHAIN:
            return Span(f"Chain {row.chain + 1}", Role.MUTED), parts.text, parts.mark_groups[0], parts.rest
        case RowKind.BRANCH if len(parts.label) > 1:  # it is folded
            _, name, *shape = parts.label
            rest = f"  {parts.text.text}" if parts.text.text else ""
            return none, Span(name.text.strip(), name.role), shape, rest
        case RowKind.THOUGHT if len(parts.label) > 1:
            return Span(parts.label[1].text.strip(), parts.label[1].role), parts.text, [], parts.rest
        case _:
            return none, parts.text, [], parts.rest


def _gutter(cells: list[PlacedCell], left: float, columns: int) -> Gutter:
    width = max(0, left + max(columns, 1 + max((column for column, _ in cells), default=0)) * GRID.width)
    corner = [(column, cell) for column, cell in cells[-1:] if cell.arms == LEFT | DOWN and not columns]
    return Gutter(
        width=f"{width:g}",
        height=f"{GRID.height:g}",
        paths=_paths(cells[: len(cells) - len(corner)], left),
        corner=_paths(corner, left),
    )


def _paths(cells: list[PlacedCell], left: float) -> list[SvgPath]:
    lines = [SvgPath(piece.role, piece.steps) for piece in vertical_lines(cells, GRID, left)]
    return [*lines, *svg_paths(cells, GRID, left)]
