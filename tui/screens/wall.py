"""The wall: live sessions side by side, each in its place (docs/screens.md, "The wall")."""

import socket
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.timer import Timer
from typing_extensions import override

from seqthink.chain.overview.states import ShownState, shown_state
from seqthink.drawing.describe import units
from seqthink.drawing.describe.now_line import now_line
from seqthink.drawing.panels.help_page import HelpSection
from seqthink.drawing.panels.wall import (
    GAP_CELLS,
    MAX_NUMBER,
    WallCount,
    WallTile,
    draw_tile,
    empty_wall_lines,
    shares,
    wall_heading,
    wall_keys,
    wall_tile,
)
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans
from tui.screens.help import HelpScreen
from tui.settings import Settings
from tui.sources.session_board import BoardEntry, SessionBoard
from tui.state.wall_places import WallGrid, WallPlaces, WallSession, wall_grid
from tui.theme import THEMES
from tui.widgets.line_view import LineView, OneLine, PickList
from tui.widgets.punctual import punctual

FRAME_SECONDS = 1 / 5
"""The shortest time between two drawings of arrivals."""
MAX_WAIT_SECONDS = 5.0
"""How long the first drawing waits, at most, until all sessions have been looked at."""
MIN_HEIGHT_WITH_KEYS = 8
KEYS = (
    ("1-9", "open"),
    ("!", "next"),
    ("s", "list"),
    ("q", "back"),
    ("?", "help"),
    ("F", "find"),
    ("Enter", "open"),
)
HELP = (
    ("1-9", "open the tile with this key"),
    ("Enter", "open the selected tile"),
    ("!", "open the next that needs you"),
    ("arrows", "move, as h j k l do"),
    ("PgUp PgDn", "a page up, down"),
    ("s", "the list of sessions"),
    ("F", "find in all sessions"),
    ("Esc w", "the session on the screen"),
    ("q", "back; where it began, quit"),
)


class WallScreen(Screen[None], inherit_bindings=False):
    """Shows what is on the board, each session in its place.

    Args:
        host: the app.
        settings: how sessions are shown.
        board: the sessions; its owner refreshes it, and calls `show_board` then.
        places: where the sessions stand; kept by the owner while the wall is closed.
        is_unread: tells whether a session has thoughts that nobody has read.
        zoom: shows the session at a path, and closes the wall.
        zoom_next: shows the next session that needs the user, if any, and closes the wall.
        leave: closes the wall, or the viewer; told whether the user wants to quit.
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
        board: SessionBoard,
        places: WallPlaces,
        *,
        is_unread: Callable[[BoardEntry], bool],
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
        self._board = board
        self._places = places
        self._is_unread = is_unread
        self._zoom = zoom
        self._zoom_next = zoom_next
        self._leave = leave
        self._open_list = open_list
        self._open_find = open_find
        self._close = close
        self._trouble = trouble
        self._known: tuple[BoardEntry, ...] | None = None
        self._host_name = socket.gethostname()
        self._grid = WallGrid(1, 1)
        self._entries: dict[str, BoardEntry] = {}
        self._drawn: dict[tuple[int, int, int], tuple[WallTile | None, list[Spans]]] = {}
        self._tiles: dict[int, tuple[BoardEntry, tuple[object, ...], bool, WallTile]] = {}
        self._opened_at = monotonic()
        self._drawn_at = 0.0
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
        """Tell the owner."""
        self._close()

    def apply_theme(self, settings: Settings) -> None:
        """Draw with the theme of these settings."""
        self._settings = settings
        self.styles.background = THEMES[settings.theme].background or "ansi_default"
        for view in self.query(LineView):
            view.theme_name = settings.theme
            view.redraw()

    @property
    def is_ready(self) -> bool:
        """Whether each session was read at least by its end, and is drawn."""
        return self._is_settled

    def show_board(self) -> None:
        """Draw what is new on the board, but not too often."""
        if self._board.entries is self._known and self._board.is_settled == self._is_settled:
            return
        wait = self._drawn_at + FRAME_SECONDS - monotonic()
        if wait <= 0:
            self._draw()
        elif self._frame_timer is None:
            self._frame_timer = punctual(self.set_timer(wait, self._draw))

    def _tick(self) -> None:
        """Draw if time alone has changed what a tile in view says, or the engine of the fleet came or went."""
        has_news = not self._is_settled or self._said_trouble != self._trouble()
        if has_news or any(known[1] != self._ages(known[0]) for known in self._tiles.values()):
            self._draw()

    # Drawing

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._drawn.clear()
        self._draw()

    def on_screen_resume(self) -> None:
        """Draw what came while another screen was above."""
        self._draw()

    @property
    def _may_place(self) -> bool:
        """Whether sessions may be given places: they get them by their start, so all of them have to be known first."""
        is_late = monotonic() - self._opened_at > MAX_WAIT_SECONDS
        return self._board.is_read or bool(self._places.keys) or is_late

    @property
    def _can_draw(self) -> bool:
        """Whether the screen is shown with all its parts: the board has news before they are there and after, too."""
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
        self._drawn_at = monotonic()
        self._is_settled = self._board.is_settled
        self._known = entries = self._board.entries
        self._entries = {_key(entry): entry for entry in entries}
        self._place(entries)
        self.query_one("#foot").display = self.size.height >= MIN_HEIGHT_WITH_KEYS
        self._show(entries)

    def _place(self, entries: tuple[BoardEntry, ...]) -> None:
        cells, wanted = self.size.width, self._settings.wall
        most = wall_grid(cells, self._height, 1 << 20, wanted)
        sessions = [
            WallSession(_key(entry), is_over=entry.is_over, may_leave=entry.is_over and not self._is_unread(entry))
            for entry in entries
        ]
        self._places.update(sessions, most.places)
        self._grid = wall_grid(cells, self._height, self._places.most_used, wanted)

    def _show(self, entries: tuple[BoardEntry, ...]) -> None:
        cells, signs, places, grid = self.size.width, self._settings.signs, self._places, self._grid
        page = places.page_of_selection(grid)
        on_page = places.on_page(page, grid)
        first = page * grid.places
        shown = {first + number for number, key in enumerate(on_page) if key is not None}
        self._tiles = {place: known for place, known in self._tiles.items() if place in shown}
        self._board.prioritise([self._entries[key].file.path for key in on_page if key is not None])
        hidden = [entry for key, entry in self._entries.items() if key in places.keys and key not in on_page]
        count = WallCount(
            states=tuple(map(self._state, entries)),
            page=page,
            pages=places.pages(grid),
            hidden=len(hidden),
            needing=sum(entry.standing.needs_person for entry in hidden),
            trouble=self._trouble(),
        )
        self.query_one("#head", OneLine).show(wall_heading(count, cells, signs))
        lines = self._tile_lines(on_page) if entries else empty_wall_lines(cells) if self._board.is_settled else []
        self._said_trouble = count.trouble
        self.query_one(PickList).show(lines, -1)
        message = Span(self._status_message, Role.MUTED)
        self.query_one("#foot", OneLine).show(wall_keys(KEYS, message, cells))

    def _tile_lines(self, keys: tuple[str | None, ...]) -> list[Spans]:
        """Return the lines of a page; tiles that did not change are not drawn again."""
        grid, cells, lines = self._grid, self.size.width, list[Spans]()
        widths = shares(cells - GAP_CELLS * (grid.columns - 1), grid.columns)
        for row, rows in enumerate(shares(self._height, grid.rows)):
            places = range(row * grid.columns, (row + 1) * grid.columns)
            drawn = [self._drawn_tile(keys[place], place, widths[place % grid.columns], rows) for place in places]
            for parts in zip(*drawn, strict=True):
                lines.append([span for part in parts for span in (*part, Span(" " * GAP_CELLS))][:-1])
        return lines

    def _drawn_tile(self, key: str | None, place: int, cells: int, rows: int) -> list[Spans]:
        tile = self._tile(self._entries[key], place) if key is not None else None
        drawn = self._drawn.get((place, cells, rows))
        if drawn is None or (drawn[0] is not tile and drawn[0] != tile):
            is_band = self._grid.columns == 1 and self.size.width < NARROW_BELOW_CELLS
            drawn = tile, draw_tile(tile, cells, rows, self._settings.signs, is_band=is_band)
            self._drawn[place, cells, rows] = drawn
        return drawn[1]

    def _tile(self, entry: BoardEntry, place: int) -> WallTile:
        """Return the tile of an entry, the same as long as nothing that it says changed."""
        is_selected, ages = _key(entry) == self._places.selected_key, self._ages(entry)
        known = self._tiles.get(place)
        if known is None or known[0] is not entry or known[1:3] != (ages, is_selected):
            tile = wall_tile(
                entry.session,
                entry.standing,
                name=entry.name,
                newest=entry.newest,
                changed=entry.changed,
                now=self._settings.clock(),
                stale_seconds=self._settings.stale,
                signs=self._settings.signs,
                number=place + 1 if place < MAX_NUMBER else 0,
                is_selected=is_selected,
                host=self._host_name,
                machine=entry.machine,
                trouble=entry.trouble,
            )
            known = self._tiles[place] = entry, ages, is_selected, tile
        return known[3]

    def _ages(self, entry: BoardEntry) -> tuple[object, ...]:
        """Return what time alone changes in a tile."""
        now = self._settings.clock()
        doing = now_line(entry.session, entry.standing, now, self._settings.stale)
        return units.age(now, entry.changed), units.age(now, entry.standing.since), self._state(entry), doing

    def _state(self, entry: BoardEntry) -> ShownState:
        return shown_state(entry.standing, self._settings.clock(), self._settings.stale)

    def show_status_message(self, message: str) -> None:
        """Show a status message; the next key clears it."""
        self._status_message = message
        self._draw()

    # Keys and mouse

    def on_key(self) -> None:
        """Clear the last status message."""
        self._status_message = ""

    def action_move(self, columns: int, rows: int) -> None:
        """Move the selection."""
        self._places.move(columns, rows, self._grid)
        self._draw()

    def action_turn(self, pages: int) -> None:
        """Turn to another page."""
        self._places.turn(pages, self._grid)
        self._draw()

    def action_zoom(self, number: int) -> None:
        """Open the session with this number on the page."""
        page = self._places.page_of_selection(self._grid)
        if number <= self._grid.places and self._places.select_place(page * self._grid.places + number - 1):
            self.action_zoom_selected()
        else:
            self.show_status_message(f"no tile {number} here")

    def action_zoom_selected(self) -> None:
        """Open the selected session, if it still exists."""
        entry = self._entries.get(self._places.selected_key or "")
        if entry is None or not self.is_current:
            return
        if self._settings.catalog.is_there(entry.file.path):
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
        grid, line, column = self._grid, message.line, message.column
        row = next((row for row, end in enumerate(_ends(shares(self._height, grid.rows))) if line < end), 0)
        widths = [width + GAP_CELLS for width in shares(self.size.width - GAP_CELLS * (grid.columns - 1), grid.columns)]
        place = next((place for place, end in enumerate(_ends(widths)) if column < end), 0) + row * grid.columns
        if self._places.select_place(self._places.page_of_selection(grid) * grid.places + place):
            self._draw()
            if message.is_double:
                self.action_zoom_selected()

    def on_clickable_lines_scrolled(self, message: PickList.Scrolled) -> None:
        """Turn the page with the mouse wheel."""
        message.stop()
        self.action_turn(1 if message.rows > 0 else -1)


def _key(entry: BoardEntry) -> str:
    return str(entry.file.path)


def _ends(lengths: list[int]) -> list[int]:
    return [sum(lengths[: number + 1]) for number in range(len(lengths))]
