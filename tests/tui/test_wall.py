"""The wall on the screen: opened, moved on, left for a session and come back to."""

from collections.abc import AsyncGenerator, Generator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import HOST, Stage, locked_journal, running_viewer, settings_of
from tui.screens.help import HelpScreen
from tui.screens.sessions import SessionsScreen
from tui.screens.wall import WallScreen
from tui.state.landing import Beginning

NOW = int((START.timestamp() + 30) * 1_000_000)
NAMES = ("shop", "billing", "infra")


def journal(place: int, name: str) -> JournalBuilder:
    start = START + timedelta(seconds=place)
    return JournalBuilder(start).session(cwd=f"/home/ana/{name}", host=HOST).thought(f"First of {name}", 1, 3)


@contextmanager
def live_sessions(folder: Path, second: JournalBuilder) -> Generator[list[Path]]:
    """Yield three live sessions and the second of them."""
    with ExitStack() as held:
        paths: list[Path] = []
        for place, name in enumerate(NAMES):
            builder = second if name == "billing" else journal(place, name)
            paths.append(builder.write(folder / f"20260310T14020{place}.000000Z-aaaaaa.jsonl"))
            held.enter_context(locked_journal(paths[-1]))
        yield paths


@pytest.fixture
def sessions(tmp_path: Path) -> Generator[list[Path]]:
    """Yield three live sessions; the second asks."""
    with live_sessions(tmp_path, journal(1, "billing").asking(message="May I go on?")) as paths:
        yield paths


@pytest.fixture
def with_one_done(tmp_path: Path) -> Generator[list[Path]]:
    """Yield three live sessions; the second is done."""
    with live_sessions(tmp_path, journal(1, "billing").thought("So it is", 2, 2, next=False)) as paths:
        yield paths


@asynccontextmanager
async def wall(folder: Path, size: tuple[int, int] = (120, 35)) -> AsyncGenerator[Stage]:
    """Run `watch --all`, and wait for the tiles."""
    async with running_viewer(None, size, settings_of(folder, now=NOW, beginning=Beginning(is_wall=True))) as stage:
        await stage.until(lambda: isinstance(stage.app.screen, WallScreen) and stage.app.screen.is_ready)
        yield stage


def is_on_wall(stage: Stage) -> bool:
    return isinstance(stage.app.screen, WallScreen)


async def test_the_wall_comes_first_and_no_session_is_opened(tmp_path: Path, sessions: list[Path]) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("▌ 1  shop", "2 billing", "3 infra", "May I go on?")

        assert stage.session.state.feed.path is None
        assert len(sessions) == 3


@pytest.mark.usefixtures("sessions")
async def test_a_number_opens_a_session_and_escape_and_q_come_back_to_it_selected(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        for key, number, name in (("escape", "3", "infra"), ("q", "2", "billing")):
            await stage.press(number)
            await stage.until(lambda: not is_on_wall(stage))
            await stage.shows(f"First of {name}")
            await stage.press(key)
            await stage.until(lambda: is_on_wall(stage))
            await stage.shows(f"▌ {number}  {name}")


@pytest.mark.deep  # the way back to the wall is tried beside it
@pytest.mark.usefixtures("sessions")
async def test_what_is_open_in_a_session_is_closed_before_the_wall_comes_back(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.press("3")
        await stage.shows("● thinking", "First of infra")
        await stage.press("enter", "escape")
        assert not is_on_wall(stage)

        await stage.press("escape")
        await stage.until(lambda: is_on_wall(stage))


@pytest.mark.usefixtures("sessions")
async def test_q_on_the_wall_quits_where_it_came_first(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.press("escape")
        await stage.shows("q quits")
        await stage.press("q")

        assert stage.app.return_code == 0


async def test_from_a_session_w_opens_the_wall_and_q_closes_it_again(tmp_path: Path, sessions: list[Path]) -> None:
    async with running_viewer(sessions[2], (120, 35), settings_of(tmp_path, now=NOW)) as stage:
        await stage.press("w")
        await stage.shows("▌ 3  infra")
        await stage.press("q")
        assert not is_on_wall(stage)

        await stage.press("w", "escape")
        assert not is_on_wall(stage)
        await stage.press("q")
        assert stage.app.return_code == 0


@pytest.mark.usefixtures("sessions")
async def test_the_session_that_asks_is_reached_with_one_key(tmp_path: Path) -> None:
    async with wall(tmp_path, (44, 20)) as stage:
        await stage.press("exclamation_mark")
        await stage.until(lambda: not is_on_wall(stage))

        await stage.shows("First of billing")


async def test_where_nobody_needs_anything_the_key_says_so_and_the_wall_stays(
    tmp_path: Path,
) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("Nothing is going on")
        await stage.press("exclamation_mark")
        await stage.shows("no other session needs you")

        assert is_on_wall(stage)


@pytest.mark.usefixtures("sessions")
async def test_the_session_that_asks_is_reached_again_from_the_wall(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.press("exclamation_mark")
        await stage.until(lambda: not is_on_wall(stage))
        await stage.shows("First of billing")
        await stage.press("escape")
        await stage.until(lambda: is_on_wall(stage))
        await stage.press("exclamation_mark")
        await stage.until(lambda: not is_on_wall(stage))

        await stage.shows("First of billing")


@pytest.mark.usefixtures("sessions")
async def test_the_list_opens_the_wall_and_there_is_never_a_second_one(tmp_path: Path, sessions: list[Path]) -> None:
    async with running_viewer(sessions[0], (120, 35), settings_of(tmp_path, now=NOW)) as stage:
        for _ in range(2):
            await stage.press("s")
            await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)
            await stage.press("w")
            await stage.until(lambda: is_on_wall(stage))

        assert [isinstance(screen, WallScreen) for screen in stage.app.screen_stack].count(True) == 1


async def test_arrivals_are_drawn_in_their_tiles_and_nothing_moves(tmp_path: Path, sessions: list[Path]) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("First of infra")
        with sessions[2].open("ab") as file:
            file.write(JournalBuilder().thought("Second of infra", 2, 3).data)
        await stage.shows("Second of infra", "2 of ~3")
        late = journal(9, "late").write(tmp_path / "late.new")
        with locked_journal(late):
            late.rename(tmp_path / "20260310T140209.000000Z-aaaaaa.jsonl")
            await stage.shows("4 late", "3 infra", "2 billing")


@pytest.mark.usefixtures("with_one_done")
@pytest.mark.parametrize("way", first(1, ["number", "enter", "click"]))
async def test_a_session_that_is_over_has_a_line_which_opens_as_a_tile_does(tmp_path: Path, way: str) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("  3 ✓ billing  So it is", "▌ 1  shop", "2 infra")
        if way == "number":
            await stage.press("3")
        elif way == "enter":
            await stage.press("j")
            await stage.shows("▌ 3 ✓ billing")
            await stage.press("enter")
        else:
            await stage.pilot.click(offset=(40, 33))
            await stage.shows("▌ 3 ✓ billing")
            await stage.pilot.double_click(offset=(40, 33))

        await stage.until(lambda: not is_on_wall(stage))
        await stage.shows("First of billing")


async def test_a_session_that_wakes_up_has_its_tile_back_and_the_others_stay(
    tmp_path: Path, with_one_done: list[Path]
) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("  3 ✓ billing  So it is", "▌ 1  shop", "2 infra")
        with with_one_done[1].open("ab") as file:
            file.write(JournalBuilder().thought("But is it?", 1, 5).data)

        await stage.shows("▌ 1  shop", "─ 2 infra", "─ 3 billing", "1 But is it?")


@pytest.mark.usefixtures("sessions")
async def test_news_that_come_while_the_viewer_ends_are_not_drawn(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        screen = stage.app.screen
        assert isinstance(screen, WallScreen)
        await screen.query("#head, #tiles, #foot").remove()
        stage.app.exit()

        screen.on_resize()


async def test_what_arrives_while_the_wall_is_open_is_drawn_when_it_is_closed(
    tmp_path: Path, sessions: list[Path]
) -> None:
    async with running_viewer(sessions[2], (120, 35), settings_of(tmp_path, now=NOW)) as stage:
        await stage.press("w")
        await stage.shows("First of shop")
        with sessions[2].open("ab") as file:
            file.write(JournalBuilder().thought("Second of infra", 2, 3).data)
        await stage.shows("Second of infra")
        await stage.press("w")
        await stage.until(lambda: not is_on_wall(stage))

        await stage.shows("Second of infra", "2 of ~3")


@pytest.mark.usefixtures("sessions")
async def test_keys_move_the_selection_and_open_list_and_help(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.press("j")
        await stage.shows("▌ 3  infra")
        await stage.press("up", "l")
        await stage.shows("▌ 2  billing")
        await stage.press("question_mark")
        await stage.until(lambda: isinstance(stage.app.screen, HelpScreen))
        await stage.shows("open the next that needs you")
        await stage.press("escape", "s")
        await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen))
        await stage.press("escape")
        await stage.until(lambda: is_on_wall(stage))
        await stage.press("9")
        await stage.shows("no session 9 here")
        await stage.press("enter")
        await stage.shows("First of billing")


@pytest.mark.usefixtures("sessions")
async def test_a_session_chosen_in_the_list_above_the_wall_is_shown(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.press("s")
        await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)
        await stage.press("enter")
        await stage.until(lambda: stage.app.screen is stage.session)

        assert stage.session.state.feed.path is not None


@pytest.mark.usefixtures("sessions")
async def test_a_click_selects_a_tile_and_a_double_click_opens_it(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.pilot.click(offset=(80, 5))
        await stage.shows("▌ 2  billing")
        await stage.pilot.double_click(offset=(20, 25))
        await stage.shows("First of infra")

        assert not is_on_wall(stage)


@pytest.mark.usefixtures("sessions")
async def test_pages_are_turned_and_say_what_they_do_not_show(tmp_path: Path) -> None:
    async with wall(tmp_path, (30, 7)) as stage:
        await stage.shows("1 ● shop")
        await stage.press("pagedown")
        await stage.shows("First of infra")
        await stage.press("pageup")
        await stage.shows("First of shop")


@pytest.mark.usefixtures("sessions")
@pytest.mark.parametrize("size", first(1, [(1, 1), (44, 20), (300, 100), (8, 2), (20, 6), (60, 9), (200, 60)]))
async def test_the_wall_fits_terminals_of_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with wall(tmp_path) as stage:
        await stage.resize(*size)

        assert [len(line) for line in stage.lines] == [size[0]] * size[1]


async def test_without_sessions_it_says_what_it_waits_for_and_shows_the_first_one(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        await stage.shows("Nothing is going on", "none yet")
        journal(1, "new").write(tmp_path / "20260310T140201.000000Z-aaaaaa.jsonl")

        await stage.shows("First of new")


async def test_a_folder_that_is_deleted_meanwhile_is_said_in_the_first_line(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    async with wall(folder) as stage:
        await stage.shows("Nothing is going on")
        folder.rmdir()

        await stage.shows("sessions are gone:")
        assert "✗ sessions are gone:" in stage.lines[0]


async def test_a_replay_has_no_wall(tmp_path: Path, sessions: list[Path]) -> None:
    async with running_viewer(sessions[0], (80, 24), settings_of(tmp_path, now=NOW, is_replay=True)) as stage:
        await stage.press("w")

        assert not is_on_wall(stage)
        assert "the wall shows live sessions" in stage.text


@pytest.mark.deep  # the palette changes the theme
@pytest.mark.usefixtures("sessions")
async def test_another_theme_reaches_the_wall(tmp_path: Path) -> None:
    async with wall(tmp_path) as stage:
        before = stage.app.screen.styles.background
        stage.session.apply_theme("light")
        await stage.pilot.pause()

        assert before.brightness < 0.5 < stage.app.screen.styles.background.brightness
