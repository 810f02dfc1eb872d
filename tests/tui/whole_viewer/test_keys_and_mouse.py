"""What the keys and the mouse do, and where the screen says how to quit."""

from pathlib import Path

import pytest
from textual import events

from seqthink.drawing.text.glyphs import ASCII
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import (
    locked_journal,
    running_viewer,
    settings_of,
)
from tests.tui.whole_viewer.conftest import NARROW, append, moment, straight, write
from tui.state.connect_choices import CONNECT_CHOICES


async def test_j_and_k_and_the_arrows_move_the_selection(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        for key, number in (("k", 7), ("up", 6), ("k", 5), ("j", 6), ("down", 7)):
            await stage.press(key)
            assert f"  {number} " in stage.cursor


async def test_g_and_home_select_the_first_row_and_capital_g_the_last(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        for key, number in (("g", 1), ("G", 8), ("home", 1), ("f", 8), ("g", 1), ("end", 8)):
            await stage.press(key)
            assert f"  {number} " in stage.cursor


async def test_a_page_is_a_window_less_one_row(tmp_path: Path) -> None:
    path = write(straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("pageup")
        assert " 18 " in stage.cursor
        await stage.press("pagedown", "pagedown")
        assert " 30 " in stage.cursor


async def test_enter_gives_the_text_the_screen_and_escape_gives_it_back(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        before = stage.text
        for back in ("escape", "q", "enter"):
            reading = await stage.press("enter")
            assert stage.lines[1].startswith("── 8 · revises 7")
            assert "7, as it was" in reading
            assert not stage.cursor
            assert await stage.press(back) == before


async def test_reading_leaves_the_window_of_the_tree_where_it_is(tmp_path: Path) -> None:
    path = write(straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        before = await stage.press("k", "k", "k")

        assert await stage.press("enter", "escape") == before


@pytest.mark.deep  # on a wide screen it is tried beside it
async def test_enter_is_the_way_to_the_text_of_a_small_screen(tmp_path: Path) -> None:
    for size in ((44, 13), (30, 20), (20, 5)):
        path = write(straight(3), tmp_path)
        async with running_viewer(path, size, settings_of(tmp_path)) as stage:
            before = stage.text
            assert "Step 3" in "".join((await stage.press("enter")).splitlines()[2:4])
            assert await stage.press("q") == before


async def test_escape_at_the_root_does_nothing(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("escape", "escape")
        assert stage.app.is_running


async def test_q_at_the_root_quits(shop: Path) -> None:
    for key in ("q", "ctrl+c"):
        async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
            await stage.press(key)
            await stage.until(lambda: not stage.app.is_running)
            assert stage.app.return_value is None


async def test_control_c_quits_whatever_is_open(shop: Path) -> None:
    for open_it in ("enter", "question_mark", "tab"):
        async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
            await stage.press(open_it, "ctrl+c")
            await stage.until(lambda: not stage.app.is_running)


async def test_space_holds_and_follows_again(tmp_path: Path) -> None:
    journal = straight(9)
    path = write(journal, tmp_path, lines=6)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("space")
        append(path, journal, 6)
        await stage.shows("4 new · f")
        assert "  5 " in stage.cursor

        await stage.press("space")
        assert "  9 " in stage.cursor
        assert "new · f" not in stage.text


async def test_h_and_l_fold_and_unfold_a_branch(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("g", "j", "j", "j")
        folded = await stage.press("h")
        assert "├─ cron-job  ●●●" in folded
        assert "It holds 40" not in "\n".join(stage.lines[:10])
        assert "It holds 40" in await stage.press("l")
        assert "├─ cron-job  ●●●" in await stage.press("left")
        assert "It holds 40" in await stage.press("right")


async def test_r_jumps_to_the_revised_and_back_and_says_when_there_is_none(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("r")
        assert "  7 " in stage.cursor
        await stage.press("r")
        assert "  8 " in stage.cursor
        assert "not revised" in await stage.press("g", "r")
        assert "not revised" not in await stage.press("j")


async def test_ctrl_keys_page_as_in_vim_and_less(tmp_path: Path) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 101):
        journal.thought(f"thought number {number}", number, 100)
    path = write(journal, tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        places: list[int] = []
        for key in ("g", "ctrl+d", "ctrl+d", "ctrl+u", "ctrl+u", "ctrl+f", "ctrl+b"):
            await stage.press(key)
            places.append(int(stage.cursor.split()[1]))

    top, half, whole, down, up, page, back = places
    assert (top, down, up, back) == (1, half, 1, 1)
    assert 1 < half < page < 100
    assert half < whole


async def test_tab_lets_the_arrows_move_the_text_and_q_gives_them_back(tmp_path: Path) -> None:
    journal = JournalBuilder().session().thought("\n\n".join(f"line {n}" for n in range(1, 41)))
    path = write(journal, tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "line 2" in stage.text
        assert "line 12" not in stage.text
        moved = await stage.press("tab", "j", "j")
        assert "3 lines above" in moved
        assert "line 9" in moved
        assert "line 40" in await stage.press("G")
        assert "lines above" not in await stage.press("g")
        await stage.press("q")
        assert stage.app.is_running
        assert "lines above" not in await stage.press("j")


async def test_tab_does_nothing_where_there_is_no_text(tmp_path: Path) -> None:
    async with running_viewer(write(straight(3), tmp_path), (44, 7), settings_of(tmp_path)) as stage:
        await stage.press("tab", "k")
        assert "Step 2" in stage.text
    async with running_viewer(None, NARROW, settings_of(tmp_path / "none")) as stage:
        await stage.press("tab", "q")
        await stage.until(lambda: not stage.app.is_running)


async def test_keys_move_the_tree_again_when_a_focused_text_leaves_the_screen(tmp_path: Path) -> None:
    async with running_viewer(write(straight(3), tmp_path), NARROW, settings_of(tmp_path)) as stage:
        await stage.press("tab")
        await stage.resize(44, 7)
        await stage.press("k")
        assert "Step 2" in stage.text


async def test_y_copies_the_thought_and_says_so(tmp_path: Path) -> None:
    path = write(JournalBuilder().session().thought("one \x1b]52;c;QQ==\x07 two"), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "copied" in await stage.press("y")
        assert stage.app.clipboard == "one ␛]52;c;QQ==␇ two"


async def test_y_copies_the_command_while_waiting(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        await stage.press("down", "y")
        assert "copied" in stage.text
        assert stage.app.clipboard == "seqthink setup claude-code"
        await stage.press("up", "left", "y")
        assert stage.app.clipboard == "seqthink setup zed"
        assert "Enter play the demo   y copy   q quit" in stage.text
        assert "or: all claude-code " in stage.text


async def test_whichever_client_is_chosen_the_rows_stay_where_they_are(tmp_path: Path) -> None:
    async with running_viewer(None, NARROW, settings_of(tmp_path)) as stage:
        rows = set[int]()
        for _ in CONNECT_CHOICES:
            await stage.press("right")
            rows |= {row for row, line in enumerate(stage.lines) if line.startswith(" 2  Restart them")}
        assert len(rows) == 1


async def test_the_help_page_opens_and_closes(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        before = stage.text
        for key in ("question_mark", "escape", "q", "enter"):
            page = await stage.press("question_mark")
            assert "Signs" in page
            assert "Move" in page
            assert await stage.press(key) == before


async def test_the_help_page_scrolls_on_a_low_screen(shop: Path) -> None:
    async with running_viewer(shop, (44, 12), settings_of(shop.parent)) as stage:
        top = await stage.press("question_mark")
        assert "Signs" in top
        assert "thought" in top
        assert "this page" not in top
        assert "more lines" in top
        await stage.press("G")
        assert "this page" in stage.text
        assert "the end" in stage.text
        await stage.press("pageup")
        assert "more lines" in stage.text
        for _ in range(60):
            await stage.press("k")
        assert stage.text == top


async def test_a_sign_within_a_thought_is_not_explained(tmp_path: Path) -> None:
    path = write(JournalBuilder().session().thought("Fix x or y: 2x as fast, 5>6. 3... ^2", 1, 1, next=False), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path, signs=ASCII)) as stage:
        page = await stage.press("question_mark")
        found = [words for words in ("refused", "expected", "moved", "again", "missing", "not drawn") if words in page]
        assert found == []
        assert "final; done" in page or "thought" in page


async def test_the_help_page_of_a_tiny_screen_names_no_signs_where_there_are_none(tmp_path: Path) -> None:
    path = write(straight(3), tmp_path)
    with locked_journal(path):
        async with running_viewer(path, (60, 7), settings_of(tmp_path, now=moment(22))) as stage:
            page = await stage.press("question_mark")
            assert "Signs" not in page
            assert "Move" in page


async def test_q_typed_twice_on_the_help_page_closes_it_and_quits(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.press("question_mark")

        for _ in range(2):
            stage.app.post_message(events.Key("q", "q"))

        await stage.until(lambda: not stage.app.is_running)


async def test_pasted_text_does_not_act_as_keys(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        stage.app.post_message(events.Paste("qqq"))
        await stage.shows("paste ignored")
        assert stage.app.is_running


# Mouse


async def test_a_click_selects_and_a_double_click_reads(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.pilot.click("#tree", offset=(10, 1))
        await stage.pilot.pause()
        assert "  2 " in stage.cursor
        await stage.pilot.click("#tree", offset=(10, 0), times=2)
        await stage.until(lambda: stage.lines[1].startswith("── 1 "))


async def test_a_click_on_any_line_of_a_row_selects_it_and_a_search_finds_what_stands_there(tmp_path: Path) -> None:
    path = write(shop_api(), tmp_path, lines=4)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        assert "each hour and are gone" in stage.lines[2]
        await stage.pilot.click("#tree", offset=(10, 1))
        await stage.until(lambda: "  1 Symptoms" in stage.cursor)
        await stage.press("slash", *"payments", "enter")
        await stage.until(lambda: "  2 Layers" in stage.cursor)
        assert "payments. The gateway" in stage.lines[5]


async def test_a_click_on_a_fork_folds_it_and_another_unfolds_it(shop: Path) -> None:
    async with running_viewer(shop, NARROW, settings_of(shop.parent)) as stage:
        await stage.pilot.click("#tree", offset=(10, 3))
        await stage.shows("├─ cron-job  ●●●")
        await stage.pilot.click("#tree", offset=(10, 3))
        await stage.shows("├─╮ cron-job")


async def test_the_wheel_moves_the_window_and_not_the_selection(tmp_path: Path) -> None:
    path = write(straight(30), tmp_path)
    async with running_viewer(path, NARROW, settings_of(tmp_path)) as stage:
        heading = stage.lines[14]
        stage.app.post_message(_wheel())
        await stage.until(lambda: " 15 " in stage.lines[1])
        assert stage.lines[14] == heading
        assert not stage.cursor


def _wheel() -> events.MouseScrollUp:
    return events.MouseScrollUp(None, 5, 5, 0, 0, 0, shift=False, meta=False, ctrl=False)


# How to quit


@pytest.mark.parametrize("size", first(1, [(99, 40), (44, 30), (80, 40)]))
async def test_a_narrow_screen_with_rows_to_spare_has_a_line_of_keys(shop: Path, size: tuple[int, int]) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        keys = stage.lines[-1]
        assert keys.startswith(" ↑↓ move  ←→ fold ")
        assert keys.endswith(" q quit ")
        await stage.press("slash", *"pool", "enter")
        await stage.until(lambda: "of" in stage.lines[-1].rstrip()[-12:])
        await stage.press("escape", "enter")
        assert stage.lines[-1].endswith(" q back ")


@pytest.mark.parametrize("size", first(1, [(80, 24), (44, 20)]))
async def test_a_narrow_screen_says_how_to_quit_above_the_text_unless_something_is_typed(
    shop: Path, size: tuple[int, int]
) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        assert "? keys · q quit ──" in stage.text
        assert "? keys · q back ──" in await stage.press("tab")
        await stage.press("tab", "slash")
        assert "? keys" not in stage.text
        await stage.press("escape")
        assert "? keys · q quit ──" in stage.text


async def test_a_heading_without_room_for_all_keeps_the_key_that_explains(tmp_path: Path) -> None:
    journal = straight(3).thought("On a branch", 1, 3, branch="a-branch-with-a-name-so-long", from_=2)
    async with running_viewer(write(journal, tmp_path), (44, 20), settings_of(tmp_path)) as stage:
        assert "── 1 · a-branch-with-a-name-so-… ─ ? keys ──" in stage.text
