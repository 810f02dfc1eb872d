"""The lanes of a session, in columns: a journal may open one with each of a million thoughts."""

from array import array
from bisect import bisect_right
from collections.abc import Sequence

from seqthink.chain.compact_lists import NONE, IndexColumn, IndexMultimap, SparseInts

COLOUR_SLOTS = 6
"""Branches take turns, so that neighbours can be told apart: one of a lane has never the turn of the one before it
there, nor that of its own lane."""
_SLOT_CYCLE = COLOUR_SLOTS * (COLOUR_SLOTS - 1)


class LaneColumns:
    """What is known of each lane, by its ordinal; ``numbers`` and ``lane_of`` are those of the thoughts.

    ``trunks`` are the ordinals of the chains' trunks, ``last`` the newest thought of each lane. A lane without a name
    is a trunk, or a branch that was asked for by its fork's number only.
    """

    def __init__(self, numbers: Sequence[int], lane_of: Sequence[int]) -> None:
        self._numbers = numbers
        self._lane_of = lane_of
        self.trunks = array("i")
        self.entry = array("i")
        self.name: list[str | None] = []
        self.fork = array("i")
        self.depth = array("i")
        self.last_thought = array("i")
        self.colour_slot = bytearray()
        self.agent = array("i")
        self.earlier_fork = SparseInts()
        """Of a lane that leaves from a thought of an earlier chain: that thought. Its fork is NONE."""
        self._opened_count = bytearray()  # how many branches left each lane so far, as far as turns go
        self.thoughts = IndexMultimap()
        self.first_change = IndexColumn()
        # Only where it is not the number that the fork has.
        self._fork_number = SparseInts()

    def open_trunk(self, entry: int) -> int:
        """Open the trunk of another chain, and return its ordinal."""
        trunk = self._add(entry, None, NONE, 0, 0, 0)
        self.trunks.append(trunk)
        return trunk

    def open_lane(self, entry: int, name: str | None, number: int, fork: int, agent: int = 0) -> int:
        """Open a lane that leaves from the thought ``fork``, asked for by ``number``; return its ordinal."""
        ordinal, depth, expected = len(self.entry), 1, 0
        if fork != NONE and self._lane_of[fork] < self.trunks[-1]:
            self.earlier_fork.put(ordinal, fork)
            fork = NONE
        if fork != NONE:
            depth, expected = self.depth[self._lane_of[fork]] + 1, self._numbers[fork]
        if number != expected:
            self._fork_number.put(ordinal, number)
        return self._add(entry, name, fork, depth, self._next_colour_slot(fork), agent)

    def _add(self, entry: int, name: str | None, fork: int, depth: int, colour_slot: int, agent: int) -> int:
        self.entry.append(entry)
        self.agent.append(agent)
        self.name.append(name)
        self.fork.append(fork)
        self.depth.append(depth)
        self.last_thought.append(NONE)
        self.colour_slot.append(colour_slot)
        self._opened_count.append(0)
        return len(self.entry) - 1

    def _next_colour_slot(self, fork: int) -> int:
        """Return the turn of the next branch from a thought; one that hangs from nothing is like those of the trunk."""
        trunk = self.trunks[-1]
        parent = self._lane_of[fork] if fork != NONE else trunk
        opened = self._opened_count[parent]
        self._opened_count[parent] = (opened + 1) % _SLOT_CYCLE
        if parent == trunk:
            return opened % COLOUR_SLOTS
        # far from the next one of the lane above, beside which it stands
        return (self.colour_slot[parent] + 1 + (opened + 2) % (COLOUR_SLOTS - 1)) % COLOUR_SLOTS

    def parent(self, lane: int) -> int:
        """Return the ordinal of the fork's lane, or NONE."""
        fork = self.fork[lane]
        return self._lane_of[fork] if fork != NONE else NONE

    def origin(self, lane: int) -> int:
        """Return the thought that a lane leaves from, be it of an earlier chain, or NONE."""
        fork = self.fork[lane]
        return fork if fork != NONE else self.earlier_fork.get(lane, NONE)

    def origin_lane(self, lane: int) -> int:
        """Return the ordinal of the lane that a lane leaves, be it of an earlier chain, or NONE."""
        origin = self.origin(lane)
        return self._lane_of[origin] if origin != NONE else NONE

    def fork_number(self, lane: int) -> int:
        """Return the number of the fork as asked for, 0 when none was."""
        fork = self.fork[lane]
        return self._fork_number.get(lane, self._numbers[fork] if fork != NONE else 0)


class Lane:
    """A chain's trunk or one of its branches; the fork never moves, thoughts are only ever appended."""

    __slots__ = ("_lanes", "ordinal")

    def __init__(self, lanes: LaneColumns, ordinal: int) -> None:
        self._lanes = lanes
        self.ordinal = ordinal

    @property
    def chain(self) -> int:
        """The ordinal of its chain."""
        return bisect_right(self._lanes.trunks, self.ordinal) - 1

    @property
    def is_trunk(self) -> bool:
        """Whether this is its chain's trunk."""
        return self.is_root and not self.agent

    @property
    def is_root(self) -> bool:
        """Whether this is no branch: the chain's trunk, or another agent's thoughts in no branch."""
        return self._lanes.name[self.ordinal] is None and not self.fork_number

    @property
    def agent(self) -> int:
        """The ordinal of the agent whose thoughts it holds, 0 for the main one."""
        return self._lanes.agent[self.ordinal]

    @property
    def entry(self) -> int:
        """After how many lines it opened."""
        return self._lanes.entry[self.ordinal]

    @property
    def is_named(self) -> bool:
        """Whether it has a name of its own; one that is no branch needs none."""
        return self._lanes.name[self.ordinal] is not None or self.is_root

    @property
    def name(self) -> str | None:
        """The branch's name; None where it is no branch."""
        return self._lanes.name[self.ordinal] if self.is_named else f"from {self.fork_number}"

    @property
    def fork(self) -> int:
        """The index of the thought of its chain that it leaves from, or NONE."""
        return self._lanes.fork[self.ordinal]

    @property
    def origin(self) -> int:
        """The index of the thought that it leaves from, be it of an earlier chain, or NONE."""
        return self._lanes.origin(self.ordinal)

    @property
    def fork_number(self) -> int:
        """The number of the fork as asked for, 0 when none was."""
        return self._lanes.fork_number(self.ordinal)

    @property
    def parent(self) -> int:
        """The ordinal of the fork's lane, or NONE."""
        return self._lanes.parent(self.ordinal)

    @property
    def colour_slot(self) -> int:
        """Which of ``TURNS`` it takes; a trunk takes none."""
        return self._lanes.colour_slot[self.ordinal]

    @property
    def depth(self) -> int:
        """How many lanes are above it; at least 1 for a branch."""
        return self._lanes.depth[self.ordinal]

    @property
    def thoughts(self) -> Sequence[int]:
        """The indices of its thoughts, in order of arrival."""
        return self._lanes.thoughts.get(self.ordinal)
