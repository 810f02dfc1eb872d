"""The words for how a chain stands, and for whether its writer lives (journal.md, "Ends")."""

from enum import StrEnum


class Writer(StrEnum):
    """What is known of the server that writes a journal."""

    ALIVE = "alive"
    GONE = "gone"
    UNKNOWN = "unknown"


class State(StrEnum):
    """How a chain, or a session by its newest chain, stands."""

    THINKING = "thinking"
    DONE = "done"
    LEFT = "left"
    STOPPED = "stopped"
    LOST = "lost"
    UNKNOWN = "unknown"
