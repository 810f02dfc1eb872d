"""Lanes: a chain's trunk, its branches and the lanes of subagents (docs/journal.md, "Lanes").

A journal may open a lane with each of a million thoughts, so they are stored in columns.
"""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from seqthink.chain.columns.compact_lists import NONE, IndexColumn, IndexMultimap, SparseInts

COLOUR_SLOTS = 6
"""Number of colour slots that branches cycle through. A branch never has the slot of its parent lane, nor of the branch
that left the same lane before it."""
_SLOT_CYCLE = COLOUR_SLOTS * (COLOUR_SLOTS - 1)


class LaneColumns:
    """Columns indexed by lane ordinal, except where noted. They only grow.

    Args:
        numbers: the column of the thoughts' numbers.
        lane_of: the column of the thoughts' lanes.
    """

    def __init__(self, numbers: Sequence[int], lane_of: Sequence[int]) -> None:
        self._numbers = numbers
        self._lane_of = lane_of
        self.trunks = array("i")
        """By chain: the ordinal of its trunk."""
        self.entry_index = array("i")
        """Index of the journal line that opened the lane."""
        self.name: list[str | None] = []
        """Its name; None for a trunk, a subagent's root lane, and a branch that the call gave only a fork for."""
        self.fork = array("i")
        """The thought of the same chain that it leaves from, or NONE."""
        self.depth = array("i")
        """Number of lanes above it."""
        self.last_thought = array("i")
        """Its newest thought, or NONE."""
        self.colour_slot = bytearray()
        """Its colour, from 0 to before ``COLOUR_SLOTS``."""
        self.agent = array("i")
        """Ordinal of the agent whose thoughts it holds."""
        self.earlier_fork = SparseInts()
        """The thought of an earlier chain that the lane leaves from; such a lane has no ``fork``."""
        self._opened_count = bytearray()  # branches that left the lane so far, modulo the cycle of colours
        self.thoughts = IndexMultimap()
        """Its thoughts in order of arrival."""
        self.returning = array("i")
        """The thoughts that bring branches back."""
        self.returns = IndexMultimap()
        """The thoughts that bring it back, if it is a branch with an id."""
        self.first_estimate_change = IndexColumn()
        """Its first thought that changed the estimate, and not only to follow the numbers."""
        self.number_occurrences: dict[int, int | list[int]] = {}
        """What `NumberIndex` notes of numbers that repeat on a lane, for all agents: a fork means its parent's."""
        # Stored only where it differs from the number of the fork.
        self._fork_number = SparseInts()

    def open_trunk(self, entry_index: int) -> int:
        """Open the trunk of a new chain at the journal line ``entry_index`` and return the lane's ordinal."""
        trunk = self._add(entry_index, None, NONE, 0, 0, 0)
        self.trunks.append(trunk)
        return trunk

    def open_lane(self, entry_index: int, name: str | None, number: int, fork: int, agent: int = 0) -> int:
        """Open a lane other than a trunk and return its ordinal.

        Args:
            entry_index: index of the journal line that opens it.
            name: the branch's name, or None.
            number: the number by which its fork was asked for, 0 for none.
            fork: the thought it leaves from, or NONE.
            agent: ordinal of the agent whose thoughts it holds.
        """
        ordinal, depth, expected = len(self.entry_index), 1, 0
        if fork != NONE and self._lane_of[fork] < self.trunks[-1]:
            self.earlier_fork.put(ordinal, fork)
            fork = NONE
        if fork != NONE:
            depth, expected = self.depth[self._lane_of[fork]] + 1, self._numbers[fork]
        if number != expected:
            self._fork_number.put(ordinal, number)
        # A branch without a fork counts as the trunk's.
        parent = self._lane_of[fork] if fork != NONE else self.trunks[-1]
        return self._add(entry_index, name, fork, depth, self._next_colour_slot(parent), agent)

    def _add(self, entry_index: int, name: str | None, fork: int, depth: int, colour_slot: int, agent: int) -> int:
        self.entry_index.append(entry_index)
        self.agent.append(agent)
        self.name.append(name)
        self.fork.append(fork)
        self.depth.append(depth)
        self.last_thought.append(NONE)
        self.colour_slot.append(colour_slot)
        self._opened_count.append(0)
        return len(self.entry_index) - 1

    def _next_colour_slot(self, parent: int) -> int:
        """Return the colour slot of the next branch that leaves the lane ``parent``."""
        opened = self._opened_count[parent]
        self._opened_count[parent] = (opened + 1) % _SLOT_CYCLE
        if parent == self.trunks[-1]:
            return opened % COLOUR_SLOTS
        # Avoid the slot of the parent's next sibling, which is drawn beside this branch.
        return (self.colour_slot[parent] + 1 + (opened + 2) % (COLOUR_SLOTS - 1)) % COLOUR_SLOTS

    def parent(self, lane: int) -> int:
        """Return the lane of the fork, or NONE."""
        fork = self.fork[lane]
        return self._lane_of[fork] if fork != NONE else NONE

    def origin(self, lane: int) -> int:
        """Return the thought that a lane leaves from, in its own or an earlier chain, or NONE."""
        fork = self.fork[lane]
        return fork if fork != NONE else self.earlier_fork.get(lane, NONE)

    def origin_lane(self, lane: int) -> int:
        """Return the lane that a lane leaves, in its own or an earlier chain, or NONE."""
        origin = self.origin(lane)
        return self._lane_of[origin] if origin != NONE else NONE

    def fork_number(self, lane: int) -> int:
        """Return the number by which the fork was asked for, 0 for none."""
        fork = self.fork[lane]
        return self._fork_number.get(lane, self._numbers[fork] if fork != NONE else 0)


class Lane:
    """View of one lane. Its fork never changes; it may hold thoughts that arrived after the session it is from."""

    __slots__ = ("_lanes", "ordinal")

    def __init__(self, lanes: LaneColumns, ordinal: int) -> None:
        self._lanes = lanes
        self.ordinal = ordinal

    @property
    def chain(self) -> int:
        """Ordinal of its chain."""
        return bisect_right(self._lanes.trunks, self.ordinal) - 1

    @property
    def is_trunk(self) -> bool:
        """Whether this is its chain's trunk."""
        return self.is_root and not self.agent

    @property
    def is_root(self) -> bool:
        """Whether it holds unbranched thoughts: the chain's trunk, or the root lane of a subagent."""
        return self._lanes.name[self.ordinal] is None and not self.fork_number

    @property
    def agent(self) -> int:
        """Ordinal of the agent whose thoughts it holds, 0 for the main agent."""
        return self._lanes.agent[self.ordinal]

    @property
    def entry_index(self) -> int:
        """Index of the journal line that opened it."""
        return self._lanes.entry_index[self.ordinal]

    @property
    def is_named(self) -> bool:
        """Whether it has a name of its own, or needs none because it is not a branch."""
        return self._lanes.name[self.ordinal] is not None or self.is_root

    @property
    def name(self) -> str | None:
        """The branch's name, "from 3" for one without; None for a lane that is not a branch."""
        return self._lanes.name[self.ordinal] if self.is_named else f"from {self.fork_number}"

    @property
    def fork(self) -> int:
        """The thought of its own chain that it leaves from, or NONE."""
        return self._lanes.fork[self.ordinal]

    @property
    def origin(self) -> int:
        """The thought that it leaves from, in its own or an earlier chain, or NONE."""
        return self._lanes.origin(self.ordinal)

    @property
    def fork_number(self) -> int:
        """The number by which its fork was asked for, 0 for none."""
        return self._lanes.fork_number(self.ordinal)

    @property
    def parent(self) -> int:
        """Ordinal of the fork's lane, or NONE."""
        return self._lanes.parent(self.ordinal)

    @property
    def colour_slot(self) -> int:
        """Its colour, from 0 to before ``COLOUR_SLOTS``; 0 and without meaning for a trunk."""
        return self._lanes.colour_slot[self.ordinal]

    @property
    def depth(self) -> int:
        """Number of lanes above it: 0 for a trunk, at least 1 for a branch."""
        return self._lanes.depth[self.ordinal]

    @property
    def thoughts(self) -> Sequence[int]:
        """Its thoughts in order of arrival, including those that arrived after the session it is from."""
        return self._lanes.thoughts.get(self.ordinal)
