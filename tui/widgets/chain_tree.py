"""The tree on the screen: asks the painter for the rows in view."""

from datetime import tzinfo

from textual import events
from textual.message import Message
from textual.timer import Timer
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.query import FILTER_KINDS, Query
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.highlight import highlight_row
from seqthink.drawing.painter import Painter
from seqthink.drawing.spans import Role, Span, Spans
from seqthink.drawing.tree import RowKind, TreeRow
from seqthink.loading import SessionTexts
from tui.finding import Find
from tui.viewing import Viewing
from tui.widgets.line_view import LineView

FADE_SECONDS = 0.4
GLOW = (1, 2, 3)
"""How much of the accent is in a new row's background, from its last step to its first."""


LEAST_TEXT, LONGEST_SIGN = 8, 2
"""What is longer is a text, of which so much tells the sign that it begins with."""


def _is_text(span: Span) -> bool:
    return span.role in {Role.TEXT, Role.MUTED} and len(span.text) > LEAST_TEXT


class ChainTree(LineView):
    """Draws the rows of what is viewed, from its top row on."""

    class Clicked(Message):
        """A row was clicked, once or twice."""

        def __init__(self, row: int, *, is_double: bool) -> None:
            super().__init__()
            self.row = row
            self.is_double = is_double

    class Scrolled(Message):
        """The wheel turned by some rows."""

        def __init__(self, rows: int) -> None:
            super().__init__()
            self.rows = rows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._viewing: Viewing | None = None
        self._find = Find()
        self._painter: Painter | None = None
        self._fresh = self._glow = 0
        self._fading: Timer | None = None

    def show(
        self, viewing: Viewing, texts: SessionTexts, signs: Signs, zone: tzinfo, *, width: int, screen: int, find: Find
    ) -> None:
        """Draw ``viewing`` as it is now, ``width`` cells wide on a screen of ``screen``."""
        self._viewing, self._find = viewing, find
        self._painter = Painter(
            tree=viewing.tree,
            text_of=texts.row_text,
            error_of=texts.refusal_reason,
            width=width,
            screen_width=screen,
            signs=signs,
            selected=viewing.selected,
            zone=zone,
            has_arrows=find.filter is None,
        )
        self.redraw()

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        viewing, painter = self._viewing, self._painter
        if viewing is None or painter is None:
            return [], False
        if not viewing.tree.count and y == 0 and self._find.filter is not None:
            return [Span(f" {_why_empty(self._find.filter.query)}", Role.MUTED)], False
        if viewing.top + y >= viewing.tree.count:
            return [], False
        number = viewing.top + y
        spans, query = painter.draw_row(number), self._find.query
        if query is not None and self._is_match(viewing.tree.row(number)):
            spans = highlight_row(spans, query)
        return spans, number == viewing.selected

    def _is_match(self, row: TreeRow) -> bool:
        search = self._find.search
        if search is None:
            return row.kind is not RowKind.GHOST  # what a filter lets through
        return row.thought != NONE and search.is_hit(row.thought)

    @property
    @override
    def drawn_text(self) -> str:
        """What is drawn now, as text, but of the thoughts only their beginnings: a sign in a thought is none."""
        rows = (self.line(y)[0] for y in range(self.size.height))
        return "\n".join(
            "".join(span.text[:LONGEST_SIGN] if _is_text(span) else span.text for span in row) for row in rows
        )

    def welcome(self, first: int) -> None:
        """Let the rows of the thoughts from ``first`` on stand out, and fade in three steps (screens.md, "Motion")."""
        self._fresh, self._glow = first, len(GLOW)
        if self._fading is not None:
            self._fading.stop()
        self._fading = self.set_interval(FADE_SECONDS / len(GLOW), self._fade, repeat=len(GLOW))

    def _fade(self) -> None:
        shining = [y for y in range(self.size.height) if self.glow(y)]
        self._glow = max(0, self._glow - 1)
        self.redraw_lines(shining)

    @override
    def glow(self, y: int) -> int:
        viewing = self._viewing
        if not self._glow or viewing is None or viewing.top + y >= viewing.tree.count:
            return 0
        return GLOW[self._glow - 1] if viewing.tree.row(viewing.top + y).thought >= self._fresh else 0

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked."""
        if self._viewing is not None and self._viewing.top + event.y < self._viewing.tree.count:
            self.post_message(self.Clicked(self._viewing.top + event.y, is_double=event.chain > 1))

    def on_mouse_scroll_down(self) -> None:
        """Move the window down; the selection stays."""
        self.post_message(self.Scrolled(3))

    def on_mouse_scroll_up(self) -> None:
        """Move the window up; the selection stays."""
        self.post_message(self.Scrolled(-3))


def _why_empty(query: Query) -> str:
    """Return in one short line why a filter shows no row."""
    return f"is: takes {' '.join(FILTER_KINDS)}" if query.unknown_kind else "No row matches. Esc shows them all."
