"""Where revision arrows run: each arrow within a lane gets a track that no other arrow beside it uses.

Places are counted within a lane and never change, so a track is chosen once, from what came before, and the choice
holds at every later moment. Arrows to one target share a track while it is free between them. What finds no track, runs
across lanes or is very long has none: it is drawn as a stub, or in full while its thought is selected.
"""

from array import array
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.chain.number_index import MAX_ANCESTOR_LANES
from seqthink.chain.session import Session

MAX_TRACKS = 3
MAX_ARROW_THOUGHTS = 200


class _Bus:
    """Arrows to one target in one track."""

    __slots__ = ("revisers", "start")

    def __init__(self, start: int, reviser: int) -> None:
        self.start = start
        self.revisers = array("i", [reviser])


class Crossing(NamedTuple):
    """What one track does beside one thought: an arrow passes, starts at a reviser, ends at the target."""

    goes_up: bool
    goes_down: bool
    is_reviser: bool
    is_target: bool


_NO_TRACK = 255


class ArrowTracks:
    """The tracks of one chain."""

    def __init__(self) -> None:
        self._buses: dict[tuple[int, int], list[_Bus]] = {}
        self._below: dict[tuple[int, int], int] = {}
        self._track = bytearray()
        self._with_arrows: set[int] = set()
        self._first_use: list[int] = []
        self._first_arrow: int | None = None

    def add(self, session: Session, reviser: int, target: int) -> None:
        """Find a track for the arrow from the thought ``reviser``, the newest of all, to ``target``."""
        if self._first_arrow is None:
            self._first_arrow = reviser
        lane = session.lane_of(reviser)
        if session.lane_of(target) != lane:
            return
        start, end = session.index_in_lane(target), session.index_in_lane(reviser)
        track = self._join(session, lane, start, end, reviser)
        if track == NONE and end - start <= MAX_ARROW_THOUGHTS:
            track = self._open(session, lane, start, reviser)
        if track != NONE:
            self._track.extend(bytes([_NO_TRACK]) * (reviser - self._first_arrow - len(self._track)))
            self._track.append(track)

    def track_of(self, reviser: int) -> int:
        """Return the track of the arrow from the thought ``reviser``, or NONE."""
        place = reviser - (self._first_arrow or 0)
        found = self._track[place] if 0 <= place < len(self._track) else _NO_TRACK
        return NONE if found == _NO_TRACK else found

    def has_arrows(self, lane: int) -> bool:
        """Whether any arrow within ``lane`` has a track."""
        return lane in self._with_arrows

    def tracks_used(self, session: Session) -> int:
        """Return how many tracks the chain has needed so far; 1 when its only arrows are stubs."""
        if self._first_arrow is None or self._first_arrow >= session.thought_count:
            return 0
        return max(1, bisect_left(self._first_use, session.thought_count))

    def crossing_at(self, session: Session, lane: int, place: int, track: int) -> Crossing | None:
        """Return what ``track`` does beside the thought at ``place`` of ``lane``, as far as its own lane goes."""
        bus = self._bus(lane, track, place)
        last = self._last(session, bus)
        if bus is None or last < place:
            return None
        is_reviser = any(session.index_in_lane(one) == place for one in self._near(session, bus, place))
        return Crossing(place > bus.start, place < last, is_reviser, place == bus.start)

    def extent(self, session: Session, lane: int, place: int, track: int) -> tuple[int, int]:
        """Return from where to where the arrow at or below ``place`` runs in ``track``, as far as it has come."""
        bus = self._bus(lane, track, place)
        return (bus.start, self._last(session, bus)) if bus else (NONE, NONE)

    def passes_after(self, session: Session, lane: int, place: int, track: int) -> bool:
        """Whether an arrow of ``lane`` runs in ``track`` between the thought at ``place`` and the next one."""
        bus = self._bus(lane, track, place)
        return bus is not None and self._last(session, bus) > place

    def is_overtaken(self, session: Session, lane: int, last: int) -> bool:
        """Whether a newer arrow of ``lane`` runs beside the one whose last reviser is at the place ``last``."""
        buses = (self._bus(lane, track, last) for track in range(MAX_TRACKS))
        return any(self._last(session, bus) > last for bus in buses)

    def _bus(self, lane: int, track: int, place: int) -> _Bus | None:
        buses = self._buses.get((lane, track))
        if not buses:
            return None
        number = bisect_right(buses, place, key=lambda bus: bus.start)
        return buses[number - 1] if number else None

    @staticmethod
    def _last(session: Session, bus: _Bus | None) -> int:
        """Return the place of the bus's newest arrow that has come, or NONE."""
        if bus is None:
            return NONE
        count = bisect_left(bus.revisers, session.thought_count)
        return session.index_in_lane(bus.revisers[count - 1]) if count else NONE

    @staticmethod
    def _near(session: Session, bus: _Bus, place: int) -> "array[int]":
        count = bisect_left(bus.revisers, place, key=session.index_in_lane)
        return bus.revisers[count : count + 1]

    def _join(self, session: Session, lane: int, start: int, end: int, reviser: int) -> int:
        for track in range(MAX_TRACKS):
            buses = self._buses.get((lane, track))
            if not buses or buses[-1].start != start:
                continue
            last = session.index_in_lane(buses[-1].revisers[-1])
            if end - last <= MAX_ARROW_THOUGHTS and self._below.get((lane, track), -1) < last:
                buses[-1].revisers.append(reviser)
                return track
        return NONE

    def _open(self, session: Session, lane: int, start: int, reviser: int) -> int:
        above = _ancestors(session, lane)
        free = (track for track in range(MAX_TRACKS) if self._is_free(session, lane, above, start, track))
        track = next(free, NONE)
        if track == NONE:
            return NONE
        self._buses.setdefault((lane, track), []).append(_Bus(start, reviser))
        self._with_arrows.add(lane)
        if track == len(self._first_use):
            self._first_use.append(reviser)
        for ancestor, fork in above:
            key = (ancestor, track)
            self._below[key] = max(self._below.get(key, -1), fork)
        return track

    def _is_free(self, session: Session, lane: int, above: list[tuple[int, int]], start: int, track: int) -> bool:
        buses = self._buses.get((lane, track))
        if buses and session.index_in_lane(buses[-1].revisers[-1]) >= start:
            return False
        if self._below.get((lane, track), -1) >= start:
            return False
        return not any(self.passes_after(session, ancestor, fork, track) for ancestor, fork in above)


def _ancestors(session: Session, ordinal: int) -> list[tuple[int, int]]:
    """Return the lanes above, nearest first, each with the place of the fork that leads down."""
    found: list[tuple[int, int]] = []
    lane = session.lane(ordinal)
    while lane.parent != NONE and len(found) < MAX_ANCESTOR_LANES:
        found.append((lane.parent, session.index_in_lane(lane.fork)))
        lane = session.lane(lane.parent)
    return found
