"""What can be drawn row by row: the tree, the filtered tree and the timeline, by what they have in common."""

from enum import Enum
from typing import NamedTuple, Protocol

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree import row_items
from seqthink.drawing.tree.chain_rows import ChainRows


class RowKind(Enum):
    """What a row shows."""

    THOUGHT = row_items.THOUGHT
    BRANCH = row_items.BRANCH_HEAD
    """The first row of a branch: its name and progress."""
    EXPECTED = row_items.LANE_END
    """The thoughts that are still expected, by the estimate."""
    GAP = row_items.GAP
    """How many numbers were left out."""
    ASIDE = row_items.ASIDE
    """A row that is not a thought: a refused call, what was done, a prompt, a rule."""
    CHAIN = -1
    """A chain's heading, or all of a folded chain."""


_KINDS, _THOUGHT = {kind.value: kind for kind in RowKind}, RowKind.THOUGHT


class TreeRow(NamedTuple):
    """One row of the tree or timeline."""

    kind: RowKind
    chain: int
    """The chain's ordinal; NONE for an aside before any thought."""
    lane: int
    """The lane's ordinal; NONE for a chain's heading."""
    ordinal: int
    """What the row shows: a thought's index (THOUGHT, GAP), or the ordinal of a lane (BRANCH, EXPECTED), of an
    aside, or of a chain."""

    @property
    def thought(self) -> int:
        """The index of the thought that the row shows, or NONE."""
        return self.ordinal if self.kind is RowKind.THOUGHT else NONE


class RowSource(Protocol):
    """The rows of a session, from the top."""

    @property
    def version(self) -> int:
        """Counts the changes of the rows."""
        ...

    @property
    def has_session(self) -> bool:
        """Whether there is a session to show."""
        ...

    @property
    def session(self) -> Session:
        """The session shown."""
        ...

    @property
    def is_by_arrival(self) -> bool:
        """Whether the rows are in order of arrival; else branches are below the thoughts they leave from."""
        ...

    @property
    def has_headings(self) -> bool:
        """Whether chains have headings."""
        ...

    @property
    def count(self) -> int:
        """The number of rows."""
        ...

    @property
    def expected_row(self) -> int | None:
        """The number of the row of expected thoughts, or None."""
        ...

    @property
    def foldable(self) -> "FoldableRows | None":
        """These rows as what folds and unfolds them; None if nothing folds."""
        ...

    def sync(self, session: Session, shown: Session | None = None) -> None:
        """Add the entries that arrived since the last call, and show ``session``, or ``shown``, which is earlier."""
        ...

    def show(self, session: Session) -> None:
        """Show the rows of ``session``: the one last given to ``sync``, or the same at an earlier position."""
        ...

    def row(self, number: int) -> TreeRow:
        """Return row ``number``, from 0."""
        ...

    def row_of_thought(self, index: int) -> int:
        """Return the row of a thought, or of what hides it."""
        ...

    def row_of(self, row: TreeRow) -> int | None:
        """Return the current number of a row that was shown before, or None."""
        ...


class BranchedRows(RowSource, Protocol):
    """Rows in tree order: branches are below the thoughts they leave from."""

    @property
    def expected_lane(self) -> int:
        """The lane on which more thoughts are expected, or NONE."""
        ...

    def rows_of(self, chain: int) -> ChainRows:
        """Return the rows of an open chain."""
        ...


class FoldableRows(Protocol):
    """Rows with chains and branches that can be folded."""

    def is_chain_open(self, chain: int) -> bool:
        """Return whether the chain's rows are shown."""
        ...

    def open_chain(self, chain: int, *, opened: bool) -> None:
        """Open or fold a chain."""
        ...

    def open_all(self) -> None:
        """Open every chain."""
        ...

    def is_folded(self, lane: int) -> bool:
        """Return whether the branch is folded to its head."""
        ...

    def fold(self, lane: int, *, folded: bool) -> None:
        """Fold or unfold a branch."""
        ...

    def fold_all(self) -> None:
        """Fold all branches of the open chains, and all chains."""
        ...

    def unfold_all(self) -> None:
        """Unfold all branches, and open every chain."""
        ...


def tree_row(session: Session, chain: int, item: int) -> TreeRow:
    """Return the row of an item of a chain."""
    kind, ordinal = _KINDS[row_items.kind_of(item)], row_items.ordinal_of(item)
    if kind is _THOUGHT:  # most are
        return TreeRow(kind, chain, session.chains.drawn_on(ordinal), ordinal)
    match kind:
        case RowKind.GAP:
            lane = session.thoughts.lane_of(ordinal)
        case RowKind.ASIDE:
            above = session.asides.get(ordinal).thought_above
            lane = session.thoughts.lane_of(above) if above != NONE else session.chains.lanes_of(chain)[0]
        case _:
            lane = ordinal = session.thoughts.lane_of(ordinal)
    return TreeRow(kind, chain, lane, ordinal)
