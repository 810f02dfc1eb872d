"""What the tap journals, with real processes: the scripted server inside it, or our own."""

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from seqthink.core.events import EndEvent, SessionEvent
from seqthink.journal.decode import decode
from tests.support.servers.commands import TIMEOUT_SECONDS, command
from tests.support.servers.commands import seqthink as run_seqthink
from tests.support.servers.tapped import all_of_stderr, scripted_server, sessions_folder, start_tapped
from tests.support.servers.wire import Message, Wire, events, journals, thought

CODEX_CHILD = {
    "threadId": "t2",
    "sessionId": "t1",
    "callId": "c9",
    "x-codex-turn-metadata": {"agent_name": "Ada", "model": "m"},
}


def end(wire: Wire) -> None:
    """Let the client leave, and wait for the tap's end."""
    wire.hang_up()
    wire.status()


def only_journal(folder: Path | None = None) -> list[Message]:
    [path] = journals(folder or sessions_folder())
    return events(path)


def without(entry: Message, *names: str) -> Message:
    return {name: value for name, value in entry.items() if name not in {"v", "seq", "time", *names}}


def test_a_session_is_journaled_as_our_own_server_does_and_says_that_it_was_listened_to() -> None:
    with scripted_server("--title", "listened") as wire:
        wire.handshake()
        wire.call(thought("a", 1, 3))
        wire.call(thought("b", 5, 3), meta={"claudecode/toolUseId": "toolu_1"})
        wire.call(thought("refuse", 6, 6))
        end(wire)

    session, *rest = only_journal()
    assert without(session, "session", "pid", "branch", "remote") == {  # the last two: of the folder of the tests
        "type": "session",
        "title": "listened",
        "server": {"name": "scripted", "version": "7"},
        "client": {"name": "handshake-client", "version": "1"},
        "protocolVersion": "2025-03-26",
        "host": os.uname().nodename,
        "cwd": str(Path.cwd()),
        "notes": False,
        "source": "tap",
    }
    assert [without(entry) for entry in rest] == [
        {"type": "thought", **thought("a", 1, 3)},
        {"type": "thought", **thought("b", 5, 5), "requestedTotal": 3, "call": "toolu_1"},
        {"type": "rejected", "error": "I refuse", "arguments": thought("refuse", 6, 6)},
        {"type": "end", "reason": "eof"},
    ]


CALLS: list[Any] = [
    thought("a"),
    thought("a", 2, 1),
    thought("a", "3", "4", nextThoughtNeeded="true"),
    thought("a", 4, 4, isRevision=True, revisesThought=1),
    thought("b", 1, 1, branchFromThought=2, branchId="other"),
    thought("", 5, 5),
    thought("c", 0, -1),
    {"thought": "x" * 6_000},
    [1, 2],
    thought("\ud800 é 🙂", 5, 5, nextThoughtNeeded=False),
]


def test_around_our_own_server_the_tap_journals_what_that_server_does(tmp_path: Path) -> None:
    serve = command("serve", "--journal-dir", tmp_path / "served")
    with start_tapped(serve, "--journal-dir", str(tmp_path / "tapped"), keep_stderr=False) as wire:
        wire.handshake()
        for arguments in CALLS:
            wire.ask("tools/call", {"name": "sequentialthinking", "arguments": arguments, "_meta": CODEX_CHILD})
        end(wire)

    served, tapped = (only_journal(tmp_path / name)[1:] for name in ("served", "tapped"))
    assert [without(entry) for entry in tapped] == [without(entry) for entry in served]
    assert {entry["type"] for entry in tapped} == {"agent", "thought", "rejected", "end"}


def test_every_line_is_an_event_that_readers_know_and_the_commands_show_it() -> None:
    with scripted_server("--tool", "think", "--field", "step=thoughtNumber") as wire:
        wire.handshake("2025-06-18")
        wire.call({"thought": "mine", "step": 1, "total_thoughts": 2, "next_thought_needed": True}, name="think")
        wire.call(thought("refuse", 2), meta=CODEX_CHILD)
        end(wire)

    [path] = journals(sessions_folder())
    decoded = [decode(line) for line in path.read_bytes().splitlines()]
    assert isinstance(decoded[0], SessionEvent)
    assert isinstance(decoded[-1], EndEvent)
    assert (decoded[0].source, decoded[0].notes) == ("tap", False)
    shown = run_seqthink("show", "last").stdout
    assert "mine" in shown
    assert run_seqthink("check", "last").returncode == 0


def test_an_agent_is_named_before_its_first_call_and_once() -> None:
    with scripted_server() as wire:
        wire.handshake()
        wire.call(thought("a"))
        wire.call(thought("b"), meta=CODEX_CHILD)
        wire.call(thought("refuse"), meta=CODEX_CHILD)
        end(wire)

    assert [(entry["type"], entry.get("agent")) for entry in only_journal()[1:-1]] == [
        ("thought", None),
        ("agent", None),
        ("thought", "t2"),
        ("rejected", "t2"),
    ]
    assert without(only_journal()[2]) == {"type": "agent", "id": "t2", "name": "Ada", "model": "m"}


def test_thoughts_stand_in_the_order_of_their_answers() -> None:
    with scripted_server() as wire:
        for number, text in enumerate(("hold", "next")):
            params = {"name": "sequentialthinking", "arguments": thought(text)}
            wire.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})
        assert [wire.receive()["id"] for _ in range(2)] == [1, 0]
        end(wire)

    assert [entry["thought"] for entry in only_journal()[1:-1]] == ["next", "hold"]


@pytest.mark.parametrize(
    ("text", "status", "error"),
    [("ignore", 0, "the server ended without an answer"), ("exit 3", 3, "the server ended without an answer")],
)
def test_a_call_that_was_never_answered_is_no_thought(text: str, status: int, error: str) -> None:
    with scripted_server() as wire:
        wire.handshake()
        params = {"name": "sequentialthinking", "arguments": thought(text)}
        wire.send({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        if not status:
            wire.hang_up()
        assert wire.status() == status

    rejected, end = only_journal()[1:]
    assert (rejected["error"], rejected["arguments"]) == (error, thought(text))
    assert without(end) == (
        {"type": "end", "reason": "error", "error": "the server ended with status 3"}
        if status
        else {"type": "end", "reason": "eof"}
    )


def test_a_signal_is_the_reason_of_the_end() -> None:
    with scripted_server() as wire:
        wire.handshake()
        wire.call(thought())
        os.kill(wire.pid, signal.SIGTERM)
        assert wire.status() == 128 + signal.SIGTERM

    assert without(only_journal()[-1]) == {"type": "end", "reason": "signal"}


def test_a_server_that_nobody_asks_to_think_leaves_no_journal() -> None:
    with scripted_server() as wire:
        wire.handshake()
        wire.call({"path": "x"}, name="read")
        end(wire)

    assert not sessions_folder().exists()


def test_a_journal_that_cannot_be_written_is_one_line_and_disturbs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with scripted_server("--journal-dir", str(tmp_path / "file" / "in")) as wire:
        wire.handshake()
        answers = [wire.call(thought(str(number), number, 9)) for number in range(1, 5)]
        wire.hang_up()
        assert wire.status() == 0
        said = all_of_stderr(wire).splitlines()

    assert [json.loads(answer["content"][0]["text"])["thoughtNumber"] for answer in answers] == [1, 2, 3, 4]
    assert len(said) == 2
    assert said[0].startswith("seqthink: the journal cannot be written: File exists")
    assert said[1].startswith("seqthink: not all of session")


def test_a_home_that_nobody_has_is_one_line_and_disturbs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQTHINK_HOME", "~nobody-of-that-name/x")
    with scripted_server() as wire:
        wire.handshake()
        wire.call(thought())
        wire.hang_up()
        assert wire.status() == 0
        [said] = all_of_stderr(wire).splitlines()

    assert said.startswith("seqthink: tap: nothing is journaled:")
    assert "the home folder (~) is unknown" in said


def test_a_deleted_journal_is_continued_in_a_new_file_with_its_agents_named_again() -> None:
    with scripted_server() as wire:
        wire.handshake()
        wire.call(thought("a"), meta=CODEX_CHILD)
        wire.call(thought("heard"))
        first = _wait_for_thoughts(2)
        first.unlink()
        wire.call(thought("b"))
        second = _wait_for_thoughts(1)
        wire.call(thought("c"), meta=CODEX_CHILD)
        end(wire)

    session, *rest = events(second)
    assert session["continues"] == first.stem
    assert [(entry["type"], entry.get("thought")) for entry in rest] == [
        ("thought", "b"),
        ("agent", None),
        ("thought", "c"),
        ("end", None),
    ]


def _wait_for_thoughts(count: int) -> Path:
    """Return the only journal as soon as it has that many thoughts."""
    end_of_wait = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < end_of_wait:
        found = journals(sessions_folder()) if sessions_folder().exists() else []
        if found and found[0].read_bytes().count(b'"type":"thought"') == count:
            return found[0]
    raise AssertionError("the thoughts are not in a journal")


def test_the_tap_of_one_client_is_a_session_of_its_own() -> None:
    with scripted_server() as one, scripted_server() as other:
        for wire in (one, other):
            wire.handshake()
            wire.call(thought())
        for wire in (one, other):
            end(wire)

    assert len(journals(sessions_folder())) == 2
