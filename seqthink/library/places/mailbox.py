"""What takes notes to an agent; as a rule the notes file beside its journal, where they wait for its next call."""

from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Protocol

from seqthink.core.events import NoteEvent
from seqthink.journal.decode import LineDecoder
from seqthink.journal.encode import encode_line
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import Note, NotesFile, append_note


class Mailbox(Protocol):
    """Takes notes to one agent."""

    is_far: bool
    """Whether sending waits for another machine, so that a thread has to do it."""

    def waiting_notes(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the notes that the agent has not received yet, in order; ``delivered`` are the ids of the others."""
        ...

    def send(self, note: Note) -> None:
        """Send a note.

        Raises:
            OSError, SeqthinkError: it was not sent.
        """
        ...


class NotesFileMailbox:
    """The notes file beside a journal, as far as it has been read."""

    is_far = False

    def __init__(self, journal: Path, decode: LineDecoder) -> None:
        self._path = notes_path(journal.resolve())
        self._file = NotesFile(self._path)
        self._decode: LineDecoder = decode
        self._known: dict[str, NoteEvent] = {}

    def waiting_notes(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the undelivered notes, in order of delivery."""
        while new_notes := self._file.read_new():
            for note in new_notes:
                self._known.setdefault(note.id, as_event(note, self._decode))
        return [event for name, event in self._known.items() if name not in delivered]

    def send(self, note: Note) -> None:
        """Append a note for the agent.

        Raises:
            OSError: it cannot be written.
        """
        append_note(self._path, note)


def as_event(note: Note, decode: LineDecoder) -> NoteEvent:
    """Return a note as its journal event, decoded like the journal: redacted if that is on."""
    fields = {"id": note.id, "text": note.text, "of": 1, "writtenAt": note.time}
    event = decode(encode_line({"v": 1, "seq": 1, "time": "1970-01-01T00:00:00Z", "type": "note", **fields})[:-1])
    assert isinstance(event, NoteEvent), "it has all that a note has"
    return event
