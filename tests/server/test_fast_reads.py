"""However a client's bytes are cut into reads: the same answers, the same journal, and nothing lost on the way out."""

import json
import os
import socket
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.journal.locked_journal import LockedJournal
from seqthink.server.fast_path.fast_server import FastServer
from seqthink.server.idle_loading import IdleLoading
from seqthink.server.setup import Handover, ServerSetup, tool_definitions
from seqthink.server.wire.jsonrpc import dump_json, dump_utf8_object, parse_json
from seqthink.server.wire.stdio import NonBlockingWriter, StdioPair
from tests.core.test_arguments import JSON
from tests.server.test_fast_server import Quiet
from tests.server.test_recorder import Session
from tests.support.servers.frame_strategies import frames
from tests.support.servers.server_paths import call, exchange, initialize, lines, request
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import Message, events, journals, start, thought

QUIET = Quiet()
"""One for all servers here: each that is made opens a pipe."""

MAX_BYTES = 20_000
"""So much is sent at most: unread, it has to fit into the socket."""

CALLS = lines(
    initialize(),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    call(thought("思考 \U0001f914", 1), 1),
    call(thought("b", 2, branchId="x", branchFromThought=1), "two"),
    call(thought("", 3), 3),
    request("ping", None, 4),
    call(thought("again", 3), 5, _meta={"claudecode/toolUseId": "toolu_1", "progressToken": 5}),
    b'{"jsonrpc":"2.0","id":6,"method":"ping"} and more',
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"sequentialthinking","arguments":{"thought":"\xff\xfe",'
    b'"nextThoughtNeeded":true,"thoughtNumber":4,"totalThoughts":5}}}',
    b"\xff\xfe",
)


class Served(NamedTuple):
    """What one server did: its answers, its journal, and whether it left something to the SDK."""

    answers: list[Message]
    journal: list[Message]
    is_handed_over: bool


def serve(chunks: Sequence[bytes]) -> Served:
    """Serve on the fast path; each read returns one of ``chunks``, then the input ends."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as out:
        # A socket of packets: one read returns one of them.
        stdin, send = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        os.set_blocking(out.fileno(), False)
        with stdin:
            for chunk in filter(None, chunks):
                send.send(chunk)
            send.close()
            session = Session(Path(name))
            tools = tool_definitions("lenient", has_context=False, has_audits=False)
            setup = ServerSetup(
                lambda: session.thinking, StdioPair(stdin.fileno(), out.fileno()), QUIET, session.said.append, tools
            )
            outcome = FastServer(setup, IdleLoading(lambda: None)).serve()
        session.thinking.end("eof")
        out.seek(0)
        written = [event for path in journals(Path(name)) for event in events(path)]
        answers = [json.loads(line) for line in out.read().splitlines()]
        for event in written:
            event.pop("session", None)
        return Served(answers, written, isinstance(outcome, Handover))


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    """Return ``data`` in pieces."""
    ends = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(ends)]


def test_a_message_may_be_cut_at_any_byte() -> None:
    whole = serve([CALLS])

    assert [answer.get("id") for answer in whole.answers] == [0, 1, "two", 3, 4, 5, 6, 7]
    assert not whole.is_handed_over
    for place in range(1, len(CALLS), 7):
        assert serve([CALLS[:place], CALLS[place:]]) == whole


def test_a_message_may_come_byte_by_byte() -> None:
    data = lines(initialize(), call(thought(), 1), call(thought("b", 2), 2))

    assert serve([*(data[n : n + 1] for n in range(200)), data[200:]]) == serve([data])


def test_input_that_ends_in_a_message_is_answered_as_its_last_line_without_a_newline_would_be() -> None:
    for size in range(1, len(CALLS), 11):
        part = CALLS[:size]

        assert serve([part]) == serve([part + b"\n"]) == serve([part[:-1], part[-1:]])


@given(st.lists(frames, min_size=1, max_size=12), st.lists(st.integers(0, MAX_BYTES), max_size=12))
def test_any_cut_of_any_bytes_gives_the_same_answers_and_the_same_journal(some: list[bytes], places: list[int]) -> None:
    data = lines(initialize(), *some)[:MAX_BYTES]
    line_by_line = serve(data.splitlines(keepends=True) if b"\r" not in data and data.isascii() else cut(data, []))

    assert serve(cut(data, places)) == line_by_line


@pytest.mark.parametrize("capabilities", [1, True, "elicitation", ["elicitation"], {"elicitation": 1}])
def test_capabilities_of_any_kind_are_no_end(capabilities: object) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
    }
    served = serve([lines(initialize(), call(thought(), 1), request("tools/list", {"_meta": meta}, 2))])

    assert [answer["id"] for answer in served.answers[:2]] == [0, 1]
    assert served.is_handed_over or served.answers[2]["id"] == 2
    assert [event["thought"] for event in served.journal if event["type"] == "thought"] == ["t"]


@given(st.lists(st.integers(0, 255), max_size=6).map(bytes), st.integers(0, MAX_BYTES))
def test_bytes_that_are_no_text_disturb_no_other_message(noise: bytes, place: int) -> None:
    noise = noise.replace(b"\n", b"")
    before, after = lines(initialize(), call(thought(), 1)), lines(call(thought("b", 2), 2))
    data = before + noise + b"\n" + after
    served = serve(cut(data, [place]))

    assert [answer["id"] for answer in served.answers if answer.get("id") in {0, 1, 2}] == [0, 1, 2]
    assert [event["thought"] for event in served.journal if event["type"] == "thought"] == ["t", "b"]


def test_a_huge_message_after_small_ones_is_answered_in_its_turn(warm: WarmServer, seqthink_home: Path) -> None:
    with start(warm=warm) as wire:
        wire.send_bytes(
            lines(
                initialize(),
                *(call(thought("small", n), n) for n in range(1, 21)),
                call(thought("x" * 3_000_000, 21), 21),
                *(call(thought("small", n), n) for n in range(22, 31)),
            )
        )
        answers = [wire.receive()["id"] for _ in range(31)]

        assert answers == [*range(31)]
    kept = [len(event.get("thought", "")) for event in events(journals(seqthink_home / "sessions")[0])]
    assert kept == [0, *[5] * 20, 3_000_000, *[5] * 9]


def test_a_client_that_does_not_read_gets_all_answers_once_it_does(warm: WarmServer, tmp_path: Path) -> None:
    sent = lines(initialize(), *(call(thought("y" * 200, n), n) for n in range(1, 2001)))
    with start(warm=warm, environ={"SEQTHINK_JOURNAL_DIR": str(tmp_path / "a")}) as wire:
        wire.send_unread(sent)
        wire.hang_up()
        answers = [answer["id"] for answer in wire.rest()]

        assert wire.status() == 0
    assert answers == [*range(2001)]
    assert [answer["id"] for answer in exchange((), sent, tmp_path / "b", warm).answers] == answers


def test_one_message_is_one_write_to_the_journal_and_then_one_to_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    write, append = os.write, LockedJournal.append
    stdin, send = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    receive, stdout = os.pipe()
    os.set_blocking(stdout, False)

    def note_write(descriptor: int, data: bytes) -> int:
        done.append("answer" if descriptor == stdout else "line")
        return write(descriptor, data)

    def note_append(file: LockedJournal, data: bytes, *, sync: bool) -> int:
        done.append("append")
        return append(file, data, sync=sync)

    for number in (1, 2):
        send.send(lines(call(thought(str(number), number), number)))
    send.close()
    monkeypatch.setattr(os, "write", note_write)
    monkeypatch.setattr(LockedJournal, "append", note_append)
    session = Session(tmp_path)
    setup = ServerSetup(lambda: session.thinking, StdioPair(stdin.fileno(), stdout), QUIET, session.said.append, [])
    FastServer(setup, IdleLoading(lambda: None)).serve()

    assert done == ["append", "line", "answer"] * 2
    stdin.close()
    for descriptor in (receive, stdout):
        os.close(descriptor)


@pytest.fixture
def full_pipe() -> Iterator[tuple[int, NonBlockingWriter]]:
    receive, stdout = os.pipe()
    os.set_blocking(stdout, False)
    yield receive, NonBlockingWriter(stdout)
    os.close(receive)
    os.close(stdout)


def test_what_a_pipe_takes_in_part_arrives_whole_and_in_order(full_pipe: tuple[int, NonBlockingWriter]) -> None:
    receive, writer = full_pipe
    pieces = [bytes([number]) * size for number, size in enumerate((10, 100_000, 1, 0, 70_000, 3), 1)]
    got = b""
    for piece in pieces:
        writer.send(piece)
    while len(got) < sum(map(len, pieces)):
        got += os.read(receive, 30_000)
        writer.flush()

    assert got == b"".join(pieces)
    assert writer.unsent_bytes == 0


def test_nothing_is_kept_for_a_client_that_has_left() -> None:
    receive, stdout = os.pipe()
    os.set_blocking(stdout, False)
    writer = NonBlockingWriter(stdout)
    os.close(receive)
    writer.send(b"answer\n")
    writer.send(b"answer\n")

    assert writer.is_abandoned
    assert writer.unsent_bytes == 0
    os.close(stdout)


PADS = st.text(" \t\r\n", max_size=3)


@given(JSON, PADS, PADS, st.sampled_from(["", "x", "}", "{}", "\x00"]))
def test_json_is_read_as_the_general_decoder_reads_it(value: Any, before: str, after: str, more: str) -> None:  # noqa: ANN401 - any JSON
    text = before + json.dumps(value) + after + more
    try:
        expected = [json.loads(text)]
    except ValueError:
        with pytest.raises(ValueError, match=r"."):
            parse_json(text.encode())
        return

    assert [parse_json(text.encode())] == expected


@pytest.mark.parametrize("text", ["NaN", '{"a":NaN}', '{"a":-Infinity}', ' {"a":Infinity}', '{"a":1', "{", "", " "])
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text.encode())


@pytest.mark.parametrize("pad", ["", " "])
def test_a_number_longer_than_python_reads_is_read_with_and_without_space_around(pad: str) -> None:
    assert parse_json(f'{pad}{{"a":{"9" * 5000}}}{pad}'.encode()) == {"a": float("inf")}


@given(st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=5), JSON, max_size=6))
def test_an_object_is_written_as_the_general_encoder_writes_it(fields: dict[str, Any]) -> None:
    written = dump_utf8_object(fields)

    assert written in {dump_json(fields), json.dumps(fields, separators=(",", ":"))}
    assert written.encode()
