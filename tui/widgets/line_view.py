"""A widget that draws lines which it is asked for one by one: the lines and the scrolling are its owner's.

Nothing is laid out or measured when lines come or go, so a frame costs the same for ten rows and for a million.
"""

from collections.abc import Iterable

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from seqthink.drawing.spans import Role, Span, Spans, plain
from tui.strips import strip


class LineView(Widget):
    """Draws ``self.line(y)`` for each of its rows; a frame's strips are kept until ``redraw``."""

    ALLOW_SELECT = False
    is_raised = False
    look = "dark"
    """The name of the colour theme; the app sets it for all."""
    DEFAULT_CSS = "LineView { height: 1fr; width: 1fr; }"

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id, classes=classes)
        self._frame: dict[int, Strip] = {}
        self._frame_key: tuple[int, int, str] | None = None

    def line(self, y: int) -> tuple[Spans, bool]:  # noqa: ARG002 - for those that draw more
        """Return what stands in row ``y`` of the widget, and whether it is selected; here nothing does."""
        return [], False

    @property
    def drawn_text(self) -> str:
        """What is drawn now, as text."""
        return "\n".join(plain(self.line(y)[0]) for y in range(self.size.height))

    def glow(self, y: int) -> int:  # noqa: ARG002 - for those that have news
        """Return how much row ``y`` stands out, in parts of ten; here nothing does."""
        return 0

    def redraw(self) -> None:
        """Draw anew: something has changed."""
        self._frame.clear()
        self.refresh()

    def redraw_lines(self, lines: Iterable[int]) -> None:
        """Draw some rows anew, and no others."""
        for y in lines:
            self._frame.pop(y, None)
            self.refresh(Region(0, y, self.size.width, 1))

    @override
    def render_line(self, y: int) -> Strip:
        cells, rows = self.size
        key = (cells, rows, self.look)
        if key != self._frame_key:
            self._frame_key = key
            self._frame.clear()
        drawn = self._frame.get(y)
        if drawn is None:
            spans, is_selected = self.line(y)
            drawn = strip(spans, cells, self.look, is_selected=is_selected, is_raised=self.is_raised, glow=self.glow(y))
            self._frame[y] = drawn
        return drawn


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
        return plain(self._spans)

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

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
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

    DEFAULT_CSS = "Divider { width: 1; }"

    def __init__(self, sign: str, *, id: str | None = None) -> None:  # noqa: A002 - as Textual has it
        super().__init__(id=id)
        self._sign = sign

    @override
    def line(self, y: int) -> tuple[Spans, bool]:
        return [Span(self._sign, Role.LINE)], False
