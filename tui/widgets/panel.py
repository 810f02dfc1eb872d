"""A page over the screen, with a frame around it where there is room."""

from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget
from typing_extensions import override

from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.text.spans import Role, Span
from tui.widgets.line_view import Divider, LineView, OneLine

FRAME_CELLS = 2
"""Cells and rows that a frame takes."""


class Panel(Container):
    """Holds ``content`` top to bottom, raised above the screen."""

    DEFAULT_CSS = """
    Panel { layout: vertical; }
    Panel #middle { layout: horizontal; height: 1fr; }
    Panel #content { layout: vertical; width: 1fr; height: 1fr; }
    """

    def __init__(self, signs: Signs, *content: Widget) -> None:
        super().__init__()
        self._signs = signs
        self._content = content

    @override
    def compose(self) -> ComposeResult:
        side = self._signs.box[UP | DOWN]
        yield OneLine(id="top")
        with Container(id="middle"):
            yield Divider(side, id="left")
            with Container(id="content"):
                yield from self._content
            yield Divider(side, id="right")
        yield OneLine(id="bottom")

    def apply_theme(self, theme: str) -> None:
        """Apply the theme."""
        for view in self.query(LineView):
            view.theme_name, view.is_raised, view.is_pinned = theme, True, True
            view.redraw()

    def fit(self, columns: int, rows: int, *, is_framed: bool) -> None:
        """Size the content to ``columns`` by ``rows`` cells, and draw the frame around it."""
        for part in self.query("#top, #bottom, #left, #right"):
            part.display = is_framed
        self.styles.width, self.styles.height = columns + FRAME_CELLS * is_framed, rows + FRAME_CELLS * is_framed
        signs = self._signs
        for name, left, right in (("#top", DOWN | RIGHT, DOWN | LEFT), ("#bottom", UP | RIGHT, UP | LEFT)):
            edge = signs.box[left] + signs.rule * columns + signs.box[right]
            self.query_one(name, OneLine).show([Span(edge, Role.LINE)])
