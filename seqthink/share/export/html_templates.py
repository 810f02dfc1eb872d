"""The templates of the HTML page. Text comes into a page only through them: each value is sanitized and escaped.

``page.html`` is the whole page; ``outline.html`` draws a row of its tree, ``thought.html`` and ``aside.html`` what
is beside it, ``card.html`` an attachment, and ``blocks.html`` the blocks of text in all of these.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import cast

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from seqthink.core.text import one_line, sanitize, sanitize_pieces, split_pieces

_JOINED_PIECES = 16
"""Pieces of a template that are joined before they are written."""


def render(name: str, **views: object) -> Markup:
    """Return what the template ``name`` makes of ``views``."""
    return Markup(_environment().get_template(name).render(views))  # the template has escaped all values


def render_macro(name: str, macro: str, view: object) -> Markup:
    """Return what a macro of the template ``name`` makes of ``view``."""
    return Markup(getattr(_environment().get_template(name).module, macro)(view))  # the template has escaped all values


def stream(name: str, **views: object) -> Iterator[str]:
    """Yield the same in pieces; the iterators in ``views`` are read while it is written."""
    pieces = _environment().get_template(name).generate(views)
    while joined := list(islice(pieces, _JOINED_PIECES)):
        yield "".join(joined)


@cache
def resource(name: str) -> Markup:
    """Return a file beside the templates, for example the style sheet, as it is."""
    environment = _environment()
    assert environment.loader is not None
    return Markup(environment.loader.get_source(environment, name)[0])  # a file of ours


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_sanitized,
        loader=PackageLoader("seqthink.share.export", "templates"),
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    cast("dict[str, object]", environment.filters).update(line=one_line, pieces=_pieces)
    return environment


def _sanitized(value: object) -> object:
    """Return the value of an expression in a template without control characters; jinja escapes it after this."""
    return sanitize(value) if type(value) is str else value  # not Markup, which is done, nor a Role


def _pieces(text: str | Iterable[str]) -> Iterator[Markup]:
    """Yield a text that may be huge, or that comes in pieces, sanitized and escaped."""
    return map(escape, sanitize_pieces(split_pieces(text) if isinstance(text, str) else text))
