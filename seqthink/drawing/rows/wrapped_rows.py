"""Rows whose texts go on in lines below them, beside the lines of the tree that pass there."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from seqthink.chain.model import NONE
from seqthink.core.text import SafeText
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.row_parts import RowParts, fit_row, text_cells_of
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.glyphs import DOWN, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, blanks, cell_spans
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, RowLayout
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width
from seqthink.drawing.text.wrap import wrap
from seqthink.drawing.tree.row_source import RowKind, RowSource, TreeRow

_CHARS_PER_CELL = 4
"""Characters that may share a cell."""


class _Piece(NamedTuple):
    """What one line shows of a text."""

    start: int
    """Where in the text it begins."""
    shown: str
    """It, with an ellipsis if the text goes on behind the last line."""


class RowRuler:
    """Counts the lines that rows need; what is selected changes nothing.

    Args:
        paint: returns a painter of rows without a selected one.
    """

    def __init__(self, paint: Callable[[RowSource], Painter]) -> None:
        self._paint = paint
        self._rows: WrappedRows | None = None

    def lines_needed(self, tree: RowSource, number: int, most: int) -> int:
        """Return how many lines the text of a row needs, up to ``most``."""
        if self._rows is None or self._rows.painter.tree is not tree:
            self._rows = WrappedRows(painter=self._paint(tree))
        return self._rows.lines_needed(number, most)


class WrappedRows(Struct, frozen=True, kw_only=True):
    """Draws rows of a painter in several lines each."""

    painter: Painter

    def lines_needed(self, number: int, most: int) -> int:
        """Return how many lines the text of a row needs, up to ``most``."""
        if self._is_rule(number):
            return 1
        parts, layout = self.painter.parts(number)
        return 1 if parts.fill else max(1, len(_pieces(parts, layout, most, self.painter.signs.ellipsis)))

    def draw_row(self, number: int, lines: int) -> list[Spans]:
        """Return a row in exactly ``lines`` lines of exactly the painter's width."""
        painter = self.painter
        if lines == 1 or self._is_rule(number):
            return [painter.draw_row(number), *self._blank_lines(lines - 1)]
        parts, layout = painter.parts(number)
        pieces = [] if parts.fill else _pieces(parts, layout, lines, painter.signs.ellipsis)
        if len(pieces) < 2:
            first = fit_row(parts, layout, painter.signs)
        else:
            text, rest = _roles(pieces[0], len(parts.text.text))
            # what is behind a text takes no room from it, so a first line with room for more keeps that room
            shown = replace(parts, text=parts.text._replace(text=text + rest), rest="")
            first = _with_quiet_end(fit_row(shown, layout, painter.signs), len(parts.cells) + len(parts.label), text)
        left = cell_spans(self._cells_below(parts, number), painter.signs)
        left.append(Span(" " * spans_width(parts.label[:1])))
        drawn = [first]
        for piece in pieces[1:]:
            text, rest = _roles(piece, len(parts.text.text))
            drawn.append(self._filled([*left, Span(SafeText(text), parts.text.role), Span(SafeText(rest), Role.MUTED)]))
        return [*drawn, *(self._filled(left) for _ in range(lines - len(drawn)))]

    def _is_rule(self, number: int) -> bool:
        """Return whether a row is the rule above an open chain."""
        tree = self.painter.tree
        row = tree.row(number)
        return row.kind is RowKind.CHAIN and (tree.foldable is None or tree.foldable.is_chain_open(row.chain))

    def _blank_lines(self, count: int) -> list[Spans]:
        return [self._filled([]) for _ in range(count)]

    def _filled(self, spans: Spans) -> Spans:
        gap = self.painter.width - spans_width(spans)
        return [*spans, Span(" " * gap)] if gap >= 0 else clip(spans, self.painter.width)

    def _cells_below(self, parts: RowParts, number: int) -> list[GutterCell]:
        """Return the cells of a line below a row: the lines that go on from it to the next row, and the cursor."""
        row, below = self.painter.tree.row(number), self._next_row(number)
        next_cells = self.painter.parts(number + 1)[0].cells if below is not None else ()
        cells = blanks(len(parts.cells))
        for at, (cell, next_cell) in enumerate(zip(parts.cells, next_cells, strict=False)):
            is_own = cell.sign is not None and below is not None and below.lane == row.lane != NONE
            if at and _goes_on(cell, next_cell, is_own=is_own):
                cells[at] = GutterCell(UP | DOWN, self._line_role(cell, next_cell, row.lane))
        if parts.cells[0].sign is CellSign.CURSOR:
            cells[0] = parts.cells[0]
        return cells

    def _line_role(self, cell: GutterCell, below: GutterCell, lane: int) -> Role:
        """Return the colour of the line between two cells: from a sign on it is that of its lane."""
        if below.sign is None:
            return below.role
        return lane_role(self.painter.tree.session.lanes.get(lane)) if cell.sign is not None else cell.role

    def _next_row(self, number: int) -> TreeRow | None:
        """Return the row below, if it is of the same chain."""
        tree = self.painter.tree
        if number + 1 >= tree.count:
            return None
        row = tree.row(number + 1)
        return row if row.chain == tree.row(number).chain and row.kind is not RowKind.CHAIN else None


def _goes_on(cell: GutterCell, below: GutterCell, *, is_own: bool) -> bool:
    """Return whether a line runs from a cell to that below it; with ``is_own`` it holds a sign of the lane below."""
    if cell.sign is None and not cell.arms & DOWN:
        return False
    if below.sign is None:
        return bool(below.arms & UP)
    return (is_own or cell.sign is None) and below.sign not in {CellSign.ARROW_HEAD, CellSign.ARROW_STUB}


def _roles(piece: _Piece, quiet_from: int) -> tuple[str, str]:
    """Return what a line shows of the text itself, and of what goes on quietly behind it."""
    end = max(0, quiet_from - piece.start)
    return piece.shown[:end], piece.shown[end:]


def _with_quiet_end(spans: Spans, place: int, text: str) -> Spans:
    """Return a row whose span at ``place`` is quiet behind ``text``."""
    span = spans[place]
    if len(text) >= len(span.text):
        return spans
    ends = [span._replace(text=text), Span(span.text[len(text) :], Role.MUTED)]
    return [*spans[:place], *ends, *spans[place + 1 :]]


def _pieces(parts: RowParts, layout: RowLayout, most: int, ellipsis: str) -> list[_Piece]:
    """Return what each line shows of a row's text, in up to ``most`` lines; the last one is cut."""
    first, below = text_cells_of(parts, layout)
    text = parts.text.text + parts.rest
    text = text[: _CHARS_PER_CELL * (first + below * (most - 1)) + 1]
    if first < MIN_TEXT_CELLS // 2:
        return []
    pieces: list[_Piece] = []
    start = 0
    while start < len(text):
        cells, rest = below if pieces else first, text[start:]
        line = cut(rest, cells, ellipsis) if len(pieces) == most - 1 else next(wrap(rest, cells))
        pieces.append(_Piece(start, line))
        if len(pieces) == most:
            break
        start += len(line)
        start += len(text[start:]) - len(text[start:].lstrip(" "))
    return pieces
