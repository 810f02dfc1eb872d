"""Rows of thoughts that are known by their own lines alone, in the columns that the tree has."""

from collections.abc import Sequence
from datetime import UTC, tzinfo

from msgspec import Struct

from seqthink.chain.model import NativeKind
from seqthink.core.text import first_line, first_line_and_rest
from seqthink.drawing.describe import units
from seqthink.drawing.describe.line_thought import LineThought, revision_mark
from seqthink.drawing.rows.row_parts import RowParts, fit_row
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, blanks
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, RowLayout, row_layout
from seqthink.drawing.text.spans import Role, Span, Spans

MAX_NAME_CELLS = 24
"""Width of a branch's name before a text."""
_NATIVE_SIGNS = {
    NativeKind.PROMPT: CellSign.PROMPT,
    NativeKind.REASONING: CellSign.REASONING,
    NativeKind.REMARK: CellSign.REMARK,
    NativeKind.ANSWER: CellSign.STOPPED,
}


class LineRows(Struct, frozen=True, kw_only=True):
    """Draws such rows at one width; create a new one for each frame."""

    thoughts: Sequence[LineThought]
    """The thoughts, in the order of their lines."""
    read_percent: int
    """How much of the journal has been read."""
    width: int
    """Cells of a row."""
    screen_width: int
    """Cells of the whole screen."""
    signs: Signs = UNICODE
    zone: tzinfo = UTC
    """The time zone of displayed times."""

    def heading(self) -> Spans:
        """Return the line above the rows: that there are earlier thoughts, and how far they have been read."""
        words = f" {self.signs.ellipsis} earlier thoughts are being read: {self.read_percent} %"
        return [Span(cut(words, self.width, self.signs.ellipsis), Role.ACCENT)]

    def draw_row(self, place: int, *, is_selected: bool) -> Spans:
        """Return the row of the thought at ``place`` in exactly ``width`` cells."""
        thought, layout = self.thoughts[place], self._layout
        sign = _NATIVE_SIGNS[thought.native] if thought.native is not None else CellSign.THOUGHT
        role = Role.TEXT if thought.native is None else Role.MUTED
        if thought.is_revision:
            sign, role = CellSign.REVISION, Role.REVISION
        cursor = GutterCell(role=Role.ACCENT, sign=CellSign.CURSOR) if is_selected else GutterCell()
        cells = [cursor, *blanks(layout.indent), GutterCell(role=role, sign=sign)]
        number = Span(f" {thought.number or '':>{layout.digits}}{' ' * layout.gap}", Role.MUTED)
        text, rest = first_line_and_rest(thought.text.text, self.signs.separator)
        mark = revision_mark(thought, self.signs)
        parts = RowParts(
            cells=cells,
            label=[number, *self._name(thought, layout, len(cells) + width(number.text))],
            text=Span(text, Role.TEXT),
            rest=rest,
            revision_marks=(mark,) if mark else (),
            duration=f"{units.clock(thought.time, self.zone)}" if layout.duration else "",
        )
        return fit_row(parts, layout, self.signs)

    @property
    def _layout(self) -> RowLayout:
        digits = len(str(max((thought.number for thought in self.thoughts), default=0)))
        return row_layout(self.width, screen_width=self.screen_width, tracks=0, digits=digits)

    def _name(self, thought: LineThought, layout: RowLayout, left: int) -> Spans:
        """Return the branch's name, as far as there is room; ``left`` is how many cells the row has before it."""
        room = layout.width - layout.margin - left - MIN_TEXT_CELLS - 2
        name = cut(first_line(thought.branch), min(MAX_NAME_CELLS, room), self.signs.ellipsis) if room > 0 else ""
        return [Span(f"{name}: ", Role.MUTED)] if name else []
