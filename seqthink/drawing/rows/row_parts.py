"""Sets the parts of a row into exactly its width: cells and label are kept, the text is cut, marks go to the right."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from seqthink.core.text import SafeText
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.gutter_cells import GutterCell, cell_spans, cells_text
from seqthink.drawing.text.row_layout import MIN_TEXT_CELLS, RowLayout
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_text, spans_width

MIN_REST_CELLS = 12
"""Room behind a text from which on it is short enough to go on with its next lines."""
# looked up once: a member of an enum takes as long as a cell
_MUTED = Role.MUTED


class RowParts(Struct, frozen=True, kw_only=True):
    """The parts of a row."""

    cells: Sequence[GutterCell]
    """Cursor, gutter and sign; never cut."""
    label: Spans = []
    """What comes between them and the text, as a number; never cut."""
    text: Span
    """The text; cut to the room that is left."""
    rest: str = ""
    """What goes on quietly behind a text that leaves room for it; begins with what joins the two."""
    lasting_mark: Spans = []
    """A mark that is never dropped, left of the others."""
    mark_groups: tuple[Spans, ...] = ()
    """The marks, least important last."""
    revision_marks: tuple[Spans, ...] = ()
    """The marks in the column right of them: what revises the thought, and what it revises."""
    duration: str = ""
    """Text of the duration column."""
    fill: str = ""
    """A character of one cell that fills the room behind the text; empty for blanks."""


class _Columns(NamedTuple):
    """The cells of a row's columns."""

    left: int
    """What is before the text."""
    room: int
    """From the text to the duration column."""
    free: int
    """The text."""
    column: int
    """The duration column; 0 for none."""
    marks: Spans
    """The marks that fit."""
    marks_width: int


class _FittedRow(NamedTuple):
    """What of a row's parts is shown, and where."""

    text: str
    """The text, cut."""
    rest: str
    """What is shown of what goes on behind it."""
    gap: int
    """Cells between text and marks; below 0 if the row is too wide."""
    marks: Spans
    tail: str
    """The duration column and the margin."""


def fit_row(parts: RowParts, layout: RowLayout, signs: Signs) -> Spans:
    """Return the row in exactly ``layout.width`` cells.

    Marks are dropped before the text gets less than `MIN_TEXT_CELLS`, the duration column before both. What goes on
    behind the text takes no room from anything.
    """
    text, rest, gap, marks, tail = _fitted(parts, layout, signs)
    spans = [*cell_spans(parts.cells, signs), *parts.label, Span(SafeText(text), parts.text.role)]
    if rest:
        spans.append(Span(SafeText(rest), _MUTED))
    filled = parts.fill * max(0, gap - 1)
    spans += [Span(" " * max(0, gap - len(filled))), Span(filled, parts.text.role), *marks, Span(tail, _MUTED)]
    return spans if gap >= 0 else clip(spans, layout.width)


def row_text(parts: RowParts, layout: RowLayout, signs: Signs) -> str:
    """Return the text of `fit_row` without trailing blanks."""
    text, rest, gap, marks, tail = _fitted(parts, layout, signs)
    if gap < 0 or parts.fill:
        return spans_text(fit_row(parts, layout, signs)).rstrip()
    label = "".join([span.text for span in parts.label])
    shown = "".join([span.text for span in marks])
    return f"{cells_text(parts.cells, signs)}{label}{text}{rest}{' ' * gap}{shown}{tail}".rstrip()


def text_cells_of(parts: RowParts, layout: RowLayout) -> tuple[int, int]:
    """Return the cells that a row has for its text, and those that lines below it have, which have no marks."""
    columns = _columns(parts, layout)
    named = spans_width(parts.label[1:])
    return columns.free, columns.room + named - (1 if columns.column else 0)


def _columns(parts: RowParts, layout: RowLayout) -> _Columns:
    # a duration that fills its column gets a blank before it, away from the marks
    needs_blank = bool(parts.mark_groups) and parts.duration[:1].strip() != ""
    column = max(layout.duration, width(parts.duration) + needs_blank) if layout.duration else 0
    left = len(parts.cells) + spans_width(parts.label)
    right_end = layout.width - layout.margin - left
    if right_end - column < MIN_TEXT_CELLS:
        column = 0
    room = right_end - column
    marks = _fitting_marks(parts, room) if parts.mark_groups or parts.revision_marks or parts.lasting_mark else []
    marks_width = spans_width(marks)
    free = room - (marks_width + 1 if marks else (1 if column else 0))
    return _Columns(left, room, free, column, marks, marks_width)


def _fitted(parts: RowParts, layout: RowLayout, signs: Signs) -> _FittedRow:
    left, _, free, column, marks, marks_width = _columns(parts, layout)
    shown, rest = cut(parts.text.text, free, signs.ellipsis), ""
    used = max(0, free) if parts.text.text.isascii() and len(parts.text.text) > free else width(shown)
    if parts.rest and free - used >= MIN_REST_CELLS and shown == parts.text.text:
        # measured together: the width of a text is not the sum of its parts'
        both = cut(shown + parts.rest, free, signs.ellipsis)
        rest, used = both[len(shown) :], width(both)
    tail = (parts.duration.rjust(column) if column else "") + " " * layout.margin
    return _FittedRow(shown, rest, layout.width - left - used - marks_width - width(tail), marks, tail)


def _fitting_marks(parts: RowParts, room: int) -> Spans:
    """Return the marks that leave the text its cells.

    What a thought revises is dropped first, since an arrow says it, too; what revises it last.
    """
    groups, revisions = list(parts.mark_groups), list(parts.revision_marks)
    lasting = [parts.lasting_mark] if parts.lasting_mark else []
    while (groups or revisions) and room - spans_width(_marks(lasting + groups + revisions)) - 1 < MIN_TEXT_CELLS:
        (revisions if len(revisions) > 1 or not groups else groups).pop()
    return _marks(lasting + groups + revisions)


def _marks(groups: list[Spans]) -> Spans:
    marks: Spans = []
    for group in groups:
        marks += [Span(" "), *group] if marks else group
    return marks
