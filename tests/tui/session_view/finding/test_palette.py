"""The palette, what is typed ahead of it and pasted, at the keys of a person."""

from datetime import timedelta
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

import tui.app
from tests.support.depth import first
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.piloted import drawn, line, running, screen_text, until, viewer_of, write
from tui.widgets.line_view import LineView, PickList


async def test_the_palette_goes_to_a_number(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        await pilot.press("colon", *"#4", "enter")
        await until(pilot, lambda: viewing.tree.session.thoughts.number_of(viewing.thought) == 4)


@pytest.mark.parametrize(("width", "height"), first(1, [(120, 35), (20, 4), (44, 20), (40, 12)], is_unpacked=True))
async def test_the_palette_has_a_line_for_each_command_with_its_key(
    shop: Path, folder: Path, width: int, height: int
) -> None:
    async with running(shop, folder, width=width, height=height) as pilot:
        await pilot.press("ctrl+p", *"timel")
        await until(pilot, lambda: "▌Timel" in screen_text(pilot))
        shown = next(row for row in screen_text(pilot).splitlines() if "▌Timel" in row)
        await pilot.press("enter")

        assert shown.rstrip().endswith(" t")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)


async def test_the_palette_offers_the_sessions_with_their_age(shop: Path, folder: Path) -> None:
    other = JournalBuilder(START - timedelta(hours=3)).session(title="web [red]app[/]").thought("Other", 1, 1)
    path = write(folder, "20260310T110200.000000Z-other1", other)
    async with running(shop, folder, width=60, height=40) as pilot:
        await pilot.press("colon", *"web")
        await until(pilot, lambda: "Session: web [red]app[/]" in screen_text(pilot))

        assert "3h" in screen_text(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.feed.path == path)


async def test_the_palette_goes_back_and_moves_and_takes_what_is_pasted(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        before = viewer_of(pilot).session_screen.state.viewport.selected
        await pilot.press("colon", "down", "down", "up", "q")
        pilot.app.post_message(events.Paste("\x1buit"))
        await until(pilot, lambda: "nothing matches" in screen_text(pilot))
        await pilot.press("ctrl+u", "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)

        assert pilot.app.is_running
        assert viewer_of(pilot).session_screen.state.viewport.selected == before


def type_at_once(pilot: Pilot[str], *keys: str) -> None:
    """Type faster than anything can be handled."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(("chosen", "typed"), first(1, [("Search the", "/"), ("Filter", "&")], is_unpacked=True))
async def test_what_is_typed_right_after_a_choice_in_the_palette_goes_where_that_leads(
    shop: Path, folder: Path, chosen: str, typed: str
) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *chosen, "enter", *"iAb")
        await until(pilot, lambda: line(pilot, "keys").startswith(f" {typed}iAb"))


@pytest.mark.deep  # what is typed right after a choice is tried above
@pytest.mark.parametrize(("chosen", "typed"), first(1, [("Search the", "/"), ("Filter", "&")], is_unpacked=True))
async def test_what_is_typed_ahead_goes_where_the_choice_leads_however_long_that_takes(
    shop: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, chosen: str, typed: str
) -> None:
    """On a busy machine it takes longer than the time after which it is checked whether the widget is still there."""
    monkeypatch.setattr(tui.app, "SETTLING_SECONDS", 0.0005)
    monkeypatch.setattr(tui.app, "MAX_SETTLING_CHECKS", 1 << 30)
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *chosen, "enter", *"iAb")
        await until(pilot, lambda: line(pilot, "keys").startswith(f" {typed}iAb"))


@pytest.mark.deep  # what is typed right after a choice is tried above
@pytest.mark.parametrize("query", first(1, ["sessions", "signs", "matched by nothing"]))
async def test_escape_typed_right_after_a_choice_in_the_palette_closes_what_that_opens(
    shop: Path, folder: Path, query: str
) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", *query, "enter", "escape", "t")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)

        assert len(pilot.app.screen_stack) == 1


@pytest.mark.deep  # each message is cleared by a key
async def test_a_key_typed_right_after_another_clears_its_message(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        type_at_once(pilot, "colon", "ctrl+p", "n", "tab")
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.is_text_active)

        assert not viewer_of(pilot).session_screen.state.status_message


async def test_tab_does_nothing_while_a_query_is_typed(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", "a", "tab", "b")

        assert line(pilot, "keys").startswith(" /ab")
        assert not viewer_of(pilot).session_screen.state.is_text_active


async def test_a_click_in_the_palette_does_what_was_clicked(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("colon")
        await until(pilot, lambda: "Timeline" in screen_text(pilot))
        names = drawn(pilot.app.screen.query_one(PickList))
        await pilot.click(PickList, offset=(4, next(y for y, name in enumerate(names) if "Timeline" in name)))
        await until(pilot, lambda: viewer_of(pilot).session_screen.state.viewport.is_timeline)


async def test_while_waiting_the_palette_offers_what_can_be_done_then(folder: Path) -> None:
    async with running(None, folder) as pilot:
        await pilot.press("colon")
        await until(pilot, lambda: "Play the demo" in screen_text(pilot))

        assert "Timeline" not in screen_text(pilot)


async def test_the_theme_changes_at_run_time(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        for look in ("light", "ansi", "dark"):
            viewer_of(pilot).action_set_theme(look)
            await pilot.pause()

            assert all(view.theme_name == look for view in pilot.app.screen.query(LineView))


async def test_pasted_text_goes_into_a_line_that_is_open_and_nowhere_else(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        pilot.app.post_message(events.Paste("q\x1b[2Jgateway"))
        await until(pilot, lambda: "paste ignored" in line(pilot, "keys"))
        await pilot.press("slash")
        pilot.app.post_message(events.Paste("\x1bgate\nway"))
        await until(pilot, lambda: line(pilot, "keys").startswith(" /␛gate way"))

        assert pilot.app.is_running


async def test_digits_do_nothing_live(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        before = screen_text(pilot)
        await pilot.press(*"0123456789")

        assert screen_text(pilot) == before


@pytest.mark.deep  # the key for it is tried always
async def test_a_click_on_the_hint_shows_the_keys(shop: Path, folder: Path) -> None:
    async with running(shop, folder, width=44, height=20) as pilot:
        heading = line(pilot, "heading")
        await pilot.click("#heading", offset=(heading.index("? keys") + 1, 0))
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
