"""The rows of one open chain: its order and its arrows, fed thought by thought."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.drawing import blocks
from seqthink.drawing.blocks import item
from seqthink.drawing.layout import DEEPEST
from seqthink.drawing.order import Order
from seqthink.drawing.tracks import Tracks

MOST_DIGITS = 4
NARROWEST = 100
"""The least number that does not fit the narrowest column of numbers."""


def widen(session: Session, run: range, wider: "array[int]") -> None:
    """Note in ``wider`` which thoughts of a run were the first to need another digit; they are the newest ones."""
    while len(wider) < MOST_DIGITS - 2:
        least = NARROWEST * 10 ** len(wider)
        if session.peak_of(run[-1]) < least:
            return
        wider.append(next(index for index in run if session.number_of(index) >= least))


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
        trunk = session.chain_lanes(chain)[0]
        self._next_lane = trunk + 1
        self.order = Order(self._next, trunk)
        self.order.append(item(blocks.END, trunk), None)
        self._wider = array("q")
        self._drawn_above: dict[int, int] = {}

    def sync(self, session: Session) -> None:
        """Take in the thoughts and refused calls that arrived since the last time."""
        stop = session.chain_range(self.chain).stop
        while self._next < stop:
            self._place_refusals(session, self._next)
            self._place_thoughts(session, self._stop(session, stop))
        self._place_refusals(session, stop)

    def digits(self, session: Session) -> int:
        """Return how many cells the chain's numbers take, at least two."""
        return widened(session, self._wider)

    def drawn_lane(self, lane: Lane) -> int:
        """Return the lane itself, or the one above it that is the deepest to have a column of its own."""
        return self._drawn_above.get(lane.ordinal, lane.ordinal)

    def _stop(self, session: Session, stop: int) -> int:
        """Return up to where the next thoughts may come as one run: a refused call ends it."""
        if self._next_refusal < session.refusal_count:
            return max(self._next + 1, min(stop, session.refusal(self._next_refusal).after))
        return stop

    def _place_thoughts(self, session: Session, stop: int) -> None:
        index, lane = self._next, session.lane_of(self._next)
        if lane >= self._next_lane:
            self._place_lane(session, session.lane(lane), index)
        end, born = item(blocks.END, lane), session.entry_of(index)
        if session.missing_before(index):
            self.order.insert_before(end, item(blocks.GAP, index), born)
        # the first may have a gap or an arrow of its own, the others have none
        run = range(index, session.plain_run(index + 1, stop, lane))
        if len(run) == 1:
            self.order.insert_before(end, item(blocks.THOUGHT, index), born)
        else:
            self.order.insert_thoughts(end, run, session.entries_of(run))
        target = session.target_of(index)
        if target != NONE:
            self.tracks.place(session, index, target)
        widen(session, run, self._wider)
        self._next = run.stop

    def _place_lane(self, session: Session, lane: Lane, index: int) -> None:
        self._next_lane = lane.ordinal + 1
        if lane.depth > DEEPEST:
            above = session.lane(lane.parent)
            self._drawn_above[lane.ordinal] = self.drawn_lane(above)
        head, end = item(blocks.HEAD, lane.ordinal), item(blocks.END, lane.ordinal)
        anchor = self._anchor(session, lane, index)
        for code, born in ((head, lane.born), (end, None)):
            if anchor is None:
                self.order.append(code, born)
            else:
                self.order.insert_before(anchor, code, born)

    @staticmethod
    def _anchor(session: Session, lane: Lane, index: int) -> int | None:
        """Return the item that follows what hangs from the lane's fork; None when the lane comes last of all."""
        if lane.fork == NONE:
            return None
        refused = session.refusal_after(lane.fork)
        if refused != NONE:
            return item(blocks.REFUSED, refused)
        thoughts, place = session.lane(lane.parent).thoughts, session.place_of(lane.fork) + 1
        if place == len(thoughts) or thoughts[place] >= index:
            return item(blocks.END, lane.parent)
        following = thoughts[place]
        return item(blocks.GAP if session.missing_before(following) else blocks.THOUGHT, following)

    def _place_refusals(self, session: Session, arrived: int) -> None:
        """Place the calls that were refused before the ``arrived``-th thought: after the thought before them."""
        while self._next_refusal < session.refusal_count:
            refusal = session.refusal(self._next_refusal)
            if refusal.after > arrived:
                return
            lane = session.lane_of(refusal.after - 1) if refusal.after else session.chain_lanes(self.chain)[0]
            code = item(blocks.REFUSED, self._next_refusal)
            self.order.insert_before(item(blocks.END, lane), code, refusal.entry)
            self._next_refusal += 1
