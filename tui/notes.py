"""Notes to the agent of the session shown: who would read one, what is typed, and what waits to be handed over."""

import socket
from collections.abc import Set as AbstractSet
from pathlib import Path

import msgspec

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.glyphs import Signs
from seqthink.drawing.note_input import NoteInput, note_prompt
from seqthink.drawing.spans import Role, Span, Spans
from seqthink.events import NoteEvent, SessionEvent, WriterState
from seqthink.journal.decode import LineDecoder
from seqthink.journal.encode import encode_line
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import Note, NotesFile, append_note
from seqthink.text import SafeText, one_line
from tui.arrangement import WIDE

MOST_ROWS = 4
ENTER = "Enter sends"


class Mailbox:
    """The file of notes beside one journal, as far as it has been read."""

    def __init__(self, journal: Path, decode: LineDecoder) -> None:
        self._path = notes_path(journal.resolve())
        self._file = NotesFile(self._path)
        self._decode = decode
        self._known: dict[str, NoteEvent] = {}

    def look(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the notes that the agent does not have yet, in the order in which it will get them."""
        while news := self._file.read_new():
            for note in news:
                self._known.setdefault(note.id, self._as_event(note))
        return [event for name, event in self._known.items() if name not in delivered]

    def send(self, note: Note) -> None:
        """Leave a note for the agent.

        Raises:
            OSError: it cannot be written.
        """
        append_note(self._path, note)

    def _as_event(self, note: Note) -> NoteEvent:
        """Return a note as it will stand in the journal, read as the journal is: without secrets, if so wished."""
        fields = {"id": note.id, "text": note.text, "of": 1, "writtenAt": note.time}
        event = self._decode(
            encode_line({"v": 1, "seq": 1, "time": "1970-01-01T00:00:00Z", "type": "note", **fields})[:-1]
        )
        assert isinstance(event, NoteEvent), "it has all that a note has"
        return event


class Notes(msgspec.Struct, kw_only=True):
    """What the person writes to the agent. ``field`` is open while they type, for the journal ``addressed``.

    ``drafts`` keeps for each journal what was not sent, ``mailbox`` is the shown one's; ``said`` is what was said when
    the last note was left there.
    """

    field: NoteInput | None = None
    addressed: Path | None = None
    drafts: dict[Path, str] = msgspec.field(default_factory=dict[Path, str])
    mailbox: Mailbox | None = None
    said: str = ""
    waiting: list[NoteEvent] = msgspec.field(default_factory=list[NoteEvent])

    def close(self) -> None:
        """Close the field, and keep what was typed."""
        if self.field is not None and self.addressed is not None:
            self.drafts[self.addressed] = self.field.text
        self.field = self.addressed = None

    def standing(self, signs: Signs) -> str:
        """Return whether notes wait, in a word or two."""
        many = f"{len(self.waiting)} " if len(self.waiting) > 1 else ""
        return f"{signs.note} {many}waiting" if self.waiting else ""


def obstacle(session: Session, journal: Path | None, *, is_piped: bool) -> str:
    """Return why nobody would read a note here, in words; nothing when the agent would."""
    info = session.session_event
    if is_piped:
        return "no notes on a journal from a pipe"
    if journal is None or info is None:
        return "nobody to write to yet"
    if info.host != socket.gethostname():
        return "its server is on another machine"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "it has ended: nobody reads notes"
    if journal.resolve().stem != info.session:
        return "a copy: its agent reads elsewhere"
    return _unread(session, info)


def _unread(session: Session, info: SessionEvent) -> str:
    if not session.is_alive:
        return "it cannot be told who reads here"
    return "" if info.notes else "its server takes no notes (--no-notes)"


def prospect(session: Session) -> str:
    """Return what has to happen for a note to arrive."""
    if not session.is_alive:
        return "it arrives only if the session is resumed"
    if session.state is State.DONE:
        return "it arrives only if the agent thinks again"
    return "waiting for the agent's next thought"


def reader(session: Session) -> SafeText:
    """Return who reads the notes of a session."""
    client = session.session_event.client.name if session.session_event and session.session_event.client else ""
    return one_line(client) or SafeText("the agent")


def lines(notes: Notes, session: Session, said: str, cells: int, rows: int, signs: Signs) -> list[Spans]:
    """Return the field that is open, below the name of its reader, in at most ``rows`` rows; nothing when none is."""
    if notes.field is None:
        return []
    when = "if it thinks again" if session.state is State.DONE else "with its next thought"
    shown = notes.field.row_position(cells, rows - 1)
    right = Span(said, Role.WARN) if said else Span(shown or (ENTER if cells < WIDE else ""), Role.MUTED)
    return [note_prompt(reader(session), when, right, cells, signs), *notes.field.lines(cells, rows - 1)]
