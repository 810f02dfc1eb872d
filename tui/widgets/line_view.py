"""A widget that draws lines which it is asked for one by one: the lines and the scrolling are its owner's.

Nothing is laid out or measured when lines come or go, so a frame costs the same for ten rows and for a million; and
only rows that differ from what stands there go to the terminal.
"""

from collections.abc import Iterable

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from seqthink.drawing.spans import Role, Span, Spans, spans_text
from tui.strips import Placed, Row, strip


class LineView(Widget):
    """Draws ``self.line(y)`` for each of its rows, with nothing around them."""

    ALLOW_SELECT = False
    is_raised = False
    is_beside = False
    """Whether text stands left of it whose width terminals differ on."""
    look = "dark"
    """The name of the colour theme; the app sets it for all."""
    DEFAULT_CSS = "LineView { height: 1fr; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id, classes=classes)
        self._frame: dict[int, Row] = {}
        self._frame_key = (0, 0, "")

    def line(self, y: int) -> tuple[Spans, bool]:  # noqa: ARG002 - for those that draw more
        """Return what stands in row ``y`` of the widget, and whether it is selected; here nothing does."""
        return [], False

    @property
    def drawn_text(self) -> str:
        """What is drawn now, as text."""
        return "\n".join(spans_text(self.line(y)[0]) for y in range(self.size.height))

    def glow(self, y: int) -> int:  # noqa: ARG002 - for those that have news
        """Return how much row ``y`` stands out, in parts of ten; here nothing does."""
        return 0

    def redraw(self) -> None:
        """Draw anew: something has changed."""
        size = self.size
        if not self._frame or not self.display or self._frame_key != (*size, self.look):
            self._frame.clear()
            self.refresh()
            return
        drawn = {y: self._drawn(y, size.width) for y in self._frame}
        changed = [y for y, row in drawn.items() if row != self._frame[y]]
        self._frame = drawn
        self._refresh_lines(changed)

    def redraw_lines(self, lines: Iterable[int]) -> None:
        """Draw some rows anew, and no others."""
        lines = list(lines)
        for y in lines:
            self._frame.pop(y, None)
        self._refresh_lines(lines)

    def _refresh_lines(self, lines: list[int]) -> None:
        if lines:
            self.refresh(*(Region(0, y, self._frame_key[0], 1) for y in lines))

    @override
    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the rows as they go to the terminal: without the borders and tints that Textual would look for."""
        cells, rows = self.size
        if self._frame_key != (cells, rows, self.look):
            self._frame_key = (cells, rows, self.look)
            self._frame.clear()
        drawn = [self.render_line(y) for y in crop.line_range]
        background = self.background_colors[1]
        for line_filter in self.get_line_filters():
            drawn = [row.apply_filter(line_filter, background) for row in drawn]
        placed: list[Strip] = [self._placed(row) for row in drawn]
        return placed if crop.column_span == (0, cells) else [row.crop(*crop.column_span) for row in placed]

    def _placed(self, row: Row) -> Row:
        """Return the row in its column of the screen, where it would not be there anyway."""
        return row.at(self.region.x) if self.is_beside or isinstance(row, Placed) else row

    @override
    def render_line(self, y: int) -> Row:
        if y not in self._frame:
            self._frame[y] = self._drawn(y, self._frame_key[0])
        return self._frame[y]

    def _drawn(self, y: int, cells: int) -> Row:
        spans, is_selected = self.line(y)
        return strip(
            tuple(spans), cells, self.look, is_selected=is_selected, is_raised=self.is_raised, glow=self.glow(y)
        )


class OneLine(LineView):
    """One line that its owner sets: the state line, the keys, the rule above the text."""

    DEFAULT_CSS = "OneLine { height: 1; }"

    def __init__(self, *, id: str | None = None, is_raised: bool = False) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.is_raised = is_raised
        self._spans: Spans = []

    @property
    def text(self) -> str:
        """What stands in it."""
        return spans_text(self._spans)

    def show(self, spans: Spans) -> None:
        """Draw ``spans``; the same ones again cost nothing."""
        if spans != self._spans:
            self._spans = spans
            self.redraw()

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        return self._spans, False


class Lines(LineView):
    """Lines that its owner sets, from the top."""

    def __init__(self, *, id: str | None = None, is_raised: bool = False) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self.is_raised = is_raised
        self._lines: list[Spans] = []

    def show(self, lines: list[Spans]) -> None:
        """Draw ``lines``; the same ones again cost nothing."""
        if lines != self._lines:
            self._lines = lines
            self.redraw()

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        return (self._lines[y] if y < len(self._lines) else []), False


class Divider(LineView):
    """The line between the tree and the text of a wide screen."""

    is_beside = True

    DEFAULT_CSS = "Divider { width: 1; }"

    def __init__(self, sign: str, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._sign = sign

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        return [Span(self._sign, Role.LINE)], False
