"""Finds where each new thought of the fold belongs: its agent's problem, its chain and its lane."""

from bisect import bisect_left
from typing import cast

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.asides import AsideRows
from seqthink.chain.beginnings import begins_problem
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.model import NONE, Landmark
from seqthink.chain.native.rewinds import Rewinds
from seqthink.chain.number_index import NumberIndex
from seqthink.core.events import RejectedEvent, ThoughtEvent


def named_lane(event: RejectedEvent, agent: AgentState) -> int:
    """Return the lane that a refused call names, as far as its arguments can be read: an open branch, else the trunk.

    NONE if it names a branch that is not open, or its arguments say nothing.
    """
    arguments: object = event.arguments
    if event.tool is not None or not isinstance(arguments, dict):
        return NONE
    named = cast("dict[str, object]", arguments)
    branch, fork = named.get("branchId"), named.get("branchFromThought")
    if isinstance(branch, str) and branch:
        return agent.branches.get(branch, NONE)
    return agent.root_lane if not branch and not fork and agent.last_unbranched != NONE else NONE


class LaneFinder:
    """Finds the chain and lane of each new thought, and opens what is new (docs/journal.md, "Lanes").

    Args:
        columns: the columns of the session; it appends to those of chains, lanes and agents.
        rewinds: says what was left behind.
        asides: the rows that are not thoughts; some go to the head of a new chain.
    """

    def __init__(self, columns: SessionColumns, rewinds: Rewinds, asides: AsideRows) -> None:
        self._columns, self._rewinds, self._asides = columns, rewinds, asides
        self.main_agent = AgentState(MAIN_AGENT, NumberIndex(columns, NONE))
        """State of the main agent."""
        self._agents: dict[int, AgentState] = {MAIN_AGENT: self.main_agent}
        self._add_branch_landmark = columns.landmarks[Landmark.BRANCH].append

    def state_of(self, agent_id: str | None) -> AgentState:
        """Return the state of the agent with this id (None: the main agent); a new one gets its state now."""
        if not agent_id:
            self._rewinds.refresh(self.main_agent)
            return self.main_agent
        ordinal = self._columns.agents.register(agent_id, self._columns.entry_count)
        agent = self._agents.get(ordinal)
        if agent is None:
            agent = self._agents[ordinal] = AgentState(ordinal, NumberIndex(self._columns, NONE))
        self._rewinds.refresh(agent)
        return agent

    def find_state(self, agent_id: str | None) -> AgentState | None:
        """Return the state of the agent with this id (None: the main agent), or None if it has not thought yet."""
        agent = self._agents.get(self._columns.agents.find(agent_id))
        if agent is not None:
            self._rewinds.refresh(agent)
        return agent

    def place(self, event: ThoughtEvent, agent: AgentState, index: int, *, may_begin: bool) -> int:
        """Return the lane of the agent's new thought ``index``; begin its chain and open its lane where they are new.

        Args:
            event: the thought.
            agent: the state of its agent.
            index: its place in the order of arrival.
            may_begin: whether it may begin another problem: its number is 1, and it is neither revision nor retry.
        """
        begins_problem = may_begin and self._begins_problem(event, agent)
        if begins_problem or agent is not self.main_agent or not index:
            self._enter_chain(agent, index, begins_problem=begins_problem)
        if event.branchId or event.branchFromThought:
            return self._branch_for(event, agent)
        return agent.root_lane if agent.root_lane != NONE else self._open_root_lane(agent)

    def place_native(self, agent: AgentState, index: int, *, begins_chain: bool) -> int:
        """Return the lane of the row ``index`` of an agent's native reasoning: the one of its unbranched thoughts.

        Args:
            agent: the state of its agent.
            index: its place in the order of arrival.
            begins_chain: whether it begins a chain; the first row of all does in any case.
        """
        if begins_chain or agent is not self.main_agent or not index:
            self._enter_chain(agent, index, begins_problem=begins_chain)
        return agent.root_lane if agent.root_lane != NONE else self._open_root_lane(agent)

    def _begins_problem(self, event: ThoughtEvent, agent: AgentState) -> bool:
        """Whether a thought with number 1, neither revision nor retry, begins another problem of its agent."""
        if agent.last_thought == NONE:
            return False
        return begins_problem(
            is_on_branch=bool(event.branchId or event.branchFromThought),
            names_fork=bool(event.branchFromThought),
            has_trunk=agent.last_unbranched != NONE,
            branch_has_first=lambda: self._branch_has_first(event, agent),
        )

    def _branch_has_first(self, event: ThoughtEvent, agent: AgentState) -> bool | None:
        """Return whether the branch of a thought has a thought numbered 1; None: there is no such branch."""
        key = event.branchId or self._fork_key(event, agent)
        existing = agent.branches.get(key, agent.earlier_branches.get(key))
        if existing is None or self._columns.newest_kept(existing) == NONE:
            return None
        return agent.numbers.newest_kept(existing, 1) != NONE

    def _enter_chain(self, agent: AgentState, index: int, *, begins_problem: bool) -> None:
        """Prepare the agent for its new thought ``index``, which begins a problem or continues in the current chain."""
        columns = self._columns
        if not index or (begins_problem and agent is self.main_agent):
            self._begin_chain(index)
        if agent is self.main_agent:
            return
        columns.agents.add_thought(agent.ordinal, index)
        chain = len(columns.chain_start) - 1
        if agent.chain != chain:
            columns.agents.by_chain.append(chain, agent.ordinal)
            agent.enter_chain(chain)
        if begins_problem:
            agent.begin_problem(NumberIndex(columns, NONE))

    def _begin_chain(self, index: int) -> None:
        columns = self._columns
        columns.landmarks[Landmark.CHAIN].append(columns.entry_count)
        columns.chain_start.append(index)
        if index:
            self._asides.move_to_head(len(columns.chain_start) - 1, self.main_agent.last_thought)
        self.main_agent.begin_problem(NumberIndex(columns, columns.lanes.open_trunk(columns.entry_count)))

    def _open_root_lane(self, agent: AgentState) -> int:
        """Open the lane of a subagent's unbranched thoughts in the current chain."""
        columns, fork = self._columns, self._root_origin(agent)
        if fork != NONE and agent.ordinal in columns.agents.forks:
            agent.inherited_highest = max(agent.inherited_highest, columns.highest_kept(fork))
            agent.highest_number = max(agent.highest_number, agent.inherited_highest)
        agent.root_lane = agent.numbers.root_lane = self._open_lane(agent, None, 0, fork)
        columns.agents.root_entries.append(columns.entry_count)
        return agent.root_lane

    def _root_origin(self, agent: AgentState) -> int:
        """Return the thought from which the lane of a subagent's unbranched thoughts leaves in this chain, or NONE."""
        while agent.earlier_root_lanes and self._columns.newest_kept(agent.earlier_root_lanes[-1]) == NONE:
            agent.earlier_root_lanes.pop()  # what was left behind as a whole stays so
        if not agent.earlier_root_lanes:
            return self._agent_origin(agent)
        caller = self._caller(agent) if agent.last_unbranched == NONE else NONE
        return caller if caller != NONE else self._columns.newest_kept(agent.earlier_root_lanes[-1])

    def _agent_origin(self, agent: AgentState) -> int:
        """Return the thought of the current chain from which a subagent's first lane leaves, or NONE."""
        caller, parent = self._caller(agent), self._parent(agent)
        if caller != NONE:
            return caller
        return parent.newest if parent.newest >= self._columns.chain_start[-1] else NONE

    def _parent(self, agent: AgentState) -> AgentState:
        """Return the agent that started a subagent: the main one unless its `agent` event names another."""
        event = self._columns.agents.newest_event(agent.ordinal)
        parent = self.find_state(event.parent if event else None)
        return self.state_of(None) if parent is None or parent is agent else parent

    def _caller(self, agent: AgentState) -> int:
        """Return the thought of the current chain that the `agent` event of a subagent names, or NONE.

        An event that names a line without a row, such as hidden reasoning, means what its parent had thought then.
        """
        columns, start = self._columns, self._columns.chain_start[-1]
        event = columns.agents.newest_event(agent.ordinal)
        if event is None or not event.of:
            return NONE
        count = bisect_left(columns.thoughts.seq, event.of + 1)
        if count and columns.thoughts.seq[count - 1] == event.of:
            caller = count - 1
        else:
            caller = columns.agents.newest_thought_of(self._parent(agent).ordinal, count)
        return caller if caller >= start else NONE

    def _branch_for(self, event: ThoughtEvent, agent: AgentState) -> int:
        """Return the branch that a thought names; open it if it is new."""
        key = event.branchId or self._fork_key(event, agent)
        lane = agent.branches.get(key)
        if lane is None:
            earlier = agent.earlier_branches.get(key)
            end = self._columns.newest_kept(earlier) if earlier is not None else NONE
            lane = agent.branches[key] = self._open_branch(event, agent, end)
        elif self._columns.rewound.rewinds and self._columns.newest_kept(lane) == NONE:
            lane = agent.branches[key] = self._open_branch(event, agent, NONE)
        return lane

    def _fork_key(self, event: ThoughtEvent, agent: AgentState) -> int:
        """Return the key of a branch without id: its fork, or a value below NONE if no thought has that number."""
        fork = self._fork_of(event, agent)
        return fork if fork != NONE else NONE - (event.branchFromThought or 0)

    def _fork_of(self, event: ThoughtEvent, agent: AgentState) -> int:
        columns = self._columns
        if event.branchFromThought:
            current = columns.thoughts.lane[agent.last_thought] if agent.last_thought != NONE else agent.root_lane
            return agent.numbers.resolve_fork(event.branchFromThought, current)
        last = agent.last_unbranched
        return last if last != NONE or agent is self.main_agent else self._agent_origin(agent)

    def _open_branch(self, event: ThoughtEvent, agent: AgentState, end: int) -> int:
        """Open a branch; if it continues a lane of an earlier chain, it forks from the ``end`` of that lane."""
        fork = end if end != NONE else self._fork_of(event, agent)
        return self._open_lane(agent, event.branchId or None, event.branchFromThought or 0, fork)

    def _open_lane(self, agent: AgentState, name: str | None, number: int, fork: int) -> int:
        columns = self._columns
        lane = columns.lanes.open_lane(columns.entry_count, name, number, fork, agent.ordinal)
        self._add_branch_landmark(columns.entry_count)
        fork = columns.lanes.fork[lane]
        if fork != NONE:
            columns.thoughts.branches_from.append(fork, lane)
        else:
            columns.branches_without_fork.append(len(columns.chain_start) - 1, lane)
        return lane
