"""How much room a width leaves for what (screens.md, "What gives way as width shrinks")."""

from msgspec import Struct

NARROW_BELOW_CELLS, WIDE_FROM_CELLS = 60, 100
MIN_TEXT_CELLS = 16
MAX_BRANCH_LEVELS = 6
"""How many levels of branches are drawn at most; deeper ones stay in the last column."""

MAX_LANES_NARROW = 4
LANE_STEPS = (1, 3, 5, 8)
"""How many lanes a timeline makes room for, so that not every branch moves all texts."""


class RowLayout(Struct, frozen=True, kw_only=True):
    """The columns of the rows of one chain at one width.

    ``indent`` cells stand before the arrows; ``tracks`` arrow columns are drawn, each arrow ends in ``head`` cells;
    ``depth`` levels of branches are drawn, in a timeline as many lanes beside the first; ``digits`` is the width of a
    number; ``duration`` the width of the duration column, 0 for none.
    """

    width: int
    indent: int
    tracks: int
    head: int
    depth: int
    digits: int
    gap: int
    duration: int
    margin: int
    marks: int
    has_words: bool


def row_layout(width: int, *, screen_width: int, tracks: int, digits: int, lanes: int = 0) -> RowLayout:
    """Return the columns for rows of ``width`` cells on a screen of ``screen`` cells.

    ``tracks`` is how many arrow columns the chain needs, ``digits`` how many cells its numbers, ``lanes`` how
    many lanes it has in a timeline. Arrows and levels of branches give way before a text has less than its least room.
    """
    is_narrow, is_wide = screen_width < NARROW_BELOW_CELLS, screen_width >= WIDE_FROM_CELLS
    digits = min(4, max(2, digits))
    gap, indent = (1 if is_narrow else 2), (1 if is_wide else 0)
    shown, depth = min(tracks, 1 if is_narrow else 3), _columns_wanted(lanes, is_narrow=is_narrow) - 1
    margin = 0 if is_narrow else 1
    # the cursor, a node and the blank behind it, the number: what is left over is for the text, arrows and branches
    room = width - margin - (1 + indent + 2 + digits + gap) - MIN_TEXT_CELLS
    shown = max(0, min(shown, room - 1))
    head = (1 if is_narrow else 2) if shown else 0
    return RowLayout(
        width=width,
        indent=indent,
        tracks=shown,
        head=head,
        depth=max(0, min(depth, (room - shown - head) // 2)),
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
    return min(lanes, MAX_LANES_NARROW) if is_narrow else next(step for step in LANE_STEPS if step >= lanes)
