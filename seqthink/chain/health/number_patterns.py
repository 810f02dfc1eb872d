"""Numbers that circle, and estimates that only grow, thought by thought (docs/journal.md, "Chain health")."""

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
    steps: tuple[tuple[int, int], ...] = ()
    """Number and lane of each."""
    thoughts: tuple[int, ...] = ()
    is_circling: bool = False


class CircleFinder:
    """Finds where numbers begin to circle."""

    def __init__(self) -> None:
        self._by_agent: dict[int, _Steps] = {}

    def add(self, session: Session, thought: Thought) -> Oddity | None:
        """Add a thought, later than all before, and return the circle that it closes, once for each circle."""
        agent = session.lanes.get(thought.lane).agent
        known = self._by_agent.get(agent)
        if known is None or known.chain != thought.chain or thought.is_revision:
            known = self._by_agent[agent] = _Steps(thought.chain)
        if thought.is_revision:
            return None
        known.steps = (*known.steps[1 - MAX_STEPS :], (thought.number, thought.lane))
        known.thoughts = (*known.thoughts[1 - MAX_STEPS :], thought.index)
        period = circle_period(known.steps)
        had_begun, known.is_circling = known.is_circling, period > 0
        if not period or had_begun:
            return None
        steps = known.steps[-period:]
        return Oddity(
            kind=OddityKind.CIRCLING,
            thought=thought.index,
            other=known.thoughts[_first_of_circle(known.steps, period)],
            numbers=tuple(number for number, _ in steps),
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
        """Return the growing estimate that stands at a thought of ``session``, which may be an earlier position."""
        lane = self._odd_at.get(index)
        if lane is None or index >= session.thought_count:
            return None
        growth = self._by_lane[lane]
        if growth.lowered_at is not None and growth.lowered_at < session.thought_count:
            return None
        newest = session.thoughts.estimate_of(session.lanes.newest_in(lane))
        return Oddity(kind=OddityKind.GROWING_ESTIMATE, thought=index, lane=lane, numbers=(growth.first, newest))

    def thoughts(self) -> list[int]:
        """Return the thoughts at which a growing estimate may stand."""
        return sorted(self._odd_at)
