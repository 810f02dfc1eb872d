"""Notes to the agent: the drafts, the notes that wait for delivery, and when they arrive. Pure."""

from msgspec import Struct, field

from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import NoteEvent
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.glyphs import Signs


class NoteState(Struct, kw_only=True):
    """Notes from the user to the agent. Journals are distinguished by their paths."""

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


def delivery_prospect(session: Session) -> str:
    """Return the condition for delivering a note, as a short text."""
    if not session.is_alive:
        return "it arrives only if the session is resumed"
    if session.state is State.DONE:
        return "it arrives only if the agent thinks again"
    return "waiting for the agent's next thought"
