"""The one page that explains: signs and keys."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.glyphs import Signs
from seqthink.drawing.help_page import help_lines
from tui.widgets.line_view import Lines
from tui.widgets.panel import FRAME, Panel

WIDTH = 44


class HelpScreen(ModalScreen[None]):
    """Signs and keys; any of ``?``, Esc, q and Enter goes back. On a low screen the page moves as the tree does."""

    # a scroll bar would cover two of the 44 columns
    DEFAULT_CSS = "HelpScreen { align: center middle; background: black 50%; scrollbar-size: 0 0; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,escape,q,enter", "back", "back"),
        Binding("j,down", "turn(1)", "down"),
        Binding("k,up", "turn(-1)", "up"),
        Binding("pagedown,space", "turn(10)", "page down"),
        Binding("pageup", "turn(-10)", "page up"),
    ]

    def __init__(self, signs: Signs, look: str, columns: int, rows: int, below: str) -> None:
        super().__init__()
        self._signs = signs
        self._look = look
        self._columns = columns
        self._rows = rows
        self._below = below

    @override
    def compose(self) -> ComposeResult:
        yield Panel(self._signs, Lines(id="help"))

    def on_mount(self) -> None:
        """Draw the page."""
        panel = self.query_one(Panel)
        panel.wear(self._look)
        lines = help_lines(self._signs, self._below)
        if len(lines) > self._rows:
            lines = [line for line in lines if line]
        is_framed = self._columns >= WIDTH + FRAME and self._rows >= len(lines) + FRAME
        panel.fit(WIDTH, len(lines), is_framed=is_framed)
        self.query_one("#help", Lines).show(lines)

    def action_turn(self, rows: int) -> None:
        """Show more of a page that the screen is too low for."""
        self.scroll_relative(y=rows, animate=False)

    async def action_back(self) -> None:
        """Close the page; a key that came in while it closed is the screen's below."""
        if self.is_current:
            self.dismiss()
        else:
            await self.run_action("app.close(True)")
