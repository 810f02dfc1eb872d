"""A line to type into gets what was typed and pasted, in that order, also what was typed before it opened."""

from datetime import timedelta
from pathlib import Path

import pytest
from textual import events

from tests.support.depth import first
from tests.support.journals.build import START, JournalBuilder, shop_api
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.widgets.text_line import TextLine

SIZE = (80, 24)
KEY_NAMES = {":": "colon", "/": "slash", "-": "minus"}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for number in range(3):
        journal = JournalBuilder(START + timedelta(seconds=number)).session(title=f"name-{number}")
        journal.thought(f"Question {number}", next=False).end().write(tmp_path / f"s{number}.jsonl")
    return shop_api().write(tmp_path / "shop.jsonl")


def _at_once(stage: Stage, *typed: str) -> None:
    """Let all of ``typed`` arrive before the first of it is handled; what is in brackets is pasted."""
    for key in typed:
        is_paste, character = key.startswith("["), key if len(key) == 1 else None
        stage.app.post_message(events.Paste(key[1:-1]) if is_paste else events.Key(KEY_NAMES.get(key, key), character))


@pytest.mark.parametrize(
    ("typed", "shown"),
    first(
        1,
        [
            ((":", "t", "i", "[me]", "x", "backspace", "l"), ": timel"),
            (("s", "/", "n", "a", "[me]", "-", "2"), "/ name-2"),
            (("s", "/", "n", "a", "enter", "j", "j", "/", "m", "e"), "/ name"),
            (("s", "/", "x", "escape", "j", "/", "n"), "/ n"),
        ],
        is_unpacked=True,
    ),
    ids=" ".join,
)
async def test_what_was_typed_before_a_line_opened_is_in_it(
    typed: tuple[str, ...], shown: str, shop: Path, tmp_path: Path
) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        _at_once(stage, *typed)
        await stage.shows(shown)
        await stage.until(lambda: stage.app.screen.query_one(TextLine).typed_text == shown.split()[1])

        assert stage.app.screen.query_one(TextLine).is_open


async def test_backspace_without_a_query_closes_the_palette(shop: Path, tmp_path: Path) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        await stage.press("colon", "x", "backspace")
        assert len(stage.app.screen_stack) == 2
        await stage.press("backspace")
        await stage.until(lambda: len(stage.app.screen_stack) == 1)


@pytest.mark.deep  # backspace without a query is tried beside it
async def test_enter_without_a_match_keeps_the_palette_and_the_cursor(shop: Path, tmp_path: Path) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        await stage.press("colon", *"zbra", "left", "left", "left", "enter", "e")
        await stage.shows(": zebra", "nothing matches")


async def test_backspace_without_a_text_leaves_the_filter_of_the_sessions_open(shop: Path, tmp_path: Path) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        await stage.press("s", "slash", "backspace", "q")
        await stage.shows("/ q", "Question 2")


@pytest.mark.deep  # a paste with the focus is tried above
async def test_what_is_pasted_while_the_terminal_s_window_has_no_focus_is_in_the_line(
    shop: Path, tmp_path: Path
) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        for opening in ("colon", "s"):
            await stage.press(*((opening,) if opening == "colon" else (opening, "slash")))
            stage.app.post_message(events.AppBlur())
            _at_once(stage, "[pasted]")
            await stage.shows(" pasted")
            await stage.press("!")
            await stage.shows(" pasted!")
            await stage.press("escape")


async def test_a_paste_into_the_list_of_sessions_is_ignored_until_the_next_key(shop: Path, tmp_path: Path) -> None:
    async with running_viewer(shop, SIZE, settings_of(tmp_path)) as stage:
        await stage.press("s")
        _at_once(stage, "[qqq]")
        await stage.shows("paste ignored")
        await stage.press("j")

        assert "paste ignored" not in stage.text
        assert len(stage.app.screen_stack) == 2
