"""Notes to the agent: whether one can be delivered, the draft being typed, and notes waiting for delivery."""

import socket
from collections.abc import Set as AbstractSet
from pathlib import Path

import msgspec

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.panels.note_input import NoteInput, note_prompt
from seqthink.drawing.text.glyphs import Signs
from seqthink.drawing.text.row_layout import WIDE_FROM_CELLS
from seqthink.drawing.text.spans import Role, Span, Spans
from seqthink.events import NoteEvent, SessionEvent, WriterState
from seqthink.journal.decode import LineDecoder
from seqthink.journal.encode import encode_line
from seqthink.journal.folder import notes_path
from seqthink.journal.notes_file import Note, NotesFile, append_note
from seqthink.text import SafeText, one_line

MAX_NOTE_ROWS = 4
ENTER_HINT = "Enter sends"


class Mailbox:
    """The notes file beside a journal, as far as it has been read."""

    def __init__(self, journal: Path, decode: LineDecoder) -> None:
        self._path = notes_path(journal.resolve())
        self._file = NotesFile(self._path)
        self._decode = decode
        self._known: dict[str, NoteEvent] = {}

    def waiting_notes(self, delivered: AbstractSet[str]) -> list[NoteEvent]:
        """Return the undelivered notes, in order of delivery."""
        while new_notes := self._file.read_new():
            for note in new_notes:
                self._known.setdefault(note.id, self._as_event(note))
        return [event for name, event in self._known.items() if name not in delivered]

    def send(self, note: Note) -> None:
        """Append a note for the agent.

        Raises:
            OSError: it cannot be written.
        """
        append_note(self._path, note)

    def _as_event(self, note: Note) -> NoteEvent:
        """Return a note as its journal event, decoded like the journal: redacted if that is on."""
        fields = {"id": note.id, "text": note.text, "of": 1, "writtenAt": note.time}
        event = self._decode(
            encode_line({"v": 1, "seq": 1, "time": "1970-01-01T00:00:00Z", "type": "note", **fields})[:-1]
        )
        assert isinstance(event, NoteEvent), "it has all that a note has"
        return event


class NoteState(msgspec.Struct, kw_only=True):
    """Notes from the user to the agent."""

    text_input: NoteInput | None = None
    """Open while the user types a note, else None."""
    target_journal: Path | None = None
    """Journal whose agent the open note is for."""
    drafts: dict[Path, str] = msgspec.field(default_factory=dict[Path, str])
    """Unsent text for each journal."""
    mailbox: Mailbox | None = None
    """Notes file of the journal on screen; None for a pipe."""
    status_message: str = ""
    """The last message about notes, to be updated on delivery."""
    waiting: list[NoteEvent] = msgspec.field(default_factory=list[NoteEvent])
    """Notes that the agent has not received yet."""

    def close(self) -> None:
        """Close the input and keep the draft."""
        if self.text_input is not None and self.target_journal is not None:
            self.drafts[self.target_journal] = self.text_input.text
        self.text_input = self.target_journal = None

    def status_text(self, signs: Signs) -> str:
        """Return the number of waiting notes as a short text; empty for none."""
        count_prefix = f"{len(self.waiting)} " if len(self.waiting) > 1 else ""
        return f"{signs.note} {count_prefix}waiting" if self.waiting else ""


def delivery_obstacle(session: Session, journal: Path | None, *, is_piped: bool) -> str:
    """Return why a note could not be delivered, as a short text; empty when it could."""
    info = session.session_event
    if is_piped:
        return "no notes on a journal from a pipe"
    if journal is None or info is None:
        return "no agent connected yet"
    if info.host != socket.gethostname():
        return "its server is on another machine"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "session ended: no notes possible"
    if journal.resolve().stem != info.session:
        return "a copy: no agent reads its notes"
    return _live_obstacle(session, info)


def _live_obstacle(session: Session, info: SessionEvent) -> str:
    if not session.is_alive:
        return "no running server known here"
    return "" if info.notes else "its server takes no notes (--no-notes)"


def delivery_prospect(session: Session) -> str:
    """Return the condition for delivering a note, as a short text."""
    if not session.is_alive:
        return "it arrives only if the session is resumed"
    if session.state is State.DONE:
        return "it arrives only if the agent thinks again"
    return "waiting for the agent's next thought"


def reader_name(session: Session) -> SafeText:
    """Return the name of the client that receives the notes."""
    client = session.session_event.client.name if session.session_event and session.session_event.client else ""
    return one_line(client) or SafeText("the agent")


def note_lines(
    notes: NoteState, session: Session, status_message: str, cells: int, rows: int, signs: Signs
) -> list[Spans]:
    """Return the open note input below its prompt, in at most ``rows`` rows; ``[]`` when none is open."""
    if notes.text_input is None:
        return []
    when = "if it thinks again" if session.state is State.DONE else "with its next thought"
    position_text = notes.text_input.row_position(cells, rows - 1)
    right = (
        Span(status_message, Role.WARN)
        if status_message
        else Span(position_text or (ENTER_HINT if cells < WIDE_FROM_CELLS else ""), Role.MUTED)
    )
    return [note_prompt(reader_name(session), when, right, cells, signs), *notes.text_input.lines(cells, rows - 1)]
