"""Going back in a session that is watched, and returning to its present."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import HOST, after, running_viewer
from tests.tui.session_view.playback.conftest import (
    LATER,
    NARROW,
    WIDE,
    Clock,
    append,
    axis_of,
    is_in_past,
    is_playing,
    place,
    straight,
    timed,
    watching,
    write,
)


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_a_step_back_from_the_present_pauses_in_the_past(tmp_path: Path, size: tuple[int, int]) -> None:
    async with watching(write(straight(5), tmp_path), size) as stage:
        present = stage.text
        await stage.press("comma")
        assert (place(stage), is_playing(stage)) == ((4, 5), False)
        assert "Step 4" in stage.cursor
        assert "Step 5" not in stage.text
        assert "╋▁" in stage.lines[-1 - (size is WIDE)]  # what is to come on the time line, also on a narrow screen
        assert ("live, in the past" in stage.lines[0]) == (size is WIDE)

        await stage.press("full_stop")
        assert stage.text == present


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE, (80, 24)]))
@pytest.mark.parametrize("key", first(1, ["end", "f"]))
async def test_what_arrives_meanwhile_is_counted_until_the_return(
    tmp_path: Path, size: tuple[int, int], key: str
) -> None:
    journal = straight(8)
    path = write(journal, tmp_path, lines=6)
    async with watching(path, size) as stage:
        await stage.press("comma", "comma")
        assert "new · f" not in stage.text
        append(path, journal.lines[6:])
        await stage.shows("3 new · f", "3 of 8")
        assert "Step 3" in stage.cursor
        assert "Step 4" not in stage.text

        await stage.press("comma")
        assert "3 new · f" in stage.text
        assert place(stage) == (2, 8)

        await stage.press(key)
        assert not is_in_past(stage)
        assert "Step 8" in stage.cursor
        assert "new · f" not in stage.text


async def test_steps_forward_to_the_end_return_to_the_present(tmp_path: Path) -> None:
    async with watching(write(straight(5), tmp_path)) as stage:
        await stage.press("home")
        places: list[int] = []
        while is_in_past(stage):
            places.append(place(stage)[0])
            await stage.press("full_stop")
        assert places == [1, 2, 3, 4]
        assert "Step 5" in stage.cursor


async def test_a_step_forward_in_the_present_stays_there(tmp_path: Path) -> None:
    async with watching(write(straight(5), tmp_path)) as stage:
        before = stage.text
        for key in ("full_stop", "]", ")"):
            assert await stage.press(key) == before


async def test_space_in_the_past_plays_until_the_present_and_then_follows(tmp_path: Path, clock: Clock) -> None:
    journal = straight(7)
    path = write(journal, tmp_path, lines=6)
    async with watching(path) as stage:
        await stage.press("home", "space")
        assert (place(stage), is_playing(stage)) == ((1, 5), True)
        await clock.play(stage, 3)
        append(path, journal.lines[6:7])
        await stage.until(lambda: place(stage) == (4, 6))
        await clock.play(stage, 1)
        assert (place(stage), is_playing(stage)) == ((5, 6), True)
        await clock.play(stage, 1)
        assert not is_in_past(stage)

        append(path, journal.lines[7:])
        await stage.until(lambda: "Step 7" in stage.cursor)


async def test_space_in_the_past_pauses_and_plays_on(tmp_path: Path, clock: Clock) -> None:
    async with watching(write(straight(5, gap=4), tmp_path)) as stage:
        await stage.press("home", "space")
        await clock.play(stage, 3)
        await stage.press("space")
        await clock.play(stage, 60)
        assert (place(stage), is_playing(stage)) == ((1, 5), False)
        await stage.press("space")
        await clock.play(stage, 1)
        assert place(stage) == (2, 5)


async def test_digits_do_nothing_on_a_live_session(tmp_path: Path) -> None:
    async with watching(write(straight(12), tmp_path)) as stage:
        before = stage.text
        assert [await stage.press(digit) for digit in "0123456789"] == [before] * 10
        await stage.press("comma")
        past = stage.text
        assert [await stage.press(digit) for digit in "0123456789"] == [past] * 10


async def test_speed_in_the_present_says_what_to_do(tmp_path: Path) -> None:
    async with watching(write(straight(3), tmp_path)) as stage:
        assert "live: press , to go back" in await stage.press("+")
        assert not is_in_past(stage)
        await stage.press("comma", "+")
        assert stage.lines[0].startswith("paused 2× ")


async def test_landmark_keys_go_back_from_the_present_and_return_to_it(tmp_path: Path) -> None:
    async with watching(write(shop_api(), tmp_path, lines=12)) as stage:
        assert [place(stage)[0] for _ in range(4) if await stage.press("[")] == [9, 6, 3, 1]
        for _ in range(4):
            await stage.press("]")
        assert not is_in_past(stage)


@pytest.mark.parametrize("end", first(1, [False, True]))
async def test_a_click_on_the_scrubber_goes_to_the_past_and_at_its_end_to_the_present(
    tmp_path: Path, end: bool
) -> None:
    path = write(shop_api(), tmp_path, lines=None if end else 12)
    axis = axis_of(path, WIDE)
    async with watching(path, WIDE) as stage:
        length = 11 if end else 10
        await stage.pilot.click("#time", offset=(axis.column_of(4), 1))
        await stage.pilot.pause()
        assert (place(stage), is_playing(stage)) == ((5, length), False)
        await stage.pilot.click("#time", offset=(axis.column_of(length - 1), 1))
        await stage.pilot.pause()
        assert not is_in_past(stage)


async def test_the_first_thought_alone_has_no_past(tmp_path: Path) -> None:
    async with watching(write(straight(1), tmp_path)) as stage:
        for key in ("comma", "home", "[", "end"):
            await stage.press(key)
            assert not is_in_past(stage)


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_a_session_that_ended_meanwhile_is_still_returned_to(tmp_path: Path, size: tuple[int, int]) -> None:
    path = write(shop_api(), tmp_path, lines=11)
    async with watching(path, size, now=after(shop_api(), 1)) as stage:
        await stage.press("home")
        append(path, shop_api().lines[11:])
        await stage.shows("1 of 11", "1 new · f")
        await stage.press("end")
        assert stage.lines[0].startswith("✓ done")


@pytest.mark.deep  # whole_viewer/ names it while one thinks
async def test_a_newer_session_is_only_named_while_the_user_is_in_the_past(tmp_path: Path) -> None:
    write(shop_api(), tmp_path)
    async with running_viewer(None, NARROW, timed(tmp_path, now=after(shop_api(), 30))) as stage:
        await stage.shows("8 of 8")
        await stage.press("comma")
        newer = JournalBuilder(shop_api().now).session(LATER, host=HOST, title="another one").thought("New", 1, 2)
        write(newer, tmp_path, LATER)
        await stage.until(lambda: stage.session.state.folder.newer_session)
        assert is_in_past(stage)
        await stage.press("end")
        await stage.shows("another one", "1 of ~2")
