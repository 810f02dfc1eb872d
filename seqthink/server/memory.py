"""What a server remembers between calls: counts, branch ids, each agent's last digest; no more with more thoughts."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from seqthink.server.agents import Agent, Recent
from seqthink.server.limits import Limits, LimitsMark

MAX_BRANCH_BYTES = 64 << 10
REPEATS = 3

BRANCHES_FULL = "This branch is kept but not listed: the list of branches is full."
REPEATED = "This thought is the same, word for word, as the ones before it. Go on, conclude, or change course."


class AgentMark(NamedTuple):
    """A moment of one agent to return to."""

    last: tuple[int, int] | None
    repeats: int
    limits: LimitsMark
    said: Agent | None


class AgentMemory:
    """What is remembered of one agent: what it said last and how often, how long its chain is, what is known of it."""

    def __init__(self, agent: str | None, max_thoughts: int) -> None:
        self.limits = Limits(max_thoughts, "The agent" if agent is None else "A sub-agent")
        self.said: Agent | None = None
        """What the journal says of it, once it does."""
        self._last: tuple[int, int] | None = None
        self._repeats = 0

    def is_repeated(self, text: str) -> bool:
        """Take in a thought's text, and return whether it came too often in a row."""
        # Two different texts of one length and one hash cost a needless hint, nothing more.
        digest = (len(text), hash(text))
        self._repeats = self._repeats + 1 if digest == self._last else 1
        self._last = digest
        return self._repeats >= REPEATS

    def mark(self) -> AgentMark:
        """Return this moment."""
        return AgentMark(self._last, self._repeats, self.limits.mark(), self.said)

    def return_to(self, mark: AgentMark) -> None:
        """Forget what was taken in since ``mark``."""
        self._last, self._repeats, limits, self.said = mark
        self.limits.return_to(limits)


class Mark(NamedTuple):
    """A moment to return to when the journal refuses what was decided since."""

    thoughts: int
    branches: int
    branch_bytes: int
    agents: Mapping[str | None, AgentMemory]
    before: dict[AgentMemory, AgentMark]
    """How each agent stood that has called since."""


class Memory:
    """Counts accepted thoughts, lists branches in order of first use; of each agent, notices repetition and length.

    A chain may have ``max_thoughts``; 0: as many as it likes. An agent that was forgotten (``MOST_AGENTS``) begins
    anew when it calls again.
    """

    def __init__(self, max_thoughts: int = 0) -> None:
        self.thoughts = 0
        self.is_over = False
        self._max_thoughts = max_thoughts
        self._branches: dict[str, None] = {}
        self._branch_bytes = 0
        self._agents: Recent[AgentMemory] = Recent()
        self._before: dict[AgentMemory, AgentMark] = {}

    @property
    def branches(self) -> list[str]:
        """The ids of the branches opened so far, by whatever agent."""
        return list(self._branches)

    def limits(self, agent: str | None) -> Limits:
        """Return how long the chain of an agent may become; of one that is not known, that of its first."""
        known = self._agents.peek(agent)
        return known.limits if known else Limits(self._max_thoughts)

    def add(self, thought: Mapping[str, Any], agent: str | None = None) -> str | None:
        """Count an accepted thought of an agent and return a hint for it, if there is one to give.

        Afterwards ``is_over`` says whether its chain is longer than it may be.
        """
        self.thoughts += 1
        own = self._of(agent)
        self.is_over = own.limits.is_over(thought)
        hints = [REPEATED] if own.is_repeated(thought["thought"]) else []
        if not self._list_branch(thought):
            hints.append(BRANCHES_FULL)
        return " ".join(hints) or None

    def news_of(self, agent: Agent) -> Agent | None:
        """Return what is known of an agent that calls, if the journal does not say so yet; nothing of the main one."""
        if agent.id is None:
            return None
        own = self._of(agent.id)
        known = agent if own.said is None else agent.told(own.said)
        if known == own.said:
            return None
        own.said = known
        return known

    def begin_file(self) -> None:
        """Another file goes on, which knows no agent yet."""
        for own in self._agents.values():
            own.said = None

    def recall(self, event: Mapping[str, Any]) -> None:
        """Take in an event of the journal that is gone on in."""
        match event["type"]:
            case "thought":
                self.add(event, event["agent"] or None)
            case "rejected":
                self._of(event["agent"] or None)
            case "agent":
                self._of(event["id"] or None).said = Agent(event["id"], event["name"], event["parent"], event["model"])
            case "elicit":
                for own in self._agents.values():
                    own.limits.recall(event)
            case _:
                pass

    def mark(self) -> Mark:
        """Return this moment."""
        self._before = {}
        return Mark(self.thoughts, len(self._branches), self._branch_bytes, self._agents.mark(), self._before)

    def return_to(self, mark: Mark) -> None:
        """Forget what was added since ``mark``."""
        self.thoughts, _, self._branch_bytes, agents, before = mark
        self._agents.return_to(agents)
        for own, earlier in before.items():
            own.return_to(earlier)
        while len(self._branches) > mark.branches:
            self._branches.popitem()

    def _of(self, agent: str | None) -> AgentMemory:
        """Return what is remembered of an agent that calls."""
        own = self._agents.get(agent)
        if own is None:
            own = AgentMemory(agent, self._max_thoughts)
            self._agents.put(agent, own)
        if own not in self._before:
            self._before[own] = own.mark()
        return own

    def _list_branch(self, thought: Mapping[str, Any]) -> bool:
        """List the branch that ``thought`` opens; false when there is no room for it."""
        branch = thought.get("branchId")
        if not branch or not thought.get("branchFromThought") or branch in self._branches:
            return True
        size = len(branch.encode("utf-8", "surrogatepass"))
        if self._branch_bytes + size > MAX_BRANCH_BYTES:
            return False
        self._branches[branch] = None
        self._branch_bytes += size
        return True
