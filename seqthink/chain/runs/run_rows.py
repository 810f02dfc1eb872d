"""Appends a run of thoughts to the columns of a session: what `Fold` does thought by thought, column by column."""

from array import array
from collections.abc import Sequence
from itertools import accumulate
from operator import sub

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.arrival_columns import MIN_PAUSE
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.event_facts import revises, thought_flags
from seqthink.chain.model import NONE, Landmark
from seqthink.chain.returns.branch_watch import BranchWatch
from seqthink.chain.runs.run import MIN_LENGTH, Run
from seqthink.chain.runs.run_lanes import known_lanes, opened_lanes
from seqthink.core.times import MAX_MICROSECONDS


class RunRows:
    """Appends runs, as far as nothing about them has to be looked at thought by thought.

    Args:
        columns: the columns of the session.
    """

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns

    def add(self, run: Run, agent: AgentState) -> bool:
        """Append a part of a run whose first thought is not its agent's first; False: it has to go one by one."""
        if not self._is_plain(run, agent):
            return False
        lanes = known_lanes(run, agent)
        if lanes is not None:
            return self._add_to_lanes(run, agent, lanes)
        if revises(run.first):
            return False
        lanes = opened_lanes(run, agent, self._columns)
        if lanes is None:
            return False
        self._add_opened(run, agent, lanes)
        return True

    def _is_plain(self, run: Run, agent: AgentState) -> bool:
        """Whether its numbers are new to the agent's problem, its estimate above them, and it revises none of them."""
        columns, numbers = self._columns, run.numbers
        return (
            run.length >= MIN_LENGTH
            and not columns.rewound.rewinds
            and agent.ordinal not in columns.agents.forks
            and numbers.start == agent.highest_number + 1
            and run.first.totalThoughts >= numbers[-1]
            and (run.first.revisesThought or 0) < numbers.start
        )

    def _add_to_lanes(self, run: Run, agent: AgentState, lanes: list[int]) -> bool:
        """Append thoughts to lanes that are open."""
        thoughts, last_thought = self._columns.thoughts, self._columns.lanes.last_thought
        passed = self._passed(run, agent)
        for lane in set(lanes):
            end = last_thought[lane]
            if (
                end == NONE
                or thoughts.estimate[end] != run.first.totalThoughts
                or not 0 < thoughts.highest_number[end] < run.first.thoughtNumber
                or thoughts.lane_duration[end] + sum(passed) > MAX_MICROSECONDS
            ):
                return False
        index = len(thoughts.seq)
        if lanes.count(lanes[0]) == len(lanes):
            self._extend_lane(lanes[0], index, passed)
        else:
            self._extend_lanes(lanes, index, passed)
        self._add_rest(run, agent, lanes)
        if revises(run.first):
            self._add_revisions(run.first.revisesThought or 0, index, lanes, agent)
        watch = self._watch_of(agent, lanes)
        if watch is not None:
            watch.add_calls(lanes, agent.root_lane, run.events, index)
        return True

    def _extend_lane(self, lane: int, index: int, passed: Sequence[int]) -> None:
        """Append what a lane knows of its thoughts, where all are on one lane."""
        thoughts, lanes = self._columns.thoughts, self._columns.lanes
        end, indices = lanes.last_thought[lane], range(index, index + len(passed))
        place = thoughts.index_in_lane[end] + 1
        lanes.thoughts.extend(lane, array("i", indices))
        lanes.last_thought[lane] = indices[-1]
        thoughts.index_in_lane.extend(range(place, place + len(passed)))
        durations = list(accumulate(passed, initial=thoughts.lane_duration[end]))
        thoughts.lane_duration.extend(array("q", durations[1:]))
        thoughts.lane.extend(array("i", [lane]) * len(passed))

    def _extend_lanes(self, lanes: Sequence[int], index: int, passed: Sequence[int]) -> None:
        """Append what lanes know of their thoughts."""
        thoughts, last_thought = self._columns.thoughts, self._columns.lanes.last_thought
        self._columns.lanes.thoughts.append_each(lanes, range(index, index + len(lanes)))
        places, durations = thoughts.index_in_lane, thoughts.lane_duration
        for lane, took in zip(lanes, passed, strict=True):
            end = last_thought[lane]
            places.append(places[end] + 1)
            durations.append(durations[end] + took)
            last_thought[lane] = index
            index += 1
        thoughts.lane.extend(array("i", lanes))

    def _add_opened(self, run: Run, agent: AgentState, lanes: Sequence[int]) -> None:
        """Append thoughts, each the first of its lane."""
        thoughts = self._columns.thoughts
        thoughts.index_in_lane.extend(array("i", [0]) * run.length)
        thoughts.lane_duration.extend(array("q", self._passed(run, agent)))
        self._add_rest(run, agent, lanes)
        watch = self._watch_of(agent, lanes)
        if watch is not None:
            watch.add_opened(lanes)

    def _passed(self, run: Run, agent: AgentState) -> list[int]:
        """Return the time that each thought took, in microseconds."""
        passed = _differences(self._columns.thoughts.time[agent.last_thought], run.times)
        if min(passed) >= 0 and max(passed) <= MAX_MICROSECONDS:
            return passed
        return [max(0, min(MAX_MICROSECONDS, took)) for took in passed]

    def _add_rest(self, run: Run, agent: AgentState, lanes: Sequence[int]) -> None:
        """Append what does not depend on the lane, and bring the agent's state to the end of the run."""
        columns, thoughts, numbers = self._columns, self._columns.thoughts, run.numbers
        index, entry, count = len(thoughts.seq), columns.entry_count, run.length
        flags = thought_flags(run.first, is_revision=revises(run.first), is_repeat=False)
        if agent.last_thought != index - 1:
            thoughts.previous_of_agent.put(index, agent.last_thought)
        counted = array("q", numbers)
        thoughts.number.extend(counted)
        thoughts.highest_number.extend(counted)
        thoughts.estimate.extend(array("q", [run.first.totalThoughts]) * count)
        thoughts.flags.extend(array("H", [flags]) * count)
        thoughts.entry_index.extend(array("i", range(entry, entry + count)))
        thoughts.offset.extend(array("q", run.offsets))
        thoughts.size.extend(array("I", run.sizes))
        self._add_times(run.times, index)
        thoughts.seq.extend(array("q", [event.seq for event in run.events]))
        if agent.ordinal != MAIN_AGENT:
            columns.agents.add_thoughts(agent.ordinal, array("i", range(index, index + count)))
        agent.highest_number = numbers[-1]
        agent.highs.extend(array("i", range(index, index + count)))
        self._add_numbers(run, agent, lanes, index)
        agent.previous_event, agent.last_thought, agent.newest = run.events[-1], index + count - 1, index + count - 1
        columns.entry_count += count

    def _add_times(self, times: Sequence[int], index: int) -> None:
        thoughts = self._columns.thoughts
        passed = _differences(thoughts.time[-1], times)
        thoughts.time.extend(array("q", times))
        if min(passed) < 0 or max(passed) >= MIN_PAUSE:
            for place, took in enumerate(passed, index):
                if took < 0 or took >= MIN_PAUSE:
                    thoughts.arrivals.add(place, thoughts.entry_index[place], took)

    def _add_numbers(self, run: Run, agent: AgentState, lanes: Sequence[int], index: int) -> None:
        """Note where the numbers of branches are, and the newest thought on no branch."""
        unbranched = lanes.count(agent.root_lane)
        if unbranched == len(lanes):
            agent.last_unbranched = index + unbranched - 1
            return
        if not unbranched:
            agent.numbers.add_branch_thoughts(run.numbers, index)
            return
        for number, lane in zip(run.numbers, lanes, strict=True):
            if lane == agent.root_lane:
                agent.last_unbranched = index
            else:
                agent.numbers.add_branch_thought(number, index)
            index += 1

    def _add_revisions(self, number: int, index: int, lanes: Sequence[int], agent: AgentState) -> None:
        """Record that the thoughts from ``index`` on revise the thought that ``number`` means."""
        columns, thoughts = self._columns, self._columns.thoughts
        columns.landmarks[Landmark.REVISION].extend(range(columns.entry_count - len(lanes), columns.entry_count))
        if not number:
            return
        targets = {lane: agent.numbers.resolve_target(number, lane) for lane in set(lanes)}
        if len(targets) == 1 and targets[lanes[0]] != NONE:
            target = targets[lanes[0]]
            thoughts.target.put_new_keys(index, array("i", [target]) * len(lanes))
            thoughts.revisers.extend(target, array("i", range(index, index + len(lanes))))
            return
        for place, lane in enumerate(lanes, index):
            if targets[lane] == NONE:
                thoughts.unresolved_target.put(place, number)
            else:
                thoughts.target.put(place, targets[lane])
                thoughts.revisers.append(targets[lane], place)

    def _watch_of(self, agent: AgentState, lanes: Sequence[int]) -> BranchWatch | None:
        if agent.branch_watch is None and lanes.count(agent.root_lane) < len(lanes):
            agent.branch_watch = BranchWatch(self._columns)
        return agent.branch_watch


def _differences(before: int, times: Sequence[int]) -> list[int]:
    """Return how long after the one before each time is."""
    return list(map(sub, times, (before, *times)))
