"""What a rewind leaves behind (docs/journal.md, "Rewound").

A rewind leaves behind what its agent did since a line; the main agent's leaves behind what every agent did. The rows
stay, and the rows after them are folded as if they had never been: numbers, forks and targets mean the others.
"""

from bisect import bisect_left
from typing import NamedTuple

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.session_columns import FLAG_PROMPT, Rewind, SessionColumns
from seqthink.chain.model import NONE


class _Part(NamedTuple):
    """Positions that one rewind left behind, or several with nothing between them."""

    first: int
    stop: int


class Rewinds:
    """Records what is left behind, and brings the states of agents to what is not."""

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns
        # By agent: its left-behind parts, in positions of its own rows (of the main agent: of all rows). Each rewind
        # reaches to the present, so a part that lies within a new one is never looked at again.
        self._parts: dict[int, list[_Part]] = {}

    def add(self, first: int, agent: int) -> None:
        """Leave behind the rows of an agent from the row ``first`` on; of every agent if it is the main one."""
        columns, stop = self._columns, len(self._columns.thoughts.seq)
        rows = range(stop) if agent == MAIN_AGENT else columns.agents.thoughts.get(agent)
        begin, end, left = bisect_left(rows, first), len(rows), list[int]()
        parts, ordinal = self._parts.setdefault(agent, []), len(columns.rewound.rewinds)
        position, lowest = end, begin
        while parts and parts[-1].stop > begin:
            part = parts.pop()
            left += rows[part.stop : position]
            position, lowest = part.first, min(lowest, part.first)
        left += rows[begin : max(begin, position)]
        parts.append(_Part(lowest, end))
        fresh = [index for index in left if columns.rewound.left_behind.get(index) == NONE]
        for index in fresh:
            columns.rewound.left_behind.put(index, ordinal)
        calls = sum(not columns.is_native(index) for index in fresh)
        turns = sum(bool(columns.thoughts.flags[index] & FLAG_PROMPT) for index in fresh)
        columns.rewound.rewinds.append(Rewind(columns.entry_count, first, calls, turns))

    def refresh(self, agent: AgentState) -> None:
        """Make an agent go on from the newest of its rows that are not left behind."""
        columns, left_behind = self._columns, self._columns.rewound.left_behind
        if agent.rewinds_seen == len(columns.rewound.rewinds):
            return
        agent.rewinds_seen = len(columns.rewound.rewinds)
        before = agent.last_thought
        while agent.last_thought != NONE and left_behind.get(agent.last_thought) != NONE:
            agent.last_thought = columns.previous_of_agent(agent.last_thought)
        if agent.last_thought != before:
            agent.previous_event = None
        while agent.highs and left_behind.get(agent.highs[-1]) != NONE:
            agent.highs.pop()
        agent.highest_number = max(
            agent.inherited_highest, columns.thoughts.number[agent.highs[-1]] if agent.highs else 0
        )
        if agent.branch_watch is not None:
            agent.branch_watch.forget_left_behind()
        if agent.last_unbranched != NONE and left_behind.get(agent.last_unbranched) != NONE:
            lanes = (agent.root_lane, *reversed(agent.earlier_root_lanes))
            found = (columns.newest_kept_call(lane) for lane in lanes if lane != NONE)
            agent.last_unbranched = next((index for index in found if index != NONE), NONE)
        if agent.newest != NONE and left_behind.get(agent.newest) != NONE:
            kept = columns.newest_kept(agent.root_lane) if agent.root_lane != NONE else NONE
            agent.newest = max(kept, agent.last_thought)
            agent.turn_length = columns.native.place_in_turn.get(agent.newest, 0)
