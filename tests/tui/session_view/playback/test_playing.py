"""What a replay plays by itself, and how fast, at the keys of a person."""

import re
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder
from tests.tui.session_view.playback.conftest import (
    TICK,
    WIDE,
    Clock,
    append,
    is_playing,
    place,
    replaying,
    straight,
    write,
)

# The screens (docs/screens.md, "Replay")


async def test_a_narrow_replay_has_a_scrubber(shop: Path) -> None:
    async with replaying(shop, replay_at=7, speed=4.0) as stage:
        assert stage.lines[0] == "paused 4× · 7 of 11                 14:03:29"
        assert stage.lines[-2].rstrip() == "         →           ├        ↺     !    ↺"
        assert stage.lines[-1].rstrip() == "  ▃▁▃▁▁▁▁▃▁▁▃▁▁▁▃▁▁▁▁▃▁▁╋▁▃▁▁▁▃▁▁▁▁▁▃▁▁▁▁▃"


async def test_a_wide_replay_ends_when_the_last_line_came_and_names_its_keys(shop: Path) -> None:
    keys = " Space play  , . step  [ ] marks  0–9 tenths  < > speed  Home End  t timeline  ? keys"
    async with replaying(shop, (100, 30), replay_at=7, speed=4.0) as stage:
        state, marks, bar = stage.lines[0], stage.lines[-3], stage.lines[-2]
        expected = "paused   4×   shop-api · claude-code   thought 7 of 11   14:03:29"
        assert state == f"{expected:<93}replay "
        assert re.split(r" {2,}", marks.strip()) == ["14:02:00", "5→6", "├ cron-job", "↺ 6→8", "!71", "↺✓92"]
        assert re.fullmatch(r" +[▁▃]{41}╋[▁▃]{34}  14:04:41 *", bar)
        assert stage.lines[-1] == f"{keys:<93}q quit "


# A replay plays by itself


async def test_a_replay_begins_to_play_at_the_first_thought(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        assert stage.lines[0] == "playing 1× · 1 of 11                14:02:00"
        assert "Symptoms" in stage.cursor
        assert "Layers" not in stage.text

        await clock.play(stage, 3.75)
        assert place(stage) == (1, 11)
        assert await clock.play(stage, 0.25) == "playing 1× · 2 of 11                14:02:08"
        assert "Layers" in stage.cursor


async def test_it_plays_to_the_end_and_stands_there(shop: Path, clock: Clock) -> None:
    async with replaying(shop, WIDE) as stage:
        seen: list[int] = []
        while is_playing(stage):
            seen.append(place(stage)[0])
            await clock.play(stage, 1)
        assert sorted({*seen}) == list(range(1, 12))
        assert seen == sorted(seen)
        assert len(seen) == 45  # ten gaps of 4 seconds, and two audits after 3 and 2
        assert stage.lines[0].startswith("ended   1×   shop-api · claude-code   11 thoughts   14:04:41 ")
        assert "✓92" in stage.text

        await clock.play(stage, 100)
        assert place(stage) == (11, 11)


async def test_the_wait_for_the_next_line_ends_by_itself(tmp_path: Path, clock: Clock) -> None:
    clock.is_running = True
    path = write(straight(4, gap=0.1), tmp_path)
    async with replaying(path) as stage:
        await stage.until(lambda: place(stage) == (4, 4) and not is_playing(stage))


async def test_space_pauses_and_plays_on_with_what_was_left_of_the_gap(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 3)
        assert "paused 1×" in await stage.press("space")
        await clock.play(stage, 60)
        assert (place(stage), is_playing(stage)) == ((1, 11), False)

        assert "playing 1×" in await stage.press("space")
        await clock.play(stage, 0.75)
        assert place(stage) == (1, 11)
        await clock.play(stage, 0.25)
        assert place(stage) == (2, 11)


async def test_space_at_the_end_begins_again(shop: Path, clock: Clock) -> None:
    async with replaying(shop, replay_at=0) as stage:
        assert (place(stage), is_playing(stage)) == ((11, 11), False)
        await stage.press("space")
        assert (place(stage), is_playing(stage)) == ((1, 11), True)
        assert "Symptoms" in stage.cursor
        await clock.play(stage, 4)
        assert place(stage) == (2, 11)


async def test_a_replay_of_one_thought_stands_still(tmp_path: Path) -> None:
    path = write(JournalBuilder().session().thought("Alone", next=False).end(), tmp_path)
    async with replaying(path) as stage:
        for keys in ([], ["space"], ["comma"], ["full_stop"], ["5"]):
            await stage.press(*keys)
            assert (place(stage), is_playing(stage)) == ((1, 1), False)


async def test_refused_calls_alone_are_played_too(tmp_path: Path, clock: Clock) -> None:
    journal = JournalBuilder().session().rejected("first").rejected("second", after=2).rejected("third", after=2).end()
    async with replaying(write(journal, tmp_path)) as stage:
        assert is_playing(stage)
        assert "first" in stage.cursor
        await clock.play(stage, 2)
        assert "second" in stage.cursor
        assert "third" not in stage.text
        await clock.play(stage, 2)
        assert "third" in stage.cursor
        assert not is_playing(stage)


async def test_an_empty_journal_waits_in_a_replay_and_plays_what_comes(tmp_path: Path, clock: Clock) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.touch()
    async with replaying(path) as stage:
        for key in ("space", "comma", "full_stop", "(", "home", "end", "f", "5", "-"):
            await stage.press(key)
        assert "waiting" in stage.lines[0]

        append(path, straight(3).lines)
        await stage.until(lambda: "waiting" not in stage.text)
        assert (place(stage), is_playing(stage)) == ((1, 3), True)
        await clock.play(stage, 4)
        assert place(stage) == (3, 3)


async def test_a_loop_rests_at_its_end_and_begins_again(tmp_path: Path, clock: Clock) -> None:
    async with replaying(write(straight(3), tmp_path), is_looping=True) as stage:
        await clock.play(stage, 2)
        assert (place(stage), is_playing(stage)) == ((3, 3), True)
        await clock.play(stage, 3.75)
        assert place(stage) == (3, 3)
        await clock.play(stage, 0.25)
        assert place(stage) == (1, 3)
        assert "Step 2" not in stage.text
        await clock.play(stage, 1)
        assert place(stage) == (2, 3)


async def test_a_loop_that_begins_again_counts_no_new_thoughts_at_the_first_row(tmp_path: Path, clock: Clock) -> None:
    async with replaying(write(straight(4), tmp_path), is_looping=True) as stage:
        await clock.play(stage, 1)
        await stage.press("g")
        await clock.play(stage, 2)
        assert "2 new · f" in stage.text
        await clock.play(stage, 4)
        assert place(stage) == (1, 4)
        assert "new · f" not in stage.text


@pytest.mark.parametrize(("idle", "seconds"), [(4.0, 4.0), (0.5, 0.5), (60.0, 8.0)])
async def test_the_idle_limit_is_the_user_s(shop: Path, clock: Clock, idle: float, seconds: float) -> None:
    async with replaying(shop, idle_limit=idle) as stage:
        await clock.play(stage, seconds - TICK)
        assert place(stage) == (1, 11)
        await clock.play(stage, TICK)
        assert place(stage) == (2, 11)


async def test_a_clock_that_jumps_back_holds_nothing_up(tmp_path: Path, clock: Clock) -> None:
    journal = JournalBuilder().session()
    for number, gap in enumerate((0, 2, -3600, 2, -1), 1):
        journal.thought(f"Step {number}", number, 5, after=gap)
    async with replaying(write(journal, tmp_path)) as stage:
        assert (await clock.play(stage, 2)).endswith("13:02:02")
        assert place(stage) == (3, 5)
        assert (await clock.play(stage, 2)).endswith("13:02:03")
        assert (place(stage), is_playing(stage)) == ((5, 5), False)


async def test_ten_thousand_thoughts_of_one_timestamp_pass_in_a_few_frames(tmp_path: Path) -> None:
    path = write(straight(10_000, 10_000, gap=0), tmp_path)
    async with replaying(path) as stage:
        for _ in range(3):
            stage.session.playback.advance()
        await stage.pilot.pause()
        assert 3_000 <= place(stage)[0] <= 10_000
        await stage.until(lambda: not is_playing(stage))
        assert place(stage) == (10_000, 10_000)


# Speed


@pytest.mark.parametrize("pair", first(1, [("<", ">"), ("-", "+")]))
async def test_the_speed_goes_up_and_down_by_fixed_steps(shop: Path, pair: tuple[str, str]) -> None:
    slower, faster = pair
    async with replaying(shop) as stage:
        said = [(await stage.press(key)).split("\n")[0].split()[1] for key in [faster] * 5 + [slower] * 7]
        assert said == ["2×", "4×", "8×", "16×", "16×", "8×", "4×", "2×", "1×", "0.5×", "0.25×", "0.25×"]
        assert " 0.25× ──" in stage.text


async def test_another_speed_keeps_the_share_of_the_gap_that_has_passed(tmp_path: Path, clock: Clock) -> None:
    async with replaying(write(straight(3, gap=4), tmp_path)) as stage:
        await clock.play(stage, 2)
        await stage.press(">")
        await clock.play(stage, 0.75)
        assert place(stage) == (1, 3)
        await clock.play(stage, 0.25)
        assert place(stage) == (2, 3)
        await clock.play(stage, 2)
        assert place(stage) == (3, 3)
