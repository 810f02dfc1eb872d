"""Comments on thoughts (``B``): the user's own, and those of colleagues."""

from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste

from seqthink.core.labels import MAX_COMMENT_CHARS, Comment, SessionLabels
from seqthink.library.viewer_store.label_book import LabelBook
from tests.support.journals.build import shop_api
from tests.support.screens.screen_text import Stage, running_viewer, settings_of
from tui.settings import Settings

SIZE = (100, 24)
SHOP = "20260310T140200.000000Z-k3v9qa"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    folder = tmp_path / "sessions"
    folder.mkdir()
    path = folder / f"{SHOP}.jsonl"
    shop_api().write(path)
    return path


@pytest.fixture
def book(tmp_path: Path) -> LabelBook:
    return LabelBook(tmp_path / "viewer")


def _settings(journal: Path, **more: Any) -> Settings:  # noqa: ANN401 - whatever a test hands over
    more.setdefault("author", "ana")
    return settings_of(journal.parent, viewer_folder=journal.parent.parent / "viewer", **more)


def _commented_rows(stage: Stage) -> list[str]:
    return [line[:30] for line in stage.lines if line.startswith("✎")]


async def test_a_comment_is_typed_kept_and_shown_as_one_s_own(journal: Path, book: LabelBook) -> None:
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("g", "j", "B")
        await stage.shows("✎ on 2 as ana", "Enter keep")
        await stage.press(*"why the pool", "enter")
        await stage.shows("comment kept · ' lists", "✎ your comment", "│ why the pool")
        assert "  2  Layers" in _commented_rows(stage)[0]

    [comment] = book.of(SHOP).comments
    assert (comment.seq, comment.text, comment.by) == (3, "why the pool", "ana")


async def test_a_comment_is_edited_and_an_empty_one_is_taken_away(journal: Path, book: LabelBook) -> None:
    book.comment(SHOP, Comment(seq=3, text="first", by="ana", time=1))
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("g", "j", "B", *" second", "enter")
        await stage.shows("│ first second")
        await stage.press("B", "ctrl+u", "enter")
        await stage.shows("comment removed")
        assert _commented_rows(stage) == []

    assert book.of(SHOP).comments == ()


async def test_a_comment_that_was_left_is_a_draft(journal: Path) -> None:
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("g", "j", "B", *"half", "escape", "j", "B")
        await stage.shows("✎ on 3 as ana")
        await stage.press("escape", "k", "B", *" done", "enter")
        await stage.shows("│ half done")


async def test_what_a_colleague_wrote_is_named_and_answered_beside_it(journal: Path, book: LabelBook) -> None:
    theirs = Comment(seq=3, text="It was\x1b[2J the \u202ecache\nnot the pool", by="bo\x07\u202e", time=1)
    book.receive(SHOP, SessionLabels(comments=(theirs, Comment(seq=3, text="x", by="you"))))
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("g", "j")
        await stage.shows("✎ comment by bo", "│ not the pool", "✎ comment by you")
        assert not {"\x1b", "\u202e", "\x07"} & set(stage.text)
        await stage.press("B", *"mine", "enter")
        await stage.shows("✎ comment by bo", "✎ your comment", "│ mine")


async def test_a_comment_and_a_name_from_another_viewer_show_up(journal: Path, book: LabelBook) -> None:
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        book.comment(SHOP, Comment(seq=3, text="x", by="ana"))
        book.name(SHOP, "Hourly 502s")
        stage.session.tick()
        await stage.until(lambda: _commented_rows(stage))
        assert "Hourly 502s" in stage.lines[0]
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        assert "Hourly 502s" in stage.lines[0]
        assert _commented_rows(stage)


async def test_too_long_a_comment_is_refused_and_nothing_is_lost(journal: Path) -> None:
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("g", "j", "B", "x")
        stage.app.post_message(Paste("y" * (MAX_COMMENT_CHARS + 1)))
        await stage.shows("too long: at most 4,000 bytes")
        await stage.press("enter")
        await stage.shows("│ x")


async def test_a_comment_that_cannot_be_kept_stays_open(journal: Path, tmp_path: Path) -> None:
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        (tmp_path / "viewer").mkdir(exist_ok=True)
        (tmp_path / "viewer" / "labels.jsonl").symlink_to(tmp_path / "elsewhere")
        await stage.press("g", "j", "B", "x", "enter")
        await stage.shows("not kept:", "✎ on 2")


async def test_only_thoughts_of_kept_sessions_take_comments(journal: Path) -> None:
    async with running_viewer(journal, SIZE, settings_of(journal.parent)) as stage:
        await stage.press("g", "j", "B")
        await stage.shows("a comment needs a session that can be found again")


async def test_comments_are_listed_beside_marks_and_only_one_s_own_can_be_removed(
    journal: Path, book: LabelBook
) -> None:
    book.comment(SHOP, Comment(seq=3, number=2, text="mine", by="ana", time=5))
    book.receive(SHOP, SessionLabels(comments=(Comment(seq=4, number=3, text="theirs", by="bo", time=4),)))
    async with running_viewer(journal, SIZE, _settings(journal)) as stage:
        await stage.press("apostrophe")
        await stage.shows("Marks   2 in 1 session", "✎ you: mine", "✎ bo: theirs", "shop-api")
        await stage.press("j", "d")
        await stage.shows("others' comments stay", "theirs")
        await stage.press("k", "d")
        await stage.shows("removed", "Marks   1 in 1 session")
        await stage.press("enter")
        await stage.until(lambda: stage.session.state.viewport.thought == 2)
