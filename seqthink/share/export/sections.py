"""Tree rows as nested sections of a page: chains, and branches within them."""

from collections.abc import Iterator
from typing import NamedTuple

from seqthink.chain.model import NONE, Lane
from seqthink.drawing.text.row_layout import MAX_BRANCH_LEVELS
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree


class SectionRow(NamedTuple):
    """A row of the tree."""

    number: int
    """Its place among the rows, from 0."""
    row: TreeRow
    is_heading: bool
    """Whether a section begins with it."""


def section_rows(tree: Tree) -> Iterator[SectionRow | None]:
    """Yield the rows, and None wherever a section ends; branches nested too deeply get no section."""
    branches: list[int] = []
    chains = 0
    for number in range(tree.count):
        row = tree.row(number)
        is_chain = row.kind is RowKind.CHAIN
        keep = _sections_around(branches, _section_lane(tree, row)) if branches and not is_chain else 0
        yield from [None] * (len(branches) - keep + (chains if is_chain else 0))
        del branches[keep:]
        is_branch = row.kind is RowKind.BRANCH and tree.session.lanes.get(row.lane).depth <= MAX_BRANCH_LEVELS
        if is_chain:
            chains = 1
        elif is_branch:
            branches.append(row.lane)
        yield SectionRow(number, row, is_chain or is_branch)
    yield from [None] * (len(branches) + chains)


def _section_lane(tree: Tree, row: TreeRow) -> Lane | None:
    """Return the lane whose section contains the row."""
    if row.lane == NONE:
        return None
    lanes = tree.session.lanes
    lane = lanes.get(row.lane)
    ordinal = lane.parent if row.kind is RowKind.BRANCH else lane.ordinal
    return None if ordinal == NONE else lanes.get(tree.rows_of(row.chain).drawn_lane(lanes.get(ordinal)))


def _sections_around(branches: list[int], lane: Lane | None) -> int:
    """Return how many of the open ``branches`` contain ``lane``."""
    if lane is None or lane.is_trunk or lane.ordinal not in branches:
        return 0
    return branches.index(lane.ordinal) + 1
