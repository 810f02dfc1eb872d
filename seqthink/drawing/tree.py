"""Which rows the tree has: chains one under the other, branches under the thoughts that they leave.

A tree is fed sessions that grow (``sync``) and may be shown at any earlier moment (``look``). What a frame asks costs the
same however long the chain is.
"""

from bisect import bisect_right
from enum import Enum
from itertools import accumulate
from typing import NamedTuple

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing import order
from seqthink.drawing.order import Order, item
from seqthink.drawing.tracks import Tracks


class RowKind(Enum):
    """What a row shows."""

    THOUGHT = order.THOUGHT
    BRANCH = order.HEAD
    GHOST = order.END
    GAP = order.GAP
    REFUSED = order.REFUSED
    CHAIN = -1


class Row(NamedTuple):
    """One row: its kind, its chain and lane, and the thought (thought, gap), lane (branch, ghost) or refusal it shows."""

    kind: RowKind
    chain: int
    lane: int
    ordinal: int

    @property
    def thought(self) -> int:
        """The index of the thought that the row shows, or NONE."""
        return self.ordinal if self.kind is RowKind.THOUGHT else NONE


class ChainRows:
    """The rows of one open chain."""

    def __init__(self, session: Session, chain: int) -> None:
        self.chain = chain
        self.tracks = Tracks()
        self._session = session
        self.order = Order(self._born)
        self._next = session.chain_range(chain)[0]
        self._next_refusal = 0
        trunk = session.chain_lanes(chain)[0]
        self._placed_lanes = {trunk}
        self.order.append(item(order.END, trunk))

    def sync(self, session: Session) -> None:
        """Take in the thoughts and refused calls that arrived since the last time."""
        self._session = session
        indices = session.chain_range(self.chain)
        for index in range(self._next, indices.stop):
            self._place_refusals(session, index)
            self._place_thought(session, index)
        self._next = indices.stop
        self._place_refusals(session, indices.stop)

    def _born(self, code: int) -> int:
        kind, ordinal = order.kind_of(code), order.ordinal_of(code)
        if kind in {order.THOUGHT, order.GAP}:
            return self._session.entry_of(ordinal)
        if kind == order.REFUSED:
            return self._session.refusal(ordinal).entry
        return self._session.lane(ordinal).born

    def _place_thought(self, session: Session, index: int) -> None:
        thought = session.thought(index)
        if thought.lane not in self._placed_lanes:
            self._place_lane(session.lane(thought.lane), index)
        end = item(order.END, thought.lane)
        if thought.missing:
            self.order.insert_before(end, item(order.GAP, index))
        self.order.insert_before(end, item(order.THOUGHT, index))
        if thought.target != NONE:
            self.tracks.place(session, index, thought.target)

    def _place_lane(self, lane: Lane, index: int) -> None:
        self._placed_lanes.add(lane.ordinal)
        head, end = item(order.HEAD, lane.ordinal), item(order.END, lane.ordinal)
        anchor = self._anchor(lane, index)
        self._put(anchor, head)
        self._put(anchor, end)

    def _put(self, anchor: int | None, code: int) -> None:
        if anchor is None:
            self.order.append(code)
        else:
            self.order.insert_before(anchor, code)

    def _anchor(self, lane: Lane, index: int) -> int | None:
        """Return the item that follows what hangs from the lane's fork; None when the lane comes last of all."""
        if lane.fork == NONE:
            return None
        parent, place = self._session.lane(lane.parent), self._session.place_of(lane.fork)
        if place + 1 < len(parent.thoughts) and parent.thoughts[place + 1] < index:
            following = parent.thoughts[place + 1]
            kind = order.GAP if self._session.thought(following).missing else order.THOUGHT
            return item(kind, following)
        return item(order.END, lane.parent)

    def _place_refusals(self, session: Session, arrived: int) -> None:
        """Place the calls that were refused before the ``arrived``-th thought: after the thought before them."""
        start = session.chain_range(self.chain)[0]
        while self._next_refusal < session.refusal_count:
            after = session.refusal(self._next_refusal).after
            if after > arrived:
                return
            if after > start or after == start == 0:
                lane = session.lane_of(after - 1) if after else session.chain_lanes(self.chain)[0]
                self.order.insert_before(item(order.END, lane), item(order.REFUSED, self._next_refusal))
            self._next_refusal += 1


class Tree:
    """The rows of a session, with what the person has folded."""

    def __init__(self) -> None:
        self._all: Session | None = None
        self._seen: Session | None = None
        self._chains: dict[int, ChainRows] = {}
        self._opened: set[int] = set()
        self._closed: set[int] = set()
        self._stack: tuple[list[int], list[int]] | None = None
        self._ghost: tuple[int, int] | None = None

    # Feeding

    def sync(self, session: Session) -> None:
        """Take in what arrived since the last time, and show it all."""
        self._all = session
        self.look(session)

    def look(self, session: Session) -> None:
        """Show the rows of ``session``: the newest one given to ``sync``, or that one at an earlier moment."""
        self._seen = session
        self._settle()

    def _settle(self) -> None:
        session = self.session
        for chain in self._open_chains():
            rows = self._chains.get(chain)
            if rows is None:
                rows = self._chains[chain] = ChainRows(self._all or session, chain)
            rows.sync(self._all or session)
            rows.order.look(session.entries)
        self._stack, self._ghost = None, self._find_ghost()

    def _open_chains(self) -> list[int]:
        """Return the chains that are not folded: the newest one, and those that the person opened."""
        count = self.session.chain_count
        wanted = {count - 1, *(chain for chain in self._opened if chain < count)} - self._closed
        return sorted(chain for chain in wanted if chain >= 0)

    # Asking

    @property
    def is_fed(self) -> bool:
        """Whether it has a session to show."""
        return self._seen is not None

    @property
    def session(self) -> Session:
        """The session that is shown."""
        assert self._seen is not None, "a tree is fed before it is asked"
        return self._seen

    @property
    def has_headings(self) -> bool:
        """Whether chains have a row of their own: only when there are several."""
        return self.session.chain_count > 1

    @property
    def count(self) -> int:
        """How many rows there are."""
        session = self.session
        if not session.chain_count:
            return session.refusal_count
        opened, sums = self._stacked()
        headings = session.chain_count if self.has_headings else 0
        return headings + (sums[-1] if opened else 0)

    def row(self, number: int) -> Row:
        """Return row ``number``, from 0."""
        if not self.session.chain_count:
            return Row(RowKind.REFUSED, NONE, NONE, number)
        opened, sums = self._stacked()
        place = bisect_right(opened, number, key=self._top_of) - 1
        if place < 0:
            return Row(RowKind.CHAIN, number, NONE, number)
        chain = opened[place]
        within = number - self._top_of(chain) - self.has_headings
        if within < 0:
            return Row(RowKind.CHAIN, chain, NONE, chain)
        rows = sums[place] - (sums[place - 1] if place else 0)
        if within >= rows:
            later = chain + 1 + within - rows
            return Row(RowKind.CHAIN, later, NONE, later)
        return self._row_within(chain, within)

    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or of the folded chain or branch that it is in."""
        session = self.session
        chain = session.chain_of(index)
        if not self.is_chain_open(chain):
            return self._top_of(chain)
        base = self._top_of(chain) + self.has_headings
        rows = self._chains[chain].order
        found, lane = rows.row_of(item(order.THOUGHT, index)), session.lane(session.lane_of(index))
        while found is None and not lane.is_trunk:
            found = rows.row_of(item(order.HEAD, lane.ordinal))
            lane = session.lane(lane.parent if lane.parent != NONE else session.chain_lanes(chain)[0])
        return self._below_ghost(chain, base, found or 0)

    def row_of(self, row: Row) -> int | None:
        """Return where a row that was there before is now, or None."""
        if row.kind is RowKind.CHAIN:
            return self._top_of(row.chain) if row.chain < self.session.chain_count else None
        if row.kind is RowKind.GHOST:
            return self.ghost_row
        if row.chain == NONE or row.chain >= self.session.chain_count or not self.is_chain_open(row.chain):
            return row.ordinal if row.chain == NONE and row.ordinal < self.count else None
        found = self._chains[row.chain].order.row_of(item(row.kind.value, row.ordinal))
        return (
            None if found is None else self._below_ghost(row.chain, self._top_of(row.chain) + self.has_headings, found)
        )

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of a chain that is open."""
        return self._chains[chain]

    @property
    def ghost_row(self) -> int | None:
        """Where the ghost row is, if there is one."""
        if self._ghost is None:
            return None
        chain = self.session.chain_count - 1
        return self._top_of(chain) + self.has_headings + self._ghost[1]

    @property
    def ghost_lane(self) -> int:
        """The lane on which more is expected, or NONE."""
        return self._ghost[0] if self._ghost else NONE

    def _below_ghost(self, chain: int, base: int, within: int) -> int:
        is_below = self._ghost is not None and chain == self.session.chain_count - 1 and within >= self._ghost[1]
        return base + within + is_below

    def _row_within(self, chain: int, within: int) -> Row:
        session = self.session
        if self._ghost is not None and chain == session.chain_count - 1:
            if within == self._ghost[1]:
                return Row(RowKind.GHOST, chain, self._ghost[0], self._ghost[0])
            within -= within > self._ghost[1]
        code = self._chains[chain].order.at(within)
        kind, ordinal = RowKind(order.kind_of(code)), order.ordinal_of(code)
        match kind:
            case RowKind.THOUGHT | RowKind.GAP:
                lane = session.lane_of(ordinal)
            case RowKind.REFUSED:
                lane = session.lane_of(max(0, session.refusal(ordinal).after - 1))
            case _:
                lane = ordinal
        return Row(kind, chain, lane, ordinal)

    def _find_ghost(self) -> tuple[int, int] | None:
        session = self.session
        chain = session.chain_count - 1
        if chain < 0 or not self.is_chain_open(chain) or session.chain_state(chain) is State.DONE:
            return None
        newest = session.thought(session.length - 1)
        if newest.total <= newest.peak and not newest.needs_more:
            return None
        before = self._chains[chain].order.rows_before(item(order.END, newest.lane))
        return None if before is None else (newest.lane, before)

    def _stacked(self) -> tuple[list[int], list[int]]:
        if self._stack is None:
            opened, newest = self._open_chains(), self.session.chain_count - 1
            counts = (
                self._chains[chain].order.count + (chain == newest and self._ghost is not None) for chain in opened
            )
            self._stack = opened, list(accumulate(counts))
        return self._stack

    def _top_of(self, chain: int) -> int:
        """Return the first row of a chain: its heading, where there are headings."""
        opened, sums = self._stacked()
        place = bisect_right(opened, chain - 1)
        return (chain if self.has_headings else 0) + (sums[place - 1] if place else 0)

    # Folding

    def is_chain_open(self, chain: int) -> bool:
        """Whether the chain's rows are shown."""
        return chain not in self._closed and (chain in self._opened or chain == self.session.chain_count - 1)

    def open_chain(self, chain: int, *, opened: bool) -> None:
        """Open or fold a chain."""
        (self._opened.add if opened else self._opened.discard)(chain)
        (self._closed.discard if opened else self._closed.add)(chain)
        self._settle()

    def is_folded(self, lane: int) -> bool:
        """Whether the branch is folded to its head."""
        return lane in self._chains[self.session.lane(lane).chain].order.folded

    def fold(self, lane: int, *, folded: bool) -> None:
        """Fold or unfold a branch."""
        self._chains[self.session.lane(lane).chain].order.fold(lane, folded=folded)
        self._settle()
