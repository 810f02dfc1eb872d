"""A session in fewer steps than it has thoughts: runs in which nothing happens become one step."""

from collections.abc import Iterator

from msgspec import Struct

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session

MIN_RUN_THOUGHTS = 3
"""How many thoughts a step stands for at least when it stands for several."""


class ChartStep(Struct, frozen=True, gc=False):
    """A thought, or the thoughts of one lane from ``first`` to ``last``, ``count`` of them."""

    first: int
    last: int
    count: int = 1


class LaneSteps(Struct, frozen=True):
    """The steps of one lane, in order."""

    lane: Lane
    steps: list[ChartStep]


def lane_steps(session: Session, start: int, *, is_folded: bool) -> list[LaneSteps]:
    """Return the lanes with thoughts from the index ``start`` on, in the order in which those came.

    With ``is_folded`` the runs between two telling thoughts are one step each.
    """
    thoughts: dict[int, list[int]] = {}
    for index in range(start, session.thought_count):
        thoughts.setdefault(session.lane_of(index), []).append(index)
    return [
        LaneSteps(session.lane(lane), list(_folded(session, indices) if is_folded else map(_single, indices)))
        for lane, indices in thoughts.items()
    ]


def _single(index: int) -> ChartStep:
    return ChartStep(index, index)


def _folded(session: Session, indices: list[int]) -> Iterator[ChartStep]:
    run: list[int] = []
    for index in indices:
        if index in {indices[0], indices[-1]} or _is_telling(session, index):
            yield from _closed(run)
            run = []
            yield _single(index)
        else:
            run.append(index)


def _closed(run: list[int]) -> Iterator[ChartStep]:
    if len(run) >= MIN_RUN_THOUGHTS:
        yield ChartStep(run[0], run[-1], len(run))
    else:
        yield from map(_single, run)


def _is_telling(session: Session, index: int) -> bool:
    """Whether something leads to or from the thought, or it changed what is expected."""
    thought = session.thought(index)
    return bool(
        thought.is_revision
        or thought.estimate_change
        or session.reviser_of(index) != NONE
        or session.newest_branch_from(index) != NONE
        or session.is_final(index)
        or any(one.verdict for one in session.attachments(index))
    )
