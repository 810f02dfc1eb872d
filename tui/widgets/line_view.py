"""Base widget that draws lines on demand; its owner provides the lines and the scrolling.

Nothing is laid out or measured when lines come or go, so a frame costs the same for ten rows and for a million. Only
rows that changed are sent to the terminal.
"""

from collections.abc import Iterable

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from seqthink.drawing.text.glyphs import HEAVY_BOXES
from seqthink.drawing.text.spans import Role, Span, Spans, spans_text
from tui.widgets.strips import CachedStrip, PinnedStrip, make_strip

_HEAVY_LINES = {ord(thin): heavy for box in HEAVY_BOXES.items() for thin, heavy in zip(*box, strict=True)}
WHEEL_ROWS = 3
"""Rows that a step of the mouse wheel scrolls."""


class LineView(Widget):
    """Draws ``self.line_at(y)`` for each of its rows, without border or padding."""

    ALLOW_SELECT = False
    is_raised = False
    """Draw on the background of bars and panels."""
    is_pinned = False
    """Whether its rows are pinned to their column: text to their left may differ in width between terminals."""
    is_alert = False
    """Whether its session needs the person: a bar has the colour of attention, and the lines of others, heavy ones."""
    theme_name = "dark"
    """Name of the colour theme; set by the app."""
    DEFAULT_CSS = "LineView { height: 1fr; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id, classes=classes)
        self._drawn_rows: dict[int, CachedStrip] = {}
        self._drawn_key = (0, 0, "")

    def line_at(self, y: int) -> tuple[Spans, bool]:  # noqa: ARG002 - for subclasses
        """Return the spans of row ``y``, and whether it is selected; empty in this base class."""
        return [], False

    @property
    def drawn_text(self) -> str:
        """The drawn text."""
        return "\n".join(spans_text(self.line_at(y)[0]) for y in range(self.size.height))

    def accent_tenths(self, y: int) -> int:  # noqa: ARG002 - for subclasses
        """Return how much accent row ``y`` has in its background, in tenths; 0 in this base class."""
        return 0

    def alert(self, *, is_alert: bool) -> None:
        """Show whether its session needs the person."""
        if is_alert is not self.is_alert:
            self.is_alert = is_alert
            self.redraw()

    def redraw(self) -> None:
        """Redraw the rows that changed."""
        size = self.size
        if not self._drawn_rows or not self.display or self._drawn_key != (*size, self.theme_name):
            self._drawn_rows.clear()
            self.refresh()
            return
        drawn = {y: self._make_row(y, size.width) for y in self._drawn_rows}
        changed = [y for y, row in drawn.items() if row != self._drawn_rows[y]]
        self._drawn_rows = drawn
        self._refresh_lines(changed)

    def redraw_lines(self, lines: Iterable[int]) -> None:
        """Redraw these rows only."""
        lines = list(lines)
        for y in lines:
            self._drawn_rows.pop(y, None)
        self._refresh_lines(lines)

    def _refresh_lines(self, lines: list[int]) -> None:
        if lines:
            self.refresh(*(Region(0, y, self._drawn_key[0], 1) for y in lines))

    @override
    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows for the terminal, without the borders and tints that Textual would look for."""
        cells, rows = self.size
        if self._drawn_key != (cells, rows, self.theme_name):
            self._drawn_key = (cells, rows, self.theme_name)
            self._drawn_rows.clear()
        drawn = [self.render_line(y) for y in crop.line_range]
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            drawn = [row.apply_filter(line_filter, background) for row in drawn]
        placed: list[Strip] = [self._pinned(row) for row in drawn]
        return placed if crop.column_span == (0, cells) else [row.crop(*crop.column_span) for row in placed]

    def _pinned(self, row: CachedStrip) -> CachedStrip:
        """Return the row pinned to its column if it might be displaced."""
        return row.pinned_at(self.region.x) if self.is_pinned or isinstance(row, PinnedStrip) else row

    @override
    def render_line(self, y: int) -> CachedStrip:
        if y not in self._drawn_rows:
            self._drawn_rows[y] = self._make_row(y, self._drawn_key[0])
        return self._drawn_rows[y]

    def _make_row(self, y: int, cells: int) -> CachedStrip:
        spans, is_selected = self.line_at(y)
        is_bar = self.is_alert and self.is_raised
        return make_strip(
            tuple(_heavy(spans) if self.is_alert and not is_bar else spans),
            cells,
            self.theme_name,
            is_selected=is_selected,
            is_raised=self.is_raised,
            accent_tenths=self.accent_tenths(y),
            is_alert=is_bar,
        )


def _heavy(spans: Spans) -> Spans:
    """Return spans whose lines are heavy and have the colour of attention."""
    return [
        span._replace(text=span.text.translate(_HEAVY_LINES), role=Role.WARN) if span.role is Role.LINE else span
        for span in spans
    ]


class ClickableLines(LineView):
    """Lines that notify their owner of clicks and the mouse wheel."""

    class Clicked(Message):
        """A line was clicked, once or twice; lines and columns are counted from the corner of the widget."""

        def __init__(self, line: int, *, is_double: bool, column: int = 0) -> None:
            super().__init__()
            self.line = line
            self.column = column
            self.is_double = is_double

    class Scrolled(Message):
        """The wheel scrolled by ``rows``; negative is up."""

        def __init__(self, rows: int) -> None:
            super().__init__()
            self.rows = rows

    def on_click(self, event: events.Click) -> None:
        """Post which line was clicked."""
        self.post_message(self.Clicked(event.y, is_double=event.chain > 1, column=event.x))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down; the selection stays."""
        self.post_message(self.Scrolled(WHEEL_ROWS))

    def on_mouse_scroll_up(self) -> None:
        """Scroll up; the selection stays."""
        self.post_message(self.Scrolled(-WHEEL_ROWS))


class PickList(ClickableLines):
    """A list to choose from: the visible lines, set by its owner; one of them may be selected."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._selected = range(0)

    def show(self, lines: list[Spans], selected: int, selected_lines: int = 1) -> None:
        """Draw ``lines``; equal lines cost nothing. ``selected`` is the index of the selected row's first, or -1."""
        chosen = range(selected, selected + selected_lines) if selected >= 0 else range(0)
        if (lines, chosen) != (self._lines, self._selected):
            self._lines, self._selected = lines, chosen
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return (self._lines[y], y in self._selected) if y < len(self._lines) else ([], False)


class OneLine(LineView):
    """One line set by its owner: the status line, the keys, the rule above the text."""

    DEFAULT_CSS = "OneLine { height: 1; }"

    def __init__(self, *, id: str | None = None, is_raised: bool = False) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.is_raised = is_raised
        self._spans: Spans = []

    @property
    def text(self) -> str:
        """The text of the line."""
        return spans_text(self._spans)

    def show(self, spans: Spans) -> None:
        """Draw ``spans``; equal spans cost nothing."""
        if spans != self._spans:
            self._spans = spans
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return self._spans, False


class Lines(LineView):
    """Lines set by its owner, from the top."""

    def __init__(self, *, id: str | None = None, is_raised: bool = False) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.is_raised = is_raised
        self._lines: list[Spans] = []

    def show(self, lines: list[Spans]) -> None:
        """Draw ``lines``; equal lines cost nothing."""
        if lines != self._lines:
            self._lines = lines
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return (self._lines[y] if y < len(self._lines) else []), False


class DraggedLines(LineView):
    """Lines of a picture in which the mouse points at a place, with a click or while it is dragged."""

    class Pointed(Message):
        """The mouse points at ``place`` of the picture."""

        def __init__(self, view: LineView, place: int) -> None:
            super().__init__()
            self.view = view
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._lines: list[Spans] = []
        self._is_dragged = False

    def show(self, lines: list[Spans]) -> None:
        """Draw ``lines``; equal lines cost nothing."""
        if lines != self._lines:
            self._lines = lines
            self.redraw()

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return (self._lines[y] if y < len(self._lines) else []), False

    def place_at(self, column: int, line: int) -> int | None:  # noqa: ARG002 - for subclasses
        """Return the place at a column of a line; None in this base class."""
        return None

    def _point(self, event: events.MouseEvent) -> None:
        place = self.place_at(event.x, event.y)
        if place is not None:
            self.post_message(self.Pointed(self, place))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to the mouse and start dragging."""
        if event.button == 1:
            self._is_dragged = True
            self.capture_mouse()
            self._point(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Go to the mouse while the button is held."""
        if self._is_dragged:
            self._point(event)

    def on_mouse_up(self) -> None:
        """Stop dragging."""
        self._is_dragged = False
        self.release_mouse()


class Divider(LineView):
    """The line between the tree and the text of a wide screen."""

    is_beside = True

    DEFAULT_CSS = "Divider { width: 1; }"

    def __init__(self, sign: str, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._sign = sign

    @override
    def line_at(self, y: int) -> tuple[Spans, bool]:
        return [Span(self._sign, Role.LINE)], False
