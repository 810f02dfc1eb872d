"""Sessions while they are read: hints, readers who leave, journals that change, sessions that nobody reads."""

import asyncio
import errno
import json
import threading
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from seqthink.core.events import Event, UnknownEvent
from seqthink.core.times import microseconds_of
from seqthink.journal.decode import decode
from seqthink.library.catalog import journal_feed, session_index
from seqthink.library.summary import summarize
from seqthink.share.web.live import open_session, open_sessions
from seqthink.share.web.live.asked_sessions import AskedSessions
from seqthink.share.web.live.finding import Finder
from seqthink.share.web.live.open_session import OpenSession
from tests.share.web.test_pages import read, settings_of
from tests.support.depth import first
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.read_faults import IMPOSTORS, Impostor
from tests.support.screens.screen_text import HOST, locked_journal
from tests.support.web.asgi import WAIT_SECONDS, Reader, Stream

pytestmark = pytest.mark.slow  # waits for the next look at the folder


def keys(answer: Any) -> list[str]:  # noqa: ANN401 - JSON
    """Return the keys of a list."""
    return [one["key"] for group in answer["groups"] for one in group["sessions"]]


async def named(stream: Stream, name: str) -> dict[str, str]:
    """Return the next hint of a name."""
    while (event := await stream.event())["event"] != name:
        pass
    return event


# The list


def test_a_session_that_appears_is_announced_and_in_the_list(tmp_path: Path) -> None:
    async def use(reader: Reader) -> None:
        assert keys((await reader.get("/sessions")).json) == []
        async with reader.stream("/events") as stream:
            shop_api().write(tmp_path / "new.jsonl")
            while keys((await reader.get("/sessions")).json) != ["new"]:
                assert (await stream.event())["event"] == "changed"
            (tmp_path / "new.jsonl").unlink()
            while keys((await reader.get("/sessions")).json):
                await stream.event()

    read(tmp_path, use)


def test_a_reader_of_the_list_that_missed_something_is_notified_at_once(tmp_path: Path) -> None:
    async def use(reader: Reader) -> None:
        version = (await reader.get("/sessions")).json["version"]
        async with reader.stream("/events", last_id=str(version - 1)) as stream:
            event = await stream.event()
            assert event["event"] == "changed"
            assert int(event["id"]) >= version

    read(tmp_path, use)


def test_the_list_is_there_where_nobody_knows_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop_api().write(tmp_path / "shop.jsonl")

    def refuse() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", refuse)

    async def use(reader: Reader) -> None:
        answer = (await reader.get("/sessions")).json
        assert (keys(answer), answer["place"], answer["error"]) == (["shop"], str(tmp_path), "")

    read(tmp_path, use)


@pytest.mark.parametrize("is_session_first", first(1, [False, True]))
def test_a_folder_that_cannot_be_read_any_more_is_said_until_it_can_be(
    is_session_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "sessions"
    folder.mkdir()
    shop_api().write(folder / "shop.jsonl")

    def refuse(*_file: object, **_how: object) -> None:
        raise OSError(errno.EIO, "broken disk")

    if is_session_first:
        monkeypatch.setattr(session_index, "summarize", refuse)

    async def use(reader: Reader) -> None:
        assert keys((await reader.get("/sessions")).json) == ["shop"]
        async with reader.stream("/events") as stream:
            if is_session_first:
                while not (await reader.get("/sessions")).json["error"].startswith("cannot read shop.jsonl: "):
                    await stream.event()
            folder.rename(tmp_path / "elsewhere")
            folder.symlink_to(folder)  # leads nowhere, for root as for anybody
            listing = "listing the sessions: too many levels of symbolic links; trying again"
            while (await reader.get("/sessions")).json["error"] != listing:
                await stream.event()
            assert (await reader.get("/s/shop/state")).status == 503
            folder.unlink()
            (tmp_path / "elsewhere").rename(folder)
            monkeypatch.setattr(session_index, "summarize", summarize)
            while (answer := (await reader.get("/sessions")).json)["error"]:
                await stream.event()
            assert keys(answer) == ["shop"]

    read(folder, use)


# Hints


def test_a_thousand_appends_are_few_hints_and_the_last_one_names_the_last_entry(tmp_path: Path) -> None:
    async def use(reader: Reader) -> None:
        path = tmp_path / "s.jsonl"
        builder = JournalBuilder().session().thought("one", 1)
        builder.write(path)
        await reader.get("/s/s/state")
        async with reader.stream("/s/s/events") as stream:
            for number in range(2, 1002):
                builder.thought(f"thought {number}", number)
            lines = builder.lines[2:]

            def append() -> None:
                with path.open("ab", buffering=0) as file:
                    for line in lines:
                        file.write(line)

            await asyncio.to_thread(append)
            hints = 1
            while json.loads((event := await stream.event())["data"])["entries"] != builder.seq:
                hints += 1
            assert event["id"] == str(builder.seq)
            assert json.loads(event["data"])["newest"] == builder.seq
            assert hints < 250  # one in 20 ms at most

    read(tmp_path, use)


def test_hints_that_a_slow_reader_has_not_taken_are_one() -> None:
    async def use() -> None:
        from seqthink.share.web.live.hints import HintReaders

        readers = HintReaders()
        slow = readers.add()
        for _ in range(1000):
            readers.notify_all("changed")
        readers.notify_all("restarted")
        readers.notify_all("changed")
        assert await slow.take() == ["changed", "restarted"]
        readers.remove(slow)
        assert len(readers) == 0

    asyncio.run(use())


# A journal that changes below its readers


def truncated(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(len(b"".join(shop_api().lines[:3])))


def replaced(path: Path) -> None:
    JournalBuilder().session().thought("another", 1).thought("and more", 2).write(path.with_suffix(".tmp")).replace(
        path
    )


@pytest.mark.parametrize("change", [truncated, replaced])
def test_each_of_three_readers_is_notified_that_a_journal_starts_again(
    tmp_path: Path, change: Callable[[Path], None]
) -> None:
    async def use(reader: Reader) -> None:
        path = shop_api().write(tmp_path / "s.jsonl")
        await reader.get("/s/s/rows")
        async with (
            reader.stream("/s/s/events") as one,
            reader.stream("/s/s/events") as two,
            reader.stream("/s/s/events") as three,
        ):
            change(path)
            for stream in (one, two, three):
                await named(stream, "restarted")
            assert (await reader.get("/s/s/rows?view=timeline")).json["count"] == 2
            assert (await reader.get("/s/s/thought/9")).status == 404

    read(tmp_path, use)


def test_that_a_journal_was_replaced_is_said_for_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_feed, "_MAX_REMARK_SECONDS", 2)

    async def use(reader: Reader) -> None:
        path = shop_api().write(tmp_path / "s.jsonl")
        await reader.get("/s/s/rows")
        async with reader.stream("/s/s/events") as stream:
            replaced(path)
            await named(stream, "restarted")
            while (await reader.get("/s/s/state")).json["remark"]:
                await stream.event()

    read(tmp_path, use)


def test_each_of_three_readers_is_notified_that_a_journal_is_gone_and_that_it_is_back(tmp_path: Path) -> None:
    async def use(reader: Reader) -> None:
        path = shop_api().write(tmp_path / "s.jsonl")
        before = (await reader.get("/s/s/rows")).json
        async with (
            reader.stream("/s/s/events") as one,
            reader.stream("/s/s/events") as two,
            reader.stream("/s/s/events") as three,
        ):
            path.unlink()
            for stream in (one, two, three):
                await named(stream, "gone")
            assert (await reader.get("/s/s/rows")).json == before
            assert (await reader.get("/s/s/thought/9")).json["seq"] == 9
            shop_api().write(path)
            for stream in (one, two, three):
                while (await reader.get("/s/s/state")).json["remark"] == "the journal is gone":
                    await stream.event()

    read(tmp_path, use)


# Names


def test_names_that_differ_only_by_case_or_by_normalisation_are_sessions_of_their_own(tmp_path: Path) -> None:
    names = ["same", "Same", "SAME", unicodedata.normalize("NFC", "café"), unicodedata.normalize("NFD", "café")]
    for number, name in enumerate(names, 1):
        JournalBuilder().session(session=name).thought(f"thought of {number}", 1).write(tmp_path / f"{name}.jsonl")
    if len(list(tmp_path.glob("*.jsonl"))) != len(names):
        pytest.skip("this file system takes some of these names for the same")

    async def use(reader: Reader) -> None:
        listed = keys((await reader.get("/sessions")).json)
        assert sorted(listed) == sorted(names)
        for number, name in enumerate(names, 1):
            assert f"thought of {number}".encode() in (await reader.get(f"/s/{name}/thought/2")).body

    read(tmp_path, use)


# Readers who leave


class Leaving:
    """A reader who asks and leaves before there is an answer."""

    def __init__(self) -> None:
        self.has_left = asyncio.Event()

    async def receive(self) -> Message:
        """Return that the reader has left, once it has."""
        await self.has_left.wait()
        return {"type": "http.disconnect"}


def test_a_search_in_all_sessions_ends_soon_after_its_reader_has_left(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(2000):
        builder.thought(f"needle {number} " + "hay " * 500, number + 1)
    for name in range(5):
        builder.write(tmp_path / f"s{name}.jsonl")
    decoded, is_first, may_go_on = 0, threading.Event(), threading.Event()

    def slow_decode(line: bytes) -> Event | UnknownEvent:
        nonlocal decoded
        decoded += 1
        is_first.set()
        may_go_on.wait(WAIT_SECONDS)
        return decode(line)

    slow_decode.preview = decode.preview  # pyright: ignore[reportFunctionMemberAccess] - as a decoder has it

    async def use() -> None:
        leaving = Leaving()
        finder = Finder(settings_of(tmp_path, decode=slow_decode))
        searching = asyncio.create_task(finder.in_all(AskedSessions("needle"), None, 0, receive=leaving.receive))
        await asyncio.to_thread(is_first.wait, WAIT_SECONDS)
        leaving.has_left.set()
        await asyncio.sleep(0)
        may_go_on.set()
        async with asyncio.timeout(WAIT_SECONDS):
            await searching

    asyncio.run(use())

    assert decoded < 100


# Sessions that nobody reads


def followed() -> set[str]:
    """Return the names of the tasks that follow sessions."""
    return {task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith("session ")}


async def until(is_true: Callable[[], bool]) -> None:
    """Let the loop run until something is so."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_true():
            await asyncio.to_thread(threading.Event().wait, 0.005)


def test_a_session_is_followed_as_long_as_somebody_reads_it_and_then_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_sessions, "IDLE_SECONDS", 0.05)
    for name in ("read", "unread"):
        shop_api().write(tmp_path / f"{name}.jsonl")

    async def use(reader: Reader) -> None:
        async with reader.stream("/s/read/events"):
            await until(lambda: followed() == {"session read"})
            await reader.get("/s/unread/state")
            await until(lambda: followed() == {"session read"})
        await until(lambda: not followed())
        assert (await reader.get("/s/read/state")).status == 200

    read(tmp_path, use)


def test_only_so_many_sessions_stay_open_without_readers(tmp_path: Path) -> None:
    names = [f"s{number:02}" for number in range(open_sessions.MAX_IDLE + 4)]
    for name in names:
        JournalBuilder().session().thought(name, 1).write(tmp_path / f"{name}.jsonl")

    async def use(reader: Reader) -> None:
        async with reader.stream(f"/s/{names[0]}/events"):
            await until(lambda: followed() == {f"session {names[0]}"})
            for name in names[1:]:
                await reader.get(f"/s/{name}/state")
            await until(lambda: len(followed()) <= open_sessions.MAX_IDLE + 1)
            assert f"session {names[0]}" in followed()

    read(tmp_path, use)


@pytest.mark.parametrize("kind", IMPOSTORS)
def test_a_page_says_that_a_journal_cannot_be_read_and_goes_on_when_it_can(tmp_path: Path, kind: str) -> None:
    async def use(reader: Reader) -> None:
        path = shop_api().write(tmp_path / "s.jsonl")
        before = (await reader.get("/s/s/state")).json
        impostor = Impostor(path, kind)
        blind = await reader.answer_with("/s/s/state", lambda state: state["remark"].startswith("cannot read s.jsonl"))
        with impostor.journal.open("ab") as file:
            file.write(JournalBuilder().thought("After", 1, 9).data)
        impostor.leave()
        await reader.answer_with("/s/s/state", lambda state: state["thoughts"] == before["thoughts"] + 1)
        assert blind["state"]["word"] not in {"thinking", "quiet", "stuck"}
        assert not blind["isLive"]

    read(tmp_path, use)


def test_a_page_whose_reader_fails_as_nobody_thought_of_says_that_it_has_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("a thought")

    async def use(reader: Reader) -> None:
        path = shop_api().write(tmp_path / "s.jsonl")
        rows = (await reader.get("/s/s/rows")).json
        monkeypatch.setattr(journal_feed.JournalFeed, "add_batch", fails)
        with path.open("ab") as file:
            file.write(JournalBuilder().thought("After", 1, 9).data)
        said = "reading the session has stopped: unexpected RuntimeError"
        await reader.answer_with("/s/s/state", lambda state: state["remark"] == said)
        assert (await reader.get("/s/s/rows")).json == rows

    read(tmp_path, use)


def test_the_page_says_what_the_agent_does_now_and_nothing_of_it_in_the_past(tmp_path: Path) -> None:
    journal = JournalBuilder().session(host=HOST).thought("Why?", 1, 9)
    path = journal.event("action", {"tool": "Bash\x1b", "call": "a", "summary": "mix test"}).write(tmp_path / "s.jsonl")

    async def use(reader: Reader) -> None:
        live = await reader.answer_with("/s/s/state", lambda state: state["isLive"])
        doing = live["now"]
        past = (await reader.get("/s/s/state?at=2")).json

        assert (doing["doing"], doing["object"], doing["isPath"], doing["also"]) == ("Bash\u241b", "mix test", False, 0)
        assert doing["seconds"] > 0
        assert past["now"] is None

    with locked_journal(path):
        read(tmp_path, use)


def test_a_session_that_is_still_waited_for_is_not_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_sessions, "IDLE_SECONDS", 0.05)
    begins, wait_begun = asyncio.Event(), OpenSession.wait_begun
    for name in ("slow", "unread"):
        shop_api().write(tmp_path / f"{name}.jsonl")

    async def begin_late(session: OpenSession) -> None:
        await wait_begun(session)
        if session.key == "slow":
            await begins.wait()

    async def use(reader: Reader) -> None:
        asked = asyncio.create_task(reader.get("/s/slow/state"))
        await until(lambda: followed() == {"session slow"})
        await reader.get("/s/unread/state")
        await until(lambda: "session unread" not in followed())
        assert followed() == {"session slow"}
        begins.set()
        assert (await asked).status == 200
        await until(lambda: not followed())

    monkeypatch.setattr(OpenSession, "wait_begun", begin_late)
    read(tmp_path, use)


def test_the_page_is_notified_when_time_alone_changes_what_the_agent_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_session, "WRITER_SECONDS", 0.01)
    journal = JournalBuilder().session(host=HOST).thought("So", 1, 1, next=False)
    path = journal.event("reasoning", {"text": "And yet", "id": "r"}, after=1).write(tmp_path / "s.jsonl")
    began = microseconds_of(journal.events[-1].time)
    clock = [began + 5_000_000]

    async def use(reader: Reader) -> None:
        before = await reader.answer_with("/s/s/state", lambda state: state["now"] is not None)
        clock[0] = began + 90_000_000
        after = await reader.answer_with("/s/s/state", lambda state: state["version"] > before["version"])

        assert [state["now"]["doing"] for state in (before, after)] == ["thinking", "silent"]
        assert after["state"] == before["state"]

    with locked_journal(path):
        read(tmp_path, use, clock=lambda: clock[0])
