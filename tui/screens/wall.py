"""The wall: live sessions side by side, each in its place (docs/screens.md, "The wall")."""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer
from typing_extensions import override

from seqthink.chain.overview.states import is_brief
from seqthink.core.text import one_line
from seqthink.drawing.panels.help_page import HelpSection
from seqthink.drawing.panels.wall import WallCount, empty_wall_lines, wall_heading, wall_keys
from seqthink.drawing.panels.wall_tiles import MAX_NUMBER
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans
from tui.screens.help import HelpScreen
from tui.screens.wall_tiles import TileLook, WallTiles
from tui.sessions.wall_sessions import WallEntry, WallSessions
from tui.settings import Settings
from tui.state.frame_pacing import FramePacer
from tui.state.wall_layout import GAP_CELLS, WallBox, WallLayout, wall_layout
from tui.state.wall_places import WallGrid, WallPlaces, WallSession, wall_grid
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList
from tui.widgets.punctual import punctual

MAX_WAIT_SECONDS = 5.0
"""How long the first drawing waits, at most, until all sessions have been looked at."""
MIN_HEIGHT_WITH_KEYS = 8
KEYS = (
    ("!", "next"),
    ("s", "list"),
    ("q", "back"),
    ("?", "help"),
    ("F", "find"),
    ("Enter", "open"),
)
HELP = (
    ("1-9", "open the session with this key"),
    ("Enter", "open the selected one"),
    ("!", "open the next that needs you"),
    ("arrows", "move, as h j k l do"),
    ("PgUp PgDn", "a page up, down"),
    ("s", "the list of sessions"),
    ("F", "find in all sessions"),
    ("Esc w", "the session on the screen"),
    ("q", "back; where it began, quit"),
)


class WallScreen(Screen[None], inherit_bindings=False):
    """Shows what is on the wall, each session in its place.

    Args:
        host: the app.
        settings: how sessions are shown.
        wall: the sessions; its owner refreshes it, and calls `show_sessions` then.
        places: where the sessions are; kept by the owner while the wall is closed.
        is_unread: returns whether a session has thoughts that nobody has read.
        zoom: shows the session at a path, and closes the wall.
        zoom_next: shows the next session that needs the user, if any, and closes the wall.
        leave: closes the wall, or the viewer; called with whether the user wants to quit.
        open_list: opens the list of sessions above the wall.
        open_find: opens the page that finds texts in all sessions, above the wall.
        close: called when the wall is closed.
        trouble: returns why what is shown may be old, in words; empty most of the time.
    """

    DEFAULT_CSS = "WallScreen { layout: vertical; }"
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,w", "leave(False)", "back"),
        Binding("q", "leave(True)", "back"),
        Binding("enter", "zoom_selected", "open"),
        Binding("h,left", "move(-1, 0)", "left"),
        Binding("j,down", "move(0, 1)", "down"),
        Binding("k,up", "move(0, -1)", "up"),
        Binding("l,right", "move(1, 0)", "right"),
        Binding("pagedown", "turn(1)", "page down"),
        Binding("pageup", "turn(-1)", "page up"),
        Binding("exclamation_mark", "zoom_needing", "next that needs you"),
        Binding("s", "sessions", "sessions"),
        Binding("F", "find", "find"),
        Binding("question_mark", "help", "help"),
        *(Binding(str(key), f"zoom({key})", "open") for key in range(1, MAX_NUMBER + 1)),
    ]

    def __init__(
        self,
        host: App[str],
        settings: Settings,
        wall: WallSessions,
        places: WallPlaces,
        *,
        is_unread: Callable[[WallEntry], bool],
        zoom: Callable[[Path], None],
        zoom_next: Callable[[], None],
        leave: Callable[[bool], None],
        open_list: Callable[[], None],
        open_find: Callable[[], None],
        close: Callable[[], None],
        trouble: Callable[[], str],
    ) -> None:
        super().__init__()
        self._host = host
        self._settings = settings
        self._live = wall
        self._places = places
        self._is_unread = is_unread
        self._zoom = zoom
        self._zoom_next = zoom_next
        self._leave = leave
        self._open_list = open_list
        self._open_find = open_find
        self._close = close
        self._trouble = trouble
        self._known: tuple[WallEntry, ...] | None = None
        self._entries: dict[str, WallEntry] = {}
        self._tiles = WallTiles(settings)
        self._layout = WallLayout(0, 1, (), ())
        self._opened_at = monotonic()
        self._pacer = FramePacer()
        self._frame_timer: Timer | None = None
        self._status_message = ""
        self._is_settled = False
        self._said_trouble = ""

    @override
    def compose(self) -> ComposeResult:
        yield OneLine(id="head", is_raised=True)
        yield PickList(id="tiles")
        yield OneLine(id="foot", is_raised=True)

    def on_mount(self) -> None:
        """Apply the theme, and let the clocks move."""
        self.apply_theme(self._settings)
        self.set_interval(1, self._tick)

    def on_unmount(self) -> None:
        """Notify the owner."""
        self._close()

    def apply_theme(self, settings: Settings) -> None:
        """Draw with the theme of these settings."""
        self._settings = settings
        self._tiles = WallTiles(settings)
        self.styles.background = THEMES[settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = settings.theme
            view.redraw()

    @property
    def is_ready(self) -> bool:
        """Whether each session was read at least by its end, and is drawn."""
        return self._is_settled

    def show_sessions(self) -> None:
        """Draw what is new on the wall, but not too often."""
        if self._live.entries is self._known and self._live.is_settled == self._is_settled:
            return
        wait = self._pacer.seconds_until_arrival(monotonic())
        if wait <= 0:
            self._draw()
        elif self._frame_timer is None:
            self._frame_timer = punctual(self.set_timer(wait, self._draw))

    def _tick(self) -> None:
        """Draw if time alone has changed what a tile in view says, or the engine of the fleet came or went."""
        has_news = not self._is_settled or self._said_trouble != self._trouble()
        if has_news or self._tiles.has_aged or self._has_shrunk:
            self._draw()

    # Drawing

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._draw()

    def on_screen_resume(self) -> None:
        """Draw what came while another screen was above."""
        self._draw()

    @property
    def _may_place(self) -> bool:
        """Whether sessions may be given places: they get them by their start, so all of them have to be known first."""
        is_late = monotonic() - self._opened_at > MAX_WAIT_SECONDS
        return self._live.is_read or bool(self._places.keys) or is_late

    @property
    def _can_draw(self) -> bool:
        """Whether the screen is shown with all its parts: the wall has news before they are there and after, too."""
        return self.is_current and self.is_mounted and self.is_attached

    @property
    def _height(self) -> int:
        """Rows of the tiles."""
        return max(1, self.size.height - 1 - (self.size.height >= MIN_HEIGHT_WITH_KEYS))

    def _draw(self) -> None:
        if self._frame_timer is not None:
            self._frame_timer.stop()
            self._frame_timer = None
        if not self._can_draw or not self.size.width or not self._may_place:
            return
        self._pacer.record_arrival(monotonic())
        self.call_after_refresh(self._record_paint)
        self._is_settled = self._live.is_settled
        self._known = entries = self._live.entries
        self._entries = {_key(entry): entry for entry in entries}
        self._place(entries)
        self.query_one("#foot").display = self.size.height >= MIN_HEIGHT_WITH_KEYS
        self._show(entries)

    def _record_paint(self) -> None:
        self._pacer.record_paint(monotonic())

    def _place(self, entries: tuple[WallEntry, ...]) -> None:
        places = self._places
        places.update([self._session(entry) for entry in entries], self._grid)
        self._layout = self._laid_out(self._layout.page, places.selected_key)

    @property
    def _grid(self) -> WallGrid:
        return wall_grid(self.size.width, self._height, self._settings.wall)

    def _laid_out(self, page: int, selected: str | None = None) -> WallLayout:
        """Return a page, or the one with the selected session that is nearest to it."""
        places, size = self._places, (self.size.width, self._height)
        return wall_layout(size, self._grid, places.tiles, places.brief, page=page, selected=selected)

    def _session(self, entry: WallEntry) -> WallSession:
        return WallSession(_key(entry), self._is_brief(entry), self._is_unread(entry), entry.changed)

    def _is_brief(self, entry: WallEntry) -> bool:
        quiet = (self._settings.clock() - entry.changed) / 1_000_000
        return is_brief(self._tiles.state(entry), quiet) and not entry.trouble

    @property
    def _has_shrunk(self) -> bool:
        """Whether time alone makes a line of a tile: not of the only one that there is."""
        tiles = [key for key in self._places.tiles if key is not None]
        return len(tiles) > 1 and any(self._is_brief(self._entries[key]) for key in tiles)

    def _show(self, entries: tuple[WallEntry, ...]) -> None:
        cells, signs, layout = self.size.width, self._settings.signs, self._layout
        on_page = set(layout.keys)
        self._tiles.keep(on_page)
        self._live.prioritise([self._entries[key].file.path for key in on_page])
        hidden = [entry for key, entry in self._entries.items() if key not in on_page]
        count = WallCount(
            states=tuple(map(self._tiles.state, entries)),
            page=layout.page,
            pages=layout.pages,
            hidden=len(hidden),
            needing=sum(entry.standing.needs_person for entry in hidden),
            wanted=one_line(self._settings.catalog.wanted.filter.as_typed),
            trouble=self._trouble(),
        )
        self.query_one("#head", OneLine).show(wall_heading(count, cells, signs))
        lines = self._lines() if entries else empty_wall_lines(cells) if self._live.is_settled else []
        self._said_trouble = count.trouble
        self.query_one(PickList).show(lines, -1)
        message = Span(self._status_message, Role.MUTED)
        last = self._places.last_number
        numbers = [("1" if last == 1 else f"1-{last}", "open")] if last else []
        self.query_one("#foot", OneLine).show(wall_keys([*numbers, *KEYS], message, cells))

    def _lines(self) -> list[Spans]:
        """Return the lines of the page."""
        columns = [[line for box in column for line in self._drawn(box)] for column in self._layout.columns]
        lines = [_joined(parts) for parts in zip(*columns, strict=True)]
        return lines + [_joined([self._drawn(box, is_line=True)[0] for box in row]) for row in self._layout.lines]

    def _drawn(self, box: WallBox, *, is_line: bool = False) -> list[Spans]:
        entry = self._entries[box.key]
        shown = TileLook(
            box,
            is_line,
            self.size.width < NARROW_BELOW_CELLS,
            self._places.number_of(box.key),
            box.key == self._places.selected_key,
            self._is_unread(entry),
        )
        return self._tiles.lines(entry, shown)

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    # Keys and mouse

    def on_key(self) -> None:
        """Clear the last status message."""
        self._status_message = ""

    def action_move(self, columns: int, rows: int) -> None:
        """Move the selection; beyond the last row, or above the first one, to the next page."""
        found = self._layout.beside(self._places.selected_key, columns, rows)
        if found is not None:
            self._places.select(found)
            self._draw()
        elif rows:
            self.action_turn(rows)

    def action_turn(self, pages: int) -> None:
        """Turn to another page, and select what is first on it and on no page before."""
        page, before = self._layout.page + pages, set(self._layout.keys)
        if 0 <= page < self._layout.pages:
            self._layout = self._laid_out(page)
            self._places.select(next(key for key in (*self._layout.keys, "") if key not in before))
            self._draw()

    def action_zoom(self, number: int) -> None:
        """Open the session with this number."""
        key = self._places.key_of(number)
        if key is not None:
            self._places.select(key)
            self.action_zoom_selected()
        else:
            self.show_status_message(f"no session {number} here")

    def action_zoom_selected(self) -> None:
        """Open the selected session, if it still exists."""
        entry = self._entries.get(self._places.selected_key or "")
        if entry is None or not self.is_current:
            return
        if self._settings.catalog.session(entry.file.path).is_there:
            self._zoom(entry.file.path)
        else:
            self.show_status_message("this session is gone")

    def action_zoom_needing(self) -> None:
        """Open the next session that needs the user, by the rule that holds everywhere."""
        if self.is_current:
            self._zoom_next()

    def action_leave(self, quits: bool) -> None:
        """Close the wall; what that means where the wall came first, its owner knows."""
        if self.is_current:
            self._leave(quits)

    def action_sessions(self) -> None:
        """Open the list of sessions."""
        self._open_list()

    def action_find(self) -> None:
        """Open the page that finds texts in all sessions."""
        self._open_find()

    def action_help(self) -> None:
        """Open the page of keys."""
        settings = self._settings
        text = self.query_one(PickList).drawn_text
        self._host.push_screen(HelpScreen(settings.signs, settings.theme, [HelpSection("Wall", HELP)], text))

    def on_clickable_lines_clicked(self, message: PickList.Clicked) -> None:
        """Select the tile; a double click opens it."""
        message.stop()
        key = self._layout.at(message.column, message.line)
        if key is not None:
            self._places.select(key)
            self._draw()
            if message.is_double:
                self.action_zoom_selected()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Turn the page with the mouse wheel."""
        message.stop()
        self.action_turn(1 if message.rows > 0 else -1)


def _key(entry: WallEntry) -> str:
    return str(entry.file.path)


def _joined(parts: Sequence[Spans]) -> Spans:
    return [span for part in parts for span in (*part, Span(" " * GAP_CELLS))][:-1]
