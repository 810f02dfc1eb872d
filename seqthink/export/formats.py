"""Which formats there are, by name and by the suffix of a file, and what makes each."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from seqthink.errors import UsageError

if TYPE_CHECKING:
    from seqthink.export.export_source import ExportSource

FORMATS = {"md": ".md", "html": ".html", "mermaid": ".mmd", "svg": ".svg", "json": ".json"}
"""Each format, and what the name of its files ends in."""
SUFFIXES = {suffix: name for name, suffix in FORMATS.items()} | {
    ".markdown": "md",
    ".htm": "html",
    ".mermaid": "mermaid",
}
"""Each ending that tells a format."""


def format_writer(name: str, *, is_light: bool = False) -> "Callable[[ExportSource], Iterable[str]]":
    """Return what makes a format; ``is_light`` is for the picture, the page has both.

    Raises:
        UsageError: there is no such format.
    """
    match name:
        case "md":
            from seqthink.export.markdown import markdown

            return markdown
        case "mermaid":
            from seqthink.export.mermaid import mermaid

            return mermaid
        case "html":
            from seqthink.export.html import html

            return html
        case "svg":
            from seqthink.drawing.colours import DARK, LIGHT
            from seqthink.export.svg import svg

            return partial(svg, colours=LIGHT if is_light else DARK)
        case "json":
            from seqthink.export.document import document_text

            return document_text
        case other:
            raise UsageError(f"no format {other[:40]!r}; there are: {', '.join(FORMATS)}")
