"""What may soon be needed is loaded while the client says nothing, and no message waits for all of it."""

import importlib
import json
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from seqthink.server import run as server
from seqthink.server.fast_path import fast_server
from seqthink.server.fast_path.fast_server import FastServer
from seqthink.server.idle_loading import IdleLoading, LoadingFailedError
from seqthink.server.setup import AuditOptions, ServerSetup, tool_definitions
from seqthink.server.wire.stdio import StdioPair
from tests.server.test_fast_server import Quiet, wait_for_the_sdk
from tests.server.test_recorder import Session
from tests.support.depth import first, sized
from tests.support.proc import process_file
from tests.support.servers.server_paths import call, initialize, lines, request
from tests.support.servers.wire import TIMEOUT_SECONDS, Message, Wire, events, journals, start, thought

AUDITS = {"ENABLE_GAN_AUDITING": "true"}
CODE = "Fix it:\n\n```python\ndef f(x):\n    return x\n```\n"


def _always() -> bool:
    return True


class Pipes:
    """The client's side of a server in this process."""

    def __init__(self) -> None:
        self.stdin, self._send = os.pipe()
        self._receive, self.stdout = os.pipe()
        self._received = b""
        self.is_open = True
        self._lock = threading.Lock()

    def send(self, *messages: Message) -> bool:
        """Send ``messages`` unless this side has hung up; return whether it has not."""
        with self._lock:
            if self.is_open:
                os.write(self._send, lines(*messages))
            return self.is_open

    def receive(self) -> Message:
        """Return the next message of the server."""
        while b"\n" not in self._received:
            readable, _, _ = select.select([self._receive], [], [], TIMEOUT_SECONDS)
            assert readable, "the server says nothing"
            self._received += os.read(self._receive, 1 << 16)
        line, _, self._received = self._received.partition(b"\n")
        return json.loads(line)

    def receive_all(self) -> list[Message]:
        """Return what the server, which has ended, has written."""
        return [json.loads(line) for line in os.read(self._receive, 1 << 16).splitlines()]

    def hang_up(self) -> None:
        with self._lock:
            if self.is_open:
                self.is_open = False
                os.close(self._send)

    def close(self) -> None:
        self.hang_up()
        for descriptor in (self.stdin, self._receive, self.stdout):
            os.close(descriptor)


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = Pipes()
    yield made
    made.close()


class Noted(IdleLoading[None]):
    """Loads nothing; when it is begun, the client leaves."""

    def __init__(self, pipes: Pipes) -> None:
        super().__init__(lambda: None)
        self._pipes = pipes
        self.is_begun = False

    @override
    def begin(self) -> None:
        self.is_begun = True
        self._pipes.hang_up()


def _setup(pipes: Pipes, folder: Path, *, has_audits: bool = False, max_thoughts: int = 0) -> ServerSetup:
    session = Session(folder, most=max_thoughts)
    return ServerSetup(
        lambda: session.thinking,
        StdioPair(pipes.stdin, pipes.stdout),
        Quiet(),
        session.said.append,
        tool_definitions("lenient", has_context=False, has_audits=has_audits),
        AuditOptions(None, folder, 5) if has_audits else None,
    )


def _opening(*, can_elicit: bool) -> Message:
    opening = initialize()
    opening["params"]["capabilities"] = {"elicitation": {}} if can_elicit else {"sampling": {}}
    return opening


def _events(folder: Path) -> list[tuple[str, str | None]]:
    """Return type and error of each event of the only journal."""
    return [(event["type"], event.get("error")) for event in events(journals(folder)[0])]


@pytest.mark.parametrize(
    ("options", "can_elicit", "thoughts", "is_expected"),
    [
        ({"has_audits": True}, False, 0, True),
        ({"max_thoughts": 5}, True, 1, True),
        ({"max_thoughts": 5}, True, 0, True),
        ({"max_thoughts": 8}, True, 0, False),
        ({"max_thoughts": 8}, True, 1, True),
        ({"max_thoughts": 5}, False, 1, False),
        ({"max_thoughts": 50}, True, 1, False),
        ({}, True, 3, False),
    ],
    ids=["audits", "limit is near", "near at once", "no call yet", "nearer", "no form", "limit is far", "plain"],
)
def test_loading_begins_in_idle_time_only_where_a_call_may_soon_need_it(
    options: dict[str, Any],
    can_elicit: bool,
    thoughts: int,
    is_expected: bool,
    pipes: Pipes,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_server, "_IDLE_MILLISECONDS", 0)
    loading = Noted(pipes)
    client = threading.Thread(target=_talk, args=(pipes, can_elicit, thoughts, is_expected))
    client.start()
    outcome = FastServer(_setup(pipes, tmp_path, **options), loading).serve()
    client.join()

    assert outcome == "eof"
    assert loading.is_begun is is_expected


def _talk(pipes: Pipes, can_elicit: bool, thoughts: int, is_expected: bool) -> None:
    """Send one message after another, each after the answer to the one before; leave if the server does not."""
    pipes.send(_opening(can_elicit=can_elicit))
    pipes.receive()
    for number in range(1, thoughts + 1):
        if not pipes.send(call(thought(str(number), number), number)):
            return  # the loading has begun before, which ends the session
        pipes.receive()
    if not is_expected:
        for _ in range(3):
            pipes.send(request("ping"))
            pipes.receive()
        pipes.hang_up()


def test_messages_are_answered_while_something_is_loaded(pipes: Pipes, tmp_path: Path) -> None:
    answers: list[Message] = []

    def load() -> str:
        pipes.receive()  # the answer to the handshake
        for number in (1, 2, 3):
            pipes.send(request("ping", number=number))
            answers.append(pipes.receive())
        pipes.hang_up()
        return "loaded"

    loading = IdleLoading(load)
    pipes.send(initialize())
    outcome = FastServer(_setup(pipes, tmp_path, has_audits=True), loading).serve()

    assert outcome == "eof"
    assert loading.finish(_always) == "loaded"
    assert [answer["id"] for answer in answers] == [1, 2, 3]


def test_what_failed_in_idle_time_is_tried_again_when_it_is_needed(
    pipes: Pipes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts: list[str] = []
    answers: list[Message] = []

    def fail(_setup: ServerSetup) -> None:
        attempts.append(threading.current_thread().name)
        if len(attempts) == 1:
            pipes.send(request("ping"), call(thought(CODE), "coded"))
            raise MemoryError
        raise ImportError("no SDK here")

    def read() -> None:
        """Leave with the last answer, whatever it is: a server that does not try again must not be waited for."""
        try:
            answers.extend(pipes.receive() for _ in range(3))
        finally:
            pipes.hang_up()

    monkeypatch.setattr(server, "_prepare_sdk", fail)
    pipes.send(initialize())
    setup = _setup(pipes, tmp_path, has_audits=True)
    client = threading.Thread(target=read)
    client.start()
    server.run(setup, use_fast_path=True)
    client.join()

    assert attempts == ["idle loading"] * 2
    _, ping, audited = answers
    assert ping["result"] == {}
    problem = "the MCP SDK could not be loaded: ImportError: no SDK here"
    assert audited["result"]["structuredContent"]["auditError"] == f"not audited: {problem}"
    assert _events(tmp_path)[-2:] == [("audit", f"not audited: {problem}"), ("end", None)]


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return the names of two modules that nothing has loaded."""
    names = f"idle_a_{os.getpid()}_{tmp_path.name}", f"idle_b_{os.getpid()}_{tmp_path.name}"
    for name in names:
        (tmp_path / f"{name}.py").write_text("", "utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return names


def test_abandoned_loading_ends_at_the_next_module(modules: tuple[str, str]) -> None:
    loading = IdleLoading(lambda: importlib.import_module(modules[0]))
    loading.abandon(0)
    loading.begin()

    with pytest.raises(LoadingFailedError):
        loading.finish(_always)
    assert modules[0] not in sys.modules
    assert loading not in sys.meta_path


def test_others_import_what_they_want_while_loading_stands_back(modules: tuple[str, str]) -> None:
    here, there = modules
    begun, may_end = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        assert may_end.wait(TIMEOUT_SECONDS)
        return importlib.import_module(there).__name__

    loading = IdleLoading(work)
    loading.begin()
    assert begun.wait(TIMEOUT_SECONDS)
    loading.stand_back()
    importlib.import_module(here)
    may_end.set()

    assert here in sys.modules
    assert loading.finish(_always) == there
    assert loading not in sys.meta_path


def test_a_first_audited_call_after_idle_time_meets_what_was_loaded() -> None:
    with start(environ=AUDITS) as wire:
        wire.handshake()
        wait_for_the_sdk(wire.pid)
        listed = wire.ask("tools/list")
        audited = wire.call(thought(CODE))

    assert listed["result"]["tools"]
    assert audited["structuredContent"]["gan"]["verdict"] == "pass"


def test_a_client_that_leaves_while_something_is_loaded_gets_a_clean_end(seqthink_home: Path) -> None:
    with start(environ=AUDITS, keep_stderr=True) as wire:
        wire.handshake()
        wait_for_the_sdk(wire.pid)
        wire.hang_up()

        assert wire.rest() == []
        assert wire.status() == 0
        assert wire.stderr is not None
        with os.fdopen(os.dup(wire.stderr), encoding="utf-8") as stderr:
            assert "Traceback" not in stderr.read()
    assert [events(path) for path in journals(seqthink_home / "sessions")] == []


def test_a_thought_without_code_is_answered_without_the_sdk() -> None:
    with start(environ=AUDITS) as wire:
        wire.send_bytes(lines(initialize(), call(thought("No code here"), "plain")))
        wire.receive()
        answer = wire.receive()
        maps = process_file(wire.pid, "maps").read_bytes()

        assert answer["id"] == "plain"
        assert "gan" not in answer["result"]["structuredContent"]
    assert b"pydantic" not in maps


BROKEN = {
    "half installed": "raise ImportError('half installed')",
    "missing": "import a_package_that_is_missing",
    "memory": "raise MemoryError",
    "exit": "raise SystemExit(3)",
    "interrupt": "raise KeyboardInterrupt",
    "odd": "class Odd(BaseException): pass\nraise Odd",
    "syntax": "def broken(:",
    "hostile": "raise ImportError('\\n\\x1b[2Jtwo lines\\n' * 999)",
}
IDLE_OR_NOT = [True, False]


@pytest.mark.parametrize(
    ("name", "is_idle"),
    first(
        2,
        sized([*zip([*BROKEN][::2], cycle(IDLE_OR_NOT), strict=False)], [*product(BROKEN, IDLE_OR_NOT)]),
        is_unpacked=True,
    ),
)
def test_a_server_whose_sdk_is_broken_goes_on(name: str, is_idle: bool, tmp_path: Path, seqthink_home: Path) -> None:
    with start(environ=AUDITS, keep_stderr=True, program=_broken(tmp_path, BROKEN[name])) as wire:
        wire.handshake()
        if is_idle:
            _wait_until(tmp_path / "begun")
        audited = wire.call(thought(CODE, 1))
        unknown = wire.ask("resources/list")
        plain = wire.call(thought("No code here", 2))
        wire.hang_up()

        assert wire.rest() == []
        assert wire.status() == 0
        said = _stderr(wire)
    assert audited["structuredContent"]["auditError"].startswith("not audited: the MCP SDK could not be loaded: ")
    assert unknown["error"]["code"] == -32603
    assert "the MCP SDK could not be loaded" in unknown["error"]["message"]
    assert "auditError" not in plain["structuredContent"]
    kinds = [event["type"] for event in events(journals(seqthink_home / "sessions")[0])]
    assert kinds == ["session", "thought", "audit", "thought", "end"]
    assert said.count("the MCP SDK could not be loaded") == 1
    assert "Traceback" not in said
    assert "\x1b" not in said


def test_a_broken_sdk_ends_a_server_that_must_have_it_with_one_line(tmp_path: Path) -> None:
    with start("--no-front", keep_stderr=True, program=_broken(tmp_path, "raise SystemExit(3)")) as wire:
        assert wire.rest() == []
        assert wire.status() == 1
        assert _stderr(wire).splitlines() == ["seqthink: the MCP SDK could not be loaded: SystemExit: 3"]


@pytest.mark.parametrize(
    "source", first(1, ["import threading\nthreading.Event().wait()", "while True: pass"]), ids=["waits", "spins"]
)
@pytest.mark.parametrize("end", first(1, ["leaves", "signal"]))
def test_a_module_that_never_loads_keeps_no_server(source: str, end: str, tmp_path: Path, seqthink_home: Path) -> None:
    with start(environ=AUDITS, program=_broken(tmp_path, source)) as wire:
        wire.handshake()
        plain = wire.call(thought("No code here"))
        _wait_until(tmp_path / "begun")
        ping = wire.ask("ping")
        if end == "leaves":
            wire.hang_up()
        else:
            os.kill(wire.pid, signal.SIGTERM)

        assert wire.rest() == []
        assert wire.status() == 0
    assert ping["result"] == {}
    assert plain["structuredContent"]["thoughtNumber"] == 1
    kinds = [(event["type"], event.get("reason")) for event in events(journals(seqthink_home / "sessions")[0])]
    assert kinds[1:] == [("thought", None), ("end", "eof" if end == "leaves" else "signal")]


@pytest.mark.parametrize("end", ["leaves", "signal"])
def test_a_call_that_waits_for_a_module_that_never_loads_is_journaled_and_answered(
    end: str, pipes: Pipes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    never, setup = threading.Event(), _setup(pipes, tmp_path, has_audits=True)

    def hang(_setup: ServerSetup) -> None:
        if end == "signal":
            setup.signals.has_arrived = True
        never.wait()

    monkeypatch.setattr(server, "_prepare_sdk", hang)
    monkeypatch.setattr(server, "_LOADING_SECONDS" if end == "leaves" else "_LOADING_SECONDS_AFTER_SIGNAL", 0.0)
    monkeypatch.setattr(server, "_ABANDONED_SECONDS", 0.0)
    pipes.send(initialize(), call(thought(CODE), "coded"))
    pipes.hang_up()
    server.run(setup, use_fast_path=True)
    never.set()

    answer = pipes.receive_all()[-1]
    problem = "not audited: the MCP SDK could not be loaded: it takes too long"
    assert (answer["id"], answer["result"]["structuredContent"]["auditError"]) == ("coded", problem)
    assert _events(tmp_path)[1:] == [("thought", None), ("audit", problem), ("end", None)]
    assert events(journals(tmp_path)[0])[-1]["reason"] == ("eof" if end == "leaves" else "signal")


def _broken(folder: Path, source: str) -> list[str]:
    """Return a server's program in which the SDK's types are ``source``, after a note that loading has begun."""
    begun = f"import pathlib\npathlib.Path({str(folder / 'begun')!r}).touch()\n"
    (folder / "mcp_types.py").write_text(f"{begun}exec({source!r})\n", "utf-8")
    path = f"import sys; sys.path.insert(0, {str(folder)!r})"
    return [
        sys.executable,
        "-c",
        f"{path}; from seqthink.__main__ import main; sys.exit(main(['serve', *sys.argv[1:]]))",
    ]


def _wait_until(path: Path) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.005)  # noqa: TID251 - looks again at what another process does


def _stderr(wire: Wire) -> str:
    assert wire.stderr is not None
    with os.fdopen(os.dup(wire.stderr), encoding="utf-8") as stderr:
        return stderr.read()
