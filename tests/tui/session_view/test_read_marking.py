"""Which thoughts count as read: those that were on the screen while somebody was there."""

from datetime import timedelta
from pathlib import Path

import pytest

from seqthink.library.viewer_store.read_state import ReadState
from tests.support.journals.build import START, JournalBuilder
from tests.support.screens.screen_text import Stage, after, running_viewer, settings_of

SIZE = (80, 24)


def journal(title: str = "one", thoughts: int = 3, after_start: float = 0) -> JournalBuilder:
    builder = JournalBuilder(START + timedelta(seconds=after_start)).session(title=title)
    for number in range(1, thoughts + 1):
        builder.thought(f"{title} {number}", number, 90)
    return builder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "viewer"


def seen(store: Path, session: str = "a") -> int:
    return ReadState(store).seen_count(session)


async def written(stage: Stage, store: Path, count: int, session: str = "a") -> None:
    def is_written() -> bool:
        stage.session.tick()
        return seen(store, session) == count

    await stage.until(is_written)


async def test_what_the_user_opens_is_read(tmp_path: Path, store: Path) -> None:
    path = journal().write(tmp_path / "a.jsonl")
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await written(stage, store, 3)


async def test_what_arrives_is_read_once_a_key_is_pressed(tmp_path: Path, store: Path) -> None:
    builder = journal()
    path = builder.write(tmp_path / "a.jsonl")
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await written(stage, store, 3)
        builder.thought("four", 4, 90).append_to(path)
        await stage.shows("four")
        stage.session.tick()
        await stage.pilot.pause()
        before = seen(store)
        await stage.press("question_mark")
        await written(stage, store, 4)

        assert before == 3


async def test_what_arrives_below_the_screen_or_under_another_screen_is_not_read(tmp_path: Path, store: Path) -> None:
    builder = journal(thoughts=60)
    path = builder.write(tmp_path / "a.jsonl")
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await stage.press("g")
        builder.thought("last", 61, 90).append_to(path)
        await stage.shows("1 new")
        await stage.press("j")
        await written(stage, store, 60)
        await stage.press("s", "j")
        await stage.press("escape", "G")
        await stage.press("k")
        await written(stage, store, 61)


async def test_a_replay_and_the_past_do_not_count(tmp_path: Path, store: Path) -> None:
    path = journal().write(tmp_path / "a.jsonl")
    settings = settings_of(tmp_path, viewer_folder=store, is_replay=True, replay_at=2)
    async with running_viewer(path, SIZE, settings) as stage:
        await stage.press("j", "k")

    assert seen(store) == 0


async def test_a_session_that_comes_by_itself_is_unread_until_a_key_is_pressed(tmp_path: Path, store: Path) -> None:
    first = journal("first", 1).thought("end", 2, 2, next=False).end()
    path = first.write(tmp_path / "20260310T000000.000000Z-aaaaaa.jsonl")
    second = tmp_path / "20260310T000100.000000Z-bbbbbb.jsonl"
    now = after(first, 30)
    async with running_viewer(None, SIZE, settings_of(tmp_path, now=now, viewer_folder=store)) as stage:
        await written(stage, store, 2, path.stem)
        journal("second", 2, 20).write(second)
        await stage.shows("second 2")
        stage.session.tick()
        await stage.pilot.pause()
        before = seen(store, second.stem)
        await stage.press("j")
        await written(stage, store, 2, second.stem)

        assert before == 0


async def test_what_is_marked_last_is_written_at_the_end(tmp_path: Path, store: Path) -> None:
    path = journal().write(tmp_path / "a.jsonl")
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        await stage.press("j")

    assert seen(store) == 3


async def test_a_store_that_cannot_be_written_is_said_once_and_disturbs_nothing(tmp_path: Path) -> None:
    path, store = journal().write(tmp_path / "a.jsonl"), journal().write(tmp_path / "a file")
    async with running_viewer(path, SIZE, settings_of(tmp_path, viewer_folder=store)) as stage:
        stage.session.tick()
        await stage.shows("what you read is not remembered")
        await stage.press("j")
        stage.session.tick()

        assert "not remembered" not in await stage.press("k")
