"""What the fold remembers of one agent between two of its thoughts (docs/journal.md, "Agents")."""

from array import array

from seqthink.chain.columns.compact_lists import NONE
from seqthink.chain.number_index import NumberIndex
from seqthink.chain.returns.branch_watch import BranchWatch
from seqthink.core.events import ThoughtEvent


class AgentState:
    """State of one agent's current problem: each agent counts by itself.

    The main agent's problems are the session's chains. A subagent that continues in a later chain gets new lanes there,
    which fork from its lanes in earlier chains; the branches it names are looked up in both.
    """

    __slots__ = (
        "branch_watch",
        "branches",
        "chain",
        "earlier_branches",
        "earlier_root_lanes",
        "highest_number",
        "highs",
        "inherited_highest",
        "last_thought",
        "last_unbranched",
        "newest",
        "numbers",
        "ordinal",
        "previous_event",
        "rewinds_seen",
        "root_lane",
        "turn_length",
    )

    def __init__(self, ordinal: int, numbers: NumberIndex) -> None:
        self.ordinal = ordinal
        """The agent's ordinal, 0 for the main agent."""
        self.previous_event: ThoughtEvent | None = None
        """Its newest `thought` event, to recognise a retry."""
        self.chain = NONE
        """Ordinal of the chain of its newest thought; NONE before a subagent's first, unused for the main agent."""
        self.turn_length = 0
        """How many reasoning items its turn has so far."""
        self.rewinds_seen = 0
        """How many of the session's rewinds this state allows for."""
        self.begin_problem(numbers)

    def begin_problem(self, numbers: NumberIndex) -> None:
        """Begin another problem: numbers and branches start over."""
        self.numbers = numbers
        self.highest_number = 0
        """The highest number of the problem so far."""
        self.highs = array("i")
        """The calls that raised it, to find what it was before some of them were left behind."""
        self.inherited_highest = 0
        """The highest number that a fork has from its parent."""
        self.last_thought = NONE
        """The agent's newest call of the thinking tool on this problem, or NONE."""
        self.last_unbranched = NONE
        """Its newest call on this problem that is on no branch, or NONE."""
        self.newest = NONE
        """Its newest thought on this problem, native reasoning included, or NONE."""
        self.root_lane = numbers.root_lane
        """Lane of the agent's unbranched thoughts in the current chain; NONE while there is none."""
        self.branches: dict[str | int, int] = {}
        """Its branches in the current chain: the lane by the branch's name, or by its fork where it has no name."""
        self.branch_watch: BranchWatch | None = None
        """Looks for where its branches in the current chain come back; None before the first of them."""
        self.earlier_branches: dict[str | int, int] = {}
        """Its newest lanes in earlier chains, by the same keys."""
        self.earlier_root_lanes: list[int] = []
        """The lanes of its unbranched thoughts in earlier chains."""

    def enter_chain(self, chain: int) -> None:
        """Continue in ``chain``, which the main agent has begun meanwhile."""
        if self.chain != NONE:
            self.earlier_branches.update(self.branches)
            if self.root_lane != NONE:
                self.earlier_root_lanes.append(self.root_lane)
        self.chain, self.root_lane, self.branches, self.branch_watch = chain, NONE, {}, None
