"""The states for which the user may name a command. Standard library only: the settings know them."""

from enum import StrEnum


class NotifyState(StrEnum):
    """A state for which a command may be started; each is also its name in the settings. A closed set."""

    ASKING = "asking"
    STUCK = "stuck"
    DONE = "done"
    LOST = "lost"
    CONTEXT = "context"
    """An agent's context is nearly full."""


OF_AN_EVENT = frozenset({NotifyState.ASKING, NotifyState.DONE})
"""States that come again with each question or each end; the others count once until one of these comes."""
