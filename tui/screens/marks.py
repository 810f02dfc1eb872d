"""The marked thoughts of all sessions, to go back to (docs/screens.md, "Marks")."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.rows.mark_rows import MarkedThought, mark_row, marks_heading, marks_keys, no_marks_lines
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.errors import UsageError
from seqthink.journal.links import link_text
from seqthink.text import first_line, one_line
from seqthink.transcripts.registry import TRANSCRIPTS
from seqthink.viewer_store.marks import Mark, Marks
from tui.settings import Settings
from tui.state.list_cursor import ListCursor
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList
from tui.widgets.text_line import TextLine

ALL_ROWS = 1 << 40
GONE, NOT_LOOKED_FOR = "gone", "not looked for"


class MarkChoice(NamedTuple):
    """The mark that the user chose, and the journal to open."""

    mark: Mark
    path: Path


class MarksScreen(ModalScreen[MarkChoice | None]):
    """The list of marks; returns the chosen one, or None.

    Args:
        settings: which sessions there are, and how they are shown.
        marks: the marks.
        copy: copies a text, and says so.
    """

    DEFAULT_CSS = "MarksScreen { layout: vertical; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,apostrophe", "back", "back"),
        Binding("enter", "choose", "open"),
        Binding("d,delete", "remove", "remove"),
        Binding("Y,y", "copy", "copy the link"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("g,home", f"move({-ALL_ROWS})", "first"),
        Binding("G,end", f"move({ALL_ROWS})", "last"),
        Binding("slash", "search", "search"),
    ]

    def __init__(self, settings: Settings, marks: Marks, copy: Callable[[str], None]) -> None:
        super().__init__()
        self._settings = settings
        self._marks = marks
        self._copy = copy
        self._cursor = ListCursor()
        self._shown: dict[str, Mark] = {}
        self._paths: Mapping[str, Path] = {}
        self._filter = self._status_message = ""

    @override
    def compose(self) -> ComposeResult:
        yield TextLine(id="head", is_raised=True)
        with Container(id="list"):
            yield PickList(id="rows")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme, and look which sessions there are."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        try:
            self._paths = {file.session: file.path for file in self._settings.catalog.sessions()}
        except UsageError as error:
            self._status_message = one_line(str(error))

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    # Drawing

    def _draw(self) -> None:
        width, height = self.size
        marks, words = self._marks.all(), self._filter.lower().split()
        self._shown = {
            link_text(mark.session, mark.seq): mark
            for mark in marks
            if all(word in f"{mark.name} {mark.session} {mark.text}".lower() for word in words)
        }
        cursor = self._cursor
        cursor.resize(max(1, height - 2))
        cursor.set_names(list(self._shown))
        in_view = [self._shown[name] for name in cursor.names[cursor.top : cursor.top + cursor.height]]
        selected = cursor.selected - cursor.top if in_view else -1
        lines = [self._row(mark, width, is_selected=row == selected) for row, mark in enumerate(in_view)]
        self.query_one(PickList).show(lines or no_marks_lines(is_filtered=bool(words)), selected)
        right = [Span(f"/ {self._filter}" if self._filter else "", Role.ACCENT)]
        if self._head.is_open:
            right = self._head.input_spans("/ ", max(8, width - 32))
        sessions = len({mark.session for mark in self._shown.values()})
        self._head.show(marks_heading(len(self._shown), sessions, width, right=right))
        self.query_one("#foot", OneLine).show(marks_keys(self._status_message, width, has_marks=bool(marks)))

    def _row(self, mark: Mark, width: int, *, is_selected: bool) -> Spans:
        settings = self._settings
        shown = MarkedThought(
            one_line(mark.name) or one_line(mark.session),
            mark.number,
            first_line(mark.text),
            mark.marked,
            self._missing(mark),
        )
        return mark_row(shown, width, now=settings.clock(), signs=settings.signs, is_selected=is_selected)

    def _missing(self, mark: Mark) -> str:
        """Return why a mark cannot be opened; empty if it can."""
        if self._path(mark) is not None:
            return ""
        is_transcript = mark.session.startswith(tuple(f"{name}-" for name in TRANSCRIPTS))
        return NOT_LOOKED_FOR if is_transcript and self._settings.library is None else GONE

    def _path(self, mark: Mark) -> Path | None:
        """Return the journal of a mark's session, if there still is one."""
        path = Path(mark.path) if mark.path else self._paths.get(mark.session)
        try:
            return path if path is not None and path.is_file() else None
        except (OSError, ValueError):  # what stands in the file may be no path
            return None

    # Keys and mouse

    @property
    def _head(self) -> TextLine:
        """The heading, with the filter at its right end."""
        return self.query_one(TextLine)

    @property
    def _selected(self) -> Mark | None:
        return self._shown.get(self._cursor.name)

    def on_key(self) -> None:
        """Clear the last status message."""
        self._status_message = ""

    def on_paste(self, event: events.Paste) -> None:
        """Insert what was pasted while the open filter had no focus: the terminal's window had none."""
        if self._head.is_open:
            event.stop()
            self._head.insert(event.text)

    def action_search(self) -> None:
        """Open the filter."""
        self._head.open(self._filter)
        self.show_status_message("")

    def on_text_line_edited(self) -> None:
        """Filter the list."""
        self._set_filter(self._head.typed_text)

    def on_text_line_closed(self, message: TextLine.Closed) -> None:
        """Drop a cancelled filter."""
        self._set_filter("" if message.is_cancelled else self._filter)

    def _set_filter(self, text: str) -> None:
        self._filter = text
        self.show_status_message("")

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    def action_back(self) -> None:
        """Clear the filter; without one, go back."""
        if self._filter:
            self._set_filter("")
        elif self.is_current:
            self.dismiss(None)

    def action_choose(self) -> None:
        """Go to the marked thought, if its session still exists."""
        mark = self._selected
        if mark is None or not self.is_current:
            return
        path = self._path(mark)
        if path is not None:
            self.dismiss(MarkChoice(mark, path))
        elif self._missing(mark) == GONE:
            self.show_status_message("its session is gone")
        else:
            self.show_status_message("transcripts are not looked for here")

    def action_remove(self) -> None:
        """Take the mark away."""
        mark = self._selected
        if mark is None:
            return
        try:
            self._marks.remove(mark.session, mark.seq)
        except (OSError, UsageError) as error:
            self.show_status_message(f"not removed: {one_line(str(error))}")
        else:
            self.show_status_message("removed")

    def action_copy(self) -> None:
        """Copy the link to the marked thought."""
        if self._cursor.name:
            self._copy(one_line(self._cursor.name))

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._cursor.move(rows)
        self.show_status_message("")

    def action_page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.action_move(pages * max(1, self._cursor.height - 1))

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select the mark; a double click opens it."""
        message.stop()
        if self._cursor.top + message.line >= len(self._cursor.names):
            return
        self._cursor.select(self._cursor.top + message.line)
        self._draw()
        if message.is_double:
            self.action_choose()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Scroll the list."""
        message.stop()
        self._cursor.scroll(message.rows)
        self._draw()
