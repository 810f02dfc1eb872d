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
    def sync(self, session: Session) -> None:
        super().sync(session)
        self.open_all()

    @override
    def look(self, session: Session) -> None:
        before = self.session.entries if self.is_fed else session.entries
        super().look(session)
        if session.entries < before or len(self._rows_shown) < len(self._let_through):
            # another moment of the replay
            self._rows_shown = sorted(filter(self._is_there, self._let_through), key=self._place)

    def _is_there(self, row: Row) -> bool:
        session = self.session
        return row.ordinal < (session.length if row.kind is RowKind.THOUGHT else session.refusal_count)

    def add(self, thoughts: Iterable[int], refusals: Iterable[int]) -> None:
        """Let these rows through too; none of them was let through before."""
        session = self.session
        rows = [Row(RowKind.THOUGHT, session.chain_of(one), session.lane_of(one), one) for one in thoughts]
        rows += [self._refused(number) for number in refusals]
        self._let_through += rows
        if len(rows) <= FEW:
            for row in rows:
                insort(self._rows_shown, row, key=self._place)
        else:
            self._rows_shown = sorted([*self._rows_shown, *rows], key=self._place)
        self.version += 1

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
        return self._rows_shown[number]

    @override
    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or the one that stands last above it."""
        place = super().row_of_thought(index)
        return max(0, bisect_right(self._rows_shown, place, key=self._place) - 1)

    @override
    def row_of(self, row: Row) -> int | None:
        place = self._place(row) if row.kind in {RowKind.THOUGHT, RowKind.REFUSED} else -1
        number = bisect_right(self._rows_shown, place, key=self._place) - 1
        return number if number >= 0 and self._rows_shown[number] == row else None

    @property
    @override
    def ghost_row(self) -> int | None:
        return None

    @property
    @override
    def has_headings(self) -> bool:
        return False
