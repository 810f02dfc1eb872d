"""The tree or timeline on the screen; asks the painter for the visible rows."""

from textual.timer import Timer
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.query import FILTER_KINDS, Query
from seqthink.drawing.rows.highlight import highlight_lines, highlight_row
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.wrapped_rows import WrappedRows
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from tui.state.search import SearchState
from tui.state.viewport import Viewport
from tui.widgets.line_view import ClickableLines

FADE_SECONDS = 0.4
HIGHLIGHT_TENTHS = (1, 2, 3)
"""Share of the accent in a new row's background, in tenths, from the last step of the fade to the first."""


MAX_SHORT_TEXT_CHARS, MAX_SIGN_CHARS = 8, 2
"""A longer span is a text; its first characters are enough to recognise a sign."""


def _is_text(span: Span) -> bool:
    return span.role in {Role.TEXT, Role.MUTED} and len(span.text) > MAX_SHORT_TEXT_CHARS


class ChainTree(ClickableLines):
    """Draws the rows of a viewport from its top row on."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._viewport: Viewport | None = None
        self._search_state = SearchState()
        self._painter: Painter | None = None
        self._wrapped = dict[int, list[Spans]]()  # rows of several lines, drawn once a frame
        self._places: list[tuple[int, int]] = []  # the row of each line, and which of its lines that is
        self._first_new_thought = self._highlight_step = 0
        self._fade_timer: Timer | None = None

    def show(self, viewport: Viewport, painter: Painter, search_state: SearchState) -> None:
        """Draw ``viewport`` as it is now with ``painter``."""
        self._viewport, self._painter, self._search_state = viewport, painter, search_state
        self._wrapped.clear()
        self._places = viewport.heights.places(viewport.tree, viewport.top, viewport.height)
        self.redraw()

    def _place_of(self, viewport: Viewport, y: int) -> tuple[int, int]:
        """Return the row in a line, and which of its lines it is."""
        in_view = y < len(self._places)
        return self._places[y] if in_view else viewport.heights.place_in_view(viewport.tree, viewport.top, y)

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        viewport, painter = self._viewport, self._painter
        if viewport is None or painter is None:
            return [], False
        if not viewport.tree.count and y == 0 and self._search_state.active_filter is not None:
            return [Span(f" {_empty_reason(self._search_state.active_filter.query)}", Role.MUTED)], False
        number, line = self._place_of(viewport, y)
        if number >= viewport.tree.count:
            return [], False
        is_selected = number == viewport.selected
        if line or viewport.heights.lines_of(viewport.tree, number) > 1:
            return self._wrapped_row(viewport, painter, number)[line], is_selected
        spans, query = painter.draw_row(number), self._search_state.highlight_query
        if query is not None and self._is_hit(viewport.tree.row(number)):
            spans = highlight_row(spans, query)
        return spans, is_selected

    def _wrapped_row(self, viewport: Viewport, painter: Painter, number: int) -> list[Spans]:
        """Return the lines of a row."""
        if number not in self._wrapped:
            count = viewport.heights.lines_of(viewport.tree, number)
            lines, query = WrappedRows(painter=painter).draw_row(number, count), self._search_state.highlight_query
            if query is not None and self._is_hit(viewport.tree.row(number)):
                lines = highlight_lines(lines, query)
            self._wrapped[number] = lines
        return self._wrapped[number]

    def _is_hit(self, row: TreeRow) -> bool:
        search = self._search_state.active_search
        if search is None:
            return row.kind is not RowKind.EXPECTED  # rows that pass the filter
        return row.thought != NONE and search.is_hit(row.thought)

    @property
    @override
    def drawn_text(self) -> str:
        """The drawn text, with thoughts cut to their first characters: signs inside a thought do not count."""
        rows = (self.line_at(y)[0] for y in range(self.size.height))
        return "\n".join(
            "".join(span.text[:MAX_SIGN_CHARS] if _is_text(span) else span.text for span in row) for row in rows
        )

    def highlight_new_rows(self, first: int) -> None:
        """Highlight rows of thoughts from index ``first`` on; they fade in three steps (docs/screens.md, "Motion")."""
        self._first_new_thought, self._highlight_step = first, len(HIGHLIGHT_TENTHS)
        if self._fade_timer is not None:
            self._fade_timer.stop()
        self._fade_timer = self.set_interval(
            FADE_SECONDS / len(HIGHLIGHT_TENTHS), self._fade, repeat=len(HIGHLIGHT_TENTHS)
        )

    def _fade(self) -> None:
        highlighted_rows = [y for y in range(self.size.height) if self.accent_tenths(y)]
        self._highlight_step = max(0, self._highlight_step - 1)
        self.redraw_lines(highlighted_rows)

    @override
    def accent_tenths(self, y: int) -> int:
        viewport = self._viewport
        if not self._highlight_step or viewport is None:
            return 0
        number, _ = self._place_of(viewport, y)
        if number >= viewport.tree.count or viewport.tree.row(number).thought < self._first_new_thought:
            return 0
        return HIGHLIGHT_TENTHS[self._highlight_step - 1]


def _empty_reason(query: Query) -> str:
    """Return in one short line why the filter shows no rows."""
    if query.unknown_kind:
        return f"is: takes {' '.join(FILTER_KINDS)}"
    hint = " v shows native reasoning." if "native" in query.kinds else ""
    return f"No row matches. Esc shows them all.{hint}"
