"""The rows of one open chain: its order and its arrows, fed thought by thought."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.drawing import blocks
from seqthink.drawing.blocks import item
from seqthink.drawing.growth import LAST, Growth
from seqthink.drawing.layout import DEEPEST
from seqthink.drawing.order import Order
from seqthink.drawing.tracks import Tracks

MOST_DIGITS = 4
NARROWEST = 100
"""The least number that does not fit the narrowest column of numbers."""

MOST_AT_ONCE = 2048
"""How many thoughts are placed at once: a few, so that no block grows too big meanwhile."""


def widen(session: Session, run: range, wider: "array[int]") -> None:
    """Note in ``wider`` which thoughts of a run were the first to need another digit; they are the newest ones."""
    while len(wider) < MOST_DIGITS - 2:
        least = NARROWEST * 10 ** len(wider)
        first = next((index for index in run if session.number_of(index) >= least), NONE)
        if first == NONE:
            return
        wider.append(first)


def widened(session: Session, wider: Sequence[int]) -> int:
    """Return how many cells the numbers take at the moment of ``session``, at least two."""
    return 2 + bisect_right(wider, session.length - 1)


class ChainRows:
    """The rows of one open chain."""

    def __init__(self, session: Session, chain: int) -> None:
        self.chain = chain
        self.tracks = Tracks()
        self._next = session.chain_range(chain)[0]
        self._next_refusal = session.refusals_before(self._next) if chain else 0
        self._trunk = session.chain_lanes(chain)[0]
        self._next_lane = self._trunk + 1
        self.order = Order(self._next, self._trunk)
        self.order.insert([(LAST, [item(blocks.END, self._trunk)])])
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
        return widened(session, self._wider)

    def drawn_lane(self, lane: Lane) -> int:
        """Return the lane itself, or the one above it that is the deepest to have a column of its own."""
        return self._drawn_above[lane.ordinal - self._trunk]

    def _stop(self, session: Session, stop: int) -> int:
        """Return up to where the next thoughts may come at once: a refused call ends that."""
        stop = min(stop, self._next + MOST_AT_ONCE)
        if self._next_refusal < session.refusal_count:
            return max(self._next + 1, min(stop, session.refusal(self._next_refusal).after))
        return stop

    def _place_thoughts(self, session: Session, run: range) -> None:
        growth, gaps, current, codes = Growth(), session.gaps_in(run), NONE, list[int]()
        lanes, targets = session.lanes_of(run), session.targets_of(run)
        for index, lane, target in zip(run, lanes, targets, strict=True):
            if lane >= self._next_lane:
                codes = self._place_lane(session, lane, index, growth)
            elif lane != current:
                codes = growth.before(item(blocks.END, lane))
            current = lane
            if index in gaps:
                codes.append(item(blocks.GAP, index))
            codes.append(index << blocks.KIND_BITS)  # the item of a thought, without a call for each
            if target != NONE:
                self.tracks.place(session, index, target)
        self.order.insert(growth.take())
        widen(session, run, self._wider)
        self._next = run.stop

    def _place_lane(self, session: Session, ordinal: int, index: int, growth: Growth) -> list[int]:
        """Place a lane that opened with the thought ``index``; return the items that come before its end."""
        fork = session.lane(ordinal).fork
        parent = session.lane_of(fork) if fork != NONE else NONE
        self._next_lane = ordinal + 1
        self._drawn_above.append(self._drawn(session, ordinal, parent))
        anchor = self._anchor(session, fork, parent, index)
        return growth.put_lane(anchor, item(blocks.HEAD, index), item(blocks.END, ordinal))

    def _drawn(self, session: Session, ordinal: int, parent: int) -> int:
        above = self._drawn_above[parent - self._trunk] if parent != NONE else parent
        is_drawn = above == parent and session.lane(ordinal).depth <= DEEPEST
        return ordinal if is_drawn else above

    def _anchor(self, session: Session, fork: int, parent: int, index: int) -> int:
        """Return the item that follows what hangs from the thought ``fork`` when ``index`` comes, or LAST."""
        if fork == NONE:
            return LAST
        refused = session.refusal_after(fork) if self._next_refusal else NONE
        if refused != NONE:
            return item(blocks.REFUSED, refused)
        if fork == index - 1:
            return item(blocks.END, parent)
        thoughts, place = session.lane(parent).thoughts, session.place_of(fork) + 1
        if place == len(thoughts) or thoughts[place] >= index:
            return item(blocks.END, parent)
        following = thoughts[place]
        return item(blocks.GAP if session.missing_before(following) else blocks.THOUGHT, following)

    def _place_refusals(self, session: Session, arrived: int) -> None:
        """Place the calls that were refused before the ``arrived``-th thought: after the thought before them."""
        while self._next_refusal < session.refusal_count:
            after = session.refusal(self._next_refusal).after
            if after > arrived:
                return
            lane = session.lane_of(after - 1) if after else self._trunk
            self.order.insert([(item(blocks.END, lane), [item(blocks.REFUSED, self._next_refusal)])])
            self._next_refusal += 1
