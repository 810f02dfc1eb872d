"""Where things stand on a screen of a given size (screens.md, "Narrow" and "What gives way")."""

from msgspec import Struct

WIDE = 100
LEAST_WIDTH, LEAST_HEIGHT = 40, 6
LEAST_FOR_TEXT = 14
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
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return Arrangement(
            is_wide=False, tree_width=width, tree_height=max(0, height - 1), text_width=0, text_height=0, has_keys=False
        )
    is_wide = width >= WIDE
    below = height - 1 - is_wide
    if is_reading:
        return Arrangement(
            is_wide=is_wide, tree_width=0, tree_height=0, text_width=width, text_height=below - 1, has_keys=is_wide
        )
    if is_wide:
        text = min(80, max(44, round(width * 0.43)))
        return Arrangement(
            is_wide=True,
            tree_width=width - text - 1,
            tree_height=below,
            text_width=text,
            text_height=below - 1,
            has_keys=True,
        )
    if height < LEAST_FOR_TEXT:
        return Arrangement(
            is_wide=False, tree_width=width, tree_height=below, text_width=0, text_height=0, has_keys=False
        )
    tree = min(max(1, rows), max(LEAST_TREE, height - ROWS_BESIDE_TREE))
    return Arrangement(
        is_wide=False,
        tree_width=width,
        tree_height=tree,
        text_width=width,
        text_height=below - tree - 1,
        has_keys=False,
    )
