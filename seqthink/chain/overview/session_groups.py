"""Groups and order of a session list: by start, never by what came last (docs/sessions.md)."""

from collections.abc import Iterable
from typing import NamedTuple

from seqthink.chain.attention import Attention, Standing
from seqthink.chain.overview.states import STATES, SessionGroup, shown_state
from seqthink.core.times import is_recent

RECENT_SECONDS = 600
"""How long an open session stays among those that think if nobody knows whether it goes on."""


class ListPosition(NamedTuple):
    """The place of a session: its group, and what orders it there."""

    group: SessionGroup
    started: int
    session: str
    is_pinned: bool = False


def group_of(standing: Standing, last_change: int, now: int, *, has_unread: bool) -> SessionGroup:
    """Return the group of a session; both times in microseconds since 1970."""
    is_open = standing.attention is Attention.OPEN
    if (standing.is_over or is_open) and not has_unread:
        return SessionGroup.EARLIER
    if is_open and not is_recent(last_change, now, RECENT_SECONDS):
        return SessionGroup.EARLIER
    return STATES[shown_state(standing)].group


def in_groups(places: Iterable[ListPosition]) -> list[tuple[SessionGroup, list[str]]]:
    """Return the groups that have sessions, with their ids.

    Running sessions are in the order of their start, so that a new session comes last and no row moves. Ended ones
    begin with the newest. In each group those come first that are pinned.
    """
    members: dict[SessionGroup, list[ListPosition]] = {group: [] for group in SessionGroup}
    for place in places:
        members[place.group].append(place)
    found: list[tuple[SessionGroup, list[str]]] = []
    for group, inside in members.items():
        is_over = group in {SessionGroup.UNREAD, SessionGroup.EARLIER}
        inside.sort(key=lambda place: (place.started, place.session), reverse=is_over)
        inside.sort(key=lambda place: not place.is_pinned)
        if inside:
            found.append((group, [place.session for place in inside]))
    return found
