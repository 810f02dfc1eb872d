"""The words for how a chain stands (journal.md, "Ends")."""

from enum import StrEnum


class State(StrEnum):
    """How a chain, or a session by its newest chain, stands."""

    THINKING = "thinking"
    DONE = "done"
    LEFT = "left"
    STOPPED = "stopped"
    LOST = "lost"
    UNKNOWN = "unknown"
