"""A machine that fails: what is answered and reported, what is written later; a real server on both server paths."""

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import pytest

from seqthink.core.events import ThoughtEvent, UnknownEvent
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import JournalCheck
from seqthink.journal.reader import JournalReader
from tests.support.depth import first, sized
from tests.support.proc import needs_prlimit
from tests.support.servers.faults import Faults
from tests.support.servers.server_paths import SERVER_PATHS, call, lines
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import TIMEOUT_SECONDS, Message, Wire, events, journals, start, thought

Serve = Callable[..., Wire]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sessions"


@pytest.fixture
def faults(tmp_path: Path) -> Faults:
    return Faults(tmp_path / "faults")


@pytest.fixture(params=SERVER_PATHS)
def serve(request: pytest.FixtureRequest, warm: WarmServer, folder: Path, faults: Faults) -> Serve:
    """Return what starts a server on either path, with faults, on ``folder``."""

    def started(*arguments: str, keep_stderr: bool = False) -> Wire:
        environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder), **faults.environ}
        server_path = SERVER_PATHS[request.param]
        return start(*server_path, *arguments, warm=warm, environ=environ, keep_stderr=keep_stderr)

    return started


def state(result: Message) -> Message:
    """Return what a reply says about the journal; nothing when all is well."""
    return result.get("_meta", {}).get("seqthink/journal", {})


def texts(folder: Path) -> list[str]:
    """Return the thoughts in the one journal of ``folder``, with which nothing is wrong."""
    [path] = journals(folder)
    assert list(JournalCheck(JournalFile.open(path), is_live=True).findings()) == []
    return [event["thought"] for event in events(path) if event["type"] == "thought"]


def test_with_fsync_always_all_is_on_the_disk_before_the_answer_leaves(serve: Serve, faults: Faults) -> None:
    with serve("--fsync", "always") as wire:
        for text in ("one", "two", "three"):
            wire.call(thought(text))

    first, second, third = _between_answers(faults.calls)
    assert first[-2:] == second == third == ["write journal", "fsync journal"]
    assert first.index("open journal") < first.index("fsync folder sessions")
    assert first.index("mkdir folder sessions") < first.index("fsync folder state")


def test_with_fsync_always_what_a_resume_writes_is_on_the_disk_before_the_answer(
    serve: Serve, faults: Faults, folder: Path
) -> None:
    with serve() as wire:
        wire.call(thought())
        wire.hang_up()
        wire.status()
    before = len(faults.calls)
    with serve("--fsync", "always", "--resume", journals(folder)[0].stem) as wire:
        wire.call(thought())

    [calls] = _between_answers(faults.calls[before:])
    assert [call for call in calls if "open" not in call] == [
        "fsync folder sessions",
        "write journal",
        "fsync journal",
    ]


def _between_answers(calls: list[str]) -> list[list[str]]:
    """Return what was called before each answer."""
    left, parts = iter(calls), list[list[str]]()
    while part := list(takewhile(lambda call: call != "write client", left)):
        parts.append(part)
    return parts


# An outage: one thought before it, two in it, one after it


REFUSALS = [
    *({"write": name} for name in ("ENOSPC", "EDQUOT", "EIO", "EROFS", "ESTALE")),
    {"write": 0},
    {"write": 7},
    {"write": 7, "ftruncate": "EIO"},
    {"fsync": "EIO"},
    {"fsync": "EDQUOT", "ftruncate": "EROFS"},
]


@pytest.mark.parametrize(
    "refusal", first(4, REFUSALS), ids=lambda refusal: " ".join(f"{k} {v}" for k, v in refusal.items())
)
def test_what_the_system_refuses_to_write_waits(
    refusal: dict[str, str | int], serve: Serve, faults: Faults, folder: Path
) -> None:
    with serve("--fsync", "always") as wire:
        _think(wire, "1")
        viewer = Viewer(folder)
        faults.set(**refusal)
        _wait_in_memory(wire, "2", "3", viewer=viewer)
        faults.set()
        _think(wire, "4")
        viewer.look()

    assert texts(folder) == viewer.thoughts == ["1", "2", "3", "4"]
    assert viewer.seqs == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("refusal", ["EDQUOT", "ENOSPC", "EROFS", "EACCES", "EMFILE", "EIO"])
def test_a_journal_that_cannot_be_made_yet_is_made_later(
    refusal: str, serve: Serve, faults: Faults, folder: Path
) -> None:
    faults.set(open=refusal)
    with serve() as wire:
        _wait_in_memory(wire, "1", "2")
        faults.set()
        _think(wire, "3")

    assert texts(folder) == ["1", "2", "3"]


@needs_prlimit
def test_a_file_that_may_not_grow_is_cut_back_to_whole_lines(serve: Serve, folder: Path) -> None:
    """The kernel itself writes a part of the line, and refuses the rest."""
    with serve() as wire:
        _think(wire, "1")
        [path] = journals(folder)
        viewer = Viewer(folder)
        _, hard = resource.prlimit(wire.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(wire.pid, resource.RLIMIT_FSIZE, (path.stat().st_size + 50, hard))
        _wait_in_memory(wire, "2", "3", viewer=viewer)
        assert path.read_bytes().endswith(b"\n")
        resource.prlimit(wire.pid, resource.RLIMIT_FSIZE, (hard, hard))
        _think(wire, "4")
        viewer.look()

    assert texts(folder) == viewer.thoughts == ["1", "2", "3", "4"]
    assert viewer.seqs == [1, 2, 3, 4, 5]


def test_a_disk_that_is_full_is_written_on_when_there_is_room_again(serve: Serve, folder: Path, disk: Path) -> None:
    with serve() as wire:
        _think(wire, "1")
        viewer = Viewer(folder)
        _fill(disk)
        _wait_in_memory(wire, "2" + "x" * 9000, "3", viewer=viewer)
        (disk / "filler").unlink()
        _think(wire, "4")
        viewer.look()

    assert [text[0] for text in texts(folder)] == [text[0] for text in viewer.thoughts] == ["1", "2", "3", "4"]
    assert viewer.seqs == [1, 2, 3, 4, 5]


def test_a_disk_that_is_full_from_the_beginning_keeps_a_required_journal_from_being_begun(
    serve: Serve, folder: Path, disk: Path
) -> None:
    _fill(disk)
    with serve("--journal-required") as wire:
        refused = wire.call(thought("1" + "x" * 9000))
        (disk / "filler").unlink()
        _think(wire, "2")

    assert refused["isError"]
    assert texts(folder) == ["2"]


def test_a_disk_that_is_mounted_read_only_is_written_when_it_is_writable(
    serve: Serve, folder: Path, disk: Path
) -> None:
    _mount("-o", "remount,ro", str(disk))
    with serve() as wire:
        errors = _wait_in_memory(wire, "1", "2")
        _mount("-o", "remount,rw", str(disk))
        _think(wire, "3")

    assert all(error.startswith("Read-only file system: ") for error in errors)
    assert texts(folder) == ["1", "2", "3"]


def test_a_folder_that_may_not_be_written_is_written_when_it_may(serve: Serve, folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write wherever it likes")
    with serve() as wire:
        _wait_in_memory(wire, "1", "2")
        folder.chmod(0o700)
        _think(wire, "3")

    assert texts(folder) == ["1", "2", "3"]


def test_a_server_that_leaves_in_an_outage_says_that_not_all_is_written(
    serve: Serve, faults: Faults, folder: Path
) -> None:
    with serve(keep_stderr=True) as wire:
        _think(wire, "1")
        faults.set(write="EIO")
        _wait_in_memory(wire, "2")
        wire.hang_up()
        status = wire.status()
        assert wire.stderr is not None
        said = os.read(wire.stderr, 4096).decode()

    assert status == 0
    assert f"not all of session {journals(folder)[0].stem} could be written: {os.strerror(errno.EIO)}" in said
    assert texts(folder) == ["1"]


def test_a_folder_that_vanishes_is_made_again_and_the_reply_says_so_once(serve: Serve, folder: Path) -> None:
    with serve("--fsync", "always") as wire:
        _think(wire, "1")
        [old] = journals(folder)
        shutil.rmtree(folder)
        states = state(wire.call(thought("2")))
        _think(wire, "3")

    [new] = journals(folder)
    assert states == {"session": new.stem, "continues": old.stem}
    assert texts(folder) == ["2", "3"]


def test_a_folder_that_vanishes_and_cannot_be_made_again_is_waited_for(serve: Serve, folder: Path) -> None:
    with serve() as wire:
        _think(wire, "1")
        shutil.rmtree(folder)
        folder.touch()
        _wait_in_memory(wire, "2", "3")
        folder.unlink()
        _think(wire, "4")
        _think(wire, "5")

    assert texts(folder) == ["2", "3", "4", "5"]


def test_a_required_journal_refuses_at_once_and_leaves_no_gap(serve: Serve, faults: Faults, folder: Path) -> None:
    with serve("--journal-required") as wire:
        _think(wire, "1")
        viewer = Viewer(folder)
        faults.set(write="EDQUOT")
        refused = [wire.call(thought(text)) for text in ("2", "3")]
        warned = wire.warnings
        faults.set(write=9)
        refused.append(wire.call(thought("4")))
        viewer.look()
        faults.set()
        last = wire.call(thought("5"))
        viewer.look()

    assert all(result["isError"] for result in refused)
    assert json.loads(refused[0]["content"][0]["text"]) == {
        "error": f"the journal cannot be written: {os.strerror(errno.EDQUOT)}", "status": "failed",
    }  # fmt: skip
    assert warned == [f"the journal cannot be written: {os.strerror(errno.EDQUOT)}; calls are refused"]
    assert last["structuredContent"]["thoughtHistoryLength"] == 2
    assert texts(folder) == viewer.thoughts == ["1", "5"]


@pytest.mark.deep  # 64 MiB; the bound in events is tested beside it
@pytest.mark.parametrize("serve", sized(["fast"], list(SERVER_PATHS)), indirect=True)
def test_past_64_mib_calls_are_refused_and_all_that_was_kept_is_written(
    serve: Serve, faults: Faults, folder: Path
) -> None:
    long = "x" * 16_000_000
    with serve() as wire:
        _think(wire, "first")
        faults.set(write="ENOSPC")
        _wait_in_memory(wire, *(f"{number} {long}" for number in range(4)))
        refused = wire.call(thought(long))
        small = wire.call(thought("small"))
        faults.set()
        _think(wire, "last")

    assert (
        json.loads(refused["content"][0]["text"])["error"] == "the journal cannot be written: No space left on device"
    )
    assert state(small)["waiting"] == 5
    assert [text.split()[0] for text in texts(folder)] == ["first", *"0123", "small", "last"]


@pytest.mark.parametrize("serve", ["fast"], indirect=True)  # the other path takes a millisecond and a half for each
def test_past_10_000_events_calls_are_refused_and_all_that_was_kept_is_written(
    serve: Serve, faults: Faults, folder: Path
) -> None:
    with serve() as wire:
        _think(wire, "first")
        faults.set(write="ENOSPC")
        answers = [answer for number in range(0, 10_200, 200) for answer in _think_together(wire, number, 200)]
        faults.set()
        _think(wire, "last")

    refused = [answer["id"] for answer in answers if answer["result"].get("isError")]
    assert refused == list(range(10_000, 10_200))
    assert texts(folder) == ["first", *map(str, range(10_000)), "last"]


def _think_together(wire: Wire, first: int, count: int) -> list[Message]:
    """Make ``count`` calls at once, the warning apart from the answers."""
    wire.send_bytes(lines(*(call(thought(str(number)), number) for number in range(first, first + count))))
    answers: list[Message] = []
    while len(answers) < count:
        message = wire.receive()
        answers += [message] * ("id" in message)
    return answers


STRACE = shutil.which("strace")


@pytest.mark.skipif(
    not STRACE or subprocess.run([STRACE, "-qq", "-o", os.devnull, "true"], check=False).returncode != 0,
    reason="strace, which interrupts system calls, is not here or may not trace",
)
@pytest.mark.parametrize("server_path", first(1, SERVER_PATHS))
def test_a_system_call_that_is_interrupted_is_made_again(server_path: str, folder: Path) -> None:
    """Every second write and fsync ends with EINTR before it has begun."""
    interrupt = [f"-einject={name}:error=EINTR:when=2+2" for name in ("write", "fsync", "ftruncate", "flock")]
    server = [sys.executable, "-m", "seqthink", "serve"]
    program = [STRACE or "", "-f", "-qq", "-o", os.devnull, *interrupt, *server]
    with start(
        *SERVER_PATHS[server_path], "--fsync", "always", program=program, environ={"SEQTHINK_JOURNAL_DIR": str(folder)}
    ) as wire:
        for number in range(1, 8):
            _think(wire, str(number))
        wire.hang_up()
        assert wire.status() == 0

    assert texts(folder) == ["1", "2", "3", "4", "5", "6", "7"]


class Viewer:
    """Someone who follows the one journal of a folder, and never learns that what was read is void."""

    def __init__(self, folder: Path) -> None:
        [path] = journals(folder)
        self._reader = JournalReader(path)
        self.seqs: list[int] = []
        self.thoughts: list[str] = []
        self.look()

    def look(self) -> None:
        batch = self._reader.read()
        assert (batch.restarted, batch.corrupt_lines, batch.unknown_count, batch.at_end) == (None, [], 0, True)
        for event, _offset, _size in batch.events:
            assert not isinstance(event, UnknownEvent)
            self.seqs.append(event.seq)
            if isinstance(event, ThoughtEvent):
                self.thoughts.append(event.thought)


def _think(wire: Wire, text: str) -> None:
    """Call; the answer says that all is well."""
    result = wire.call(thought(text))
    assert "structuredContent" in result
    assert state(result) == {}


def _wait_in_memory(wire: Wire, *several: str, viewer: Viewer | None = None) -> list[str]:
    """Call; each answer says that one more waits, and why. Return the reasons."""
    states: list[Message] = []
    for text in several:
        result = wire.call(thought(text))
        assert "structuredContent" in result
        states.append(state(result))
        if viewer:
            viewer.look()
    first = states[0]["waiting"]
    assert [one["waiting"] for one in states] == list(range(first, first + len(several)))
    assert all(one["error"] for one in states)
    assert len(wire.warnings) == 1
    assert states[0]["error"] in wire.warnings[0]
    return [one["error"] for one in states]


@pytest.fixture
def disk(folder: Path) -> Iterator[Path]:
    """Put the journals on a small disk of their own."""
    place = folder.parent
    place.mkdir()
    if os.geteuid() != 0 or _mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)):
        pytest.skip("a file system of its own may not be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True, timeout=TIMEOUT_SECONDS)


def _mount(*arguments: str) -> int:
    return subprocess.run(["mount", *arguments], check=False, capture_output=True, timeout=TIMEOUT_SECONDS).returncode


def _fill(disk: Path) -> None:
    with (disk / "filler").open("wb", 0) as file, suppress(OSError):
        while file.write(b"x" * 4096):
            pass
