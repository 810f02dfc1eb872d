"""Delivers the user's notes to the agent: each once, in order (docs/tools.md, "Notes from the user").

Standard library only.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from seqthink.journal.drafts import DraftEvent
from seqthink.journal.folder import journal_path, notes_path
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, NotesFile

MAX_READS: Final = 64
"""How many chunks of the file are read for one thought."""


class NoteInbox:
    """Notes for the agent's next thought, from the file beside the session's journal."""

    def __init__(self, folder: Path, print_stderr: Callable[[str], None]) -> None:
        self._folder = folder
        self._print_stderr = print_stderr
        self._session = ""
        self._file: NotesFile | None = None
        self._reported_refusal = ""
        self._pending: dict[str, Note] = {}
        self._delivered: set[str] = set()

    def restore(self, event: Mapping[str, Any]) -> None:
        """Add an event of a resumed journal: a note in it is not delivered again."""
        if event.get("type") == "note" and isinstance(name := event.get("id"), str):
            self._delivered.add(name)

    def pending(self, session: str) -> Sequence[Note]:
        """Return the notes to deliver with the next accepted thought of ``session``."""
        if session != self._session or self._file is None:
            self._session, self._file = session, NotesFile(notes_path(journal_path(self._folder, session)))
        if not self._pending:
            self._read_new(self._file)
        return list(self._pending.values())

    def confirm_delivery(self) -> None:
        """Count all pending notes as delivered: they were journaled with a thought."""
        self._delivered.update(self._pending)
        self._pending.clear()

    def _read_new(self, file: NotesFile) -> None:
        """Read new notes; those that were delivered before, for example before a resume, are skipped."""
        for _ in range(MAX_READS):
            for note in file.read_new():
                self._add(note)
            if self._pending or not file.has_more:
                break
        if file.refusal_reason != self._reported_refusal:
            self._report_refusal(file.refusal_reason)

    def _add(self, note: Note) -> None:
        if note.id in self._delivered or note.id in self._pending:
            return
        self._pending[note.id] = note
        if note.is_cut:
            self._print_stderr(
                f"a note from the user is longer than {MAX_NOTE_BYTES >> 10} KiB: only its beginning is delivered"
            )

    def _report_refusal(self, reason: str) -> None:
        """Print why notes are not read, if they are not."""
        if reason:
            self._print_stderr(f"the notes of session {self._session} are not read: {reason}")
        self._reported_refusal = reason


def note_drafts(notes: Sequence[Note], distance: int) -> list[DraftEvent]:
    """Return the events of ``notes``; the first comes ``distance`` events after its thought in the journal."""
    return [
        DraftEvent(
            "note", {"id": note.id, "text": note.text, "of": None, "writtenAt": note.time or None}, distance + position
        )
        for position, note in enumerate(notes)
    ]
