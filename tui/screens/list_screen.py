"""A page with a list to choose from: a heading with a line to type into, the rows, what the keys do."""

from typing import ClassVar, Protocol, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import ModalScreen
from typing_extensions import override

from tui.settings import Settings
from tui.theme import THEMES
from tui.widgets.line_view import Lines, LineView, OneLine, PickList
from tui.widgets.text_line import TextLine

ALL_ROWS = 1 << 40

ChoiceT = TypeVar("ChoiceT")


class RowSelection(Protocol):
    """The selection in a list, and which of its rows are visible."""

    def move(self, rows: int, /) -> None:
        """Move the selection."""
        ...

    def page(self, pages: int) -> None:
        """Move the selection by a page."""
        ...

    def scroll(self, rows: int) -> None:
        """Scroll; the selection stays."""
        ...

    def select_line(self, line: int) -> bool:
        """Select what is in a visible row; return whether anything can be selected there."""
        ...


class ListScreen(ModalScreen[ChoiceT]):
    """A list over the whole screen; returns what is chosen, or None."""

    DEFAULT_CSS = """
    ListScreen { layout: vertical; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "open"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown,ctrl+f,ctrl+d", "page(1)", "page down"),
        Binding("pageup,ctrl+b,ctrl+u", "page(-1)", "page up"),
        Binding("g,home", f"move({-ALL_ROWS})", "first"),
        Binding("G,end", f"move({ALL_ROWS})", "last"),
    ]
    HAS_PREVIEW: ClassVar[bool] = True
    """Whether lines about the selected row are below the list."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._status_message = ""

    @override
    def compose(self) -> ComposeResult:
        yield TextLine(id="head", is_raised=True)
        with Container(id="list"):
            yield PickList(id="rows")
            if self.HAS_PREVIEW:
                yield Lines(id="preview")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme and begin."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        self._begin()

    # What a list of its own has to say

    @property
    def _selection(self) -> RowSelection:
        raise NotImplementedError

    def _begin(self) -> None:
        """Look for the choices; all widgets are there."""
        raise NotImplementedError

    def _draw(self) -> None:
        raise NotImplementedError

    def action_choose(self) -> None:
        """Choose the selected row."""
        raise NotImplementedError

    # Keys and mouse

    @property
    def _head(self) -> TextLine:
        """The heading, with the line to type into."""
        return self.query_one(TextLine)

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def on_key(self) -> None:
        """Clear the last status message."""
        self._status_message = ""

    def on_paste(self, event: events.Paste) -> None:
        """Insert what was pasted while the open line had no focus: the terminal's window had none."""
        if self._head.is_open:
            event.stop()
            self._head.insert(event.text)

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._selection.move(rows)
        self.show_status_message("")

    def action_page(self, pages: int) -> None:
        """Move the selection by a page."""
        self._selection.page(pages)
        self.show_status_message("")

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select the clicked row; a double click chooses it."""
        message.stop()
        if self._selection.select_line(message.line):
            self._draw()
            if message.is_double:
                self.action_choose()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll the list."""
        message.stop()
        self._selection.scroll(message.rows)
        self._draw()


class FilteredListScreen(ListScreen[ChoiceT]):
    """A list that the typed words reduce."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "search", "search")]

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._filter = ""

    def action_search(self) -> None:
        """Open the filter."""
        self._head.open(self._filter)
        self.show_status_message("")

    def on_text_line_edited(self) -> None:
        """Take what is typed."""
        self._take_typed(self._head.typed_text)

    def on_text_line_closed(self, message: TextLine.Closed) -> None:
        """Take notice that no more is typed."""
        self._end_typing(is_cancelled=message.is_cancelled)

    def _take_typed(self, text: str) -> None:
        """Filter the list by what is typed so far."""
        self._set_filter(text)

    def _end_typing(self, *, is_cancelled: bool) -> None:
        """Drop a cancelled filter."""
        self._set_filter("" if is_cancelled else self._filter)

    def _set_filter(self, text: str) -> None:
        self._filter = text
        self.show_status_message("")

    def action_back(self) -> None:
        """Clear the filter; without one, go back."""
        if self._filter:
            self._set_filter("")
        elif self.is_current:
            self.dismiss(None)
