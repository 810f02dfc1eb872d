"""Notes to the agent: whether one can be delivered, the drafts, and the notes that wait for delivery. Pure."""

from msgspec import Struct, field

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.glyphs import Signs
from seqthink.events import NoteEvent, SessionEvent, WriterState


class NoteState(Struct, kw_only=True):
    """Notes from the user to the agent. Journals are told apart by their paths."""

    text_input: NoteInput | None = None
    """Open while the user types a note, else None."""
    target_journal: str = ""
    """Journal whose agent the open note is for."""
    drafts: dict[str, str] = field(default_factory=dict[str, str])
    """Unsent text for each journal."""
    status_message: str = ""
    """The last message about notes, to be updated on delivery."""
    waiting: list[NoteEvent] = field(default_factory=list[NoteEvent])
    """Notes that the agent has not received yet."""

    def open(self, journal: str, max_bytes: int) -> None:
        """Open the input for a note to the agent of ``journal``, with the kept draft."""
        self.target_journal = journal
        self.text_input = NoteInput(max_bytes, self.drafts.get(journal, ""))

    def close(self) -> None:
        """Close the input and keep the draft."""
        if self.text_input is not None:
            self.drafts[self.target_journal] = self.text_input.text
        self.text_input, self.target_journal = None, ""

    def status_text(self, signs: Signs) -> str:
        """Return the number of waiting notes as a short text; empty for none."""
        count_prefix = f"{len(self.waiting)} " if len(self.waiting) > 1 else ""
        return f"{signs.note} {count_prefix}waiting" if self.waiting else ""


def delivery_obstacle(session: Session, journal_id: str | None, host: str, *, is_piped: bool) -> str:
    """Return why a note could not be delivered, as a short text; empty when it could.

    Args:
        session: the session on screen.
        journal_id: the session's id by the name of its journal; None without a journal.
        host: name of this machine.
        is_piped: the journal comes from a pipe.
    """
    info = session.session_event
    if is_piped:
        return "no notes on a journal from a pipe"
    if journal_id is None or info is None:
        return "no agent connected yet"
    if info.host != host:
        is_transcript = info.source not in {None, "tap"} and info.server is None
        return "only a transcript: no notes possible" if is_transcript else "its server is on another machine"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "session ended: no notes possible"
    if journal_id != info.session:
        return "a copy: no agent reads its notes"
    return _live_obstacle(session, info)


def fleet_obstacle(session: Session, *, trouble: str, takes_notes: bool, refusal: str) -> str:
    """Return why a note could not be delivered to an agent on another machine, as a short text; empty when it could.

    Args:
        session: the session on screen.
        trouble: why the engine is not there; empty while it is.
        takes_notes: whether that machine's owner lets notes through.
        refusal: why the engine refused the last note; empty if it did not.
    """
    info = session.session_event
    if trouble:
        return f"no notes now: {trouble}"
    if info is None:
        return "no agent connected yet"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "session ended: no notes possible"
    if not takes_notes:
        return "its machine takes no notes (ship --notes lets them in)"
    if refusal:
        return refusal
    return _live_obstacle(session, info)


def _live_obstacle(session: Session, info: SessionEvent) -> str:
    if not session.is_alive:
        return "no running server known here"
    if info.notes:
        return ""
    if info.source == "tap":
        return "only listened to (tap): no notes possible"
    return "its server takes no notes (--no-notes)"


def delivery_prospect(session: Session) -> str:
    """Return the condition for delivering a note, as a short text."""
    if not session.is_alive:
        return "it arrives only if the session is resumed"
    if session.state is State.DONE:
        return "it arrives only if the agent thinks again"
    return "waiting for the agent's next thought"
