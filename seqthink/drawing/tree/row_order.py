"""The rows of one chain in tree order.

Each item knows the one before it, so that an item is inserted anywhere in constant time: a branch grows in the middle.
The rows are laid out from that in one pass when they are asked for, from the first one that may have changed. Items
carry their age, so the rows at an earlier position are the same items without the newer ones. A folded branch is a pair
of brackets (the head and the end of its lane); the items between them are not rows.
"""

from collections.abc import Iterable, Mapping, Set
from typing import Final

from seqthink.chain.model import NONE
from seqthink.drawing.tree.row_items import BRANCH_HEAD, KIND_BITS, KIND_MASK, LANE_END

AT_END = NONE
"""Anchor for insertions after all items."""
_ALL: Final = 1 << 62
"""More rows than there are."""


class RowOrder:
    """Items in tree order.

    If ``wanted`` is given, only the items in that set are rows, and nothing folds.
    """

    def __init__(self, wanted: Set[int] | None = None) -> None:
        self._wanted = wanted
        self._item_before = {AT_END: AT_END}
        self._arrived = (0, 0)
        self._folded: dict[int, int] = {}
        # The items of the visible rows, how many of them are as they should be, and how many come before each item.
        self._rows: list[int] = []
        self._valid_count = 0
        self._rows_before = {AT_END: 0}
        # How many come before the first item that had not arrived; by item within a fold, the outermost lane around it.
        self._first_left_out = _ALL
        self._hidden: dict[int, int] = {}

    # Growing

    def insert(self, anchor: int, items: Iterable[int]) -> None:
        """Insert items right before ``anchor``, an item of this order or AT_END."""
        item_before, before, place = self._item_before, self._item_before[anchor], self._rows_before[anchor]
        for item in items:
            item_before[item] = before
            self._rows_before[item] = place  # until it is laid out
            before = item
        item_before[anchor] = before
        self._valid_count = min(self._valid_count, place)

    # Rows

    def lay_out_again(self) -> None:
        """Lay out all rows when they are asked for next: other items are wanted or folded."""
        self._valid_count = 0

    def show_at(self, thoughts: int, asides: int) -> None:
        """Show the rows as they were after ``thoughts`` thoughts and ``asides`` asides."""
        has_grown = thoughts >= self._arrived[0] and asides >= self._arrived[1]
        if (thoughts, asides) != self._arrived:
            self._arrived = (thoughts, asides)
            self._valid_count = min(self._valid_count, self._first_left_out) if has_grown else 0

    def fold(self, lane: int, head: int, *, folded: bool) -> None:
        """Hide or show the rows of ``lane`` below its head.

        Args:
            lane: the lane's ordinal.
            head: its first thought.
            folded: True to hide, False to show.
        """
        if folded:
            self._folded[lane] = head
        else:
            self._folded.pop(lane, None)
        self.lay_out_again()

    def fold_all(self, heads: Mapping[int, int]) -> None:
        """Hide the rows of lanes below their heads; ``heads`` has the first thought of each lane by its ordinal."""
        self._folded.update(heads)
        self.lay_out_again()

    def unfold_all(self) -> None:
        """Show the rows of every lane."""
        self._folded.clear()
        self.lay_out_again()

    @property
    def folded(self) -> Mapping[int, int]:
        """By folded lane: the thought at its head."""
        return self._folded

    @property
    def count(self) -> int:
        """The number of visible rows."""
        self._lay_out()
        return len(self._rows)

    def item_at(self, row: int) -> int:
        """Return the item of a row, counted from 0."""
        self._lay_out()
        return self._rows[row]

    def row_of(self, item: int) -> int | None:
        """Return the row of an item, or None if it is hidden."""
        self._lay_out()
        row = self._rows_before[item]
        return row if row < len(self._rows) and self._rows[row] == item else None

    def rows_before(self, item: int) -> int | None:
        """Return how many visible rows come before an item, or None if it lies within a fold."""
        self._lay_out()
        return None if item in self._hidden else self._rows_before[item]

    def hidden_by(self, item: int) -> int | None:
        """Return the outermost folded lane that hides an item, or None."""
        self._lay_out()
        return self._hidden.get(item)

    # Laying out

    def _lay_out(self) -> None:
        """Bring the rows up to date, from the first one that may have changed."""
        if self._valid_count == _ALL:
            return
        start = 0 if self._folded or self._wanted is not None else self._valid_count
        self._hidden.clear()
        del self._rows[start:]
        self._first_left_out = self._first_left_out if self._first_left_out < start else _ALL
        items = self._items_from(start)
        if self._folded:
            items = self._unhidden(items)
        (thoughts, asides), wanted, rows, rows_before = self._arrived, self._wanted, self._rows, self._rows_before
        limits = (thoughts, thoughts, thoughts, asides, 0)
        for item in items:
            rows_before[item] = len(rows)
            if item >> KIND_BITS < limits[item & KIND_MASK]:
                if wanted is None or item in wanted:
                    rows.append(item)
            elif item & KIND_MASK != LANE_END:
                self._first_left_out = min(self._first_left_out, len(rows))
        rows_before[AT_END] = len(rows)
        self._valid_count = _ALL

    def _items_from(self, start: int) -> list[int]:
        """Return the items in their order that have at least ``start`` rows before them."""
        item_before, rows_before, items = self._item_before, self._rows_before, list[int]()
        item = item_before[AT_END]
        while item != AT_END and rows_before[item] >= start:
            items.append(item)
            item = item_before[item]
        items.reverse()
        return items

    def _unhidden(self, items: Iterable[int]) -> list[int]:
        """Return those of all items that are not within a fold; note what hides the others."""
        unhidden, lane_of_head = list[int](), {head: lane for lane, head in self._folded.items()}
        outermost, depth = NONE, 0
        for item in items:
            kind, ordinal = item & KIND_MASK, item >> KIND_BITS
            if depth:
                self._hidden[item] = outermost
                depth -= kind == LANE_END and ordinal in self._folded
            else:
                unhidden.append(item)
            if kind == BRANCH_HEAD and ordinal in lane_of_head:
                outermost = outermost if depth else lane_of_head[ordinal]
                depth += 1
        return unhidden
