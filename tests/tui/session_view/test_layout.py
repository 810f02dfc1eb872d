"""Where the parts of the screen stand, at every size."""

import pytest

from tui.session_view.layout import ScreenLayout, compute_layout

WIDTHS = (1, 2, 20, 27, 28, 39, 40, 43, 44, 59, 60, 80, 99, 100, 102, 103, 120, 185, 187, 200, 240)
HEIGHTS = (1, 2, 3, 5, 7, 8, 11, 12, 13, 14, 20, 24, 29, 30, 35, 70)
ROWS = (0, 1, 2, 3, 8, 13, 60, 1_000_000)


def _all() -> list[tuple[int, int, int, ScreenLayout, ScreenLayout]]:
    return [
        (
            width,
            height,
            rows,
            compute_layout(
                width, height, tree_rows=rows, is_reading=False, chart_rows=chart, has_playhead=has_playhead
            ),
            compute_layout(width, height, tree_rows=rows, is_reading=True, chart_rows=chart, has_playhead=has_playhead),
        )
        for width in WIDTHS
        for height in HEIGHTS
        for rows in ROWS
        for chart, has_playhead in ((0, False), (9, False), (10, True))
    ]


def test_the_parts_fill_the_screen_exactly_and_no_more() -> None:
    for width, height, _, *both in _all():
        for at in both:
            # below each other: the state line, then the body, the time line and the keys
            body = height - 1 - at.scrubber_height - at.has_key_line
            text = at.text_height + at.chart_height + (at.text_height > 0)
            if at.is_single_line:
                assert (at.tree_height, at.text_height, at.chart_height, at.scrubber_height) == (0, 0, 0, 0)
            elif at.is_wide and at.tree_height and at.text_height:
                assert at.tree_width + 1 + at.text_width == width
                assert at.tree_height == text == body
            else:
                assert at.tree_height + text == max(0, body)
                assert at.tree_width in {0, width}
                assert at.text_width in {0, width}


def test_no_part_is_smaller_than_nothing() -> None:
    for *_, at, reading in _all():
        for one in (at, reading):
            sizes = (one.tree_width, one.tree_height, one.text_width, one.text_height, one.chart_height)
            assert min(sizes) >= 0


@pytest.mark.parametrize(("width", "height"), [(27, 30), (20, 5), (120, 5), (44, 7), (1, 1)])
def test_a_small_screen_has_one_line(width: int, height: int) -> None:
    at = compute_layout(width, height, tree_rows=50, is_reading=False)

    assert at.is_single_line
    assert (at.tree_height, at.text_height, at.scrubber_height, at.has_key_line, at.is_wide) == (0, 0, 0, False, False)


@pytest.mark.parametrize(
    ("width", "height", "tree", "text"), [(28, 8, 3, 3), (99, 8, 3, 3), (39, 12, 5, 5), (44, 13, 6, 5), (39, 20, 13, 5)]
)
def test_a_low_screen_has_half_of_its_rows_for_the_tree_and_half_for_the_text(
    width: int, height: int, tree: int, text: int
) -> None:
    at = compute_layout(width, height, tree_rows=50, is_reading=False)

    assert (at.tree_width, at.tree_height, at.text_height) == (width, tree, text)
    assert (at.has_key_line, at.is_single_line) == (False, False)


def test_a_question_takes_its_row_from_the_text_and_no_screen_is_one_line_because_of_it() -> None:
    at = compute_layout(28, 8, tree_rows=50, is_reading=False, question_rows=1)

    assert (at.is_single_line, at.tree_height, at.text_height) == (False, 3, 2)


@pytest.mark.parametrize(("width", "height"), [(27, 30), (20, 5), (44, 13), (20, 3)])
def test_enter_is_the_way_to_the_text_of_a_small_screen(width: int, height: int) -> None:
    at = compute_layout(width, height, tree_rows=50, is_reading=True)

    assert (at.text_width, at.text_height) == (width, height - 2)
    assert (at.tree_height, at.is_single_line) == (0, False)


def test_a_screen_with_no_room_for_text_keeps_its_line() -> None:
    at = compute_layout(44, 2, tree_rows=50, is_reading=True)

    assert (at.is_single_line, at.text_height) == (True, 0)


@pytest.mark.parametrize("height", [12, 14, 20])
def test_a_line_to_type_into_takes_one_row_and_moves_nothing_else(height: int) -> None:
    without, typing = (
        compute_layout(44, height, tree_rows=3, is_reading=False, has_input=field) for field in (False, True)
    )

    assert typing.is_single_line == without.is_single_line
    assert (typing.text_height > 0) == (without.text_height > 0)
    assert typing.has_key_line


@pytest.mark.parametrize(
    ("width", "height", "has_bar"), [(44, 29, False), (44, 30, True), (27, 30, False), (99, 70, True)]
)
@pytest.mark.parametrize("is_reading", [True, False])
def test_a_narrow_screen_has_a_line_of_keys_from_30_rows(
    width: int, height: int, has_bar: bool, is_reading: bool
) -> None:
    for has_field in (False, True):
        at = compute_layout(width, height, tree_rows=900, is_reading=is_reading, has_input=has_field)

        assert at.has_permanent_key_line == has_bar
        assert at.has_key_line == (has_bar or has_field)


def test_the_screen_is_wide_from_100_columns() -> None:
    assert not compute_layout(99, 30, tree_rows=5, is_reading=False).is_wide
    assert compute_layout(100, 30, tree_rows=5, is_reading=False).is_wide


@pytest.mark.parametrize(("width", "text"), [(100, 44), (102, 44), (120, 52), (160, 69), (186, 80), (240, 80)])
def test_the_text_of_a_wide_screen_has_43_percent_within_its_bounds(width: int, text: int) -> None:
    assert compute_layout(width, 35, tree_rows=5, is_reading=False).text_width == text


@pytest.mark.parametrize(
    ("height", "rows", "tree"),
    [(20, 7, 7), (20, 11, 11), (20, 13, 13), (20, 14, 13), (20, 900, 13), (14, 900, 7), (20, 1, 1), (20, 0, 1)],
)
def test_a_narrow_tree_takes_the_rows_it_needs_and_leaves_seven(height: int, rows: int, tree: int) -> None:
    assert compute_layout(44, height, tree_rows=rows, is_reading=False).tree_height == tree


def test_reading_gives_the_text_all_the_room() -> None:
    narrow, wide = (compute_layout(width, 29, tree_rows=9, is_reading=True) for width in (44, 120))

    assert (narrow.tree_height, narrow.text_width, narrow.text_height) == (0, 44, 27)
    assert (wide.tree_height, wide.text_width, wide.text_height) == (0, 120, 26)
    assert wide.has_key_line


def test_a_chart_is_there_on_a_wide_screen_with_room_beneath_the_text() -> None:
    tall, low, narrow = (
        compute_layout(width, height, tree_rows=9, is_reading=False, chart_rows=10)
        for width, height in ((120, 35), (120, 22), (80, 60))
    )

    assert (tall.chart_height, tall.text_height) == (10, 20)
    assert (low.chart_height, narrow.chart_height) == (0, 0)


def test_a_scrubber_is_there_on_a_wide_screen_and_on_a_narrow_one_in_a_replay() -> None:
    def time(width: int, height: int, *, has_playhead: bool, is_reading: bool = False) -> int:
        return compute_layout(
            width, height, tree_rows=9, is_reading=is_reading, has_playhead=has_playhead
        ).scrubber_height

    assert time(120, 35, has_playhead=False) == 2
    assert time(44, 20, has_playhead=False) == 0
    assert time(44, 20, has_playhead=True) == 2
    assert time(120, 35, has_playhead=False, is_reading=True) == 0
    assert time(120, 12, has_playhead=True) == 0
