"""Computes the size of each part of the screen (docs/screens.md, "Narrow" and "What gives way as width shrinks")."""

from msgspec import Struct

from seqthink.drawing.text.row_layout import WIDE_FROM_CELLS

MIN_SCREEN_CELLS, MIN_SCREEN_ROWS = 28, 8
"""Below either, the screen shows a single status line."""
MIN_READING_ROWS = 2
"""Rows without which a small screen cannot show the text alone."""
MIN_ROWS_WITH_SCRUBBER, SCRUBBER_ROWS = 18, 2
MIN_TEXT_ROWS_WITH_CHART = 11
"""Rows of text that must remain below a chart."""
MIN_TREE_ROWS, RESERVED_TEXT_ROWS = 3, 7
"""Rows that a narrow tree has at least, and those of the text and its heading; on a low screen each has half."""
MIN_ROWS_WITH_KEY_LINE = 30
"""A narrow screen of at least this height has a row to spare for the key line."""


class ScreenLayout(Struct, frozen=True, kw_only=True):
    """The size of each part in cells and rows; 0 hides the part."""

    is_single_line: bool
    """Only the status line is shown."""
    is_wide: bool
    """The text is beside the tree, not below it."""
    tree_width: int
    map_width: int
    """The map beside the tree."""
    tree_height: int
    text_width: int
    text_height: int
    chart_height: int
    """Rows of the estimate chart with its heading."""
    scrubber_height: int
    question_height: int
    """Rows of a question to the user, or of what is done now."""
    note_height: int
    """Rows of the note input with its prompt."""
    has_key_line: bool
    """The last line shows keys or a text input."""
    has_permanent_key_line: bool
    """The key line is shown even without a text input."""


def text_pane_width(width: int) -> int:
    """Return the width of the text pane in cells: 43 % of the screen, 44 to 80; 0 on a narrow screen."""
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
    question_rows: int = 0,
    map_cells: int = 0,
) -> ScreenLayout:
    """Return the layout for a screen of ``width`` cells by ``height`` rows.

    While reading, the text takes all the room. The scrubber is shown on wide screens, on narrow ones only with a
    playhead.

    Args:
        width: of the screen, in cells.
        height: of the screen, in rows.
        tree_rows: rows that the whole tree would take.
        is_reading: the text takes all the room.
        chart_rows: rows that the chart would take; 0 for none.
        has_playhead: a replay, or the past of a live session, is shown.
        has_input: a search or filter is being typed; wide and high screens always have a line for it.
        note_rows: rows of an open note input; a small screen has one line for it instead.
        question_rows: rows of a question to the user, or of what is done now, below the status line.
        map_cells: width of the map, which it takes from the tree; 0 for none.
    """
    is_small = width < MIN_SCREEN_CELLS or height < MIN_SCREEN_ROWS
    is_wide = width >= WIDE_FROM_CELLS and not is_small
    has_scrubber = (is_wide or has_playhead) and not is_small and not is_reading and height >= MIN_ROWS_WITH_SCRUBBER
    has_input, note_rows = has_input or (is_small and note_rows > 0), 0 if is_small else note_rows
    question_rows = 0 if is_small else question_rows
    has_permanent_key_line = is_wide or (not is_small and height >= MIN_ROWS_WITH_KEY_LINE)
    has_key_line = has_permanent_key_line or (has_input and height > 1)
    body_rows = max(0, height - 1 - has_key_line - note_rows - question_rows - (SCRUBBER_ROWS if has_scrubber else 0))
    is_single_line = is_small and not (is_reading and body_rows >= MIN_READING_ROWS)
    tree_width, tree_height, text_width, text_height = width, body_rows, 0, 0
    if is_single_line:
        tree_width, tree_height = 0, 0
    elif is_reading:
        tree_width, tree_height, text_width, text_height = 0, 0, width, body_rows - 1
    elif is_wide:
        text_width = text_pane_width(width)
        tree_width, text_height = width - text_width - 1, body_rows - 1
    else:
        most = max(MIN_TREE_ROWS, body_rows // 2, body_rows + 1 - RESERVED_TEXT_ROWS)
        tree_height = min(max(1, tree_rows), most)
        text_width, text_height = width, body_rows - tree_height - 1
    has_chart = is_wide and not is_reading and 0 < chart_rows <= text_height - MIN_TEXT_ROWS_WITH_CHART
    map_width = map_cells if tree_height else 0
    return ScreenLayout(
        is_single_line=is_single_line,
        is_wide=is_wide,
        tree_width=tree_width - map_width,
        map_width=map_width,
        tree_height=tree_height,
        text_width=text_width,
        text_height=text_height - chart_rows if has_chart else text_height,
        chart_height=chart_rows if has_chart else 0,
        scrubber_height=SCRUBBER_ROWS if has_scrubber else 0,
        question_height=0 if is_single_line else question_rows,
        note_height=note_rows,
        has_key_line=has_key_line,
        has_permanent_key_line=has_permanent_key_line,
    )
