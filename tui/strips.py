"""Drawn spans to strips of the terminal: the one place where roles become styles."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.cache import FIFOCache
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip
from typing_extensions import override

from seqthink.drawing.cells import has_ambiguous_width, width
from seqthink.drawing.spans import BOLD, ITALIC, Role, Span, clip
from tui.theme import THEMES

MOST_KEPT = 256
"""Strips: a row that has only moved is the same one, with what Textual has made of it for the terminal."""


class _NoCache(FIFOCache[Any, Any]):
    """Keeps nothing."""

    @override
    def __setitem__(self, key: object, value: object) -> None:
        """Do not keep it."""


_NO_CACHE = _NoCache(0)


class Row(Strip):
    """A row of the screen. It remembers what it became on the way to the terminal, and is freed with its last user.

    A plain strip has seven caches, fifteen objects, and one that was not cut keeps itself in one of them: a reference
    cycle for each row that is painted, which only a full collection would end.
    """

    __slots__ = ("_filtered", "_placed")

    def __init__(self, segments: Iterable[Segment], cells: int) -> None:  # Textual's own would make the caches
        self._segments = list(segments)
        self._cell_length = cells
        self._divide_cache = self._crop_cache = self._style_cache = self._filter_cache = _NO_CACHE
        self._line_length_cache = self._crop_extend_cache = self._offsets_cache = _NO_CACHE
        self._render_cache = None
        self._link_ids = None
        self._cell_count = None
        self._filtered: tuple[LineFilter, Color, Row] | None = None
        self._placed: Placed | None = None

    @override
    def apply_filter(self, filter: LineFilter, background: Color) -> "Row":
        if self._filtered is None or self._filtered[0] is not filter or self._filtered[1] != background:
            self._filtered = filter, background, self._with(filter.apply(self._segments, background))
        return self._filtered[2]

    @override
    def crop(self, start: int, end: int | None = None) -> "Row":
        cropped = super().crop(start, end)
        return cropped if isinstance(cropped, Row) else Row(cropped, cropped.cell_length)

    def at(self, x: int) -> "Placed":
        """Return the same row, to begin in the column ``x`` of the screen."""
        if self._placed is None or self._placed.x != x:
            self._placed = Placed(self, self.cell_length, x)
        return self._placed

    def _with(self, segments: Iterable[Segment]) -> "Row":
        return Row(segments, self.cell_length)


class Placed(Row):
    """A row that begins in the column ``x`` of the screen, whatever stands left of it.

    Terminals differ on the width of some texts: such a one is blanked first, and what follows it goes to its column.
    """

    __slots__ = ("x",)

    def __init__(self, segments: Iterable[Segment], cells: int, x: int = 0) -> None:
        super().__init__(segments, cells)
        self.x = x

    @override
    def at(self, x: int) -> "Placed":
        return self if x == self.x else super().at(x)

    @override
    def _with(self, segments: Iterable[Segment]) -> "Placed":
        return Placed(segments, self.cell_length, self.x)

    @override
    def render(self, console: Console) -> str:
        column = self.x
        drawn = [_go_to(column)]
        for segment in self:
            cells = width(segment.text)
            if has_ambiguous_width(segment.text):
                blank = Segment(" " * cells, segment.style)
                drawn += [Strip([blank]).render(console), _go_to(column)]
            drawn.append(Strip([segment]).render(console))
            column += cells
            if has_ambiguous_width(segment.text):
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
) -> Row:
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
    return Placed(segments, cells) if any(has_ambiguous_width(span.text) for span in spans) else Row(segments, cells)
