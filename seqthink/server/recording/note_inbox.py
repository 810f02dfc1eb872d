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
MAX_PENDING: Final = 256
"""How many notes wait in memory for agents that do not think; the file keeps the others."""


class NoteInbox:
    """Notes for the agents' next thoughts, from the file beside the session's journal."""

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

    def pending(self, session: str, agents: Sequence[str | None]) -> Sequence[tuple[Note, int]]:
        """Return the notes to deliver now, each with the position of its thought among the accepted ones.

        Args:
            session: the id of the session.
            agents: whose thoughts these are, in their order; None for the main agent.
        """
        if session != self._session or self._file is None:
            self._session, self._file = session, NotesFile(notes_path(journal_path(self._folder, session)))
        self._read_new(self._file)
        if not self._pending:
            return ()
        places = {agent: place for place, agent in reversed([*enumerate(agents)])} | {"": 0}
        return [(note, places[note.agent]) for note in self._pending.values() if note.agent in places]

    def confirm_delivery(self, notes: Sequence[Note]) -> None:
        """Count notes as delivered: they were journaled with a thought."""
        for note in notes:
            self._delivered.add(note.id)
            self._pending.pop(note.id, None)

    def _read_new(self, file: NotesFile) -> None:
        """Read new notes; those that were delivered before, for example before a resume, are skipped."""
        known = len(self._pending)
        for _ in range(MAX_READS):
            if len(self._pending) >= MAX_PENDING:
                break
            for note in file.read_new():
                self._add(note)
            if len(self._pending) > known or not file.has_more:
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


def note_draft(note: Note, distance: int) -> DraftEvent:
    """Return the event of a note that comes ``distance`` events after its thought in the journal."""
    fields = {"id": note.id, "text": note.text, "of": None, "writtenAt": note.time or None}
    return DraftEvent("note", {**fields, "agent": note.agent or None}, distance)
