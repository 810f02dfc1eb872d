"""The states of a chain (docs/journal.md, "Ends").

The command line reads them before anything is loaded that takes time, so this module imports the standard library only.
"""

from enum import StrEnum

STALE_SECONDS = 60
"""Default number of seconds without a thought after which a session counts as quiet."""

NEARLY_FULL_PERCENT = 80
"""From this part of its window on, the context of an agent counts as nearly full."""


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


def percent_of(tokens: int, window: int) -> int | None:
    """Return how much of a context's window is used, rounded down, at most 100; None if the window is not known."""
    return min(100, tokens * 100 // window) if window > 0 else None


def is_nearly_full(tokens: int, window: int) -> bool:
    """Return whether `NEARLY_FULL_PERCENT` of a context's window are used; False if the window is not known."""
    return (percent_of(tokens, window) or 0) >= NEARLY_FULL_PERCENT
