"""`x`: a session written to a file from the viewer, never over another one."""

import json
from pathlib import Path

import pytest

from tests.support.depth import first
from tests.support.journals.build import SESSION, JournalBuilder, shop_api
from tests.support.screens.screen_text import running_viewer, settings_of

WIDE, NARROW = (120, 35), (44, 20)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the journal of the shop, in a folder of its own; the person stands in another one."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    folder = tmp_path / "sessions"
    folder.mkdir()
    return shop_api().write(folder / f"{SESSION}.jsonl")


def written(name: str) -> str:
    """Return what stands in a file of the folder that the person is in."""
    return Path(name).read_text(encoding="utf-8")


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("size", first(1, [WIDE, NARROW]))
async def test_a_format_is_chosen_and_a_file_is_written_where_the_user_is(shop: Path, size: tuple[int, int]) -> None:
    async with running_viewer(shop, size, settings_of(shop.parent)) as stage:
        await stage.press("x")
        assert "Web page" in stage.text
        await stage.press("j", "s", "o", "n", "enter")
        await stage.until(lambda: "wrote shop-api.json" in stage.text)

    assert [path.name for path in Path.cwd().iterdir()] == ["shop-api.json"]
    document = json.loads(written("shop-api.json"))
    assert len(document["chains"]) == 1


@pytest.mark.deep  # from the present it is tried above
async def test_the_whole_session_is_written_also_from_the_past(shop: Path) -> None:
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        await stage.press("home", "x", *"Markdown", "enter")
        await stage.until(lambda: "wrote shop-api.md" in stage.text)

    assert "finally block" in written("shop-api.md")


async def test_a_file_that_is_there_is_never_written_over(shop: Path) -> None:
    write("shop-api.html", "mine")
    write("shop-api-2.html", "mine, too")
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        await stage.press("x", "enter")
        await stage.until(lambda: "wrote shop-api-3.html" in stage.text)

    assert written("shop-api.html") == "mine"
    assert written("shop-api-3.html").startswith("<!doctype html>")


async def test_a_folder_that_takes_no_file_is_named_in_a_few_words(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = shop.parent / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        gone.rmdir()
        await stage.press("x", "enter")
        await stage.until(lambda: "not written: no such file or directory" in stage.text)


async def test_a_hostile_name_stays_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    journal = JournalBuilder().session(title="../../etc/\x1b[31m.passwd").thought("a").write(tmp_path / "a.jsonl")
    async with running_viewer(journal, WIDE, settings_of(tmp_path)) as stage:
        await stage.press("x", *"json", "enter")
        await stage.until(lambda: "wrote " in stage.text)

    [written] = here.iterdir()
    assert written.name.isprintable()
    assert "/" not in written.name
    assert not written.name.startswith(".")


@pytest.mark.deep  # the session on the screen is tried above
async def test_a_session_of_the_list_is_exported_without_being_opened(shop: Path) -> None:
    other = "20260309T100000.000000Z-bbbbbb"
    JournalBuilder().session(session=other, title="other").thought("elsewhere").end().write(
        shop.parent / f"{other}.jsonl"
    )
    async with running_viewer(shop, WIDE, settings_of(shop.parent)) as stage:
        await stage.press("s")
        await stage.until(lambda: "other" in stage.text)
        while "other" not in stage.cursor:
            await stage.press("j")
        await stage.press("x", *"Markdown", "enter")
        await stage.until(lambda: "wrote other.md" in stage.text)
        assert "Sessions" in stage.lines[0]

    assert "elsewhere" in written("other.md")
