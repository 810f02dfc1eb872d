"""The states of a chain (docs/journal.md, "Ends").

The command line reads them before anything is loaded that takes time, so this module imports the standard library only.
"""

from enum import StrEnum

STALE_SECONDS = 60
"""Default number of seconds without a thought after which a session counts as quiet."""


class State(StrEnum):
    """State of a chain; a session has that of its newest chain."""

    THINKING = "thinking"
    """The newest chain: not done, and the server is running."""
    DONE = "done"
    """The chain's newest thought is final."""
    LEFT = "left"
    """An earlier chain that is not done."""
    STOPPED = "stopped"
    """The newest chain: not done, and the server ended cleanly."""
    LOST = "lost"
    """The newest chain: not done, and the server is gone without an `end` line."""
    UNKNOWN = "unknown"
    """The newest chain: not done, and whether its server is running cannot be known."""
