"""Writing to the agent: what ``i`` opens, and what becomes of a note."""

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
from tui.find_keys import PASSED_ON, FindKeys
from tui.notes import Mailbox, obstacle, prospect

TOO_LONG = f"not taken: at most {MAX_NOTE_BYTES >> 10} KiB"
DELIVERED = "note delivered"
LEFT = "note left"
"""What there is room for on a narrow screen; the text pane says the rest."""


class NoteKeys(FindKeys):
    """The app as far as a person writes to the agent."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "note", "note to the agent")]

    def action_note(self) -> None:
        """Open the note field, where somebody would read a note; what was typed before is still there."""
        shown = self._shown
        shown.feed.probe()
        shown.said = shown.notes.said = self._note_obstacle
        if not shown.said and shown.feed.path is not None:
            shown.notes.addressed = shown.feed.path
            shown.notes.field = NoteInput(MAX_NOTE_BYTES, shown.notes.drafts.get(shown.feed.path, ""))
        self._draw()

    @property
    def _note_obstacle(self) -> str:
        shown = self._shown
        return obstacle(shown.feed.session, shown.feed.path, is_piped=self._settings.pipe is not None)

    @property
    def _note_prospect(self) -> str:
        return prospect(self._shown.feed.session) if self.size.width >= NARROW_BELOW_CELLS else LEFT

    @override
    def _take_key(self, event: events.Key) -> bool:
        """Type into the note that is open; return whether that was what the key did."""
        field = self._shown.notes.field
        if field is None:
            return super()._take_key(event)
        if event.key in PASSED_ON:
            return False
        if event.key == "escape":
            self._shown.notes.close()
        elif event.key == "enter":
            self._send(field)
        elif not field.press(event.key) and event.is_printable and event.character:
            self._insert(field, event.character)
        self._draw()
        return True

    @override
    def _take_paste(self, text: str) -> bool:
        """Put pasted text into the note that is open, with its line breaks."""
        field = self._shown.notes.field
        if field is None:
            return super()._take_paste(text)
        self._shown.said = ""
        self._insert(field, text)
        self._draw()
        return True

    def _insert(self, field: NoteInput, text: str) -> None:
        field.insert(text)
        if field.is_full:
            self._shown.said = TOO_LONG

    def _send(self, field: NoteInput) -> None:
        """Leave the note for the agent; one that says nothing is not sent, and one that cannot be stays open."""
        shown, (text, _) = self._shown, fit_note_text(field.text)
        shown.feed.probe()
        if not text:
            shown.notes.close()
            return
        shown.said = shown.notes.said = self._note_obstacle
        if shown.said or shown.notes.mailbox is None:
            return
        moment = datetime.fromtimestamp(self._settings.clock() / 1_000_000, UTC)
        try:
            shown.notes.mailbox.send(Note(os.urandom(8).hex(), text, format_time(moment)))
        except OSError as error:
            shown.said = f"not written: {one_line(error.strerror or str(error)).lower()}"
            return
        field.press("ctrl+e")
        field.press("ctrl+u")
        shown.notes.close()
        self._look_for_notes()
        shown.said = shown.notes.said = self._note_prospect

    def _address_notes(self) -> None:
        """Begin with the notes of another journal; what was typed for the one before is kept."""
        shown = self._shown
        shown.notes.close()
        shown.notes.waiting = []
        shown.notes.mailbox = Mailbox(shown.feed.path, self._settings.decode) if shown.feed.path is not None else None

    def _look_for_notes(self) -> bool:
        """Find out which notes wait, and keep true what was last said of them; return whether that has changed."""
        shown, notes = self._shown, self._shown.notes
        before, said = notes.waiting, shown.said
        notes.waiting = notes.mailbox.look(shown.feed.delivered) if notes.mailbox is not None else []
        if said and said == notes.said:
            if before and not notes.waiting:
                shown.said = DELIVERED
            else:
                shown.said = notes.said = self._note_prospect if notes.waiting and before else self._note_obstacle
        return (notes.waiting, shown.said) != (before, said)
