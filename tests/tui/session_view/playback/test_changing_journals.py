"""Journals that grow, change or go during a replay, other sessions, and the end of it."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import after, running_viewer
from tests.tui.session_view.playback.conftest import (
    LATER,
    NARROW,
    Clock,
    append,
    is_in_past,
    is_playing,
    place,
    replaying,
    straight,
    timed,
    write,
)

# What becomes of the journal


async def test_lines_that_are_appended_during_a_replay_are_played(tmp_path: Path, clock: Clock) -> None:
    journal = straight(6)
    path = write(journal, tmp_path, lines=4)
    async with replaying(path) as stage:
        await clock.play(stage, 1)
        append(path, journal.lines[4:6])
        await stage.until(lambda: place(stage) == (2, 5))
        await clock.play(stage, 3)
        assert (place(stage), is_playing(stage)) == ((5, 5), False)

        append(path, journal.lines[6:])
        await stage.until(lambda: place(stage) == (5, 6))
        assert not is_playing(stage)
        assert "Step 5" in stage.cursor
        await stage.press("space")
        assert place(stage) == (5, 6)
        await clock.play(stage, 1)
        assert place(stage) == (6, 6)


async def test_a_journal_that_is_replaced_during_a_replay_is_played_from_its_start(
    tmp_path: Path, clock: Clock
) -> None:
    path = write(straight(9), tmp_path)
    async with replaying(path) as stage:
        await clock.play(stage, 5)
        await stage.press("k", "space")
        other = JournalBuilder().session().thought("Quite another", 1, 2).thought("The second", 2, 2, after=2)
        (tmp_path / "other").write_bytes(other.data)
        (tmp_path / "other").rename(path)
        await stage.shows("Quite another")
        assert (place(stage), is_playing(stage)) == ((1, 2), True)
        assert "Step" not in stage.text
        await clock.play(stage, 2)
        assert (place(stage), is_playing(stage)) == ((2, 2), False)


async def test_a_journal_that_is_replaced_while_in_its_past_is_shown_as_it_is_now(tmp_path: Path) -> None:
    path = write(straight(9), tmp_path)
    async with running_viewer(path, NARROW, timed(tmp_path)) as stage:
        await stage.press("home", "space")
        (tmp_path / "other").write_bytes(JournalBuilder().session().thought("Another", 1, 2).thought("B", 2, 2).data)
        (tmp_path / "other").rename(path)
        await stage.shows("Another")
        assert not is_in_past(stage)
        assert " 2 B" in stage.cursor
        await stage.press("comma")
        assert place(stage) == (1, 2)


async def test_a_journal_that_is_gone_can_still_be_played(tmp_path: Path, clock: Clock) -> None:
    path = write(straight(5), tmp_path)
    async with replaying(path) as stage:
        path.unlink()
        await stage.until(lambda: "gone" in stage.session.state.feed.remark)
        await clock.play(stage, 4)
        assert place(stage) == (5, 5)
        assert "Step 5" in stage.cursor


# Other sessions


@pytest.mark.deep  # in a replay it is tried beside it
async def test_from_the_past_another_session_is_shown_as_it_is_now(tmp_path: Path) -> None:
    write(straight(3), tmp_path, LATER)
    path = write(shop_api(), tmp_path)
    async with running_viewer(path, NARROW, timed(tmp_path, now=after(shop_api(), 60))) as stage:
        await stage.press("home", "space", "s")
        await stage.until(lambda: "✓" in stage.text and "lost" in stage.cursor)
        await stage.press("enter")
        await stage.shows("3 of ~30")
        assert not is_in_past(stage)
        assert "Step 3" in stage.cursor
        await stage.press("s")
        await stage.until(lambda: "✓" in stage.cursor)
        await stage.press("enter")
        await stage.shows("8 of 8")
        assert not is_in_past(stage)


@pytest.mark.parametrize("at", first(1, [None, 7]))
async def test_in_a_replay_another_session_is_played_from_its_start(
    tmp_path: Path, clock: Clock, at: int | None
) -> None:
    write(straight(3), tmp_path, LATER)
    path = write(shop_api(), tmp_path)
    async with replaying(path, replay_at=at) as stage:
        await stage.press("s")
        await stage.shows("Sessions")
        stage.app.pop_screen()
        stage.session.switcher.choose(tmp_path / f"{LATER}.jsonl")
        await stage.shows("1 of 3")
        assert is_playing(stage)
        assert "Step 1" in stage.cursor
        await clock.play(stage, 2)
        assert (place(stage), is_playing(stage)) == ((3, 3), False)


async def test_the_list_of_sessions_lies_over_a_replay_that_goes_on(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await stage.press("s")
        await stage.shows("Sessions")
        await clock.play(stage, 4)
        await stage.press("escape")
        await stage.until(lambda: len(stage.app.screen_stack) == 1)
        assert (place(stage), is_playing(stage)) == ((2, 11), True)


# At the end


async def test_quitting_while_it_plays_leaves_nothing_behind(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 1)
        await stage.press("q")
        await stage.until(lambda: not stage.app.is_running)
