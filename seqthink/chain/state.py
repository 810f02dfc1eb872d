"""The states of a chain (docs/journal.md, "Ends")."""

from enum import StrEnum

STALE_SECONDS = 60
"""Default number of seconds without a thought after which a session counts as quiet."""


class State(StrEnum):
    """State of a chain; a session has that of its newest chain."""

    THINKING = "thinking"
    DONE = "done"
    LEFT = "left"
    STOPPED = "stopped"
    LOST = "lost"
    UNKNOWN = "unknown"
