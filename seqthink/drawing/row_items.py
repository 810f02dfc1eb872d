"""The items of a chain's rows, and the blocks and groups in which their order is kept.

An item knows by itself when it came to be: a thought's index, and a refused call's number, count up in time, and a
branch's first row and a gap came with a thought. So a moment is two limits: how many thoughts had arrived, and how many
calls were refused.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

THOUGHT, BRANCH_HEAD, GAP, REFUSED, LANE_END = range(5)
"""Kinds of items: a thought, a branch's first row, a gap before a thought, a refused call, the unseen end of a lane."""

KIND_BITS = 3
KIND_MASK = (1 << KIND_BITS) - 1
ITEM_BYTES = array("i").itemsize


def item(kind: int, ordinal: int) -> int:
    """Return the item of a kind: of a thought, of the branch or gap that came with it, refused call, or lane's end."""
    return ordinal << KIND_BITS | kind


def kind_of(code: int) -> int:
    """Return the kind of an item."""
    return code & KIND_MASK


def ordinal_of(code: int) -> int:
    """Return the thought's index, the refused call's number, or the lane's ordinal of an item."""
    return code >> KIND_BITS


class ArrivalCounts(NamedTuple):
    """How many thoughts had arrived, and how many calls had been refused."""

    thoughts: int
    refusals: int

    @property
    def ordinal_limits(self) -> tuple[int, int, int, int, int]:
        """For each kind below which ordinal an item is a row; an end never is."""
        return self.thoughts, self.thoughts, self.thoughts, self.refusals, 0


class CreationIndex:
    """When some rows came to be, so that those of any moment can be counted."""

    __slots__ = ("refusals", "thoughts")

    def __init__(self) -> None:
        self.thoughts = array("i")
        self.refusals = array("i")

    def add_newest(self, codes: Iterable[int], *, has_refusals: bool) -> None:
        """Take in items that are newer than all that are here; with ``has_refusals`` calls may be among them."""
        self.thoughts.extend(sorted([code >> KIND_BITS for code in codes if code & KIND_MASK < REFUSED]))
        if has_refusals:
            self.refusals.extend(sorted([code >> KIND_BITS for code in codes if code & KIND_MASK == REFUSED]))

    def add_any(self, codes: Iterable[int]) -> None:
        """Take in items that may be older than some that are here."""
        fresh = CreationIndex()
        fresh.add_newest(codes, has_refusals=True)
        if fresh.is_after(self):
            self.thoughts.extend(fresh.thoughts)
            self.refusals.extend(fresh.refusals)
        else:
            self.merge([fresh])

    def is_after(self, other: "CreationIndex") -> bool:
        """Whether all that is here is newer than all that is there."""
        pairs = ((self.thoughts, other.thoughts), (self.refusals, other.refusals))
        return all(not own or not others or own[0] > others[-1] for own, others in pairs)

    def merge(self, parts: "Iterable[CreationIndex]") -> None:
        """Take in what others have."""
        for part in parts:
            self.thoughts.extend(part.thoughts)
            self.refusals.extend(part.refusals)
        self.thoughts = array("i", sorted(self.thoughts))
        self.refusals = array("i", sorted(self.refusals))

    def count_at(self, moment: ArrivalCounts) -> int:
        """Return how many had come by ``moment``."""
        found = bisect_left(self.thoughts, moment.thoughts)
        return found + bisect_left(self.refusals, moment.refusals) if self.refusals else found

    def __len__(self) -> int:
        return len(self.thoughts) + len(self.refusals)


class ChunkGroup:
    """Some blocks that stand one after another; ``births`` are those of all their rows."""

    __slots__ = ("balance", "births", "blocks", "brackets", "depths", "key", "sums")

    def __init__(self) -> None:
        self.blocks: list[Chunk] = []
        self.births = CreationIndex()
        self.brackets = 0
        self.balance = 0
        self.key: tuple[ArrivalCounts, int] | None = None
        self.sums: list[int] = []
        self.depths: list[int] = []


class Chunk:
    """Some items that stand one after another, and by what ``number`` the order knows them."""

    __slots__ = ("balance", "births", "brackets", "group", "items", "key", "number", "shown")

    def __init__(self, group: ChunkGroup, number: int, items: "array[int]") -> None:
        self.group = group
        self.number = number
        self.items = items
        self.births = CreationIndex()
        self.brackets = 0
        self.balance = 0
        self.key: tuple[ArrivalCounts, int] | None = None
        self.shown: Sequence[int] = []

    def position_of(self, code: int) -> int:
        """Return where an item stands, which is there: mostly at the end, and the rest is found as bytes."""
        if self.items[-1] == code:
            return len(self.items) - 1
        data, sought = self.items.tobytes(), array("i", (code,)).tobytes()
        found = data.find(sought)
        while found % ITEM_BYTES:
            found = data.find(sought, found + 1)
        return found // ITEM_BYTES

    def visible(self, moment: ArrivalCounts, stop: int) -> Sequence[int]:
        """Return the items before ``stop`` that are rows at ``moment``, folds aside."""
        items, count = self.items[:stop], self.births.count_at(moment)
        if count == len(self.items):
            return items
        if count == len(self.births):
            return [code for code in items if code & KIND_MASK != LANE_END]
        limits = moment.ordinal_limits
        return [code for code in items if code >> KIND_BITS < limits[code & KIND_MASK]]
