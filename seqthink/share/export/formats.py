"""The export formats by name and file suffix, and the function that writes each."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from seqthink.core.errors import UsageError

if TYPE_CHECKING:
    from seqthink.chain.session_texts import SessionTexts

FORMATS = {"md": ".md", "html": ".html", "mermaid": ".mmd", "svg": ".svg", "json": ".json"}
"""The file suffix of each format."""
SUFFIXES = {suffix: name for name, suffix in FORMATS.items()} | {
    ".markdown": "md",
    ".htm": "html",
    ".mermaid": "mermaid",
}
"""The format of each recognised file suffix."""

RECORDINGS = {"cast": ".cast", "gif": ".gif", "animated-svg": ".svg"}
"""The file suffix of each format that is a recording of the viewer (`seqthink.share.recordings`)."""
RECORDING_SUFFIXES = {".cast": "cast", ".gif": "gif"}
"""The format of each file suffix that only a recording has."""


def format_writer(name: str, *, is_light: bool = False) -> "Callable[[SessionTexts], Iterable[str]]":
    """Return the function that writes a format; ``is_light`` selects the theme of the picture (the page has both).

    Raises:
        UsageError: there is no such format.
    """
    match name:
        case "md":
            from seqthink.share.export.markdown import markdown

            return markdown
        case "mermaid":
            from seqthink.share.export.mermaid import mermaid

            return mermaid
        case "html":
            from seqthink.share.export.html import html

            return html
        case "svg":
            from seqthink.drawing.text.colours import DARK, LIGHT
            from seqthink.share.export.svg import svg

            return partial(svg, colours=LIGHT if is_light else DARK)
        case "json":
            from seqthink.share.export.document import document_text

            return document_text
        case other:
            raise UsageError(f"unknown format {other[:40]!r}; choose from: {', '.join(FORMATS)}")
