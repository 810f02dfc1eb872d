"""Two sessions side by side at the keys: picked in the list, compared, and one of them opened at a thought."""

from pathlib import Path

import pytest

from seqthink.library.viewer_store.label_book import LabelBook
from tests.support.journals.build import JournalBuilder
from tests.support.journals.two_runs import run_that_failed, run_that_worked
from tests.support.screens.screen_text import Stage, after, running_viewer, settings_of
from tui.screens.comparison import ComparisonScreen
from tui.screens.sessions import SessionsScreen
from tui.session_view.menus import HOW_TO_PICK

SIZE = (120, 35)
NOW = after(run_that_worked(), 60)
PARTING = "here they part"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    run_that_worked().end().write(tmp_path / "worked.jsonl")
    run_that_failed().end().write(tmp_path / "failed.jsonl")
    return tmp_path


async def listed(stage: Stage) -> None:
    await stage.press("s")
    await stage.until(lambda: isinstance(stage.app.screen, SessionsScreen) and stage.app.screen.is_ready)


async def compared(stage: Stage) -> None:
    await stage.until(lambda: isinstance(stage.app.screen, ComparisonScreen) and stage.app.screen.is_ready)
    await stage.shows("They part at")


async def test_two_picked_sessions_are_compared(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space")
        await stage.shows("1 picked")
        await stage.press("j", "space")
        await stage.shows("2 picked: D compares them")
        picked = [line[1] for line in stage.lines if "502s, " in line and line[1] in "AB"]
        await stage.press("D")
        await compared(stage)

        assert sorted(picked) == ["A", "B"]
        assert "1 the same, 2 alike" in stage.text
        assert PARTING in stage.text


async def test_compared_sessions_are_called_as_their_labels_say(folder: Path) -> None:
    LabelBook(folder / "viewer").name("worked", "The good run")
    settings = settings_of(folder, now=NOW, viewer_folder=folder / "viewer")
    async with running_viewer(folder / "worked.jsonl", SIZE, settings) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "D")
        await compared(stage)

        assert "The good run" in stage.text


async def test_one_picked_session_is_compared_with_the_selected_one(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "D")
        await compared(stage)

        assert "1 the same, 2 alike" in stage.text


async def test_the_session_on_the_screen_is_compared_with_the_picked_one(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space")
        is_shown = "found" in stage.cursor
        await stage.press(*(["j", "space", "k", "space"] if is_shown else []))
        await stage.press("escape", "D")
        await compared(stage)

        assert "502s, hidden" in stage.text


@pytest.mark.parametrize("keys", [("s", "D"), ("s", "g", "space", "D")], ids=["none", "the same one"])
async def test_without_two_sessions_one_sentence_says_what_to_do(folder: Path, keys: tuple[str, ...]) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press(*keys[1:])

        await stage.shows("pick two sessions with Space; D compares them")


async def test_in_a_session_the_sentence_says_how_to_pick_one(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await stage.press("D")

        await stage.shows(HOW_TO_PICK)


async def test_enter_opens_the_session_at_the_thought_and_tab_the_other_side(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "space", "D")
        await compared(stage)
        first = "found" if stage.text.index("502s, found") < stage.text.index("502s, hidden") else "hidden"
        await stage.shows("Enter open A's 1")
        await stage.press("tab")
        await stage.shows("Enter open B's 1")
        await stage.press("tab", "j", "enter")
        await stage.until(lambda: stage.session.is_active)
        await stage.shows(f"502s, {first}")

        assert "Layers: CDN" in stage.cursor


async def test_n_goes_from_difference_to_difference_and_says_when_there_is_none(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", (120, 14), settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "space", "D")
        await stage.until(lambda: isinstance(stage.app.screen, ComparisonScreen) and stage.app.screen.is_ready)
        await stage.press("n")
        await stage.shows(PARTING)
        await stage.press("n", "n")

        await stage.shows("no further difference")
        await stage.press("N", "N")
        await stage.shows("no further difference", PARTING)


async def test_a_session_that_is_gone_is_said_and_the_page_closes(folder: Path) -> None:
    async with running_viewer(folder / "worked.jsonl", SIZE, settings_of(folder, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "space")
        (folder / "worked.jsonl").unlink()
        (folder / "failed.jsonl").unlink()
        await stage.press("D")
        await stage.shows("cannot read", "such file")
        await stage.press("escape")

        await stage.until(lambda: not isinstance(stage.app.screen, ComparisonScreen))


async def test_sessions_without_a_thought_have_facts_and_no_rows(tmp_path: Path) -> None:
    for name in ("one", "two"):
        JournalBuilder().session(name, title=name).write(tmp_path / f"{name}.jsonl")
    async with running_viewer(tmp_path / "one.jsonl", SIZE, settings_of(tmp_path, now=NOW)) as stage:
        await listed(stage)
        await stage.press("g", "space", "j", "space", "D")
        await stage.shows("nothing to compare", "They do not part.")
        await stage.press("j", "k", "n", "enter", "tab")

        assert isinstance(stage.app.screen, ComparisonScreen)
