"""What a server remembers between calls: counts, branch ids, each agent's last digest; no more with more thoughts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.server.agents import CallingAgent, RecentAgents
from seqthink.server.chain_limit import ChainLimit, ChainLimitCheckpoint

MAX_BRANCH_LIST_BYTES = 64 << 10
MAX_REPEATS = 3

BRANCHES_FULL_HINT = "This branch is kept but not listed: the list of branches is full."
REPEATED_HINT = "This thought is the same, word for word, as the ones before it. Go on, conclude, or change course."


class AgentCheckpoint(NamedTuple):
    """A moment of one agent to return to."""

    last_digest: tuple[int, int] | None
    repeats: int
    limit: ChainLimitCheckpoint
    journaled: CallingAgent | None


class AgentState:
    """What is remembered of one agent: what it said last and how often, how long its chain is, what is known of it."""

    def __init__(self, agent: str | None, max_thoughts: int) -> None:
        self.limit = ChainLimit(max_thoughts, "The agent" if agent is None else "A sub-agent")
        self.journaled: CallingAgent | None = None
        """What the journal says of it, once it does."""
        self._last: tuple[int, int] | None = None
        self._repeats = 0

    def add_text(self, text: str) -> bool:
        """Take in a thought's text, and return whether it came too often in a row."""
        # Two different texts of one length and one hash cost a needless hint, nothing more.
        digest = (len(text), hash(text))
        self._repeats = self._repeats + 1 if digest == self._last else 1
        self._last = digest
        return self._repeats >= MAX_REPEATS

    def checkpoint(self) -> AgentCheckpoint:
        """Return this moment."""
        return AgentCheckpoint(self._last, self._repeats, self.limit.checkpoint(), self.journaled)

    def roll_back(self, mark: AgentCheckpoint) -> None:
        """Forget what was taken in since ``mark``."""
        self._last, self._repeats, limits, self.journaled = mark
        self.limit.roll_back(limits)


class RecorderCheckpoint(NamedTuple):
    """A moment to return to when the journal refuses what was decided since."""

    thought_count: int
    branch_count: int
    branch_bytes: int
    agents: Mapping[str | None, AgentState]
    agent_checkpoints: dict[AgentState, AgentCheckpoint]
    """How each agent stood that has called since."""


class RecorderState:
    """Counts accepted thoughts, lists branches in order of first use; of each agent, notices repetition and length.

    A chain may have ``max_thoughts``; 0: as many as it likes. An agent that was forgotten (``MOST_AGENTS``) begins
    anew when it calls again.
    """

    def __init__(self, max_thoughts: int = 0) -> None:
        self.thought_count = 0
        self.is_over_limit = False
        self._max_thoughts = max_thoughts
        self._branches: dict[str, None] = {}
        self._branch_bytes = 0
        self._agents: RecentAgents[AgentState] = RecentAgents()
        self._before: dict[AgentState, AgentCheckpoint] = {}

    @property
    def branches(self) -> list[str]:
        """The ids of the branches opened so far, by whatever agent."""
        return list(self._branches)

    def limit_of(self, agent: str | None) -> ChainLimit:
        """Return how long the chain of an agent may become; of one that is not known, that of its first."""
        known = self._agents.peek(agent)
        return known.limit if known else ChainLimit(self._max_thoughts)

    def add(self, thought: Mapping[str, Any], agent: str | None = None) -> str | None:
        """Count an accepted thought of an agent and return a hint for it, if there is one to give.

        Afterwards ``is_over`` says whether its chain is longer than it may be.
        """
        self.thought_count += 1
        own = self._of(agent)
        self.is_over_limit = own.limit.add(thought)
        hints = [REPEATED_HINT] if own.add_text(thought["thought"]) else []
        if not self._list_branch(thought):
            hints.append(BRANCHES_FULL_HINT)
        return " ".join(hints) or None

    def agent_update(self, agent: CallingAgent) -> CallingAgent | None:
        """Return what is known of an agent that calls, if the journal does not say so yet; nothing of the main one."""
        if agent.id is None:
            return None
        own = self._of(agent.id)
        known = agent if own.journaled is None else agent.merged_with(own.journaled)
        if known == own.journaled:
            return None
        own.journaled = known
        return known

    def start_new_file(self) -> None:
        """Another file goes on, which knows no agent yet."""
        for own in self._agents.values():
            own.journaled = None

    def restore(self, event: Mapping[str, Any]) -> None:
        """Take in an event of the journal that is gone on in."""
        match event["type"]:
            case "thought":
                self.add(event, event["agent"] or None)
            case "rejected":
                self._of(event["agent"] or None)
            case "agent":
                self._of(event["id"] or None).journaled = CallingAgent(
                    event["id"], event["name"], event["parent"], event["model"]
                )
            case "elicit":
                for own in self._agents.values():
                    own.limit.restore(event)
            case _:
                pass

    def checkpoint(self) -> RecorderCheckpoint:
        """Return this moment."""
        self._before = {}
        return RecorderCheckpoint(
            self.thought_count, len(self._branches), self._branch_bytes, self._agents.checkpoint(), self._before
        )

    def roll_back(self, mark: RecorderCheckpoint) -> None:
        """Forget what was added since ``mark``."""
        self.thought_count, _, self._branch_bytes, agents, before = mark
        self._agents.roll_back(agents)
        for own, earlier in before.items():
            own.roll_back(earlier)
        while len(self._branches) > mark.branch_count:
            self._branches.popitem()

    def _of(self, agent: str | None) -> AgentState:
        """Return what is remembered of an agent that calls."""
        own = self._agents.get(agent)
        if own is None:
            own = AgentState(agent, self._max_thoughts)
            self._agents.put(agent, own)
        if own not in self._before:
            self._before[own] = own.checkpoint()
        return own

    def _list_branch(self, thought: Mapping[str, Any]) -> bool:
        """List the branch that ``thought`` opens; false when there is no room for it."""
        branch = thought.get("branchId")
        if not branch or not thought.get("branchFromThought") or branch in self._branches:
            return True
        size = len(branch.encode("utf-8", "surrogatepass"))
        if self._branch_bytes + size > MAX_BRANCH_LIST_BYTES:
            return False
        self._branches[branch] = None
        self._branch_bytes += size
        return True
