"""Where sessions stand on the wall: a tile never moves while its session lives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.state.wall_places import WallGrid, WallPlaces, WallSession, wall_grid

KEYS = "abcdefghijklmn"


def live(keys: str) -> list[WallSession]:
    return [WallSession(key) for key in keys]


def over(key: str) -> WallSession:
    return WallSession(key, is_over=True, may_leave=True)


@st.composite
def histories(draw: st.DrawFn) -> list[list[WallSession]]:
    """Return what is on the board at several moments; each session is live, over and unread, or over and read."""
    moments: list[list[WallSession]] = []
    for _ in range(draw(st.integers(2, 8))):
        keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
        flags = [draw(st.sampled_from([(False, False), (True, False), (True, True)])) for _ in keys]
        moments.append([WallSession(key, *flag) for key, flag in zip(keys, flags, strict=True)])
    return moments


@given(histories(), st.integers(1, 9))
def test_a_session_keeps_its_place_until_it_is_gone_or_over_and_read(moments: list[list[WallSession]], n: int) -> None:
    places = WallPlaces()
    before: dict[str, int] = {}
    for sessions in moments:
        places.update(sessions, n)
        now = {key: place for place, key in enumerate(places.keys) if key is not None}
        staying = {session.key for session in sessions if not session.may_leave}

        assert {key: now.get(key) for key in staying & before.keys()} == {
            key: before[key] for key in staying & before.keys()
        }
        assert staying <= now.keys() <= {session.key for session in sessions}
        assert len(set(now.values())) == len(now)
        assert not places.keys or (places.keys[-1] is not None and places.selected_key is not None)
        before = now


def test_a_new_session_takes_the_first_free_place() -> None:
    places = WallPlaces()
    places.update(live("abc"), 6)
    places.update(live("ac"), 6)
    places.update(live("acd"), 6)

    assert places.keys == ("a", "d", "c")


def test_what_is_over_and_read_gives_way_first_and_does_not_come_back() -> None:
    places = WallPlaces()
    places.update(live("abc"), 3)
    places.update([*live("ac"), over("b"), *live("d")], 3)
    assert places.keys == ("a", "d", "c")

    places.update([*live("acd"), over("b")], 3)
    assert places.keys == ("a", "d", "c")


def test_what_is_over_and_unread_does_not_give_way_and_the_new_session_is_on_the_next_page() -> None:
    places, grid = WallPlaces(), WallGrid(1, 2)
    places.update(live("ab"), 2)
    places.update([*live("a"), WallSession("b", is_over=True), *live("c")], 2)

    assert places.keys == ("a", "b", "c")
    assert places.pages(grid) == 2
    assert places.on_page(1, grid) == ("c", None)


def test_live_sessions_come_before_those_that_are_over() -> None:
    places = WallPlaces()
    places.update([over("a"), *live("b"), over("c"), *live("d")], 6)

    assert places.keys == ("b", "d", "a", "c")


def test_the_selection_moves_between_used_places_and_over_the_edges_of_a_page() -> None:
    places, grid = WallPlaces(), WallGrid(2, 2)
    places.update(live("abcdef"), 4)
    places.update(live("acdef"), 4)

    places.move(1, 0, grid)
    assert places.selected_key == "a"  # the place beside it is free, and there is no other in the row
    places.move(0, 1, grid)
    assert places.selected_key == "c"
    places.move(1, 0, grid)
    assert places.selected_key == "d"
    places.move(0, 1, grid)
    assert (places.selected_key, places.page_of_selection(grid)) == ("f", 1)
    places.turn(-1, grid)
    assert places.selected_key == "a"
    places.turn(-1, grid)
    assert places.selected_key == "a"
    places.turn(1, grid)
    assert places.selected_key == "e"


def test_a_session_may_be_selected_before_it_has_a_place() -> None:
    places = WallPlaces()
    places.select("c")
    places.update(live("ab"), 6)
    assert places.selected_key == "a"

    places.update(live("abc"), 6)
    assert places.selected_key == "c"


@pytest.mark.parametrize(
    ("size", "grid"),
    [((120, 33), (2, 3)), ((44, 18), (1, 6)), ((80, 22), (2, 3)), ((200, 58), (3, 2)), ((20, 5), (1, 1))],
)
def test_six_sessions_have_places_on_screens_of_every_size(size: tuple[int, int], grid: tuple[int, int]) -> None:
    assert wall_grid(*size, 6) == grid


@given(st.integers(1, 400), st.integers(1, 120), st.lists(st.integers(0, 400), min_size=2, max_size=5))
def test_more_places_used_never_change_the_columns_nor_take_rows_away(cells: int, height: int, used: list[int]) -> None:
    grids = [wall_grid(cells, height, count) for count in sorted(used)]

    assert len({grid.columns for grid in grids}) == 1
    assert [grid.rows for grid in grids] == sorted(grid.rows for grid in grids)
    assert all(1 <= grid.rows <= height for grid in grids)


def test_the_user_s_grid_is_taken_where_there_is_room() -> None:
    assert wall_grid(120, 33, 0, (3, 2)) == (3, 2)
    assert wall_grid(40, 10, 0, (9, 9)) == (2, 3)
