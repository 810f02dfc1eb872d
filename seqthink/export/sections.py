"""Tree rows as nested sections of a page: chains, and branches within them."""

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.text.row_layout import MAX_BRANCH_LEVELS
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree


class SectionNesting:
    """Tracks, row by row, which sections end and which begin; branches nested too deeply get no section."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._branches: list[int] = []
        self._in_chain = False

    def sections_ended(self, row: TreeRow) -> int:
        """Return how many sections end before ``row``."""
        if row.kind is RowKind.CHAIN:
            return self.close_all()
        keep = self._open_sections_of(self._section_lane(row))
        ended = len(self._branches) - keep
        del self._branches[keep:]
        return ended

    def begins_section(self, row: TreeRow) -> bool:
        """Return whether ``row`` is the heading of a new section."""
        if row.kind is RowKind.CHAIN:
            self._in_chain = True
            return True
        if row.kind is not RowKind.BRANCH or self._tree.session.lanes.get(row.lane).depth > MAX_BRANCH_LEVELS:
            return False
        self._branches.append(row.lane)
        return True

    def close_all(self) -> int:
        """Return how many sections are still open, and close them."""
        ended = len(self._branches) + self._in_chain
        self._branches.clear()
        self._in_chain = False
        return ended

    def _section_lane(self, row: TreeRow) -> Lane | None:
        """Return the lane whose section contains the row."""
        if row.lane == NONE:
            return None
        lane = self._tree.session.lanes.get(row.lane)
        ordinal = lane.parent if row.kind is RowKind.BRANCH else lane.ordinal
        if ordinal == NONE:
            return None
        return self._tree.session.lanes.get(
            self._tree.rows_of(row.chain).drawn_lane(self._tree.session.lanes.get(ordinal))
        )

    def _open_sections_of(self, lane: Lane | None) -> int:
        """Return how many of the open branches contain ``lane``."""
        if lane is None or lane.is_trunk or lane.ordinal not in self._branches:
            return 0
        return self._branches.index(lane.ordinal) + 1
