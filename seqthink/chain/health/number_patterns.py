"""Numbers that circle, and estimates that only grow, thought by thought (docs/journal.md, "Chain health")."""

from collections import deque

from msgspec import Struct

from seqthink.chain.health.circling import MAX_STEPS, circle_period
from seqthink.chain.health.oddities import Oddity, OddityKind
from seqthink.chain.model import Thought
from seqthink.chain.session import Session

MIN_RAISES = 4
MIN_GROWTH = 5
"""By how much an estimate must have grown, besides to more than twice the first."""


class _Steps(Struct):
    """The newest steps of one agent in one chain."""

    chain: int
    steps: deque[tuple[int, int]]
    """Number and lane of each."""
    thoughts: deque[int]
    is_circling: bool = False


class CircleFinder:
    """Finds where numbers begin to circle."""

    def __init__(self) -> None:
        self._by_agent: dict[int, _Steps] = {}

    def add(self, session: Session, index: int) -> Oddity | None:
        """Add a thought, later than all before, and return the circle that it closes, once for each circle."""
        thoughts = session.thoughts
        lane, chain, is_revision = thoughts.lane_of(index), thoughts.chain_of(index), thoughts.is_revision(index)
        agent = session.lanes.agent_of(lane)
        known = self._by_agent.get(agent)
        if known is None or known.chain != chain or is_revision:
            known = self._by_agent[agent] = _Steps(chain, deque(maxlen=MAX_STEPS), deque(maxlen=MAX_STEPS))
        if is_revision:
            return None
        step = (thoughts.number_of(index), lane)
        may_circle = step in known.steps
        known.steps.append(step)
        known.thoughts.append(index)
        steps = tuple(known.steps) if may_circle else ()
        period = circle_period(steps)
        had_begun, known.is_circling = known.is_circling, period > 0
        if not period or had_begun:
            return None
        return Oddity(
            kind=OddityKind.CIRCLING,
            thought=index,
            other=known.thoughts[_first_of_circle(steps, period)],
            numbers=tuple(number for number, _ in steps[-period:]),
        )


def _first_of_circle(steps: tuple[tuple[int, int], ...], period: int) -> int:
    """Return the place of the first step of the circle that ``steps`` end with."""
    first = len(steps) - period
    while first > 0 and steps[first - 1] == steps[first - 1 + period]:
        first -= 1
    return first


class _Growth(Struct):
    """How the estimate of one lane has changed."""

    first: int
    """The first estimate."""
    raises: int = 0
    odd_since: int | None = None
    """The thought that made it odd."""
    lowered_at: int | None = None
    """The thought that lowered it."""


class EstimateWatch:
    """Finds the lanes whose estimate only grew."""

    def __init__(self) -> None:
        self._by_lane: dict[int, _Growth] = {}
        self._odd_at: dict[int, int] = {}
        """By thought that made it odd: the lane."""

    def add(self, thought: Thought) -> None:
        """Add a thought, later than all before."""
        before = thought.previous_estimate
        if not before:
            return
        growth = self._by_lane.setdefault(thought.lane, _Growth(before))
        if growth.lowered_at is not None:
            return
        if thought.estimate < before:
            growth.lowered_at = thought.index
            return
        growth.raises += 1
        has_grown = thought.estimate > 2 * growth.first and thought.estimate - growth.first >= MIN_GROWTH
        if growth.odd_since is None and growth.raises >= MIN_RAISES and has_grown:
            growth.odd_since = thought.index
            self._odd_at[thought.index] = thought.lane

    def oddity_at(self, session: Session, index: int) -> Oddity | None:
        """Return the growing estimate at a thought of ``session``, which may be an earlier position."""
        lane = self._odd_at.get(index)
        if lane is None or index >= session.thought_count:
            return None
        growth = self._by_lane[lane]
        if growth.lowered_at is not None and growth.lowered_at < session.thought_count:
            return None
        newest = session.thoughts.estimate_of(session.lanes.newest_in(lane))
        return Oddity(kind=OddityKind.GROWING_ESTIMATE, thought=index, lane=lane, numbers=(growth.first, newest))

    def thoughts(self) -> list[int]:
        """Return the thoughts that may have a growing estimate."""
        return sorted(self._odd_at)
