"""The rows of the tree: chains one below the other, branches below the thoughts they leave from.

``sync`` adds what arrived, ``show`` switches to any earlier position. The cost of drawing a frame does not depend on
the chain's length.
"""

from collections.abc import Collection, Iterable
from typing import Self

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.chain_rows import ChainRows
from seqthink.drawing.tree.chain_stack import ChainStack
from seqthink.drawing.tree.row_items import row_item
from seqthink.drawing.tree.row_source import RowKind, TreeRow, tree_row


class Tree:
    """The rows of a session, and which chains and branches are folded."""

    def __init__(self) -> None:
        self._synced: Session | None = None
        self._shown: Session | None = None
        self._stack = ChainStack()
        self._opened: set[int] = set()
        self._closed: set[int] = set()
        self._expected_lane = NONE
        self.version = 0
        """Counts the changes of the rows."""

    # Adding entries

    def sync(self, session: Session, shown: Session | None = None) -> None:
        """Add the entries that arrived since the last call, and show ``session``, or ``shown``, which is earlier."""
        self._synced = session
        if session.chain_count:
            # also while an earlier position is shown: to catch up all at once would take too long
            self._stack.build(session, session.chain_count - 1)
        self.show(shown or session)
        self._stack.forget_folded_chains(session, self.is_chain_open)

    def show(self, session: Session) -> None:
        """Show the rows of ``session``: the one last given to ``sync``, or the same at an earlier position."""
        self._shown = session
        self._refresh()

    def _refresh(self) -> None:
        session = self.session
        self._stack.show(self._synced or session, session, self._open_chains(), has_headings=self.has_headings)
        self._place_expected()
        self.version += 1

    def _open_chains(self) -> list[int]:
        """Return the chains that are not folded: the newest one, and those that the user opened."""
        count = self.session.chain_count
        opened = self._opened - self._closed
        if count == 1 or (count and count - 1 not in self._closed):
            opened.add(count - 1)
        return sorted(chain for chain in opened if chain < count)

    def _place_expected(self) -> None:
        """Place the row of expected thoughts before the end of the newest thought's lane, if more are expected."""
        session = self.session
        chain, self._expected_lane = session.chain_count - 1, NONE
        if chain < 0 or not self.is_chain_open(chain):
            return
        if session.chain_state(chain) is State.DONE or session.chains.is_answered(chain):
            return
        newest = session.thoughts.get(session.current_thought)
        if newest.estimate <= newest.highest_number and not newest.needs_more:
            return
        before = self._stack.rows_of(chain).order.rows_before(row_item(row_items.LANE_END, newest.lane))
        if before is not None:
            self._expected_lane = newest.lane
            self._stack.add_extra_row(chain, before)

    # Rows

    @property
    def has_session(self) -> bool:
        """Whether there is a session to show."""
        return self._shown is not None

    @property
    def session(self) -> Session:
        """The session shown."""
        assert self._shown is not None, "sync or show was called before"
        return self._shown

    @property
    def is_by_arrival(self) -> bool:
        """Whether the rows are in order of arrival: no, branches are below the thoughts they leave from."""
        return False

    @property
    def has_headings(self) -> bool:
        """Whether chains have headings: only if there are several."""
        return self.session.chain_count > 1

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._stack.count if self.session.chain_count else self.session.asides.count

    @property
    def expected_row(self) -> int | None:
        """The number of the row of expected thoughts ("7–8 expected"), or None."""
        return self._stack.extra_row

    @property
    def expected_lane(self) -> int:
        """The lane on which more thoughts are expected, or NONE."""
        return self._expected_lane

    def row(self, number: int) -> TreeRow:
        """Return row ``number``, from 0."""
        session = self.session
        if not session.chain_count:
            return TreeRow(RowKind.ASIDE, NONE, NONE, number)
        if number == self.expected_row:
            return TreeRow(RowKind.EXPECTED, session.chain_count - 1, self._expected_lane, self._expected_lane)
        chain, item = self._stack.locate(number)
        return TreeRow(RowKind.CHAIN, chain, NONE, chain) if item is None else tree_row(session, chain, item)

    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or of the folded chain or branch that contains it."""
        chain = self.session.chains.drawn_in(index)
        if not self.is_chain_open(chain):
            return self._stack.top_of(chain)
        item = row_item(row_items.THOUGHT, index)
        hidden_by = self._stack.rows_of(chain).order.hidden_by(item)
        found = self._stack.row_of(chain, item if hidden_by is None else self._head(hidden_by))
        return self._stack.number_of(chain, 0) if found is None else found

    def row_of(self, row: TreeRow) -> int | None:
        """Return the current number of a row that was shown before, or None."""
        session = self.session
        if row.kind is RowKind.CHAIN:
            return self._stack.top_of(row.chain) if row.chain < session.chain_count else None
        if row.kind is RowKind.EXPECTED:
            return self.expected_row
        if not session.chain_count:
            return row.ordinal if row.kind is RowKind.ASIDE and row.ordinal < session.asides.count else None
        # asides before the first thought have chain NONE at first, and belong to chain 0 later
        chain = max(row.chain, 0)
        if chain >= session.chain_count or not self.is_chain_open(chain):
            return None
        item = self._head(row.lane) if row.kind is RowKind.BRANCH else row_item(row.kind.value, row.ordinal)
        return self._stack.row_of(chain, item)

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of an open chain."""
        return self._stack.rows_of(chain)

    def _head(self, lane: int) -> int:
        """Return the item of a branch's first row."""
        return row_item(row_items.BRANCH_HEAD, self.session.lanes.get(lane).thoughts[0])

    # Folding

    @property
    def foldable(self) -> Self:
        """The tree itself: its chains and branches fold."""
        return self

    def is_chain_open(self, chain: int) -> bool:
        """Return whether the chain's rows are shown; the only chain of a session cannot be folded."""
        count = self.session.chain_count
        return count == 1 or (chain not in self._closed and (chain in self._opened or chain == count - 1))

    def open_chain(self, chain: int, *, opened: bool) -> None:
        """Open or fold a chain."""
        (self._opened.add if opened else self._opened.discard)(chain)
        (self._closed.discard if opened else self._closed.add)(chain)
        self._refresh()

    def open_all(self) -> None:
        """Open every chain."""
        self._opened.update(range(self.session.chain_count))
        self._closed.clear()
        self._refresh()

    def show_chains(self, count: int, closed: Collection[int]) -> None:
        """Open the first ``count`` chains, whether they are shown yet or not, but for those in ``closed``."""
        self._opened.update(range(count))
        self._opened.difference_update(closed)
        self._closed = set(closed)
        self._refresh()

    def is_folded(self, lane: int) -> bool:
        """Return whether the branch is folded to its head."""
        chain = self.session.lanes.get(lane).chain
        return self._stack.is_built(chain) and lane in self._stack.rows_of(chain).order.folded

    def fold(self, lane: int, *, folded: bool) -> None:
        """Fold or unfold a branch; a trunk cannot be folded."""
        shown = self.session.lanes.get(lane)
        if shown.is_trunk:
            return
        rows = self._stack.build(self._synced or self.session, shown.chain)
        rows.order.fold(lane, shown.thoughts[0], folded=folded)
        self._refresh()

    def fold_lanes(self, lanes: Iterable[int]) -> None:
        """Fold branches, all at once; a trunk cannot be folded. Each must have opened in the session last synced."""
        whole = self._synced or self.session
        by_chain: dict[int, dict[int, int]] = {}
        for ordinal in lanes:
            lane = whole.lanes.get(ordinal)
            if not lane.is_trunk:
                by_chain.setdefault(lane.chain, {})[ordinal] = lane.thoughts[0]
        for chain, heads in by_chain.items():
            self._stack.build(whole, chain).order.fold_all(heads)
        if by_chain:
            self._refresh()

    def fold_all(self) -> None:
        """Fold all branches of the open chains, and all chains; the only chain of a session stays open."""
        whole = self._synced or self.session
        for chain in self._open_chains():
            branches = whole.chains.lanes_of(chain)[1:]
            if branches:
                heads = {lane: whole.lanes.get(lane).thoughts[0] for lane in branches}
                self._stack.build(whole, chain).order.fold_all(heads)
        self._opened.clear()
        self._closed = set(range(self.session.chain_count))
        self._refresh()

    def unfold_all(self) -> None:
        """Unfold all branches, and open every chain."""
        self._stack.unfold_all()
        self.open_all()
