"""The rows of one chain in tree order: a chunked list of items, with the chunks in groups.

Insertions happen anywhere (a branch grows in the middle), and a chain may have a million rows. So an insertion touches
one chunk, and looking up a row sums over groups and over the chunks of one group, not over rows. Items carry their age,
so the rows at an earlier position are the same chunks, counted with a limit. A folded branch is a pair of brackets (the
head and the end of its lane); items between them are not counted.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, chain

from seqthink.chain.columns.compact_lists import fill_with_none
from seqthink.drawing.tree.insertions import AT_END
from seqthink.drawing.tree.row_items import (
    ASIDE,
    BRANCH_HEAD,
    KIND_BITS,
    KIND_MASK,
    LANE_END,
    THOUGHT,
    ArrivalCounts,
    Chunk,
    ChunkGroup,
    CreationIndex,
    row_item,
    thoughts_of_run,
)

MAX_CHUNK_ITEMS = 1024
"""Items of a chunk, above which it is split."""
MAX_GROUP_CHUNKS = 64
"""Chunks of a group, above which it is split."""
_MIN_SPARE_ENTRIES, _MAX_SPARE_ENTRIES = 16, 512
"""By how many entries the table of chunk numbers grows beyond what is needed: little in thousands of short chains."""


class RowOrder:
    """Items in tree order.

    ``first`` is the chain's first thought, ``first_lane`` its trunk. Items must be inserted in the order in which they
    were created. If ``wanted`` is given, only the items in that set are rows, and nothing folds.
    """

    def __init__(self, first: int = 0, first_lane: int = 0, wanted: Set[int] | None = None) -> None:
        self._wanted = wanted
        group = ChunkGroup()
        self._chunks = [Chunk(group, 0, array("i"))]
        group.chunks.append(self._chunks[0])
        self._groups = [group]
        # Per kind: the chunk number of each item, and the ordinal of the first entry.
        self._chunk_numbers: tuple[array[int] | dict[int, int], ...] = (array("i"), array("i"), {}, {}, array("i"))
        self._first_ordinals = (first, first, 0, 0, first_lane)
        self._arrived = ArrivalCounts(0, 0)
        self._folded: dict[int, int] = {}
        self._folded_heads: dict[int, int] = {}
        self._first_unfolded = first_lane + 1
        self._group_sums: list[int] | None = None
        self._group_depths: list[int] = []

    # Growing

    def insert(self, pieces: Iterable[tuple[int, Sequence[int]]]) -> None:
        """Insert items right before their anchors; an anchor is an item of this order, or AT_END.

        All of them must be newer than every item here.
        """
        added: dict[Chunk, list[Sequence[int]]] = {}
        for anchor, items in pieces:
            chunk = self._groups[-1].chunks[-1] if anchor == AT_END else self._chunk_of(anchor)
            index = len(chunk.items) if anchor == AT_END else chunk.position_of(anchor)
            chunk.items[index:index] = array("i", items)
            added.setdefault(chunk, []).append(items)
        by_group: dict[ChunkGroup, list[Sequence[int]]] = {}
        for chunk, parts in added.items():
            by_group.setdefault(chunk.group, []).extend(parts)
            self._register(chunk, _joined(parts))
        for group, parts in by_group.items():
            self._record_creation(group.created, _joined(parts))
            if len(group.chunks) > MAX_GROUP_CHUNKS:
                self._split_group(group)
        self._group_sums = None

    def _register(self, chunk: Chunk, added: Sequence[int]) -> None:
        """Register ``added`` items, which the chunk already holds; split the chunk if it is too big."""
        chunk.cache_key = chunk.group.cache_key = None
        if len(chunk.items) > MAX_CHUNK_ITEMS:
            self._split(chunk)
        else:
            self._record_items(chunk, added)

    def _split(self, chunk: Chunk) -> None:
        group, items = chunk.group, chunk.items
        index = group.chunks.index(chunk)
        step = _split_size(MAX_CHUNK_ITEMS, is_last=chunk is self._groups[-1].chunks[-1])
        parts = [Chunk(group, len(self._chunks) + more, items[start : start + step])
                 for more, start in enumerate(range(step, len(items), step))]  # fmt: skip
        chunk.items, chunk.created = items[:step], CreationIndex()
        self._chunks += parts
        group.chunks[index + 1 : index + 1] = parts
        for part in (chunk, *parts):
            self._record_items(part, part.items)
            if self._folded:
                self._count_brackets(part)

    def _split_group(self, group: ChunkGroup) -> None:
        number, chunks = self._groups.index(group), group.chunks
        step = _split_size(MAX_GROUP_CHUNKS, is_last=group is self._groups[-1])
        parts: list[ChunkGroup] = []
        for start in range(0, len(chunks), step):
            part = ChunkGroup()
            part.chunks = chunks[start : start + step]
            for chunk in part.chunks:
                chunk.group = part
            part.created.merge(chunk.created for chunk in part.chunks)
            self._count_group_brackets(part)
            parts.append(part)
        self._groups[number : number + 1] = parts

    def _record_items(self, chunk: Chunk, items: Sequence[int]) -> None:
        """Record in which chunk the items are, and when they were created."""
        # the end of a lane is behind the thoughts with which it grows
        body, end = (items, items[:0]) if len(items) < 2 or not items[-1] & KIND_MASK else (items[:-1], items[-1:])
        run = thoughts_of_run(body)
        if run is None:
            self._record_places(chunk.number, items)
            self._record_creation(chunk.created, items)
            return
        self._record_run(chunk.number, run)
        self._record_places(chunk.number, end)
        if self._wanted is None and (not len(end) or end[0] & KIND_MASK == LANE_END):
            chunk.created.thoughts.extend(run)  # what `_record_creation` would find out once more
        else:
            self._record_creation(chunk.created, items)

    def _record_run(self, number: int, run: Sequence[int]) -> None:
        """Record in which chunk consecutive thoughts are."""
        column, first = self._chunk_numbers[THOUGHT], self._first_ordinals[THOUGHT]
        assert isinstance(column, array), "there are too many thoughts for a dictionary"
        start, stop = run[0] - first, run[-1] + 1 - first
        if len(column) < stop:
            fill_with_none(column, stop + _spare(stop))
        column[start:stop] = array("i", (number,)) * len(run)

    def _record_places(self, number: int, items: Sequence[int]) -> None:
        """Record in which chunk the items are."""
        chunk_numbers, first_ordinals = self._chunk_numbers, self._first_ordinals
        for item in items:
            kind = item & KIND_MASK
            index = (item >> KIND_BITS) - first_ordinals[kind]
            try:
                chunk_numbers[kind][index] = number
            except IndexError:
                column = chunk_numbers[kind]
                assert isinstance(column, array), "a dictionary never raises IndexError"
                fill_with_none(column, index + _spare(index))
                column[index] = number

    def _record_creation(self, created: CreationIndex, items: Sequence[int]) -> None:
        if self._wanted is not None:
            items = [item for item in items if item in self._wanted]
        created.add_newest(items, has_asides=bool(self._chunk_numbers[ASIDE]))

    def _chunk_of(self, item: int) -> Chunk:
        kind = item & KIND_MASK
        return self._chunks[self._chunk_numbers[kind][(item >> KIND_BITS) - self._first_ordinals[kind]]]

    # Wanted items

    def add_rows(self, items: Iterable[int]) -> None:
        """Make rows of items that are in the order and were not wanted before."""
        by_chunk: dict[Chunk, list[int]] = {}
        by_group: dict[ChunkGroup, list[int]] = {}
        for item in items:
            by_chunk.setdefault(self._chunk_of(item), []).append(item)
        for chunk, own in by_chunk.items():
            chunk.created.add_any(own)
            by_group.setdefault(chunk.group, []).extend(own)
            chunk.cache_key = None
        for group, own in by_group.items():
            group.created.add_any(own)
            group.cache_key = None
        self._group_sums = None

    def clear_rows(self) -> None:
        """Make no item a row, after the set of wanted ones was emptied."""
        for group in self._groups:
            group.created, group.cache_key = CreationIndex(), None
            for chunk in group.chunks:
                chunk.created, chunk.cache_key = CreationIndex(), None
        self._group_sums = None

    # Rows

    def show_at(self, thoughts: int, asides: int) -> None:
        """Show the rows as they were after ``thoughts`` thoughts and ``asides`` asides."""
        arrived = ArrivalCounts(thoughts, asides)
        if arrived != self._arrived:
            self._arrived = arrived
            self._group_sums = None

    def fold(self, lane: int, head: int, *, folded: bool) -> None:
        """Hide or show the rows of ``lane`` below its head.

        Args:
            lane: the lane's ordinal.
            head: its first thought.
            folded: True to hide, False to show.
        """
        if folded:
            self._folded[lane], self._folded_heads[head] = head, lane
        elif lane in self._folded:
            del self._folded[lane], self._folded_heads[head]
            self._first_unfolded = min(self._first_unfolded, lane)
        for item in (row_item(BRANCH_HEAD, head), row_item(LANE_END, lane)):
            self._count_brackets(self._chunk_of(item))
        self._group_sums = None

    def fold_all(self, heads: Mapping[int, int]) -> None:
        """Hide the rows of lanes below their heads; ``heads`` has the first thought of each lane by its ordinal."""
        self._folded.update(heads)
        self._folded_heads.update((head, lane) for lane, head in heads.items())
        found = {self._chunk_of(row_item(LANE_END, lane)) for lane in heads}
        found |= {self._chunk_of(row_item(BRANCH_HEAD, head)) for head in heads.values()}
        self._count_all_brackets(found)

    def unfold_all(self) -> None:
        """Show the rows of every lane."""
        self._folded.clear()
        self._folded_heads.clear()
        self._first_unfolded = self._first_ordinals[LANE_END] + 1
        self._count_all_brackets(chunk for chunk in self._chunks if chunk.bracket_count)

    @property
    def folded(self) -> Set[int]:
        """The folded lanes."""
        return self._folded.keys()

    @property
    def folded_heads(self) -> Mapping[int, int]:
        """By folded lane: the thought at its head."""
        return self._folded

    def unfolded(self, lanes: range) -> Iterator[int]:
        """Yield those of the chain's branches that are not folded; ``lanes`` are all lanes, trunk first."""
        # a chain of a million branches is folded in slices, and none shall pass all that are folded already
        while self._first_unfolded in self._folded:
            self._first_unfolded += 1
        return (lane for lane in range(self._first_unfolded, lanes.stop) if lane not in self._folded)

    @property
    def count(self) -> int:
        """The number of visible rows."""
        return self._group_row_sums()[-1]

    def item_at(self, row: int) -> int:
        """Return the item of a row, counted from 0."""
        row_sums = self._group_row_sums()
        number = bisect_right(row_sums, row)
        row -= row_sums[number - 1] if number else 0
        group, depth = self._groups[number], self._group_depths[number]
        within = self._chunk_row_sums(group, depth)
        index = bisect_right(within, row)
        row -= within[index - 1] if index else 0
        return self._visible(group.chunks[index], group.depths[index])[row]

    def row_of(self, item: int) -> int | None:
        """Return the row of an item, or None if it is hidden."""
        chunk = self._chunk_of(item)
        before, depth = self._rows_before_chunk(chunk)
        try:
            return before + self._visible(chunk, depth).index(item)
        except ValueError:
            return None

    def rows_before(self, item: int) -> int | None:
        """Return how many visible rows come before an item, or None if it lies within a fold."""
        chunk = self._chunk_of(item)
        before, depth = self._rows_before_chunk(chunk)
        visible, depth = self._select_visible(chunk, depth, chunk.position_of(item))
        return None if depth else before + len(visible)

    def hidden_by(self, item: int) -> int | None:
        """Return the outermost folded lane that hides an item, or None."""
        if not self._folded:
            return None
        home = self._chunk_of(item)
        self._rows_before_chunk(home)
        for chunk, depth_before in self._chunks_back_from(home):
            opener, depth = None, depth_before
            for other in chunk.items[: chunk.position_of(item)] if chunk is home else chunk.items:
                step = self._bracket_step(other)
                opener = self._folded_heads[other >> KIND_BITS] if step > 0 and not depth else opener
                depth += step
            if not depth:
                return None
            if opener is not None:
                return opener
        return None

    def _chunks_back_from(self, chunk: Chunk) -> Iterator[tuple[Chunk, int]]:
        """Yield ``chunk`` and the earlier chunks in which a fold may begin, each with the fold depth at its start."""
        group = chunk.group
        number = self._groups.index(group)
        index = group.chunks.index(chunk)
        yield chunk, group.depths[index]
        while number >= 0:
            group = self._groups[number]
            self._chunk_row_sums(group, self._group_depths[number])
            before = group.chunks[:index] if index is not None else group.chunks
            for other in reversed(range(len(before))):
                if before[other].bracket_count:
                    yield before[other], group.depths[other]
            number, index = number - 1, None

    # Counting

    def _group_row_sums(self) -> list[int]:
        """Return the cumulated row counts at the end of each group."""
        if self._group_sums is None:
            depth, counts, depths = 0, list[int](), list[int]()
            for group in self._groups:
                depths.append(depth)
                counts.append(self._group_rows(group, depth))
                depth += group.bracket_balance
            self._group_sums, self._group_depths = list(accumulate(counts)), depths
        return self._group_sums

    def _group_rows(self, group: ChunkGroup, depth: int) -> int:
        if group.bracket_count:
            return self._chunk_row_sums(group, depth)[-1]
        return 0 if depth else group.created.count_at(self._arrived)

    def _chunk_row_sums(self, group: ChunkGroup, depth: int) -> list[int]:
        """Return the cumulated row counts at the end of each chunk of a group."""
        cache_key = (self._arrived, depth)
        if group.cache_key != cache_key:
            counts, depths = list[int](), list[int]()
            for chunk in group.chunks:
                depths.append(depth)
                if chunk.bracket_count:
                    counts.append(len(self._visible(chunk, depth)))
                else:
                    counts.append(0 if depth else chunk.created.count_at(self._arrived))
                depth += chunk.bracket_balance
            group.cache_key, group.row_sums, group.depths = cache_key, list(accumulate(counts)), depths
        return group.row_sums

    def _rows_before_chunk(self, chunk: Chunk) -> tuple[int, int]:
        """Return the number of rows before a chunk, and the fold depth at its start."""
        group, row_sums = chunk.group, self._group_row_sums()
        number = self._groups.index(group)
        within = self._chunk_row_sums(group, self._group_depths[number])
        index = group.chunks.index(chunk)
        return (row_sums[number - 1] if number else 0) + (within[index - 1] if index else 0), group.depths[index]

    def _visible(self, chunk: Chunk, depth: int) -> Sequence[int]:
        cache_key = (self._arrived, depth)
        if chunk.cache_key != cache_key:
            chunk.cache_key, chunk.cached = cache_key, self._select_visible(chunk, depth, len(chunk.items))[0]
        return chunk.cached

    def _select_visible(self, chunk: Chunk, depth: int, stop: int) -> tuple[Sequence[int], int]:
        """Return the visible items before position ``stop``, and the fold depth there."""
        limits, wanted = self._arrived.ordinal_limits, self._wanted
        if wanted is not None:
            items = chunk.items[:stop]
            return [item for item in items if item in wanted and item >> KIND_BITS < limits[item & KIND_MASK]], depth
        if not chunk.bracket_count:
            return [] if depth else chunk.visible(self._arrived, stop), depth
        visible: list[int] = []
        for item in chunk.items[:stop]:
            if not depth and item >> KIND_BITS < limits[item & KIND_MASK]:
                visible.append(item)
            depth += self._bracket_step(item)
        return visible, depth

    def _bracket_step(self, item: int) -> int:
        kind, ordinal = item & KIND_MASK, item >> KIND_BITS
        if kind == BRANCH_HEAD:
            return ordinal in self._folded_heads
        return -(kind == LANE_END and ordinal in self._folded)

    def _count_all_brackets(self, chunks: Iterable[Chunk]) -> None:
        groups: set[ChunkGroup] = set()
        for chunk in chunks:
            self._count_chunk_brackets(chunk)
            groups.add(chunk.group)
        for group in groups:
            self._count_group_brackets(group)

    def _count_brackets(self, chunk: Chunk) -> None:
        self._count_chunk_brackets(chunk)
        self._count_group_brackets(chunk.group)

    def _count_chunk_brackets(self, chunk: Chunk) -> None:
        steps = [step for step in map(self._bracket_step, chunk.items) if step] if self._folded else []
        chunk.bracket_count, chunk.bracket_balance = len(steps), sum(steps)
        chunk.cache_key = None

    def _count_group_brackets(self, group: ChunkGroup) -> None:
        group.bracket_count = sum(chunk.bracket_count for chunk in group.chunks)
        group.bracket_balance = sum(chunk.bracket_balance for chunk in group.chunks)
        group.cache_key = self._group_sums = None


def _joined(parts: Sequence[Sequence[int]]) -> Sequence[int]:
    """Return the items of all parts."""
    return parts[0] if len(parts) == 1 else list(chain.from_iterable(parts))


def _split_size(limit: int, *, is_last: bool) -> int:
    """Return the size of the parts of a split: full at the end of the order, where chains mostly grow; else half."""
    return limit if is_last else limit // 2


def _spare(needed: int) -> int:
    """Return by how many entries a table of chunk numbers that needs so many grows beyond that."""
    return min(_MAX_SPARE_ENTRIES, max(_MIN_SPARE_ENTRIES, needed))
