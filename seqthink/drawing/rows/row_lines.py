"""The rows of a whole session as lines of plain text, for pipes and pages: the fast way for ordinary thoughts."""

from collections.abc import Iterator

from seqthink.chain.model import NONE, Thought
from seqthink.core.text import is_plain_line
from seqthink.drawing.describe import units
from seqthink.drawing.rows.painter import ChainFrame, Painter
from seqthink.drawing.rows.row_parts import row_text
from seqthink.drawing.text.gutter_cells import GutterCell, cells_text
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, RowLayout
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.row_source import RowKind, TreeRow

# looked up once: an enum's member takes as long as a whole cell
_THOUGHT, _CHAIN = RowKind.THOUGHT, RowKind.CHAIN


def row_lines(painter: Painter) -> Iterator[str]:
    """Yield the text of every row without trailing blanks."""
    tree, signs, selected = painter.tree, painter.signs, painter.selected
    is_fast = painter.odd is not None and not tree.is_by_arrival and not painter.marked and not painter.commented
    ordinary = OrdinaryLines(painter)
    for number in range(tree.count):
        row = tree.row(number)
        line = ordinary.line(row, number) if is_fast and row.kind is _THOUGHT and number != selected else None
        if line is not None:
            yield line
        elif row.kind is _CHAIN:
            yield spans_text(painter.draw_row(number)).rstrip()
        else:
            yield row_text(*painter.parts_of(row, number), signs)


class OrdinaryLines:
    """Draws thoughts without marks whose first line is plain, in tree order: as the painter does, without its parts."""

    def __init__(self, painter: Painter) -> None:
        self._painter, self._texts, self._signs = painter, painter.texts, painter.signs
        self._session, self._odd = painter.tree.session, painter.odd or ()
        # The cells left of a sign, and their text: a lane has the same ones in most of its rows.
        self._cells, self._left = list[GutterCell](), ""

    def line(self, row: TreeRow, number: int) -> str | None:
        """Return the line of ``row``, which is row ``number``; None for a thought that is not ordinary."""
        index = row.ordinal
        thoughts = self._session.thoughts
        is_plain = thoughts.is_plain(index) and not self._session.native.is_left_behind(index)
        if not is_plain and not self._is_ordinary(thoughts.get(index)):
            return None
        frame = self._painter.frame(row.chain)
        layout = frame.layout
        text = self._texts.row_text(index)
        head = text[: layout.width + 2]  # more than fits; what is behind it changes nothing
        if not is_plain_line(head):
            return None
        before = f"{self._before(frame, row, number)} {thoughts.number_of(index):>{layout.digits}}{' ' * layout.gap}"
        took, mark = thoughts.duration_of(index), self._signs.odd if index in self._odd else ""
        return _set_line(before, head, mark, units.duration(took) if took else "", layout, self._signs.ellipsis)

    def _is_ordinary(self, thought: Thought) -> bool:
        """Return whether a thought has the usual sign, and no mark but perhaps that of an oddity."""
        session, index = self._session, thought.index
        thoughts = session.thoughts
        return not (
            thought.is_revision
            or thought.revised_number
            or not thought.number
            or thought.is_repeat
            or thought.needs_more
            or thought.native is not None
            or (thought.previous_estimate and not thought.keeps_pace)
            or thoughts.reviser_of(index) != NONE
            or thoughts.is_final(index)
            or thoughts.has_attached(index, "note")
            or thoughts.has_attached(index, "context")
            or thoughts.verdict_on(index) is not None
            or session.branch_returns.brought_back_by(index)
            or session.native.is_left_behind(index)
        )

    def _before(self, frame: ChainFrame, row: TreeRow, number: int) -> str:
        """Return what comes before the number: cursor, lines and sign."""
        cells = frame.gutter.left_of(row, number)
        if cells is not self._cells:
            self._cells = cells
            self._left = f"{' ' * (1 + frame.layout.indent)}{cells_text(cells, self._signs)}{self._signs.thought}"
        return self._left


def _set_line(before: str, text: str, mark: str, duration: str, layout: RowLayout, ellipsis: str) -> str:
    """Return a line of characters that take one cell each, as `row_text` sets one with at most one short mark."""
    column = max(layout.duration, len(duration) + (1 if mark and duration else 0)) if layout.duration else 0
    room = layout.width - layout.margin - len(before)
    if room - column < MIN_TEXT_CELLS:
        column = 0
    room -= column
    if room - len(mark) - 1 < MIN_TEXT_CELLS:
        mark = ""
    free = room - (1 + len(mark) if mark or column else 0)
    shown = text.rstrip()
    if len(shown) > free:
        shown = shown[: free - 1] + ellipsis if free > 0 else ""
    if not mark and not (column and duration):
        return f"{before}{shown}".rstrip()
    line = f"{before}{shown:<{room - len(mark)}}{mark}"
    return f"{line}{duration:>{column}}" if column and duration else line
