"""Going through time at the keys and the mouse of a person, with a clock that stands until a test moves it."""

# What is shown is asked of the screen itself where its picture does not tell.

import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from seqthink.drawing.panels.scrubber import time_axis
from seqthink.drawing.panels.time_axis import TimeAxis
from seqthink.loading import load_journal
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.journals.example_chains import queue
from tests.support.screens.screen_text import HOST, Stage, after, locked_journal, running_viewer, settings_of
from tui.settings import Settings

LATER = "20260310T150000.000000Z-zzzzzz"
NARROW, WIDE = (44, 20), (120, 35)
TICK = 0.25


class Clock:
    """The clock of a replay; it stands, unless it is let run."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.is_running = False

    def read(self) -> float:
        return monotonic() if self.is_running else self.now

    async def play(self, stage: Stage, seconds: float) -> str:
        """Let time pass as a replay sees it."""
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            stage.session.playback.advance()
        await stage.pilot.pause()
        return stage.lines[0]


_CLOCK = Clock()
"""The clock of every replay here; `clock` sets it back."""


@pytest.fixture(autouse=True)
def clock() -> Clock:
    _CLOCK.now, _CLOCK.is_running = Clock().now, False
    return _CLOCK


def timed(folder: Path, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    return settings_of(folder, playback_clock=_CLOCK.read, **more)


def write(journal: JournalBuilder, folder: Path, session: str = SESSION, *, lines: int | None = None) -> Path:
    """Write a journal, or its first lines, as a server of this host would."""
    path = folder / f"{session}.jsonl"
    path.write_bytes(b"".join(journal.lines[:lines]).replace(b'"host":"desk"', f'"host":"{HOST}"'.encode()))
    return path


def append(path: Path, lines: list[bytes]) -> None:
    with path.open("ab") as file:
        file.write(b"".join(lines))


def straight(count: int, total: int = 30, gap: float = 1) -> JournalBuilder:
    journal = JournalBuilder().session(host=HOST)
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, total, after=gap)
    return journal


@asynccontextmanager
async def replaying(
    path: Path,
    size: tuple[int, int] = NARROW,
    **more: Any,  # noqa: ANN401 - whatever a test hands over
) -> AsyncGenerator[Stage]:
    async with running_viewer(path, size, timed(path.parent, is_replay=True, **more)) as stage:
        yield stage


@asynccontextmanager
async def watching(path: Path, size: tuple[int, int] = NARROW, **more: Any) -> AsyncGenerator[Stage]:  # noqa: ANN401 - whatever a test hands over
    """Watch a journal whose server lives."""
    async with AsyncExitStack() as stack:
        stack.enter_context(locked_journal(path))
        yield await stack.enter_async_context(running_viewer(path, size, timed(path.parent, **more)))


def place(stage: Stage) -> tuple[int, int]:
    """Return what the first line says of the playhead: the thought, and of how many."""
    found = re.search(r"(\d+) of (\d+)", stage.lines[0])
    assert found is not None, stage.lines[0]
    return int(found[1]), int(found[2])


def is_playing(stage: Stage) -> bool:
    state = stage.lines[0].split()[0]
    assert state in {"playing", "paused"}, stage.lines[0]
    return state == "playing"


def is_in_past(stage: Stage) -> bool:
    return stage.lines[0].startswith(("playing", "paused"))


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(shop_api(), tmp_path)


def axis_of(path: Path, size: tuple[int, int]) -> TimeAxis:
    return time_axis(load_journal(path).session, size[0])


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
        assert stage.lines[0].startswith("paused   1×   shop-api · claude-code   thought 11 of 11   14:04:41 ")
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


# Where it opens


@pytest.mark.parametrize("at", range(1, 12))
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


async def test_a_step_after_a_step_begins_the_gap_anew(shop: Path, clock: Clock) -> None:
    async with replaying(shop) as stage:
        await clock.play(stage, 3)
        await stage.press("full_stop", "space")
        await clock.play(stage, 3.75)
        assert place(stage) == (2, 11)
        await clock.play(stage, 0.25)
        assert place(stage) == (3, 11)


# Marks


@pytest.mark.parametrize("pair", [("[", "]"), ("(", ")")])
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


# Speed


@pytest.mark.parametrize("pair", [("<", ">"), ("-", "+")])
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


@pytest.mark.parametrize("size", [NARROW, WIDE])
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


# Back from the present


@pytest.mark.parametrize("size", [NARROW, WIDE])
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


@pytest.mark.parametrize("size", [NARROW, (80, 24), WIDE])
@pytest.mark.parametrize("key", ["end", "f"])
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


@pytest.mark.parametrize("end", [False, True])
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


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_session_that_ended_meanwhile_is_still_returned_to(tmp_path: Path, size: tuple[int, int]) -> None:
    path = write(shop_api(), tmp_path, lines=11)
    async with watching(path, size, now=after(shop_api(), 1)) as stage:
        await stage.press("home")
        append(path, shop_api().lines[11:])
        await stage.shows("1 of 11", "1 new · f")
        await stage.press("end")
        assert stage.lines[0].startswith("✓ done")


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


# Who moves, holds


@pytest.mark.parametrize("size", [NARROW, WIDE])
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


@pytest.mark.parametrize("size", [NARROW, WIDE])
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
        rows = [line[:66] for line in stage.lines[1:4]]
        assert "6  Not the gateway" in rows[0]
        assert "8  Fix again" in rows[1]

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


@pytest.mark.parametrize("at", [None, 7])
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
