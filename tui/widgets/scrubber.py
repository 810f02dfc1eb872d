"""The time line: a bar from the first to the newest thought; a click or a drag seeks."""

from typing_extensions import override

from seqthink.drawing.panels.time_axis import TimeAxis
from seqthink.drawing.text.spans import Spans
from tui.widgets.line_view import DraggedLines


class Scrubber(DraggedLines):
    """The two lines of the scrubber."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._axis: TimeAxis | None = None

    def show_scrubber(self, lines: list[Spans], axis: TimeAxis | None) -> None:
        """Draw ``lines``; ``axis`` says which thoughts their columns show, None for none."""
        self._axis = axis
        self.show(lines)

    @override
    def place_at(self, column: int, line: int) -> int | None:
        """Return the thought at a column."""
        return self._axis.index_at(column) if self._axis is not None and self._axis.count else None
