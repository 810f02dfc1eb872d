"""The rows of a tree as nested sections of a page: chains, and branches within them."""

from collections.abc import Iterator
from typing import NamedTuple

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.text.row_layout import MAX_BRANCH_LEVELS
from seqthink.drawing.tree.tree import RowKind, Tree, TreeRow


class SectionRow(NamedTuple):
    """A row of the tree."""

    number: int
    row: TreeRow
    is_heading: bool
    """Whether a section begins with this row. Branches that are nested too deeply have none."""


def section_rows(tree: Tree) -> Iterator[SectionRow | None]:
    """Yield the rows of a tree, and None wherever the innermost section ends."""
    branches: list[int] = []
    in_chain = False
    for number in range(tree.count):
        row = tree.row(number)
        if row.kind is RowKind.CHAIN:
            ended, in_chain, is_heading = len(branches) + in_chain, True, True
            branches.clear()
        else:
            kept = _branches_around(tree, row, branches)
            ended = len(branches) - kept
            del branches[kept:]
            is_heading = row.kind is RowKind.BRANCH and tree.session.lane(row.lane).depth <= MAX_BRANCH_LEVELS
            branches += [row.lane] * is_heading
        yield from [None] * ended
        yield SectionRow(number, row, is_heading)
    yield from [None] * (len(branches) + in_chain)


def _branches_around(tree: Tree, row: TreeRow, branches: list[int]) -> int:
    """Return how many of the open ``branches`` contain the row."""
    lane = _section_lane(tree, row)
    if lane is None or lane.is_trunk or lane.ordinal not in branches:
        return 0
    return branches.index(lane.ordinal) + 1


def _section_lane(tree: Tree, row: TreeRow) -> Lane | None:
    """Return the lane whose section contains the row."""
    if row.lane == NONE:
        return None
    lane = tree.session.lane(row.lane)
    ordinal = lane.parent if row.kind is RowKind.BRANCH else lane.ordinal
    if ordinal == NONE:
        return None
    return tree.session.lane(tree.rows_of(row.chain).drawn_lane(tree.session.lane(ordinal)))
