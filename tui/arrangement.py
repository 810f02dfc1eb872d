"""Where things stand on a screen of a given size (screens.md, "Narrow" and "What gives way")."""

from msgspec import Struct

WIDE = 100
LEAST_WIDTH, LEAST_HEIGHT = 40, 12
"""Below, one line has to do."""
LEAST_FOR_TEXT = 14
LEAST_FOR_READING = 2
LEAST_FOR_TIME, TIME_ROWS = 18, 2
LEAST_BESIDE_CHART = 11
LEAST_TREE, ROWS_BESIDE_TREE = 3, 7
LEAST_FOR_BAR = 30
"""A narrow screen so high has a row to spare for the keys."""


class Arrangement(Struct, frozen=True, kw_only=True):
    """The size of each part; a part of no size is not there. Where it ``is_line``, only the first line is.

    The last line ``has_keys``, or what is typed; where it ``has_bar``, always.
    """

    is_line: bool
    is_wide: bool
    tree_width: int
    tree_height: int
    text_width: int
    text_height: int
    chart_height: int
    time_height: int
    note_height: int
    has_keys: bool
    has_bar: bool


def pane_width(width: int) -> int:
    """Return how wide the text stands beside the tree: 43 % of the screen, 44 to 80; 0 where it does not."""
    return min(80, max(44, round(width * 0.43))) if width >= WIDE else 0


def arrange(
    width: int,
    height: int,
    *,
    rows: int,
    is_reading: bool,
    chart: int = 0,
    has_playhead: bool = False,
    has_field: bool = False,
    note: int = 0,
) -> Arrangement:
    """Return where the parts stand when the tree has ``rows`` rows and the chart would take ``chart``.

    Reading gives the text all the room. The time line is there on wide screens, on narrow ones with a playhead. With
    ``has_field`` a line is typed into: on a wide or high screen it has a place anyway. A ``note`` that is typed has so
    many rows; on a small screen that line has to do.
    """
    is_small = width < LEAST_WIDTH or height < LEAST_HEIGHT
    is_wide = width >= WIDE and not is_small
    has_time = (is_wide or has_playhead) and not is_small and not is_reading and height >= LEAST_FOR_TIME
    has_field, note = has_field or (is_small and note > 0), 0 if is_small else note
    has_bar = is_wide or (not is_small and height >= LEAST_FOR_BAR)
    has_keys = has_bar or (has_field and height > 1)
    below = max(0, height - 1 - has_keys - note - (TIME_ROWS if has_time else 0))
    is_line = is_small and not (is_reading and below >= LEAST_FOR_READING)
    tree_width, tree, text_width, text = width, below, 0, 0
    if is_line:
        tree_width, tree = 0, 0
    elif is_reading:
        tree_width, tree, text_width, text = 0, 0, width, below - 1
    elif is_wide:
        text_width = pane_width(width)
        tree_width, text = width - text_width - 1, below - 1
    elif height >= LEAST_FOR_TEXT:
        tree = min(max(1, rows), max(LEAST_TREE, below + 1 - ROWS_BESIDE_TREE))
        text_width, text = width, below - tree - 1
    has_chart = is_wide and not is_reading and 0 < chart <= text - LEAST_BESIDE_CHART
    return Arrangement(
        is_line=is_line,
        is_wide=is_wide,
        tree_width=tree_width,
        tree_height=tree,
        text_width=text_width,
        text_height=text - chart if has_chart else text,
        chart_height=chart if has_chart else 0,
        time_height=TIME_ROWS if has_time else 0,
        note_height=note,
        has_keys=has_keys,
        has_bar=has_bar,
    )
