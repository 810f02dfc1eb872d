"""The fast path: one write each to journal and client, a handover that loses nothing, no doubtful request."""

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from mcp_types import methods

from seqthink.core.arguments import GivenArguments, read_arguments
from seqthink.dialogue.protocol_versions import STATELESS_VERSION
from seqthink.journal.locked_journal import LockedJournal
from seqthink.server import run as server
from seqthink.server.fast_path.validation import is_well_formed
from seqthink.server.setup import ServerSetup, tool_definitions
from seqthink.server.wire.jsonrpc import IncomingRequest, read_message
from seqthink.server.wire.protocol import HANDSHAKE_VERSIONS, is_stateless
from seqthink.server.wire.signals import Signals
from seqthink.server.wire.stdio import StdioPair
from tests.server.test_recorder import Session
from tests.support.proc import process_file
from tests.support.servers.frame_strategies import frames
from tests.support.servers.server_paths import call, lines, request
from tests.support.servers.wire import TIMEOUT_SECONDS, events, journals, start, thought


class Quiet(Signals):
    """No signal comes, and this process keeps its own handlers."""

    def __init__(self) -> None:
        self.has_arrived = False


@pytest.fixture
def pipes() -> Iterator[tuple[int, int, int, int]]:
    stdin, send = os.pipe()
    receive, stdout = os.pipe()
    yield stdin, send, receive, stdout
    for descriptor in (stdin, receive, stdout):
        os.close(descriptor)


def test_the_requests_of_one_read_are_journaled_in_one_write_and_answered_in_one_write(
    pipes: tuple[int, int, int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin, send, receive, stdout = pipes
    os.set_blocking(stdout, False)  # as the server's own opening of it is
    written: list[str] = []
    append, write = LockedJournal.append, os.write

    def count_append(file: LockedJournal, data: bytes, *, sync: bool) -> int:
        written.append(f"journal {data.count(b'thoughtNumber')}")
        return append(file, data, sync=sync)

    def count_write(descriptor: int, data: bytes) -> int:
        if descriptor == stdout:
            written.append(f"stdout {bytes(data).count(b'result')}")
        return write(descriptor, data)

    monkeypatch.setattr(LockedJournal, "append", count_append)
    os.write(send, lines(request("ping"), *(call(thought(str(n), n), n) for n in range(1, 41)), request("tools/list")))
    os.close(send)
    monkeypatch.setattr(os, "write", count_write)
    session = Session(tmp_path)
    tools = tool_definitions("lenient", has_context=False, has_audits=False)
    setup = ServerSetup(lambda: session.thinking, StdioPair(stdin, stdout), Quiet(), session.said.append, tools)
    server.run(setup, use_fast_path=True)

    assert written == ["journal 40", "stdout 42", "journal 0"]
    answers = [json.loads(line) for line in os.read(receive, 1 << 16).splitlines()]
    assert [answer["id"] for answer in answers] == [1, *range(1, 41), 1]


def test_a_request_is_answered_even_if_a_signal_arrives_while_the_sdk_loads(seqthink_home: Path) -> None:
    with start() as wire:
        wire.call(thought())
        wire.send(request("resources/list", number="odd"))
        wait_for_the_sdk(wire.pid)
        os.kill(wire.pid, signal.SIGTERM)
        answers = wire.rest()

        assert wire.status() == 0
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [("odd", -32601)]
    assert events(journals(seqthink_home / "sessions")[0])[-1]["reason"] == "signal"


def test_answers_that_the_client_has_not_read_yet_survive_the_handover() -> None:
    with start() as wire:
        wire.send_unread(lines(*(call(thought(str(number)), number) for number in range(600))))
        wire.send_unread(lines(request("resources/list", number="odd"), call(thought(), "behind")))
        wire.hang_up()
        answers = wire.rest()

        assert wire.status() == 0
    assert [answer["id"] for answer in answers] == [*range(600), "odd", "behind"]


def test_a_reserved_key_that_is_not_known_is_left_to_the_sdk() -> None:
    meta = {"progressToken": 1}

    assert is_well_formed("tools/list", {"_meta": meta | {"org.example/key": 1}}, is_stateless=False)
    assert not is_well_formed("tools/list", {"_meta": meta | {"io.modelcontextprotocol/key": 1}}, is_stateless=False)


@given(frames)
def test_the_sdk_accepts_every_request_that_the_fast_path_accepts(frame: bytes) -> None:
    message = read_message(frame)
    if not isinstance(message, IncomingRequest):
        return
    uses_stateless_version = message.method != "initialize" and is_stateless(message.params)
    if is_well_formed(message.method, message.params or {}, is_stateless=uses_stateless_version):
        for version in (STATELESS_VERSION,) if uses_stateless_version else HANDSHAKE_VERSIONS:
            methods.parse_client_request(message.method, version, _as_the_sdk_gets_it(message.params))


def _as_the_sdk_gets_it(params: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return parameters whose arguments are an object, as `VersionRouter` makes them of a string."""
    if params is None or not isinstance(params.get("arguments"), str):
        return params
    given = read_arguments(params["arguments"])
    assert isinstance(given, GivenArguments)
    return {**params, "arguments": given.fields}


def wait_for_the_sdk(pid: int) -> None:
    """Wait until the process has begun to load the SDK."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while b"pydantic" not in process_file(pid, "maps").read_bytes():
        assert time.monotonic() < end
        time.sleep(0.005)  # noqa: TID251 - looks again at what another process does
