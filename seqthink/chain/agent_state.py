"""What the fold remembers of one agent between two of its thoughts (docs/journal.md, "Agents")."""

from seqthink.chain.compact_lists import NONE
from seqthink.chain.number_index import NumberIndex
from seqthink.events import ThoughtEvent


class AgentState:
    """State of one agent's current problem: each agent counts by itself.

    The main agent's problems are the session's chains. A subagent that continues in a later chain gets new lanes there,
    which fork from its lanes in earlier chains; the branches it names are looked up in both.
    """

    __slots__ = ("agent", "branches", "chain", "earlier", "highest", "last", "numbers", "previous", "root")

    def __init__(self, agent: int, numbers: NumberIndex) -> None:
        self.agent = agent
        self.previous: ThoughtEvent | None = None
        self.chain = NONE
        self.begin(numbers)

    def begin(self, numbers: NumberIndex) -> None:
        """Begin another problem: numbers and branches start over."""
        self.numbers = numbers
        self.highest = 0
        self.last = NONE
        """The agent's newest thought on this problem, or NONE."""
        self.root = numbers.root_lane
        """Lane of the agent's unbranched thoughts in the current chain; NONE while there is none."""
        self.branches: dict[str | int, int] = {}
        self.earlier: dict[str | int, int] = {}

    def move(self, chain: int) -> None:
        """Continue in ``chain``, which the main agent has begun meanwhile."""
        if self.chain != NONE:
            self.earlier.update(self.branches)
            if self.root != NONE:
                self.earlier[_ROOT_KEY] = self.root
        self.chain, self.root, self.branches = chain, NONE, {}

    def earlier_root(self) -> int:
        """Return the agent's root lane in an earlier chain, or NONE."""
        return self.earlier.get(_ROOT_KEY, NONE)


_ROOT_KEY = ""
"""Key of the root lane; no branch can have this name, because an empty name counts as absent."""
