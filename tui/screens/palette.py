"""The command palette: every command by name; ``#12`` goes to thought 12."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.core.background import keep_running_sync
from seqthink.core.text import one_line
from seqthink.drawing.panels.list_rows import command_row
from seqthink.drawing.text.cells import cut
from seqthink.drawing.text.spans import Role, Span, spans_width, spread
from tui.commands import Command
from tui.screens.command_matching import CommandMatch, match_commands
from tui.sessions import session_choice
from tui.settings import Settings
from tui.state.list_cursor import ListCursor
from tui.widgets.line_view import PickList
from tui.widgets.panel import FRAME_CELLS, Panel
from tui.widgets.text_line import TextLine

MAX_CELLS, MAX_ROWS = 64, 18
TOP_MARGIN_ROWS = 1
"""The status line stays visible."""


class PaletteScreen(ModalScreen[Command | None]):
    """Lists the commands that match a query; returns the chosen one, or None.

    With a ``label`` it is another list to choose from, without going to numbers.
    """

    DEFAULT_CSS = """
    PaletteScreen { align: center top; background: black 50%; scrollbar-size: 0 0; overflow: hidden; }
    PaletteScreen #query { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+p", "back", "back"),
        Binding("down", "move(1)", "down"),
        Binding("up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
    ]

    class SessionsFound(Message):
        """The sessions have been found; ``commands`` open them."""

        def __init__(self, commands: Sequence[Command]) -> None:
            super().__init__()
            self.commands = commands

    def __init__(
        self, settings: Settings, commands: Sequence[Command], *, with_sessions: bool, label: str = ""
    ) -> None:
        super().__init__()
        self._settings = settings
        self._commands = list(commands)
        self._with_sessions = with_sessions
        self._label = label
        self._cursor = ListCursor()
        self._matches: list[CommandMatch] = []
        self._trouble = ""

    @override
    def compose(self) -> ComposeResult:
        yield Panel(self._settings.signs, TextLine(id="query", closes_when_empty=True), PickList(id="commands"))

    def on_mount(self) -> None:
        """Apply the theme, open the query and start looking for sessions."""
        self.query_one(Panel).apply_theme(self._settings.theme)
        self._query_line.open()
        if self._with_sessions:
            self.run_worker(self._find_sessions, thread=True, group="palette")

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def _find_sessions(self) -> None:
        settings, found = self._settings, list[Command]()

        def find() -> None:
            found.extend(session_choice.session_commands(settings.catalog, settings.clock()))

        keep_running_sync(find, "listing the sessions", self._report)
        self.post_message(self.SessionsFound(found))

    def _report(self, _name: str, text: str) -> None:
        self._trouble = text

    def on_palette_screen_sessions_found(self, message: SessionsFound) -> None:
        """Add the sessions to the list."""
        self._commands += message.commands
        self._draw()

    @property
    def _query_line(self) -> TextLine:
        return self.query_one(TextLine)

    def _draw(self) -> None:
        width, height, settings = *self.size, self._settings
        is_framed = width >= MAX_CELLS + FRAME_CELLS
        columns = MAX_CELLS if is_framed else width
        rows = max(2, min(MAX_ROWS, 1 + len(self._commands), height - TOP_MARGIN_ROWS - FRAME_CELLS * is_framed))
        self._matches = match_commands(self._query_line.typed_text, self._commands, with_numbers=not self._label)
        picking = self._cursor
        picking.resize(rows - 1)
        picking.set_names([str(number) for number in range(len(self._matches))])  # typing selects the first
        panel = self.query_one(Panel)
        panel.styles.margin = (min(TOP_MARGIN_ROWS, height - rows), 0, 0, 0)
        panel.fit(columns, rows, is_framed=is_framed)
        self._draw_query(columns)
        in_view = self._matches[picking.top : picking.top + rows - 1]
        lines = [
            command_row(
                offer.command.name,
                offer.command.hint,
                offer.positions,
                columns,
                signs=settings.signs,
                is_selected=number == picking.selected,
            )
            for number, offer in enumerate(in_view, picking.top)
        ]
        self.query_one(PickList).show(lines or [[Span(" nothing matches", Role.MUTED)]], picking.selected - picking.top)

    def _draw_query(self, columns: int) -> None:
        count = Span(f" {len(self._matches)} ", Role.MUTED)
        if self._trouble:
            trouble = cut(one_line(self._trouble), columns // 2, self._settings.signs.ellipsis)
            count = Span(f" {trouble} ", Role.BAD)
        query = self._query_line.input_spans(f" {self._label}: ", columns - spans_width([count]))
        self._query_line.show(spread(query, [count], columns))

    # Keys and mouse

    def on_text_line_edited(self) -> None:
        """Select the best match for the new query."""
        self._cursor.select(0)
        self._draw()

    def on_text_line_closed(self, message: TextLine.Closed) -> None:
        """Choose the selected command, or close without a choice."""
        if message.is_cancelled:
            self.action_back()
        elif self._matches:
            self._choose()
        else:
            self._query_line.open()

    def on_paste(self, event: events.Paste) -> None:
        """Insert what was pasted while the query had no focus: the terminal's window had none."""
        event.stop()
        self._query_line.insert(event.text)

    def action_back(self) -> None:
        """Close without a choice."""
        if self.is_current:
            self.dismiss(None)

    def _choose(self) -> None:
        if self.is_current:
            self.dismiss(self._matches[self._cursor.selected].command)

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._cursor.move(rows)
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.action_move(pages * max(1, self._cursor.height - 1))

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Choose the clicked command."""
        message.stop()
        number = self._cursor.top + message.line
        if number < len(self._matches):
            self._cursor.select(number)
            self._choose()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll the list."""
        message.stop()
        self._cursor.scroll(message.rows)
        self._draw()
