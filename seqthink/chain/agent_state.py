"""Where one agent stands in its line of thought (journal.md, "From events to a session: the fold")."""

from seqthink.chain.compact_lists import NONE
from seqthink.chain.number_index import NumberIndex
from seqthink.events import ThoughtEvent


class AgentState:
    """What the numbers of one agent's next thought mean: each agent counts by itself.

    The main agent begins the session's chains. Another one whose thoughts go on in a later chain has lanes of its own
    there, which leave from its ``earlier`` ones; what it names may be there, too.
    """

    __slots__ = ("agent", "branches", "chain", "earlier", "highest", "last", "numbers", "previous", "root")

    def __init__(self, agent: int, numbers: NumberIndex) -> None:
        self.agent = agent
        self.previous: ThoughtEvent | None = None
        self.chain = NONE
        self.begin(numbers)

    def begin(self, numbers: NumberIndex) -> None:
        """Begin another problem."""
        self.numbers = numbers
        self.highest = 0
        self.last = NONE
        """Its newest thought on this problem, or NONE."""
        self.root = numbers.root_lane
        """The lane of its thoughts that are on no branch, in the current chain; NONE while there is none."""
        self.branches: dict[str | int, int] = {}
        self.earlier: dict[str | int, int] = {}

    def move(self, chain: int) -> None:
        """Go on in a chain that began meanwhile."""
        if self.chain != NONE:
            self.earlier.update(self.branches)
            if self.root != NONE:
                self.earlier[_ROOT_KEY] = self.root
        self.chain, self.root, self.branches = chain, NONE, {}

    def earlier_root(self) -> int:
        """Return the lane in an earlier chain in which its thoughts on no branch stood, or NONE."""
        return self.earlier.get(_ROOT_KEY, NONE)


_ROOT_KEY = ""
"""No branch has this name: an empty one is absent."""
