"""The words for how a chain stands, and for whether its writer lives (journal.md, "Ends")."""

from enum import StrEnum

# Defined among the events: journals find it out, chains use it, and neither imports the other.
from seqthink.events import Writer

__all__ = ["State", "Writer"]


class State(StrEnum):
    """How a chain, or a session by its newest chain, stands."""

    THINKING = "thinking"
    DONE = "done"
    LEFT = "left"
    STOPPED = "stopped"
    LOST = "lost"
    UNKNOWN = "unknown"
