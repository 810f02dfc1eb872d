"""The help page: signs and keys."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.panels.help_page import help_lines
from seqthink.drawing.text.glyphs import Signs
from tui.commands import help_entries
from tui.widgets.line_view import Lines
from tui.widgets.panel import FRAME_CELLS, Panel

PAGE_CELLS = 44


class HelpScreen(ModalScreen[None]):
    """Signs and keys; ``?``, Esc, q and Enter close it. On a low screen the page scrolls with the tree's keys."""

    # a scroll bar would cover two of the 44 columns
    DEFAULT_CSS = "HelpScreen { align: center middle; background: black 50%; scrollbar-size: 0 0; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,escape,q,enter", "back", "back"),
        Binding("j,down", "scroll_rows(1)", "down"),
        Binding("k,up", "scroll_rows(-1)", "up"),
        Binding("pagedown,space", "scroll_rows(10)", "page down"),
        Binding("pageup", "scroll_rows(-10)", "page up"),
    ]

    def __init__(self, signs: Signs, theme: str, columns: int, rows: int, screen_text: str) -> None:
        super().__init__()
        self._signs = signs
        self._theme_name = theme
        self._columns = columns
        self._rows = rows
        self._screen_text = screen_text

    @override
    def compose(self) -> ComposeResult:
        yield Panel(self._signs, Lines(id="help"))

    def on_mount(self) -> None:
        """Draw the page."""
        panel = self.query_one(Panel)
        panel.apply_theme(self._theme_name)
        lines = help_lines(self._signs, help_entries(self._signs), self._screen_text)
        if len(lines) > self._rows:
            lines = [line for line in lines if line]
        is_framed = self._columns >= PAGE_CELLS + FRAME_CELLS and self._rows >= len(lines) + FRAME_CELLS
        panel.fit(PAGE_CELLS, len(lines), is_framed=is_framed)
        self.query_one("#help", Lines).show(lines)

    def action_scroll_rows(self, rows: int) -> None:
        """Scroll a page that is higher than the screen."""
        self.scroll_relative(y=rows, animate=False)

    async def action_back(self) -> None:
        """Close the page; a key that arrives while it closes acts on the screen below."""
        if self.is_current:
            self.dismiss()
        else:
            await self.run_action("screen.close(True)")
