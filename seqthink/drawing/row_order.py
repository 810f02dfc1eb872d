"""The rows of one chain in the order of the tree, in blocks, and the blocks in groups.

Insertions come anywhere (a branch grows in the middle), and a chain may have a million rows. So an insertion touches
one block, and finding a row sums over groups and the blocks of one group, not over rows. Each item knows when it came
to be, so the rows of any earlier moment are these same blocks, counted with a limit. Folded branches are pairs of
brackets (head and end of a lane); what lies within is not counted.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate

from seqthink.chain.compact_lists import fill_with_none
from seqthink.drawing.insertions import AT_END
from seqthink.drawing.row_items import (
    BRANCH_HEAD,
    KIND_BITS,
    KIND_MASK,
    LANE_END,
    REFUSED,
    ArrivalCounts,
    Chunk,
    ChunkGroup,
    CreationIndex,
    item,
)

MAX_CHUNK_ITEMS = 1024
MAX_GROUP_CHUNKS = 64
_ROOM = 512
"""Where the blocks of items are noted, room is made for so many at once."""


class RowOrder:
    """Items in tree order: those of a chain whose lanes are counted from ``first_lane``, its thoughts from ``first``.

    Items are given in the order in which they came to be.
    """

    def __init__(self, first: int = 0, first_lane: int = 0) -> None:
        group = ChunkGroup()
        self._blocks = [Chunk(group, 0, array("i"))]
        group.blocks.append(self._blocks[0])
        self._groups = [group]
        # By kind: the number of the block that an item stands in, and from which ordinal on they are noted.
        self._homes: tuple[array[int] | dict[int, int], ...] = (array("i"), array("i"), {}, {}, array("i"))
        self._firsts = (first, first, 0, 0, first_lane)
        self._moment = ArrivalCounts(0, 0)
        self._folded: dict[int, int] = {}
        self._folded_heads: dict[int, int] = {}
        self._sums: list[int] | None = None
        self._depths: list[int] = []

    # Growing

    def insert(self, pieces: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Put items right before others, which are there, or before LAST; they are newer than all that are here."""
        fresh: dict[Chunk, list[int]] = {}
        for anchor, codes in pieces:
            block = self._groups[-1].blocks[-1] if anchor == AT_END else self._home_of(anchor)
            place = len(block.items) if anchor == AT_END else block.position_of(anchor)
            block.items[place:place] = array("i", codes)
            fresh.setdefault(block, []).extend(codes)
        by_group: dict[ChunkGroup, list[int]] = {}
        for block, codes in fresh.items():
            by_group.setdefault(block.group, []).extend(codes)
            self._take_in(block, codes)
        for group, codes in by_group.items():
            self._note(group.births, codes)
            if len(group.blocks) > MAX_GROUP_CHUNKS:
                self._split_group(group)
        self._sums = None

    def _take_in(self, block: Chunk, fresh: Sequence[int]) -> None:
        """Note ``fresh`` items, which are in the block by now; make it several blocks when it is too big."""
        block.key = block.group.key = None
        if len(block.items) > MAX_CHUNK_ITEMS:
            self._split(block)
        else:
            self._settle(block, fresh)

    def _split(self, block: Chunk) -> None:
        group, items = block.group, block.items
        place = group.blocks.index(block)
        step = _step(MAX_CHUNK_ITEMS, is_last=block is self._groups[-1].blocks[-1])
        parts = [Chunk(group, len(self._blocks) + more, items[start : start + step])
                 for more, start in enumerate(range(step, len(items), step))]  # fmt: skip
        block.items, block.births = items[:step], CreationIndex()
        self._blocks += parts
        group.blocks[place + 1 : place + 1] = parts
        for part in (block, *parts):
            self._settle(part, part.items)
            if self._folded:
                self._count_brackets(part)

    def _split_group(self, group: ChunkGroup) -> None:
        number, blocks = self._groups.index(group), group.blocks
        step = _step(MAX_GROUP_CHUNKS, is_last=group is self._groups[-1])
        parts: list[ChunkGroup] = []
        for start in range(0, len(blocks), step):
            part = ChunkGroup()
            part.blocks = blocks[start : start + step]
            for block in part.blocks:
                block.group = part
            part.births.merge(block.births for block in part.blocks)
            self._count_group_brackets(part)
            parts.append(part)
        self._groups[number : number + 1] = parts

    def _settle(self, block: Chunk, codes: Iterable[int]) -> None:
        """Note that items stand in a block, and when they came to be."""
        homes, firsts, number = self._homes, self._firsts, block.number
        for code in codes:
            kind = code & KIND_MASK
            place = (code >> KIND_BITS) - firsts[kind]
            try:
                homes[kind][place] = number
            except IndexError:
                column = homes[kind]
                assert isinstance(column, array), "dictionaries have room"
                fill_with_none(column, place + _ROOM)
                column[place] = number
        self._note(block.births, codes)

    def _note(self, births: CreationIndex, codes: Iterable[int]) -> None:
        births.add_newest(codes, has_refusals=bool(self._homes[REFUSED]))

    def _home_of(self, code: int) -> Chunk:
        kind = code & KIND_MASK
        return self._blocks[self._homes[kind][(code >> KIND_BITS) - self._firsts[kind]]]

    # Looking

    def show_at(self, thoughts: int, refusals: int) -> None:
        """Show the rows as they were when so many thoughts had arrived, and so many calls had been refused."""
        moment = ArrivalCounts(thoughts, refusals)
        if moment != self._moment:
            self._moment = moment
            self._sums = None

    def fold(self, lane: int, head: int, *, folded: bool) -> None:
        """Hide or show the rows between the head of ``lane``, which came with the thought ``head``, and its end."""
        if folded:
            self._folded[lane], self._folded_heads[head] = head, lane
        elif lane in self._folded:
            del self._folded[lane], self._folded_heads[head]
        for code in (item(BRANCH_HEAD, head), item(LANE_END, lane)):
            self._count_brackets(self._home_of(code))
        self._sums = None

    @property
    def folded(self) -> Set[int]:
        """The lanes that are folded."""
        return self._folded.keys()

    @property
    def count(self) -> int:
        """How many rows there are to see."""
        return self._counted()[-1]

    def item_at(self, row: int) -> int:
        """Return the item of a row, from 0."""
        sums = self._counted()
        number = bisect_right(sums, row)
        row -= sums[number - 1] if number else 0
        group, depth = self._groups[number], self._depths[number]
        within = self._within(group, depth)
        place = bisect_right(within, row)
        row -= within[place - 1] if place else 0
        return self._shown(group.blocks[place], group.depths[place])[row]

    def row_of(self, code: int) -> int | None:
        """Return the row of an item, or None when it is not to be seen."""
        block = self._home_of(code)
        before, depth = self._before(block)
        try:
            return before + self._shown(block, depth).index(code)
        except ValueError:
            return None

    def rows_before(self, code: int) -> int | None:
        """Return how many rows come before the place of an item, or None when that place is folded away."""
        block = self._home_of(code)
        before, depth = self._before(block)
        shown, depth = self._select(block, depth, block.position_of(code))
        return None if depth else before + len(shown)

    def hidden_by(self, code: int) -> int | None:
        """Return the outermost folded lane that hides the place of an item, or None."""
        if not self._folded:
            return None
        home = self._home_of(code)
        self._before(home)
        for block, depth_before in self._back_from(home):
            opener, depth = None, depth_before
            for other in block.items[: block.position_of(code)] if block is home else block.items:
                step = self._bracket(other)
                opener = self._folded_heads[other >> KIND_BITS] if step > 0 and not depth else opener
                depth += step
            if not depth:
                return None
            if opener is not None:
                return opener
        return None

    def _back_from(self, block: Chunk) -> Iterator[tuple[Chunk, int]]:
        """Yield ``block`` and those before it, as far as folds may begin in them, each with its depth."""
        group = block.group
        number = self._groups.index(group)
        place = group.blocks.index(block)
        yield block, group.depths[place]
        while number >= 0:
            group = self._groups[number]
            self._within(group, self._depths[number])
            before = group.blocks[:place] if place is not None else group.blocks
            for other in reversed(range(len(before))):
                if before[other].brackets:
                    yield before[other], group.depths[other]
            number, place = number - 1, None

    # Counting

    def _counted(self) -> list[int]:
        """Return how many rows there are up to the end of each group."""
        if self._sums is None:
            depth, counts, depths = 0, list[int](), list[int]()
            for group in self._groups:
                depths.append(depth)
                counts.append(self._count(group, depth))
                depth += group.balance
            self._sums, self._depths = list(accumulate(counts)), depths
        return self._sums

    def _count(self, group: ChunkGroup, depth: int) -> int:
        if group.brackets:
            return self._within(group, depth)[-1]
        return 0 if depth else group.births.count_at(self._moment)

    def _within(self, group: ChunkGroup, depth: int) -> list[int]:
        """Return how many rows there are up to the end of each block of a group."""
        key = (self._moment, depth)
        if group.key != key:
            counts, depths = list[int](), list[int]()
            for block in group.blocks:
                depths.append(depth)
                if block.brackets:
                    counts.append(len(self._shown(block, depth)))
                else:
                    counts.append(0 if depth else block.births.count_at(self._moment))
                depth += block.balance
            group.key, group.sums, group.depths = key, list(accumulate(counts)), depths
        return group.sums

    def _before(self, block: Chunk) -> tuple[int, int]:
        """Return how many rows come before a block, and how many folds it begins in."""
        group, sums = block.group, self._counted()
        number = self._groups.index(group)
        within = self._within(group, self._depths[number])
        place = group.blocks.index(block)
        return (sums[number - 1] if number else 0) + (within[place - 1] if place else 0), group.depths[place]

    def _shown(self, block: Chunk, depth: int) -> Sequence[int]:
        key = (self._moment, depth)
        if block.key != key:
            block.key, block.shown = key, self._select(block, depth, len(block.items))[0]
        return block.shown

    def _select(self, block: Chunk, depth: int, stop: int) -> tuple[Sequence[int], int]:
        """Return the items before ``stop`` that are to be seen, and how many folds are open there."""
        if not block.brackets:
            return [] if depth else block.visible(self._moment, stop), depth
        limits = self._moment.ordinal_limits
        shown: list[int] = []
        for code in block.items[:stop]:
            if not depth and code >> KIND_BITS < limits[code & KIND_MASK]:
                shown.append(code)
            depth += self._bracket(code)
        return shown, depth

    def _bracket(self, code: int) -> int:
        kind, ordinal = code & KIND_MASK, code >> KIND_BITS
        if kind == BRANCH_HEAD:
            return ordinal in self._folded_heads
        return -(kind == LANE_END and ordinal in self._folded)

    def _count_brackets(self, block: Chunk) -> None:
        steps = [step for step in map(self._bracket, block.items) if step] if self._folded else []
        block.brackets, block.balance = len(steps), sum(steps)
        block.key = None
        self._count_group_brackets(block.group)

    def _count_group_brackets(self, group: ChunkGroup) -> None:
        group.brackets = sum(block.brackets for block in group.blocks)
        group.balance = sum(block.balance for block in group.blocks)
        group.key = self._sums = None


def _step(most: int, *, is_last: bool) -> int:
    """Return how many stay together where there are too many: half, but chains mostly grow at their end."""
    return most if is_last else most // 2
