"""How much room a width leaves for what (screens.md, "What gives way as width shrinks")."""

from msgspec import Struct

NARROW, WIDE = 60, 100
LEAST_TEXT = 16
DEEPEST = 6
"""How many levels of branches are drawn at most; deeper ones stay in the last column."""


class Layout(Struct, frozen=True, kw_only=True):
    """The columns of the rows of one chain at one width.

    ``indent`` cells stand before the arrows; ``tracks`` arrow columns are drawn, each arrow ends in ``head`` cells;
    ``depth`` levels of branches are drawn; ``digits`` is the width of a number; ``duration`` the width of the duration
    column, 0 for none.
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


def layout(width: int, *, screen: int, tracks: int, highest: int) -> Layout:
    """Return the columns for rows of ``width`` cells on a screen of ``screen`` cells.

    ``tracks`` is how many arrow columns the chain needs, ``highest`` its highest number.
    """
    is_narrow, is_wide = screen < NARROW, screen >= WIDE
    shown = min(tracks, 1 if is_narrow else 3)
    return Layout(
        width=width,
        indent=1 if is_wide else 0,
        tracks=shown,
        head=(1 if is_narrow else 2) if shown else 0,
        depth=3 if is_narrow else 6,
        digits=min(4, max(2, len(str(highest)))),
        gap=1 if is_narrow else 2,
        duration=0 if is_narrow else (6 if is_wide else 5),
        margin=0 if is_narrow else 1,
        marks=1 if screen < 44 else 2,
        has_words=not is_narrow,
    )
