"""The list of sessions in a folder, to choose one from (docs/screens.md, "Sessions")."""

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.panels.list_rows import (
    PREVIEW_LINES,
    empty_list_lines,
    session_list_heading,
    session_list_keys,
    session_preview,
    session_row,
)
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.journal.store import SessionFile
from seqthink.text import one_line
from seqthink.times import microseconds_of
from tui.settings import Settings
from tui.sources import session_choice
from tui.sources.session_index import SessionIndex
from tui.state.list_cursor import ListCursor
from tui.theme import THEMES
from tui.widgets.line_view import Lines, LineView, OneLine, PickList
from tui.widgets.text_line import TextLine

MIN_ROWS_WITH_PREVIEW = 10
ALL_ROWS = 1 << 40


class SessionsScreen(ModalScreen[Path | None]):
    """The list of sessions; returns the journal to open, or None."""

    DEFAULT_CSS = """
    SessionsScreen { layout: vertical; }
    SessionsScreen #preview { height: 3; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,s", "back", "back"),
        Binding("enter", "choose", "open"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("g,home", f"move({-ALL_ROWS})", "first"),
        Binding("G,end", f"move({ALL_ROWS})", "last"),
        Binding("slash", "search", "search"),
        Binding("x", "export", "export"),
        Binding("y", "copy", "copy the id"),
    ]

    class SessionsUpdated(Message):
        """The session index has changed."""

    def __init__(
        self, settings: Settings, previous_session: str, copy: Callable[[str], None], export: Callable[[Path], None]
    ) -> None:
        super().__init__()
        self._copy = copy
        self._export = export
        self._settings = settings
        self._session_index = SessionIndex(settings.catalog, settings.signs, settings.decode)
        self._cursor = ListCursor(previous_session)
        self._files: dict[str, SessionFile] = {}
        self._filter = ""
        self._status_message = ""

    @override
    def compose(self) -> ComposeResult:
        yield TextLine(id="head", is_raised=True)
        with Container(id="list"):
            yield PickList(id="rows")
        yield Lines(id="preview")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme and start the index thread."""
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = self._settings.theme
        self.run_worker(self._scan_sessions, thread=True, group="sessions")

    def on_unmount(self) -> None:
        """Stop the index thread."""
        self._session_index.stop()

    @property
    def is_ready(self) -> bool:
        """Whether the folder has been listed."""
        return self._session_index.is_listed

    def _scan_sessions(self) -> None:
        self._session_index.scan(lambda: self.post_message(self.SessionsUpdated()))

    def on_sessions_screen_sessions_updated(self) -> None:
        """Draw the updated index."""
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    # Drawing

    def _draw(self) -> None:
        width, height = self.size
        is_narrow = width < NARROW_BELOW_CELLS and height >= MIN_ROWS_WITH_PREVIEW
        self.query_one("#preview").display = is_narrow
        rows = max(1, height - 2 - PREVIEW_LINES * is_narrow)
        self._files = {file.session: file for file in self._session_index.matching(self._filter)}
        picking = self._cursor
        picking.resize(rows)
        picking.set_names(list(self._files))
        in_view = tuple(self._files[name] for name in picking.names[picking.top : picking.top + rows])
        self._session_index.prioritise(in_view)
        self._draw_head(width)
        lines = [self._row(file, width) for file in in_view]
        if not lines and self._session_index.is_listed:
            folder = session_choice.short_path(self._settings.folder)
            lines = empty_list_lines(folder, width, is_filtered=bool(self._filter), signs=self._settings.signs)
        selected = picking.selected - picking.top if in_view else -1
        self.query_one(PickList).show(lines, selected)
        selected_file = self._files.get(picking.name)
        listed = self._session_index.summary(selected_file) if selected_file is not None else None
        self.query_one("#preview", Lines).show(session_preview(listed, width, self._settings.signs))
        right = Span(self._status_message, Role.GOOD)
        if not self._status_message and width >= NARROW_BELOW_CELLS:
            right = Span(self._session_index.error or session_choice.short_path(self._settings.folder), Role.MUTED)
        self.query_one("#foot", OneLine).show(session_list_keys(right, width))

    def _draw_head(self, width: int) -> None:
        index, right = self._session_index, [Span("/ search", Role.MUTED)]
        if self._head.is_open:
            right = self._head.input_spans("/ ", max(8, width - 32))
        elif self._filter:
            right = [Span(f"/ {self._filter}", Role.ACCENT)]
        rest_count = max(0, len(index.files) - index.live_count)
        head = session_list_heading(index.live_count, rest_count, width, right=right, signs=self._settings.signs)
        self._head.show(head)

    def _row(self, file: SessionFile, width: int) -> Spans:
        settings, listed = self._settings, self._session_index.summary(file)
        return session_row(
            listed or _unread_summary(file),
            width,
            now=settings.clock(),
            stale_seconds=settings.stale or 60,
            signs=settings.signs,
            is_selected=file.session == self._cursor.name,
        )

    # Keys and mouse

    @property
    def _head(self) -> TextLine:
        """The heading, with the filter at its right end."""
        return self.query_one(TextLine)

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

    def action_back(self) -> None:
        """Clear the filter; without one, go back."""
        if self._filter:
            self._set_filter("")
        elif self.is_current:
            self.dismiss(None)

    def action_choose(self) -> None:
        """Open the selected session, if it still exists."""
        path = self._selected_path()
        if path is not None:
            self.dismiss(path)

    def action_export(self) -> None:
        """Export the selected session; the format is asked for."""
        path = self._selected_path()
        if path is not None:
            self._export(path)

    def _selected_path(self) -> Path | None:
        file = self._files.get(self._cursor.name)
        if file is None or not self.is_current:
            return None
        is_there = file.path.is_file()
        self.show_status_message("" if is_there else "this session is gone")
        return file.path if is_there else None

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._cursor.move(rows)
        self.show_status_message("")

    def action_page(self, pages: int) -> None:
        """Move the selection by a page."""
        self.action_move(pages * max(1, self._cursor.height - 1))

    def action_copy(self) -> None:
        """Copy the selected session's id."""
        if self._cursor.name:
            self._copy(one_line(self._cursor.name))
            self.show_status_message("copied")

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select the session; a double click opens it."""
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


def _unread_summary(file: SessionFile) -> ListedSession:
    return ListedSession(session=file.session, last_change=microseconds_of(file.last), name=one_line(""))
