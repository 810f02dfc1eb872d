"""The state a recorder keeps between calls. Its size does not grow with the number of thoughts.

It holds counts, the ids of branches and, for each agent, the last digest, the newest numbers and the length of
its chain.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.chain.health.circling import MAX_STEPS, circle_period
from seqthink.server.recording.chain_counter import is_revision
from seqthink.server.recording.chain_limit import ChainLimit, ChainLimitCheckpoint
from seqthink.server.tools.agents import CallingAgent, RecentAgents

MAX_BRANCH_LIST_BYTES = 64 << 10
"""Size limit of the list of branches in each answer."""
MAX_REPEATS = 3
"""This many equal texts in a row get a hint."""

BRANCHES_FULL_HINT = "This branch is kept but not listed: the list of branches is full."
CIRCLING_HINT = "The thought numbers go round in a circle. Go on with the next number, conclude, or change course."
REPEATED_HINT = "This thought is the same, word for word, as the ones before it. Go on, conclude, or change course."


Step = tuple[int, int | None]
"""A thought's number and its branch: a hash of the branch's id, else the number of its fork, else None."""


class AgentCheckpoint(NamedTuple):
    """A saved state of an `AgentProgress`."""

    last_digest: tuple[int, int] | None
    """Length and hash of the last text."""
    repeats: int
    """How often the last text was repeated without a break."""
    steps: tuple[Step, ...]
    """The newest numbers and branches of its chain."""
    has_circled: bool
    """Whether it was warned that the numbers of its chain circle."""
    limit: ChainLimitCheckpoint
    journaled: CallingAgent | None
    """What the journal's file says about the agent, if anything."""


class AgentProgress:
    """What the recorder keeps of one agent: its last text's digest, its chain's length, and what was journaled."""

    def __init__(self, agent: str | None, max_thoughts: int) -> None:
        self.limit = ChainLimit(max_thoughts, "The agent" if agent is None else "A sub-agent")
        self.journaled: CallingAgent | None = None
        """What the journal's file says about the agent, if anything."""
        self._last_digest: tuple[int, int] | None = None
        self._repeats = 0
        self._steps: tuple[Step, ...] = ()
        self._has_circled = False

    def add_number(self, thought: Mapping[str, Any]) -> bool:
        """Add a thought's number, and return whether the numbers circle; only once for a chain."""
        number, branch = thought["thoughtNumber"], thought.get("branchId") or thought.get("branchFromThought")
        if is_revision(thought):
            self._steps = ()
            return False
        if number == 1 and branch is None:
            self._steps, self._has_circled = (), False
        # An id may be as long as a client likes.
        step = (number, hash(branch) if isinstance(branch, str) else branch)
        is_known = step in self._steps
        self._steps = (*self._steps[1 - MAX_STEPS :], step)
        is_new = is_known and not self._has_circled and circle_period(self._steps) > 0
        self._has_circled = self._has_circled or is_new
        return is_new

    def add_text(self, text: str) -> bool:
        """Add a thought's text, and return whether it was repeated ``MAX_REPEATS`` times in a row."""
        # Two different texts with equal length and hash would cause a hint that is not needed, no more.
        digest = (len(text), hash(text))
        self._repeats = self._repeats + 1 if digest == self._last_digest else 1
        self._last_digest = digest
        return self._repeats >= MAX_REPEATS

    def checkpoint(self) -> AgentCheckpoint:
        """Return the current state, for `roll_back`."""
        return AgentCheckpoint(
            self._last_digest, self._repeats, self._steps, self._has_circled, self.limit.checkpoint(), self.journaled
        )

    def roll_back(self, checkpoint: AgentCheckpoint) -> None:
        """Restore the state of ``checkpoint``."""
        self._last_digest, self._repeats, self._steps, self._has_circled, limit, self.journaled = checkpoint
        self.limit.roll_back(limit)


class RecorderCheckpoint(NamedTuple):
    """A saved state of the recorder, restored when events cannot be journaled."""

    thought_count: int
    branch_count: int
    branch_bytes: int
    """The size of all branch ids together."""
    agents: Mapping[str | None, AgentProgress]
    agent_checkpoints: dict[AgentProgress, AgentCheckpoint]
    """The earlier state of each agent that has called since."""


class RecorderState:
    """Counts accepted thoughts, lists branches in order of first use, and keeps the state of each agent.

    A chain may have ``max_thoughts``; 0: no limit. An agent that was forgotten (``MAX_AGENTS``) starts afresh.
    """

    def __init__(self, max_thoughts: int = 0) -> None:
        self._max_thoughts = max_thoughts
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.thought_count = 0
        self.is_over_limit = False
        """Whether the chain of the last added thought is past its limit."""
        self._branches: dict[str, None] = {}
        self._branch_bytes = 0
        self._agents: RecentAgents[AgentProgress] = RecentAgents()
        self._agent_checkpoints: dict[AgentProgress, AgentCheckpoint] = {}

    @property
    def branches(self) -> list[str]:
        """The ids of the branches opened so far, by any agent."""
        return list(self._branches)

    def limit_of(self, agent: str | None) -> ChainLimit:
        """Return the limit of an agent's chain; an unknown agent gets a new one."""
        known = self._agents.peek(agent)
        return known.limit if known else ChainLimit(self._max_thoughts)

    def add(self, thought: Mapping[str, Any], agent: str | None = None) -> str | None:
        """Count an accepted thought of an agent, set `is_over_limit`, and return a hint for the answer, if any."""
        self.thought_count += 1
        state = self._agent_state(agent)
        self.is_over_limit = state.limit.add(thought)
        hints = [REPEATED_HINT] if state.add_text(thought["thought"]) else []
        if state.add_number(thought):
            hints.append(CIRCLING_HINT)
        if not self._list_branch(thought):
            hints.append(BRANCHES_FULL_HINT)
        return " ".join(hints) or None

    def agent_update(self, agent: CallingAgent) -> CallingAgent | None:
        """Return what is known about a calling agent if the journal does not say so yet; None for the main agent."""
        if agent.id is None:
            return None
        state = self._agent_state(agent.id)
        known = agent if state.journaled is None else agent.merged_with(state.journaled)
        if known == state.journaled:
            return None
        state.journaled = known
        return known

    def start_new_file(self) -> None:
        """Forget what the journal says about agents: a new file replaces a deleted one."""
        for state in self._agents.values():
            state.journaled = None

    def restore(self, event: Mapping[str, Any]) -> None:
        """Add an event of a resumed journal."""
        match event["type"]:
            case "thought":
                self.add(event, event["agent"] or None)
            case "rejected":
                self._agent_state(event["agent"] or None)
            case "agent":
                self._agent_state(event["id"] or None).journaled = CallingAgent(
                    event["id"], event["name"], event["parent"], event["model"]
                )
            case "elicit":
                for state in self._agents.values():
                    state.limit.restore(event)
            case _:
                pass

    def checkpoint(self) -> RecorderCheckpoint:
        """Return the current state, for `roll_back`."""
        self._agent_checkpoints = {}
        return RecorderCheckpoint(
            self.thought_count,
            len(self._branches),
            self._branch_bytes,
            self._agents.checkpoint(),
            self._agent_checkpoints,
        )

    def roll_back(self, checkpoint: RecorderCheckpoint) -> None:
        """Restore the state of ``checkpoint``."""
        self.thought_count, _, self._branch_bytes, agents, agent_checkpoints = checkpoint
        self._agents.roll_back(agents)
        for state, earlier in agent_checkpoints.items():
            state.roll_back(earlier)
        while len(self._branches) > checkpoint.branch_count:
            self._branches.popitem()

    def _agent_state(self, agent: str | None) -> AgentProgress:
        """Return the state of a calling agent, and keep a checkpoint of it."""
        state = self._agents.get(agent)
        if state is None:
            state = AgentProgress(agent, self._max_thoughts)
            self._agents.put(agent, state)
        if state not in self._agent_checkpoints:
            self._agent_checkpoints[state] = state.checkpoint()
        return state

    def _list_branch(self, thought: Mapping[str, Any]) -> bool:
        """List the branch that ``thought`` opens; return False when the list is full."""
        branch = thought.get("branchId")
        if not branch or not thought.get("branchFromThought") or branch in self._branches:
            return True
        size = len(branch.encode("utf-8", "surrogatepass"))
        if self._branch_bytes + size > MAX_BRANCH_LIST_BYTES:
            return False
        self._branches[branch] = None
        self._branch_bytes += size
        return True
