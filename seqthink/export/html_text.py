"""Escapes text for HTML. Untrusted text comes into a page only through these functions."""

from collections.abc import Iterable, Iterator
from html import escape

from seqthink.drawing.text.spans import Span, Spans
from seqthink.text import one_line, sanitize, sanitize_pieces, split_pieces


def text(untrusted: str) -> str:
    """Return a text of any number of lines, sanitized and escaped."""
    return escape(sanitize(untrusted))


def long_text(pieces: str | Iterable[str]) -> Iterator[str]:
    """Yield the same for a text that may be huge, or that comes in ``pieces``."""
    return map(escape, sanitize_pieces(split_pieces(pieces) if isinstance(pieces, str) else pieces))


def line(untrusted: str) -> str:
    """Return a text on one line, sanitized and escaped."""
    return escape(one_line(untrusted))


def spans(drawn: Spans) -> str:
    """Return drawn text as HTML, each span in the colour of its role."""
    return "".join(_span(span) for span in drawn if span.text)


def _span(span: Span) -> str:
    return f'<span class="{span.role.value}">{escape(span.text)}</span>' if span.text.strip() else span.text
