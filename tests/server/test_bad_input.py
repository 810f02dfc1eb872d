"""Whatever a client sends and whenever it leaves, both server paths answer alike, lose nothing, and end with it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from seqthink.server.wire.stdio import MAX_UNSENT_BYTES
from tests.support.depth import first, sized
from tests.support.proc import process_file
from tests.support.servers.client_scripts import (
    ANSWERED,
    CLIENT_SCRIPTS,
    MANY_THOUGHTS,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    PING,
    PONG,
    REFUSED,
    ClientScript,
    raw,
    think,
)
from tests.support.servers.server_paths import (
    FAST_PATH,
    SDK_PATH,
    SERVER_PATHS,
    Traffic,
    assert_clean_exit,
    comparable,
    exchange,
    initialize,
    lines,
    request,
)
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import Message, Wire, events, journals, start

HUGE = sized(17_000_000, 50_000_000)
"""Longer than a thought may be."""

OUT_OF_ORDER = ("malformed JSON", "a cancelled call,")
"""What the SDK path answers in another order, or not at all, as `tests.support.servers.server_paths` has it."""


@pytest.fixture(params=SERVER_PATHS)
def server_path(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return SERVER_PATHS[request.param]


@pytest.mark.parametrize("name", first(10, CLIENT_SCRIPTS))
def test_both_server_paths_answer_a_client_script_alike(name: str, warm: WarmServer, tmp_path: Path) -> None:
    said, answers = CLIENT_SCRIPTS[name]
    fast, sdk = both(said, tmp_path, warm)

    assert [came(answer) for answer in fast.answers] == answers
    assert name.startswith(OUT_OF_ORDER) or [came(answer) for answer in sdk.answers] == answers
    assert thoughts(fast.journal) == max([0, *(count for _, count in answers if isinstance(count, int))])


LONG: dict[str, Callable[[], ClientScript]] = {
    "a call": lambda: ClientScript(lines(huge(), PING), [(1, REFUSED), PONG]),
    "a ping": lambda: ClientScript(lines(request("ping", {"x": "x" * HUGE}), PING), [(1, ANSWERED), PONG]),
    "an id": lambda: ClientScript(lines(request("ping", number="x" * HUGE), PING), [("x" * HUGE, ANSWERED), PONG]),
    "a request for the SDK": lambda: ClientScript(
        lines(request("resources/list", {"x": "x" * HUGE}), PING), [(1, METHOD_NOT_FOUND), PONG]
    ),
    "a broken call": lambda: ClientScript(lines(huge()[:-1], PING), [(1, PARSE_ERROR), PONG]),
    "brackets": lambda: ClientScript(lines(b"[" * HUGE, PING), [PONG]),
    "blanks": lambda: ClientScript(lines(b" " * HUGE, PING), [PONG]),
    "a call without its newline": lambda: ClientScript(huge(), [(1, REFUSED)]),
    "half a call": lambda: ClientScript(huge()[: HUGE // 2], [(1, PARSE_ERROR)]),
    "no call and no newline": lambda: ClientScript(b"x" * HUGE, []),
}


@pytest.mark.parametrize(
    "name", first(2, sized(["a call", "a request for the SDK", "brackets", "half a call"], list(LONG)))
)
def test_both_server_paths_handle_a_very_long_line_alike(name: str, warm: WarmServer, tmp_path: Path) -> None:
    said, answers = LONG[name]()
    fast, sdk = both(said, tmp_path, warm)

    assert [came(answer) for answer in fast.answers] == answers
    assert [came(answer) for answer in sdk.answers] == answers


@pytest.mark.parametrize("is_stateless", first(1, [False, True]), ids=["handshake", "stateless"])
def test_a_client_may_send_thousands_of_calls_before_it_reads_an_answer(
    is_stateless: bool, server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(server_path, warm, tmp_path) as wire:
        wire.send_unread(many(is_stateless=is_stateless))
        wire.hang_up()
        answers = wire.rest()
        assert_clean_exit(wire, tmp_path)

    assert [came(answer) for answer in answers] == [(number, number + 1) for number in range(MANY_THOUGHTS)]
    assert texts(tmp_path) == [str(number) for number in range(MANY_THOUGHTS)]


@pytest.mark.parametrize(
    "message",
    first(2, [initialize(), b'{"jsonrpc":"2.0","id":0,', request("no/such", number=0), request("ping", [], number=0)]),
    ids=["handshakes", "broken lines", "unknown methods", "bad parameters"],
)
def test_a_client_may_send_thousands_of_messages_of_any_kind_before_it_reads_an_answer(
    message: Message | bytes, server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(server_path, warm, tmp_path) as wire:
        wire.send_unread(lines(*[message] * MANY_THOUGHTS))
        wire.hang_up()
        answers = wire.rest()
        assert_clean_exit(wire, tmp_path)

    assert [answer["id"] for answer in answers] == [0] * MANY_THOUGHTS


@pytest.mark.parametrize("closes_stdout", first(1, [False, True]))
def test_a_client_that_never_reads_and_leaves_has_its_thousands_of_calls_journaled(
    closes_stdout: bool, server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(server_path, warm, tmp_path) as wire:
        wire.send_unread(many())
        if closes_stdout:
            wire.close_stdout()
        wire.hang_up()
        assert_clean_exit(wire, tmp_path)

    assert texts(tmp_path) == [str(number) for number in range(MANY_THOUGHTS)]


@pytest.mark.parametrize("server_path", first(1, SERVER_PATHS), indirect=True)
def test_output_that_waits_for_a_client_that_does_not_read_is_bounded(
    server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    """It may not even hold what was asked: then the client's next requests wait, and all are answered when it reads."""
    ids = long_ids()
    with quiet(server_path, warm, tmp_path) as wire:
        wire.ask("ping")
        before = memory(wire.pid)
        rest = wire.send_while_it_reads(lines(*(request("ping", number=one) for one in ids)))
        held = memory(wire.pid) - before
        wire.send_bytes(rest)
        wire.hang_up()
        answers = wire.rest()
        assert_clean_exit(wire, tmp_path)

    assert rest
    assert held < 3 * MAX_UNSENT_BYTES
    assert [answer["id"] for answer in answers] == ids


@pytest.mark.parametrize("server_path", first(1, SERVER_PATHS), indirect=True)
def test_a_client_that_leaves_with_too_many_answers_unread_is_not_waited_for(
    server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(server_path, warm, tmp_path) as wire:
        assert wire.send_while_it_reads(lines(*(request("ping", number=one) for one in long_ids())))
        wire.hang_up()
        assert_clean_exit(wire, tmp_path)


def both(said: bytes, folder: Path, warm: WarmServer) -> tuple[Traffic, Traffic]:
    """Return what came of ``said`` on each server path; apart from permitted differences it is the same."""
    fast, sdk = exchange(FAST_PATH, said, folder / "fast", warm), exchange(SDK_PATH, said, folder / "sdk", warm)
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal
    return fast, sdk


def came(answer: Message) -> tuple[int | str, int | str]:
    """Return an answer's id, and what came."""
    if "error" in answer:
        return answer["id"], answer["error"]["code"]
    result = answer["result"]
    counted: Any = result.get("structuredContent", {}).get("thoughtHistoryLength", ANSWERED)
    return answer["id"], REFUSED if result.get("isError") else counted


def huge() -> bytes:
    return raw(think(1, "x" * HUGE))


def long_ids() -> list[str]:
    """Return ids whose answers are four times what may wait."""
    return [f"{number} {'x' * (1 << 16)}" for number in range(MAX_UNSENT_BYTES >> 14)]


def many(*, is_stateless: bool = False) -> bytes:
    return lines(*(think(number, str(number), is_stateless=is_stateless) for number in range(MANY_THOUGHTS)))


def quiet(server_path: tuple[str, ...], warm: WarmServer, folder: Path) -> Wire:
    environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder)}
    return start(*server_path, warm=warm, environ=environ, keep_stderr=True)


def texts(folder: Path) -> list[str]:
    return [event["thought"] for event in events(journals(folder)[0]) if event["type"] == "thought"]


def thoughts(journal: Sequence[Message]) -> int:
    return sum(event["type"] == "thought" for event in journal)


def memory(pid: int) -> int:
    """Return how many bytes the process has held at most."""
    status = process_file(pid, "status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
