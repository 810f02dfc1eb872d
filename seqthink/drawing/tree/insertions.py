"""Collects items to insert into a row order, so that neighbours are inserted in one piece."""

from collections.abc import Iterator

from seqthink.chain.model import NONE

AT_END = NONE
"""Anchor for insertions after all items."""


class InsertionBatch:
    """Items to insert before anchors; an anchor is already in the order, or itself in this batch."""

    def __init__(self) -> None:
        self._before: dict[int, list[int]] = {}

    def before(self, anchor: int) -> list[int]:
        """Return the list of items to insert right before ``anchor``; append to it."""
        found = self._before.get(anchor)
        if found is None:
            found = self._before[anchor] = []
        return found

    def drain(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each anchor that is already in the order with all items to insert before it; empties the batch."""
        # An item joins a list before it becomes an anchor, so an anchor not consumed so far is in the row order.
        for anchor in list(self._before):
            items = self._before.pop(anchor, None)
            if items is not None:
                yield anchor, self._flat(items)

    def _flat(self, items: list[int]) -> list[int]:
        """Return ``items`` with everything that goes before each of them."""
        flat: list[int] = []
        pending = items[::-1]
        while pending and self._before:
            item = pending.pop()
            before = self._before.pop(item, None)
            if before is None:
                flat.append(item)
            else:
                pending.append(item)
                pending += before[::-1]
        return flat + pending[::-1]
