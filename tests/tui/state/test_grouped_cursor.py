"""The selection in a list with headings: it stays with its name, and headings are passed over."""

from hypothesis import given
from hypothesis import strategies as st

from tui.state.grouped_cursor import HEADING, GroupedCursor

LINES = [HEADING, "a", "b", HEADING, "c", "d", "e"]


def cursor(height: int = 7, wanted: str = "") -> GroupedCursor:
    picking = GroupedCursor(wanted)
    picking.resize(height)
    picking.set_lines(LINES)
    picking.settle()
    return picking


def test_headings_are_passed_over() -> None:
    picking, seen = cursor(), list[str]()
    for _ in range(5):
        seen.append(picking.name)
        picking.move(1)

    assert seen == ["a", "b", "c", "d", "e"]
    assert picking.name == "e"


def test_the_selection_stays_with_its_name_when_that_changes_its_group() -> None:
    picking = cursor()
    picking.select_name("d")
    picking.set_lines([HEADING, "d", "a", HEADING, "b", "c", "e"])

    assert (picking.name, picking.line) == ("d", 1)


def test_what_comes_on_top_is_seen_by_who_is_at_the_top() -> None:
    picking = cursor(height=3)
    picking.set_lines([HEADING, "new", *LINES])

    assert (picking.name, picking.top) == ("a", 1)
    assert cursor(height=7).top == 0


def test_the_first_name_is_selected_until_all_names_are_known() -> None:
    picking = GroupedCursor()
    picking.resize(7)
    picking.set_lines([HEADING, "late"])
    picking.set_lines([HEADING, "early", "late"])

    assert picking.name == "early"


def test_the_wanted_name_is_selected_as_soon_as_it_is_there() -> None:
    picking = GroupedCursor("d")
    picking.resize(2)
    picking.set_lines([HEADING, "a"])
    picking.set_lines(LINES)

    assert picking.name == "d"
    assert picking.top <= picking.line < picking.top + 2


def test_a_name_that_goes_leaves_the_selection_beside_it() -> None:
    picking = cursor()
    picking.select_name("b")
    picking.set_lines([HEADING, "a", HEADING, "c"])

    assert picking.name == "c"


def test_the_heading_of_the_first_name_comes_into_view_with_it() -> None:
    picking = cursor(height=3)
    picking.move(9)
    picking.move(-9)

    assert (picking.top, picking.line) == (0, 1)


@given(
    st.lists(st.lists(st.sampled_from(["", "a", "b", "c", "d", "e", "f"]), max_size=9), max_size=5),
    st.lists(st.integers(-9, 9), max_size=5),
    st.integers(1, 6),
)
def test_whatever_comes_a_name_is_selected_and_in_view(lists: list[list[str]], moves: list[int], height: int) -> None:
    picking = GroupedCursor()
    picking.resize(height)
    for lines, rows in zip(lists, moves, strict=False):
        picking.set_lines(lines)
        picking.settle()
        picking.move(rows)

        assert bool(picking.name) == any(lines)
        assert not any(lines) or picking.top <= picking.line < picking.top + height


def test_a_name_of_several_lines_is_selected_by_any_of_them_and_passed_in_one_step() -> None:
    picking = cursor(height=9)
    picking.set_lines([HEADING, "a", "a", "b", HEADING, "c", "c", "c"])
    picking.select_line(2)
    assert (picking.name, picking.line) == ("a", 1)

    picking.move(1)
    assert (picking.name, picking.line) == ("b", 3)
    picking.move(1)
    assert (picking.name, picking.line) == ("c", 5)
    picking.move(1)
    assert (picking.name, picking.line) == ("c", 5)
