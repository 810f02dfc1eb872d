"""The rows of one open chain: its row order and its arrows, updated thought by thought."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.drawing.arrows.tracks import ArrowTracks
from seqthink.drawing.text.row_layout import MAX_BRANCH_LEVELS
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.row_items import row_item
from seqthink.drawing.tree.row_order import AT_END, RowOrder

MAX_DIGITS = 4
"""Digits of the widest number column."""
MIN_WIDE_NUMBER = 100
"""The smallest number that does not fit into the narrowest number column (two digits)."""


def record_widening(session: Session, run: range, widening: "array[int]") -> None:
    """Append to ``widening`` the first thoughts of ``run`` whose numbers need another digit; ``run`` is the newest."""
    while len(widening) < MAX_DIGITS - 2:
        least = MIN_WIDE_NUMBER * 10 ** len(widening)
        first = next((index for index in run if session.thoughts.number_of(index) >= least), NONE)
        if first == NONE:
            return
        widening.append(first)


def digits_needed(session: Session, widening: Sequence[int]) -> int:
    """Return the width of the number column in digits that ``session`` needs: at least 2, or 0 where no row has one."""
    if not session.native.has_numbers:
        return 0
    return 2 + bisect_right(widening, session.thought_count - 1)


def _head_items(session: Session, chain: int) -> list[int]:
    """Return the items at the head of a chain that came before it began, in order of arrival."""
    kinds = {True: row_items.THOUGHT, False: row_items.ASIDE}
    return [row_item(kinds[row.is_native], row.ordinal) for row in session.chains.heads_of(chain)]


class ChainRows:
    """The rows of one open chain.

    Args:
        session: the session.
        chain: the chain's ordinal.
        wanted: as in `RowOrder`.
        has_foot: whether what heads the next chain is still at the foot of this one, since the next has not begun.
    """

    def __init__(self, session: Session, chain: int, wanted: Set[int] | None = None, *, has_foot: bool = True) -> None:
        self.chain = chain
        self.has_foot = has_foot
        """Whether what heads the next chain is at the foot of this one."""
        self.tracks = ArrowTracks()
        self._next = session.chains.thoughts_of(chain)[0]
        # What heads the next chain and is not drawn here: the last rows of the trunk.
        self._gone = () if has_foot else session.chains.moving_from(chain)
        self._next_aside = session.asides.count_before(self._next) if chain else 0
        self._trunk = session.chains.lanes_of(chain)[0]
        self._next_lane = self._trunk + 1
        self.order = RowOrder(wanted)
        self.order.insert(AT_END, [*_head_items(session, chain), row_item(row_items.LANE_END, self._trunk)])
        self._widening_thoughts = array("q")
        # For each lane, counted from the trunk: the lane whose column it is drawn in.
        self._drawn_lanes = array("i", [self._trunk])

    def sync(self, session: Session) -> None:
        """Add the thoughts and asides that arrived since the last call."""
        stop = session.chains.thoughts_of(self.chain).stop
        while self._next < stop:
            self._place_asides(session, self._next)
            if self._is_gone(self._next):
                self._next += 1
            else:
                self._place_thoughts(session, range(self._next, self._batch_end(session, stop)))
        self._place_asides(session, stop)

    def digits(self, session: Session) -> int:
        """Return the width of the chain's number column in digits: at least 2, or 0 where no row has a number."""
        return digits_needed(session, self._widening_thoughts)

    def drawn_lane(self, lane: Lane) -> int:
        """Return ``lane``, or its nearest ancestor that has a column of its own."""
        return self._drawn_lanes[lane.ordinal - self._trunk]

    def _is_gone(self, index: int) -> bool:
        place = bisect_left(self._gone, index)
        return place < len(self._gone) and self._gone[place] == index

    def _batch_end(self, session: Session, stop: int) -> int:
        """Return the end of the next batch: before the next aside or moved row."""
        stop = min([stop, *self._gone[bisect_left(self._gone, self._next) :][:1]])
        if self._next_aside < session.asides.count:
            return max(self._next + 1, min(stop, session.asides.get(self._next_aside).thoughts_before))
        return stop

    def _place_thoughts(self, session: Session, run: range) -> None:
        lanes, targets = session.thoughts.lanes_of(run), session.thoughts.targets_of(run)
        gaps = session.thoughts.gaps_in(run)
        for index, lane, target in zip(run, lanes, targets, strict=True):
            if lane >= self._next_lane:
                self._place_lane(session, lane, index)
            items = [row_item(row_items.GAP, index)] if index in gaps else []
            self.order.insert(row_item(row_items.LANE_END, lane), [*items, row_item(row_items.THOUGHT, index)])
            if target != NONE:
                self.tracks.add(session, index, target)
        record_widening(session, run, self._widening_thoughts)
        self._next = run.stop

    def _place_lane(self, session: Session, lane: int, index: int) -> None:
        """Insert the head and the end of a lane that opened with the thought ``index``."""
        fork, above = session.lanes.fork_of(lane), self._drawn_lanes
        self._next_lane = lane + 1
        parent = session.thoughts.lane_of(fork) if fork != NONE else NONE
        drawn = above[parent - self._trunk] if parent != NONE else NONE
        above.append(lane if drawn == parent and session.lanes.get(lane).depth <= MAX_BRANCH_LEVELS else drawn)
        ends = [row_item(row_items.BRANCH_HEAD, index), row_item(row_items.LANE_END, lane)]
        self.order.insert(self._anchor(session, fork, index), ends)

    def _anchor(self, session: Session, fork: int, index: int) -> int:
        """Return the item before which a branch from the thought ``fork`` goes when ``index`` arrives, or AT_END."""
        if fork == NONE:
            return AT_END
        aside, parent = session.asides.first_after(fork, with_moved=self.has_foot), session.thoughts.lane_of(fork)
        if NONE < aside < self._next_aside:
            return row_item(row_items.ASIDE, aside)
        thoughts, following_index = session.lanes.get(parent).thoughts, session.thoughts.index_in_lane(fork) + 1
        if following_index == len(thoughts) or thoughts[following_index] >= index:
            return row_item(row_items.LANE_END, parent)
        following = thoughts[following_index]
        if self._is_gone(following):
            return row_item(row_items.LANE_END, parent)
        return row_item(row_items.GAP if session.thoughts.skipped_count_of(following) else row_items.THOUGHT, following)

    def _place_asides(self, session: Session, arrived: int) -> None:
        """Insert the asides from before ``arrived`` thoughts had arrived, each behind the thought above it."""
        while self._next_aside < session.asides.count:
            aside = session.asides.get(self._next_aside)
            if aside.thoughts_before > arrived:
                return
            if self.has_foot or not session.asides.will_move(self._next_aside):
                above = session.asides.above_at_first(self._next_aside)
                lane = session.thoughts.lane_of(above) if above != NONE else self._trunk
                self.order.insert(row_item(row_items.LANE_END, lane), [row_item(row_items.ASIDE, self._next_aside)])
            self._next_aside += 1
