"""Marks (``b``, ``'``) and links (``Y``)."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.library.viewer_store.marks import Mark, Marks
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.settings import Settings
from tui.state.landing import Beginning, Landing

SIZE = (100, 24)
SHOP, OTHER = "20260310T140200.000000Z-k3v9qa", "20260310T120200.000000Z-aaaaaa"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of the journals, with two sessions in it."""
    folder = tmp_path / "sessions"
    folder.mkdir()
    shop_api().write(folder / f"{SHOP}.jsonl")
    other = JournalBuilder().session(OTHER, cwd="/x/billing").thought("Invoices round early", 1, 3)
    other.thought("Round once, at the end", 2, 3).end().write(folder / f"{OTHER}.jsonl")
    return folder


def _settings(folder: Path, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    return settings_of(folder, viewer_folder=folder.parent / "viewer", **more)


def _marked_rows(stage: Stage) -> list[str]:
    return [line[:40] for line in stage.lines if line.startswith("⚑")]


async def test_b_marks_a_thought_and_takes_the_mark_away(folder: Path, tmp_path: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("g", "j", "b")
        await stage.shows("marked · ' lists")
        assert "  2  Layers" in _marked_rows(stage)[0]
        [mark] = Marks(tmp_path / "viewer").all()
        assert (mark.session, mark.seq, mark.name, mark.number, mark.path) == (SHOP, 3, "shop-api", 2, "")
        assert mark.text.startswith("Layers: CDN")

        assert "mark removed" in await stage.press("b")
        assert (_marked_rows(stage), Marks(tmp_path / "viewer").all()) == ([], [])


async def test_the_sign_stays_where_the_timeline_is_shown_and_after_a_restart(folder: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("g", "j", "b", "t")
        assert len(_marked_rows(stage)) == 1
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.until(lambda: _marked_rows(stage))


async def test_a_mark_of_another_viewer_shows_up(folder: Path, tmp_path: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        Marks(tmp_path / "viewer").add(Mark(SHOP, 4))
        stage.session.tick()
        await stage.until(lambda: _marked_rows(stage))


async def test_the_list_goes_to_a_thought_of_another_session(folder: Path, tmp_path: Path) -> None:
    Marks(tmp_path / "viewer").add(Mark(OTHER, 2, 5, "billing", 1, "Invoices round early"))
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe")
        await stage.shows("Marks   1 in 1 session", "billing", "Invoices round early")
        await stage.press("enter")
        await stage.until(lambda: "Invoices" in next(iter(_marked_rows(stage)), ""))
        assert stage.session.state.viewport.thought == 0


async def test_the_list_goes_to_a_thought_of_this_session(folder: Path, tmp_path: Path) -> None:
    Marks(tmp_path / "viewer").add(Mark(SHOP, 4, 5, "shop-api", 3, "Hypotheses"))
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe", "enter")
        await stage.until(lambda: stage.session.state.viewport.thought == 2)


async def test_a_mark_whose_session_is_gone_says_so_and_stays_until_it_is_removed(folder: Path, tmp_path: Path) -> None:
    Marks(tmp_path / "viewer").add(Mark("gone-1", 7, 5, "old", 4, "It was the cache"))
    Marks(tmp_path / "viewer").add(Mark("claude-1", 7, 4, "there", 4, "A transcript"))
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe")
        await stage.shows("gone", "not looked for")
        assert "its session is gone" in await stage.press("enter")
        assert "transcripts are not looked for here" in await stage.press("j", "enter")
        await stage.press("k", "d")
        await stage.shows("removed", "Marks   1 in 1 session")
        assert "It was the cache" not in stage.text


@pytest.mark.deep  # one list is narrowed as another
async def test_the_list_is_filtered_and_esc_goes_back_by_steps(folder: Path, tmp_path: Path) -> None:
    for seq, text in ((2, "one pool"), (3, "two")):
        Marks(tmp_path / "viewer").add(Mark(SHOP, seq, seq, "shop-api", seq - 1, text))
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe", "slash", *"POOL", "enter")
        await stage.shows("Marks   1 in", "one pool")
        assert "two" not in stage.text
        await stage.press("escape")
        await stage.shows("two")
        await stage.press("escape")
        await stage.shows("Symptoms")


async def test_without_marks_the_list_says_how_to_make_one(folder: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe", "enter", "d", "y")
        await stage.shows("No marks yet. b on a thought marks it,")


@pytest.mark.deep  # by its name it is tried above
async def test_a_journal_elsewhere_is_found_by_its_path(folder: Path, tmp_path: Path) -> None:
    shop_api().write(tmp_path / "elsewhere.jsonl")
    async with running_viewer(tmp_path / "elsewhere.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("g", "b")
    async with running_viewer(folder / f"{OTHER}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe", "enter")
        await stage.shows("Symptoms: 502s")


async def test_hostile_marks_reach_the_screen_as_text(folder: Path, tmp_path: Path) -> None:
    hostile = Mark("\x1b]0;x\x07", 7, 5, "\x1b[2J\u202ename", 4, "a\x1b]52;c;eA==\x07b\nc", "\x00")
    Marks(tmp_path / "viewer").add(hostile)
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("apostrophe")
        await stage.shows("␛[2J", "gone")
        assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(stage.text)
        await stage.press("Y")
        assert stage.app.clipboard == "␛]0;x␇#e7"


async def test_marks_that_cannot_be_written_are_no_failure(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "viewer").write_text("a file", encoding="utf-8")
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("g", "b")
        await stage.shows("not marked:")


async def test_y_copies_a_link_that_opens_the_thought(folder: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("g", "j", "j", "Y")
        await stage.shows("copied")
        assert stage.app.clipboard == f"{SHOP}#e4"
    async with running_viewer(
        folder / f"{SHOP}.jsonl", SIZE, _settings(folder, beginning=Beginning(Landing(4)))
    ) as stage:
        assert stage.session.state.viewport.thought == 2
        assert not stage.session.state.viewport.is_following


async def test_a_link_to_no_thought_is_said_in_one_line(folder: Path) -> None:
    async with running_viewer(
        folder / f"{SHOP}.jsonl", SIZE, _settings(folder, beginning=Beginning(Landing(999)))
    ) as stage:
        await stage.shows("no thought at e999 here")


@pytest.mark.parametrize(
    ("landing", "count"), first(1, [(Landing(4), 3), (Landing(0, 8), 11), (Landing(999), 11)], is_unpacked=True)
)
async def test_a_replay_begins_at_the_thought_that_was_named(folder: Path, landing: Landing, count: int) -> None:
    settings = _settings(folder, beginning=Beginning(landing), is_replay=True)
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, settings) as stage:
        session = stage.session.state.viewport.session
        assert session is not None
        assert session.thought_count == count
        assert not stage.session.state.playback.is_playing
        assert ("no thought at e999 here" in stage.text) == (landing.seq == 999)
