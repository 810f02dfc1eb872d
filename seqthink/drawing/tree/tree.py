"""The rows of the tree: chains one below the other, branches below the thoughts they leave from.

``sync`` adds what arrived, ``show`` switches to any earlier position. The cost of drawing a frame does not depend on
the chain's length.
"""

from bisect import bisect_right
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.chain_rows import ChainRows
from seqthink.drawing.tree.row_items import row_item

MIN_KEPT_THOUGHTS = 1000
"""The rows of a folded chain are kept from this length on; those of a shorter one are quickly rebuilt."""


class RowKind(Enum):
    """What a row shows."""

    THOUGHT = row_items.THOUGHT
    BRANCH = row_items.BRANCH_HEAD
    """The first row of a branch: its name and progress."""
    EXPECTED = row_items.LANE_END
    """The thoughts that are still expected, by the estimate."""
    GAP = row_items.GAP
    """How many numbers were left out."""
    REFUSED = row_items.REFUSED
    CHAIN = -1
    """A chain's heading, or all of a folded chain."""


class TreeRow(NamedTuple):
    """One row of the tree or timeline."""

    kind: RowKind
    chain: int
    """The chain's ordinal; NONE for a refused call before any thought."""
    lane: int
    """The lane's ordinal; NONE for a chain's heading."""
    ordinal: int
    """What the row shows: a thought's index (THOUGHT, GAP), or the ordinal of a lane (BRANCH, EXPECTED), of a refused
    call, or of a chain."""

    @property
    def thought(self) -> int:
        """The index of the thought that the row shows, or NONE."""
        return self.ordinal if self.kind is RowKind.THOUGHT else NONE


class Tree:
    """The rows of a session, and which chains and branches are folded."""

    def __init__(self) -> None:
        self._synced: Session | None = None
        self._shown: Session | None = None
        self._chains: dict[int, ChainRows] = {}
        self._opened: set[int] = set()
        self._closed: set[int] = set()
        self._chain_sums: tuple[list[int], list[int]] | None = None
        self._expected: tuple[int, int] | None = None
        self.version = 0
        """Counts the changes of the rows."""

    # Adding entries

    def sync(self, session: Session, shown: Session | None = None) -> None:
        """Add the entries that arrived since the last call, and show ``session``, or ``shown``, which is earlier."""
        self._synced = session
        if session.chain_count:
            # also while an earlier position is shown: to catch up all at once would take too long
            self._rows(session.chain_count - 1).sync(session)
        self.show(shown or session)
        self._forget_short_chains(session)

    def show(self, session: Session) -> None:
        """Show the rows of ``session``: the one last given to ``sync``, or the same at an earlier position."""
        self._shown = session
        self._refresh()

    def _refresh(self) -> None:
        session = self.session
        for chain in self._open_chains():
            rows = self._rows(chain)
            rows.sync(self._synced or session)
            rows.order.show_at(session.thought_count, session.refusal_count)
        self.version += 1
        self._chain_sums, self._expected = None, self._find_expected()

    def _rows(self, chain: int) -> ChainRows:
        if chain not in self._chains:
            self._chains[chain] = self._new_rows(chain)
        return self._chains[chain]

    def _new_rows(self, chain: int) -> ChainRows:
        return ChainRows(self._synced or self.session, chain)

    def _forget_short_chains(self, session: Session) -> None:
        # otherwise a session of thousands of short chains would keep the rows of all
        for chain, rows in list(self._chains.items()):
            is_old = chain < session.chain_count - 1 and not self.is_chain_open(chain)
            if is_old and not rows.order.folded and len(session.chains.thoughts_of(chain)) < MIN_KEPT_THOUGHTS:
                del self._chains[chain]

    def _open_chains(self) -> list[int]:
        """Return the chains that are not folded: the newest one, and those that the user opened."""
        count = self.session.chain_count
        wanted = {chain for chain in self._opened if chain < count} | {count - 1}
        return sorted(chain for chain in wanted if chain >= 0 and self.is_chain_open(chain))

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
    def has_headings(self) -> bool:
        """Whether chains have headings: only if there are several."""
        return self.session.chain_count > 1

    @property
    def count(self) -> int:
        """The number of rows."""
        session = self.session
        if not session.chain_count:
            return session.refusal_count
        opened, sums = self._open_chain_sums()
        headings = session.chain_count if self.has_headings else 0
        return headings + (sums[-1] if opened else 0)

    def row(self, number: int) -> TreeRow:
        """Return row ``number``, from 0."""
        if not self.session.chain_count:
            return TreeRow(RowKind.REFUSED, NONE, NONE, number)
        opened, sums = self._open_chain_sums()
        index = bisect_right(opened, number, key=self._top_of) - 1
        if index < 0:
            return TreeRow(RowKind.CHAIN, number, NONE, number)
        chain = opened[index]
        within = number - self._top_of(chain) - self.has_headings
        if within < 0:
            return TreeRow(RowKind.CHAIN, chain, NONE, chain)
        rows = sums[index] - (sums[index - 1] if index else 0)
        if within >= rows:
            later = chain + 1 + within - rows
            return TreeRow(RowKind.CHAIN, later, NONE, later)
        return self._row_within(chain, within)

    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or of the folded chain or branch that contains it."""
        session = self.session
        chain = session.thoughts.chain_of(index)
        if not self.is_chain_open(chain):
            return self._top_of(chain)
        rows = self._chains[chain].order
        hidden_by = rows.hidden_by(row_item(row_items.THOUGHT, index))
        item = row_item(row_items.THOUGHT, index) if hidden_by is None else self._head(hidden_by)
        return self._below_expected(chain, rows.row_of(item) or 0)

    def row_of(self, row: TreeRow) -> int | None:
        """Return the current number of a row that was shown before, or None."""
        if row.kind is RowKind.CHAIN:
            return self._top_of(row.chain) if row.chain < self.session.chain_count else None
        if row.kind is RowKind.EXPECTED:
            return self.expected_row
        session = self.session
        if not session.chain_count:
            return row.ordinal if row.kind is RowKind.REFUSED and row.ordinal < session.refusal_count else None
        # calls refused before the first thought have chain NONE at first, and belong to chain 0 later
        chain = max(row.chain, 0)
        if chain >= session.chain_count or not self.is_chain_open(chain):
            return None
        item = self._head(row.lane) if row.kind is RowKind.BRANCH else row_item(row.kind.value, row.ordinal)
        found = self._chains[chain].order.row_of(item)
        return None if found is None else self._below_expected(chain, found)

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of an open chain."""
        return self._chains[chain]

    @property
    def expected_row(self) -> int | None:
        """The number of the row of expected thoughts ("7–8 expected"), or None."""
        if self._expected is None:
            return None
        chain = self.session.chain_count - 1
        return self._top_of(chain) + self.has_headings + self._expected[1]

    @property
    def expected_lane(self) -> int:
        """The lane on which more thoughts are expected, or NONE."""
        return self._expected[0] if self._expected else NONE

    def _below_expected(self, chain: int, within: int) -> int:
        """Return the tree's row for row ``within`` of an open chain, counted without the row of expected thoughts."""
        is_below = self._expected is not None and chain == self.session.chain_count - 1 and within >= self._expected[1]
        return self._top_of(chain) + self.has_headings + within + is_below

    def _row_within(self, chain: int, within: int) -> TreeRow:
        session = self.session
        if self._expected is not None and chain == session.chain_count - 1:
            if within == self._expected[1]:
                return TreeRow(RowKind.EXPECTED, chain, self._expected[0], self._expected[0])
            within -= within > self._expected[1]
        item = self._chains[chain].order.item_at(within)
        kind, ordinal = RowKind(row_items.kind_of(item)), row_items.ordinal_of(item)
        match kind:
            case RowKind.THOUGHT | RowKind.GAP:
                lane = session.thoughts.lane_of(ordinal)
            case RowKind.REFUSED:
                above = session.refusals.get(ordinal).thought_above
                lane = session.thoughts.lane_of(above) if above != NONE else session.chains.lanes_of(chain)[0]
            case _:
                lane = ordinal = session.thoughts.lane_of(ordinal)
        return TreeRow(kind, chain, lane, ordinal)

    def _head(self, lane: int) -> int:
        """Return the item of a branch's first row."""
        return row_item(row_items.BRANCH_HEAD, self.session.lanes.get(lane).thoughts[0])

    def _find_expected(self) -> tuple[int, int] | None:
        session = self.session
        chain = session.chain_count - 1
        if chain < 0 or not self.is_chain_open(chain) or session.chain_state(chain) is State.DONE:
            return None
        newest = session.thoughts.get(session.current_thought)
        if newest.estimate <= newest.highest_number and not newest.needs_more:
            return None
        before = self._chains[chain].order.rows_before(row_item(row_items.LANE_END, newest.lane))
        return None if before is None else (newest.lane, before)

    def _open_chain_sums(self) -> tuple[list[int], list[int]]:
        if self._chain_sums is None:
            opened, newest = self._open_chains(), self.session.chain_count - 1
            counts = (
                self._chains[chain].order.count + (chain == newest and self._expected is not None) for chain in opened
            )
            self._chain_sums = opened, list(accumulate(counts))
        return self._chain_sums

    def _top_of(self, chain: int) -> int:
        """Return the first row of a chain: its heading if there are headings."""
        opened, sums = self._open_chain_sums()
        index = bisect_right(opened, chain - 1)
        return (chain if self.has_headings else 0) + (sums[index - 1] if index else 0)

    # Folding

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

    def is_folded(self, lane: int) -> bool:
        """Return whether the branch is folded to its head."""
        rows = self._chains.get(self.session.lanes.get(lane).chain)
        return rows is not None and lane in rows.order.folded

    def fold(self, lane: int, *, folded: bool) -> None:
        """Fold or unfold a branch; a trunk cannot be folded."""
        shown = self.session.lanes.get(lane)
        if shown.is_trunk:
            return
        rows = self._rows(shown.chain)
        rows.sync(self._synced or self.session)
        rows.order.fold(lane, shown.thoughts[0], folded=folded)
        self._refresh()
