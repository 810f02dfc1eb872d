"""The states that every screen, page and line shows of a session: one table (docs/sessions.md, "What a session needs").

Viewer, wall, list, `seqthink status`, page, titles and notifications look here. Standard library only, because
`seqthink status` has to answer at once.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from seqthink.chain.attention import Attention, Doing, Standing
from seqthink.chain.state import STALE_SECONDS, State

STATE_SIGNS: Final = {
    "attention": ("▲", "!"),
    "thought": ("●", "o"),
    "expected": ("○", "."),
    "final": ("✓", "v"),
    "stopped": ("■", "#"),
    "refused": ("✗", "x"),
}
"""The signs of states by their names in `Signs`, in Unicode and ASCII; counts are in this order."""


class SessionGroup(StrEnum):
    """A group of the list; each is also its heading. The first one comes first."""

    NEEDS_YOU = "needs you"
    GOING_ON = "going on"
    UNREAD = "ended, unread"
    EARLIER = "earlier"


class ShownState(StrEnum):
    """A state as people see it: what a session needs or does, and whether it is quiet. A closed set."""

    ASKING = "asking"
    STUCK = "stuck"
    THINKING = "thinking"
    ACTING = "acting"
    AUDITING = "auditing"
    SAMPLING = "sampling"
    WAITING = "waiting"
    QUIET = "quiet"
    DONE = "done"
    STOPPED = "stopped"
    LOST = "lost"
    OPEN = "open"
    LEFT = "left"
    """Only of an earlier chain, never of a session."""


class StateRow(NamedTuple):
    """All that depends on a state alone."""

    word: str
    sign: str
    """Name of its sign in `Signs`."""
    role: str
    """Value of its `Role`, the colour of sign and word."""
    group: SessionGroup
    """Its group in the list while it is unread; `EARLIER` takes what is over or open and has been read."""
    rank: int
    """Its place in the order of `!`, 0 first."""
    news: str = ""
    """What the notification says behind the name, when the bell rings; empty for a state that rings nothing."""
    brief_after: int | None = None
    """Seconds without news after which the wall gives it a single line; None for never."""


_ENDED, _LONG_QUIET = 10, 300
"""Seconds of ``brief_after``: long enough to see that a session ended, and to know that a quiet one is left alone."""

STATES: Final[Mapping[ShownState, StateRow]] = {
    ShownState.ASKING: StateRow("asking you", "attention", "warn", SessionGroup.NEEDS_YOU, 0, "asks you"),
    ShownState.STUCK: StateRow("stuck", "attention", "warn", SessionGroup.NEEDS_YOU, 1, "is stuck"),
    ShownState.THINKING: StateRow("thinking", "thought", "accent", SessionGroup.GOING_ON, 4),
    ShownState.ACTING: StateRow("acting", "thought", "accent", SessionGroup.GOING_ON, 4),
    ShownState.AUDITING: StateRow("auditing", "expected", "accent", SessionGroup.GOING_ON, 4),
    ShownState.SAMPLING: StateRow("asking model", "expected", "accent", SessionGroup.GOING_ON, 4),
    ShownState.WAITING: StateRow("waiting", "expected", "muted", SessionGroup.GOING_ON, 4, brief_after=_LONG_QUIET),
    ShownState.QUIET: StateRow("quiet", "expected", "muted", SessionGroup.GOING_ON, 4, brief_after=_LONG_QUIET),
    ShownState.DONE: StateRow("done", "final", "good", SessionGroup.UNREAD, 3, "is done", brief_after=_ENDED),
    ShownState.STOPPED: StateRow("stopped", "stopped", "muted", SessionGroup.UNREAD, 4, brief_after=_ENDED),
    ShownState.LOST: StateRow("lost", "refused", "bad", SessionGroup.UNREAD, 2, "was lost", brief_after=_ENDED),
    ShownState.OPEN: StateRow("open", "expected", "muted", SessionGroup.GOING_ON, 4, brief_after=_LONG_QUIET),
    ShownState.LEFT: StateRow("left", "expected", "muted", SessionGroup.EARLIER, 4),
}
"""The table, in the order of counts in words."""

_OF_DOING: Final = {
    Doing.ACTING: ShownState.ACTING,
    Doing.AUDITING: ShownState.AUDITING,
    Doing.SAMPLING: ShownState.SAMPLING,
    Doing.WAITING: ShownState.WAITING,
}


def shown_state(standing: Standing, now: int | None = None, stale_seconds: int = STALE_SECONDS) -> ShownState:
    """Return the state of a session at ``now``, in microseconds.

    None is quiet without that time, without a known last activity, or with 0 seconds.
    """
    if standing.attention is not Attention.THINKING:
        return ShownState(standing.attention.value)
    found = _OF_DOING.get(standing.doing, ShownState.THINKING)
    if found is not ShownState.THINKING or now is None or not standing.since or not stale_seconds:
        return found
    return ShownState.QUIET if now - standing.since > stale_seconds * 1_000_000 else found


def chain_state_shown(state: State) -> ShownState:
    """Return how the state of a chain is shown, which no clock changes."""
    return ShownState.OPEN if state is State.UNKNOWN else ShownState(state.value)


def is_brief(state: ShownState, quiet_seconds: float) -> bool:
    """Return whether the wall gives a session a single line, after that many seconds without news of it."""
    after = STATES[state].brief_after
    return after is not None and quiet_seconds >= after


def is_counted(state: ShownState, *, is_unread: bool) -> bool:
    """Return whether the counts of a title or a first line have a session: it needs you, goes on, or is unread."""
    group = STATES[state].group
    is_certain = group is SessionGroup.NEEDS_YOU or (group is SessionGroup.GOING_ON and state is not ShownState.OPEN)
    return is_certain or (is_unread and group is not SessionGroup.EARLIER)


def counts_by_sign(states: Iterable[ShownState]) -> dict[tuple[str, str], int]:
    """Return by sign and role how many ``states`` there are, without zeros; signs that look alike are one."""
    counts: dict[str, int] = dict.fromkeys(STATE_SIGNS, 0)
    roles: dict[str, str] = {}
    for state in states:
        row = STATES[state]
        counts[row.sign] += 1
        # what is at work has the colour, however many are quiet beside it
        roles[row.sign] = row.role if roles.get(row.sign, "muted") == "muted" else roles[row.sign]
    return {(sign, roles[sign]): count for sign, count in counts.items() if count}


def counts_by_state(states: Iterable[ShownState]) -> dict[ShownState, int]:
    """Return how many of each state there are, in the order of the table, without zeros."""
    given = list(states)
    return {state: count for state in STATES if (count := given.count(state))}
