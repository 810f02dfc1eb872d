"""The wall beside the session: opened by a key or first of all, and come back to from a session opened there."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from seqthink.core.text import one_line
from tui.session_view.attention_watch import AttentionWatch
from tui.session_view.session_finder import SessionFinder
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.view import View
from tui.sessions.wall_sessions import WallEntry
from tui.settings import Settings
from tui.state.wall_places import WallPlaces

if TYPE_CHECKING:
    from tui.screens.wall import WallScreen  # loaded when it is opened


class WallControl:
    """Opens the wall, and knows what lies behind it.

    Args:
        view: the session screen.
        attention: watches the sessions on the wall.
        switcher: shows the session that the user chooses.
        finder: finds texts in all sessions.
    """

    def __init__(
        self, view: View, *, attention: AttentionWatch, switcher: SessionSwitcher, finder: SessionFinder
    ) -> None:
        self._view = view
        self._attention = attention
        self._switcher = switcher
        self._finder = finder
        self._places = WallPlaces()
        self._wall: WallScreen | None = None

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"wall": self.open}

    @property
    def is_on_top(self) -> bool:
        """Whether the wall is the visible screen."""
        return self._wall is not None and self._view.host.screen is self._wall

    def open_first(self) -> None:
        """Open the wall before any session."""
        self._view.state.has_wall_behind = True
        self.open()

    def open(self) -> None:
        """Open the wall, with the session on the screen selected."""
        view = self._view
        if not view.settings.catalog.is_list or view.settings.is_replay:
            view.show_status_message("the wall shows live sessions; this is another")
            return
        from tui.screens.wall import WallScreen  # noqa: PLC0415 - see above

        path = view.state.feed.path
        if path is not None:
            self._places.select(str(path))
        self._wall = wall = WallScreen(
            view.host,
            view.settings,
            self._attention.wall,
            self._places,
            is_unread=self._is_unread,
            zoom=self._zoom,
            zoom_next=self._zoom_next,
            leave=self._leave,
            open_list=self._switcher.open_list,
            open_find=self._finder.open,
            close=self._attention.close_wall,
            trouble=self._trouble,
        )
        view.host.push_screen(wall)
        self._attention.open_wall(wall.show_sessions)

    def apply_settings(self, settings: Settings) -> None:
        """Draw the wall with other settings, if it is open."""
        if self._wall is not None and self._wall in self._view.host.screen_stack:
            self._wall.apply_theme(settings)

    def _trouble(self) -> str:
        settings = self._view.settings
        return one_line(self._view.state.troubles.text) or settings.catalog.trouble(settings.zone)

    def show(self) -> None:
        """Close what is above the wall or the session, and open the wall if it is not."""
        host = self._view.host
        while not (self._view.is_active or self.is_on_top):
            host.pop_screen()
        if self._view.is_active:
            self.open()

    def come_back(self) -> bool:
        """Open the wall again if the session was opened there; return whether it was."""
        if self._view.state.has_wall_behind:
            self.open()
        return self._view.state.has_wall_behind

    def _zoom(self, path: Path) -> None:
        self._view.state.has_wall_behind = True
        self._switcher.choose(path)

    def _zoom_next(self) -> None:
        if self._switcher.go_to_next():
            self._view.state.has_wall_behind = True

    def _leave(self, quits: bool) -> None:
        """Show the session again; where there is none, or `q` is pressed on a wall that lies behind it, quit."""
        host, has_session = self._view.host, self._view.state.feed.path is not None
        if quits and self._view.state.has_wall_behind:
            host.exit()
        elif has_session or not self._view.state.has_wall_behind:
            host.pop_screen()
            self._view.redraw()
        elif self._wall is not None and self.is_on_top:
            self._wall.show_status_message("q quits")

    def _is_unread(self, entry: WallEntry) -> bool:
        key = str(entry.file.path)
        return any(need.key == key and need.is_unread for need in self._view.state.folder.needs)
