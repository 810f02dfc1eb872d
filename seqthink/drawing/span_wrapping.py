"""Text with roles broken into lines of cells: what `wrap` does, for spans."""

from collections.abc import Iterator

from seqthink.drawing.cells import cut, width
from seqthink.drawing.spans import Span, Spans, spans_text, spans_width
from seqthink.drawing.wrap import wrap


def wrap_spans(spans: Spans, cells: int) -> Iterator[Spans]:
    """Yield ``spans`` (sanitized) in lines of at most ``cells`` cells; a line feed in them is a line break."""
    text = spans_text(spans)
    if len(spans) == 1:
        for line in wrap(text, cells):
            yield [spans[0]._replace(text=line)]
        return
    end, number, before = 0, 0, 0
    for line in wrap(text, cells):
        # Between two lines there are only blanks and line feeds, so what is found next is the line itself.
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
        # Emoji that are joined across two spans are wider apart.
        yield drawn if line.isascii() or spans_width(drawn) <= cells else [Span(line)]


def wrap_code(text: str, cells: int) -> Iterator[str]:
    """Yield one line of code in pieces of at most ``cells`` cells, broken behind a blank if one is near the end.

    Every blank stays where it is.
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
    """Yield ``lines`` behind ``first``, and behind as many blanks from the second line on."""
    blanks = [Span(" " * spans_width(first))]
    for number, line in enumerate(lines):
        yield [*(blanks if number else first), *line]
