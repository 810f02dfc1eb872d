"""Names, tags and pins in the list of sessions (``N``, ``T``, ``p``)."""

from pathlib import Path
from typing import Any

import pytest

from seqthink.core.labels import SessionLabels
from seqthink.library.viewer_store.label_book import LabelBook
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.settings import Settings

SIZE = (100, 24)
SHOP, OTHER = "20260310T140200.000000Z-k3v9qa", "20260310T120200.000000Z-aaaaaa"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    shop_api().write(folder / f"{SHOP}.jsonl")
    other = JournalBuilder().session(OTHER, cwd="/x/billing").thought("Invoices round early", 1, 1)
    other.end().write(folder / f"{OTHER}.jsonl")
    return folder


@pytest.fixture
def book(tmp_path: Path) -> LabelBook:
    return LabelBook(tmp_path / "viewer")


def _settings(folder: Path, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    return settings_of(folder, viewer_folder=folder.parent / "viewer", **more)


def _rows(stage: Stage) -> list[str]:
    return [line for line in stage.lines if "billing" in line or "shop-api" in line or "502" in line]


async def test_a_name_replaces_the_shown_one_and_the_original_is_still_found(folder: Path, book: LabelBook) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("s")
        await stage.shows("shop-api", "billing")
        await stage.press("N")
        await stage.shows("name:")
        await stage.press(*"Hourly 502s", "enter")
        await stage.shows("Hourly 502s", "named", "was shop-api")
        assert book.of(SHOP).name == "Hourly 502s"

        await stage.press("slash", *"shop-api", "enter")
        await stage.shows("1 of 2", "Hourly 502s")
        await stage.press("escape", "escape")
        await stage.until(lambda: "Hourly 502s" in stage.lines[0])


async def test_tags_are_in_the_row_and_are_edited_as_a_line(folder: Path, book: LabelBook) -> None:
    book.tag(SHOP, add=["prod", "old"])
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("s")
        await stage.shows("shop-api #prod #old")
        await stage.press("T")
        await stage.shows("tags: prod old")
        await stage.press(*["backspace"] * 4, *" #pool", "enter")
        await stage.shows("2 tags", "shop-api #prod #pool")

    assert book.of(SHOP).tags == ("prod", "pool")


async def test_a_cancelled_name_changes_nothing(folder: Path, book: LabelBook) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("s", "N", *"x", "escape")
        await stage.shows("/ search")

    assert book.all() == {}


async def test_a_pinned_session_is_first_in_its_group(folder: Path, book: LabelBook) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, _settings(folder)) as stage:
        await stage.press("s")
        await stage.until(lambda: ["shop-api" in row for row in _rows(stage)][:2] == [True, False])
        await stage.press("G", "p")
        await stage.shows("pinned", "⚑ billing")
        await stage.until(lambda: "billing" in _rows(stage)[0])
        await stage.press("p")
        await stage.shows("not pinned any more")
        await stage.until(lambda: "shop-api" in _rows(stage)[0])

    assert not book.of(OTHER).is_pinned


async def test_labels_that_came_from_elsewhere_draw_no_controls(folder: Path, book: LabelBook) -> None:
    book.receive(SHOP, SessionLabels(name="a\x1b[2J\u202e\n" + "b" * 180, tags=("t\x07\u2066", "u" * 40)))
    async with running_viewer(folder / f"{SHOP}.jsonl", (44, 16), _settings(folder)) as stage:
        await stage.press("s")
        await stage.shows("a")
        assert not {"\x1b", "\u202e", "\x07", "\u2066"} & set(stage.text)


async def test_where_nothing_is_kept_the_keys_say_so(folder: Path) -> None:
    async with running_viewer(folder / f"{SHOP}.jsonl", SIZE, settings_of(folder)) as stage:
        await stage.press("s")
        await stage.shows("billing")
        for key in "NTp":
            await stage.press(key)
            await stage.shows("nothing is kept about sessions here")
            await stage.press("k")
