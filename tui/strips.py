"""Drawn spans to strips of the terminal: the one place where roles become styles."""

from collections.abc import Iterable
from functools import lru_cache

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip
from typing_extensions import override

from seqthink.drawing.cells import is_uneven, width
from seqthink.drawing.spans import BOLD, ITALIC, Role, Span, clip
from tui.theme import THEMES

MOST_KEPT = 256
"""Strips: a row that has only moved is the same one, with what Textual has made of it for the terminal."""


class Placed(Strip):
    """A row that begins in the column ``x`` of the screen, whatever stands left of it.

    Terminals differ on the width of some texts: such a one is blanked first, and what follows it goes to its column.
    """

    def __init__(self, segments: Iterable[Segment], cells: int, x: int = 0) -> None:
        super().__init__(segments, cells)
        self._x = x

    def at(self, x: int) -> "Placed":
        """Return the same row for another column of the screen."""
        return self if x == self._x else Placed(self, self.cell_length, x)

    @override
    def apply_filter(self, filter: LineFilter, background: Color) -> "Placed":
        return Placed(super().apply_filter(filter, background), self.cell_length, self._x)

    @override
    def render(self, console: Console) -> str:
        column = self._x
        drawn = [_go_to(column)]
        for segment in self:
            cells = width(segment.text)
            if is_uneven(segment.text):
                blank = Segment(" " * cells, segment.style)
                drawn += [Strip([blank]).render(console), _go_to(column)]
            drawn.append(Strip([segment]).render(console))
            column += cells
            if is_uneven(segment.text):
                drawn.append(_go_to(column))
        return "".join(drawn)


def _go_to(column: int) -> str:
    """Return what moves the cursor within its row."""
    return f"\x1b[{column + 1}G"


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
    taken = sum(width(span.text) for span in spans)
    if taken > cells:
        spans, taken = tuple(clip(list(spans), cells)), cells
    segments = [
        Segment(span.text, _style(theme, span.role, is_selected, is_raised, glow, span.face))
        for span in spans
        if span.text
    ]
    fill = _style(theme, Role.TEXT, is_selected, is_raised, glow)
    if taken < cells:
        segments.append(Segment(" " * (cells - taken), fill))
    return Placed(segments, cells) if any(is_uneven(span.text) for span in spans) else Strip(segments, cells)
