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
            codes = self._before.pop(anchor, None)
            if codes is not None:
                yield anchor, self._flat(codes)

    def _flat(self, codes: list[int]) -> list[int]:
        """Return ``codes`` with everything that goes before each of them."""
        flat: list[int] = []
        pending = codes[::-1]
        while pending and self._before:
            code = pending.pop()
            before = self._before.pop(code, None)
            if before is None:
                flat.append(code)
            else:
                pending.append(code)
                pending += before[::-1]
        return flat + pending[::-1]
