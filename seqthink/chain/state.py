"""The words for how a chain stands (journal.md, "Ends")."""

from enum import StrEnum

STALE_SECONDS = 60
"""After so many seconds without a thought, nobody knows whether a session still thinks."""


class State(StrEnum):
    """How a chain, or a session by its newest chain, stands."""

    THINKING = "thinking"
    DONE = "done"
    LEFT = "left"
    STOPPED = "stopped"
    LOST = "lost"
    UNKNOWN = "unknown"
