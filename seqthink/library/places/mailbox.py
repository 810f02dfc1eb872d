"""What takes notes to an agent; as a rule the notes file beside its journal, where they wait for its next call."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Protocol

from seqthink.core.events import NoteEvent
from seqthink.journal.decode import LineDecoder
from seqthink.journal.encode import encode_line
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import Note, NotesFile, append_note
from seqthink.library.places.journal_callers import journal_callers


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
    """The notes files beside the journals of a session, as far as they have been read.

    Args:
        journal: the journal whose server gets the notes to whichever agent thinks next.
        decode: reads notes as the journal's lines, so it may redact.
        others: further journals of the session, whose servers serve one sub-agent each.
    """

    is_far = False

    def __init__(self, journal: Path, decode: LineDecoder, others: Sequence[Path] = ()) -> None:
        self._journal = journal.resolve()
        self._files = {path.resolve(): NotesFile(notes_path(path.resolve())) for path in (journal, *others)}
        self._decode: LineDecoder = decode
        self._known: dict[str, NoteEvent] = {}

    def waiting_notes(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the undelivered notes, in order of delivery."""
        for file in self._files.values():
            while new_notes := file.read_new():
                for note in new_notes:
                    self._known.setdefault(note.id, as_event(note, self._decode))
        return [event for name, event in self._known.items() if name not in delivered]

    def send(self, note: Note) -> None:
        """Append a note for the agent: where its server reads it, if the note is for one.

        Raises:
            OSError: it cannot be written.
        """
        knowing = (path for path in self._files if note.agent in journal_callers(path).agents)
        append_note(notes_path(next(knowing, self._journal) if note.agent else self._journal), note)


def as_event(note: Note, decode: LineDecoder) -> NoteEvent:
    """Return a note as its journal event, decoded like the journal: redacted if that is on."""
    fields = {"id": note.id, "text": note.text, "of": 1, "writtenAt": note.time, "agent": note.agent or None}
    event = decode(encode_line({"v": 1, "seq": 1, "time": "1970-01-01T00:00:00Z", "type": "note", **fields})[:-1])
    assert isinstance(event, NoteEvent), "it has all that a note has"
    return event
