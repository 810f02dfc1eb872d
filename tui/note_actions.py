"""Actions for writing a note to the agent, and the state of its delivery."""

import os
from datetime import UTC, datetime
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from typing_extensions import override

from seqthink.drawing.note_input import NoteInput
from seqthink.drawing.row_layout import NARROW_BELOW_CELLS
from seqthink.journal.encode import format_time
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, fit_note_text
from seqthink.text import one_line
from tui.note_state import Mailbox, delivery_obstacle, delivery_prospect
from tui.search_actions import MOVEMENT_KEYS, SearchActions

TOO_LONG_MESSAGE = f"not taken: at most {MAX_NOTE_BYTES >> 10} KiB"
DELIVERED_MESSAGE = "note delivered"
LEFT_MESSAGE = "note left"
"""Short message for a narrow screen; the text pane shows the details."""


class NoteActions(SearchActions):
    """The layer of the app that writes notes to the agent."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "note", "note to the agent")]

    def action_note(self) -> None:
        """Open the note input with the kept draft, if the agent would receive a note; otherwise say why not."""
        shown = self._view_state
        shown.feed.update_writer_state()
        shown.status_message = shown.notes.status_message = self._note_obstacle
        if not shown.status_message and shown.feed.path is not None:
            shown.notes.target_journal = shown.feed.path
            shown.notes.text_input = NoteInput(MAX_NOTE_BYTES, shown.notes.drafts.get(shown.feed.path, ""))
        self._draw()

    @property
    def _note_obstacle(self) -> str:
        shown = self._view_state
        return delivery_obstacle(shown.feed.session, shown.feed.path, is_piped=self._settings.pipe is not None)

    @property
    def _note_prospect(self) -> str:
        return (
            delivery_prospect(self._view_state.feed.session) if self.size.width >= NARROW_BELOW_CELLS else LEFT_MESSAGE
        )

    @override
    def _handle_input_key(self, event: events.Key) -> bool:
        """Pass a key to the open note input; return whether it was used."""
        field = self._view_state.notes.text_input
        if field is None:
            return super()._handle_input_key(event)
        if event.key in MOVEMENT_KEYS:
            return False
        if event.key == "escape":
            self._view_state.notes.close()
        elif event.key == "enter":
            self._send(field)
        elif not field.press(event.key) and event.is_printable and event.character:
            self._insert(field, event.character)
        self._draw()
        return True

    @override
    def _handle_input_paste(self, text: str) -> bool:
        """Insert pasted text, including line breaks, into the open note input."""
        field = self._view_state.notes.text_input
        if field is None:
            return super()._handle_input_paste(text)
        self._view_state.status_message = ""
        self._insert(field, text)
        self._draw()
        return True

    def _insert(self, field: NoteInput, text: str) -> None:
        field.insert(text)
        if field.is_full:
            self._view_state.status_message = TOO_LONG_MESSAGE

    def _send(self, field: NoteInput) -> None:
        """Send the note; an empty one just closes, and one that cannot be sent stays open."""
        shown, (text, _) = self._view_state, fit_note_text(field.text)
        shown.feed.update_writer_state()
        if not text:
            shown.notes.close()
            return
        shown.status_message = shown.notes.status_message = self._note_obstacle
        if shown.status_message or shown.notes.mailbox is None:
            return
        moment = datetime.fromtimestamp(self._settings.clock() / 1_000_000, UTC)
        try:
            shown.notes.mailbox.send(Note(os.urandom(8).hex(), text, format_time(moment)))
        except OSError as error:
            shown.status_message = f"not written: {one_line(error.strerror or str(error)).lower()}"
            return
        field.press("ctrl+e")
        field.press("ctrl+u")
        shown.notes.close()
        self._update_waiting_notes()
        shown.status_message = shown.notes.status_message = self._note_prospect

    def _switch_mailbox(self) -> None:
        """Switch to another journal's mailbox; the current draft is kept."""
        shown = self._view_state
        shown.notes.close()
        shown.notes.waiting = []
        shown.notes.mailbox = Mailbox(shown.feed.path, self._settings.decode) if shown.feed.path is not None else None

    def _update_waiting_notes(self) -> bool:
        """Update the waiting notes and the last message about them; return whether either changed."""
        shown, notes = self._view_state, self._view_state.notes
        before, said = notes.waiting, shown.status_message
        notes.waiting = notes.mailbox.waiting_notes(shown.feed.delivered_note_ids) if notes.mailbox is not None else []
        if said and said == notes.status_message:
            if before and not notes.waiting:
                shown.status_message = DELIVERED_MESSAGE
            else:
                shown.status_message = notes.status_message = (
                    self._note_prospect if notes.waiting and before else self._note_obstacle
                )
        return (notes.waiting, shown.status_message) != (before, said)
