"""The sessions of a folder, to choose one from (screens.md, (f))."""

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.message import Message
from textual.screen import ModalScreen
from typing_extensions import override

from seqthink.drawing.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.session_list import ListedSession, empty_list_lines, session_list_heading, session_row
from seqthink.drawing.spans import Role, Span, Spans, spread
from seqthink.drawing.text_input import TextInput
from seqthink.drawing.thought_page import rule
from seqthink.drawing.wrap import wrap
from seqthink.journal.store import SessionFile
from seqthink.text import one_line
from tui import watching
from tui.catalogue import Catalogue
from tui.picking import Picking
from tui.settings import Settings
from tui.theme import THEMES
from tui.widgets.line_view import Lines, LineView, OneLine
from tui.widgets.pick_list import PickList

TITLE_LINES = 2
LEAST_FOR_TITLE = 10
FARTHEST = 1 << 40


class SessionsScreen(ModalScreen[Path | None]):
    """The list of sessions; it ends with the journal to open, or with nothing."""

    DEFAULT_CSS = """
    SessionsScreen { layout: vertical; }
    SessionsScreen #title { height: 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,s", "back", "back"),
        Binding("enter", "choose", "open"),
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("pagedown", "page(1)", "page down"),
        Binding("pageup", "page(-1)", "page up"),
        Binding("g,home", f"move({-FARTHEST})", "first"),
        Binding("G,end", f"move({FARTHEST})", "last"),
        Binding("slash", "search", "search"),
        Binding("x", "export", "export"),
        Binding("y", "copy", "copy the id"),
    ]

    class Told(Message):
        """More is known of the sessions."""

    def __init__(
        self, settings: Settings, before: str, copy: Callable[[str], None], export: Callable[[Path], None]
    ) -> None:
        super().__init__()
        self._copy = copy
        self._export = export
        self._settings = settings
        self._catalogue = Catalogue(settings.folder, settings.signs, settings.decode)
        self._picking = Picking(before)
        self._files: dict[str, SessionFile] = {}
        self._field: TextInput | None = None
        self._filter = ""
        self._said = ""

    @override
    def compose(self) -> ComposeResult:
        yield OneLine(id="head", is_raised=True)
        with Container(id="list"):
            yield PickList(id="rows")
        yield OneLine(id="rule")
        yield Lines(id="title")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Begin to find out what there is."""
        self.styles.background = THEMES[self._settings.look].background or "ansi_default"
        for view in self.query(LineView):
            view.look = self._settings.look
        self.run_worker(self._find_out, thread=True, group="sessions")

    def on_unmount(self) -> None:
        """Find out no more."""
        self._catalogue.stop()

    @property
    def is_ready(self) -> bool:
        """Whether the list is there."""
        return self._catalogue.is_listed

    def _find_out(self) -> None:
        self._catalogue.find_out(lambda: self.post_message(self.Told()))

    def on_sessions_screen_told(self) -> None:
        """Draw what is known now."""
        self._draw()

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    # Drawing

    def _draw(self) -> None:
        width, height = self.size
        is_narrow = width < NARROW_BELOW_CELLS and height >= LEAST_FOR_TITLE
        for part in ("#rule", "#title"):
            self.query_one(part).display = is_narrow
        rows = max(1, height - 2 - (1 + TITLE_LINES if is_narrow else 0))
        self._files = {file.session: file for file in self._catalogue.matching(self._filter)}
        picking = self._picking
        picking.resize(rows)
        picking.show(list(self._files))
        in_view = tuple(self._files[name] for name in picking.names[picking.top : picking.top + rows])
        self._catalogue.want(in_view)
        self._draw_head(width)
        lines = [self._row(file, width) for file in in_view]
        if not lines and self._catalogue.is_listed:
            folder = watching.short(self._settings.folder)
            lines = empty_list_lines(folder, width, is_filtered=bool(self._filter), signs=self._settings.signs)
        selected = picking.selected - picking.top if in_view else -1
        self.query_one(PickList).show(lines, selected)
        if is_narrow:
            self._draw_title(width)
        self._draw_foot(width)

    def _draw_head(self, width: int) -> None:
        catalogue, right = self._catalogue, [Span("/ search", Role.MUTED)]
        if self._field is not None:
            right = self._field.spans("/ ", max(8, width - 32))
        elif self._filter:
            right = [Span(f"/ {self._filter}", Role.ACCENT)]
        older = max(0, len(catalogue.files) - catalogue.live)
        head = session_list_heading(catalogue.live, older, width, right=right, signs=self._settings.signs)
        self.query_one("#head", OneLine).show(head)

    def _row(self, file: SessionFile, width: int) -> Spans:
        settings, listed = self._settings, self._catalogue.listed(file)
        return session_row(
            listed or _unknown(file),
            width,
            now=settings.clock(),
            stale_seconds=settings.stale or 60,
            signs=settings.signs,
            is_selected=file.session == self._picking.name,
        )

    def _draw_title(self, width: int) -> None:
        file = self._files.get(self._picking.name)
        listed = self._catalogue.listed(file) if file is not None else None
        count = f"{listed.thoughts}" if listed is not None and listed.is_counted else ""
        left = [Span(f"{self._settings.signs.rule * 2} ", Role.LINE), Span(str(listed.client) if listed else "")]
        self.query_one("#rule", OneLine).show(rule(left, count, width, self._settings.signs))
        lines = list(islice(wrap(listed.title, width - 2), TITLE_LINES)) if listed is not None else []
        self.query_one("#title", Lines).show([[Span(" "), Span(line)] for line in lines])

    def _draw_foot(self, width: int) -> None:
        spans: Spans = [Span(" ")]
        for key, does in (("Enter", "open"), ("x", "export"), ("y", "copy id"), ("Esc", "back")):
            spans += [Span(key, Role.ACCENT), Span(f" {does}  ", Role.MUTED)]
        right = Span(self._said, Role.GOOD)
        if not self._said and width >= NARROW_BELOW_CELLS:
            right = Span(self._catalogue.trouble or watching.short(self._settings.folder), Role.MUTED)
        self.query_one("#foot", OneLine).show(spread(spans, [right, Span(" ")], width))

    # Keys and mouse

    def take_key(self, event: events.Key) -> bool:
        """Type into the search, while it is open; return whether that was what the key did."""
        self._said = ""
        field = self._field
        if field is None:
            return False
        if event.key == "escape":
            self._field, self._filter = None, ""
        elif event.key == "enter":
            self._field = None
        elif event.key in {"up", "down", "pageup", "pagedown"}:
            return False
        elif not field.press(event.key) and event.is_printable and event.character:
            field.insert(event.character)
        self._filter = field.text if event.key != "escape" else ""
        self._draw()
        return True

    def take_paste(self, text: str) -> bool:
        """Put pasted text into the search, while it is open."""
        if self._field is None:
            self._said = "paste ignored"
        else:
            self._field.insert(text)
            self._filter = self._field.text
        self._draw()
        return True

    def action_search(self) -> None:
        """Open the search."""
        self._field = TextInput(self._filter)
        self._draw()

    def action_back(self) -> None:
        """Show all again; when all are shown, go back."""
        if self._filter:
            self._filter = ""
            self._draw()
        elif self.is_current:
            self.dismiss(None)

    def action_choose(self) -> None:
        """Open the selected session, if it is still there."""
        path = self._selected()
        if path is not None:
            self.dismiss(path)

    def action_export(self) -> None:
        """Write the selected session to a file, in a format that is asked for."""
        path = self._selected()
        if path is not None:
            self._export(path)

    def _selected(self) -> Path | None:
        file = self._files.get(self._picking.name)
        if file is None or not self.is_current:
            return None
        if file.path.is_file():
            return file.path
        self.say("this session is gone")
        return None

    def say(self, said: str) -> None:
        """Say what a key has done."""
        self._said = said
        self._draw()

    def action_move(self, rows: int) -> None:
        """Move the selection."""
        self._picking.move(rows)
        self._draw()

    def action_page(self, pages: int) -> None:
        """Move by a screenful."""
        self.action_move(pages * max(1, self._picking.height - 1))

    def action_copy(self) -> None:
        """Copy the selected session's id."""
        if self._picking.name:
            self._copy(one_line(self._picking.name))
            self._said = "copied"
            self._draw()

    def on_pick_list_clicked(self, message: PickList.Clicked) -> None:
        """Select the session; a second click opens it."""
        if self._picking.top + message.line >= len(self._picking.names):
            return
        self._picking.select(self._picking.top + message.line)
        self._draw()
        if message.is_double:
            self.action_choose()

    def on_pick_list_scrolled(self, message: PickList.Scrolled) -> None:
        """Move the window."""
        self._picking.scroll(message.rows)
        self._draw()


def _unknown(file: SessionFile) -> ListedSession:
    return ListedSession(session=file.session, last_change=int(file.last.timestamp() * 1_000_000), name=one_line(""))
