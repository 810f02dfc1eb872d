"""A screen with room for one line, and its way back."""

from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import shop_api
from tests.support.journals.example_chains import straight
from tests.support.screens.screen_text import after, running_viewer, settings_of


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return shop_api().write(tmp_path / "a.jsonl")


LONE_LINES = {
    (39, 7): "✓ done 10s ago 8 of 8 Fix again: also …",
    (40, 7): "✓ done 10s ago 8 of 8 Fix again: also r…",
    (80, 5): "✓ done 10s ago 8 of 8 Fix again: also release on timeout. The pool's finally bl…",
    (36, 7): "✓ done 10s ago 8/8 Fix again: also …",
    (30, 5): "✓ 10s 8/8 Fix again: also rel…",
    (20, 3): "✓ 10s 8/8 Fix again…",
    (10, 1): "✓ 10s 8/8 ",
    (5, 1): "✓ 8/8",
}


@pytest.mark.parametrize("size", first(3, LONE_LINES))
async def test_a_tiny_screen_has_one_line_with_state_age_count_and_the_newest_thought(
    shop: Path, size: tuple[int, int]
) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent, now=after(shop_api(), 10))) as stage:
        assert stage.lines[0] == LONE_LINES[size]
        assert "".join(stage.lines[1:]).strip() == ""


async def test_a_tiny_screen_follows_says_what_a_key_did_and_takes_a_search(tmp_path: Path) -> None:
    journal = straight(6)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"".join(journal.lines[:5]))
    async with running_viewer(path, (60, 5), settings_of(tmp_path)) as stage:
        assert "Step 4" in stage.lines[0]
        with path.open("ab") as file:
            file.write(b"".join(journal.lines[5:]))
        await stage.shows("Step 6")
        assert "Step 5" in (await stage.press("k")).splitlines()[0]
        assert "copied" in await stage.press("y")
        assert "/ste" in (await stage.press("slash", *"ste")).replace(" ", "")
        await stage.resize(60, 1)
        assert "/step" in (await stage.press("p")).replace(" ", "")
        await stage.press("escape", "enter")
        assert "Step 5" in await stage.resize(60, 4)


@pytest.mark.deep  # a size that changes is tried in whole_viewer/
async def test_a_screen_that_grows_again_has_selection_and_place_as_before(tmp_path: Path) -> None:
    path = straight(80, 90).write(tmp_path / "a.jsonl")
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g", "pagedown", "k", "k")
        before = stage.lines
        for size in LONE_LINES:
            await stage.resize(*size)
            await stage.resize(80, 24)
            assert stage.lines == before


async def test_a_replay_on_a_tiny_screen_says_where_it_stands(shop: Path) -> None:
    async with running_viewer(shop, (39, 4), settings_of(shop.parent, is_replay=True, replay_at=2)) as stage:
        assert stage.text == "paused 2 of 11 Layers: CDN → gateway →…"
