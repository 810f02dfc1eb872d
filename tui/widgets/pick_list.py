"""A list to choose from; only the visible rows are drawn."""

from textual import events
from textual.message import Message
from typing_extensions import override

from seqthink.drawing.text.spans import Spans
from tui.widgets.line_view import LineView


class PickList(LineView):
    """Draws lines set by its owner; one of them may be selected."""

    class Clicked(Message):
        """A line was clicked, once or twice."""

        def __init__(self, line: int, *, is_double: bool) -> None:
            super().__init__()
            self.line = line
            self.is_double = is_double

    class Scrolled(Message):
        """The wheel scrolled by ``rows``; negative is up."""

        def __init__(self, rows: int) -> None:
            super().__init__()
            self.rows = rows

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._selected = -1

    def show(self, lines: list[Spans], selected: int) -> None:
        """Draw ``lines``; equal lines cost nothing. ``selected`` is an index, or -1."""
        if (lines, selected) != (self._lines, self._selected):
            self._lines, self._selected = lines, selected
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return (self._lines[y], y == self._selected) if y < len(self._lines) else ([], False)

    def on_click(self, event: events.Click) -> None:
        """Post which line was clicked."""
        self.post_message(self.Clicked(event.y, is_double=event.chain > 1))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down; the selection stays."""
        self.post_message(self.Scrolled(3))

    def on_mouse_scroll_up(self) -> None:
        """Scroll up; the selection stays."""
        self.post_message(self.Scrolled(-3))
