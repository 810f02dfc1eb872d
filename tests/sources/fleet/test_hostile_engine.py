"""Engines that are none, and engines that answer nonsense or too much: a sentence each time, and no memory."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import repeat

import pytest

from seqthink.core.errors import SeqthinkError
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.cards import Card
from seqthink.sources.fleet.engine import FleetEngine, OriginEngine, SentNote, Shipment
from seqthink.sources.fleet.failures import EngineRefusedError, EngineUnavailableError
from seqthink.sources.fleet.layout import SessionName
from seqthink.sources.fleet.opening import open_origin, open_reader
from seqthink.sources.fleet.redis import wire
from tests.support.depth import first
from tests.support.fleet.redis_server import free_port
from tests.support.fleet.scripted_engine import GREETING, ScriptedEngine

ONE = SessionName("build17-abcdef", "one")
NOTE = SentNote("", "one", "0" * 16, "2026-01-01T00:00:00Z", "hello", "me", "")

ORIGIN_CALLS: list[Callable[[OriginEngine], object]] = [
    lambda side: side.append([Shipment("one", 1, [b"1"])]),
    lambda side: side.states(["one"]),
    lambda side: side.line("one", 1),
    lambda side: side.put_cards({"one": Card()}),
    lambda side: side.beat(["one"], ["two"]),
    lambda side: side.leave(),
    lambda side: side.forget(["one"]),
    lambda side: side.notes("0-0", 0.01),
    lambda side: side.trim("one", 5),
]
READER_CALLS: list[Callable[[FleetEngine], object]] = [
    lambda side: side.listed(5),
    lambda side: side.cards([ONE]),
    lambda side: side.lives([ONE]),
    lambda side: side.states([ONE]),
    lambda side: side.lines(ONE, 0, 1000),
    lambda side: side.ending(ONE, 5),
    lambda side: side.wait({ONE: 0}, 0.01),
    lambda side: side.news("$", 0.01),
    lambda side: side.send_note(ONE, NOTE),
    lambda side: side.tidy(),
]


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for a silent engine gives up soon."""
    monkeypatch.setattr(wire, "ANSWER_SECONDS", 0.2)
    monkeypatch.setattr(wire, "CONNECT_SECONDS", 0.2)


def failure_with(engine: ScriptedEngine) -> SeqthinkError:
    """Return what a reader says who asks an engine for the list."""
    with engine.running() as port:
        reader = open_reader(parse_address(f"redis://127.0.0.1:{port}"), {})
        with pytest.raises(SeqthinkError) as caught:
            reader.listed(5)
        reader.close()
    return caught.value


def greeted(version: str = "7.0.15", mode: str = "standalone") -> bytes:
    mode_part = b"$%d\r\n%s\r\n" % (len(mode), mode.encode())
    version_part = b"$%d\r\n%s\r\n" % (len(version), version.encode())
    return GREETING.replace(b"$6\r\n7.0.15\r\n", version_part).replace(b"$10\r\nstandalone\r\n", mode_part)


@pytest.mark.parametrize(
    "hello",
    [
        [b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"],
        [b"SSH-2.0-OpenSSH_9.2p1\r\n"],
        [bytes(range(255, 0, -1))],
        [b"\x15\x03\x03\x00\x02\x02\x0a"],
        [b"*99999999999999\r\n"],
        [b"*2147483647\r\n"],
        [b"*1\r\n*100000000\r\n"],
        [b"+OK\r\n"],
        [b":1\r\n"],
        [b"$-1\r\n"],
        [b"*0\r\n"],
        [b"%1\r\n+server\r\n+redis\r\n"],
        [b"#t\r\n"],
        [b"-what\r\n"],
        [b"$9999999999999999999999\r\n"],
        [b"*x\r\n"],
    ],
)
def test_another_program_is_no_redis(hello: list[bytes]) -> None:
    failure = failure_with(ScriptedEngine(lambda _: [], hello))

    assert isinstance(failure, EngineRefusedError)
    assert str(failure).startswith("there is no Redis at this address")


@pytest.mark.parametrize(
    ("hello", "kind", "sentence"),
    [
        (b"-NOAUTH HELLO must be called with the client already authenticated\r\n", EngineRefusedError, "wants a pass"),
        (b"-DENIED Redis is running in protected mode\r\n", EngineRefusedError, "protected mode"),
        (b"-NOPERM this user has no permissions\r\n", EngineRefusedError, "lacks a permission"),
        (b"-ERR unknown command `HELLO`, with args beginning with: \r\n", EngineRefusedError, "too old"),
        (greeted("6.0.16"), EngineRefusedError, "too old"),
        (greeted("5"), EngineRefusedError, "too old"),
        (greeted(mode="cluster"), EngineRefusedError, r"redis\+cluster://"),
        (greeted(mode="sentinel"), EngineRefusedError, r"redis\+sentinel://"),
        (b"-LOADING Redis is loading the dataset in memory\r\n", EngineUnavailableError, "still loading"),
        (b"-ERR max number of clients reached\r\n", EngineUnavailableError, "too many connections"),
        (b"-MASTERDOWN Link with MASTER is down\r\n", EngineUnavailableError, "lost its primary"),
    ],
)
def test_an_engine_that_does_not_serve_us_says_why(hello: bytes, kind: type[SeqthinkError], sentence: str) -> None:
    failure = failure_with(ScriptedEngine(lambda _: [], [hello]))

    assert isinstance(failure, kind)
    with pytest.raises(kind, match=sentence):
        raise failure


@pytest.mark.parametrize(
    ("reply", "kind", "sentence"),
    [
        (b"-READONLY You can't write against a read only replica.\r\n", EngineUnavailableError, "is a replica now"),
        (b"-CLUSTERDOWN The cluster is down\r\n", EngineUnavailableError, "cluster is down"),
        (b"-TRYAGAIN Multiple keys request during rehashing of slot\r\n", EngineUnavailableError, "moving these keys"),
        (b"-BUSY Redis is busy running a script\r\n", EngineUnavailableError, "busy with a script"),
        (b"-OOM command not allowed when used memory > 'maxmemory'.\r\n", EngineUnavailableError, "memory is full"),
        (
            b"-ERR Error running script (call to f_1): @user_script:8: OOM command not allowed\r\n",
            EngineUnavailableError,
            "memory is full",
        ),
        (b"-MISCONF Redis is configured to save RDB snapshots\r\n", EngineUnavailableError, "write to its disk"),
        (b"-MOVED 5 10.0.0.1:6379\r\n", EngineUnavailableError, "between nodes"),
        (b"-CROSSSLOT Keys in request don't hash to the same slot\r\n", EngineRefusedError, "is a cluster"),
        (b"-NOPERM No permissions to access a key\r\n", EngineRefusedError, "lacks a permission"),
        (b"-ERR unknown command 'ZREVRANGE'\r\n", EngineRefusedError, "too old"),
        (b"-\x1b[31mnonsense\x07\r\n", EngineUnavailableError, "answered with an error"),
    ],
)
def test_an_error_is_a_sentence(reply: bytes, kind: type[SeqthinkError], sentence: str) -> None:
    failure = failure_with(ScriptedEngine(lambda _: [reply]))

    assert str(failure).isprintable()
    with pytest.raises(kind, match=sentence):
        raise failure


@pytest.mark.slow  # a connection for each answer
def test_a_silent_engine_is_not_waited_for(soon: None) -> None:  # noqa: ARG001 - a fixture
    assert "in time" in str(failure_with(ScriptedEngine(lambda _: [], [])))
    assert "in time" in str(failure_with(ScriptedEngine(lambda _: [])))
    assert "in time" in str(failure_with(ScriptedEngine(lambda _: [b"*5\r\n"])))
    assert "in time" in str(failure_with(ScriptedEngine(lambda _: [], [b"*14\r\n" + b"*1\r\n" * 1000])))


def test_an_engine_that_hangs_up_or_is_not_there_is_unavailable() -> None:
    assert isinstance(failure_with(ScriptedEngine(lambda _: [b""])), EngineUnavailableError)
    assert isinstance(failure_with(ScriptedEngine(lambda _: [], [b""])), EngineUnavailableError)
    for host in (f"127.0.0.1:{free_port()}", "no-such-host.invalid"):
        with pytest.raises(EngineUnavailableError):
            open_reader(parse_address(f"redis://{host}"), {}).listed(5)
    with pytest.raises(EngineUnavailableError, match="No such file"):
        open_reader(parse_address("unix:///no/such/socket"), {}).listed(5)


def endless(begin: bytes, more: bytes) -> Iterator[bytes]:
    yield begin
    yield from repeat(more * 1000)


ENDLESS = [
    (b"-ERR ", b"x" * 60),
    (b"+", b"x" * 60),
    (b"$1000000000\r\n", b"x" * 60),
    (b"*9000000\r\n", b"*0\r\n" * 20),
    (b"*9000000\r\n", b"*1\r\n:1\r\n" * 10),
    (b"*2\r\n$1000000000\r\n", b"y" * 60),
    (b"*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nl\r\n$260000000\r\n", b"*0\r\n" * 20),
    (b"*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nl\r\n$999999999\r\n", b"z" * 60),
    (b"*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nx\r\n$999999999\r\n", b"z" * 60),
    (b"%9000000\r\n", b"$1\r\nx\r\n" * 10),
    (b"*9000000\r\n", b"$-1\r\n" * 10),
]


@pytest.mark.parametrize(("begin", "more"), ENDLESS)
def test_an_endless_answer_to_a_list_is_not_read(begin: bytes, more: bytes) -> None:
    assert failure_with(ScriptedEngine(lambda _: endless(begin, more)))


NONSENSE = [
    b":5\r\n",
    b":-1\r\n",
    b":99999999999999999999\r\n",
    b"+OK\r\n",
    b"$-1\r\n",
    b"$3\r\nabc\r\n",
    b"*-1\r\n",
    b"*0\r\n",
    b"*1\r\n:1\r\n",
    b"*1\r\n$1\r\na\r\n",
    b"*2\r\n$1\r\na\r\n$3\r\ninf\r\n",
    b"*2\r\n$7\r\nbox one\r\n$4\r\n-inf\r\n",
    b"*2\r\n$7\r\nbox one\r\n$3\r\nnan\r\n",
    b"*2\r\n$9\r\n../.. one\r\n$1\r\n5\r\n",
    b"*3\r\n*0\r\n*0\r\n*0\r\n",
    b"*1\r\n*2\r\n$3\r\n9-9\r\n*0\r\n",
    b"*1\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nl\r\n$1\r\n\n\r\n",
    b"*1\r\n*2\r\n$3\r\n0-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n",
    b"*1\r\n*2\r\n$3\r\n5-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n",
    b"*1\r\n*2\r\n$21\r\n99999999999999999999-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n",
    b"*1\r\n*2\r\n$4\r\nnews\r\n*1\r\n*2\r\n$3\r\n1-1\r\n*2\r\n$1\r\no\r\n$2\r\n\xff\xfe\r\n",
    b"*2\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n*2\r\n$3\r\n1-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n",
    b"-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
    b"-NOSCRIPT No matching script\r\n",
    b"-UNBLOCKED client unblocked\r\n",
    b"-\r\n",
    b"- \r\n",
    b"_\r\n",
    b",1.5\r\n",
    b",nan\r\n",
    b"#t\r\n",
    b"(99999999999999999999999\r\n",
    b"%1\r\n$1\r\na\r\n$1\r\nb\r\n",
    b"%1\r\n*0\r\n$1\r\nb\r\n",
    b"~1\r\n*0\r\n",
    b">2\r\n$7\r\nmessage\r\n$1\r\nx\r\n",
    b"=7\r\ntxt:abc\r\n",
    b"!3\r\nERR\r\n",
]


@pytest.mark.slow  # a connection for each answer
@pytest.mark.parametrize("reply", first(6, NONSENSE))
def test_no_call_fails_on_nonsense_but_with_a_sentence(reply: bytes, soon: None) -> None:  # noqa: ARG001 - a fixture
    with ScriptedEngine(lambda _: [reply]).running() as port:
        address = parse_address(f"redis://127.0.0.1:{port}")
        for call in ORIGIN_CALLS:
            side = open_origin(address, ONE.origin, {})
            with suppress(SeqthinkError):
                call(side)
            side.close()
        for reading in READER_CALLS:
            reader = open_reader(address, {})
            with suppress(SeqthinkError):
                reading(reader)
            reader.close()


def test_lines_of_a_hostile_engine_are_in_order() -> None:
    twice = b"*2\r\n" + b"*2\r\n$3\r\n5-0\r\n*2\r\n$1\r\nl\r\n$1\r\nx\r\n" * 2
    with ScriptedEngine(lambda _: [twice]).running() as port:
        reader = open_reader(parse_address(f"redis://127.0.0.1:{port}"), {})
        with pytest.raises(EngineUnavailableError, match="other lines"):
            reader.lines(ONE, 0, 1000)
        with pytest.raises(EngineUnavailableError, match="other lines"):
            reader.lines(ONE, 7, 1000)
        reader.close()


_PROGRAM = """
import sys
from seqthink.core.errors import SeqthinkError
from tests.sources.fleet import test_hostile_engine as table
from seqthink.sources.fleet.address import parse_address
from seqthink.sources.fleet.opening import open_origin, open_reader

def peak():
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

address = parse_address(sys.argv[1])
open_reader(address, {}).close()
before = peak()
for calls, opened in ((table.ORIGIN_CALLS[2:8:5], lambda: open_origin(address, table.ONE.origin, {})),
                      ([table.READER_CALLS[at] for at in (0, 1, 4)], lambda: open_reader(address, {}))):
    for call in calls:
        side = opened()
        try:
            call(side)
        except SeqthinkError:
            pass
        side.close()
print((peak() - before) // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process's memory is read from /proc")
@pytest.mark.parametrize(("begin", "more"), first(1, [ENDLESS[place] for place in (2, 4, 6, 7, 10)], is_unpacked=True))
def test_an_answer_of_a_gigabyte_is_never_held(begin: bytes, more: bytes) -> None:
    with ScriptedEngine(lambda _: endless(begin, more)).running() as port:
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, f"redis://127.0.0.1:{port}"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    assert not done.stderr
    # A line may have 256 MiB, and is there twice while it is taken out of the reply.
    assert int(done.stdout) < 600, "MiB above what the program itself takes"
