"""The screen of a session: owns the view state and the widgets, and mounts the controllers that act on them."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

from msgspec.structs import replace
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingsMap, BindingType
from textual.screen import Screen
from typing_extensions import override

from seqthink.core.background import keep_running_sync
from seqthink.drawing.describe.now_line import Present
from seqthink.drawing.text.cells import width
from seqthink.library.catalog.folder_hints import FolderHints
from seqthink.library.catalog.journal_feed import JournalFeed
from tui.commands import GLOBAL_KEYS, SESSION_BINDINGS
from tui.screens import load_all
from tui.session_view.attention_watch import AttentionWatch
from tui.session_view.find import Find
from tui.session_view.health_watch import HealthWatch
from tui.session_view.loader import Loader
from tui.session_view.marking import Commenting, Marking
from tui.session_view.menus import Menus
from tui.session_view.navigation import Navigation
from tui.session_view.note_entry import NoteEntry
from tui.session_view.playback_control import PlaybackControl
from tui.session_view.read_marking import ReadMarking
from tui.session_view.session_finder import SessionFinder
from tui.session_view.session_panes import HELP_HINT, SessionPanes
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.sharing import Sharing
from tui.session_view.status_bars import shown_present
from tui.session_view.view import report
from tui.session_view.view_state import ViewState
from tui.session_view.wall_control import WallControl
from tui.sessions.picked_sessions import PickedSessions
from tui.settings import Settings
from tui.state.viewport import Viewport
from tui.theme import THEMES
from tui.widgets.chain_tree import ChainTree
from tui.widgets.line_view import DraggedLines, OneLine
from tui.widgets.map_view import MapView

MAX_REST_SECONDS = 1.0
"""How long what must not hold up the first rows of a session waits for them at most."""


@runtime_checkable
class MessageScreen(Protocol):
    """A screen with a place for status messages."""

    def show_status_message(self, message: str) -> None:
        """Show a status message."""
        ...


class SessionScreen(Screen[None], inherit_bindings=False):
    """Shows one session at a time.

    Args:
        path: the journal to begin with; None to choose one.
        settings: how sessions are shown.
        host: the app.
        fail: ends the viewer with an error.
    """

    AUTO_FOCUS = ""
    """Nothing has the focus until a text is typed."""
    BINDINGS: ClassVar[list[BindingType]] = [*SESSION_BINDINGS]

    def __init__(
        self, path: Path | None, settings: Settings, *, host: App[str], fail: Callable[[Exception], None]
    ) -> None:
        super().__init__()
        if settings.key_map.changed:
            self._bindings = BindingsMap(settings.key_map.bindings())
        self._host = host
        self._settings = settings
        self._state = ViewState(
            feed=JournalFeed(
                path, awaited_bytes=settings.catalog.session(path).awaited_bytes if path is not None else 0
            ),
            viewport=Viewport(),
            status_message=settings.beginning.message,
            landing=settings.beginning.landing,
        )
        self._panes = SessionPanes(settings)
        self._find = Find(self)
        self._health = HealthWatch(self, after_news=self._find.continue_scans)
        self._notes = NoteEntry(self)
        self._navigation = Navigation(self, find=self._find, come_back=self._come_back_to_wall)
        self.playback = PlaybackControl(self, find=self._find, navigation=self._navigation)
        self._sharing = Sharing(self)
        self.loader = Loader(
            self,
            playback=self.playback,
            find=self._find,
            notes=self._notes,
            after_arrivals=self._after_arrivals,
        )
        self._reading = ReadMarking(self)
        hints, picked = FolderHints(settings.catalog.hints()), PickedSessions()
        self.switcher = SessionSwitcher(
            self,
            loader=self.loader,
            sharing=self._sharing,
            reading=self._reading,
            hints=hints,
            fail=fail,
            picked=picked,
            compare=self._compare,
        )
        self.finder = SessionFinder(
            self, switcher=self.switcher, loader=self.loader, playback=self.playback, find=self._find
        )
        self.attention = AttentionWatch(self, hints)
        self.wall = WallControl(self, attention=self.attention, switcher=self.switcher, finder=self.finder)
        self._marking = Marking(self, finder=self.finder, sharing=self._sharing)
        self._commenting = Commenting(self, update_rows=self.playback.update_viewport)
        self._menus = Menus(self, switcher=self.switcher, finder=self.finder, picked=picked)
        self._panes.take_keys_for(self._find, self._notes, self._commenting)
        self._mount_actions()
        self._is_rest_begun = True

    def _mount_actions(self) -> None:
        """Make the controllers' actions this screen's own, where Textual looks for those of `SESSION_BINDINGS`."""
        moving = (self._find, self._navigation, self.playback)
        for controller in (
            *moving,
            self._notes,
            self._sharing,
            self.loader,
            self.switcher,
            self.wall,
            self._marking,
            self._commenting,
            self._menus,
        ):
            for name, act in controller.actions.items():
                setattr(self, f"action_{name}", act)

    def _come_back_to_wall(self) -> bool:
        return self.wall.come_back()

    def _compare(self, left: Path, right: Path) -> None:
        self._menus.compare(left, right)

    def _after_arrivals(self) -> None:
        self._begin_rest_late()
        self._marking.refresh()
        self.finder.land()
        self.switcher.notice_end()
        self._reading.look_on()
        self._health.look_on()

    # What the controllers work with

    @property
    def host(self) -> App[str]:
        """The app."""
        return self._host

    @property
    def state(self) -> ViewState:
        """What the screen depends on."""
        return self._state

    @property
    def settings(self) -> Settings:
        """How sessions are shown."""
        return self._settings

    @property
    def panes(self) -> SessionPanes:
        """The widgets."""
        return self._panes

    # Start and end

    @override
    def compose(self) -> ComposeResult:
        yield self._panes

    def on_mount(self) -> None:
        """Start reading and drawing."""
        settings, path = self._settings, self._state.feed.path
        self._apply_background()
        self.set_interval(1, self.tick)
        self.call_after_refresh(self.loader.record_first_frame)
        stream = settings.catalog.place_of(None).stream
        if stream is not None:
            self.loader.read(partial(stream, settings.decode))
        elif path is not None:
            self.loader.follow_journal(path)
        elif settings.named is not None:
            self._is_rest_begun = False
            self.call_after_refresh(self.switcher.open_named, settings.named)
        else:
            self._is_rest_begun = self.switcher.watch_folder()
            if not self._is_rest_begun:
                self.set_timer(MAX_REST_SECONDS, self._begin_rest_late)
        self._reading.open(self._state.feed.path)
        if settings.beginning.is_wall:
            self.wall.open_first()
        if self._is_rest_begun:
            self._begin_rest()
        self.fit(*self._host.size)

    def _begin_rest_late(self) -> None:
        """Begin the rest, and look for the sessions of other programs, unless that has begun."""
        if not self._is_rest_begun:
            self.call_after_refresh(self.switcher.follow_library)
            self._begin_rest()

    def _begin_rest(self) -> None:
        """Begin what must not hold up the first frame, nor the first rows of a session that is found after it."""
        self._is_rest_begun = True
        self.call_after_refresh(load_all)
        self.call_after_refresh(self.attention.start)

    def on_unmount(self) -> None:
        """Cancel scans and delete temporary copies."""
        self._find.reset()
        self._reading.write_now()
        self.attention.close()
        self._sharing.remove_copies()

    def tick(self) -> None:
        """Call once a second: show what changed without an arrival."""
        keep_running_sync(self._tick, "the clock", partial(report, self))

    def _tick(self) -> None:
        view_state = self._state
        if self._settings.has_hung_up():
            self._host.exit()
            return
        self.loader.tick()
        self.switcher.tick()
        self._reading.tick()
        if view_state.viewport.session is None:
            self.redraw()
        elif not view_state.is_replay and view_state.feed.update_writer_state():
            self.loader.show_arrivals()
        elif self._has_news_of_people or self._has_agents_at_work:
            self.redraw()
        else:
            self.redraw_status()

    @property
    def _has_news_of_people(self) -> bool:
        """Whether marks, comments, the session's name or waiting notes have changed; looks at them."""
        return self._marking.refresh() | self._commenting.refresh() | self._notes.update_waiting()

    @property
    def _has_agents_at_work(self) -> bool:
        """Whether the tree shows for how long subagents have been silent."""
        view_state, session = self._state, self._state.feed.session
        return session.is_alive and not view_state.has_playhead and session.agents.count > session.agents.fork_count

    # Drawing

    @property
    def _can_draw(self) -> bool:
        # on exit, widgets are removed one by one, or were never mounted
        return self.is_running and self._host.return_code is None

    @property
    def _present(self) -> Present | None:
        return shown_present(self._state, self._settings)

    @property
    def _is_covered(self) -> bool:
        """Whether the wall hides all of it: what arrives meanwhile is drawn when the wall is closed."""
        return self.wall.is_on_top

    def on_screen_resume(self) -> None:
        """Draw what arrived while it was covered."""
        self.redraw()

    def come_to_front(self) -> None:
        """Close the wall, if it is above."""
        if self.wall.is_on_top:
            self._host.pop_screen()

    def redraw(self) -> None:
        """Draw everything."""
        if self._is_covered:
            # waiting for a refresh would make one, of all that is above
            self.loader.record_draw()
            self.loader.record_paint()
            return
        if self._can_draw:
            self._draw(*self._host.size)
        self.loader.record_draw()
        self.call_after_refresh(self.loader.record_paint)

    def redraw_status(self) -> None:
        """Draw the status line alone: its seconds move."""
        if self._can_draw and not self._is_covered:
            self._panes.draw_status(self._state, self._present, self._host.size.width)

    def highlight_new_rows(self, first_new: int) -> None:
        """Highlight rows of thoughts after the first ``first_new`` for a moment."""
        session = self._state.viewport.session
        if session is not None and self._settings.has_motion and self.is_running:
            self._panes.highlight_new_rows(first_new, session.thought_count)

    def fit(self, columns: int, rows: int) -> None:
        """Recompute the layout for a size of the terminal; selection and position stay."""
        if self._can_draw and self._panes.is_mounted:
            self.loader.record_resize()
            self._draw(columns, rows)

    def _draw(self, columns: int, rows: int) -> None:
        session, texts = self._state.viewport.session, self._state.feed.texts
        if session is None or texts is None:
            self._panes.draw_waiting(self._state, self._present, columns, rows)
        else:
            self._panes.draw(self._state, session, texts, self._present, columns, rows)

    def apply_theme(self, theme: str) -> None:
        """Change the theme."""
        self._settings = replace(self._settings, theme=theme)
        self._apply_background()
        self._panes.apply_settings(self._settings)
        self.wall.apply_settings(self._settings)
        self.redraw()

    def _apply_background(self) -> None:
        self.styles.background = THEMES[self._settings.theme].background or "ansi_default"

    # Messages

    def show_status_message(self, message: str) -> None:
        """Show a status message on this screen, until the next key."""
        self._state.status_message = message
        self.redraw()

    def announce(self, message: str) -> None:
        """Show a status message on the visible screen."""
        visible = self._host.screen
        (visible if isinstance(visible, MessageScreen) else self).show_status_message(message)

    def note_input(self, event: events.Event) -> None:
        """Take notice of a key or of the mouse on any screen: the user is present, and has read the last message."""
        self.switcher.end_notice.acknowledge()
        self._reading.acknowledge()
        self.attention.note_presence()
        if isinstance(event, events.Key) and event.key not in GLOBAL_KEYS:
            self._state.status_message = ""
            self._state.feed.clear_passing_remark()

    # The mouse

    def on_clickable_lines_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row, or open it."""
        self._navigation.click_line(message.line, is_double=message.is_double)

    def on_clickable_lines_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Scroll the tree."""
        self._navigation.scroll(message.rows)

    def on_dragged_lines_pointed(self, message: DraggedLines.Pointed) -> None:
        """Go to the row or the thought under the mouse."""
        go_to = self._navigation.go_to_row if isinstance(message.view, MapView) else self.playback.seek_thought
        go_to(message.place)

    def on_click(self, event: events.Click) -> None:
        """Open the help page on a click on its key hint."""
        line = event.widget
        if isinstance(line, OneLine):
            before, found, _ = line.text.rpartition(HELP_HINT)
            first = width(before)
            if found and first <= event.screen_x - line.region.x < first + len(HELP_HINT):
                self._menus.open_help()
