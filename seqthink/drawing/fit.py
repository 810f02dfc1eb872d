"""A row's pieces set into exactly its width: what comes first is kept, the text is cut, marks stand at the right."""

from msgspec import Struct

from seqthink.drawing.cells import cut, width
from seqthink.drawing.layout import LEAST_TEXT, Layout
from seqthink.drawing.spans import Role, Span, Spans, clip, spans_width, spread
from seqthink.text import SafeText


class Pieces(Struct, frozen=True, kw_only=True):
    """What a row says. ``groups`` are its marks, least telling last; ``extra`` follows the text if there is room."""

    head: Spans
    text: Span
    groups: tuple[Spans, ...] = ()
    duration: str = ""
    extra: str = ""


def fit(pieces: Pieces, columns: Layout, sign: str) -> Spans:
    """Return the row in exactly ``columns.width`` cells.

    The marks give way to the text, the duration's column to both; ``sign`` shows where the text was cut.
    """
    # a long duration would touch the marks before it
    long = bool(pieces.groups) and pieces.duration[:1].strip() != ""
    column = max(columns.duration, width(pieces.duration) + long) if columns.duration else 0
    right_end = columns.width - columns.margin - spans_width(pieces.head)
    if right_end - column < LEAST_TEXT:
        column = 0
    room, groups = right_end - column, list(pieces.groups)
    while groups and room - spans_width(_marks(groups)) - 1 < LEAST_TEXT:
        groups.pop()
    marks = _marks(groups)
    free = room - (spans_width(marks) + 1 if marks else (1 if column else 0))
    shown = cut(pieces.text.text, free, sign)
    body = [*pieces.head, Span(SafeText(shown), pieces.text.role)]
    if pieces.extra and shown == pieces.text.text and width(shown) + width(pieces.extra) <= free:
        body.append(Span(pieces.extra, Role.REVISION))
    tail = f"{pieces.duration:>{column}}" if column else ""
    return clip(spread(body, [*marks, Span(tail + " " * columns.margin, Role.MUTED)], columns.width), columns.width)


def _marks(groups: list[Spans]) -> Spans:
    marks: Spans = []
    for group in groups:
        marks += [Span(" "), *group] if marks else group
    return marks
