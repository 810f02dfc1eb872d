"""Which session has which place on the wall: no tile moves while its session lives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.state.wall_places import WallGrid, WallPlaces, WallSession, wall_grid

KEYS = "abcdefghijklmn"
ROW_OF_SIX = WallGrid(6, 1)


def live(keys: str) -> list[WallSession]:
    return [WallSession(key) for key in keys]


def brief(key: str, changed: int = 0, *, is_unread: bool = False) -> WallSession:
    return WallSession(key, is_brief=True, is_unread=is_unread, changed=changed)


def placed(*moments: list[WallSession], grid: WallGrid = ROW_OF_SIX) -> WallPlaces:
    places = WallPlaces()
    for sessions in moments:
        places.update(sessions, grid)
    return places


@st.composite
def histories(draw: st.DrawFn) -> list[list[WallSession]]:
    """Return what is on the wall at several moments; each session has a tile, or a line, read or not."""
    moments: list[list[WallSession]] = []
    for _ in range(draw(st.integers(2, 8))):
        keys = draw(st.lists(st.sampled_from(KEYS), unique=True))
        moments.append([WallSession(key, draw(st.booleans()), draw(st.booleans()), ord(key)) for key in keys])
    return moments


@given(histories(), st.integers(1, 3), st.integers(1, 3))
def test_a_tile_on_the_first_page_keeps_its_place_while_its_session_lives(
    moments: list[list[WallSession]], columns: int, rows: int
) -> None:
    places, grid = WallPlaces(), WallGrid(columns, rows)
    before: dict[str, int] = {}
    for sessions in moments:
        places.update(sessions, grid)
        now = {key: place for place, key in enumerate(places.tiles) if key is not None and place < grid.places}
        living = {session.key for session in sessions if not session.is_brief}
        kept = living & before.keys()

        assert {key: now.get(key) for key in kept} == {key: before[key] for key in kept}
        assert sorted([*filter(None, places.tiles), *places.brief]) == sorted(session.key for session in sessions)
        assert len(places.tiles) <= grid.places or None not in places.tiles[: grid.places]
        assert (places.selected_key is None) == (not sessions)
        before = now


def test_a_new_session_takes_the_first_free_place() -> None:
    assert placed(live("abc"), live("ac"), live("acd")).keys == ("a", "d", "c")


def test_a_session_that_shrinks_to_a_line_has_its_tile_back_when_it_wakes_up() -> None:
    shrunk = placed(live("abc"), [*live("ac"), brief("b")])
    assert (shrunk.tiles, shrunk.brief) == (("a", None, "c"), ("b",))

    shrunk.update(live("abc"), ROW_OF_SIX)
    assert (shrunk.tiles, shrunk.brief) == (("a", "b", "c"), ())


def test_a_new_session_takes_the_place_of_a_line_only_where_no_other_is_free_and_read_ones_give_way_first() -> None:
    first = [*live("a"), brief("b", 1, is_unread=True), brief("c", 2)]
    places = placed(first, grid=WallGrid(2, 2))
    places.update([*first, *live("d")], WallGrid(2, 2))
    assert places.keys.index("d") == 3

    places.update([*first, *live("de")], WallGrid(2, 2))
    assert (places.keys.index("e"), places.brief) == (2, ("c", "b"))
    places.update([*live("ade"), brief("b", 1), *live("c")], WallGrid(2, 2))
    assert places.keys == ("a", "c", "e", "d")


def test_a_new_session_goes_where_the_fewest_tiles_share_the_room() -> None:
    resting = [*live("ac"), brief("b"), brief("d")]
    places = placed(live("abcd"), resting, [*resting, *live("e")], grid=WallGrid(2, 3))

    assert places.tiles == ("a", None, "c", None, None, "e")


def test_a_tile_of_another_page_comes_to_the_first_one_when_there_is_room() -> None:
    pages = placed(live("abc"), grid=WallGrid(2, 1))
    assert pages.tiles == ("a", "b", "c")

    pages.update([brief("a"), *live("bc")], WallGrid(2, 1))
    assert (pages.tiles, pages.brief) == (("c", "b"), ("a",))


def test_where_all_have_ended_the_newest_has_the_room() -> None:
    places = placed([brief("a", 1), brief("b", 3), brief("c", 2)])

    assert ([key for key in places.tiles if key], places.brief) == (["b"], ("c", "a"))


def test_lines_begin_with_what_ended_last() -> None:
    assert placed([*live("a"), brief("b", 1), brief("c", 3), brief("d", 2)]).brief == ("c", "d", "b")


def test_a_session_may_be_selected_before_it_has_a_place() -> None:
    places = WallPlaces()
    places.select("c")
    places.update(live("ab"), ROW_OF_SIX)
    assert places.selected_key == "a"

    places.update(live("abc"), ROW_OF_SIX)
    assert places.selected_key == "c"


def test_the_selection_goes_with_its_session_to_a_line_and_to_a_neighbour_when_that_is_gone() -> None:
    places = placed(live("abc"))
    places.select("b")
    places.update([*live("ac"), brief("b")], ROW_OF_SIX)
    assert places.selected_key == "b"

    places.update(live("ac"), ROW_OF_SIX)
    assert places.selected_key == "c"


@pytest.mark.parametrize(
    ("size", "grid"),
    [
        ((120, 33), (2, 3)),
        ((44, 18), (1, 6)),
        ((80, 22), (2, 3)),
        ((200, 58), (3, 5)),
        ((39, 18), (1, 6)),
        ((28, 8), (1, 2)),
    ],
)
def test_six_sessions_have_places_on_all_but_the_smallest_screens(size: tuple[int, int], grid: tuple[int, int]) -> None:
    assert wall_grid(*size) == grid


def test_the_user_s_grid_is_taken_where_there_is_room() -> None:
    assert wall_grid(120, 33, (3, 2)) == (3, 2)
    assert wall_grid(40, 10, (9, 9)) == (2, 3)


def numbers(places: WallPlaces) -> dict[str, int]:
    shown = [*filter(None, places.tiles), *places.brief]
    return {key: places.number_of(key) for key in shown}


def test_lines_without_a_place_have_the_numbers_that_are_left_as_long_as_they_are() -> None:
    resting = [brief(key, number) for number, key in enumerate("cdefgh")]
    places = placed([*live("ab"), *resting], grid=WallGrid(2, 1))
    assert numbers(places) == {"a": 1, "b": 2, "h": 3, "g": 4, "f": 5, "e": 6, "d": 7, "c": 8}

    places.update([*live("abx"), *resting[1:], brief("i", 9), brief("k", 8), brief("l", 7)], WallGrid(2, 1))
    assert numbers(places) == {"a": 1, "b": 2, "x": 3, "g": 4, "f": 5, "e": 6, "d": 7, "i": 8, "k": 9, "l": 0, "h": 0}
    assert [places.key_of(number) for number in (3, 9)] == ["x", "k"]
    assert (places.last_number, placed([]).last_number) == (9, 0)


@given(histories(), st.integers(1, 3), st.integers(1, 3))
def test_a_number_opens_one_session_and_nine_are_given_where_there_are_nine(
    moments: list[list[WallSession]], columns: int, rows: int
) -> None:
    places = WallPlaces()
    for sessions in moments:
        places.update(sessions, WallGrid(columns, rows))
        given_ones = sorted(filter(None, numbers(places).values()))

        assert len({*given_ones}) == len(given_ones)
        assert all(places.number_of(places.key_of(number) or "") == number for number in given_ones)
        assert len(given_ones) == min(9, len(sessions)) or len(places.keys) > 9
