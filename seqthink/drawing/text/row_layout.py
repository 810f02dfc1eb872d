"""Distributes a row's width among its columns (docs/screens.md, "What gives way as width shrinks")."""

from msgspec import Struct

NARROW_BELOW_CELLS, WIDE_FROM_CELLS = 60, 100
"""A screen with fewer cells is narrow, and one with at least ``WIDE_FROM_CELLS`` is wide."""
MIN_TEXT_CELLS = 16
"""Cells that the text gets before anything optional is drawn."""
MAX_BRANCH_LEVELS = 6
"""Levels of branches that are drawn; deeper ones collapse to how much deeper they are."""
COLLAPSED_CELLS = 4
"""A blank, and the number of lanes without a column."""

MAX_LANES_NARROW = 4
"""Lane columns of a timeline on a narrow screen."""
LANE_STEPS = (1, 3, 5, 8)
"""Numbers of lane columns for which a timeline makes room: in steps, so that not every branch shifts all texts."""


class RowLayout(Struct, frozen=True, kw_only=True):
    """The columns of one chain's rows at one width, all in cells unless noted."""

    width: int
    """The whole row."""
    indent: int
    """Blanks before the arrows."""
    tracks: int
    """Arrow columns."""
    head: int
    """Cells between the arrow columns and the lanes, where arrows end."""
    depth: int
    """Levels of branches that are drawn; in a timeline, lane columns beside the first. Two cells each."""
    collapsed: int
    """Cells behind the lane columns of a timeline for the number of lanes that have none; 0 if all have one."""
    digits: int
    """The number column."""
    gap: int
    """Blanks between number and text."""
    duration: int
    """The duration column; 0 for none."""
    margin: int
    """Blanks at the right edge."""
    marks: int
    """How many marks a row shows, at most."""
    has_words: bool
    """Whether marks use words."""


def row_layout(width: int, *, screen_width: int, tracks: int, digits: int, lanes: int = 0) -> RowLayout:
    """Return the columns for rows of ``width`` cells.

    Arrows and levels of branches are dropped before a text gets less than `MIN_TEXT_CELLS`.

    Args:
        width: cells of a row.
        screen_width: cells of the whole screen.
        tracks: arrow columns that the chain needs.
        digits: digits of its largest number; 0 for no column of numbers.
        lanes: its lanes in a timeline, beyond the last step if some find no column; 0 in the tree.
    """
    is_narrow, is_wide = screen_width < NARROW_BELOW_CELLS, screen_width >= WIDE_FROM_CELLS
    digits = min(4, max(2, digits)) if digits else 0
    gap, indent = (1 if is_narrow else 2) if digits else 0, (1 if is_wide else 0)
    shown, depth = min(tracks, 1 if is_narrow else 3), _columns_wanted(lanes, is_narrow=is_narrow) - 1
    margin = 0 if is_narrow else 1
    # what the cursor, the sign with a blank, and the number leave for text, arrows and branches
    room = width - margin - (1 + indent + 2 + digits + gap) - MIN_TEXT_CELLS
    shown = max(0, min(shown, room - 1))
    head = (1 if is_narrow else 2) if shown else 0
    room -= shown + head
    collapsed = COLLAPSED_CELLS if lanes > 1 + min(depth, room // 2) and room >= COLLAPSED_CELLS else 0
    return RowLayout(
        width=width,
        indent=indent,
        tracks=shown,
        head=head,
        depth=max(0, min(depth, (room - collapsed) // 2)),
        collapsed=collapsed,
        digits=digits,
        gap=gap,
        duration=0 if is_narrow else (6 if is_wide else 5),
        margin=margin,
        marks=1 if screen_width < 44 else 2,
        has_words=not is_narrow,
    )


def _columns_wanted(lanes: int, *, is_narrow: bool) -> int:
    if not lanes:
        return 1 + (3 if is_narrow else MAX_BRANCH_LEVELS)
    return (
        min(lanes, MAX_LANES_NARROW)
        if is_narrow
        else next(step for step in LANE_STEPS if step >= lanes or step == LANE_STEPS[-1])
    )
