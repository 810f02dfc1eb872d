"""Finding in all sessions, as the user sees it."""

import asyncio
import os
from collections.abc import Callable, Generator
from pathlib import Path
from unittest.mock import patch

import pytest

from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.library.redacted_lines import decode_redacted
from tests.support.journals.build import START, JournalBuilder, shop_api
from tests.support.screens.screen_text import Stage, after, running_viewer, settings_of
from tests.support.servers.commands import JOURNALS
from tests.support.transcripts.recorded import lay_out
from tui.screens.find import FindScreen
from tui.screens.sessions import SessionsScreen

SIZE = (100, 24)
NATIVE = (JOURNALS / "native.jsonl").read_bytes()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample session, an older one about a zebra, and one with a long chain."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    shop_api().write(folder / "shop.jsonl")
    older = START.replace(year=2025)
    JournalBuilder(older).session("zoo", title="Zoo").thought("A zebra?").thought("No, a horse").write(
        folder / "zoo.jsonl"
    )
    for name in ("shop", "zoo"):
        os.utime(folder / f"{name}.jsonl", (START.timestamp(), START.timestamp()))
    return folder


def is_settled(stage: Stage) -> bool:
    return isinstance(stage.app.screen, FindScreen) and stage.app.screen.is_ready


async def find(stage: Stage, words: str) -> str:
    await stage.press("F")
    if "/ edit" in stage.text:  # the words of last time are there
        await stage.press("slash", "ctrl+u")
    await stage.press(*words)
    await stage.until(lambda: is_settled(stage))
    return await stage.press("enter")


async def test_enter_lands_on_the_thought_in_the_session_that_is_open(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await find(stage, "starves")
        await stage.press("enter")
        assert "3  Checkout's pool has 50" in stage.cursor
        await stage.shows("1 hit")


async def test_enter_opens_another_session_at_the_thought(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await find(stage, "horse")
        await stage.press("enter")
        await stage.shows("Zoo", "No, a horse")
        await stage.until(lambda: "1  No, a horse" in stage.cursor)
        await find(stage, "zebra")


async def test_the_last_words_and_the_selected_text_are_kept(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await find(stage, "pool")
        await stage.press("j", "j")
        chosen = stage.cursor
        await stage.press("escape")
        assert "Find" not in stage.lines[0]
        await stage.press("F")
        await stage.until(lambda: is_settled(stage) and stage.cursor == chosen)
        await stage.press("slash", "ctrl+u", *"zebra")
        await stage.until(lambda: is_settled(stage) and "1 text in 1 session" in stage.text)


@pytest.mark.deep  # above a session it is tried as well
async def test_it_opens_above_the_list_and_goes_back_there(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await stage.press("s")
        await find(stage, "zebra")
        await stage.press("escape")
        assert isinstance(stage.app.screen, SessionsScreen)
        await stage.press("F")
        await stage.until(lambda: is_settled(stage))
        await stage.press("enter")
        assert stage.app.screen is stage.session
        await stage.until(lambda: "1  A zebra?" in stage.cursor)


async def test_nothing_found_is_said_and_enter_does_nothing(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        shown = await find(stage, "kubernetes")
        assert "nothing found" in shown
        await stage.press("enter", "j", "k", "pagedown", "G")
        assert isinstance(stage.app.screen, FindScreen)


async def test_a_session_that_was_deleted_meanwhile_is_said_to_be_gone(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await find(stage, "zebra")
        (folder / "zoo.jsonl").unlink()
        assert "this session is gone" in await stage.press("enter")


@pytest.mark.deep  # that a hit leads to its thought is tried beside it
async def test_a_filter_that_hides_the_thought_goes(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await stage.press("ampersand", *"is:revision", "enter")
        await find(stage, "starves")
        await stage.press("enter")
        await stage.until(lambda: "Checkout's pool has 50" in stage.cursor)


async def test_in_a_replay_the_playhead_goes_there(folder: Path) -> None:
    settings = settings_of(folder, now=after(shop_api(), 9), is_replay=True, replay_at=1)
    async with running_viewer(folder / "shop.jsonl", SIZE, settings) as stage:
        await find(stage, "starves")
        await stage.press("enter")
        await stage.until(lambda: "Checkout's pool has 50" in stage.cursor)


@pytest.mark.deep  # that a hit leads to its thought is tried beside it
async def test_a_note_leads_to_its_thought_and_native_reasoning_is_shown(folder: Path) -> None:
    (folder / "native.jsonl").write_bytes(NATIVE)
    JournalBuilder().session().thought("One").note("Look at the quagga").thought("Two").write(folder / "noted.jsonl")
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        await find(stage, "quagga")
        await stage.press("enter")
        await stage.until(lambda: "1  One" in stage.cursor)
        await find(stage, "capping")
        await stage.press("enter")
        await stage.until(lambda: "Capping the pool" in stage.cursor)


async def test_secrets_stay_redacted(folder: Path) -> None:
    secret = "ghp_" + "a1B2" * 9
    JournalBuilder().session().thought(f"quagga {secret}").write(folder / "secret.jsonl")
    settings = settings_of(folder, now=after(shop_api(), 9), decode=decode_redacted)
    async with running_viewer(folder / "shop.jsonl", SIZE, settings) as stage:
        shown = await find(stage, "quagga")
        assert "[redacted" in shown
        assert secret not in shown


async def test_hostile_text_reaches_no_screen(folder: Path) -> None:
    hostile = "quagga \x1b[31mred\x1b]0;title\x07 \u202eright\nnext"
    JournalBuilder().session(title="a\x1b[2Jb").thought(hostile).write(folder / "bad.jsonl")
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        shown = await find(stage, "quagga")
        assert "quagga" in shown
        assert not any(one in shown for one in "\x1b\x07\u202e")


@pytest.fixture
def library(tmp_path: Path) -> Generator[TranscriptPlace]:
    """The transcripts of a recorded run."""
    lay_out("codex/agents", tmp_path / "ada")
    made = TranscriptPlace(
        frozenset({"codex"}), {"XDG_RUNTIME_DIR": str(tmp_path)}, tmp_path / "ada", lambda: after(shop_api(), 9)
    )
    yield made
    made.close()


async def test_a_text_in_a_transcript_is_found_and_opened(folder: Path, library: TranscriptPlace) -> None:
    settings = settings_of(folder, now=after(shop_api(), 9), catalog=SessionCatalog(FolderPlace(folder), library))
    library.refresh()
    async with running_viewer(folder / "shop.jsonl", SIZE, settings) as stage:
        await find(stage, "fails at")
        await stage.press("enter")
        await stage.until(lambda: stage.app.screen is stage.session and "fails at" in stage.cursor)


async def test_searches_that_begin_late_report_nothing_but_their_own_hits(folder: Path) -> None:
    for number in range(40):
        JournalBuilder().session().thought(f"quagga {number}").write(folder / f"q{number}.jsonl")
    begun: list[Callable[[], None]] = []

    def hold(_: FindScreen, work: Callable[[], None], **__: object) -> None:
        begun.append(work)

    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        with patch.object(FindScreen, "run_worker", hold):
            await stage.press("F", *"quagga 3")
        assert len(begun) > 1
        for work in begun:
            await asyncio.to_thread(work)
        await stage.until(lambda: is_settled(stage) and "13 texts in 13 sessions" in stage.text)


@pytest.mark.deep  # library/finding/ says it
async def test_a_folder_that_cannot_be_listed_is_said(folder: Path) -> None:
    async with running_viewer(folder / "shop.jsonl", SIZE, settings_of(folder, now=after(shop_api(), 9))) as stage:
        with patch("os.scandir", side_effect=PermissionError(13, "Permission denied")):
            await find(stage, "pool")
            assert "permission denied" in " ".join(stage.text.split())  # a long path pushes it over the line's end
