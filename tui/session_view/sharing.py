"""Taking texts out of the viewer: the clipboard, an export to a file, a copy in the user's editor."""

import asyncio
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from textual.app import SuspendNotSupported

from seqthink.chain.model import NONE
from seqthink.core.errors import UsageError
from seqthink.core.text import SafeText, one_line, sanitize
from seqthink.drawing.describe.asides import aside_text
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import load_journal
from tui.commands import Command
from tui.session_view.view import View, run_task
from tui.terminal.clipboard import TERMINAL_ANSWER, TMUX_ANSWER, copy_to_tmux, is_in_tmux
from tui.terminal.external_editor import EditorError, TemporaryCopies, editor_command, run_editor


class Sharing:
    """Copies, exports, and hands texts to the editor."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._copies = TemporaryCopies()

    @property
    def actions(self) -> Mapping[str, Callable[..., object]]:
        """What keys and the palette may ask for, by name."""
        return {"copy": self.copy, "editor": self.open_in_editor, "choose_export": self.export}

    def copy(self) -> None:
        """Copy the selected thought's text, or on the waiting screen the connect command."""
        view_state = self._view.state
        texts, thought, aside = view_state.feed.texts, view_state.viewport.thought, view_state.viewport.aside
        if view_state.viewport.session is None:
            from tui.state.connect_choices import connect_command  # noqa: PLC0415 - only the waiting screen needs it

            self.copy_text(connect_command(self._view.settings.connect, view_state.connect_index))
        elif texts is not None and aside != NONE:
            self.copy_text(aside_text(texts, view_state.viewport.tree.session, aside))
        elif texts is not None and thought != NONE:
            self.copy_text(texts.thought(thought))

    def copy_text(self, text: str) -> None:
        """Copy a text, and say as much of it as is known."""
        safe = sanitize(text)
        if is_in_tmux(os.environ):
            run_task(self._view, partial(self._copy_to_tmux, safe), "copying", group="copy", exclusive=True)
        else:
            self._copy_to_terminal(safe)

    async def _copy_to_tmux(self, text: SafeText) -> None:
        if await asyncio.to_thread(copy_to_tmux, text):
            self._view.announce(TMUX_ANSWER)
        else:
            self._copy_to_terminal(text)

    def _copy_to_terminal(self, text: SafeText) -> None:
        self._view.host.copy_to_clipboard(text)
        self._view.announce(TERMINAL_ANSWER)

    # Exports

    def export(self) -> None:
        """Export the current session; the format is asked for."""
        feed = self._view.state.feed
        if feed.texts is None or not feed.is_loaded:
            self._view.announce("nothing to export yet" if feed.is_loaded else "it is still loading")
        else:
            texts = feed.texts.for_thread(feed.session)
            self._offer_formats(lambda: texts)

    def export_journal(self, path: Path) -> None:
        """Export the session at ``path``; the format is asked for."""
        settings = self._view.settings

        def texts() -> JournalTexts:
            settings.catalog.session(path).read_whole()
            return load_journal(path, settings.decode)

        self._offer_formats(texts)

    def _offer_formats(self, texts: Callable[[], JournalTexts]) -> None:
        def start(command: Command | None) -> None:
            if command is not None:
                self._view.announce(f"writing {command.hint}")
                run_task(self._view, partial(self._export, texts, command.hint), "the export", group="export")

        from tui.screens.palette import PaletteScreen  # noqa: PLC0415 - loaded when it is opened
        from tui.session_view.export_file import OFFERED_FORMATS  # noqa: PLC0415 - loaded when it is asked for

        self._view.host.push_screen(
            PaletteScreen(self._view.settings, OFFERED_FORMATS, with_sessions=False, label="export as"), start
        )

    async def _export(self, texts: Callable[[], JournalTexts], name: str) -> None:
        self._view.announce(await asyncio.to_thread(self._write, texts, name))

    def _write(self, texts: Callable[[], JournalTexts], name: str) -> str:
        """Write the file, in a thread; return the message for the user."""
        from tui.session_view.export_file import write_export  # noqa: PLC0415 - loaded when it is asked for

        try:
            # quitting waits for the file; a signal or a failure does not
            path = write_export(texts(), name, Path.cwd(), is_cancelled=lambda: bool(self._view.host.return_code))
        except (OSError, UsageError) as error:
            reason = error.strerror if isinstance(error, OSError) else None
            return f"not written: {one_line(reason or str(error)).lower()}"
        return f"wrote {one_line(path.name)}"

    # Editor

    def open_in_editor(self) -> None:
        """Open a copy of the selected thought in the user's editor."""
        texts, viewport = self._view.state.feed.texts, self._view.state.viewport
        if texts is None or viewport.session is None or viewport.thought == NONE:
            return
        number = viewport.session.thoughts.number_of(viewport.thought)
        try:
            command = editor_command(os.environ)
            path = self._copies.write(texts.thought(viewport.thought), f"thought-{number}")
            with self._view.host.suspend():
                run_editor(command, path)
        except EditorError as error:
            message = str(error)
        except (OSError, SuspendNotSupported) as error:
            message = f"no editor here: {error}"
        else:
            message = "back from the editor"
        self._view.show_status_message(message)

    def remove_copies(self) -> None:
        """Delete the editor's copies."""
        self._copies.remove()
