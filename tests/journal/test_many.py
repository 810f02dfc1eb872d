"""Two of everything, and forty: servers on one folder or one session, viewers on one session, a viewer that stops."""

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import anyio
import pytest

from seqthink.core.events import ThoughtEvent
from seqthink.journal.follow import follow
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from tests.support.depth import first, sized
from tests.support.proc import process_file
from tests.support.servers.commands import command, environment
from tests.support.servers.server_paths import SERVER_PATHS, call, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import TIMEOUT_SECONDS, Wire, events, journals, start, thought

Serve = Callable[..., Wire]

SERVERS, ROUNDS = 40, 10
"""As many servers at once, and calls of each."""
VIEWERS = 5
ROW = re.compile(r" \S +(\d+) +\1\b")
"""A thought whose text is its number, as `watch` prints it."""


@pytest.fixture(params=SERVER_PATHS)
def serve(request: pytest.FixtureRequest, warm: WarmServer, tmp_path: Path) -> Serve:
    def started(*arguments: str, keep_stderr: bool = False) -> Wire:
        environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(tmp_path)}
        return start(*SERVER_PATHS[request.param], *arguments, warm=warm, environ=environ, keep_stderr=keep_stderr)

    return started


def texts(path: Path) -> list[str]:
    """Return the thoughts in a journal, with which nothing is wrong."""
    assert list(JournalCheck(JournalFile.open(path), is_live=True).findings()) == []
    return [event["thought"] for event in events(path) if event["type"] == "thought"]


@pytest.mark.parametrize("serve", first(1, SERVER_PATHS), indirect=True)
def test_forty_servers_at_once_in_one_folder_keep_a_complete_journal_each(serve: Serve, tmp_path: Path) -> None:
    with ExitStack() as stack:
        wires = [stack.enter_context(serve()) for _ in range(SERVERS)]
        for number in range(ROUNDS):
            for place, wire in enumerate(wires):
                wire.send_bytes(lines(call(thought(f"{place}: {number}"), number)))
        for wire in wires:
            assert [wire.receive()["id"] for _ in range(ROUNDS)] == list(range(ROUNDS))
            wire.hang_up()
        assert [wire.status() for wire in wires] == [0] * SERVERS

    expected = [[f"{place}: {number}" for number in range(ROUNDS)] for place in range(SERVERS)]
    assert sorted(map(texts, journals(tmp_path))) == sorted(expected)


def test_of_servers_that_resume_one_session_at_once_one_does_and_the_others_say_so(
    serve: Serve, tmp_path: Path
) -> None:
    with serve() as wire:
        wire.call(thought("before"))
        wire.hang_up()
        wire.status()
    [path] = journals(tmp_path)
    with ExitStack() as stack:
        wires = [stack.enter_context(serve("--resume", path.stem, keep_stderr=True)) for _ in range(6)]
        refused = [wire for wire in wires if _is_refused(wire, path.stem)]
        [going_on] = [wire for wire in wires if wire not in refused]
        count = going_on.call(thought("after"))["structuredContent"]["thoughtHistoryLength"]

    assert (len(refused), count) == (5, 2)
    assert texts(path) == ["before", "after"]


def _is_refused(wire: Wire, session: str) -> bool:
    """Ask, and return whether the server has left with one line and status 2 instead of answering."""
    try:
        return wire.ask("ping")["result"] != {}
    except (AssertionError, BrokenPipeError):
        assert wire.status() == 2
        assert wire.stderr is not None
        said = os.read(wire.stderr, 4096).decode()
        assert (said.count("\n"), f"session {session} is in use" in said) == (1, True)
        return True


@pytest.mark.parametrize("serve", first(1, SERVER_PATHS), indirect=True)
async def test_several_viewers_of_one_session_miss_nothing_and_hold_nobody_up(serve: Serve, tmp_path: Path) -> None:
    count = sized(200, 500)
    with serve() as wire:
        wire.call(thought("1", 1, count))
        [path] = journals(tmp_path)
        seen: list[list[int]] = [[] for _ in range(VIEWERS)]
        with Watch(path) as watch:
            async with anyio.create_task_group() as tasks:
                for one in seen:
                    tasks.start_soon(_follow, path, one, count)
                for number in range(2, count + 1):
                    wire.call(thought(str(number), number, count))
                    await anyio.lowlevel.checkpoint()
            watch.until(count)

    assert seen == [list(range(1, count + 1))] * VIEWERS
    assert watch.numbers == list(range(1, count + 1))


async def _follow(path: Path, seen: list[int], count: int) -> None:
    with anyio.fail_after(TIMEOUT_SECONDS):
        async for batch in follow(path):
            assert (batch.restarted, batch.corrupt_lines, batch.unknown_count) == (None, [], 0)
            seen += [int(event.thought) for event, _, _ in batch.events if isinstance(event, ThoughtEvent)]
            if len(seen) >= count:
                return


@pytest.mark.parametrize("serve", first(1, SERVER_PATHS), indirect=True)
def test_a_viewer_that_is_stopped_holds_up_nobody_and_catches_up(serve: Serve, tmp_path: Path) -> None:
    count, at_once = sized(800, 2_000), 100
    with serve() as wire:
        wire.call(thought("1", 1, count))
        [path] = journals(tmp_path)
        with Watch(path) as watch:
            watch.until(1)
            watch.stop()
            for first in range(2, count + 1, at_once):
                numbers = range(first, min(first + at_once, count + 1))
                wire.send_bytes(lines(*(call(thought(str(number), number, count), number) for number in numbers)))
                assert {wire.receive()["id"] for _ in numbers} == set(numbers)
            written = texts(path)
            assert watch.is_stopped
            watch.go_on()
            watch.until(count)

    assert written == [str(number) for number in range(1, count + 1)]
    assert watch.numbers == list(range(1, count + 1))


class Watch:
    """`seqthink watch` in a pipe, and the numbers of the thoughts that it has shown."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(command("watch", path, "--width", "60"), stdout=-1, env=environment())
        assert self._process.stdout is not None
        self._stdout = self._process.stdout
        self._torn = b""
        self.numbers: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._process.kill()
        self._process.wait(TIMEOUT_SECONDS)
        self._stdout.close()

    @property
    def is_stopped(self) -> bool:
        return "T (stopped)" in process_file(self._process.pid, "status").read_text("utf-8")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)
        os.waitpid(self._process.pid, os.WUNTRACED)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def until(self, count: int) -> None:
        """Read until ``count`` thoughts have been shown."""
        end = time.monotonic() + 3 * TIMEOUT_SECONDS
        while len(self.numbers) < count:
            readable, _, _ = select.select([self._stdout], [], [], max(0, end - time.monotonic()))
            assert readable, f"only {len(self.numbers)} of {count} thoughts were shown"
            *whole, self._torn = (self._torn + os.read(self._stdout.fileno(), 1 << 20)).split(b"\n")
            self.numbers += [int(shown[1]) for line in whole if (shown := ROW.match(line.decode()))]
