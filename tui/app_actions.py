"""Actions that open something else: sessions, palette, help, editor, shell, export; and the theme."""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.message import Message
from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.drawing.text.cells import width
from seqthink.errors import UsageError
from seqthink.loading import SessionTexts, load_journal
from seqthink.text import one_line
from tui.screens.commands import Command, commands_for
from tui.screens.palette import PaletteScreen
from tui.screens.sessions import SessionsScreen
from tui.session_view.export_action import OFFERED_FORMATS, write_export
from tui.session_view.playback_actions import PlaybackActions
from tui.session_view.session_panes import HELP_HINT
from tui.settings import Settings
from tui.state.view_state import ViewState
from tui.terminal.driver import stop_process_group
from tui.terminal.external_editor import EditorError, TemporaryCopies, editor_command, run_editor
from tui.theme import THEMES
from tui.widgets.line_view import OneLine


class AppActions(PlaybackActions):
    """The layer of the app whose actions leave the current view for something else."""

    ENABLE_COMMAND_PALETTE = False
    """Textual's own palette; ours is `PaletteScreen`."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sessions", "sessions"),
        Binding("e,o", "editor", "open in the editor"),
        Binding("x", "choose_export", "export"),
        Binding("colon,ctrl+p", "palette", "palette"),
        Binding("ctrl+z", "suspend_process", "suspend", priority=True),
    ]

    class Exported(Message):
        """A session was exported, or the export failed; ``text`` is the message to show."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, view_state: ViewState, settings: Settings) -> None:
        super().__init__(view_state, settings)
        self._previous_session = ""
        self._is_session_chosen = False
        self._copies = TemporaryCopies()

    # Sessions

    def action_sessions(self) -> None:
        """Open the list of sessions, with the announced or the previous session selected."""
        if self._settings.pipe is not None:
            self._view_state.status_message = "a piped journal is the only session here"
            self._draw()
            return
        self.push_screen(
            SessionsScreen(
                self._settings,
                self._view_state.announced_id or self._previous_session,
                self.copy_to_clipboard,
                self._choose_export_of,
            ),
            self._go_to_session,
        )

    def _go_to_session(self, path: Path | None) -> None:
        if path is not None:
            self.choose_session(path)

    def choose_session(self, path: Path) -> None:
        """Show the session that the user chose; newer ones no longer replace it automatically."""
        self._is_session_chosen = True
        if path != self._view_state.feed.path:
            self.open_session(path)

    def open_session(self, path: Path) -> None:
        """Switch to the session at ``path``."""
        if path == self._view_state.feed.path:
            return
        if self._view_state.feed.path is not None:
            self._previous_session = self._view_state.feed.path.stem
        self._view_state.is_reading = self._view_state.is_text_active = False
        self._view_state.status_message = ""

    # Exports

    def action_choose_export(self) -> None:
        """Choose an export format for the current session."""
        feed = self._view_state.feed
        if feed.texts is None or not feed.is_loaded:
            self._show_status_message("nothing to export yet" if feed.is_loaded else "it is still loading")
        else:
            texts = feed.texts.for_thread(feed.session)
            self._offer_formats(lambda: texts)

    def _choose_export_of(self, path: Path) -> None:
        self._offer_formats(lambda: load_journal(path, self._settings.decode))

    def _offer_formats(self, texts: Callable[[], SessionTexts]) -> None:
        def start(command: Command | None) -> None:
            if command is not None:
                self._show_status_message(f"writing {command.hint}")
                self.run_worker(lambda: self._export(texts, command.hint), thread=True, group="export")

        self.push_screen(PaletteScreen(self._settings, OFFERED_FORMATS, with_sessions=False, label="export as"), start)

    def _export(self, texts: Callable[[], SessionTexts], name: str) -> None:
        try:
            # quitting waits for the file; a signal or a failure does not
            path = write_export(texts(), name, Path.cwd(), is_cancelled=lambda: bool(self.return_code))
            message = f"wrote {one_line(path.name)}"
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            message = f"not written: {one_line(reason or str(error)).lower()}"
        self.post_message(self.Exported(message))

    def on_app_actions_exported(self, message: Exported) -> None:
        """Show the result of an export."""
        self._show_status_message(message.text)

    # Editor

    def action_editor(self) -> None:
        """Open a copy of the selected thought in the user's editor."""
        texts, viewport = self._view_state.feed.texts, self._view_state.viewport
        if texts is None or viewport.session is None or viewport.thought == NONE:
            return
        number = viewport.session.thoughts.number_of(viewport.thought)
        try:
            command = editor_command(os.environ)
            path = self._copies.write(texts.thought(viewport.thought), f"thought-{number}")
            with self.suspend():
                run_editor(command, path)
        except EditorError as error:
            self._view_state.status_message = str(error)
        except (OSError, SuspendNotSupported) as error:
            self._view_state.status_message = f"no editor here: {error}"
        else:
            self._view_state.status_message = "back from the editor"
        self._draw()

    # The shell

    @override
    def action_suspend_process(self) -> None:
        """Return to the shell until the user resumes the viewer (`fg`)."""
        try:
            with self.suspend():
                was_stopped = stop_process_group()
        except SuspendNotSupported:
            was_stopped = False
        if not was_stopped:
            self._show_status_message("no shell to return to")

    @override
    @contextmanager
    def suspend(self) -> Generator[None]:
        """Release the terminal to another program and take it back whatever happens; playback stands still meanwhile.

        Raises:
            SuspendNotSupported: there is no terminal.
        """
        suspended_at, failure = self._now(), None
        with super().suspend():
            try:
                yield
            except Exception as error:  # noqa: BLE001 - raised below: inside, Textual would not take the terminal back
                failure = error
        self._view_state.playback.skip_time(self._now() - suspended_at)
        if failure is not None:
            raise failure

    def on_unmount(self) -> None:
        """Cancel scans and delete temporary copies."""
        self._reset_search()
        self._copies.remove()

    # Palette and looks

    def action_palette(self) -> None:
        """Open the palette with all commands that apply here."""
        commands = commands_for(has_session=self._view_state.viewport.session is not None)
        self.push_screen(
            PaletteScreen(self._settings, commands, with_sessions=self._settings.pipe is None), self._run_command
        )

    async def _run_command(self, command: Command | None) -> None:
        if command is None:
            return
        if command.session is not None:
            self.choose_session(command.session)
        else:
            await self.run_action(command.action)

    def action_set_theme(self, theme: str) -> None:
        """Change the theme."""
        if os.environ.get("NO_COLOR"):
            self._view_state.status_message = "NO_COLOR is set"
            self._draw()
            return
        self._settings = replace(self._settings, theme=theme)
        self.ansi_color = not THEMES[theme].background
        self.screen_stack[0].styles.background = THEMES[theme].background or "ansi_default"
        self._panes.apply_settings(self._settings)
        self._draw()

    def action_go_to_number(self, number: int) -> None:
        """Select the thought with a number."""
        self._view_state.search.start_thought = self._view_state.viewport.thought
        self._go_to_number(str(number))
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Open the help page on a click on its key hint."""
        line = event.widget
        if isinstance(line, OneLine) and len(self.screen_stack) == 1:
            before, found, _ = line.text.rpartition(HELP_HINT)
            first = width(before)
            if found and first <= event.screen_x - line.region.x < first + len(HELP_HINT):
                self.action_help()
