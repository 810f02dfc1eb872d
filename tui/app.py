"""The viewer's app: the session screen and those above it, the theme, and what happens when something fails."""

import os
import sys
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from textual import events
from textual.actions import ActionParseResult
from textual.app import App, SuspendNotSupported
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.filter import LineFilter
from textual.geometry import Size
from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import WorkerFailed
from typing_extensions import override

from tui.commands import APP_BINDINGS
from tui.session_view.screen import SessionScreen
from tui.settings import Settings
from tui.terminal.control_filter import ControlCharacterFilter
from tui.terminal.process_signals import stop_process_group
from tui.theme import THEMES

MOUSE_EVENTS = (events.MouseDown, events.MouseScrollDown, events.MouseScrollUp)
"""They show, as keys and pastes do, that the user is present; mouse movement does not."""
SETTLING_ROUNDS = 3
"""A key closes a line, the line's screen hears of it and closes, and what was chosen there opens something else."""
SETTLING_SECONDS, MAX_SETTLING_CHECKS = 0.5, 20
"""When it is checked again whether a key's widget was removed meanwhile. After this many checks the key is handled."""


class Viewer(App[str]):
    """Shows one session at a time; exits with the requested next command: ``demo`` or nothing."""

    TITLE = "seqthink"
    ENABLE_COMMAND_PALETTE = False
    """Textual's own palette; ours is `PaletteScreen`."""
    BINDINGS: ClassVar[list[BindingType]] = [*APP_BINDINGS]

    class Settled(Message):
        """Follows a key through the queues of the widgets that may handle it, up to the app."""

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.theme].background)
        self._settings = settings
        self._control_filter = ControlCharacterFilter()  # shared: strips cache filter results by the filter's identity
        self.session_screen = SessionScreen(path, settings, host=self, fail=self._fail)
        self.failure: Exception | None = None
        self._typed = deque[events.Key | events.Paste]()
        self._settling_rounds = 0
        self._settling_timer: Timer | None = None
        self._settling_checks = 0
        self._settling_widget: MessagePump = self

    @property
    def is_ready(self) -> bool:
        """Whether everything available has been read and drawn."""
        return self.session_screen.loader.is_ready

    @override
    def get_default_screen(self) -> Screen[None]:
        return self.session_screen

    @override
    def get_line_filters(self) -> Sequence[LineFilter]:
        """Add the filter that keeps control characters from the terminal."""
        return [*super().get_line_filters(), self._control_filter]

    # Failures

    @override
    def _handle_exception(self, error: Exception) -> None:
        """Restore the terminal and keep the error: Textual's own report would show thoughts, unsanitised."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self._fail(error.error if isinstance(error, WorkerFailed) and isinstance(error.error, Exception) else error)

    def _fail(self, error: Exception) -> None:
        self.failure = self.failure or error
        self.exit(return_code=1)

    # Input

    @override
    async def on_event(self, event: events.Event) -> None:
        """Route keys and pastes in their order; after exit, nothing."""
        if self._exit and isinstance(event, events.InputEvent | events.Paste | events.Resize):
            return
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.append(event)
            await self._route_typed()
            return
        if isinstance(event, MOUSE_EVENTS):
            self.session_screen.note_input(event)
        await super().on_event(event)

    async def _route_typed(self) -> None:
        """Run what a key is bound to at once, unless a widget has the focus.

        Another key goes to its widget, and the next one waits until that has had all its effects.
        """
        while self._typed and not self._settling_rounds and not self._exit:
            event = self._typed.popleft()
            self.session_screen.note_input(event)
            if isinstance(event, events.Key) and await self._run_binding(event.key):
                continue
            await super().on_event(event)
            self._settling_rounds = SETTLING_ROUNDS
            self._settling_checks = 0
            self._settling_timer = self.set_interval(SETTLING_SECONDS, self._check_settling)
            self._follow_key()

    def _follow_key(self) -> None:
        if not self.screen_stack:  # the viewer is being left
            return
        self._settling_widget = self.focused or self.screen
        self._settling_widget.post_message(self.Settled())

    async def _check_settling(self) -> None:
        """Route the next key if the widget is gone that the last one is followed through.

        A widget that is there answers in time, which on a busy machine may be long: keys typed ahead wait for it.
        """
        self._settling_checks += 1
        if not self._settling_widget.is_running or self._settling_checks >= MAX_SETTLING_CHECKS:
            await self._stop_settling()

    async def on_viewer_settled(self) -> None:
        """Follow the key's effects once more, or route the next one."""
        if self._settling_rounds > 1:
            self._settling_rounds -= 1
            self._follow_key()
        elif self._settling_rounds:
            await self._stop_settling()

    async def _stop_settling(self) -> None:
        self._settling_rounds = 0
        if self._settling_timer is not None:
            self._settling_timer.stop()
        await self._route_typed()

    async def _run_binding(self, key: str) -> bool:
        """Run what a key is bound to on the session screen while nothing has the focus; return whether it is bound.

        Textual would pass the key to the screen first, and get it back. Keys that follow at once would then miss the
        input that it opens.
        """
        screen = self.session_screen
        if not (self.app_focus and screen.is_active and screen.is_mounted and screen.focused is None):
            return False
        return await self._check_bindings(key, priority=True) or await self._check_bindings(key)

    async def on_key(self, event: events.Key) -> None:
        """Route a key again that the focused input would have used: it was typed before that had the focus."""
        focused = self.focused
        if focused is not None and focused.check_consume_key(event.key, event.character):
            await super().on_event(event.copy())

    def on_paste(self, event: events.Paste) -> None:
        """Route a paste again that came before an input had the focus; ignore others: a paste never acts as keys."""
        focused = self.focused
        if focused is not None and focused.allow_focus():
            focused.post_message(event)
        else:
            self.session_screen.announce("paste ignored")

    def on_resize(self, event: events.Resize) -> None:
        """Fit the session into the terminal, also behind another screen."""
        self.session_screen.fit(*event.size)

    @override
    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Run an action unless the app is exiting: a screen opened now would never be mounted."""
        return not self._exit and await super().run_action(action, default_namespace, namespaces)

    # Actions

    def write_to_terminal(self, sequence: str) -> None:
        """Write a sequence that draws nothing, such as a title or a bell."""
        if self._driver is not None and not self._exit:
            self._driver.write(sequence)
            self._driver.flush()

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

    def action_find_texts(self) -> None:
        """Search the texts of all sessions."""
        self.session_screen.finder.open()

    def action_show_wall(self) -> None:
        """Show the wall, in place of what is open above the session."""
        self.session_screen.wall.show()

    def action_set_theme(self, theme: str) -> None:
        """Change the theme."""
        if os.environ.get("NO_COLOR"):
            self.session_screen.show_status_message("NO_COLOR is set")
            return
        self.ansi_color = not THEMES[theme].background
        self.session_screen.apply_theme(theme)

    @override
    def action_suspend_process(self) -> None:
        """Return to the shell until the user resumes the viewer (`fg`)."""
        try:
            with self.suspend():
                was_stopped = stop_process_group()
        except SuspendNotSupported:
            was_stopped = False
        if not was_stopped:
            self.session_screen.announce("no shell to return to")

    @override
    @contextmanager
    def suspend(self) -> Generator[None]:
        """Release the terminal to another program and take it back whatever happens; playback pauses meanwhile.

        Raises:
            SuspendNotSupported: there is no terminal.
        """
        clock = self._settings.playback_clock
        suspended_at, failure = clock(), None
        with super().suspend():
            try:
                yield
            except Exception as error:  # noqa: BLE001 - raised below: inside, Textual would not take the terminal back
                failure = error
            self._adopt_terminal_size()
        self.session_screen.playback.skip_time(clock() - suspended_at)
        self.session_screen.attention.retitle()
        if failure is not None:
            raise failure

    def _adopt_terminal_size(self) -> None:
        """Fit into a terminal that was resized meanwhile, before the first frame: the driver would say so too late."""
        try:
            size = Size(*os.get_terminal_size(sys.__stderr__.fileno() if sys.__stderr__ is not None else 2))
        except OSError:
            return
        if size != self.size:
            resize = events.Resize(size, size)
            self.post_message(resize)
            self.screen.post_message(resize)
