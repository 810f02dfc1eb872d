"""Notes to the agent: the drafts, the notes that wait for delivery, and when they arrive. Pure."""

from collections.abc import Sequence

from msgspec import Struct, field

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.core.events import NoteEvent
from seqthink.drawing.describe.attachments import short_agent_name
from seqthink.drawing.panels.note_input import NoteInput
from seqthink.drawing.text.glyphs import Signs


class NoteState(Struct, kw_only=True):
    """Notes from the user to the agent. Journals are distinguished by their paths."""

    text_input: NoteInput | None = None
    """Open while the user types a note, else None."""
    target_journal: str = ""
    """Journal whose agent the open note is for."""
    selected_agent: str | None = None
    """Id of the sub-agent on whose lane the input was opened, if a note can go to it alone; else None."""
    is_to_all: bool = True
    """Whether the open note is for whichever agent thinks next."""
    drafts: dict[str, str] = field(default_factory=dict[str, str])
    """Unsent text for each journal."""
    status_message: str = ""
    """The last message about notes, to be updated on delivery."""
    waiting: list[NoteEvent] = field(default_factory=list[NoteEvent])
    """Notes that the agent has not received yet."""

    def open(self, journal: str, max_bytes: int, agent: str | None = None) -> None:
        """Open the input for a note to an ``agent`` of ``journal``, with the kept draft; to any agent for None."""
        self.target_journal = journal
        self.selected_agent, self.is_to_all = agent, agent is None
        self.text_input = NoteInput(max_bytes, self.drafts.get(journal, ""))

    def close(self) -> None:
        """Close the input and keep the draft."""
        if self.text_input is not None:
            self.drafts[self.target_journal] = self.text_input.text
        self.text_input, self.target_journal = None, ""

    @property
    def agent(self) -> str | None:
        """Id of the sub-agent that the open note is for; None for whichever agent thinks next."""
        return None if self.is_to_all else self.selected_agent

    def switch_addressee(self) -> None:
        """Switch between the agent on whose lane the input was opened, and whichever thinks next."""
        self.is_to_all = not self.is_to_all or self.selected_agent is None

    def status_text(self, signs: Signs) -> str:
        """Return the number of waiting notes as a short text; empty for none."""
        count_prefix = f"{len(self.waiting)} " if len(self.waiting) > 1 else ""
        return f"{signs.note} {count_prefix}waiting" if self.waiting else ""


def waiting_prospect(session: Session, waiting: Sequence[NoteEvent]) -> str:
    """Return what the newest of the waiting notes waits for, as a short text."""
    agent = session.agents.find(waiting[-1].agent) if waiting else MAIN_AGENT
    is_one = agent > MAIN_AGENT
    name = short_agent_name(session, agent) if is_one else "the agent"
    if not session.is_alive:
        return "it arrives only if the session is resumed"
    if session.state is State.DONE or (is_one and session.agents.has_ended(agent)):
        return f"it arrives only if {name} thinks again"
    return f"waiting for {name}'s next thought"
