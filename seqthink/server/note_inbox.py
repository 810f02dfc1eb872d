"""Notes from the person at the viewer, on their way to the agent: each once, in order (server.md). Standard library."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from seqthink.journal.folder import journal_path, notes_path
from seqthink.journal.notes_file import MAX_NOTE_BYTES, Note, NotesFile
from seqthink.journal.writer import DraftEvent

MAX_READS: Final = 64
"""So many pieces of the file are looked through for one thought."""


class NoteInbox:
    """What waits for the agent's next thought, in the file beside the journal of its session."""

    def __init__(self, folder: Path, print_stderr: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = print_stderr
        self._session = ""
        self._file: NotesFile | None = None
        self._said = ""
        self._waiting: dict[str, Note] = {}
        self._given: set[str] = set()

    def restore(self, event: Mapping[str, Any]) -> None:
        """Take in an event of the journal that is gone on in: a note in it is not handed over again."""
        if event.get("type") == "note" and isinstance(name := event.get("id"), str):
            self._given.add(name)

    def pending(self, session: str) -> Sequence[Note]:
        """Return what is to be handed over with the next accepted thought of ``session``."""
        if session != self._session or self._file is None:
            self._session, self._file = session, NotesFile(notes_path(journal_path(self._folder, session)))
        if not self._waiting:
            self._look(self._file)
        return list(self._waiting.values())

    def confirm_delivery(self) -> None:
        """What waited has gone out with a thought."""
        self._given.update(self._waiting)
        self._waiting.clear()

    def _look(self, file: NotesFile) -> None:
        """Take what is new; what was given before, as after a resume, is passed over."""
        for _ in range(MAX_READS):
            for note in file.read_new():
                self._take(note)
            if self._waiting or not file.has_more:
                break
        self._tell(file.refusal_reason)

    def _take(self, note: Note) -> None:
        if note.id in self._given or note.id in self._waiting:
            return
        self._waiting[note.id] = note
        if note.is_cut:
            self._say(f"a note from the user is longer than {MAX_NOTE_BYTES >> 10} KiB: its beginning is handed over")

    def _tell(self, refused: str) -> None:
        """Say once why notes are not read."""
        if refused and refused != self._said:
            self._say(f"the notes of session {self._session} are not read: {refused}")
        self._said = refused


def note_drafts(notes: Sequence[Note], behind: int) -> list[DraftEvent]:
    """Return the events that tell of ``notes``; the first stands so many places ``behind`` the thought it goes with."""
    return [
        DraftEvent(
            "note", {"id": note.id, "text": note.text, "of": None, "writtenAt": note.time or None}, behind + place
        )
        for place, note in enumerate(notes)
    ]
