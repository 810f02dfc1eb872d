"""A multi-line input for a note to an agent."""

from typing_extensions import override

from seqthink.core.text import without_controls
from seqthink.drawing.panels.text_input import TextInput
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.glyphs import Signs, comment_sign
from seqthink.drawing.text.spans import Role, Span, Spans, clip, spans_width, spread


class NoteInput(TextInput):
    """Text of at most ``max_bytes`` bytes (UTF-8) and a cursor.

    Line breaks come in by paste; control characters are removed.
    """

    def __init__(self, max_bytes: int, text: str = "") -> None:
        self._max_bytes = max_bytes
        self.is_full = False
        """Whether the last insertion was refused because it did not fit."""
        super().__init__(text)

    @override
    def insert(self, text: str) -> None:
        """Insert ``text`` at the cursor, all of it or nothing."""
        safe = without_controls(text)
        self.is_full = len((self.text + safe).encode()) > self._max_bytes
        if not self.is_full:
            self._set(self.text[: self.cursor] + safe, self.text[self.cursor :])

    def lines(self, cells: int, max_rows: int) -> list[Spans]:
        """Return at most ``max_rows`` rows around the cursor, each in at most ``cells`` cells."""
        rows = self._rows(cells - 2)
        at = self._row_at_cursor(rows)
        first = max(0, min(at - max_rows + 1, len(rows) - max_rows))
        return [
            clip([Span(" "), *self._row(start, end, has_cursor=number == at)], cells)
            for number, (start, end) in list(enumerate(rows))[first : max(first, at - max_rows + 1) + max_rows]
        ]

    def row_position(self, cells: int, max_rows: int) -> str:
        """Return ``row/rows`` of the cursor if not all rows are visible, else ""."""
        rows = self._rows(cells - 2)
        return f"{self._row_at_cursor(rows) + 1}/{len(rows)}" if len(rows) > max_rows else ""

    def _row_at_cursor(self, rows: list[tuple[int, int]]) -> int:
        return max(number for number, (start, _) in enumerate(rows) if start <= self.cursor)

    def _row(self, start: int, end: int, *, has_cursor: bool) -> Spans:
        if not has_cursor:
            return [Span(self.text[start:end])]
        under_cursor = self.text[self.cursor : min(self.cursor + 1, end)] or " "
        pieces = (
            Span(self.text[start : self.cursor]),
            Span(under_cursor, Role.MATCH),
            Span(self.text[self.cursor + 1 : end]),
        )
        return [piece for piece in pieces if piece.text]

    def _rows(self, cells: int) -> list[tuple[int, int]]:
        """Return start and end of each row in the text, broken at blanks where there are any."""
        rows: list[tuple[int, int]] = []
        offset = 0
        for line in self.text.split("\n"):
            start, end = offset, offset + len(line)
            while (fits := _fitting(self.text, start, end, cells)) < end:
                rows.append((start, fits))
                start = fits
            rows.append((start, end))
            offset = end + 1
        return rows


def comment_prompt(target: str, author: str, right: Span, cells: int, signs: Signs) -> Spans:
    """Return the line above a comment: which thought it is about, and under whose name it is kept."""
    left = [Span(f" {comment_sign(signs)} on {target}", Role.ACCENT), Span(f" as {author}", Role.MUTED)]
    for shown, end in ((left, [right, Span(" ")]), (left[:1], [right, Span(" ")]), (left[:1], [])):
        if spans_width([*shown, *end]) < cells:
            return clip(spread(shown, end, cells), cells)
    return clip(left[:1], cells)


def _fitting(text: str, start: int, end: int, cells: int) -> int:
    """Return the end of the row that begins at ``start``; a row has at least one character."""
    head = cut(text[start : min(end, start + 2 * cells)], max(2, cells), ellipsis="")
    if start + len(head) >= end:
        return end
    at_blank = head.rfind(" ") + 1
    return start + (at_blank or max(1, len(head)))


def note_prompt(
    recipient: str, delivery_hint: str, right: Span, cells: int, signs: Signs, *, way: tuple[str, ...] = ()
) -> Spans:
    """Return the line above a note that names its recipient; a long name is cut before ``right`` is dropped.

    Of the parts of its ``way`` there are as many as there is room for: ``on buildbox``, ``through redis:6379``.
    """
    for parts in range(len(way), 0, -1):
        named = f"{recipient} {' '.join(way[:parts])}"
        if width(f" {signs.note} to {named}, {delivery_hint}{right.text}") + 3 <= cells or parts == 1:
            recipient = named
            break
    start, end = f" {signs.note} to ", f", {delivery_hint}"
    room = cells - width(start + end) - (width(right.text) + 2 if right.text else 0)
    if room < min(width(recipient), 8):
        right, room = Span(""), cells - width(start + end)
    if room < min(width(recipient), 8):
        end, room = "", cells - width(start)
    left = [Span(start, Role.NOTE), Span(cut(recipient, room, signs.ellipsis), Role.TEXT), Span(end, Role.NOTE)]
    return clip(spread(left, [right, Span(" ")] if right.text else [], cells), cells)
