"""The viewer's app: the session screen and those above it, the theme, and what happens when something fails."""

import os
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
from textual.screen import Screen
from textual.worker import WorkerFailed
from typing_extensions import override

from tui.commands import APP_BINDINGS
from tui.session_view.screen import SessionScreen
from tui.settings import Settings
from tui.terminal.control_filter import ControlCharacterFilter
from tui.terminal.driver import stop_process_group
from tui.theme import THEMES

PRESENCE_EVENTS = (events.Key, events.Paste, events.MouseDown, events.MouseScrollDown, events.MouseScrollUp)
"""They show that the user is present; mouse movement does not."""


class Viewer(App[str]):
    """Shows one session at a time; exits with the requested next command: ``demo`` or nothing."""

    TITLE = "seqthink"
    ENABLE_COMMAND_PALETTE = False
    """Textual's own palette; ours is `PaletteScreen`."""
    BINDINGS: ClassVar[list[BindingType]] = [*APP_BINDINGS]

    def __init__(self, path: Path | None, settings: Settings) -> None:
        super().__init__(ansi_color=not THEMES[settings.theme].background)
        self._settings = settings
        self._control_filter = ControlCharacterFilter()  # shared: strips cache filter results by the filter's identity
        self.session_screen = SessionScreen(path, settings, host=self, fail=self._fail)
        self.failure: Exception | None = None

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
        """Run what a key is bound to at once, unless a widget has the focus; after exit, nothing."""
        if self._exit and isinstance(event, events.InputEvent | events.Paste | events.Resize):
            return
        if isinstance(event, PRESENCE_EVENTS):
            self.session_screen.note_input(event)
        if isinstance(event, events.Key) and not event.is_forwarded and await self._run_binding(event.key):
            return
        await super().on_event(event)

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
            await self.on_event(event.copy())

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

    def action_leave(self) -> None:
        """Quit, whatever is open."""
        self.exit()

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
        """Release the terminal to another program and take it back whatever happens; playback stands still meanwhile.

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
        self.session_screen.playback.skip_time(clock() - suspended_at)
        if failure is not None:
            raise failure
