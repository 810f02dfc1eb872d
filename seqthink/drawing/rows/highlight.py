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
    highlighted = highlight(spans, query)
    if not query.words or has_match(highlighted) or not highlighted or highlighted[0].text != " ":
        return highlighted
    return [Span("/", Role.MATCH), *highlighted[1:]]
