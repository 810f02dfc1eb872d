"""A table as lines: columns as wide as they need to be or, without room for that, one cell per line."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import zip_longest

from seqthink.drawing.text.span_wrapping import hanging_indent, wrap_spans
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, spans_width

GAP_CELLS, MIN_COLUMN_CELLS = 2, 6
"""Blanks between columns, and the width below which no column is shrunk."""

TableRow = list[Spans]
"""The cells of a row."""


class Alignment(StrEnum):
    """The alignment of a column's texts, from Markdown's delimiter row."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


def table_lines(rows: list[TableRow], cells: int, rule: str, alignments: Sequence[Alignment] = ()) -> Iterator[Spans]:
    """Yield the rows (the first one is the heading) in lines of at most ``cells`` cells."""
    head, *body = rows
    head = [[span._replace(face=span.face | BOLD) for span in cell] for cell in head]
    widths = _widths([head, *body], cells)
    if widths is None:
        yield from _labelled_lines(head, body, cells)
        return
    yield from _row(head, widths, alignments)
    yield [Span((" " * GAP_CELLS).join(rule * column for column in widths), Role.LINE)]
    for row in body:
        yield from _row(row, widths, alignments)


def _widths(rows: list[TableRow], cells: int) -> list[int] | None:
    wanted = [max(1, *(spans_width(row[column]) if column < len(row) else 0 for row in rows), 1)
              for column in range(len(rows[0]))]  # fmt: skip
    room = cells - GAP_CELLS * (len(wanted) - 1)
    if sum(min(MIN_COLUMN_CELLS, width) for width in wanted) > room:
        return None
    # The widest columns shrink, all to the same width.
    low, high = MIN_COLUMN_CELLS, max(wanted)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if sum(min(width, middle) for width in wanted) <= room else (low, middle - 1)
    return [min(width, low) for width in wanted]


def _row(row: TableRow, widths: list[int], alignments: Sequence[Alignment]) -> Iterator[Spans]:
    filled = [*row, *(list[Span]() for _ in range(len(widths) - len(row)))]
    columns = [list(wrap_spans(cell, width)) if cell else [] for cell, width in zip(filled, widths, strict=False)]
    alignments = [*alignments, *(Alignment.LEFT for _ in range(len(widths) - len(alignments)))]
    for pieces in zip_longest(*columns, fillvalue=list[Span]()):
        line: Spans = []
        for piece, width, alignment in zip(pieces, widths, alignments, strict=False):
            line += _aligned(piece, width, alignment)
        yield line[:-1] if line else line


def _aligned(piece: Spans, width: int, alignment: Alignment) -> Spans:
    """Return a piece of a cell in its column, with the gap behind it."""
    blanks = width - spans_width(piece)
    before = 0 if alignment is Alignment.LEFT else blanks if alignment is Alignment.RIGHT else blanks // 2
    return [*([Span(" " * before)] if before else []), *piece, Span(" " * (blanks - before + GAP_CELLS))]


def _labelled_lines(head: TableRow, body: list[TableRow], cells: int) -> Iterator[Spans]:
    if not body:
        for cell in head:
            yield from wrap_spans(cell, cells)
    for number, row in enumerate(body):
        if number:
            yield []
        for name, cell in zip_longest(head, row, fillvalue=list[Span]()):
            yield from hanging_indent([], wrap_spans([*name, Span(": ", Role.MUTED), *cell], cells))
