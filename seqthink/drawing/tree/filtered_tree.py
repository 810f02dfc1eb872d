"""A session's tree filtered to matching rows."""

from collections.abc import Iterable

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.chain_rows import ChainRows
from seqthink.drawing.tree.chain_stack import ChainStack
from seqthink.drawing.tree.row_items import kind_of, ordinal_of, row_item
from seqthink.drawing.tree.row_source import RowKind, TreeRow, tree_row


class FilteredTree:
    """A tree filtered to matching rows. Nothing folds, there are no headings, and arrows must be off."""

    def __init__(self, session: Session) -> None:
        self._wanted: set[int] = set()
        self._stack = ChainStack(self._wanted)
        self._whole = self._shown = session
        self.version = 0
        """Counts the changes of the rows."""
        self.show(session)

    # Adding entries

    def sync(self, session: Session, shown: Session | None = None) -> None:
        """Add the entries that arrived since the last call, and show ``session``, or ``shown``, which is earlier."""
        self._whole = session
        self.show(shown or session)

    def show(self, session: Session) -> None:
        """Show the rows of ``session``: the one last given to ``sync``, or the same at an earlier position."""
        self._shown = session
        self._stack.show(self._whole, session, range(session.chain_count), has_headings=False)
        self.version += 1

    def add_matches(self, thoughts: Iterable[int], asides: Iterable[int]) -> None:
        """Make rows of these thoughts (by index) and asides (by ordinal); none may be a match already."""
        items = [row_item(row_items.THOUGHT, index) for index in thoughts]
        items += [row_item(row_items.ASIDE, number) for number in asides]
        self._wanted.update(items)
        self._lay_out_again()

    def clear_matches(self) -> None:
        """Remove all matches."""
        self._wanted.clear()
        self._lay_out_again()

    def _lay_out_again(self) -> None:
        self._stack.lay_out_again()
        self.version += 1

    def _chain_of(self, item: int) -> int:
        """Return the chain in whose rows an item is; NONE if it was not added yet."""
        whole, ordinal = self._whole, ordinal_of(item)
        if kind_of(item) == row_items.THOUGHT:
            return self._shown.chains.drawn_in(ordinal) if ordinal < whole.thought_count else NONE
        return self._shown.asides.chain_of(ordinal) if ordinal < whole.asides.count else NONE

    # Rows

    @property
    def has_session(self) -> bool:
        """Whether there is a session to show: from the beginning."""
        return True

    @property
    def session(self) -> Session:
        """The session shown."""
        return self._shown

    @property
    def is_by_arrival(self) -> bool:
        """Whether the rows are in order of arrival: no, they are in the tree's."""
        return False

    @property
    def has_headings(self) -> bool:
        """Whether chains have headings: no."""
        return False

    @property
    def foldable(self) -> None:
        """None: nothing folds."""
        return

    @property
    def expected_row(self) -> None:
        """None: there is no row of expected thoughts."""
        return

    @property
    def expected_lane(self) -> int:
        """NONE: there is no row of expected thoughts."""
        return NONE

    @property
    def count(self) -> int:
        """The number of rows."""
        return self._stack.count if self._shown.chain_count else len(self._asides_without_chain)

    @property
    def _asides_without_chain(self) -> list[int]:
        """The matching asides while there is no thought yet."""
        asides = (ordinal_of(item) for item in self._wanted if kind_of(item) == row_items.ASIDE)
        return sorted(number for number in asides if number < self._shown.asides.count)

    def row(self, number: int) -> TreeRow:
        """Return row ``number``, from 0."""
        if not self._shown.chain_count:
            return TreeRow(RowKind.ASIDE, NONE, NONE, self._asides_without_chain[number])
        chain, item = self._stack.locate(number)
        assert item is not None, "there are no headings"
        return tree_row(self._shown, chain, item)

    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or the last row above it."""
        item = row_item(row_items.THOUGHT, index)
        chain = self._chain_of(item)
        if chain == NONE:
            return max(0, self.count - 1)
        above = self._stack.top_of(chain) + (self._stack.rows_of(chain).order.rows_before(item) or 0)
        return above if item in self._wanted else max(0, above - 1)

    def row_of(self, row: TreeRow) -> int | None:
        """Return the current number of a row that was shown before, or None."""
        if row.kind not in {RowKind.THOUGHT, RowKind.ASIDE}:
            return None
        item = row_item(row.kind.value, row.ordinal)
        if item not in self._wanted:
            return None
        if not self._shown.chain_count:
            return self._asides_without_chain.index(row.ordinal)
        chain = self._chain_of(item)
        return self._stack.row_of(chain, item) if NONE < chain < self._shown.chain_count else None

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of a chain."""
        return self._stack.rows_of(chain)
