"""Row items of a chain, and the chunked list in which they are ordered.

An item is an int: an ordinal and a kind. It carries its own age: indices of thoughts and ordinals of asides
count up in time, and a branch's first row and a gap are created together with a thought. So two limits select the rows
at an earlier position: how many thoughts had arrived, and how many asides had arrived.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

THOUGHT, BRANCH_HEAD, GAP, ASIDE, LANE_END = range(5)
"""Kinds of items: thought, first row of a branch, gap before a thought, aside, invisible end of a lane."""

KIND_BITS = 3
KIND_MASK = (1 << KIND_BITS) - 1
ITEM_BYTES = array("i").itemsize
"""Size of an item in an array."""


def row_item(kind: int, ordinal: int) -> int:
    """Return the item of a kind.

    Args:
        kind: THOUGHT, BRANCH_HEAD, GAP, ASIDE or LANE_END.
        ordinal: the thought's index (also for BRANCH_HEAD and GAP: the thought that created them), or the ordinal of
            the aside or of the lane (LANE_END).
    """
    return ordinal << KIND_BITS | kind


def thought_items(run: range) -> range:
    """Return the items of consecutive thoughts, whose kind is 0."""
    return range(run.start << KIND_BITS, run.stop << KIND_BITS, 1 << KIND_BITS)


def thoughts_of_run(items: Sequence[int]) -> "array[int] | None":
    """Return the thoughts of ``items`` if these are nothing but consecutive thoughts in their order, else None."""
    step = 1 << KIND_BITS
    if not items or items[0] & KIND_MASK or items[-1] - items[0] != step * (len(items) - 1):
        return None
    expected = range(items[0], items[-1] + step, step)
    if items != expected and array("i", items) != array("i", expected):
        return None
    return array("i", range(items[0] >> KIND_BITS, (items[-1] >> KIND_BITS) + 1))


def kind_of(item: int) -> int:
    """Return the kind of an item."""
    return item & KIND_MASK


def ordinal_of(item: int) -> int:
    """Return the thought's index, or the aside's or lane's ordinal, of an item."""
    return item >> KIND_BITS


class ArrivalCounts(NamedTuple):
    """How many thoughts had arrived and how many asides had arrived at some position."""

    thoughts: int
    asides: int

    @property
    def ordinal_limits(self) -> tuple[int, int, int, int, int]:
        """For each kind the ordinal below which an item is a row; LANE_END never is one."""
        return self.thoughts, self.thoughts, self.thoughts, self.asides, 0


class CreationIndex:
    """Sorted ordinals of some rows; counts by bisection how many of them existed at a position."""

    __slots__ = ("asides", "thoughts")

    def __init__(self) -> None:
        self.thoughts = array("i")
        """Of the rows that were created with a thought: the thoughts."""
        self.asides = array("i")
        """The asides."""

    def add_newest(self, items: Sequence[int], *, has_asides: bool) -> None:
        """Add items that are newer than all present ones.

        Args:
            items: the items.
            has_asides: whether asides may be among them.
        """
        run = thoughts_of_run(items[:-1] if len(items) and items[-1] & KIND_MASK == LANE_END else items)
        if run is not None:
            self.thoughts.extend(run)
            return
        self.thoughts.extend(sorted([item >> KIND_BITS for item in items if item & KIND_MASK < ASIDE]))
        if has_asides:
            self.asides.extend(sorted([item >> KIND_BITS for item in items if item & KIND_MASK == ASIDE]))

    def add_any(self, items: Sequence[int]) -> None:
        """Add items that may be older than present ones."""
        added = CreationIndex()
        added.add_newest(items, has_asides=True)
        if added.is_after(self):
            self.thoughts.extend(added.thoughts)
            self.asides.extend(added.asides)
        else:
            self.merge([added])

    def is_after(self, other: "CreationIndex") -> bool:
        """Return whether every row here is newer than every row of ``other``."""
        pairs = ((self.thoughts, other.thoughts), (self.asides, other.asides))
        return all(not own or not others or own[0] > others[-1] for own, others in pairs)

    def merge(self, parts: "Iterable[CreationIndex]") -> None:
        """Add the rows of other indexes."""
        for part in parts:
            self.thoughts.extend(part.thoughts)
            self.asides.extend(part.asides)
        self.thoughts = array("i", sorted(self.thoughts))
        self.asides = array("i", sorted(self.asides))

    def count_at(self, arrived: ArrivalCounts) -> int:
        """Return how many of the rows existed when ``arrived`` had arrived."""
        found = bisect_left(self.thoughts, arrived.thoughts)
        return found + bisect_left(self.asides, arrived.asides) if self.asides else found

    def __len__(self) -> int:
        return len(self.thoughts) + len(self.asides)


class ChunkGroup:
    """Consecutive chunks, with their rows' ``created`` index and a cache of row counts."""

    __slots__ = ("bracket_balance", "bracket_count", "cache_key", "chunks", "created", "depths", "row_sums")

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.created = CreationIndex()
        self.bracket_count = 0
        """How many heads and ends of folded lanes are among the items."""
        self.bracket_balance = 0
        """Heads minus ends: by how much the fold depth changes."""
        self.cache_key: tuple[ArrivalCounts, int] | None = None
        """What the cached counts are valid for: the position, and the fold depth at the start."""
        self.row_sums: list[int] = []
        """Cached: the number of rows up to the end of each chunk."""
        self.depths: list[int] = []
        """Cached: the fold depth at the start of each chunk."""


class Chunk:
    """Consecutive items; ``number`` is the chunk's position in the order's list of all chunks."""

    __slots__ = ("bracket_balance", "bracket_count", "cache_key", "cached", "created", "group", "items", "number")

    def __init__(self, group: ChunkGroup, number: int, items: "array[int]") -> None:
        self.group = group
        self.number = number
        self.items = items
        self.created = CreationIndex()
        """When its rows were created; it and the next three as in ``ChunkGroup``."""
        self.bracket_count = 0
        self.bracket_balance = 0
        self.cache_key: tuple[ArrivalCounts, int] | None = None
        self.cached: Sequence[int] = []
        """The visible items for ``cache_key``."""

    def position_of(self, item: int) -> int:
        """Return the position of an item of this chunk; the last one is tried first, others are searched as bytes."""
        if self.items[-1] == item:
            return len(self.items) - 1
        data, wanted = self.items.tobytes(), array("i", (item,)).tobytes()
        found = data.find(wanted)
        while found % ITEM_BYTES:
            found = data.find(wanted, found + 1)
        return found // ITEM_BYTES

    def visible(self, arrived: ArrivalCounts, stop: int) -> Sequence[int]:
        """Return the items before ``stop`` that are rows when ``arrived`` had arrived; folds are ignored."""
        items, count = self.items[:stop], self.created.count_at(arrived)
        if count == len(self.items):
            return items
        if count == len(self.created):
            return [item for item in items if item & KIND_MASK != LANE_END]
        limits = arrived.ordinal_limits
        return [item for item in items if item >> KIND_BITS < limits[item & KIND_MASK]]
