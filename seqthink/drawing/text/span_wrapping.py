"""Wraps spans into lines of cells, as `wrap` does for text without roles."""

from collections.abc import Iterator

from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.spans import Span, Spans, spans_text, spans_width
from seqthink.drawing.text.wrap import wrap


def wrap_spans(spans: Spans, cells: int) -> Iterator[Spans]:
    """Yield ``spans`` (sanitized) in lines of at most ``cells`` cells; a line feed in them breaks the line."""
    text = spans_text(spans)
    if len(spans) == 1:
        for line in wrap(text, cells):
            yield [spans[0]._replace(text=line)]
        return
    end, number, before = 0, 0, 0
    for line in wrap(text, cells):
        # Only blanks and line feeds lie between two lines, so the next match is the line itself.
        start = text.index(line, end) if line else end
        end = start + len(line)
        drawn: Spans = []
        while number < len(spans):
            span, behind = spans[number], before + len(spans[number].text)
            piece = span.text[max(0, start - before) : end - before] if end > before else ""
            if piece:
                drawn.append(span._replace(text=piece))
            if behind > end:
                break
            number, before = number + 1, behind
        # An emoji sequence split across two spans is wider than joined.
        yield drawn if line.isascii() or spans_width(drawn) <= cells else [Span(line)]


def wrap_code(text: str, cells: int) -> Iterator[str]:
    """Yield a line of code in pieces of at most ``cells`` cells, broken after a blank if one is near the end.

    Every blank is kept.
    """
    cells = max(2, cells)
    start = 0
    while len(text) - start > 4 * cells or width(text[start:]) > cells:
        head = cut(text[start : start + 4 * cells + 1], cells, ellipsis="") or text[start : start + 1]
        at_blank = head.rfind(" ") + 1
        head = head[:at_blank] if at_blank > len(head) * 2 // 3 else head
        yield head
        start += len(head)
    yield text[start:]


def hanging_indent(first: Spans, lines: Iterator[Spans]) -> Iterator[Spans]:
    """Yield ``lines`` behind ``first``; the second and later lines are indented by its width."""
    blanks = [Span(" " * spans_width(first))]
    for number, line in enumerate(lines):
        yield [*(blanks if number else first), *line]
