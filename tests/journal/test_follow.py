import asyncio
import errno
import os
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from seqthink.core.events import ThoughtEvent
from seqthink.journal import change_hints, folder_watch
from seqthink.journal.folder_watch import FolderWatch, watching
from seqthink.journal.follow import follow, follow_folder, follow_stdin
from seqthink.journal.reader import Batch
from tests.support.journals.build import JournalBuilder, shop_api

JOURNALS = Path(__file__).parent.parent / "journals"


def fails(*_: object) -> None:
    raise OSError(errno.EMFILE, "Too many open files")


@pytest.fixture(params=["watched", "asked"])
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Follow by both ways to know of changes."""
    if request.param == "asked":
        monkeypatch.setattr(folder_watch, "FolderWatch", fails)
    return str(request.param)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def replace(path: Path, builder: JournalBuilder) -> None:
    """Put a whole journal where ``path`` is, in one step."""
    builder.write(path.with_name("other")).replace(path)


def remove(path: Path) -> None:
    path.unlink()


def texts(batch: Batch) -> list[str]:
    return [event.thought for event, _, _ in batch.events if isinstance(event, ThoughtEvent)]


@asynccontextmanager
async def following(path: Path) -> AsyncGenerator[AsyncGenerator[Batch, None], None]:
    """Follow ``path`` and close the stream; nothing in it may take more than ten seconds."""
    with anyio.fail_after(10):
        async with aclosing(follow(path)) as batches:
            yield batches


async def until(batches: AsyncGenerator[Batch, None], text: str) -> list[str]:
    """Return the thoughts up to and with ``text``."""
    found: list[str] = []
    async for batch in batches:
        found += texts(batch)
        if text in found:
            return found
    raise AssertionError(f"the stream ended before {text}")


@pytest.mark.usefixtures("backend")
async def test_what_is_there_comes_first_and_then_what_is_appended(path: Path) -> None:
    builder = JournalBuilder().session().thought("One", 1, 2)
    builder.write(path)
    async with following(path) as batches:
        first = await anext(batches)
        append(path, builder.thought("Two", 2, 2).lines[-1])
        second = await anext(batches)

    assert (texts(first), first.at_end) == (["One"], True)
    assert (texts(second), second.at_end) == (["Two"], True)


@pytest.mark.usefixtures("backend")
async def test_a_half_written_line_waits_for_its_newline(path: Path) -> None:
    line = JournalBuilder().thought("Whole").lines[0]
    async with following(path) as batches:
        assert (await anext(batches)).gone
        append(path, line[:20])
        assert not (await anext(batches)).gone
        append(path, line[20:])

        assert texts(await anext(batches)) == ["Whole"]


@pytest.mark.usefixtures("backend")
async def test_a_replaced_journal_starts_over(path: Path) -> None:
    JournalBuilder().thought("Old").write(path)
    async with following(path) as batches:
        await anext(batches)
        replace(path, JournalBuilder().thought("New"))
        batch = await anext(batches)

    assert (texts(batch), batch.restarted) == (["New"], "replaced")


@pytest.mark.usefixtures("backend")
async def test_a_deleted_journal_is_reported_once_and_picked_up_when_it_is_back(path: Path) -> None:
    JournalBuilder().thought("Old").write(path)
    async with following(path) as batches:
        await anext(batches)
        remove(path)
        gone = await anext(batches)
        replace(path, JournalBuilder().thought("New"))
        back = await anext(batches)

    assert gone.gone
    assert not gone.has_news
    assert (texts(back), back.gone) == (["New"], False)


@pytest.mark.usefixtures("backend")
async def test_a_folder_that_is_deleted_and_made_again_is_followed_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_hints, "_RETRY_SECONDS", 0.3)
    path = tmp_path / "sessions" / "journal.jsonl"
    path.parent.mkdir()
    builder = JournalBuilder().thought("Old")
    builder.write(path)
    async with following(path) as batches:
        await anext(batches)
        remove(path)
        path.parent.rmdir()
        assert (await anext(batches)).gone
        path.parent.mkdir()
        replace(path, builder)
        assert texts(await anext(batches)) == ["Old"]
        for number in range(10):
            append(path, builder.thought(f"More {number}").lines[-1])
            await until(batches, f"More {number}")


async def test_every_appended_event_comes_once_and_in_order(path: Path, backend: str) -> None:
    builder = JournalBuilder()
    append(path, b"")
    count = 100 if backend == "asked" else 500

    async def write() -> None:
        for number in range(count):
            append(path, builder.thought(str(number)).lines[-1])
            await anyio.lowlevel.checkpoint()

    found: list[str] = []
    async with following(path) as batches:
        await anext(batches)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(write)
            found += await until(batches, str(count - 1))

    assert found == [str(number) for number in range(count)]


async def test_a_large_journal_comes_in_slices_between_which_others_run(path: Path) -> None:
    builder = JournalBuilder()
    for number in range(2000):
        builder.thought(f"{number} " + "x" * 500)
    builder.write(path)
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await anyio.lowlevel.checkpoint()

    sizes: list[int] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(count_turns)
        async with following(path) as batches:
            async for batch in batches:
                sizes.append(len(batch.events))
                if batch.at_end:
                    break
        tasks.cancel_scope.cancel()

    assert sum(sizes) == 2000
    assert len(sizes) > 4
    assert turns >= len(sizes) - 1


@pytest.mark.usefixtures("backend")
async def test_the_stream_ends_when_it_is_stopped(path: Path) -> None:
    shop_api().write(path)
    stop = asyncio.Event()
    count = 0
    with anyio.fail_after(10):
        async for batch in follow(path, stop=stop):
            count += len(batch.events)
            stop.set()

    assert count == 15


async def test_where_nothing_is_announced_the_file_is_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    async def silent(_: object) -> AsyncGenerator[bool, None]:
        while True:
            yield False
            await anyio.lowlevel.checkpoint()

    original = change_hints.ChangeHints._poll  # pyright: ignore[reportPrivateUsage] - there is no public way to see it

    def counted(self: change_hints.ChangeHints, seconds: float) -> AsyncGenerator[bool, None]:
        asked.append(seconds)
        return original(self, seconds)

    folder_watch.load()  # else it is polled before, too
    monkeypatch.setattr(change_hints, "_watched_hints", silent)
    monkeypatch.setattr(change_hints.ChangeHints, "_poll", counted)
    builder = JournalBuilder()
    async with following(path) as batches:
        await anext(batches)
        for number in range(6):
            append(path, builder.thought(str(number)).lines[-1])
            await until(batches, str(number))

    assert len(asked) == 1


async def test_an_idle_journal_is_hardly_ever_looked_at(path: Path) -> None:
    shop_api().write(path)
    looks = 0
    hints = change_hints.ChangeHints(change_hints.WatchSubject(path.parent, path.name.__eq__, lambda: None))
    with anyio.move_on_after(1.6):
        async for _ in hints.stream():
            looks += 1

    assert looks <= 4


async def test_another_session_s_events_are_no_reason_to_look(path: Path) -> None:
    folder_watch.load()  # else there is one look more, when it is
    hints = change_hints.ChangeHints(change_hints.WatchSubject(path.parent, path.name.__eq__, lambda: None))
    with anyio.fail_after(10):
        async with aclosing(hints.stream()) as stream:
            assert await anext(stream)
            append(path.with_name("other.jsonl"), b"other\n")

            assert not await anext(stream)


@pytest.mark.usefixtures("backend")
async def test_a_new_session_is_hinted_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_hints, "_RETRY_SECONDS", 0.3)
    folder = tmp_path / "home" / "sessions"
    with anyio.fail_after(10):
        async with aclosing(follow_folder(folder)) as hints:
            await anext(hints)
            folder.mkdir(parents=True)
            await anext(hints)
            shop_api().write(folder / "a.jsonl")
            # Whether it is announced or only the heartbeat: a look soon finds it.
            await anext(hints)


async def test_an_appended_event_is_announced_in_the_folder(tmp_path: Path) -> None:
    with anyio.fail_after(10):
        async with aclosing(follow_folder(tmp_path)) as hints:
            assert await anext(hints)
            append(tmp_path / "a.jsonl", b"x\n")

            while not await anext(hints):
                pass


async def test_stdin_is_followed_to_its_end_and_can_be_read_again() -> None:
    reading, writing = os.pipe()
    data = shop_api().data
    try:
        with anyio.fail_after(10):
            async with aclosing(follow_stdin(reading)) as batches:
                assert not (await anext(batches)).has_news
                os.write(writing, data[:700])
                first = await anext(batches)
                os.write(writing, data[700:])
                os.close(writing)
                rest = [batch async for batch in batches]
    finally:
        os.close(reading)
    placed = [*first.events] + [event for batch in rest for event in batch.events]

    assert [event for event, _, _ in placed] == shop_api().events
    assert first.journal is not None
    assert [first.journal.read_event(offset, size) for _, offset, size in placed] == shop_api().events


async def test_stdin_may_be_a_file() -> None:
    with (JOURNALS / "corrupt.jsonl").open("rb") as file, anyio.fail_after(10):
        batches = [batch async for batch in follow_stdin(file.fileno())]

    assert sum(len(batch.events) for batch in batches) == 4
    assert sum(len(batch.corrupt_lines) for batch in batches) == 11


async def test_a_watch_names_what_changed_in_its_folder(tmp_path: Path) -> None:
    with anyio.fail_after(10), watching(tmp_path) as changes:
        append(tmp_path / "a.jsonl", b"x")
        (tmp_path / "a.jsonl").rename(tmp_path / "目录")
        found: set[str] = set()
        while found != {"a.jsonl", "目录"}:
            await changes.changed.wait()
            found |= changes.take()

    assert changes.take() == set()


async def test_all_folders_of_an_event_loop_have_one_watch_and_a_further_one_misses_nothing(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder in folders:
        folder.mkdir()
    before = _watching_threads()
    with anyio.fail_after(10), watching(folders[0]) as first, watching(folders[1]) as second:
        append(folders[0] / "one", b"x")
        with watching(folders[2]) as third:
            await first.changed.wait()
            assert first.take() & {"", "one"}
            second.take()
            for changes, folder in ((second, folders[1]), (third, folders[2])):
                append(folder / folder.name, b"x")
                await changes.changed.wait()
                assert changes.take() == {folder.name}
            await _until(lambda: len(_watching_threads() - before) == 1)  # the former watch ends within a step
    await _until(lambda: not _watching_threads() - before)


async def _until(is_so: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not is_so():  # noqa: ASYNC110 - a thread's end is not an event
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("place", ["folder", "file"])
async def test_where_a_name_is_not_utf_8_the_file_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setattr(change_hints, "_RETRY_SECONDS", 0.3)
    folder_watch.load()
    folder = tmp_path / ("sessions\udcff" if place == "folder" else "sessions")
    try:
        folder.mkdir()
    except OSError:
        pytest.skip("this file system has no such names")
    builder = JournalBuilder().session().thought("One", 1, 3)
    path = builder.write(folder / "a.jsonl")
    async with following(path) as batches:
        assert texts(await anext(batches)) == ["One"]
        (folder / "b\udcff").touch()
        for number in (2, 3):
            append(path, builder.thought(str(number), number, 3).lines[-1])
            assert await until(batches, str(number)) == [str(number)]


def _watching_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "folder watch"}


async def test_a_watch_says_that_its_folder_is_gone_and_that_there_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    with anyio.fail_after(10), watching(folder) as changes:
        folder.rmdir()
        await changes.changed.wait()
        assert changes.take() == {""}
    with pytest.raises(FileNotFoundError):
        FolderWatch([str(folder)], lambda _, names: names)
