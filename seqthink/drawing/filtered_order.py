"""An order of which only some items are rows: those that are wanted. Nothing folds in it."""

from collections.abc import Iterable, Sequence

from typing_extensions import override

from seqthink.drawing.row_items import KIND_BITS, KIND_MASK, Chunk, ChunkGroup, CreationIndex
from seqthink.drawing.row_order import RowOrder


class FilteredOrder(RowOrder):
    """Items in tree order; what is in ``wanted`` is a row as soon as it is here."""

    def __init__(self, first: int, first_lane: int, wanted: set[int]) -> None:
        super().__init__(first, first_lane)
        self._wanted = wanted

    def add_items(self, codes: Iterable[int]) -> None:
        """Make rows of items that are here, and were not wanted before."""
        by_block: dict[Chunk, list[int]] = {}
        by_group: dict[ChunkGroup, list[int]] = {}
        for code in codes:
            by_block.setdefault(self._home_of(code), []).append(code)
        for block, own in by_block.items():
            block.births.add_any(own)
            by_group.setdefault(block.group, []).extend(own)
            block.key = None
        for group, own in by_group.items():
            group.births.add_any(own)
            group.key = None
        self._sums = None

    def clear(self) -> None:
        """Let no item be a row: nothing is wanted any more."""
        for group in self._groups:
            group.births, group.key = CreationIndex(), None
            for block in group.blocks:
                block.births, block.key = CreationIndex(), None
        self._sums = None

    @override
    def _note(self, births: CreationIndex, codes: Iterable[int]) -> None:
        super()._note(births, [code for code in codes if code in self._wanted])

    @override
    def _select(self, block: Chunk, depth: int, stop: int) -> tuple[Sequence[int], int]:
        limits, wanted = self._moment.ordinal_limits, self._wanted
        items = block.items[:stop]
        return [code for code in items if code in wanted and code >> KIND_BITS < limits[code & KIND_MASK]], depth
