"""The command palette: everything that can be done, by name; ``#12`` goes to thought 12."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.command_row import command_row
from seqthink.drawing.spans import Role, Span, spans_width, spread
from seqthink.drawing.text_input import TextInput
from tui import watching
from tui.commands import Command, Offer, matching
from tui.picking import Picking
from tui.settings import Settings
from tui.widgets.line_view import OneLine
from tui.widgets.panel import FRAME, Panel
from tui.widgets.pick_list import PickList

WIDEST, MOST_ROWS = 64, 18
TOP = 1
"""The state line stays in view."""


class PaletteScreen(ModalScreen[Command | None]):
    """Lists commands while a query is typed; it ends with the chosen one, or with nothing.

    With a ``label`` it is another list to choose from, in which numbers mean nothing.
    """

    DEFAULT_CSS = """
    PaletteScreen { align: center top; background: black 50%; scrollbar-size: 0 0; overflow: hidden; }
    PaletteScreen #query { height: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,ctrl+p", "back", "back"),
        Binding("enter", "choose", "do it"),
        Binding("down", "move(1)", "down"),
        Binding("up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
    ]

    class Found(Message):
        """The sessions are known."""

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
        self._field = TextInput()
        self._picking = Picking()
        self._offers: list[Offer] = []

    @override
    def compose(self) -> ComposeResult:
        yield Panel(self._settings.signs, OneLine(id="query"), PickList(id="commands"))

    def on_mount(self) -> None:
        """Draw what is known, and find out the sessions."""
        self.query_one(Panel).wear(self._settings.look)
        if self._with_sessions:
            self.run_worker(self._find_sessions, thread=True, group="palette")

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def _find_sessions(self) -> None:
        self.post_message(self.Found(watching.to_visit(self._settings.folder, self._settings.clock())))

    def on_palette_screen_found(self, message: Found) -> None:
        """Offer the sessions too."""
        self._commands += message.commands
        self._draw()

    def _draw(self) -> None:
        width, height, settings = *self.size, self._settings
        is_framed = width >= WIDEST + FRAME
        columns = WIDEST if is_framed else width
        rows = max(2, min(MOST_ROWS, 1 + len(self._commands), height - TOP - FRAME * is_framed))
        self._offers = matching(self._field.text, self._commands, with_numbers=not self._label)
        picking = self._picking
        picking.resize(rows - 1)
        picking.show([str(number) for number in range(len(self._offers))])  # who types wants the first
        panel = self.query_one(Panel)
        panel.styles.margin = (min(TOP, height - rows), 0, 0, 0)
        panel.fit(columns, rows, is_framed=is_framed)
        self._draw_query(columns)
        in_view = self._offers[picking.top : picking.top + rows - 1]
        lines = [
            command_row(
                offer.command.name,
                offer.command.hint,
                offer.places,
                columns,
                signs=settings.signs,
                is_selected=number == picking.selected,
            )
            for number, offer in enumerate(in_view, picking.top)
        ]
        self.query_one(PickList).show(lines or [[Span(" nothing matches", Role.MUTED)]], picking.selected - picking.top)

    def _draw_query(self, columns: int) -> None:
        count = Span(f" {len(self._offers)} ", Role.MUTED)
        query = self._field.spans(f" {self._label}: ", columns - spans_width([count]))
        self.query_one("#query", OneLine).show(spread(query, [count], columns))

    # Keys and mouse

    def take_key(self, event: events.Key) -> bool:
        """Type into the query; return whether that was what the key did."""
        if event.key == "backspace" and not self._field.text:
            self.action_back()
        elif not self._field.press(event.key):
            if not (event.is_printable and event.character):
                return False
            self._field.insert(event.character)
        self._typed()
        return True

    def take_paste(self, text: str) -> None:
        """Put pasted text into the query."""
        self._field.insert(text)
        self._typed()

    def _typed(self) -> None:
        self._picking.select(0)
        self._draw()

    def action_back(self) -> None:
        """Do nothing."""
        if self.is_current:
            self.dismiss(None)

    def action_choose(self) -> None:
        """Do what is selected."""
        if self._offers and self.is_current:
            self.dismiss(self._offers[self._picking.selected].command)

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._picking.move(rows)
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        self.action_move(pages * max(1, self._picking.height - 1))

    def on_pick_list_clicked(self, message: PickList.Clicked) -> None:
        """Do what was clicked."""
        number = self._picking.top + message.line
        if number < len(self._offers):
            self._picking.select(number)
            self.action_choose()

    def on_pick_list_scrolled(self, message: PickList.Scrolled) -> None:
        """Move the window."""
        self._picking.scroll(message.rows)
        self._draw()
