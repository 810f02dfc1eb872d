"""Notes to the agent of a session of a fleet: sent through the engine, and waiting until the journal has them."""

from collections.abc import Set as AbstractSet
from pathlib import Path

from seqthink.core import system
from seqthink.core.errors import UsageError
from seqthink.core.events import NoteEvent
from seqthink.core.text import one_line
from seqthink.journal.decode import LineDecoder
from seqthink.journal.notes_file import Note
from seqthink.library.places.mailbox import as_event
from seqthink.sources.fleet.mirror.folder import FleetFolder

MAX_AUTHOR_CHARS = 100


class FleetMailbox:
    """The notes that were sent from here to a session's agent.

    Args:
        folder: the sessions.
        journal: the session's file.
        decode: decodes the notes as the journal's lines: redacted, if that is on.
    """

    is_far = True

    def __init__(self, folder: FleetFolder, journal: Path, decode: LineDecoder) -> None:
        self._folder, self._journal = folder, journal
        self.refusal = ""
        """Why the engine refused the last note, in words; empty if it did not."""
        self._decode: LineDecoder = decode
        self._known: dict[str, NoteEvent] = {}

    def waiting_notes(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the notes that the agent has not received yet, in order of delivery."""
        self._known = {id_: event for id_, event in self._known.items() if id_ not in delivered}
        return list(self._known.values())

    def send(self, note: Note) -> None:
        """Send a note; a thread calls it.

        Raises:
            SeqthinkError: it was not sent.
        """
        try:
            self._folder.send_note(self._journal, note, author())
        except UsageError as error:
            self.refusal = f"not sent: {one_line(str(error))}"
            raise
        self._known[note.id] = as_event(note, self._decode)


def author() -> str:
    """Return who writes notes here, as ``ada@laptop``; the agent sees it."""
    return one_line(system.person_name())[:MAX_AUTHOR_CHARS]
