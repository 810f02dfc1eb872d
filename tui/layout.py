"""Where things stand on a screen of a given size (screens.md, "Narrow" and "What gives way")."""

from msgspec import Struct

WIDE_FROM_CELLS = 100
MIN_SCREEN_CELLS, MIN_SCREEN_ROWS = 40, 12
"""Below, one line has to do."""
MIN_ROWS_WITH_TEXT = 14
MIN_READING_ROWS = 2
MIN_ROWS_WITH_SCRUBBER, SCRUBBER_ROWS = 18, 2
MIN_TEXT_ROWS_WITH_CHART = 11
MIN_TREE_ROWS, RESERVED_TEXT_ROWS = 3, 7
MIN_ROWS_WITH_KEY_LINE = 30
"""A narrow screen so high has a row to spare for the keys."""


class ScreenLayout(Struct, frozen=True, kw_only=True):
    """The size of each part; a part of no size is not there. Where it ``is_line``, only the first line is.

    The last line ``has_keys``, or what is typed; where it ``has_bar``, always.
    """

    is_single_line: bool
    is_wide: bool
    tree_width: int
    tree_height: int
    text_width: int
    text_height: int
    chart_height: int
    scrubber_height: int
    note_height: int
    has_key_line: bool
    has_permanent_key_line: bool


def text_pane_width(width: int) -> int:
    """Return how wide the text stands beside the tree: 43 % of the screen, 44 to 80; 0 where it does not."""
    return min(80, max(44, round(width * 0.43))) if width >= WIDE_FROM_CELLS else 0


def compute_layout(
    width: int,
    height: int,
    *,
    tree_rows: int,
    is_reading: bool,
    chart_rows: int = 0,
    has_playhead: bool = False,
    has_input: bool = False,
    note_rows: int = 0,
) -> ScreenLayout:
    """Return where the parts stand when the tree has ``rows`` rows and the chart would take ``chart``.

    Reading gives the text all the room. The time line is there on wide screens, on narrow ones with a playhead. With
    ``has_field`` a line is typed into: on a wide or high screen it has a place anyway. A ``note`` that is typed has so
    many rows; on a small screen that line has to do.
    """
    is_small = width < MIN_SCREEN_CELLS or height < MIN_SCREEN_ROWS
    is_wide = width >= WIDE_FROM_CELLS and not is_small
    has_time = (is_wide or has_playhead) and not is_small and not is_reading and height >= MIN_ROWS_WITH_SCRUBBER
    has_input, note_rows = has_input or (is_small and note_rows > 0), 0 if is_small else note_rows
    has_bar = is_wide or (not is_small and height >= MIN_ROWS_WITH_KEY_LINE)
    has_keys = has_bar or (has_input and height > 1)
    below = max(0, height - 1 - has_keys - note_rows - (SCRUBBER_ROWS if has_time else 0))
    is_line = is_small and not (is_reading and below >= MIN_READING_ROWS)
    tree_width, tree, text_width, text = width, below, 0, 0
    if is_line:
        tree_width, tree = 0, 0
    elif is_reading:
        tree_width, tree, text_width, text = 0, 0, width, below - 1
    elif is_wide:
        text_width = text_pane_width(width)
        tree_width, text = width - text_width - 1, below - 1
    elif height >= MIN_ROWS_WITH_TEXT:
        tree = min(max(1, tree_rows), max(MIN_TREE_ROWS, below + 1 - RESERVED_TEXT_ROWS))
        text_width, text = width, below - tree - 1
    has_chart = is_wide and not is_reading and 0 < chart_rows <= text - MIN_TEXT_ROWS_WITH_CHART
    return ScreenLayout(
        is_single_line=is_line,
        is_wide=is_wide,
        tree_width=tree_width,
        tree_height=tree,
        text_width=text_width,
        text_height=text - chart_rows if has_chart else text,
        chart_height=chart_rows if has_chart else 0,
        scrubber_height=SCRUBBER_ROWS if has_time else 0,
        note_height=note_rows,
        has_key_line=has_keys,
        has_permanent_key_line=has_bar,
    )
