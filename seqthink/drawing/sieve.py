"""The rows of a session that match a filter, in the order of the tree, nothing else between them."""

from bisect import bisect_right, insort
from collections.abc import Iterable

from typing_extensions import override

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree import Row, RowKind, Tree

FEW = 64


class Sieve(Tree):
    """A tree with everything open of which only some rows are there; it draws as any tree does, without arrows."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._let_through: list[Row] = []
        self._rows_shown: list[Row] = []
        self.sync(session)

    @override
    def sync(self, session: Session, moment: Session | None = None) -> None:
        self._opened.update(range(session.chain_count))
        super().sync(session, moment)

    @override
    def look(self, session: Session) -> None:
        super().look(session)
        is_earlier = self._all is not None and session.entries < self._all.entries
        self._rows_shown = list(filter(self._is_there, self._let_through)) if is_earlier else self._let_through

    def _is_there(self, row: Row) -> bool:
        session = self.session
        return row.ordinal < (session.length if row.kind is RowKind.THOUGHT else session.refusal_count)

    def add(self, thoughts: Iterable[int], refusals: Iterable[int]) -> None:
        """Let these rows through too; none of them was let through before."""
        moment = self.session
        session = self._all or moment
        super().look(session)  # at an earlier moment not all of them have a place
        rows = [Row(RowKind.THOUGHT, session.chain_of(one), session.lane_of(one), one) for one in thoughts]
        rows += [self._refused(number) for number in refusals]
        if len(rows) <= FEW:
            for row in rows:
                insort(self._let_through, row, key=self._place)
        else:
            self._let_through = sorted([*self._let_through, *rows], key=self._place)
        self.look(moment)

    def _refused(self, number: int) -> Row:
        session, after = self.session, self.session.refusal(number).after
        if not session.chain_count:
            return Row(RowKind.REFUSED, NONE, NONE, number)
        # before the first thought, a refused call stands in the first chain
        chain = session.chain_of(max(0, after - 1))
        lane = session.lane_of(after - 1) if after else session.chain_lanes(chain)[0]
        return Row(RowKind.REFUSED, chain, lane, number)

    def _place(self, row: Row) -> int:
        found = super().row_of_thought(row.ordinal) if row.kind is RowKind.THOUGHT else super().row_of(row)
        return -1 if found is None else found

    @property
    @override
    def count(self) -> int:
        return len(self._rows_shown)

    @override
    def row(self, number: int) -> Row:
        row = self._rows_shown[number]
        return row if row.kind is RowKind.THOUGHT else self._refused(row.ordinal)  # its chain may come after it

    @override
    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or the one that stands last above it."""
        place = super().row_of_thought(index)
        return max(0, bisect_right(self._rows_shown, place, key=self._place) - 1)

    @override
    def row_of(self, row: Row) -> int | None:
        place = self._place(row) if row.kind in {RowKind.THOUGHT, RowKind.REFUSED} else -1
        number = bisect_right(self._rows_shown, place, key=self._place) - 1
        found = self._rows_shown[number] if number >= 0 else None
        # by kind and ordinal: the chain of a refused call may come after it
        return number if found is not None and found[::3] == row[::3] else None

    @property
    @override
    def ghost_row(self) -> int | None:
        return None

    @property
    @override
    def has_headings(self) -> bool:
        return False
