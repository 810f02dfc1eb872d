"""The rows of one chain in the order of the tree, in blocks.

Insertions come anywhere (a branch grows in the middle), and a chain may have a million rows. So the items stand in
blocks with counts: an insertion touches one block, and finding a row sums over blocks, not rows. Each item knows after
how many events it came to be, so the rows of any earlier moment are these same blocks, counted with a limit. Folded
branches are pairs of brackets (head and end of a lane); what lies within is not counted.
"""

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Set
from itertools import accumulate

MOST_IN_BLOCK = 1024

THOUGHT, HEAD, END, GAP, REFUSED = range(5)
"""Kinds of items: a thought, a branch's first row, the unseen end of a lane, a gap before a thought, a refused call."""

_KIND_BITS = 3
_KIND_MASK = (1 << _KIND_BITS) - 1


def item(kind: int, ordinal: int) -> int:
    """Return the item of a kind: of a thought or gap by the thought's index, of a head or end by the lane's ordinal."""
    return ordinal << _KIND_BITS | kind


def kind_of(code: int) -> int:
    """Return the kind of an item."""
    return code & _KIND_MASK


def ordinal_of(code: int) -> int:
    """Return the index or ordinal of an item."""
    return code >> _KIND_BITS


class _Block:
    __slots__ = ("balance", "births", "brackets", "items", "key", "number", "shown")

    def __init__(self, number: int, items: "array[int]") -> None:
        self.number = number
        self.items = items
        self.births = array("q")
        self.brackets = 0
        self.balance = 0
        self.key: tuple[int, int] | None = None
        self.shown: list[int] | None = None


class Order:
    """Items in tree order. ``born(item)`` tells after how many events an item came to be."""

    def __init__(self, born: Callable[[int], int]) -> None:
        self._born = born
        self._blocks = [_Block(0, array("q"))]
        self._home: dict[int, _Block] = {}
        self._thought_home: list[_Block] = []
        self._first_thought = 0
        self._entries = 0
        self._folded: set[int] = set()
        self._sums: list[int] | None = None
        self._depths: list[int] = []

    # Growing

    def append(self, code: int) -> None:
        """Put an item at the very end."""
        block = self._blocks[-1]
        self._insert(block, len(block.items), code)

    def insert_before(self, anchor: int, code: int) -> None:
        """Put an item right before ``anchor``, which is there."""
        block = self._home_of(anchor)
        self._insert(block, block.items.index(anchor), code)

    def _insert(self, block: _Block, place: int, code: int) -> None:
        block.items.insert(place, code)
        if kind_of(code) != END:
            insort(block.births, self._born(code))
        self._settle(code, block)
        block.key = None
        self._sums = None
        if len(block.items) > MOST_IN_BLOCK:
            self._split(block)

    def _split(self, block: _Block) -> None:
        # Chains mostly grow at their end: there the full part is left full.
        is_last = block.number == len(self._blocks) - 1
        middle = len(block.items) - 64 if is_last else len(block.items) // 2
        moved = _Block(block.number + 1, block.items[middle:])
        del block.items[middle:]
        self._blocks.insert(moved.number, moved)
        for number in range(moved.number + 1, len(self._blocks)):
            self._blocks[number].number = number
        for code in moved.items:
            self._settle(code, moved)
        for part in (block, moved):
            part.births = array("q", sorted(self._born(code) for code in part.items if kind_of(code) != END))
            self._count_brackets(part)
            part.key = None

    def _settle(self, code: int, block: _Block) -> None:
        if kind_of(code) != THOUGHT:
            self._home[code] = block
            return
        index = ordinal_of(code)
        if not self._thought_home:
            self._first_thought = index
        place = index - self._first_thought
        if place == len(self._thought_home):
            self._thought_home.append(block)
        else:
            self._thought_home[place] = block

    def _home_of(self, code: int) -> _Block:
        if kind_of(code) == THOUGHT:
            return self._thought_home[ordinal_of(code) - self._first_thought]
        return self._home[code]

    # Looking

    def look(self, entries: int) -> None:
        """Show the rows as they were after ``entries`` events."""
        if entries != self._entries:
            self._entries = entries
            self._sums = None

    def fold(self, lane: int, *, folded: bool) -> None:
        """Hide or show the rows between the head and the end of ``lane``."""
        (self._folded.add if folded else self._folded.discard)(lane)
        for code in (item(HEAD, lane), item(END, lane)):
            block = self._home_of(code)
            self._count_brackets(block)
            block.key = None
        self._sums = None

    @property
    def folded(self) -> Set[int]:
        """The lanes that are folded."""
        return self._folded

    @property
    def count(self) -> int:
        """How many rows there are to see."""
        return self._counted()[-1]

    def at(self, row: int) -> int:
        """Return the item of a row, from 0."""
        sums = self._counted()
        number = bisect_right(sums, row)
        before = sums[number - 1] if number else 0
        return self._shown(self._blocks[number])[row - before]

    def row_of(self, code: int) -> int | None:
        """Return the row of an item, or None when it is not to be seen."""
        sums, block = self._counted(), self._home_of(code)
        before = sums[block.number - 1] if block.number else 0
        try:
            return before + self._shown(block).index(code)
        except ValueError:
            return None

    def rows_before(self, code: int) -> int | None:
        """Return how many rows come before the place of an item, or None when that place is folded away."""
        sums, block = self._counted(), self._home_of(code)
        seen, depth = (sums[block.number - 1] if block.number else 0), self._depths[block.number]
        for other in block.items:
            if other == code:
                return None if depth else seen
            seen += self._is_shown(other, depth)
            depth += self._bracket(other)
        return None

    def _counted(self) -> list[int]:
        if self._sums is None:
            self._sums = list(accumulate(self._count_block(block) for block in self._walk()))
        return self._sums

    def _walk(self) -> list[_Block]:
        depth, depths = 0, list[int]()
        for block in self._blocks:
            depths.append(depth)
            depth += block.balance
        self._depths = depths
        return self._blocks

    def _count_block(self, block: _Block) -> int:
        if block.brackets:
            return len(self._shown(block))
        return 0 if self._depths[block.number] else bisect_left(block.births, self._entries)

    def _shown(self, block: _Block) -> list[int]:
        key = (self._entries, self._depths[block.number])
        if block.key != key or block.shown is None:
            block.key, block.shown = key, self._select(block, key[1])
        return block.shown

    def _select(self, block: _Block, depth: int) -> list[int]:
        shown: list[int] = []
        for code in block.items:
            if self._is_shown(code, depth):
                shown.append(code)
            depth += self._bracket(code)
        return shown

    def _is_shown(self, code: int, depth: int) -> bool:
        return not depth and kind_of(code) != END and self._born(code) < self._entries

    def _bracket(self, code: int) -> int:
        kind = kind_of(code)
        if kind not in {HEAD, END} or ordinal_of(code) not in self._folded:
            return 0
        return 1 if kind == HEAD else -1

    def _count_brackets(self, block: _Block) -> None:
        steps = [step for step in map(self._bracket, block.items) if step] if self._folded else []
        block.brackets, block.balance = len(steps), sum(steps)
