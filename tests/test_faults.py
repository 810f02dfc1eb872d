"""A machine that fails: what is answered, what is told, what is written later; a real server in both lanes."""

from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from seqthink.journal.check import Check
from seqthink.journal.source import JournalFile
from tests.faults import Faults
from tests.lanes import LANES
from tests.warm_server import WarmServer
from tests.wire import Message, Wire, events, journals, start, thought

Serve = Callable[..., Wire]


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmServer]:
    with WarmServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sessions"


@pytest.fixture
def faults(tmp_path: Path) -> Faults:
    return Faults(tmp_path / "faults")


@pytest.fixture(params=LANES)
def serve(request: pytest.FixtureRequest, warm: WarmServer, folder: Path, faults: Faults) -> Serve:
    """Return what starts a server of either lane, with faults, on ``folder``."""

    def started(*arguments: str) -> Wire:
        environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder), **faults.environ}
        return start(*LANES[request.param], *arguments, warm=warm, environ=environ)

    return started


def state(result: Message) -> Message:
    """Return what a reply says of the journal; nothing when all is well."""
    return result.get("_meta", {}).get("seqthink/journal", {})


def texts(folder: Path) -> list[str]:
    """Return the thoughts in the one journal of ``folder``, with which nothing is wrong."""
    [path] = journals(folder)
    assert list(Check(JournalFile.open(path), is_live=True).findings()) == []
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
