"""Rows of what a search has found: a line for each session, and below it one for each text (docs/sessions.md)."""

from seqthink.chain.query import Query
from seqthink.drawing.describe import units
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.drawing.rows.highlight import highlight
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, clip, spread

PLACE_CELLS, NARROW_PLACE_CELLS = 14, 10
"""Width of the column with number and branch."""
AGE_CELLS = 6
MIN_CELLS_WITH_ID = 100
"""Cells from which the line of a session has room for its id."""
_SHARE_BEFORE = 3
"""A part of this of a row is before the word that was found, if the row has to begin later than the text."""


def session_line(found: HitSession, cells: int, *, now: int, signs: Signs = UNICODE, has_id: bool = False) -> Spans:
    """Return the line above the hits of a session: its name and client, its id where there is room, its age."""
    age = f"  {units.age(now, found.last)} "
    client = str(found.client) if found.client != found.name else ""
    right = [
        Span(f"{found.session}  " if has_id or cells >= MIN_CELLS_WITH_ID else "", Role.MUTED),
        Span(age, Role.MUTED),
    ]
    room = cells - sum(width(span.text) for span in right) - 1
    name = cut(found.name, room, signs.ellipsis)
    client = cut(client, max(0, room - width(name) - 2), signs.ellipsis)
    left = [Span(" "), Span(name, Role.ACCENT, BOLD), Span(f"  {client}" if client else "", Role.MUTED)]
    return clip(spread(left, right, cells), cells)


def hit_line(
    text: FoundText, query: Query, cells: int, *, now: int, signs: Signs = UNICODE, is_selected: bool = False
) -> Spans:
    """Return one hit in at most ``cells`` cells: number and branch, the text around the words, its age."""
    is_narrow = cells < NARROW_BELOW_CELLS
    place_cells = NARROW_PLACE_CELLS if is_narrow else PLACE_CELLS
    age = "" if is_narrow else f"{units.age(now, text.time):>{AGE_CELLS}} "
    cursor = Span(signs.selected, Role.ACCENT) if is_selected else Span(" ")
    place = cut(_padded_place(text), place_cells - 1, signs.ellipsis)
    head = [cursor, Span(place + " " * (place_cells - width(place)), Role.MUTED)]
    room = max(1, cells - 1 - place_cells - len(age))
    shown = highlight([Span(excerpt_text(text, query, room, signs))], query)
    return clip(spread([*head, *shown], [Span(age, Role.MUTED)], cells), cells)


def _padded_place(text: FoundText) -> str:
    return text.place if text.number is None else f"{text.number:>4}{f' {text.branch}' if text.branch else ''}"


def excerpt_text(text: FoundText, query: Query, cells: int, signs: Signs = UNICODE) -> str:
    """Return the excerpt in at most ``cells`` cells, so that the first word that was found is in it."""
    whole = f"{signs.ellipsis}{text.excerpt}" if text.is_begun_before else str(text.excerpt)
    first = next(iter(query.spans(whole)), (0, 0))
    if width(whole[: first[1]]) < cells:
        return cut(whole, cells, signs.ellipsis)
    room_before = max(cells // _SHARE_BEFORE, cells - 1 - width(whole[first[0] :]))
    start = first[0]
    while start > 0 and width(whole[start - 1 : first[0]]) <= room_before:
        start -= 1
    if start and not whole[start - 1].isspace():  # begin with a word, if there is one
        start = whole.find(" ", start, first[0]) + 1 or start
    return cut(signs.ellipsis + whole[start:], cells, signs.ellipsis)
