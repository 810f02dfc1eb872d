"""Where a person goes from the screen, and how it looks: sessions, the editor, the palette, another theme."""

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
from seqthink.drawing.cells import width
from seqthink.errors import UsageError
from seqthink.loading import SessionTexts, load_journal
from seqthink.text import one_line
from tui.board import HELP
from tui.commands import Command, commands_for
from tui.driver import stop
from tui.editor import Copies, EditorError, edit, editor_command
from tui.exporting import OFFERED, write
from tui.screens.palette import PaletteScreen
from tui.screens.sessions import SessionsScreen
from tui.settings import Settings
from tui.shown import Shown
from tui.theme import THEMES
from tui.time_keys import TimeKeys
from tui.widgets.line_view import OneLine


class Going(TimeKeys):
    """The app as far as a person leaves what is shown, for a moment or for another session."""

    ENABLE_COMMAND_PALETTE = False
    """Textual's own: ours is a screen like the others."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "sessions", "sessions"),
        Binding("e,o", "editor", "open in the editor"),
        Binding("x", "choose_export", "export"),
        Binding("colon,ctrl+p", "palette", "palette"),
        Binding("ctrl+z", "suspend_process", "suspend", priority=True),
    ]

    class Exported(Message):
        """A session was written to a file, or could not be."""

        def __init__(self, said: str) -> None:
            super().__init__()
            self.said = said

    def __init__(self, shown: Shown, settings: Settings) -> None:
        super().__init__(shown, settings)
        self._before = ""
        self._is_chosen = False
        self._copies = Copies()

    # Sessions

    def action_sessions(self) -> None:
        """Choose another session; the one seen before this one is selected."""
        if self._settings.pipe is not None:
            self._shown.said = "what comes in on a pipe is the only session here"
            self._draw()
            return
        self.push_screen(
            SessionsScreen(
                self._settings, self._shown.announced or self._before, self.copy_to_clipboard, self._choose_export_of
            ),
            self._go_to_session,
        )

    def _go_to_session(self, path: Path | None) -> None:
        if path is not None:
            self.visit(path)

    def visit(self, path: Path) -> None:
        """Show the session that the person chose; a newer one does not take over from it."""
        self._is_chosen = True
        if path != self._shown.feed.path:
            self.open(path)

    def open(self, path: Path) -> None:
        """Leave the session that is shown, for the one at ``path``."""
        if path == self._shown.feed.path:
            return
        if self._shown.feed.path is not None:
            self._before = self._shown.feed.path.stem
        self._shown.is_reading = self._shown.is_text_active = False
        self._shown.said = ""

    # Exports

    def action_choose_export(self) -> None:
        """Choose in which format the session is written to a file."""
        feed = self._shown.feed
        if feed.texts is None or not feed.is_loaded:
            self._say("nothing to export yet" if feed.is_loaded else "it is still being read")
        else:
            texts = feed.texts.for_thread(feed.session)
            self._offer_formats(lambda: texts)

    def _choose_export_of(self, path: Path) -> None:
        self._offer_formats(lambda: load_journal(path, self._settings.decode))

    def _offer_formats(self, texts: Callable[[], SessionTexts]) -> None:
        def begin(command: Command | None) -> None:
            if command is not None:
                self._say(f"writing {command.hint}")
                self.run_worker(lambda: self._export(texts, command.hint), thread=True, group="export")

        self.push_screen(PaletteScreen(self._settings, OFFERED, with_sessions=False, label="export as"), begin)

    def _export(self, texts: Callable[[], SessionTexts], name: str) -> None:
        try:
            # quitting waits for the file, a signal or a failure does not
            path = write(texts(), name, Path.cwd(), is_cancelled=lambda: bool(self.return_code))
            said = f"wrote {one_line(path.name)}"
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            said = f"not written: {one_line(reason or str(error)).lower()}"
        self.post_message(self.Exported(said))

    def on_going_exported(self, message: Exported) -> None:
        """Say what became of it."""
        self._say(message.said)

    def _say(self, said: str) -> None:
        """Say on the screen that is seen what a key has done."""
        if isinstance(self.screen, SessionsScreen):
            self.screen.say(said)
        else:
            self._shown.said = said
            self._draw()

    # Editor

    def action_editor(self) -> None:
        """Open a copy of the selected thought in the person's editor."""
        texts, viewing = self._shown.feed.texts, self._shown.viewing
        if texts is None or viewing.session is None or viewing.thought == NONE:
            return
        number = viewing.session.number_of(viewing.thought)
        try:
            command = editor_command(os.environ)
            path = self._copies.make(texts.thought(viewing.thought), f"thought-{number}")
            with self.suspend():
                edit(command, path)
        except EditorError as error:
            self._shown.said = str(error)
        except (OSError, SuspendNotSupported) as error:
            self._shown.said = f"no editor here: {error}"
        else:
            self._shown.said = "back from the editor"
        self._draw()

    # The shell

    @override
    def action_suspend_process(self) -> None:
        """Give the terminal back to the shell until the person comes back (`fg`)."""
        try:
            with self.suspend():
                was_stopped = stop()
        except SuspendNotSupported:
            was_stopped = False
        if not was_stopped:
            self._say("no shell here to go back to")

    @override
    @contextmanager
    def suspend(self) -> Generator[None]:
        """Leave the terminal to another program, and come back whatever becomes of that; no playback goes on meanwhile.

        Raises:
            SuspendNotSupported: there is no terminal.
        """
        left_at, failure = self._now(), None
        with super().suspend():
            try:
                yield
            except Exception as error:  # noqa: BLE001 - raised below: Textual's own would leave the terminal for good
                failure = error
        self._shown.playback.skip(self._now() - left_at)
        if failure is not None:
            raise failure

    def on_unmount(self) -> None:
        """Leave no copies and no scans behind."""
        self._reset_find()
        self._copies.remove()

    # Palette and looks

    def action_palette(self) -> None:
        """Show everything that can be done here."""
        commands = commands_for(has_session=self._shown.viewing.session is not None)
        self.push_screen(PaletteScreen(self._settings, commands, with_sessions=self._settings.pipe is None), self._do)

    async def _do(self, command: Command | None) -> None:
        if command is None:
            return
        if command.session is not None:
            self.visit(command.session)
        else:
            await self.run_action(command.action)

    def action_wear(self, look: str) -> None:
        """Change the theme."""
        if os.environ.get("NO_COLOR"):
            self._shown.said = "NO_COLOR is set"
            self._draw()
            return
        self._settings = replace(self._settings, look=look)
        self.ansi_color = not THEMES[look].background
        self.screen_stack[0].styles.background = THEMES[look].background or "ansi_default"
        self._board.wear(self._settings)
        self._draw()

    def action_go_to_number(self, number: int) -> None:
        """Select the thought with a number."""
        self._shown.find.origin = self._shown.viewing.thought
        self._go_to_number(str(number))
        self._draw()

    def on_click(self, event: events.Click) -> None:
        """Show the signs and keys where that is written."""
        line = event.widget
        if isinstance(line, OneLine) and len(self.screen_stack) == 1:
            before, found, _ = line.text.rpartition(HELP)
            first = width(before)
            if found and first <= event.screen_x - line.region.x < first + len(HELP):
                self.action_help()
