"""How a replay and the demo begin and end, and what is said of what cannot be shown."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import shop_api
from tests.support.screens.screen_text import (
    fail_in,
    running_viewer,
    settings_of,
)
from tests.tui.whole_viewer.conftest import LATER, NARROW, WIDE, straight, write
from tui.app import Viewer
from tui.settings import Demo

# Replay


async def test_a_replay_opens_at_the_thought_that_was_asked_for(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent, is_replay=True, replay_at=7)) as stage:
        assert stage.lines[0].startswith("paused 1× · 7 of 11")
        assert stage.lines[0].rstrip().endswith("14:03:29")
        assert "2 It holds 40" in stage.cursor
        assert "Not the gateway" not in stage.text


async def test_a_replay_at_its_end_shows_all(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent, is_replay=True, replay_at=0)) as stage:
        assert "11 thoughts" in stage.lines[0]
        assert "  8 " in stage.cursor
        await stage.press("k", "f")
        assert "  8 " in stage.cursor


@pytest.mark.parametrize("at", [0, 12, 1_000_000])
async def test_a_replay_past_the_end_stands_at_the_end_and_says_so(shop: Path, at: int) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent, is_replay=True, replay_at=at)) as stage:
        assert stage.lines[0].startswith("ended 1× · 11 thoughts")
        assert (f"no thought {at}" in stage.text) == (at > 0)


# The demo


async def test_a_demo_says_that_its_agent_starts_in_as_many_lines_as_it_takes(tmp_path: Path) -> None:
    demo = Demo(find_journal=lambda: None, error=lambda: "")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo)) as stage:
        assert "The agent is starting: its first thought\n shows up here.\n\n q quit" in stage.text
        await stage.press("enter")
        assert stage.app.is_running


async def test_a_demo_shows_its_journal_as_soon_as_there_is_one_and_no_other(tmp_path: Path) -> None:
    write(shop_api(), tmp_path)
    found: list[Path] = []
    demo = Demo(find_journal=lambda: found[0] if found else None, error=lambda: "")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo)) as stage:
        found.append(write(straight(2), tmp_path, LATER))
        await stage.shows("Step 2")
        write(shop_api(), tmp_path, LATER.replace("15", "16", 1))
        await stage.press("j", "k", "f")
        assert "Step 2" in stage.text


async def test_a_demo_that_is_over_rests_in_replay_and_says_how_to_see_it_again(shop: Path) -> None:
    demo = Demo(find_journal=lambda: shop, error=lambda: "")
    async with running_viewer(None, WIDE, settings_of(shop.parent, demo=demo)) as stage:
        assert stage.lines[0].startswith("ended   1×")
        assert "11 thoughts" in stage.lines[0]
        assert "Home Space: again" in stage.text
        await stage.press("home")
        assert "thought 1 of 11" in stage.lines[0]
        await stage.press("space")
        assert stage.lines[0].startswith("playing")


@pytest.mark.parametrize("size", first(1, [(120, 35), (44, 20), (100, 24), (80, 24), (60, 20), (44, 14)]))
async def test_a_demo_that_is_over_says_how_to_quit(shop: Path, size: tuple[int, int]) -> None:
    demo = Demo(find_journal=lambda: shop, error=lambda: "")
    async with running_viewer(shop, size, settings_of(shop.parent, demo=demo)) as stage:
        assert "Home Space: again, q: quit" in stage.text
        assert "q quit" in await stage.press("g")
        assert "q back" in await stage.press("enter")
        assert "q quit" in await stage.press("q")


async def test_a_demo_whose_agent_fails_closes_the_screen(tmp_path: Path) -> None:
    demo = Demo(find_journal=lambda: None, error=lambda: "the server left")
    async with running_viewer(None, NARROW, settings_of(tmp_path, demo=demo), is_ready=False) as stage:
        await stage.until(lambda: not stage.app.is_running)


async def test_enter_on_the_waiting_screen_asks_for_the_demo(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("enter")
        await stage.until(lambda: not stage.app.is_running)
        assert stage.app.return_value == "demo"


# The end


async def test_a_failure_of_the_viewer_itself_is_kept_and_not_shown(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = Viewer(shop, settings_of(shop.parent))
    monkeypatch.setattr(Viewer, "is_headless", property(lambda _: False))

    fail_in(app, ValueError("a thought \x1b[31m in a report"))

    assert isinstance(app.failure, ValueError)
    assert app.return_code == 1


async def test_a_file_without_a_thought_is_named_and_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.touch()
    async with running_viewer(path, WIDE, settings_of(tmp_path)) as stage:
        assert "a.jsonl yet" in stage.text
        assert "0 sessions" not in stage.text
