"""A session's lanes as steps: a run of unremarkable thoughts can be one step."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session

MIN_RUN_THOUGHTS = 3
"""Minimal number of thoughts that are folded into one step."""


Step = tuple[int, ...]
"""The indices of the thoughts of one step: one thought, or a run of thoughts of one lane."""


class LaneSteps(Struct, frozen=True):
    """The steps of one lane, in order."""

    lane: Lane
    steps: list[Step]


def lane_steps(session: Session, start: int, *, is_folded: bool) -> list[LaneSteps]:
    """Return the lanes with thoughts from index ``start`` on, in the order of their first such thought.

    With ``is_folded`` each run between two remarkable thoughts is one step.
    """
    thoughts: dict[int, list[int]] = {}
    for index in range(start, session.thought_count):
        thoughts.setdefault(session.thoughts.lane_of(index), []).append(index)
    return [
        LaneSteps(session.lanes.get(lane), list(_folded(session, indices) if is_folded else zip(indices)))
        for lane, indices in thoughts.items()
    ]


def _folded(session: Session, indices: list[int]) -> Iterator[Step]:
    run: list[int] = []
    for index in indices:
        if index in {indices[0], indices[-1]} or _is_remarkable(session, index):
            yield from _run_steps(run)
            run = []
            yield (index,)
        else:
            run.append(index)


def _run_steps(run: list[int]) -> Iterable[Step]:
    return [tuple(run)] if len(run) >= MIN_RUN_THOUGHTS else zip(run)  # each thought alone


def _is_remarkable(session: Session, index: int) -> bool:
    """Whether the thought is a revision or revised, forks, ends, was judged, changed the estimate, or joins lanes."""
    thought = session.thoughts.get(index)
    return bool(
        thought.is_revision
        or thought.marked_change
        or session.thoughts.reviser_of(index) != NONE
        or session.lanes.newest_branch_from(index) != NONE
        or session.thoughts.is_final(index)
        or session.branch_returns.brought_back_by(index)
        or session.branch_returns.is_end_of_returned(index)
        or any(attachment.verdict for attachment in session.thoughts.attachments(index))
    )
