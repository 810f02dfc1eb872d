"""The viewer at every size, with and without colours."""

from pathlib import Path

import pytest

from seqthink.drawing.text.glyphs import ASCII
from tests.support.depth import first
from tests.support.screens.screen_text import (
    colours_of,
    running_viewer,
    settings_of,
)
from tests.tui.whole_viewer.conftest import NARROW, WIDE, straight, write


@pytest.mark.parametrize("size", first(1, [(1, 1), (39, 40), (240, 70), (100, 6), (20, 5), (3, 2), (44, 14), (200, 2)]))
async def test_every_size_is_drawn(shop: Path, size: tuple[int, int]) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        for key in ("k", "enter", "j", "enter", "question_mark", "q", "g", "tab", "G"):
            await stage.press(key)
        assert [len(line) for line in stage.lines] == [size[0]] * size[1]


@pytest.mark.deep  # each size is drawn above, and one that changes while it plays in playback/
async def test_sizes_that_change_during_loading_and_reading_do_no_harm(tmp_path: Path) -> None:
    path = write(straight(2000, 5000), tmp_path)
    sizes = [(44, 20), (1, 1), (120, 35), (20, 5), (100, 14), (99, 13), (240, 70), (39, 6), (80, 24)]
    async with running_viewer(path, (44, 20), settings_of(tmp_path), is_ready=False) as stage:
        for size in sizes * 2:
            await stage.resize(*size)
        await stage.shows("2000 of ~5000")
        await stage.press("k", "k", "enter")
        for size in sizes:
            await stage.resize(*size)
        await stage.press("escape")
        assert " 1998 " in stage.cursor
        assert stage.lines[0].rstrip().endswith("2000 of ~5000")


async def test_a_resize_keeps_the_selection_and_the_place(tmp_path: Path) -> None:
    path = write(straight(80, 90), tmp_path)
    async with running_viewer(path, (80, 24), settings_of(tmp_path)) as stage:
        await stage.press("g", "pagedown", "k")
        cursor, place = stage.cursor.rstrip(), stage.lines[1]
        for size in ((80, 30), (80, 40), (80, 24), (80, 35)):
            await stage.resize(*size)
            assert stage.cursor.rstrip() == cursor
            assert stage.lines[1] == place


async def test_without_colours_nothing_is_coloured_and_the_selection_is_reversed(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent, theme="mono")) as stage:
        assert colours_of(stage.app) == set()
        await stage.press("question_mark")
        assert colours_of(stage.app) == set()


async def test_the_dark_theme_has_colours(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        assert {"#15181e", "#2a3342", "#e4e7ec"} <= colours_of(stage.app)


@pytest.mark.parametrize("size", first(1, [NARROW, WIDE]))
async def test_ascii_signs_are_all_ascii(tmp_path: Path, size: tuple[int, int]) -> None:
    journal = straight(3).thought("Again\n" * 60, 4, 31, revises=2).thought("b", 1, 3, branch="b", from_=1)
    journal.rejected("no").thought("Again\n" * 60, 9, 31, revises=4)
    path = write(journal, tmp_path)
    async with running_viewer(path, size, settings_of(tmp_path, signs=ASCII)) as stage:
        for keys in ([], ["enter"], ["j"], ["enter"], ["k"], ["question_mark"]):
            assert (await stage.press(*keys)).isascii(), stage.text
    async with running_viewer(None, size, settings_of(tmp_path / "none", signs=ASCII)) as stage:
        assert stage.text.isascii()
