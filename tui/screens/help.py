"""The one page that explains: signs and keys."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.glyphs import Signs
from seqthink.drawing.keys import signs_and_keys
from tui.widgets.line_view import Lines


class HelpScreen(ModalScreen[None]):
    """Signs and keys; any of ``?``, Esc, q and Enter goes back."""

    DEFAULT_CSS = "HelpScreen { align: center middle; background: black 50%; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,escape,q,enter", "back", "back")]

    def __init__(self, signs: Signs, look: str) -> None:
        super().__init__()
        self._signs = signs
        self._look = look

    @override
    def compose(self) -> ComposeResult:
        yield Lines(id="help")

    def on_mount(self) -> None:
        """Draw the page."""
        lines = signs_and_keys(self._signs)
        page = self.query_one(Lines)
        page.is_raised = True
        page.styles.height = len(lines)
        page.styles.width = 44
        page.look = self._look
        page.show(lines)

    async def action_back(self) -> None:
        """Close the page; a key that came in while it closed is the screen's below."""
        if self.is_current:
            self.dismiss()
        else:
            await self.run_action("app.close")
