"""Search, at the keys of a person."""

from pathlib import Path

import pytest

from seqthink.chain.model import NONE
from seqthink.drawing.text.spans import Role
from tests.support.journals.build import JournalBuilder
from tests.support.screens.piloted import line, running, until, viewer_of, write
from tui.widgets.line_view import LineView


async def test_a_search_finds_hits_counts_them_and_goes_from_one_to_the_next(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("g", "slash", *"gateway")
        await until(pilot, lambda: "hits" in line(pilot, "keys"))
        typed = line(pilot, "keys")
        await pilot.press("enter", "n")
        await until(pilot, lambda: "2 of" in line(pilot, "keys"))
        second = viewer_of(pilot).session_screen.state.viewport.thought
        await pilot.press("N")
        await until(pilot, lambda: "1 of" in line(pilot, "keys"))
        await pilot.press("escape")
        await pilot.pause()

        assert typed.startswith(" /gateway")
        assert second == 2
        assert "hit" not in line(pilot, "keys")
        assert pilot.app.is_running


async def test_capitals_in_a_query_count(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", *"GATEWAY")
        await until(pilot, lambda: "no hit" in line(pilot, "keys"))


async def test_a_hit_in_a_folded_branch_is_opened(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        lane = next(one for one in range(9) if not viewing.tree.session.lanes.get(one).is_trunk)
        foldable = viewing.foldable
        assert foldable is not None
        viewing.keep_place(lambda: foldable.fold(lane, folded=True))
        await pilot.press("slash", *"it starves", "enter")
        await until(pilot, lambda: viewing.tree.session.thoughts.lane_of(max(0, viewing.thought)) == lane)

        assert not foldable.is_folded(lane)


@pytest.mark.deep  # library/finding/ holds it without a screen
async def test_json_escapes_in_the_journal_hide_no_hit_and_make_none(folder: Path) -> None:
    journal = JournalBuilder().session().thought('say "so": née\n\ttab', 1, 2).thought("plain u00e9", 2, 2)
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        for text, hits in (('"so": né', "1 hit"), ("u00e9", "1 hit"), ("\\u00e9", "no hit"), ("NÉE", "no hit")):
            await pilot.press("slash")
            for character in text:
                await pilot.press(character)
            await until(pilot, lambda hits=hits: hits in line(pilot, "keys"))
            await pilot.press("escape")


async def test_digits_alone_go_to_that_number_and_others_are_searched(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        viewing = viewer_of(pilot).session_screen.state.viewport
        await pilot.press("slash", "4", "enter")
        await pilot.pause()
        four = viewing.tree.session.thoughts.number_of(viewing.thought)
        await pilot.press("slash", "5", "0", "2", "enter")
        await until(pilot, lambda: "hit" in line(pilot, "keys"))

        assert four == 4


async def test_what_arrives_later_is_searched_too(folder: Path) -> None:
    journal = JournalBuilder().session().thought("one needle", 1, 3)
    path = write(folder, "a", journal)
    async with running(path, folder) as pilot:
        await pilot.press("slash", *"needle", "enter")
        await until(pilot, lambda: "1 hit" in line(pilot, "keys"))
        with path.open("ab") as file:
            file.write(b"".join(journal.thought("hay", 2, 3).thought("another Needle", 3, 3).lines[2:]))
        await until(pilot, lambda: "2 hits" in line(pilot, "keys"))


async def test_escape_while_typing_leaves_the_selection_where_it_was(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        shown = viewer_of(pilot).session_screen.state
        await pilot.press("g", "j", "slash", *"starves")
        await until(pilot, lambda: shown.viewport.thought not in {1, NONE})
        await pilot.press("escape")

        assert shown.viewport.thought == 1
        assert shown.search.active_search is None


async def test_keys_typed_into_an_input_do_nothing_else(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", *"qsf?")
        await pilot.pause()

        assert line(pilot, "keys").startswith(" /qsf?")
        assert len(pilot.app.screen_stack) == 1


async def test_a_hit_is_highlighted_in_row_and_text(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("g", "slash", *"symptoms", "enter")
        await until(pilot, lambda: "1 hit" in line(pilot, "keys"))
        board = viewer_of(pilot).session_screen.panes
        tree = board.query_one("#tree", LineView)

        assert [span.text for span in tree.line_at(0)[0] if span.role is Role.MATCH] == ["Symptoms"]
        assert any(span.role is Role.MATCH for y in range(5) for span in board.text_pane.line_at(y)[0])


async def test_the_narrow_screen_has_room_for_the_line(shop: Path, folder: Path) -> None:
    async with running(shop, folder, width=44, height=20) as pilot:
        await pilot.press("slash", *"gateway")
        await until(pilot, lambda: "hit" in line(pilot, "keys"))
        keys = viewer_of(pilot).session_screen.panes.query_one("#keys")
        row = keys.region.y
        await pilot.press("enter")
        await pilot.pause()

        assert row == 19
        assert not keys.display
        assert "hits" in line(pilot, "heading")


@pytest.mark.deep  # where they lead is tried beside it
async def test_digits_in_a_search_say_where_they_lead(shop: Path, folder: Path) -> None:
    async with running(shop, folder) as pilot:
        await pilot.press("slash", "5")
        await until(pilot, lambda: "Enter: thought 5" in line(pilot, "keys"))
        await pilot.press(*" a")
        await until(pilot, lambda: "thought 5" not in line(pilot, "keys"))
