"""Highlights search hits in drawn text."""

from seqthink.chain.query import Query
from seqthink.drawing.text.spans import Role, Span, Spans


def highlight(spans: Spans, query: Query) -> Spans:
    """Return ``spans`` with every match in `Role.MATCH`; the text does not change."""
    if not query.words:
        return spans
    highlighted: Spans = []
    for span in spans:
        end = 0
        for first, stop in query.spans(span.text):
            if first > end:
                highlighted.append(span._replace(text=span.text[end:first]))
            highlighted.append(Span(span.text[first:stop], Role.MATCH))
            end = stop
        if end < len(span.text):
            highlighted.append(span._replace(text=span.text[end:]))
    return highlighted


def has_match(spans: Spans) -> bool:
    """Return whether ``spans`` contain a highlighted match."""
    return any(span.role is Role.MATCH for span in spans)


def highlight_row(spans: Spans, query: Query) -> Spans:
    """Return the row of a hit with its match highlighted; if the match was cut off, the first column shows ``/``."""
    return highlight_lines([spans], query)[0]


def highlight_lines(lines: list[Spans], query: Query) -> list[Spans]:
    """Return the same of a row of several lines."""
    highlighted = [highlight(spans, query) for spans in lines]
    first = highlighted[0]
    if not query.words or any(map(has_match, highlighted)) or not first or first[0].text != " ":
        return highlighted
    return [[Span("/", Role.MATCH), *first[1:]], *highlighted[1:]]
