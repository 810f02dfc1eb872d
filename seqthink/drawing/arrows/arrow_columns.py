"""Decides which revision arrows of a chain are drawn, and in which column.

Usually each track has a column of its own. Where there is room for only one, all tracks share it. Then the newest arrow
that fits is drawn, and an older one is left out if a newer arrow of its lane, or an arrow that passes its lane,
overlaps it.
"""

from seqthink.chain.model import NONE, Landmark, Lane
from seqthink.chain.number_index import MAX_ANCESTOR_LANES
from seqthink.chain.session import Session
from seqthink.drawing.arrows.tracks import MAX_ARROW_THOUGHTS, MAX_TRACKS, ArrowTracks

MAX_ARROWS_TRIED = 8
"""How many of the newest arrows are tried until one fits."""


def newest_arrows(session: Session, rows: range) -> list[int]:
    """Return the thoughts among the last few revisions in ``rows`` that have a target, newest first."""
    numbers = session.landmarks.between(Landmark.REVISION, rows.start, rows.stop)[-MAX_ARROWS_TRIED:]
    revisers = (session.landmarks.thought_at(Landmark.REVISION, number) for number in reversed(numbers))
    return [reviser for reviser in revisers if session.thoughts.target_of(reviser) != NONE]


class ArrowColumns:
    """The columns of one chain's arrows, for one frame.

    ``columns`` is the number of arrow columns that the layout leaves room for.
    """

    def __init__(self, session: Session, tracks: ArrowTracks, columns: int) -> None:
        self._session = session
        self._tracks = tracks
        self.is_shared = columns == 1 and tracks.tracks_used(session) > 1
        """Whether all tracks share one column."""
        self.last_column = columns - 1
        self.track_columns = [
            (track, min(track, self.last_column)) for track in range(MAX_TRACKS if self.is_shared else columns)
        ]
        """Each track that may be drawn, with its column."""
        self._hidden: dict[tuple[int, int, int], bool] = {}
        self._passed: dict[int, bool] = {}

    def has_room(self, lane: int, index_in_lane: int, track: int) -> bool:
        """Return whether the arrow in ``track`` beside a thought of ``lane`` is drawn, given older and newer arrows."""
        if not self.is_shared:
            return track <= self.last_column
        start, last = self._tracks.extent(self._session, lane, index_in_lane, track)
        key = (lane, track, start)
        if key not in self._hidden:
            is_overtaken = self._tracks.is_overtaken(self._session, lane, last)
            self._hidden[key] = is_overtaken or self._is_passed(self._session.lanes.get(lane))
        return not self._hidden[key]

    def column_of(self, reviser: int) -> int:
        """Return the column in which the arrow from ``reviser`` is drawn, or NONE."""
        track, session = self._tracks.track_of(reviser), self._session
        if track == NONE or not self.has_room(
            session.thoughts.lane_of(reviser), session.thoughts.index_in_lane(reviser), track
        ):
            return NONE
        return min(track, self.last_column)

    def newest_undrawn(self, chain: int) -> int:
        """Return the reviser whose arrow is the newest that fits, if that arrow is not drawn; else NONE."""
        session = self._session
        newest = newest_arrows(session, session.chains.thoughts_of(chain)) if self.is_shared else []
        reviser = next(filter(self._fits, newest), NONE)
        return reviser if reviser != NONE and self.column_of(reviser) == NONE else NONE

    def _fits(self, reviser: int) -> bool:
        """Return whether the arrow is short enough and within one lane, so that it could have a track."""
        session, target = self._session, self._session.thoughts.target_of(reviser)
        is_near = session.thoughts.index_in_lane(reviser) - session.thoughts.index_in_lane(target) <= MAX_ARROW_THOUGHTS
        return is_near and session.thoughts.lane_of(target) == session.thoughts.lane_of(reviser)

    def _is_passed(self, lane: Lane) -> bool:
        """Return whether an arrow of a lane above runs beside all rows of ``lane``."""
        session, path = self._session, list[Lane]()
        while lane.ordinal not in self._passed and lane.parent != NONE and len(path) < MAX_ANCESTOR_LANES:
            path.append(lane)
            lane = session.lanes.get(lane.parent)
        is_passed = self._passed.setdefault(lane.ordinal, False)
        for below in reversed(path):
            is_passed = is_passed or self._passes_after(below.parent, session.thoughts.index_in_lane(below.fork))
            self._passed[below.ordinal] = is_passed
        return is_passed

    def _passes_after(self, lane: int, index_in_lane: int) -> bool:
        return any(
            self._tracks.passes_after(self._session, lane, index_in_lane, track)
            and self.has_room(lane, index_in_lane, track)
            for track, _ in self.track_columns
        )
