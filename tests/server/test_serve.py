"""`seqthink serve` as clients meet it: a real process, real pipes, both kinds of versions, bad lines, signals."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mcp
import pytest
from mcp.client.stdio import StdioServerParameters, stdio_client

from seqthink.__main__ import main
from seqthink.cli import serve
from seqthink.journal.decode import decode
from seqthink.server.tools.thinking_tool import thinking_tool_definition
from seqthink.server.wire.jsonrpc import ErrorReply, read_message
from seqthink.server.wire.signals import STOP_SIGNALS
from tests.conftest import PROJECT
from tests.journal.test_writer import session as make_session
from tests.support.depth import first
from tests.support.proc import process_file
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, TIMEOUT_SECONDS, Wire, events, journals, start, thought


@pytest.fixture(autouse=True, params=["fast", "sdk"])
def server_path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every promise holds on both server paths."""
    if request.param == "sdk":
        monkeypatch.setenv("SEQTHINK_NO_FRONT", "yes")
    return request.param


@pytest.fixture
def folder(seqthink_home: Path) -> Path:
    return seqthink_home / "sessions"


@pytest.mark.parametrize("mode", first(2, ["legacy", "2026-07-28", "auto"]))
async def test_the_official_client_is_served_with_either_kind_of_version(mode: Any, folder: Path) -> None:  # noqa: ANN401 - whatever a test hands over
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-m", "seqthink", "serve", "--title", "official"],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    async with mcp.Client(stdio_client(parameters), mode=mode) as client:
        [tool] = (await client.list_tools()).tools
        result = await client.call_tool("sequentialthinking", thought(number="2"))
        refused = await client.call_tool("sequentialthinking", thought(number=0))

    assert tool.model_dump(by_alias=True, mode="json", exclude_none=True) == thinking_tool_definition("lenient")
    assert result.structured_content is not None
    assert result.structured_content["thoughtNumber"] == 2
    assert refused.is_error
    assert [event["type"] for event in events(journals(folder)[0])] == ["session", "thought", "rejected", "end"]


def test_a_process_of_its_own_answers_over_its_pipes_and_leaves_with_success(folder: Path) -> None:
    with start() as wire:
        wire.handshake()
        result = wire.call(thought(), meta={"claudecode/toolUseId": "toolu_1"})
        wire.hang_up()
        left = wire.rest()

        assert wire.status() == 0
    assert result["structuredContent"]["thoughtHistoryLength"] == 1
    assert "isError" not in result
    assert left == []
    first, second, third = events(journals(folder)[0])
    assert (first["client"], first["protocolVersion"]) == ({"name": "handshake-client", "version": "1"}, "2025-06-18")
    assert first["pid"] == wire.pid
    assert (second["call"], third["reason"]) == ("toolu_1", "eof")


def test_a_server_that_is_never_called_leaves_no_file(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        wire.handshake()
        wire.ask("tools/list")
        wire.hang_up()

        assert wire.status() == 0
    assert not folder.exists()


def test_both_kinds_of_versions_are_served_on_one_stdin_request_by_request(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        discovered = wire.ask("server/discover", {"_meta": STATELESS_META})["result"]
        stateless = wire.call(thought("1"), meta=STATELESS_META)
        wire.handshake()
        handshake = wire.call(thought("2"))
        again = wire.call(thought("3"), meta=STATELESS_META)

    assert discovered["supportedVersions"] == ["2026-07-28"]
    assert stateless["resultType"] == "complete"
    assert "resultType" not in handshake
    assert [answer["structuredContent"]["thoughtHistoryLength"] for answer in (stateless, handshake, again)] == [
        1,
        2,
        3,
    ]
    assert events(journals(folder)[0])[0]["client"] == {"name": "stateless-client", "version": "2"}


def test_a_later_call_may_come_before_the_handshake(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        assert wire.call(thought())["structuredContent"]["thoughtHistoryLength"] == 1
        assert wire.handshake("2025-11-25")["protocolVersion"] == "2025-11-25"


def test_an_unsupported_stateless_version_gets_the_list_of_supported_ones(warm: WarmServer) -> None:
    meta = STATELESS_META | {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
    with start(warm=warm) as wire:
        answer = wire.ask("tools/list", {"_meta": meta})

    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"]["supported"] == ["2026-07-28"]


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [
        (["--schema", "plain"], {}),
        ([], {"SEQTHINK_SCHEMA": "plain"}),
        (["--schema=plain"], {"SEQTHINK_SCHEMA": "lenient"}),
    ],
)
def test_the_schema_can_be_plain(warm: WarmServer, arguments: list[str], environ: dict[str, str]) -> None:
    with start(*arguments, warm=warm, environ=environ) as wire:
        [tool] = wire.ask("tools/list")["result"]["tools"]
        result = wire.call(thought(number="2"))

    assert tool == thinking_tool_definition("plain")
    assert result["structuredContent"]["thoughtNumber"] == 2


def test_calls_in_flight_together_are_numbered_as_they_came(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        requests = [_call(n, thought(str(n), n)) for n in range(1, 301)]
        wire.send_bytes(b"".join(json.dumps(request).encode() + b"\n" for request in requests))
        wire.hang_up()
        answers = {answer["id"]: answer["result"]["structuredContent"] for answer in wire.rest()}

        assert wire.status() == 0
    assert [answers[n]["thoughtHistoryLength"] for n in range(1, 301)] == list(range(1, 301))
    assert [event.get("thoughtNumber") for event in events(journals(folder)[0])] == [None, *range(1, 301), None]


def test_a_last_line_without_its_newline_is_answered(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        wire.send_bytes(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
        wire.hang_up()

        assert wire.rest() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


@pytest.mark.parametrize(
    "line",
    first(8, [
        *(b"{not json", b"", b"   ", b"\xff\xfe", b"[]", b"null", b"5", b'"text"', b"\x00" * 100),
        *(b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":null,"method":"ping"}'),
        b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        *(b'{"jsonrpc":"2.0","method":"notifications/nonsense","params":{}}', b'{"jsonrpc":"2.0","id":1,"result":[]}'),
        b'{"jsonrpc":"2.0","method":5}',
    ]),
)  # fmt: skip
@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
def test_a_line_without_a_request_is_ignored(line: bytes, warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        wire.send(line)

        assert wire.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sequentialthinking","arguments":', -32700),
        (b'{"method":"ping","params":{"x":NaN},"jsonrpc":"2.0","id":1}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 200_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601),
    ],
    ids=["torn", "NaN", "deep", "list params", "no method", "no name", "no client", "unknown method"],
)
def test_every_request_with_an_id_gets_an_answer(line: bytes, code: int, warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        wire.send(line)
        answer = wire.receive()

        assert (answer["id"], answer["error"]["code"]) == (1, code)
        assert wire.ask("ping")["result"] == {}


def test_an_id_deep_inside_a_broken_line_is_not_answered() -> None:
    inside = b'{"jsonrpc":"2.0","method":"x","params":{"text":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":7}"'

    assert read_message(inside) is None
    assert read_message(b'{"id":"a","jsonrpc":"2.0",') == ErrorReply("a", -32700, "Parse error: the line is not JSON")


@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
@pytest.mark.parametrize("arguments", first(4, [None, [], '["thought"]', '"{}"', "{", "", 5, False]))
def test_arguments_that_are_no_object_are_refused_in_words(arguments: object, warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        for meta in ({}, {"_meta": STATELESS_META}):
            answer = wire.ask("tools/call", {"name": "sequentialthinking", "arguments": arguments, **meta})

            assert answer["error"]["code"] == -32602
            assert answer["error"]["message"].startswith("Invalid arguments: must be an object, got ")
    assert events(journals(folder)[0])[1]["type"] == "rejected"


def test_an_unknown_tool_is_an_error_that_the_model_sees(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        results = [wire.call({}, name="nope"), wire.call({}, name="nope", meta=STATELESS_META)]
        served = wire.call(thought(), name="sequential_thinking")

    assert [result["isError"] for result in results] == [True, True]
    assert "nope" in results[0]["content"][0]["text"]
    assert served["structuredContent"]["thoughtHistoryLength"] == 1


@pytest.mark.parametrize("meta", [None, STATELESS_META], ids=["handshake", "stateless"])
def test_a_lone_surrogate_is_answered_and_kept(meta: Any, warm: WarmServer, folder: Path) -> None:  # noqa: ANN401 - whatever a test hands over
    with start(warm=warm) as wire:
        result = wire.call(thought("\ud800", branchFromThought=1, branchId="b\udfff"), meta=meta)

    assert result["structuredContent"]["branches"] == ["b\udfff"]
    assert json.loads(result["content"][0]["text"])["branches"] == ["b\udfff"]
    assert events(journals(folder)[0])[1]["thought"] == "\ud800"


@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
def test_a_line_of_fifty_megabytes_is_answered(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        refused = wire.call(thought("x" * 50_000_000))
        accepted = wire.call(thought("思" * 5_000_000))

    assert "at most 16777216 bytes" in refused["content"][0]["text"]
    assert accepted["structuredContent"]["thoughtHistoryLength"] == 1


def test_a_number_of_five_million_digits_is_refused(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        wire.send(json.dumps(_call(1, thought(number="@"))).encode().replace(b'"@"', b"9" * 5_000_000))
        result = wire.receive()["result"]

    assert result["isError"] is True


def test_the_limit_on_a_thought_can_be_set(warm: WarmServer) -> None:
    with start("--max-thought-bytes", "10", warm=warm) as wire:
        assert "isError" not in wire.call(thought("x" * 10))
        assert wire.call(thought("x" * 11))["isError"]


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_signal_ends_the_server_cleanly(number: signal.Signals, warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        wire.call(thought())
        os.kill(wire.pid, number)

        assert wire.status() == 0
    assert events(journals(folder)[0])[-1]["reason"] == "signal"


@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
def test_a_signal_while_the_server_starts_ends_it_with_success() -> None:
    with start(keep_stderr=True) as wire:
        _wait_until(lambda: b"SigCgt" in _status(wire.pid) and _catches(wire.pid, signal.SIGTERM))
        os.kill(wire.pid, signal.SIGTERM)

        assert wire.status() == 0


def test_a_killed_server_loses_no_acknowledged_thought(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        for number in range(1, 21):
            wire.call(thought(str(number), number))
        os.kill(wire.pid, signal.SIGKILL)

        assert wire.status() == -signal.SIGKILL
    assert [event.get("thoughtNumber") for event in events(journals(folder)[0])] == [None, *range(1, 21)]


@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
def test_a_client_that_does_not_read_cannot_keep_the_server_alive(warm: WarmServer) -> None:
    with start(warm=warm) as wire:
        assert wire.stdin is not None
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode() + b"\n"
        os.set_blocking(wire.stdin, False)
        _wait_until(lambda: _is_stuffed(wire, line))
        os.kill(wire.pid, signal.SIGTERM)

        assert wire.status() == 0


def test_a_client_that_reads_no_more_has_its_calls_journaled(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        wire.call(thought("answered"))
        wire.close_stdout()
        wire.send_unread(b"".join(json.dumps(_call(n, thought(str(n)))).encode() + b"\n" for n in range(10)))
        wire.hang_up()

        assert wire.status() == 0
    assert [event["type"] for event in events(journals(folder)[0])] == ["session", *["thought"] * 11, "end"]


def test_a_stderr_that_nobody_reads_blocks_no_call(warm: WarmServer) -> None:
    with start(warm=warm, keep_stderr=True) as wire:
        for number in range(1, 61):
            wire.call(thought("x" * 9000, number))
        assert wire.stderr is not None

        assert os.read(wire.stderr, 100).startswith("╭ thought 1/3\n│ xxx".encode())


def test_thought_logging_can_be_silenced(warm: WarmServer) -> None:
    with start(warm=warm, keep_stderr=True, environ={"DISABLE_THOUGHT_LOGGING": "true"}) as wire:
        wire.call(thought())
        wire.hang_up()
        wire.status()
        assert wire.stderr is not None

        assert os.read(wire.stderr, 100) == b""


@pytest.mark.parametrize("server_path", first(1, ["fast", "sdk"]), indirect=True)
def test_stdin_may_be_a_file(tmp_path: Path) -> None:
    lines = tmp_path / "requests"
    lines.write_text('{"jsonrpc":"2.0","id":1,"method":"ping"}\n', encoding="utf-8")
    with lines.open("rb") as stdin, (tmp_path / "answers").open("wb") as stdout:
        done = subprocess.run(
            [sys.executable, "-m", "seqthink", "serve"],
            cwd=PROJECT,
            stdin=stdin,
            stdout=stdout,
            check=False,
            timeout=TIMEOUT_SECONDS,
        )

    assert done.returncode == 0
    assert (tmp_path / "answers").read_bytes() == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def test_the_journal_folder_can_be_named(warm: WarmServer, tmp_path: Path) -> None:
    for arguments, environ in (
        (["--journal-dir", str(tmp_path / "a")], {}),
        ([], {"SEQTHINK_JOURNAL_DIR": str(tmp_path / "a")}),
    ):
        with start(*arguments, warm=warm, environ=environ) as wire:
            wire.call(thought())

    assert len(journals(tmp_path / "a")) == 2


def test_a_session_is_resumed_by_id_and_counts_on(warm: WarmServer, folder: Path) -> None:
    with start(warm=warm) as wire:
        wire.call(thought(branchFromThought=1, branchId="b"))
        wire.hang_up()
        wire.status()
    [path] = journals(folder)
    with start("--resume", path.stem, warm=warm) as wire:
        result = wire.call(thought())

    assert result["structuredContent"] | {} == {
        "thoughtNumber": 1, "totalThoughts": 3, "nextThoughtNeeded": True, "branches": ["b"], "thoughtHistoryLength": 2,
    }  # fmt: skip
    assert [event["seq"] for event in events(path)] == [1, 2, 3, 4, 5]
    assert all(decode(line) for line in path.read_bytes().splitlines())


def test_a_live_session_cannot_be_resumed_by_id_but_last_begins_a_new_one(
    warm: WarmServer, folder: Path, tmp_path: Path
) -> None:
    with start(warm=warm, cwd=tmp_path) as live:
        live.call(thought())
        [path] = journals(folder)
        with start("--resume", path.stem, warm=warm, keep_stderr=True) as second:
            assert second.status() == 2
            assert second.stderr is not None
            said = os.read(second.stderr, 1000)
        with start("--resume", "last", warm=warm, cwd=tmp_path) as third:
            result = third.call(thought())

    assert said.decode().startswith(f"seqthink: session {path.stem} is in use")
    assert said.count(b"\n") == 1
    assert result["structuredContent"]["thoughtHistoryLength"] == 1
    assert len(journals(folder)) == 2


def test_last_goes_on_in_the_newest_session_of_the_working_folder(
    warm: WarmServer, folder: Path, tmp_path: Path
) -> None:
    folder.mkdir(parents=True)
    path = make_session(folder, str(tmp_path), letters="aaaaaa", day=3)
    make_session(folder, "/elsewhere", letters="bbbbbb", day=4)
    with start(warm=warm, cwd=tmp_path, environ={"SEQTHINK_RESUME": "last"}) as wire:
        result = wire.call(thought())

    assert result["structuredContent"]["thoughtHistoryLength"] == 2
    assert events(path)[-1]["type"] == "thought"


@pytest.mark.parametrize(
    ("arguments", "environ", "said"),
    [
        (["--fsync", "sometimes"], {}, "argument --fsync: must be never or always, got 'sometimes'"),
        (["--schema", "x"], {}, "argument --schema: must be lenient or plain, got 'x'"),
        (["--max-thought-bytes", "0"], {}, "argument --max-thought-bytes: must be a whole number above 0, got '0'"),
        (["--nonsense"], {}, "unknown option --nonsense; "),
        (["--resume"], {}, "argument --resume: expected one argument"),
        (["--resume", "nope"], {}, "no session 'nope' in "),
        (["--resume", "../x"], {}, "no session '../x' in "),
        ([], {"SEQTHINK_FSYNC": "maybe"}, "SEQTHINK_FSYNC: must be never or always, got 'maybe'"),
        ([], {"SEQTHINK_JOURNAL_REQUIRED": "maybe"}, "SEQTHINK_JOURNAL_REQUIRED: must be yes or no, got 'maybe'"),
        ([], {"SEQTHINK_MAX_THOUGHT_BYTES": "-5"}, "SEQTHINK_MAX_THOUGHT_BYTES: must be a whole number above 0"),
        ([], {"SEQTHINK_RESUME": "nope"}, "no session 'nope' in "),
    ],
)  # fmt: skip
def test_a_bad_value_is_one_line_and_exit_2(
    arguments: list[str],
    environ: dict[str, str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "Signals", lambda: None)  # those of the test's own process stay as they are
    for name, value in environ.items():
        monkeypatch.setenv(name, value)

    status = main(["serve", *arguments])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_home_that_cannot_be_written_does_not_stop_the_thinking(warm: WarmServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environ = {"SEQTHINK_HOME": str(tmp_path / "file")}
    with start(warm=warm, environ=environ) as wire:
        result = wire.call(thought())
        wire.hang_up()
        status = wire.status()
    with start("--journal-required", warm=warm, environ=environ) as wire:
        refused = wire.call(thought())

    assert result["structuredContent"]["thoughtHistoryLength"] == 1
    assert result["_meta"]["seqthink/journal"]["waiting"] == 2
    assert status == 0
    assert refused["isError"] is True
    assert "the journal cannot be written" in refused["content"][0]["text"]


def test_a_switch_can_be_set_in_the_environment(warm: WarmServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    environ = {"SEQTHINK_HOME": str(tmp_path / "file"), "SEQTHINK_JOURNAL_REQUIRED": "1"}
    with start(warm=warm, environ=environ) as wire:
        assert wire.call(thought())["isError"]
    with start("--journal-required", "no", warm=warm, environ=environ) as wire:
        assert "isError" not in wire.call(thought())


def test_prints_in_the_process_do_not_reach_the_protocol() -> None:
    program = (
        "import os, sys; from seqthink.server.wire import stdio as s; wire = s.take_over_stdio(); "
        "print('stray', flush=True); os.system('echo child'); os.write(wire.stdout, b'protocol')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=PROJECT, capture_output=True, check=True, timeout=TIMEOUT_SECONDS
    )

    assert done.stdout == b"protocol"
    assert b"stray" in done.stderr
    assert b"child" in done.stderr


def _call(number: int, arguments: dict[str, Any]) -> dict[str, Any]:
    params = {"name": "sequentialthinking", "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def _wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < end


def _is_stuffed(wire: Wire, line: bytes) -> bool:
    """Write until the pipe takes no more; true when it stays so while the server has time to read on."""
    assert wire.stdin is not None
    try:
        while True:
            os.write(wire.stdin, line)
    except BlockingIOError:
        return wire.reads_no_more()


def _status(pid: int) -> bytes:
    return process_file(pid, "status").read_bytes()


def _catches(pid: int, number: signal.Signals) -> bool:
    caught = next(line for line in _status(pid).splitlines() if line.startswith(b"SigCgt"))
    return bool(int(caught.split()[1], 16) >> (number - 1) & 1)
