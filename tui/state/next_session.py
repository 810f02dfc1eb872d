"""Which session to go to next, and how many there are of each kind: one rule for every screen.

`!` goes to the next session that needs the person: the asking ones, then the stuck ones, then the lost ones that nobody
has read. Without any it goes to the next one that is done and unread, then to the next one with unread thoughts.
"""

from collections.abc import Sequence
from typing import NamedTuple

from seqthink.chain.attention import Standing
from seqthink.chain.overview.states import STATES, ShownState, is_counted, shown_state


class SessionNeed(NamedTuple):
    """What one session needs."""

    key: str
    """What distinguishes it from others: the path of its journal."""
    name: str
    """Its name, safe to draw."""
    standing: Standing
    started: int = 0
    """When it began, in microseconds since 1970."""
    is_unread: bool = False
    """Whether it has thoughts that nobody has read."""
    client: str = ""
    """Where the person answers, safe to draw."""


_UNREAD, _LAST = 3, 5


def rank(need: SessionNeed) -> int:
    """Return how much a session needs the person, 0 most; `_LAST` if not at all."""
    return STATES[shown_state(need.standing)].rank if need.standing.needs_person or need.is_unread else _LAST


def next_session(needs: Sequence[SessionNeed], shown: str | None) -> SessionNeed | None:
    """Return the session to go to from the one that is shown; None if no other needs anybody.

    Again and again it goes around: the asking ones in the order in which they began, then the stuck ones, and so on.
    """
    for ranks in (range(_UNREAD), range(_UNREAD, _UNREAD + 1), range(_UNREAD + 1, _LAST)):
        group = sorted((need for need in needs if rank(need) in ranks), key=_order)
        place = next((place for place, need in enumerate(group) if need.key == shown), -1)
        found = next((need for need in (*group[place + 1 :], *group[: max(0, place)])), None)
        if found is not None:
            return found
    return None


def _order(need: SessionNeed) -> tuple[int, int, str]:
    return rank(need), need.started, need.key


def counted_states(
    needs: Sequence[SessionNeed], now: int, stale_seconds: int, shown: str | None = None
) -> list[ShownState]:
    """Return the states of the sessions that titles and first lines count, but for the one that is shown."""
    states = ((need, shown_state(need.standing, now, stale_seconds)) for need in needs if need.key != shown)
    return [state for need, state in states if is_counted(state, is_unread=need.is_unread)]
