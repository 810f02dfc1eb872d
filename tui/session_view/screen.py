"""The screen of a session: owns the view state and the widgets, and mounts the controllers that act on them."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, Protocol, runtime_checkable

from msgspec.structs import replace
from textual import events, getters
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from typing_extensions import override

from seqthink.drawing.text.cells import width
from seqthink.journal.follow import follow_stdin
from tui.commands import GLOBAL_KEYS, SESSION_BINDINGS, Command, commands_for
from tui.screens.help import HelpScreen
from tui.screens.palette import PaletteScreen
from tui.session_view.find import Find
from tui.session_view.loader import Loader
from tui.session_view.navigation import Navigation
from tui.session_view.note_entry import NoteEntry
from tui.session_view.playback_control import PlaybackControl
from tui.session_view.session_panes import HELP_HINT, SessionPanes
from tui.session_view.session_switcher import SessionSwitcher
from tui.session_view.sharing import Sharing
from tui.session_view.view import Result
from tui.session_view.view_state import ViewState
from tui.settings import Settings
from tui.sources.journal_feed import JournalFeed
from tui.state.viewport import Viewport
from tui.theme import THEMES
from tui.widgets.chain_tree import ChainTree
from tui.widgets.line_view import OneLine
from tui.widgets.scrubber import Scrubber


def _app_type() -> type[App[object]]:
    return App


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
        fail: ends the viewer with an error.
    """

    AUTO_FOCUS = ""
    """Nothing has the focus until a text is typed."""
    BINDINGS: ClassVar[list[BindingType]] = [*SESSION_BINDINGS]
    app = getters.app(_app_type)

    def __init__(self, path: Path | None, settings: Settings, *, fail: Callable[[Exception], None]) -> None:
        super().__init__()
        self._settings = settings
        self._state = ViewState(feed=JournalFeed(path), viewport=Viewport())
        self._panes = SessionPanes(settings)
        self.find = Find(self)
        self.notes = NoteEntry(self)
        self.navigation = Navigation(self, find=self.find)
        self.playback = PlaybackControl(self, find=self.find, navigation=self.navigation)
        self.sharing = Sharing(self)
        self.loader = Loader(
            self,
            playback=self.playback,
            find=self.find,
            notes=self.notes,
            after_arrivals=self._notice_end,
        )
        self.switcher = SessionSwitcher(self, loader=self.loader, sharing=self.sharing, fail=fail)
        self._panes.take_keys_for(self.find, self.notes)
        self._mount_actions()

    def _mount_actions(self) -> None:
        """Make the controllers' actions this screen's own, where Textual looks for those of `SESSION_BINDINGS`."""
        controllers = (self.find, self.notes, self.navigation, self.playback, self.sharing, self.switcher)
        for controller in controllers:
            for name, act in controller.actions.items():
                setattr(self, f"action_{name}", act)

    def _notice_end(self) -> None:
        self.switcher.notice_end()

    # What the controllers work with

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

    @property
    def is_ready(self) -> bool:
        """Whether everything available has been read and drawn."""
        return self.loader.is_ready

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
        if settings.pipe is not None:
            self.loader.read(follow_stdin(settings.pipe, decode=settings.decode))
        elif path is not None:
            self.loader.follow_journal(path)
        else:
            self.switcher.watch_folder()
        self.fit(*self.app.size)

    def on_unmount(self) -> None:
        """Cancel scans and delete temporary copies."""
        self.find.reset()
        self.sharing.remove_copies()

    def tick(self) -> None:
        """Call once a second: show what changed without an arrival."""
        view_state = self._state
        if self._settings.has_hung_up():
            self.leave()
            return
        self.loader.tick()
        self.switcher.tick()
        if view_state.viewport.session is None:
            self.redraw()
        elif not view_state.is_replay and view_state.feed.update_writer_state():
            self.loader.show_arrivals()
        elif self.notes.update_waiting():
            self.redraw()
        else:
            self.redraw_status()

    # Drawing

    @property
    def _can_draw(self) -> bool:
        # on exit, widgets are removed one by one, or were never mounted
        return self.is_running and self.app.return_code is None

    def redraw(self) -> None:
        """Draw everything."""
        if self._can_draw:
            self._panes.draw(self._state, *self.app.size)
        self.loader.record_draw()
        self.call_after_refresh(self.loader.record_paint)

    def redraw_status(self) -> None:
        """Draw the status line alone: its seconds move."""
        if self._can_draw:
            self._panes.draw_status(self._state, self.app.size.width)

    def highlight_new_rows(self, first_new: int) -> None:
        """Highlight rows of thoughts after the first ``first_new`` for a moment."""
        session = self._state.viewport.session
        if session is not None and self._settings.has_motion and self.is_running:
            self._panes.highlight_new_rows(first_new, session.thought_count)

    def fit(self, columns: int, rows: int) -> None:
        """Recompute the layout for a size of the terminal; selection and position stay."""
        if self._panes.is_mounted:
            self.loader.record_resize()
            self._panes.draw(self._state, columns, rows)

    def apply_theme(self, theme: str) -> None:
        """Change the theme."""
        self._settings = replace(self._settings, theme=theme)
        self._apply_background()
        self._panes.apply_settings(self._settings)
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
        visible = self.app.screen
        (visible if isinstance(visible, MessageScreen) else self).show_status_message(message)

    def note_input(self, event: events.Event) -> None:
        """Take notice of a key or of the mouse on any screen: the user is present, and has read the last message."""
        self.switcher.end_notice.acknowledge()
        if isinstance(event, events.Key) and event.key not in GLOBAL_KEYS:
            self._state.status_message = ""
            self._state.feed.clear_reread_remark()

    # The app

    @property
    def has_failed(self) -> bool:
        """Whether the viewer ends because of a failure or a signal."""
        return bool(self.app.return_code)

    def open_screen(self, screen: Screen[Result], callback: Callable[[Result | None], None]) -> None:
        """Open a screen above this one, and call back with what was chosen there."""
        self.app.push_screen(screen, callback)

    def copy(self, text: str) -> None:
        """Put a text on the clipboard."""
        self.app.copy_to_clipboard(text)

    def suspend(self) -> AbstractContextManager[None]:
        """Release the terminal to another program.

        Raises:
            SuspendNotSupported: there is no terminal.
        """
        return self.app.suspend()

    def leave(self, request: str = "") -> None:
        """End the viewer; ``request`` is the next command."""
        self.app.exit(request or None)

    # Other screens

    def action_palette(self) -> None:
        """Open the palette with all commands that apply here."""
        commands = commands_for(has_session=self._state.viewport.session is not None)
        self.app.push_screen(
            PaletteScreen(self._settings, commands, with_sessions=self._settings.pipe is None), self._run_command
        )

    async def _run_command(self, command: Command | None) -> None:
        if command is None:
            return
        if command.session is not None:
            self.switcher.choose(command.session)
        else:
            await self.run_action(command.action)

    def action_help(self) -> None:
        """Open the page of signs and keys."""
        self.app.push_screen(
            HelpScreen(self._settings.signs, self._settings.theme, *self.app.size, self._panes.drawn_text)
        )

    # The mouse

    def on_clickable_lines_clicked(self, message: ChainTree.Clicked) -> None:
        """Select the row, or open it."""
        self.navigation.click_line(message.line, is_double=message.is_double)

    def on_clickable_lines_scrolled(self, message: ChainTree.Scrolled) -> None:
        """Scroll the tree."""
        self.navigation.scroll(message.rows)

    def on_scrubber_seek_requested(self, message: Scrubber.SeekRequested) -> None:
        """Go to the thought under the mouse."""
        self.playback.seek_thought(message.index)

    def on_click(self, event: events.Click) -> None:
        """Open the help page on a click on its key hint."""
        line = event.widget
        if isinstance(line, OneLine):
            before, found, _ = line.text.rpartition(HELP_HINT)
            first = width(before)
            if found and first <= event.screen_x - line.region.x < first + len(HELP_HINT):
                self.action_help()
