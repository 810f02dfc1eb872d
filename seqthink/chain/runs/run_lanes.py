"""Finds the lanes of a run of thoughts, and opens the branches that are new in it."""

from array import array
from collections.abc import Sequence
from operator import lt

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.model import NONE, Landmark
from seqthink.chain.runs.run import Run


def known_lanes(run: Run, agent: AgentState) -> list[int] | None:
    """Return the lane of each thought of ``run``; None if one of them is not open yet, or has no name."""
    if not all(run.branches) and (agent.root_lane == NONE or _has_unnamed(run)):
        return None
    lane_of = {name: agent.branches.get(name, NONE) if name else agent.root_lane for name in set(run.branches)}
    return None if NONE in lane_of.values() else [lane_of[name] for name in run.branches]


def _has_unnamed(run: Run) -> bool:
    """Whether a thought is on a branch without a name."""
    forks = [event.branchFromThought for event in run.events]
    return any(forks) and any(fork and not name for fork, name in zip(forks, run.branches, strict=True))


def opened_lanes(run: Run, agent: AgentState, columns: SessionColumns) -> list[int] | None:
    """Open a branch for each thought of ``run`` and return their lanes; None where that has to be done one by one.

    The thoughts begin with the next index, their names are new and differ, and each leaves from a thought by number:
    the first from any of the chain, the others from one of the run.
    """
    if agent.ordinal != MAIN_AGENT or not all(run.branches):
        return None
    forks = _forks(run, agent, columns)
    if forks is None:
        return None
    lanes, first = columns.lanes, len(columns.thoughts.seq)
    entries = range(columns.entry_count, columns.entry_count + run.length)
    names = [name for name in run.branches if name]
    opened = range(len(lanes.entry_index), len(lanes.entry_index) + run.length)
    columns.thoughts.lane.extend(opened)
    lanes.open_branches(entries, names, forks, first)
    columns.landmarks[Landmark.BRANCH].extend(entries)
    columns.thoughts.branches_from.append_each(forks, opened)
    agent.branches.update(zip(names, opened, strict=True))
    return list(opened)


def _forks(run: Run, agent: AgentState, columns: SessionColumns) -> Sequence[int] | None:
    """Return the thought that each thought leaves from; None where one has to be looked for, but for the first."""
    first, *others = (event.branchFromThought or 0 for event in run.events)
    numbers, thoughts = run.numbers, columns.thoughts
    if not first or min(others) < numbers.start or not all(map(lt, others, numbers[1:])):
        return None
    fork = agent.numbers.resolve_fork(first, thoughts.lane[agent.last_thought])
    if fork == NONE or thoughts.lane[fork] < columns.lanes.trunks[-1]:
        return None
    shift = len(thoughts.seq) - numbers.start
    return array("i", [fork, *(number + shift for number in others)])
