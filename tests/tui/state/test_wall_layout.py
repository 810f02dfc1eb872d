"""Where tiles and lines are: they share the whole screen, and who shrinks gives its room to its neighbours."""

from collections import Counter
from itertools import product
from string import ascii_lowercase

from hypothesis import given
from hypothesis import strategies as st

from tui.state.wall_layout import WallBox, WallLayout, wall_layout
from tui.state.wall_places import WallGrid, wall_grid

GRID = WallGrid(2, 3)


def laid_out(tiles: str, brief: str = "", *, page: int = 0, selected: str | None = None) -> WallLayout:
    """Return the wall of 80 by 22 cells; a dot is a place without a tile."""
    keys = [key if key != "." else None for key in tiles]
    return wall_layout((80, 22), GRID, keys, brief, page=page, selected=selected)


def _across(box: WallBox) -> range:
    return range(box.x, box.x + box.cells)


def _down(box: WallBox) -> range:
    return range(box.y, box.y + box.rows)


def rows_of(layout: WallLayout) -> dict[str, int]:
    return {box.key: box.rows for box in layout.boxes}


@given(
    st.integers(1, 240),
    st.integers(1, 80),
    st.lists(st.sampled_from([*ascii_lowercase, None]), max_size=26),
    st.integers(0, 40),
    st.integers(0, 9),
)
def test_tiles_and_lines_cover_each_cell_once_at_every_size(
    cells: int, height: int, tiles: list[str | None], lines: int, page: int
) -> None:
    tiles = [f"{key}{place}" if key is not None else None for place, key in enumerate(tiles)]
    while tiles and tiles[-1] is None:
        tiles.pop()
    brief = [str(number) for number in range(lines)]
    layout = wall_layout((cells, height), wall_grid(cells, height), tiles, brief, page=page)
    covered = Counter(cell for box in layout.boxes for cell in product(_across(box), _down(box)))

    assert set(covered.values()) <= {1}
    assert all(x in range(cells) and y in range(height) for x, y in covered)
    assert len({sum(box.rows for box in column) for column in layout.columns}) <= 1
    for box in layout.boxes:
        assert layout.at(box.x, box.y) == box.key or not (box.cells and box.rows)


@given(st.integers(0, 30), st.integers(0, 40), st.integers(20, 200), st.integers(6, 60))
def test_all_sessions_are_on_some_page(tiles: int, lines: int, cells: int, height: int) -> None:
    keys, brief = [f"t{number}" for number in range(tiles)], [f"l{number}" for number in range(lines)]
    grid = wall_grid(cells, height)
    first = wall_layout((cells, height), grid, keys, brief)
    pages = [wall_layout((cells, height), grid, keys, brief, page=page) for page in range(first.pages)]

    assert {key for page in pages for key in page.keys} == {*keys, *brief}
    for key in (*keys, *brief):
        assert key in wall_layout((cells, height), grid, keys, brief, selected=key).keys


def test_who_shrinks_to_a_line_gives_its_rows_to_its_column_and_no_other_tile_moves_sideways() -> None:
    before, after = laid_out("abcdef"), laid_out("ab.def", "c")

    assert rows_of(before) == dict.fromkeys("abcdef", 7) | {"a": 8, "b": 8}
    assert rows_of(after) == {"a": 11, "e": 10, "b": 7, "d": 7, "f": 7, "c": 1}
    assert {box.key: (box.x, box.cells) for box in before.boxes if box.key in "abdef"} == {
        box.key: (box.x, box.cells) for box in after.boxes if box.key in "abdef"
    }


def test_a_column_without_tiles_gives_its_width_to_the_others() -> None:
    assert [(box.key, box.cells) for column in laid_out("a.c", "b").columns for box in column] == [("a", 80), ("c", 80)]


def test_many_lines_take_a_quarter_of_the_height_and_the_rest_has_pages_of_its_own() -> None:
    first, second = laid_out("ab", ascii_lowercase[2:]), laid_out("ab", ascii_lowercase[2:], page=1)

    assert (len(first.lines), first.pages) == (5, 2)
    assert (len(second.lines), second.columns) == (7, ())
    assert [box.key for row in second.lines for box in row] == list("mnopqrstuvwxyz")


def test_each_page_of_tiles_has_lines_beside_them() -> None:
    first, second = laid_out("abcdefgh", "ijklmnopq"), laid_out("abcdefgh", "ijklmnopq", page=1)

    assert [box.key for row in first.lines for box in row] == list("ijklmnop")
    assert [box.key for column in second.columns for box in column] == ["g", "h"]
    assert [box.key for row in second.lines for box in row] == ["q"]


def test_lines_leave_each_band_the_row_of_what_it_does_now() -> None:
    layout = wall_layout((39, 18), wall_grid(39, 18), "abcdef", "ghijk")

    assert len(layout.lines) == 1
    assert [box.rows for box in layout.columns[0]] == [3, 3, 3, 3, 3, 2]


def test_where_nothing_lives_lines_have_all_the_room() -> None:
    assert len(laid_out("", ascii_lowercase).lines) == 13


def test_arrows_go_to_the_next_tile_or_line_in_their_direction() -> None:
    layout = laid_out("ab.d", "ce")

    def path(start: str, *steps: tuple[int, int]) -> str:
        found = start
        for columns, rows in steps:
            found += layout.beside(found[-1], columns, rows) or "|"
        return found

    assert path("a", (1, 0), (0, 1), (0, 1)) == "abde"
    assert path("e", (-1, 0), (0, -1)) == "eca"
    assert path("c", (0, 1)) == "c|"
    assert path("a", (-1, 0)) == "a|"
    assert layout.beside(None, 0, 1) == "a"


def test_the_page_is_that_of_the_selection() -> None:
    lines = ascii_lowercase[2:]

    assert laid_out("ab", lines, selected="z").page == 1
    assert laid_out("ab", lines, page=1, selected="a").page == 0
    assert laid_out("ab", lines, page=1, selected="c").page == 0
    assert laid_out("ab", lines, page=9, selected="nobody").page == 1
