"""Assigns a track to each revision arrow within a lane, so that arrows side by side never share one.

Indices within a lane never change, so a track is chosen once, when the arrow arrives, and does not change later. Arrows
to one target share a track while it is free between them. An arrow that finds no track, crosses lanes or is very long
has none: it is drawn as a stub, or in full while its thought is selected.
"""

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.chain.number_index import MAX_ANCESTOR_LANES
from seqthink.chain.session import Session

MAX_TRACKS = 3
"""How many arrows can run side by side."""
MAX_ARROW_THOUGHTS = 200
"""The longest arrow that gets a track, in thoughts."""


class _ArrowGroup:
    """Arrows to one target in one track; ``start`` and ``end`` are the target's and the newest reviser's place."""

    __slots__ = ("end", "revisers", "start")

    def __init__(self, start: int, end: int, reviser: int) -> None:
        self.start = start
        self.end = end
        self.revisers = array("i", [reviser])


class Crossing(NamedTuple):
    """What one track does beside one thought."""

    goes_up: bool
    """Whether an arrow continues above."""
    goes_down: bool
    """Whether an arrow continues below."""
    is_reviser: bool
    """Whether an arrow starts here."""
    is_target: bool
    """Whether arrows end here."""


_NO_TRACK = 255


class ArrowTracks:
    """The tracks of one chain. ``index_in_lane`` counts the thoughts of one lane, from 0."""

    def __init__(self) -> None:
        self._groups: dict[tuple[int, int], list[_ArrowGroup]] = {}
        self._below: dict[tuple[int, int], int] = {}
        self._track = bytearray()
        self._with_arrows: set[int] = set()
        self._first_use: list[int] = []
        self._first_arrow: int | None = None

    def add(self, session: Session, reviser: int, target: int) -> None:
        """Find a track for the arrow from ``reviser``, the newest thought, to ``target``."""
        if self._first_arrow is None:
            self._first_arrow = reviser
        thoughts = session.thoughts
        lane = thoughts.lane_of(reviser)
        if thoughts.lane_of(target) != lane:
            return
        start, end = thoughts.index_in_lane(target), thoughts.index_in_lane(reviser)
        track = self._join(lane, start, end, reviser)
        if track == NONE and end - start <= MAX_ARROW_THOUGHTS:
            track = self._open(session, lane, start, end, reviser)
        if track != NONE:
            missing = reviser - self._first_arrow - len(self._track)
            if missing:
                self._track.extend(bytes([_NO_TRACK]) * missing)
            self._track.append(track)

    def track_of(self, reviser: int) -> int:
        """Return the track of the arrow from ``reviser``, or NONE."""
        offset = reviser - (self._first_arrow or 0)
        found = self._track[offset] if 0 <= offset < len(self._track) else _NO_TRACK
        return NONE if found == _NO_TRACK else found

    def has_arrows(self, lane: int) -> bool:
        """Return whether any arrow within ``lane`` has a track."""
        return lane in self._with_arrows

    def tracks_used(self, session: Session) -> int:
        """Return how many tracks the chain has needed so far; 1 if it has only arrows without a track."""
        if self._first_arrow is None or self._first_arrow >= session.thought_count:
            return 0
        return max(1, bisect_left(self._first_use, session.thought_count))

    def crossing_at(self, session: Session, lane: int, index_in_lane: int, track: int) -> Crossing | None:
        """Return what ``track`` does beside a thought of ``lane``, or None; arrows of other lanes are ignored."""
        group = self._group_at(lane, track, index_in_lane)
        last = self._last_index(session, group)
        if group is None or last < index_in_lane:
            return None
        is_reviser = any(
            session.thoughts.index_in_lane(reviser) == index_in_lane
            for reviser in self._revisers_at(session, group, index_in_lane)
        )
        return Crossing(index_in_lane > group.start, index_in_lane < last, is_reviser, index_in_lane == group.start)

    def extent(self, session: Session, lane: int, index_in_lane: int, track: int) -> tuple[int, int]:
        """Return first and last index in the lane of the arrow that starts at or above the thought, or NONE twice."""
        group = self._group_at(lane, track, index_in_lane)
        return (group.start, self._last_index(session, group)) if group else (NONE, NONE)

    def passes_after(self, session: Session, lane: int, index_in_lane: int, track: int) -> bool:
        """Return whether an arrow of ``lane`` runs in ``track`` between a thought and the next one of the lane."""
        group = self._group_at(lane, track, index_in_lane)
        return group is not None and self._last_index(session, group) > index_in_lane

    def is_overtaken(self, session: Session, lane: int, last: int) -> bool:
        """Return whether a newer arrow of ``lane`` runs beside the one whose last reviser has index ``last``."""
        groups = (self._group_at(lane, track, last) for track in range(MAX_TRACKS))
        return any(self._last_index(session, group) > last for group in groups)

    def _group_at(self, lane: int, track: int, index_in_lane: int) -> _ArrowGroup | None:
        groups = self._groups.get((lane, track))
        if not groups:
            return None
        number = bisect_right(groups, index_in_lane, key=lambda group: group.start)
        return groups[number - 1] if number else None

    @staticmethod
    def _last_index(session: Session, group: _ArrowGroup | None) -> int:
        """Return the index of the group's newest reviser that has arrived, or NONE."""
        if group is None:
            return NONE
        count = bisect_left(group.revisers, session.thought_count)
        return session.thoughts.index_in_lane(group.revisers[count - 1]) if count else NONE

    @staticmethod
    def _revisers_at(session: Session, group: _ArrowGroup, index_in_lane: int) -> "array[int]":
        count = bisect_left(group.revisers, index_in_lane, key=session.thoughts.index_in_lane)
        return group.revisers[count : count + 1]

    def _join(self, lane: int, start: int, end: int, reviser: int) -> int:
        for track in range(MAX_TRACKS):
            groups = self._groups.get((lane, track))
            if not groups or groups[-1].start != start:
                continue
            group = groups[-1]
            if end - group.end <= MAX_ARROW_THOUGHTS and self._below.get((lane, track), -1) < group.end:
                group.revisers.append(reviser)
                group.end = end
                return track
        return NONE

    def _open(self, session: Session, lane: int, start: int, end: int, reviser: int) -> int:
        above = _ancestors(session, lane)
        free = (track for track in range(MAX_TRACKS) if self._is_free(session, lane, above, start, track))
        track = next(free, NONE)
        if track == NONE:
            return NONE
        self._groups.setdefault((lane, track), []).append(_ArrowGroup(start, end, reviser))
        self._with_arrows.add(lane)
        if track == len(self._first_use):
            self._first_use.append(reviser)
        for ancestor, fork in above:
            key = (ancestor, track)
            self._below[key] = max(self._below.get(key, -1), fork)
        return track

    def _is_free(self, session: Session, lane: int, above: list[tuple[int, int]], start: int, track: int) -> bool:
        groups = self._groups.get((lane, track))
        if groups and groups[-1].end >= start:
            return False
        if self._below.get((lane, track), -1) >= start:
            return False
        return not any(self.passes_after(session, ancestor, fork, track) for ancestor, fork in above)


def _ancestors(session: Session, ordinal: int) -> list[tuple[int, int]]:
    """Return the lanes above, nearest first, each with the index of the fork that leads down."""
    found: list[tuple[int, int]] = []
    lane = session.lanes.get(ordinal)
    while lane.parent != NONE and len(found) < MAX_ANCESTOR_LANES:
        found.append((lane.parent, session.thoughts.index_in_lane(lane.fork)))
        lane = session.lanes.get(lane.parent)
    return found
