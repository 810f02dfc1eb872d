"""The rows of a session's chains, one chain below the other, at the shown position."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence, Set
from itertools import accumulate

from seqthink.chain.session import Session
from seqthink.drawing.tree.chain_rows import ChainRows


class ChainStack:
    """The rows of opened chains, and a heading above each chain if there are headings.

    ``wanted`` holds the only items that become rows; it may grow. None for all.
    """

    def __init__(self, wanted: Set[int] | None = None) -> None:
        self._wanted = wanted
        self._chains: dict[int, ChainRows] = {}
        self._whole_chains: set[int] = set()  # shown with all they will ever have
        self._heading_count = 0
        self._newest_shown = 0
        self._opened: Sequence[int] = ()
        self._extra: tuple[int, int] | None = None
        self._sums: list[int] | None = None

    # Growing

    def build(self, session: Session, chain: int) -> ChainRows:
        """Return the rows of a chain with all that ``session`` has of it."""
        rows = self._chains.get(chain)
        if rows is None:
            has_foot = chain >= self._newest_shown
            rows = self._chains[chain] = ChainRows(session, chain, self._wanted, has_foot=has_foot)
        rows.sync(session)
        return rows

    def show(self, whole: Session, shown: Session, opened: Sequence[int], *, has_headings: bool) -> None:
        """Show the rows of ``shown``, which is ``whole`` or earlier.

        Args:
            whole: what the rows are built from.
            shown: the session shown.
            opened: the chains whose rows are shown, ascending.
            has_headings: whether every chain has a heading.
        """
        newest = self._newest_shown = shown.chain_count - 1  # it may grow
        is_whole = self._whole_chains.__contains__  # thousands of chains may be open
        for chain in [chain for chain in opened if chain >= newest or not is_whole(chain)]:
            if chain >= newest:
                self._whole_chains.discard(chain)
            else:
                self._whole_chains.add(chain)
            self._move_foot(whole, shown, chain)
            self.build(whole, chain).order.show_at(shown.thought_count, shown.asides.count)
        self._heading_count = shown.chain_count if has_headings else 0
        self._opened, self._extra, self._sums = opened, None, None

    def _move_foot(self, whole: Session, shown: Session, chain: int) -> None:
        """Lay out a chain again when what is at its foot heads the next chain now, or no longer does."""
        rows = self._chains.get(chain)
        has_foot = chain >= self._newest_shown
        if rows is None or rows.has_foot == has_foot:
            return
        if not whole.chains.heads_of(chain + 1):
            return
        moved = self._chains[chain] = ChainRows(whole, chain, self._wanted, has_foot=has_foot)
        moved.sync(whole)
        moved.order.fold_all(rows.order.folded)
        if self._wanted is not None and self._chains.pop(chain + 1, None) is not None:
            # what was wanted while it was at this chain's foot
            self.build(whole, chain + 1).order.show_at(shown.thought_count, shown.asides.count)

    def add_extra_row(self, chain: int, within: int) -> None:
        """Add a row without an item, until the next ``show``: below the ``within`` first rows of a chain."""
        self._extra, self._sums = (chain, within), None

    def lay_out_again(self) -> None:
        """Lay out the rows of all chains again: other items are wanted."""
        for rows in self._chains.values():
            rows.order.lay_out_again()
        self._sums = None

    def unfold_all(self) -> None:
        """Unfold all branches of the chains that were built."""
        for rows in self._chains.values():
            if rows.order.folded:
                rows.order.unfold_all()

    def forget_folded_chains(self, session: Session, is_open: Callable[[int], bool]) -> None:
        """Forget the rows of chains that are neither open nor the newest, and in which no branch is folded."""
        # otherwise a session of thousands of chains would keep the rows of all
        for chain in self._chains.keys() - set(self._opened):
            is_old = chain < session.chain_count - 1 and not is_open(chain)
            if is_old and not self._chains[chain].order.folded:
                del self._chains[chain]
                self._whole_chains.discard(chain)

    # Rows

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of a chain that was built before."""
        return self._chains[chain]

    def is_built(self, chain: int) -> bool:
        """Return whether there are rows of the chain."""
        return chain in self._chains

    @property
    def count(self) -> int:
        """The number of rows."""
        sums = self._row_sums()
        return self._heading_count + (sums[-1] if sums else 0)

    def locate(self, number: int) -> tuple[int, int | None]:
        """Return the chain of a row other than the extra one, and its item; None for the heading."""
        opened, sums = self._opened, self._row_sums()
        if len(opened) == 1 and not self._heading_count and number < sums[0]:  # in most sessions
            is_below = self._extra is not None and number > self._extra[1]
            return opened[0], self._chains[opened[0]].order.item_at(number - is_below)
        index = bisect_right(opened, number, key=self.top_of) - 1
        if index < 0:
            return number, None
        chain, rows = opened[index], sums[index] - (sums[index - 1] if index else 0)
        within = number - self.top_of(chain) - bool(self._heading_count)
        if within >= rows:
            return chain + 1 + within - rows, None
        if within < 0:
            return chain, None
        is_below = self._extra is not None and chain == self._extra[0] and within > self._extra[1]
        return chain, self._chains[chain].order.item_at(within - is_below)

    def top_of(self, chain: int) -> int:
        """Return the first row of a chain: its heading if there are headings."""
        sums = self._row_sums()
        index = bisect_right(self._opened, chain - 1)
        return (chain if self._heading_count else 0) + (sums[index - 1] if index else 0)

    def number_of(self, chain: int, within: int) -> int:
        """Return the row number of the row ``within`` an open chain, counted without the extra row."""
        is_below = self._extra is not None and chain == self._extra[0] and within >= self._extra[1]
        return self.top_of(chain) + bool(self._heading_count) + within + is_below

    def row_of(self, chain: int, item: int) -> int | None:
        """Return the row number of an item of an open chain, or None if it is hidden."""
        found = self._chains[chain].order.row_of(item)
        return None if found is None else self.number_of(chain, found)

    @property
    def extra_row(self) -> int | None:
        """The number of the extra row, or None."""
        if self._extra is None:
            return None
        chain, within = self._extra
        return self.top_of(chain) + bool(self._heading_count) + within

    def _row_sums(self) -> list[int]:
        """Return the number of rows up to the end of each opened chain, without headings."""
        if self._sums is None:
            per_chain = [self._chains[chain].order.count for chain in self._opened]
            if self._extra is not None:
                per_chain[bisect_left(self._opened, self._extra[0])] += 1
            self._sums = list(accumulate(per_chain))
        return self._sums
