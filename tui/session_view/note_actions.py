"""Actions for writing a note to the agent, and the state of its delivery."""

import os
from datetime import UTC, datetime
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from typing_extensions import override

from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.row_layout import NARROW_BELOW_CELLS
from seqthink.journal.encode import format_time
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, fit_note_text
from seqthink.text import one_line
from tui.session_view.search_actions import MOVEMENT_KEYS, SearchActions
from tui.state.note_state import Mailbox, delivery_obstacle, delivery_prospect

TOO_LONG_MESSAGE = f"too long: at most {MAX_NOTE_BYTES >> 10} KiB"
DELIVERED_MESSAGE = "note delivered"
LEFT_MESSAGE = "note sent"
"""Short message for a narrow screen; the text pane shows the details."""


class NoteActions(SearchActions):
    """The layer of the app that writes notes to the agent."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "note", "note to the agent")]

    def action_note(self) -> None:
        """Open the note input with the kept draft, if the agent would receive a note; otherwise say why not."""
        view_state = self._view_state
        view_state.feed.update_writer_state()
        view_state.status_message = view_state.notes.status_message = self._note_obstacle
        if not view_state.status_message and view_state.feed.path is not None:
            view_state.notes.target_journal = view_state.feed.path
            view_state.notes.text_input = NoteInput(
                MAX_NOTE_BYTES, view_state.notes.drafts.get(view_state.feed.path, "")
            )
        self._draw()

    @property
    def _note_obstacle(self) -> str:
        view_state = self._view_state
        return delivery_obstacle(
            view_state.feed.session, view_state.feed.path, is_piped=self._settings.pipe is not None
        )

    @property
    def _note_prospect(self) -> str:
        return (
            delivery_prospect(self._view_state.feed.session) if self.size.width >= NARROW_BELOW_CELLS else LEFT_MESSAGE
        )

    @override
    def _handle_input_key(self, event: events.Key) -> bool:
        """Pass a key to the open note input; return whether it was used."""
        text_input = self._view_state.notes.text_input
        if text_input is None:
            return super()._handle_input_key(event)
        if event.key in MOVEMENT_KEYS:
            return False
        if event.key == "escape":
            self._view_state.notes.close()
        elif event.key == "enter":
            self._send(text_input)
        elif not text_input.press(event.key) and event.is_printable and event.character:
            self._insert(text_input, event.character)
        self._draw()
        return True

    @override
    def _handle_input_paste(self, text: str) -> bool:
        """Insert pasted text, including line breaks, into the open note input."""
        text_input = self._view_state.notes.text_input
        if text_input is None:
            return super()._handle_input_paste(text)
        self._view_state.status_message = ""
        self._insert(text_input, text)
        self._draw()
        return True

    def _insert(self, text_input: NoteInput, text: str) -> None:
        text_input.insert(text)
        if text_input.is_full:
            self._view_state.status_message = TOO_LONG_MESSAGE

    def _send(self, text_input: NoteInput) -> None:
        """Send the note; an empty one just closes, and one that cannot be sent stays open."""
        view_state, (text, _) = self._view_state, fit_note_text(text_input.text)
        view_state.feed.update_writer_state()
        if not text:
            view_state.notes.close()
            return
        view_state.status_message = view_state.notes.status_message = self._note_obstacle
        if view_state.status_message or view_state.notes.mailbox is None:
            return
        now = datetime.fromtimestamp(self._settings.clock() / 1_000_000, UTC)
        try:
            view_state.notes.mailbox.send(Note(os.urandom(8).hex(), text, format_time(now)))
        except OSError as error:
            view_state.status_message = f"not written: {one_line(error.strerror or str(error)).lower()}"
            return
        text_input.press("ctrl+e")
        text_input.press("ctrl+u")
        view_state.notes.close()
        self._update_waiting_notes()
        view_state.status_message = view_state.notes.status_message = self._note_prospect

    def _switch_mailbox(self) -> None:
        """Switch to another journal's mailbox; the current draft is kept."""
        view_state = self._view_state
        view_state.notes.close()
        view_state.notes.waiting = []
        view_state.notes.mailbox = (
            Mailbox(view_state.feed.path, self._settings.decode) if view_state.feed.path is not None else None
        )

    def _update_waiting_notes(self) -> bool:
        """Update the waiting notes and the last message about them; return whether either changed."""
        view_state, notes = self._view_state, self._view_state.notes
        waiting_before, message = notes.waiting, view_state.status_message
        notes.waiting = (
            notes.mailbox.waiting_notes(view_state.feed.delivered_note_ids) if notes.mailbox is not None else []
        )
        if message and message == notes.status_message:
            if waiting_before and not notes.waiting:
                view_state.status_message = DELIVERED_MESSAGE
            else:
                view_state.status_message = notes.status_message = (
                    self._note_prospect if notes.waiting and waiting_before else self._note_obstacle
                )
        return (notes.waiting, view_state.status_message) != (waiting_before, message)
