"""The time line: a bar from the first to the newest thought; a click or a drag seeks."""

from textual import events
from textual.message import Message

from seqthink.drawing.panels.time_axis import TimeAxis
from seqthink.drawing.text.spans import Spans
from tui.widgets.line_view import Lines


class Scrubber(Lines):
    """The two lines of the scrubber."""

    class SeekRequested(Message):
        """The user pointed at the thought ``index``."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._axis: TimeAxis | None = None
        self._is_dragged = False

    def show_scrubber(self, lines: list[Spans], axis: TimeAxis | None) -> None:
        """Draw ``lines``; ``axis`` says which thoughts their columns show, None for none."""
        self._axis = axis
        self.show(lines)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Seek to the mouse and start dragging."""
        if event.button == 1:
            self._is_dragged = True
            self.capture_mouse()
            self._request_seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Seek while the button is held."""
        if self._is_dragged:
            self._request_seek(event.x)

    def on_mouse_up(self) -> None:
        """Stop dragging."""
        self._is_dragged = False
        self.release_mouse()

    def _request_seek(self, column: int) -> None:
        if self._axis is not None and self._axis.count:
            self.post_message(self.SeekRequested(self._axis.index_at(column)))
