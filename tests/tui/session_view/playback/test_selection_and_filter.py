"""What is selected, read, folded, searched and filtered while the playhead moves."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.example_chains import queue
from tests.support.screens.screen_text import HOST
from tests.tui.session_view.playback.conftest import (
    NARROW,
    WIDE,
    Clock,
    is_in_past,
    place,
    replaying,
    straight,
    watching,
    write,
)

# Who moves, holds


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_a_selection_is_held_while_it_plays(tmp_path: Path, clock: Clock, size: tuple[int, int]) -> None:
    async with replaying(write(straight(9), tmp_path), size) as stage:
        await clock.play(stage, 3)
        await stage.press("k")
        for number in range(5, 9):
            await clock.play(stage, 1)
            assert place(stage) == (number, 9)
            assert "Step 3" in stage.cursor
        await stage.press("f")
        assert "Step 8" in stage.cursor
        await clock.play(stage, 1)
        assert "Step 9" in stage.cursor


async def test_a_held_selection_that_a_seek_takes_away_is_the_newest_again(tmp_path: Path) -> None:
    async with replaying(write(straight(9), tmp_path), replay_at=8) as stage:
        await stage.press("k", "4")
        assert "Step 4" in stage.cursor
        await stage.press("full_stop")
        assert "Step 5" in stage.cursor


async def test_reading_goes_along_with_what_is_played(shop: Path, clock: Clock) -> None:
    async with replaying(shop, replay_at=3) as stage:
        await stage.press("enter")
        assert "Hypotheses" in stage.lines[3]
        await stage.press("full_stop")
        assert "DNS is fine" in stage.lines[3]
        await stage.press("space")
        await clock.play(stage, 4)
        assert "Gateway pool" in stage.lines[3]
        await stage.press("comma", "comma")
        assert "Hypotheses" in stage.lines[3]
        await stage.press("escape")
        assert "Hypotheses" in stage.cursor


async def test_home_and_end_belong_to_the_text_that_is_read(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("a", 1, 3)
    journal.thought("\n\n".join(f"line {number}" for number in range(60)), 2, 3).thought("c", 3, 3)
    async with replaying(write(journal, tmp_path), replay_at=2) as stage:
        await stage.press("enter", "end")
        assert "line 59" in stage.text
        assert place(stage) == (2, 3)
        await stage.press("home")
        assert "line 0" in stage.text
        assert place(stage) == (2, 3)


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_the_timeline_goes_along_and_back(tmp_path: Path, clock: Clock, size: tuple[int, int]) -> None:
    async with replaying(write(queue(), tmp_path), size, replay_at=5) as stage:
        tree = stage.lines
        await stage.press("t")
        at_5 = stage.lines
        await stage.press("full_stop", "full_stop")
        assert "AOF" in stage.cursor
        await stage.press("comma", "comma")
        assert stage.lines == at_5
        await stage.press("t")
        assert stage.lines == tree
        await stage.press("t", "space")
        await clock.play(stage, 4)
        assert place(stage) == (6, 13)
        assert "Redis streams" in stage.cursor


async def test_sizes_that_change_while_it_plays_do_no_harm(tmp_path: Path, clock: Clock) -> None:
    async with replaying(write(queue(), tmp_path)) as stage:
        for number, size in enumerate([(120, 35), (20, 5), (1, 1), (100, 14), (39, 6), (240, 70), (44, 20)], 2):
            await stage.resize(*size)
            await clock.play(stage, 4)
            assert [len(line) for line in stage.lines] == [size[0]] * size[1]
            assert stage.session.state.viewport.session is not None
            assert stage.session.state.viewport.session.thought_count == number
        assert place(stage) == (8, 13)
        assert "With AOF" in stage.cursor


async def test_what_is_shown_after_a_resize_is_what_a_replay_of_that_size_shows(tmp_path: Path, clock: Clock) -> None:
    path = write(queue(), tmp_path)
    async with replaying(path) as stage:
        await stage.resize(*WIDE)
        await clock.play(stage, 20)
        await stage.press("space")
        shown = stage.text
    async with replaying(path, WIDE, replay_at=6) as stage:
        assert stage.text == shown


# What is folded


async def test_a_folded_branch_opens_while_the_playhead_is_in_it(shop: Path, clock: Clock) -> None:
    async with replaying(shop, replay_at=9) as stage:
        await stage.press("g", "j", "j", "j", "h")
        assert "├─ cron-job  ●●●" in stage.text
        await stage.press("comma")
        assert "It starves" in stage.cursor or "it starves" in stage.cursor
        assert "It holds 40" in stage.text
        await stage.press("full_stop")
        assert "├─ cron-job  ●●●" in stage.text
        assert "It holds 40" not in stage.text
        await stage.press("3", "space")
        await clock.play(stage, 12)
        assert place(stage) == (7, 11)
        assert "It holds 40" in stage.cursor
        await clock.play(stage, 8)
        assert "├─ cron-job  ●●●" in stage.text


async def test_back_in_the_present_a_branch_is_folded_as_it_was(tmp_path: Path) -> None:
    journal = JournalBuilder().session(host=HOST).thought("Trunk", 1, 2)
    journal.thought("Aside", 1, 2, branch="aside", from_=1).thought("More aside", 2, 2, branch="aside")
    async with watching(write(journal, tmp_path)) as stage:
        await stage.press("k", "h", "h")
        folded = await stage.press("f")
        assert "├─ aside  ●●" in folded
        await stage.press("comma")
        assert "Aside" in stage.cursor
        assert await stage.press("full_stop") == folded


@pytest.mark.deep  # that a branch opens and folds again is tried beside it
async def test_a_branch_that_the_user_unfolds_stays_open(shop: Path) -> None:
    async with replaying(shop, replay_at=9) as stage:
        await stage.press("g", "j", "j", "j", "h", "comma", "full_stop")
        assert "├─ cron-job  ●●●" in stage.text
        await stage.press("g", "j", "j", "j", "l", "comma", "full_stop", "full_stop")
        assert "├─╮ cron-job" in stage.text
        assert "It holds 40" in stage.text


# What is looked for


async def test_a_search_goes_on_over_seeks_among_what_had_come(tmp_path: Path) -> None:
    async with replaying(write(straight(12), tmp_path), replay_at=8) as stage:
        await stage.press("/", *"step", "enter")
        await stage.shows("8 of 8 hits")
        await stage.press("n")
        assert "Step 1 " in stage.cursor
        await stage.press("full_stop", "full_stop")
        await stage.shows("10 of 10 hits")
        await stage.press("n")
        assert "Step 1 " in stage.cursor
        await stage.press("3")
        assert "Step 4 " in stage.cursor
        await stage.shows("4 of 4 hits")
        await stage.press("n", "N")
        assert "Step 4 " in stage.cursor


async def test_a_filter_shows_at_every_position_only_what_had_arrived(tmp_path: Path, clock: Clock) -> None:
    async with replaying(write(shop_api(), tmp_path), WIDE, replay_at=0) as stage:
        await stage.press("&", *"is:revision", "enter")
        await stage.shows("2 rows")
        rows = "\n".join(line[:66] for line in stage.lines[1:7])
        assert rows.index("6  Not the gateway") < rows.index("8  Fix again")

        await stage.press("8")
        assert place(stage) == (9, 11)
        assert "Not the gateway" in stage.lines[1]
        assert "Fix again" not in stage.text
        await stage.press("3")
        assert "No row matches" in stage.text
        await stage.press("space")
        await clock.play(stage, 20)
        assert place(stage) == (9, 11)
        assert "Not the gateway" in stage.cursor
        await stage.press("escape")
        assert "Symptoms" in stage.text
        assert place(stage) == (9, 11)


@pytest.mark.deep  # a filter at every position is tried beside it
async def test_a_filter_that_matches_nothing_can_be_played_and_stepped_under(shop: Path, clock: Clock) -> None:
    async with replaying(shop, replay_at=3) as stage:
        await stage.press("&", *"zzz", "enter", "space")
        await clock.play(stage, 8)
        await stage.press("comma", "full_stop", "end", "home", "5")
        assert "No row matches" in stage.text
        await stage.press("escape", "f")
        assert "What runs at" in stage.cursor


async def test_a_filter_from_the_past_finds_more_as_it_plays_on_to_the_present(tmp_path: Path, clock: Clock) -> None:
    async with watching(write(straight(6), tmp_path)) as stage:
        await stage.press("home", "&", *"long way", "enter")
        await stage.shows("1 row")
        await stage.press("space")
        await clock.play(stage, 5)
        await stage.shows("6 rows")
        assert not is_in_past(stage)
        assert "Step 6" in stage.cursor


@pytest.mark.deep  # a filter at every position is tried beside it
async def test_late_hits_of_a_filter_are_not_shown_before_their_position(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for chain in range(3):
        for number in range(1, 5):
            journal.thought(f"Problem {chain}, step {number}", number, 4, next=number < 4)
    async with replaying(write(journal, tmp_path), WIDE, replay_at=0) as stage:
        await stage.press("&", *"step")
        await stage.press("enter", "0")
        await stage.until(lambda: not any(one.is_running for one in [stage.session.state.search.active_filter] if one))
        assert "Problem 0, step 1" in stage.lines[1]
        assert "step 2" not in stage.text
        await stage.press("end")
        await stage.until(lambda: "Problem 2, step 4" in stage.cursor)
        assert sum("Problem" in line[:66] for line in stage.lines) == 12


@pytest.mark.deep  # a search over seeks is in the past as well
async def test_escape_from_a_search_whose_start_has_not_come_any_more(tmp_path: Path, clock: Clock) -> None:
    journal = JournalBuilder().session().thought("First", 1, 1, next=False)
    for chain in range(2, 5):
        journal.thought(f"Problem {chain}", 1, 1, next=False, after=1)
    async with replaying(write(journal, tmp_path), is_looping=True) as stage:
        await clock.play(stage, 3)
        await stage.press("k", "k", "/", "x")
        await clock.play(stage, 4)
        assert place(stage) == (1, 4)
        await stage.press("escape")
        assert "First" in stage.cursor
