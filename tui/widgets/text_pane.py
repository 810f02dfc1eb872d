"""The whole text of the selected thought."""

from typing_extensions import override

from seqthink.chain.query import Query
from seqthink.drawing.detail import Page
from seqthink.drawing.matches import highlight
from seqthink.drawing.rows import TextOf
from seqthink.drawing.spans import Role, Span, Spans
from tui.widgets.line_view import LineView


class TextPane(LineView, can_focus=True):
    """The text in lines; it scrolls by itself and starts at its top with every other thought."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._top = 0
        self._query: Query | None = None
        self._cut = ""
        self._key: tuple[TextOf, int, int, bool] | None = None

    def show(self, page: Page, *, with_replaced: bool) -> None:
        """Draw the text of a page, and what it replaced."""
        key = (page.text_of, page.index, page.width, with_replaced)
        if key == self._key:
            return
        if self._key is None or self._key[:2] != key[:2]:
            self._top = 0
        self._key, self._cut = key, page.signs.cut
        self._lines = [*page.text(), *(page.replaced() if with_replaced else ())]
        self.redraw()

    def mark(self, query: Query | None) -> None:
        """Mark in the text what was looked for."""
        if query != self._query:
            self._query = query
            self.redraw()

    def say(self, lines: list[Spans]) -> None:
        """Draw something else than a thought."""
        self._key, self._lines, self._top = None, lines, 0
        self.redraw()

    @property
    def _indent(self) -> int:
        """A blank line above the text, where it costs nothing."""
        return 1 if len(self._lines) < self.size.height else 0

    @property
    def _last_top(self) -> int:
        return max(0, len(self._lines) - self.size.height)

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        top = self._top = min(self._top, self._last_top)
        if top and y == 0 and self.size.height > 2:
            return [Span(f" {self._cut} {top + 1} lines above", Role.MUTED)], False
        number = top + y - self._indent
        has_more = top + self.size.height < len(self._lines) and y == self.size.height - 1
        if has_more and self.size.height > 2:
            left = len(self._lines) - number
            return [Span(f" {self._cut} {left} more lines", Role.MUTED)], False
        spans = self._lines[number] if 0 <= number < len(self._lines) else []
        return (highlight(spans, self._query) if self._query is not None else spans), False

    def scroll_lines(self, lines: int) -> None:
        """Move the text by ``lines``."""
        top = max(0, min(self._top + lines, self._last_top))
        if top != self._top:
            self._top = top
            self.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Move the text up."""
        self.scroll_lines(3)

    def on_mouse_scroll_up(self) -> None:
        """Move the text down."""
        self.scroll_lines(-3)
