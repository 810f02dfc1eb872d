"""The time line: a click on it, or a drag along it, says where to go."""

from textual import events
from textual.message import Message

from seqthink.drawing.scrubber import ScrubberBar, scrubber_bar
from seqthink.drawing.spans import Spans
from tui.widgets.line_view import Lines


class TimeBar(Lines):
    """The two lines of the time line."""

    class Sought(Message):
        """The person pointed at a thought."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._bar: ScrubberBar = scrubber_bar(0)
        self._length = 0
        self._is_dragged = False

    def show_bar(self, lines: list[Spans], bar: ScrubberBar, length: int) -> None:
        """Draw ``lines``, in which ``bar`` stands for ``length`` thoughts."""
        self._bar, self._length = bar, length
        self.show(lines)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go there, and with the mouse from there on."""
        if event.button == 1:
            self._is_dragged = True
            self.capture_mouse()
            self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go along while the button is held."""
        if self._is_dragged:
            self._seek(event.x)

    def on_mouse_up(self) -> None:
        """Let go of the mouse."""
        self._is_dragged = False
        self.release_mouse()

    def _seek(self, column: int) -> None:
        if self._length:
            self.post_message(self.Sought(self._bar.index_at(column, self._length)))
