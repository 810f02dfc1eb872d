"""The help page: signs and keys."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.panels.help_page import HelpSection, help_lines, page_cells
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.spans import Role, Span, Spans
from tui.widgets.line_view import PickList
from tui.widgets.panel import FRAME_CELLS, Panel


class HelpScreen(ModalScreen[None]):
    """Signs and keys, in the width there is; ``?``, Esc, q and Enter close it. A page that is too high scrolls."""

    DEFAULT_CSS = "HelpScreen { align: center middle; background: black 50%; scrollbar-size: 0 0; overflow: hidden; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,escape,q,enter", "back", "back"),
        Binding("j,down", "scroll_rows(1)", "down"),
        Binding("k,up", "scroll_rows(-1)", "up"),
        Binding("pagedown,space,ctrl+f,ctrl+d", "scroll_pages(1)", "page down"),
        Binding("pageup,ctrl+b,ctrl+u", "scroll_pages(-1)", "page up"),
        Binding("g,home", "scroll_pages(-100)", "start"),
        Binding("G,end", "scroll_pages(100)", "end"),
    ]

    def __init__(self, signs: Signs, theme: str, sections: Sequence[HelpSection], screen_text: str) -> None:
        super().__init__()
        self._signs = signs
        self._theme_name = theme
        self._sections = sections
        self._screen_text = screen_text
        self._lines: list[Spans] = []
        self._rows = 0
        self._top = 0

    @override
    def compose(self) -> ComposeResult:
        yield Panel(self._signs, PickList(id="help"))

    def on_mount(self) -> None:
        """Apply the theme."""
        self.query_one(Panel).apply_theme(self._theme_name)

    def on_resize(self) -> None:
        """Lay the page out for the size of the screen."""
        columns, rows = self.size
        cells = page_cells(columns)
        is_dense = False
        self._lines = help_lines(self._signs, self._sections, cells, self._screen_text)
        if len(self._lines) + FRAME_CELLS > rows:
            is_dense = True
            self._lines = help_lines(self._signs, self._sections, cells, self._screen_text, is_dense=is_dense)
        is_framed = columns >= cells + FRAME_CELLS and rows >= len(self._lines) + FRAME_CELLS
        self._rows = min(len(self._lines), rows)
        self.query_one(Panel).fit(cells if is_framed else columns, self._rows, is_framed=is_framed)
        self._show_from(self._top)

    def _show_from(self, top: int) -> None:
        """Show the page from a line on; the last row says what is below."""
        lines, rows = self._lines, self._rows
        if len(lines) > rows:
            rows -= 1
        self._top = max(0, min(top, len(lines) - rows))
        shown = lines[self._top : self._top + rows]
        if len(lines) > rows:
            below = len(lines) - rows - self._top
            dot = self._signs.separator
            closing = f" {dot} Esc closes"
            text = f" {below} more lines {dot} Space pages" if below else " the end"
            text += closing if len(text + closing) <= self.size.width else ""
            shown.append([Span(text, Role.MUTED)])
        self.query_one(PickList).show(shown, -1)

    def action_scroll_rows(self, rows: int) -> None:
        """Scroll a page that is higher than the screen."""
        self._show_from(self._top + rows)

    def action_scroll_pages(self, pages: int) -> None:
        """Scroll by screens."""
        self._show_from(self._top + pages * max(1, self._rows - 2))

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll with the mouse wheel."""
        message.stop()
        self._show_from(self._top + message.rows)

    async def action_back(self) -> None:
        """Close the page; a key that arrives while it closes acts on the screen below."""
        if self.is_current:
            self.dismiss()
        else:
            await self.run_action("screen.close(True)")
