"""Where things stand on a screen of a given size (screens.md, "Narrow" and "What gives way")."""

from msgspec import Struct

WIDE = 100
LEAST_WIDTH, LEAST_HEIGHT = 40, 6
LEAST_FOR_TEXT = 14
LEAST_FOR_READING = 2
LEAST_TREE, ROWS_BESIDE_TREE = 3, 7


class Arrangement(Struct, frozen=True, kw_only=True):
    """The size of each part; a part of no size is not there."""

    is_wide: bool
    tree_width: int
    tree_height: int
    text_width: int
    text_height: int
    has_keys: bool


def arrange(width: int, height: int, *, rows: int, is_reading: bool) -> Arrangement:
    """Return where the parts stand when the tree has ``rows`` rows; reading gives the text all the room."""
    is_small = width < LEAST_WIDTH or height < LEAST_HEIGHT
    is_wide = width >= WIDE and not is_small
    below = max(0, height - 1 - is_wide)
    tree_width, tree, text_width, text = width, below, 0, 0
    if is_reading and below >= LEAST_FOR_READING:
        tree_width, tree, text_width, text = 0, 0, width, below - 1
    elif is_wide:
        text_width = min(80, max(44, round(width * 0.43)))
        tree_width, text = width - text_width - 1, below - 1
    elif not is_small and height >= LEAST_FOR_TEXT:
        tree = min(max(1, rows), max(LEAST_TREE, height - ROWS_BESIDE_TREE))
        text_width, text = width, below - tree - 1
    return Arrangement(
        is_wide=is_wide,
        tree_width=tree_width,
        tree_height=tree,
        text_width=text_width,
        text_height=text,
        has_keys=is_wide,
    )
