"""A row order restricted to a set of items."""

from collections.abc import Iterable, Sequence

from typing_extensions import override

from seqthink.drawing.tree.row_items import KIND_BITS, KIND_MASK, Chunk, ChunkGroup, CreationIndex
from seqthink.drawing.tree.row_order import RowOrder


class FilteredOrder(RowOrder):
    """Items in tree order, of which only those in ``wanted`` are rows. Nothing folds."""

    def __init__(self, first: int, first_lane: int, wanted: set[int]) -> None:
        super().__init__(first, first_lane)
        self._wanted = wanted

    def add_items(self, items: Iterable[int]) -> None:
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

    def clear(self) -> None:
        """Make no item a row."""
        for group in self._groups:
            group.created, group.cache_key = CreationIndex(), None
            for chunk in group.chunks:
                chunk.created, chunk.cache_key = CreationIndex(), None
        self._group_sums = None

    @override
    def _record_creation(self, created: CreationIndex, items: Iterable[int]) -> None:
        super()._record_creation(created, [item for item in items if item in self._wanted])

    @override
    def _select_visible(self, chunk: Chunk, depth: int, stop: int) -> tuple[Sequence[int], int]:
        limits, wanted = self._arrived.ordinal_limits, self._wanted
        items = chunk.items[:stop]
        return [item for item in items if item in wanted and item >> KIND_BITS < limits[item & KIND_MASK]], depth
