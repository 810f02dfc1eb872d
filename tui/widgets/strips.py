"""Turns spans into strips for the terminal: the only place where roles become styles."""

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

from seqthink.drawing.text.cells import has_ambiguous_width, width
from seqthink.drawing.text.spans import BOLD, ITALIC, STRUCK, Role, Span, clip
from tui.theme import THEMES

MAX_CACHED_STRIPS = 256
"""A row that only moved is the same strip, with everything Textual cached for the terminal."""


class _NoCache(FIFOCache[Any, Any]):
    """Keeps nothing."""

    @override
    def __setitem__(self, key: object, value: object) -> None:
        """Do not keep it."""


_NO_CACHE = _NoCache(0)


class CachedStrip(Strip):
    """A row of the screen that caches its filtered and pinned versions, and is freed with its last user.

    A plain strip has seven caches of fifteen objects, and an uncropped one stores itself in one of them: a reference
    cycle for each painted row, which only a full collection would free.
    """

    __slots__ = ("_filtered", "_pinned")

    def __init__(self, segments: Iterable[Segment], cells: int) -> None:  # super().__init__ would create the caches
        self._segments = list(segments)
        self._cell_length = cells
        self._divide_cache = self._crop_cache = self._style_cache = self._filter_cache = _NO_CACHE
        self._line_length_cache = self._crop_extend_cache = self._offsets_cache = _NO_CACHE
        self._render_cache = None
        self._link_ids = None
        self._cell_count = None
        self._filtered: tuple[LineFilter, Color, CachedStrip] | None = None
        self._pinned: PinnedStrip | None = None

    @override
    def apply_filter(self, filter: LineFilter, background: Color) -> "CachedStrip":
        if self._filtered is None or self._filtered[0] is not filter or self._filtered[1] != background:
            self._filtered = filter, background, self._with(filter.apply(self._segments, background))
        return self._filtered[2]

    @override
    def crop(self, start: int, end: int | None = None) -> "CachedStrip":
        cropped = super().crop(start, end)
        return cropped if isinstance(cropped, CachedStrip) else CachedStrip(cropped, cropped.cell_length)

    def pinned_at(self, x: int) -> "PinnedStrip":
        """Return the same row pinned to column ``x`` of the screen."""
        if self._pinned is None or self._pinned.x != x:
            self._pinned = PinnedStrip(self, self.cell_length, x)
        return self._pinned

    def _with(self, segments: Iterable[Segment]) -> "CachedStrip":
        return CachedStrip(segments, self.cell_length)


class PinnedStrip(CachedStrip):
    """A row that begins in column ``x`` of the screen whatever is left of it.

    Terminals disagree on the width of some texts: such a text is blanked first, and the cursor is moved after it.
    """

    __slots__ = ("x",)

    def __init__(self, segments: Iterable[Segment], cells: int, x: int = 0) -> None:
        super().__init__(segments, cells)
        self.x = x

    @override
    def pinned_at(self, x: int) -> "PinnedStrip":
        return self if x == self.x else super().pinned_at(x)

    @override
    def _with(self, segments: Iterable[Segment]) -> "PinnedStrip":
        return PinnedStrip(segments, self.cell_length, self.x)

    @override
    def render(self, console: Console) -> str:
        column = self.x
        drawn = [_move_to_column(column)]
        for segment in self:
            cells = width(segment.text)
            if has_ambiguous_width(segment.text):
                blank = Segment(" " * cells, segment.style)
                drawn += [Strip([blank]).render(console), _move_to_column(column)]
            drawn.append(Strip([segment]).render(console))
            column += cells
            if has_ambiguous_width(segment.text):
                drawn.append(_move_to_column(column))
        return "".join(drawn)


def _move_to_column(column: int) -> str:
    """Return the escape sequence that moves the cursor to a column of its row."""
    return f"\x1b[{column + 1}G"


@lru_cache(maxsize=512)
def _style(
    theme: str,
    role: Role,
    is_selected: bool,
    is_raised: bool,
    accent_tenths: int,
    face: int = 0,
    is_alert: bool = False,
) -> Style:
    if is_alert:
        style = THEMES[theme].alert_style(role)
    else:
        style = THEMES[theme].style(role, is_selected=is_selected, is_raised=is_raised, accent_tenths=accent_tenths)
    if not face:
        return style
    bold, italic, struck = (bool(face & bit) or None for bit in (BOLD, ITALIC, STRUCK))
    return style + Style(bold=bold, italic=italic, strike=struck)


@lru_cache(maxsize=MAX_CACHED_STRIPS)
def make_strip(
    spans: tuple[Span, ...],
    cells: int,
    theme: str,
    *,
    is_selected: bool = False,
    is_raised: bool = False,
    accent_tenths: int = 0,
    is_alert: bool = False,
) -> CachedStrip:
    """Return ``spans`` as a strip of exactly ``cells`` cells, cut or padded with the background.

    Args:
        spans: what to draw.
        cells: width of the strip.
        theme: name of the colour theme.
        is_selected: draw on the selection's background.
        is_raised: draw on the background of bars and panels.
        accent_tenths: how much accent to blend into the background, in tenths.
        is_alert: draw on a bar in the colour of attention.
    """
    used_cells = sum(width(span.text) for span in spans)
    if used_cells > cells:
        spans, used_cells = tuple(clip(list(spans), cells)), cells
    segments = [
        Segment(span.text, _style(theme, span.role, is_selected, is_raised, accent_tenths, span.face, is_alert))
        for span in spans
        if span.text
    ]
    fill = _style(theme, Role.TEXT, is_selected, is_raised, accent_tenths, is_alert=is_alert)
    if used_cells < cells:
        segments.append(Segment(" " * (cells - used_cells), fill))
    return (
        PinnedStrip(segments, cells)
        if any(has_ambiguous_width(span.text) for span in spans)
        else CachedStrip(segments, cells)
    )
