"""What is to be inserted into an order, gathered item by item, so that a lane's news goes in as one piece."""

from collections.abc import Iterator

from seqthink.chain.model import NONE

AT_END = NONE
"""Stands for what follows all items."""


class InsertionBatch:
    """Lists of items to be inserted before others, which are in place or in one of these lists."""

    def __init__(self) -> None:
        self._before: dict[int, list[int]] = {}

    def before(self, anchor: int) -> list[int]:
        """Return what is to be inserted right before ``anchor`` so far; what is appended to it follows."""
        found = self._before.get(anchor)
        if found is None:
            found = self._before[anchor] = []
        return found

    def drain(self) -> Iterator[tuple[int, list[int]]]:
        """Yield the items that are in place, each with all that comes right before it; they are gathered no longer."""
        # An item was put into a list before anything was put before it: in this order, what is still there is in place.
        for anchor in list(self._before):
            codes = self._before.pop(anchor, None)
            if codes is not None:
                yield anchor, self._flat(codes)

    def _flat(self, codes: list[int]) -> list[int]:
        """Return items with all that comes before each of them."""
        flat: list[int] = []
        waiting = codes[::-1]
        while waiting and self._before:
            code = waiting.pop()
            before = self._before.pop(code, None)
            if before is None:
                flat.append(code)
            else:
                waiting.append(code)
                waiting += before[::-1]
        return flat + waiting[::-1]
