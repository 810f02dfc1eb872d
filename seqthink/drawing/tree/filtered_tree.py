"""A session's tree filtered to matching rows."""

from collections.abc import Iterable

from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.chain_rows import ChainRows
from seqthink.drawing.tree.filtered_order import FilteredOrder
from seqthink.drawing.tree.row_items import kind_of, ordinal_of, row_item
from seqthink.drawing.tree.tree import RowKind, Tree, TreeRow

MAX_SYNC_THOUGHTS = 2000
"""How many thoughts are added at a time; ``sync_more`` adds the next ones of a long session."""


class FilteredTree(Tree):
    """A tree filtered to matching rows. Nothing folds, there are no headings, and arrows must be off."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._wanted: set[int] = set()
        self._orders: dict[int, FilteredOrder] = {}
        self.sync(session)

    # Adding entries

    @override
    def sync(self, session: Session, shown: Session | None = None) -> None:
        synced = self._synced_session.thought_count if self._synced is not None else 0
        self._whole, self._shown = session, shown or session
        self._synced = session.at_thought(synced)
        self.sync_more()

    @property
    def is_behind(self) -> bool:
        """Whether some thoughts of the session were not added yet."""
        return self._synced_session.thought_count < self._whole.thought_count

    @property
    def _synced_session(self) -> Session:
        assert self._synced is not None, "set by the constructor"
        return self._synced

    def sync_more(self) -> None:
        """Add the next thoughts; those that match become rows."""
        length = self._synced_session.thought_count + MAX_SYNC_THOUGHTS
        self._synced = self._whole if length >= self._whole.thought_count else self._whole.at_thought(length)
        self._refresh()

    @override
    def _new_rows(self, chain: int) -> ChainRows:
        return ChainRows(self._synced_session, chain, self._new_order)

    def _new_order(self, first: int, first_lane: int) -> FilteredOrder:
        order = FilteredOrder(first, first_lane, self._wanted)
        self._orders[first_lane] = order
        return order

    def add_matches(self, thoughts: Iterable[int], refusals: Iterable[int]) -> None:
        """Make rows of these thoughts (by index) and refused calls (by ordinal); none may be a match already."""
        items = [row_item(row_items.THOUGHT, index) for index in thoughts]
        items += [row_item(row_items.REFUSED, number) for number in refusals]
        self._wanted.update(items)
        by_chain: dict[int, list[int]] = {}
        for item in items:
            chain = self._chain_of(item)
            if chain != NONE:
                by_chain.setdefault(chain, []).append(item)
        for chain, own in by_chain.items():
            self._orders[self._synced_session.chains.lanes_of(chain)[0]].add_items(own)
        self._chain_sums = None
        self.version += 1

    def clear_matches(self) -> None:
        """Remove all matches."""
        self._wanted.clear()
        for order in self._orders.values():
            order.clear()
        self._chain_sums = None
        self.version += 1

    def _chain_of(self, item: int) -> int:
        """Return the chain in whose rows an item is; NONE if it was not added yet."""
        synced, ordinal = self._synced_session, ordinal_of(item)
        if kind_of(item) == row_items.THOUGHT:
            return synced.thoughts.chain_of(ordinal) if ordinal < synced.thought_count else NONE
        if ordinal >= synced.refusal_count or not synced.chain_count:
            return NONE
        # a call refused before the first thought belongs to the first chain
        return synced.thoughts.chain_of(max(0, synced.refusals.get(ordinal).thoughts_before - 1))

    # Rows

    @property
    @override
    def count(self) -> int:
        return super().count if self.session.chain_count else len(self._refusals_without_chain)

    @property
    def _refusals_without_chain(self) -> list[int]:
        """The matching refused calls while there is no thought yet."""
        refusals = (ordinal_of(item) for item in self._wanted if kind_of(item) == row_items.REFUSED)
        return sorted(number for number in refusals if number < self.session.refusal_count)

    @override
    def row(self, number: int) -> TreeRow:
        if not self.session.chain_count:
            return TreeRow(RowKind.REFUSED, NONE, NONE, self._refusals_without_chain[number])
        return super().row(number)

    @override
    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or the last row above it."""
        item = row_item(row_items.THOUGHT, index)
        chain = self._chain_of(item)
        if chain == NONE:
            return max(0, self.count - 1)
        above = self._top_of(chain) + (self.rows_of(chain).order.rows_before(item) or 0)
        return above if item in self._wanted else max(0, above - 1)

    @override
    def row_of(self, row: TreeRow) -> int | None:
        if row.kind not in {RowKind.THOUGHT, RowKind.REFUSED}:
            return None
        item = row_item(row.kind.value, row.ordinal)
        if item not in self._wanted:
            return None
        if not self.session.chain_count:
            return self._refusals_without_chain.index(row.ordinal)
        chain = self._chain_of(item)
        return super().row_of(row._replace(chain=chain)) if chain != NONE else None

    @override
    def _open_chains(self) -> list[int]:
        return list(range(min(self._synced_session.chain_count, self.session.chain_count)))

    @override
    def is_chain_open(self, chain: int) -> bool:
        return chain < self._synced_session.chain_count

    @override
    def _find_expected(self) -> None:
        return None

    @property
    @override
    def has_headings(self) -> bool:
        return False
