"""Drawn spans to strips of the terminal: the one place where roles become styles."""

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from seqthink.drawing.cells import width
from seqthink.drawing.spans import BOLD, ITALIC, Role, Span
from tui.theme import THEMES

MOST_KEPT = 256
"""Strips: a row that has only moved is the same one, with what Textual has made of it for the terminal."""


@lru_cache(maxsize=512)
def _style(theme: str, role: Role, is_selected: bool, is_raised: bool, glow: int, face: int = 0) -> Style:
    style = THEMES[theme].style(role, is_selected=is_selected, is_raised=is_raised, glow=glow)
    return style + Style(bold=bool(face & BOLD) or None, italic=bool(face & ITALIC) or None) if face else style


@lru_cache(maxsize=MOST_KEPT)
def strip(
    spans: tuple[Span, ...],
    cells: int,
    theme: str,
    *,
    is_selected: bool = False,
    is_raised: bool = False,
    glow: int = 0,
) -> Strip:
    """Return ``spans`` as a strip of exactly ``cells`` cells; what is missing is filled with the surface."""
    segments = [
        Segment(span.text, _style(theme, span.role, is_selected, is_raised, glow, span.face))
        for span in spans
        if span.text
    ]
    taken = sum(width(span.text) for span in spans)
    fill = _style(theme, Role.TEXT, is_selected, is_raised, glow)
    if taken < cells:
        segments.append(Segment(" " * (cells - taken), fill))
    drawn = Strip(segments)
    return drawn if taken <= cells else drawn.crop(0, cells)
