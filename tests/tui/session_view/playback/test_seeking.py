"""Going to another place of a replay: where it opens, steps, landmarks, far away, the scrubber."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder
from tests.tui.session_view.playback.conftest import (
    NARROW,
    WIDE,
    Clock,
    axis_of,
    is_playing,
    place,
    replaying,
    straight,
    write,
)

# Where it opens


@pytest.mark.parametrize("at", first(3, [1, 6, 11, 2, 3, 4, 5, 7, 8, 9, 10]))
async def test_it_opens_paused_at_the_thought_that_was_asked_for(shop: Path, clock: Clock, at: int) -> None:
    async with replaying(shop, replay_at=at) as stage:
        assert (place(stage), is_playing(stage)) == ((at, 11), False)
        await clock.play(stage, 60)
        assert place(stage) == (at, 11)
        await stage.press("space")
        assert is_playing(stage)


async def test_past_the_end_it_stands_at_the_last_thought_and_says_so(shop: Path) -> None:
    async with replaying(shop, replay_at=12) as stage:
        assert (place(stage), is_playing(stage)) == ((11, 11), False)
        assert "no thought 12: this is the last" in stage.text


async def test_a_seek_while_the_journal_is_loading_is_kept(tmp_path: Path) -> None:
    async with replaying(write(straight(30), tmp_path)) as stage:
        session = stage.session
        session.playback.reset()
        session.state.feed.is_loaded = False
        await stage.press("5")
        session.loader.show_opening_progress()
        session.state.feed.is_loaded = True
        session.loader.show_arrivals()
        await stage.pilot.pause()
        assert (place(stage), is_playing(stage)) == ((16, 30), False)


# Steps


# What is shown at every position, whichever way led there: tests/tui/state/test_viewport_positions.py.
@pytest.mark.deep  # a law of state/test_viewport_positions.py
async def test_steps_back_show_exactly_what_was_shown(shop: Path) -> None:
    async with replaying(shop, WIDE, replay_at=1) as stage:
        shown = [stage.lines]
        while not shown[1:] or shown[-1] != shown[-2]:
            await stage.press("full_stop")
            shown.append(stage.lines)
        shown.pop()
        assert len(shown) >= 11
        for expected in reversed(shown[:-1]):
            await stage.press("comma")
            assert stage.lines == expected
        await stage.press("comma")
        assert stage.lines == shown[0]


async def test_a_step_pauses_and_takes_the_audits_one_by_one(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 1)
        steps: list[tuple[int, bool, bool]] = []
        for _ in range(13):
            await stage.press("full_stop")
            steps.append((place(stage)[0], "!71" in stage.text, "✓92" in stage.text))
            assert not is_playing(stage)
        assert [number for number, _, _ in steps] == [*range(2, 11), 10, 11, 11, 11]
        assert steps[8:] == [
            (10, False, False),
            (10, True, False),
            (11, True, False),
            (11, True, True),
            (11, True, True),
        ]


async def test_a_step_over_what_no_row_shows_says_what_it_was(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("One", 1, 2).context().note(of=2).thought("Two", 2, 2, next=False)
    path = write(journal.end(), tmp_path)
    async with replaying(path, replay_at=1) as stage:
        said = [await stage.press(key) for key in (".", ".", ".", ",")]

    words = ("stepped over: context saved", "stepped over: note delivered")
    assert [[word in shown for word in words] for shown in said] == [
        [True, False],
        [False, True],
        [False, False],
        [False, False],
    ]


async def test_a_step_after_a_step_begins_the_gap_again(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 3)
        await stage.press("full_stop", "space")
        await clock.play(stage, 3.75)
        assert place(stage) == (2, 11)
        await clock.play(stage, 0.25)
        assert place(stage) == (3, 11)


# Marks


@pytest.mark.parametrize("pair", first(1, [("[", "]"), ("(", ")")]))
async def test_landmarks_are_branch_revision_change_verdict_and_end_both_ways(
    shop: Path, pair: tuple[str, str]
) -> None:
    back, forth = pair
    async with replaying(shop, replay_at=1) as stage:
        places = [place(stage)[0]]
        for _ in range(7):
            await stage.press(forth)
            places.append(place(stage)[0])
        # 5→6, the branch, the revision with 6→8, the verdict on 10, the revision of 10, the verdict on that
        assert places == [1, 3, 6, 9, 10, 11, 11, 11]
        assert "✓92" in stage.text
        came: list[int] = []
        for _ in range(7):
            await stage.press(back)
            came.append(place(stage)[0])
        assert came == [11, 10, 9, 6, 3, 1, 1]


async def test_a_landmark_does_not_stop_playback_but_the_end_does(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await stage.press("]")
        assert (place(stage), is_playing(stage)) == ((3, 11), True)
        await clock.play(stage, 4)
        assert place(stage) == (4, 11)
        await stage.press("]", "]", "]", "]", "]")
        assert (place(stage), is_playing(stage)) == ((11, 11), False)


# Far away


async def test_home_and_end_go_to_the_ends_and_only_end_pauses(shop: Path) -> None:
    async with replaying(shop, replay_at=5) as stage:
        await stage.press("space", "home")
        assert (place(stage), is_playing(stage)) == ((1, 11), True)
        await stage.press("end")
        assert (place(stage), is_playing(stage)) == ((11, 11), False)
        await stage.press("home")
        assert (place(stage), is_playing(stage)) == ((1, 11), False)


async def test_tenths_count_thoughts_in_order_of_arrival(tmp_path: Path) -> None:
    async with replaying(write(straight(30), tmp_path), replay_at=1) as stage:
        assert [place(stage)[0] for key in "1234567890" if await stage.press(key)] == [
            4,
            7,
            10,
            13,
            16,
            19,
            22,
            25,
            28,
            1,
        ]


async def test_f_goes_back_to_what_is_played_and_leaves_the_playhead_alone(shop: Path) -> None:
    async with replaying(shop, replay_at=5) as stage:
        await stage.press("g")
        assert "Symptoms" in stage.cursor
        await stage.press("f")
        assert "Gateway pool" in stage.cursor
        assert place(stage) == (5, 11)


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_a_click_on_the_scrubber_goes_to_the_thought_there(shop: Path, size: tuple[int, int]) -> None:
    axis = axis_of(shop, size)
    async with replaying(shop, size, replay_at=1) as stage:
        for index in (0, 5, 9, 10, 3):
            for row in (0, 1):
                await stage.pilot.click("#time", offset=(axis.column_of(index), row))
                await stage.pilot.pause()
                assert place(stage) == (index + 1, 11)
        await stage.pilot.click("#time", offset=(0, 1))
        assert place(stage) == (1, 11)
        await stage.pilot.click("#time", offset=(size[0] - 1, 1))
        assert place(stage) == (11, 11)
        assert "✓92" in stage.text


async def test_a_drag_goes_along_wherever_the_mouse_is_and_ends_with_the_button(shop: Path) -> None:
    axis = axis_of(shop, WIDE)
    async with replaying(shop, WIDE, replay_at=1) as stage:
        time = stage.app.query_one("#time").region
        await stage.pilot.mouse_down("#time", offset=(axis.column_of(2), 1))
        seen = [place(stage)[0]]
        for index, y in ((4, time.y), (7, 5), (10, 0), (1, time.y + 1)):
            await stage.pilot.hover(offset=(axis.column_of(index), y))
            await stage.pilot.pause()
            seen.append(place(stage)[0])
        assert seen == [3, 5, 8, 11, 2]
        await stage.pilot.mouse_up(offset=(axis.column_of(1), time.y))
        await stage.pilot.hover(offset=(axis.column_of(8), time.y))
        await stage.pilot.pause()
        assert place(stage) == (2, 11)


async def test_another_button_does_nothing(shop: Path) -> None:
    async with replaying(shop, WIDE, replay_at=1) as stage:
        await stage.pilot.mouse_down("#time", offset=(80, 1), button=3)
        await stage.pilot.pause()
        assert place(stage) == (1, 11)


async def test_a_seek_while_playing_plays_on_from_there(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 3)
        await stage.press("5")
        assert (place(stage), is_playing(stage)) == ((6, 11), True)
        await clock.play(stage, 3.75)
        assert place(stage) == (6, 11)
        await clock.play(stage, 0.25)
        assert place(stage) == (7, 11)
