"""The rows of one chain in the order of the tree, in blocks, and the blocks in groups.

Insertions come anywhere (a branch grows in the middle), and a chain may have a million rows. So an insertion touches
one block, and finding a row sums over groups and the blocks of one group, not over rows. Each item knows after how many
events it came to be, so the rows of any earlier moment are these same blocks, counted with a limit. Folded branches are
pairs of brackets (head and end of a lane); what lies within is not counted.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence, Set
from itertools import accumulate

from seqthink.drawing.blocks import END, HEAD, KIND_BITS, KIND_MASK, NEVER, THOUGHT, Block, Group, item, ordinal_of

MOST_IN_BLOCK = 1024
MOST_BLOCKS = 64


class Order:
    """Items in tree order: those of a chain whose lanes are counted from ``first_lane``, its thoughts from ``first``.

    Items are given in the order in which they came to be.
    """

    def __init__(self, first: int = 0, first_lane: int = 0) -> None:
        self._first, self._first_lane = first, first_lane
        self._groups = [Group()]
        self._groups[0].blocks.append(Block(self._groups[0], array("q"), array("q")))
        self._thoughts: list[Block] = []
        self._heads: list[Block] = []
        self._ends: list[Block] = []
        self._others: dict[int, Block] = {}
        self._nowhere = self._groups[0].blocks[0]
        self._entries = 0
        self._folded: set[int] = set()
        self._sums: list[int] | None = None
        self._depths: list[int] = []

    # Growing

    def append(self, code: int, born: int | None) -> None:
        """Put an item at the very end; it came to be with the event ``born``, or is never to be seen."""
        block = self._groups[-1].blocks[-1]
        self._insert(block, len(block.items), (code,), (NEVER if born is None else born,))

    def insert_before(self, anchor: int, code: int, born: int | None) -> None:
        """Put an item right before ``anchor``, which is there."""
        block = self._home_of(anchor)
        self._insert(block, block.place_of(anchor), (code,), (NEVER if born is None else born,))

    def insert_thoughts(self, anchor: int, indices: range, births: Sequence[int]) -> None:
        """Put thoughts that came one after another right before ``anchor``, which is there."""
        done = 0
        while done < len(indices):
            block = self._home_of(anchor)
            part = indices[done : done + max(1, MOST_IN_BLOCK + 1 - len(block.items))]
            codes = [item(THOUGHT, index) for index in part]
            self._insert(block, block.place_of(anchor), codes, array("q", births[done : done + len(part)]))
            done += len(part)

    def _insert(self, block: Block, place: int, codes: Sequence[int], born: Sequence[int]) -> None:
        block.items[place:place] = array("q", codes)
        block.born[place:place] = array("q", born)
        if born[0] != NEVER:
            block.births.extend(born)
            block.group.births.extend(born)
        for code in codes:
            self._settle(code, block)
        block.key = block.group.key = self._sums = None
        if len(block.items) > MOST_IN_BLOCK:
            self._split(block)

    def _split(self, block: Block) -> None:
        group = block.group
        number = group.blocks.index(block)
        # Chains mostly grow at their end: there the full part is left full.
        is_last = group is self._groups[-1] and number == len(group.blocks) - 1
        size = len(block.items)
        middle = size - max(1, size // 16) if is_last else size // 2
        rest = block.cut_off(middle)
        group.blocks.insert(number + 1, rest)
        for code in rest.items:
            self._settle(code, rest)
        self._count_brackets(block)
        self._count_brackets(rest)
        if len(group.blocks) > MOST_BLOCKS:
            self._split_group(group)

    def _split_group(self, group: Group) -> None:
        number = self._groups.index(group)
        blocks, is_last = group.blocks, number == len(self._groups) - 1
        middle = len(blocks) - max(1, len(blocks) // 16) if is_last else len(blocks) // 2
        parts = [Group(), Group()]
        self._groups[number : number + 1] = parts
        for part, own in zip(parts, (blocks[:middle], blocks[middle:]), strict=True):
            part.blocks = own
            for block in own:
                block.group = part
                part.births.extend(block.births)
            part.births = array("q", sorted(part.births))
            self._count_group_brackets(part)

    def _settle(self, code: int, block: Block) -> None:
        kind, ordinal = code & KIND_MASK, code >> KIND_BITS
        if kind > END:
            self._others[code] = block
            return
        if kind == THOUGHT:
            homes, place = self._thoughts, ordinal - self._first
        else:
            homes, place = self._heads if kind == HEAD else self._ends, ordinal - self._first_lane
        if place < len(homes):
            homes[place] = block
            return
        homes += [self._nowhere] * (place - len(homes))
        homes.append(block)

    def _home_of(self, code: int) -> Block:
        kind, ordinal = code & KIND_MASK, code >> KIND_BITS
        if kind == THOUGHT:
            return self._thoughts[ordinal - self._first]
        if kind > END:
            return self._others[code]
        return (self._heads if kind == HEAD else self._ends)[ordinal - self._first_lane]

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
            self._count_brackets(self._home_of(code))
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
        shown, depth = self._select(block, depth, block.place_of(code))
        return None if depth else before + len(shown)

    def hidden_by(self, code: int) -> int | None:
        """Return the outermost folded lane that hides the place of an item, or None."""
        if not self._folded:
            return None
        home = self._home_of(code)
        self._before(home)
        for block, depth_before in self._back_from(home):
            opener, depth = None, depth_before
            for other in block.items[: block.place_of(code)] if block is home else block.items:
                step = self._bracket(other)
                opener = ordinal_of(other) if step and not depth else opener
                depth += step
            if not depth:
                return None
            if opener is not None:
                return opener
        return None

    def _back_from(self, block: Block) -> Iterator[tuple[Block, int]]:
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

    def _count(self, group: Group, depth: int) -> int:
        if group.brackets:
            return self._within(group, depth)[-1]
        return 0 if depth else bisect_left(group.births, self._entries)

    def _within(self, group: Group, depth: int) -> list[int]:
        """Return how many rows there are up to the end of each block of a group."""
        key = (self._entries, depth)
        if group.key != key:
            counts, depths = list[int](), list[int]()
            for block in group.blocks:
                depths.append(depth)
                if block.brackets:
                    counts.append(len(self._shown(block, depth)))
                else:
                    counts.append(0 if depth else bisect_left(block.births, self._entries))
                depth += block.balance
            group.key, group.sums, group.depths = key, list(accumulate(counts)), depths
        return group.sums

    def _before(self, block: Block) -> tuple[int, int]:
        """Return how many rows come before a block, and how many folds it begins in."""
        group, sums = block.group, self._counted()
        number = self._groups.index(group)
        within = self._within(group, self._depths[number])
        place = group.blocks.index(block)
        return (sums[number - 1] if number else 0) + (within[place - 1] if place else 0), group.depths[place]

    def _shown(self, block: Block, depth: int) -> list[int]:
        key = (self._entries, depth)
        if block.key != key:
            block.key, block.shown = key, self._select(block, depth, len(block.items))[0]
        return block.shown

    def _select(self, block: Block, depth: int, stop: int) -> tuple[list[int], int]:
        """Return the items before ``stop`` that are to be seen, and how many folds are open there."""
        entries = self._entries
        pairs = zip(block.items[:stop], block.born, strict=False)
        if not block.brackets:
            return [] if depth else [code for code, born in pairs if born < entries], depth
        shown: list[int] = []
        for code, born in pairs:
            if not depth and born < entries:
                shown.append(code)
            depth += self._bracket(code)
        return shown, depth

    def _bracket(self, code: int) -> int:
        kind = code & KIND_MASK
        if kind not in {HEAD, END} or ordinal_of(code) not in self._folded:
            return 0
        return 1 if kind == HEAD else -1

    def _count_brackets(self, block: Block) -> None:
        steps = [step for step in map(self._bracket, block.items) if step] if self._folded else []
        block.brackets, block.balance = len(steps), sum(steps)
        block.key = None
        self._count_group_brackets(block.group)

    def _count_group_brackets(self, group: Group) -> None:
        group.brackets = sum(block.brackets for block in group.blocks)
        group.balance = sum(block.balance for block in group.blocks)
        group.key = self._sums = None
