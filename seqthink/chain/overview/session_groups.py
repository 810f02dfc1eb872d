"""Groups and order of a session list: by start, never by what came last (docs/sessions.md)."""

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from seqthink.chain.attention import Attention, Standing
from seqthink.chain.overview.states import STATES, SessionGroup, shown_state
from seqthink.core.times import is_recent

RECENT_SECONDS = 600
"""How long an open session stays among those that think if nobody knows whether it goes on."""


class RepositoryGroup(NamedTuple):
    """A group of the list that shows sessions by repository."""

    name: str
    address: str

    @property
    def value(self) -> str:
        """Its heading."""
        return self.name or "folder not known"


ListGroup: TypeAlias = SessionGroup | RepositoryGroup


class ListPosition(NamedTuple):
    """The place of a session: its group, and what orders it there."""

    group: ListGroup
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


def in_groups(places: Iterable[ListPosition]) -> list[tuple[ListGroup, list[str]]]:
    """Return the groups that have sessions, with their ids.

    Running sessions are in the order of their start, so that a new session comes last and no row moves. Ended ones
    begin with the newest; so do those of a repository, and the repositories. In each group, pinned ones come first.
    """
    members: dict[ListGroup, list[ListPosition]] = {group: [] for group in SessionGroup}
    for place in places:
        members.setdefault(place.group, []).append(place)
    found: list[tuple[ListGroup, list[str]]] = []
    for group, inside in sorted(members.items(), key=_order):
        is_over = group not in {SessionGroup.NEEDS_YOU, SessionGroup.GOING_ON}
        inside.sort(key=lambda place: (place.started, place.session), reverse=is_over)
        inside.sort(key=lambda place: not place.is_pinned)
        if inside:
            found.append((group, [place.session for place in inside]))
    return found


def _order(item: tuple[ListGroup, list[ListPosition]]) -> tuple[int, int]:
    """Return the order of a group: those of needs as they are declared, then repositories, the newest session first."""
    group, inside = item
    if isinstance(group, SessionGroup):
        return [*SessionGroup].index(group), 0
    return len(SessionGroup), -max((place.started for place in inside), default=0)
