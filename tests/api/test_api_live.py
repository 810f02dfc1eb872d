"""`seqthink.follow`: every entry once, as it is written, sync and async, until the session ends."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

import seqthink
from tests.conftest import PROJECT
from tests.support.docs.doc_blocks import doc_blocks
from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.journals.read_faults import IMPOSTORS, Impostor
from tests.support.proc import process_file
from tests.support.servers.wire import Wire, journals, start, thought

BOUND = 30.0
LONG = "x" * (128 << 10) + "end"


def first_kind(entries: seqthink.Follow) -> str:
    """Return the kind of the first entry, and leave the loop."""
    for entry in entries:
        return entry.kind
    return ""


async def first_kind_async(entries: seqthink.Follow) -> str:
    """Return the same by the other kind of loop."""
    async for entry in entries:
        return entry.kind
    return ""


def serve(folder: Path) -> Wire:
    return start("--journal-dir", str(folder))


def think(wire: Wire, number: int, text: str = "t", **fields: Any) -> None:  # noqa: ANN401 - any argument of the tool
    wire.ask("tools/call", {"name": "sequentialthinking", "arguments": thought(text, number, 9, **fields)})


def handshake(wire: Wire) -> None:
    client = {"name": "test", "version": "1"}
    wire.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
    wire.send({"jsonrpc": "2.0", "method": "notifications/initialized"})


def open_file_count() -> int:
    """Return how many files this process has open, without what earlier tests have left to the garbage collector."""
    gc.collect()
    return len(os.listdir(process_file("self", "fd")))  # noqa: PTH208 - as a list


def is_closed(before: int) -> bool:
    """Wait until no more files are open than ``before``: the library that watches closes its own a moment later."""
    never, end = threading.Event(), time.monotonic() + BOUND
    while open_file_count() > before and time.monotonic() < end:
        never.wait(0.01)
    return open_file_count() <= before


class Collected:
    """What a follower in a thread of its own has yielded so far."""

    def __init__(self, follow: seqthink.Follow) -> None:
        self.entries: list[seqthink.EntryView] = []
        self._follow = follow
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        for entry in self._follow:
            self.entries.append(entry)

    def wait(self, is_there: Callable[[list[seqthink.EntryView]], object]) -> None:
        end = time.monotonic() + BOUND
        while not is_there(self.entries):
            assert time.monotonic() < end, self.entries
            assert self._thread.is_alive(), self.entries
            threading.Event().wait(0.01)

    def ended(self) -> list[str]:
        """Wait for the end, and return the kinds of all entries."""
        self._thread.join(BOUND)
        assert not self._thread.is_alive(), self.entries
        return [entry.kind for entry in self.entries]


def test_a_live_session_is_followed_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        handshake(wire)
        think(wire, 1, "first")
        collected = Collected(seqthink.follow(folder=tmp_path))
        collected.wait(lambda entries: len(entries) == 2)
        think(wire, 2, "second")
        think(wire, 0)
        think(wire, 3, "third", isRevision=True, revisesThought=1)
        collected.wait(lambda entries: len(entries) == 5)
        states = [entry.session.state for entry in collected.entries]
        wire.hang_up()
        kinds = collected.ended()

    third, end = collected.entries[4:]
    assert kinds == ["session", "thought", "thought", "rejected", "thought", "end"]
    assert [entry.seq for entry in collected.entries] == [1, 2, 3, 4, 5, 6]
    assert states == ["thinking"] * 5
    assert third.thought is not None
    assert third.thought.target is not None
    assert (third.thought.text, third.thought.target.text) == ("third", "first")
    assert [len(entry.session.thoughts) for entry in collected.entries] == [0, 1, 2, 2, 3, 3]
    assert (collected.entries[3].refusal is not None, end.session.state) == (True, "stopped")


def test_only_what_is_new_comes_where_that_is_asked_for(tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        handshake(wire)
        think(wire, 1)
        collected = Collected(seqthink.follow(folder=tmp_path, from_start=False))
        number = 1
        while not collected.entries:  # until the follower has read what was there
            number += 1
            think(wire, number)
            threading.Event().wait(0.05)
        [first, *_] = collected.entries
    collected.ended()

    assert first.thought is not None
    assert first.thought.number > 1
    assert len(first.session.thoughts) == first.thought.number


def test_a_server_that_is_killed_ends_the_iteration_too(tmp_path: Path) -> None:
    with serve(tmp_path) as wire:
        handshake(wire)
        think(wire, 1)
        collected = Collected(seqthink.follow(folder=tmp_path))
        collected.wait(lambda entries: len(entries) == 2)
        os.kill(wire.pid, signal.SIGKILL)
        kinds = collected.ended()

    assert kinds == ["session", "thought"]


def test_a_session_that_begins_later_is_waited_for(tmp_path: Path) -> None:
    JournalBuilder().session("old").thought("old").end().write(tmp_path / "20200101T000000.000000Z-aaaaaa.jsonl")
    collected = Collected(seqthink.follow("last", folder=tmp_path, wait=True))
    with serve(tmp_path) as wire:
        handshake(wire)
        think(wire, 1, "new")
        collected.wait(lambda entries: len(entries) == 2)
        wire.hang_up()
        kinds = collected.ended()

    assert kinds == ["session", "thought", "end"]


def test_a_session_that_began_and_ended_between_two_looks_is_not_missed(tmp_path: Path) -> None:
    JournalBuilder().session("old").thought("old").end().write(tmp_path / "20200101T000000.000000Z-aaaaaa.jsonl")
    follow = seqthink.follow("last", folder=tmp_path, wait=True)
    JournalBuilder().session().thought("new").end().write(tmp_path / f"{SESSION}.jsonl")

    assert Collected(follow).ended() == ["session", "thought", "end"]
    assert follow.path == tmp_path / f"{SESSION}.jsonl"


def test_a_path_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    collected = Collected(seqthink.follow(path, wait=True))
    threading.Event().wait(1.2)  # longer than a vanished file is looked for
    JournalBuilder().session().thought("x").end().write(path)

    assert collected.ended() == ["session", "thought", "end"]


def test_a_file_that_is_deleted_ends_the_iteration(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("x").write(tmp_path / f"{SESSION}.jsonl")
    collected = Collected(seqthink.follow(path))
    collected.wait(lambda entries: len(entries) == 2)
    path.unlink()

    assert collected.ended() == ["session", "thought"]


def test_a_replaced_file_starts_again_and_says_so(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("old").write(tmp_path / f"{SESSION}.jsonl")
    collected = Collected(seqthink.follow(path))
    collected.wait(lambda entries: len(entries) == 2)
    JournalBuilder().session().thought("new").end().write(tmp_path / "other").replace(path)
    kinds = collected.ended()

    assert kinds == ["session", "thought", "session", "thought", "end"]
    assert [entry.restarted for entry in collected.entries] == [None, None, "replaced", None, None]
    assert [one.text for one in collected.entries[-1].session.thoughts] == ["new"]
    assert [entry.session.entry_count for entry in collected.entries] == [1, 2, 1, 2, 3]


def test_an_ended_session_that_is_kept_open_goes_on_until_it_is_stopped(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("one").end()
    path = builder.write(tmp_path / f"{SESSION}.jsonl")
    follow = seqthink.follow(path, keep_open=True)
    collected = Collected(follow)
    collected.wait(lambda entries: len(entries) == 3)
    builder.session(resumed=True).thought("two", 2, 2).append_to(path)
    collected.wait(lambda entries: len(entries) == 5)
    follow.stop()

    assert collected.ended() == ["session", "thought", "end", "session", "thought"]


def test_corrupt_and_newer_lines_are_counted_at_their_moment(tmp_path: Path) -> None:
    builder = JournalBuilder().session().raw(b"nonsense\n").thought("one").raw(b'{"v":2,"type":"new"}\n').end()
    entries = list(seqthink.follow(builder.write(tmp_path / f"{SESSION}.jsonl")))

    assert [(entry.session.corrupt_count, entry.session.unknown_count) for entry in entries] == [(0, 0), (1, 0), (1, 1)]
    assert [entry.session.entry_count for entry in entries] == [1, 3, 5]


def test_an_attachment_comes_with_its_thought(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("one", 1, 2).thought("two", 2, 2).audit(of=2, verdict="revise")
    builder.context().audit(of=77).end()
    entries = list(seqthink.follow(builder.write(tmp_path / f"{SESSION}.jsonl")))
    attached = [entry.attachment for entry in entries]

    assert [one and (one.kind, one.thought.number, one.verdict) for one in attached] == [
        None, None, None, ("audit", 1, "revise"), ("context", 2, None), None, None,
    ]  # fmt: skip


def test_a_long_text_is_whole_in_its_event(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought(LONG).end().write(tmp_path / f"{SESSION}.jsonl")
    [_, entry, _] = seqthink.follow(path)

    assert getattr(entry.event, "thought", None) == LONG
    assert entry.thought is not None
    assert entry.thought.text == LONG


def test_leaving_a_loop_closes_all_that_it_opened(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("one").write(tmp_path / f"{SESSION}.jsonl")
    before = open_file_count()
    kinds = [first_kind(seqthink.follow(path))]
    with seqthink.follow(path) as entries:
        kinds.append(first_kind(entries))

    assert kinds == ["session"] * 2
    assert is_closed(before)


def test_leaving_with_ends_an_iteration_in_another_thread(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("x").write(tmp_path / f"{SESSION}.jsonl")
    with seqthink.follow(path, keep_open=True) as follow:
        collected = Collected(follow)
        collected.wait(lambda entries: len(entries) == 2)

    assert collected.ended() == ["session", "thought"]


@pytest.mark.slow  # waits until a follower looks
async def test_leaving_async_with_ends_an_iteration_in_another_task(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("x").write(tmp_path / f"{SESSION}.jsonl")
    kinds: list[str] = []
    has_caught_up = anyio.Event()

    async def collect(follow: seqthink.Follow) -> None:
        async for entry in follow:
            kinds.append(entry.kind)
            if entry.thought:
                has_caught_up.set()

    with anyio.fail_after(BOUND):
        async with anyio.create_task_group() as tasks, seqthink.follow(path, keep_open=True) as follow:
            tasks.start_soon(collect, follow)
            await has_caught_up.wait()

    assert kinds == ["session", "thought"]


def test_one_that_is_stopped_while_it_waits_for_a_session_ends_without_an_entry(tmp_path: Path) -> None:
    follow = seqthink.follow("last", folder=tmp_path, wait=True)
    follow.stop()

    assert list(follow) == []
    assert follow.path is None


async def test_one_that_nobody_iterates_over_is_left_as_any_other(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("x").write(tmp_path / f"{SESSION}.jsonl")
    before = open_file_count()
    with seqthink.follow(path) as follow, pytest.raises(RuntimeError, match="use `async for` instead of `for`"):
        iter(follow)
    async with seqthink.follow(path):
        pass

    assert is_closed(before)


async def test_async_for_yields_the_same_and_does_not_block_the_loop(tmp_path: Path) -> None:
    builder = JournalBuilder().session().thought("one", 1, 2)
    path = builder.write(tmp_path / f"{SESSION}.jsonl")
    seen: list[str] = []
    has_two = anyio.Event()

    async def append() -> None:
        await has_two.wait()
        builder.thought("two", 2, 2).end().append_to(path)

    with anyio.fail_after(BOUND):
        async with anyio.create_task_group() as tasks, seqthink.follow(path) as entries:
            tasks.start_soon(append)
            async for entry in entries:
                seen += [entry.kind]
                if len(seen) == 2:
                    has_two.set()

    assert seen == ["session", "thought", "thought", "end"]


async def test_an_async_loop_that_is_left_early_closes_all_that_it_opened(tmp_path: Path) -> None:
    path = JournalBuilder().session().thought("one").write(tmp_path / f"{SESSION}.jsonl")
    before = open_file_count()
    async with seqthink.follow(path) as entries:
        kind = await first_kind_async(entries)

    assert kind == "session"
    assert is_closed(before)


async def test_a_blocking_loop_in_an_event_loop_is_refused(tmp_path: Path) -> None:
    path = JournalBuilder().session().end().write(tmp_path / f"{SESSION}.jsonl")

    with pytest.raises(RuntimeError, match="use `async for` instead of `for`"):
        list(seqthink.follow(path))


def test_the_entries_come_once(tmp_path: Path) -> None:
    follow = seqthink.follow(JournalBuilder().session().end().write(tmp_path / f"{SESSION}.jsonl"))

    assert [entry.kind for entry in follow] == ["session", "end"]
    with pytest.raises(RuntimeError, match="iterated over already"):
        list(follow)


def test_the_program_on_the_page_prints_revisions_as_they_come(tmp_path: Path) -> None:
    """The page's first program, in a process of its own, beside a server that still runs."""
    with serve(tmp_path) as wire:
        handshake(wire)
        think(wire, 1, "first")
        program = subprocess.Popen(
            [sys.executable, "-u", "-c", doc_blocks("docs/python.md")[0].code], cwd=tmp_path, stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(PROJECT), "SEQTHINK_JOURNAL_DIR": str(tmp_path)}, encoding="utf-8",
        )  # fmt: skip
        assert program.stdout is not None
        think(wire, 2, "second", isRevision=True, revisesThought=1)
        first = program.stdout.readline()
        think(wire, 3, "third", isRevision=True, revisesThought=2)
        second = program.stdout.readline()
    rest = program.communicate(timeout=BOUND)[0]

    assert (first, second, rest, program.returncode) == (
        "2 revises 1: second\n", "3 revises 2: third\n", "", 0,
    )  # fmt: skip
    assert len(journals(tmp_path)) == 1


@pytest.mark.parametrize("kind", IMPOSTORS)
def test_a_journal_that_cannot_be_read_for_a_while_ends_no_follower(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = JournalBuilder().session().thought("Before", 1, 9).write(tmp_path / "shop.jsonl")
    follower = seqthink.follow(path, keep_open=True)
    collected = Collected(follower)
    collected.wait(lambda entries: len(entries) == 2)
    impostor = Impostor(path, kind)
    collected.wait(lambda _: follower.trouble)
    with impostor.journal.open("ab") as file:
        file.write(JournalBuilder().thought("After", 1, 9).data)
    impostor.leave()
    collected.wait(lambda entries: len(entries) == 3)
    follower.stop()

    assert collected.ended() == ["session", "thought", "thought"]
    said = [record.getMessage() for record in caplog.records if record.name == "seqthink.api.live"]
    assert said[0].startswith("cannot read shop.jsonl: ")
    assert said[1:] == ["what could not be read can be read again"]
    assert not follower.trouble
