"""The rows of one open chain: its order and its arrows, fed thought by thought."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.drawing import row_items
from seqthink.drawing.insertions import AT_END, InsertionBatch
from seqthink.drawing.row_items import item
from seqthink.drawing.row_layout import MAX_BRANCH_LEVELS
from seqthink.drawing.row_order import RowOrder
from seqthink.drawing.tracks import ArrowTracks

MAX_DIGITS = 4
MIN_WIDE_NUMBER = 100
"""The least number that does not fit the narrowest column of numbers."""

MAX_BATCH_THOUGHTS = 2048
"""How many thoughts are placed at once: a few, so that no block grows too big meanwhile."""


def record_wider(session: Session, run: range, wider: "array[int]") -> None:
    """Note in ``wider`` which thoughts of a run were the first to need another digit; they are the newest ones."""
    while len(wider) < MAX_DIGITS - 2:
        least = MIN_WIDE_NUMBER * 10 ** len(wider)
        first = next((index for index in run if session.number_of(index) >= least), NONE)
        if first == NONE:
            return
        wider.append(first)


def digits_needed(session: Session, wider: Sequence[int]) -> int:
    """Return how many cells the numbers take at the moment of ``session``, at least two."""
    return 2 + bisect_right(wider, session.thought_count - 1)


class ChainRows:
    """The rows of one open chain."""

    def __init__(self, session: Session, chain: int, order: Callable[[int, int], RowOrder] = RowOrder) -> None:
        self.chain = chain
        self.tracks = ArrowTracks()
        self._next = session.chain_range(chain)[0]
        self._next_refusal = session.refusals_before(self._next) if chain else 0
        self._trunk = session.chain_lanes(chain)[0]
        self._next_lane = self._trunk + 1
        self.order = order(self._next, self._trunk)
        self.order.insert([(AT_END, [item(row_items.LANE_END, self._trunk)])])
        self._wider = array("q")
        # By lane, counted from the trunk.
        self._drawn_above = array("i", [self._trunk])

    def sync(self, session: Session) -> None:
        """Take in the thoughts and refused calls that arrived since the last time."""
        stop = session.chain_range(self.chain).stop
        while self._next < stop:
            self._place_refusals(session, self._next)
            self._place_thoughts(session, range(self._next, self._stop(session, stop)))
        self._place_refusals(session, stop)

    def digits(self, session: Session) -> int:
        """Return how many cells the chain's numbers take, at least two."""
        return digits_needed(session, self._wider)

    def drawn_lane(self, lane: Lane) -> int:
        """Return the lane itself, or the one above it that is the deepest to have a column of its own."""
        return self._drawn_above[lane.ordinal - self._trunk]

    def _stop(self, session: Session, stop: int) -> int:
        """Return up to where the next thoughts may come at once: a refused call ends that."""
        stop = min(stop, self._next + MAX_BATCH_THOUGHTS)
        if self._next_refusal < session.refusal_count:
            return max(self._next + 1, min(stop, session.refusal(self._next_refusal).thoughts_before))
        return stop

    def _place_thoughts(self, session: Session, run: range) -> None:
        growth, gaps, current, codes = InsertionBatch(), session.gaps_in(run), NONE, None
        lanes, targets = session.lanes_of(run), session.targets_of(run)
        for index, lane, target in zip(run, lanes, targets, strict=True):
            if lane >= self._next_lane:
                codes = self._place_lane(session, lane, index, growth, codes)
            elif codes is None or lane != current:
                codes = growth.before(item(row_items.LANE_END, lane))
            current = lane
            if index in gaps:
                codes.append(item(row_items.GAP, index))
            codes.append(index << row_items.KIND_BITS)  # the item of a thought, without a call for each
            if target != NONE:
                self.tracks.add(session, index, target)
        self.order.insert(growth.drain())
        record_wider(session, run, self._wider)
        self._next = run.stop

    def _place_lane(
        self, session: Session, lane: int, index: int, growth: InsertionBatch, newest: list[int] | None
    ) -> list[int]:
        """Place a lane that opened with the thought ``index``; return what comes before its end.

        ``newest`` is what comes before the end of the lane of the thought before, if that thought is gathered, too.
        """
        fork, above = session.fork_of(lane), self._drawn_above
        if newest is None or fork != index - 1 or self._next_refusal:
            newest = growth.before(self._anchor(session, fork, index))
        self._next_lane = lane + 1
        parent = session.lane_of(fork) if fork != NONE else NONE
        drawn = above[parent - self._trunk] if parent != NONE else NONE
        above.append(lane if drawn == parent and session.lane(lane).depth <= MAX_BRANCH_LEVELS else drawn)
        newest.append(index << row_items.KIND_BITS | row_items.BRANCH_HEAD)
        newest.append(lane << row_items.KIND_BITS | row_items.LANE_END)
        return growth.before(newest[-1])

    def _anchor(self, session: Session, fork: int, index: int) -> int:
        """Return the item that follows what hangs from the thought ``fork`` when ``index`` comes, or LAST."""
        if fork == NONE:
            return AT_END
        refused, parent = session.first_refusal_after(fork), session.lane_of(fork)
        if NONE < refused < self._next_refusal:
            return item(row_items.REFUSED, refused)
        thoughts, place = session.lane(parent).thoughts, session.index_in_lane(fork) + 1
        if place == len(thoughts) or thoughts[place] >= index:
            return item(row_items.LANE_END, parent)
        following = thoughts[place]
        return item(row_items.GAP if session.skipped_count_of(following) else row_items.THOUGHT, following)

    def _place_refusals(self, session: Session, arrived: int) -> None:
        """Place the calls that were refused before the ``arrived``-th thought: after the thought before them."""
        while self._next_refusal < session.refusal_count:
            refusal = session.refusal(self._next_refusal)
            if refusal.thoughts_before > arrived:
                return
            lane = session.lane_of(refusal.thought_above) if refusal.thought_above != NONE else self._trunk
            self.order.insert([(item(row_items.LANE_END, lane), [item(row_items.REFUSED, self._next_refusal)])])
            self._next_refusal += 1
