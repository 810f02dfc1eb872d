"""Whatever a client sends, and whenever it leaves: both lanes answer alike, lose nothing, and leave when it does."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from seqthink.server.wire import MAX_UNSENT
from tests.lanes import (
    FRONT,
    LANES,
    SDK,
    Traffic,
    assert_it_left_well,
    call,
    comparable,
    initialize,
    lines,
    play,
    request,
)
from tests.warm_server import WarmServer
from tests.wire import ENVELOPE, Message, Wire, events, journals, start, thought

ANSWERED = "answered"
REFUSED = "refused"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION = -32022

MANY = 10_000
HUGE = 50_000_000


class Talk(NamedTuple):
    """What a client says before it leaves, and each answer's id and what came: a thought's count, a code, a word."""

    said: bytes
    answers: Sequence[tuple[int | str, int | str]]


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmServer]:
    with WarmServer() as server:
        yield server


@pytest.fixture(params=LANES)
def lane(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return LANES[request.param]


def think(number: object = 1, text: str = "t", *, is_modern: bool = False, **more: object) -> Message:
    return call(thought(text), number, is_modern=is_modern, **more)


def note(method: str, params: object) -> Message:
    return {"jsonrpc": "2.0", "method": f"notifications/{method}", "params": params}


def raw(message: Message) -> bytes:
    return json.dumps(message).encode()


def handshake(version: object) -> Message:
    opening = initialize()
    opening["params"]["protocolVersion"] = version
    return opening


PING = request("ping", number="p")
PONG = ("p", ANSWERED)
WRONG_IDS: list[Any] = [None, 1.5, 1.0, True, [], [1], {}]
HUGE_ID = 10**4000
DEEP: Any = json.loads("[" * 900 + "]" * 900)


def in_either_era(*, is_modern: bool) -> dict[str, Talk]:
    """Return the talks that go alike in both eras."""
    envelope: Message = ENVELOPE if is_modern else {}
    meta: Message = {"_meta": envelope} if is_modern else {}
    first, second = think(1, is_modern=is_modern), think(2, is_modern=is_modern)
    odd = request("resources/list", meta, "odd")
    return {
        "malformed JSON": Talk(
            lines(first, raw(first)[:-3], b"{", raw(first) + b"}", raw(first).replace(b'"t"', b"Infinity"), second),
            [(1, 1), (1, PARSE_ERROR), (1, PARSE_ERROR), (1, PARSE_ERROR), (2, 2)],
        ),
        "two messages on a line": Talk(lines(raw(first) + b" " + raw(second), PING), [(1, PARSE_ERROR), PONG]),
        "bytes that are no UTF-8": Talk(lines(raw(first).replace(b'"t"', b'"\xff\xed\xa0\x80"')), [(1, 1)]),
        "a byte order mark, a carriage return": Talk(
            lines(b"\xef\xbb\xbf" + raw(first), raw(second) + b"\r"), [(2, 1)]
        ),
        "a lone surrogate as id": Talk(
            lines(think("\ud800", is_modern=is_modern), second), [("\ud800", INVALID_REQUEST), (2, 1)]
        ),
        "a lone surrogate as method": Talk(
            lines(request("\udc00", meta), first | {"method": "tools/call\ud800"}, second),
            [(1, INVALID_REQUEST), (1, INVALID_REQUEST), (2, 1)],
        ),
        "lone surrogates in a thought": Talk(
            lines(call(thought("\ud800", branchId="\udfff", branchFromThought=1), 1, **meta)), [(1, 1)]
        ),
        "a lone surrogate as key": Talk(
            lines(
                call(thought() | {"\ud800": 1}, 1, **meta),
                request("tools/call", {**second["params"], "\ud800": 1}, 2),
                call(thought(), 3, _meta={**envelope, "\ud800": 1}),
            ),
            [(1, 1), (2, 2), (3, INVALID_PARAMS)],
        ),
        "a lone surrogate as tool": Talk(
            lines(request("tools/call", {"name": "no\ud800", "arguments": {}, **meta})), [(1, REFUSED)]
        ),
        "batches": Talk(lines(b"[]", b"[" + raw(first) + b"," + raw(second) + b"]", second), [(2, 1)]),
        "wrong ids": Talk(lines(*(think(one, is_modern=is_modern) for one in WRONG_IDS), second), [(2, 1)]),
        "odd ids": Talk(
            lines(*(think(one, is_modern=is_modern) for one in (HUGE_ID, -HUGE_ID, "", 0, -1, "1", "\x00"))),
            [(HUGE_ID, 1), (-HUGE_ID, 2), ("", 3), (0, 4), (-1, 5), ("1", 6), ("\x00", 7)],
        ),
        "an id of too many digits": Talk(lines(raw(first).replace(b"1,", b"1" * 5000 + b",", 1), second), [(2, 1)]),
        "the same id twice": Talk(lines(first, first, odd, first), [(1, 1), (1, 2), ("odd", METHOD_NOT_FOUND), (1, 3)]),
        "calls in flight at the end": Talk(lines(first, odd, second), [(1, 1), ("odd", METHOD_NOT_FOUND), (2, 2)]),
        "a last line without its newline": Talk(lines(first) + raw(second), [(1, 1), (2, 2)]),
        "half a line at the end": Talk(lines(first) + raw(second)[:120], [(1, 1), (2, PARSE_ERROR)]),
        "half a character at the end": Talk(lines(first) + "思".encode()[:2], [(1, 1)]),
        "a task": Talk(lines(think(1, is_modern=is_modern, task={"ttl": 60_000})), [(1, 1)]),
        "no task": Talk(lines(think(1, is_modern=is_modern, task="x")), [(1, INVALID_PARAMS)]),
        "a cancelled call": Talk(lines(first, note("cancelled", {"requestId": 1}), second), [(1, 1), (2, 2)]),
        "a cancelled call, asked again": Talk(
            lines(first, note("cancelled", {"requestId": 1}), first, second), [(1, 1), (1, 2), (2, 3)]
        ),
        "a cancelled call behind the handover": Talk(
            lines(odd, first, note("cancelled", {"requestId": 1}), second), [("odd", METHOD_NOT_FOUND), (2, 2)]
        ),
        "an id that was never seen is cancelled": Talk(
            lines(first, note("cancelled", {"requestId": 7, "reason": "\ud800"}), second), [(1, 1), (2, 2)]
        ),
        "a cancellation of nothing": Talk(
            lines(
                first,
                *(note("cancelled", {"requestId": one}) for one in (*WRONG_IDS, "\ud800", HUGE_ID)),
                *(note("cancelled", params) for params in (None, [1], 1, "1", {"x": 1})),
                second,
            ),
            [(1, 1), (2, 2)],
        ),
        "notifications of anything": Talk(
            lines(
                first,
                *(
                    note(method, params)
                    for method in ("initialized", "progress", "roots/list_changed", "\ud800", "message")
                    for params in (None, [1], {"progressToken": "\ud800", "progress": "x"}, {"_meta": 5}, meta)
                ),
                second,
            ),
            [(1, 1), (2, 2)],
        ),
        "answers to no question": Talk(
            lines(
                first,
                *({"jsonrpc": "2.0", "id": one, "result": {"x": 1}} for one in (*WRONG_IDS, 1, "\ud800", HUGE_ID)),
                *({"jsonrpc": "2.0", "id": 1, "result": one} for one in (None, [1], {"\ud800": "\ud800"}, DEEP)),
                *({"jsonrpc": "2.0", "id": 1, "error": one} for one in (None, [1], {"code": "\ud800"}, DEEP)),
                *(b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","result":1,"error":1,"id":1}'),
                second,
            ),
            [(1, 1), (2, 2)],
        ),
        "a progress token": Talk(
            lines(*(
                call(thought(), number, _meta={**envelope, "progressToken": token})
                for number, token in enumerate(["a", "", 5, -1, HUGE_ID, "\ud800"])
            )),
            [(number, number + 1) for number in range(6)],
        ),
        "no progress token": Talk(
            lines(*(
                call(thought(), number, _meta={**envelope, "progressToken": token})
                for number, token in enumerate((["a"], {"a": 1}, 1.5))
            )),
            [(number, INVALID_PARAMS) for number in range(3)],
        ),
        "the SDK's requests between the front's": Talk(
            lines(*(
                message
                for number in range(40)
                for message in (think(number, is_modern=is_modern), request("resources/list", meta, f"odd {number}"))
            )),
            [
                answer
                for number in range(40)
                for answer in ((number, number + 1), (f"odd {number}", METHOD_NOT_FOUND))
            ],
        ),
        "a ping": Talk(
            lines(request("ping", meta), second), [(1, METHOD_NOT_FOUND if is_modern else ANSWERED), (2, 1)]
        ),
    }  # fmt: skip


TALKS = {
    **{f"{name}, legacy": talk for name, talk in in_either_era(is_modern=False).items()},
    **{f"{name}, modern": talk for name, talk in in_either_era(is_modern=True).items()},
    "nothing": Talk(b"", []),
    "nothing but lines": Talk(b"\n" * MANY, []),
    "a flood of pings": Talk(
        lines(*(request("ping", number=number) for number in range(MANY)), think()),
        [*((number, ANSWERED) for number in range(MANY)), (1, 1)],
    ),
    "requests before the handshake": Talk(
        lines(PING, request("tools/list"), think(2), request("logging/setLevel", {"level": "info"}, 3), initialize()),
        [PONG, (1, ANSWERED), (2, 1), (3, METHOD_NOT_FOUND), (0, ANSWERED)],
    ),
    "a handshake twice": Talk(lines(initialize(), initialize(), think()), [(0, ANSWERED), (0, ANSWERED), (1, 1)]),
    "legacy, modern, legacy": Talk(
        lines(initialize(), note("initialized", {}), think(1), think(2, is_modern=True), think(3)),
        [(0, ANSWERED), (1, 1), (2, 2), (3, 3)],
    ),
    "modern, legacy, modern": Talk(
        lines(
            *(request("server/discover", {"_meta": ENVELOPE}), think(2, is_modern=True), initialize()),
            *(note("initialized", {}), think(3), PING, think(4, is_modern=True)),
        ),
        [(1, ANSWERED), (2, 1), (0, ANSWERED), (3, 2), PONG, (4, 3)],
    ),
    "versions that nobody knows": Talk(
        lines(*(handshake(version) for version in ("1999-01-01", "2026-07-28", "", "\ud800")), think()),
        [*[(0, ANSWERED)] * 4, (1, 1)],
    ),
    "versions that are none": Talk(
        lines(*(handshake(version) for version in (None, 5, True, ["2025-06-18"])), think()),
        [*[(0, INVALID_PARAMS)] * 4, (1, 1)],
    ),
    "an envelope of a version that nobody knows": Talk(
        lines(*(
            call(thought(), number, _meta=ENVELOPE | {"io.modelcontextprotocol/protocolVersion": version})
            for number, version in enumerate(("1999-01-01", "2025-06-18", ""))
        )),
        [(number, UNSUPPORTED_VERSION) for number in range(3)],
    ),
}  # fmt: skip


OUT_OF_ORDER = ("malformed JSON", "a cancelled call,")
"""What the SDK's lane answers in another order, or not at all, as `tests.lanes` has it."""


@pytest.mark.parametrize("name", TALKS)
def test_both_lanes_answer_it_alike(name: str, warm: WarmServer, tmp_path: Path) -> None:
    said, answers = TALKS[name]
    front, sdk = both(said, tmp_path, warm)

    assert [came(answer) for answer in front.answers] == answers
    assert name.startswith(OUT_OF_ORDER) or [came(answer) for answer in sdk.answers] == answers
    assert thoughts(front.journal) == max([0, *(count for _, count in answers if isinstance(count, int))])


LONG: dict[str, Callable[[], Talk]] = {
    "a call": lambda: Talk(lines(huge(), PING), [(1, REFUSED), PONG]),
    "a ping": lambda: Talk(lines(request("ping", {"x": "x" * HUGE}), PING), [(1, ANSWERED), PONG]),
    "an id": lambda: Talk(lines(request("ping", number="x" * HUGE), PING), [("x" * HUGE, ANSWERED), PONG]),
    "a request for the SDK": lambda: Talk(
        lines(request("resources/list", {"x": "x" * HUGE}), PING), [(1, METHOD_NOT_FOUND), PONG]
    ),
    "a broken call": lambda: Talk(lines(huge()[:-1], PING), [(1, PARSE_ERROR), PONG]),
    "brackets": lambda: Talk(lines(b"[" * HUGE, PING), [PONG]),
    "blanks": lambda: Talk(lines(b" " * HUGE, PING), [PONG]),
    "a call without its newline": lambda: Talk(huge(), [(1, REFUSED)]),
    "half a call": lambda: Talk(huge()[: HUGE // 2], [(1, PARSE_ERROR)]),
    "no call and no newline": lambda: Talk(b"x" * HUGE, []),
}


@pytest.mark.parametrize("name", LONG)
def test_a_line_of_fifty_megabytes_is_dealt_with_alike(name: str, warm: WarmServer, tmp_path: Path) -> None:
    said, answers = LONG[name]()
    front, sdk = both(said, tmp_path, warm)

    assert [came(answer) for answer in front.answers] == answers
    assert [came(answer) for answer in sdk.answers] == answers


@pytest.mark.parametrize("is_modern", [False, True], ids=["legacy", "modern"])
def test_a_client_may_send_ten_thousand_calls_before_it_reads_an_answer(
    is_modern: bool, lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(lane, warm, tmp_path) as wire:
        wire.send_unread(many(is_modern=is_modern))
        wire.hang_up()
        answers = wire.rest()
        assert_it_left_well(wire, tmp_path)

    assert [came(answer) for answer in answers] == [(number, number + 1) for number in range(MANY)]
    assert texts(tmp_path) == [str(number) for number in range(MANY)]


@pytest.mark.parametrize(
    "message",
    [initialize(), b'{"jsonrpc":"2.0","id":0,', request("no/such", number=0), request("ping", [], number=0)],
    ids=["handshakes", "broken lines", "unknown methods", "bad parameters"],
)
def test_whatever_a_client_sends_it_may_send_ten_thousand_before_it_reads_an_answer(
    message: Message | bytes, lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(lane, warm, tmp_path) as wire:
        wire.send_unread(lines(*[message] * MANY))
        wire.hang_up()
        answers = wire.rest()
        assert_it_left_well(wire, tmp_path)

    assert [answer["id"] for answer in answers] == [0] * MANY


@pytest.mark.parametrize("closes_stdout", [False, True])
def test_a_client_that_never_reads_and_leaves_has_its_ten_thousand_calls_journaled(
    closes_stdout: bool, lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(lane, warm, tmp_path) as wire:
        wire.send_unread(many())
        if closes_stdout:
            wire.close_stdout()
        wire.hang_up()
        assert_it_left_well(wire, tmp_path)

    assert texts(tmp_path) == [str(number) for number in range(MANY)]


def test_what_waits_for_a_client_that_does_not_read_is_bounded(
    lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    """It may not even hold what was asked: then the client's next requests wait, and all are answered when it reads."""
    ids = long_ids()
    with quiet(lane, warm, tmp_path) as wire:
        wire.ask("ping")
        before = memory(wire.pid)
        rest = wire.send_while_it_reads(lines(*(request("ping", number=one) for one in ids)))
        held = memory(wire.pid) - before
        wire.send_bytes(rest)
        wire.hang_up()
        answers = wire.rest()
        assert_it_left_well(wire, tmp_path)

    assert rest
    assert held < 3 * MAX_UNSENT
    assert [answer["id"] for answer in answers] == ids


def test_a_client_that_leaves_with_too_many_answers_unread_is_not_waited_for(
    lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    with quiet(lane, warm, tmp_path) as wire:
        assert wire.send_while_it_reads(lines(*(request("ping", number=one) for one in long_ids())))
        wire.hang_up()
        assert_it_left_well(wire, tmp_path)


def both(said: bytes, folder: Path, warm: WarmServer) -> tuple[Traffic, Traffic]:
    """Return what came of ``said`` in each lane; but for what may differ it is the same."""
    front, sdk = play(FRONT, said, folder / "front", warm), play(SDK, said, folder / "sdk", warm)
    assert comparable(front) == comparable(sdk)
    assert front.journal == sdk.journal
    return front, sdk


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
    return [f"{number} {'x' * (1 << 16)}" for number in range(MAX_UNSENT >> 14)]


def many(*, is_modern: bool = False) -> bytes:
    return lines(*(think(number, str(number), is_modern=is_modern) for number in range(MANY)))


def quiet(lane: tuple[str, ...], warm: WarmServer, folder: Path) -> Wire:
    environ = {"DISABLE_THOUGHT_LOGGING": "true", "SEQTHINK_JOURNAL_DIR": str(folder)}
    return start(*lane, warm=warm, environ=environ, keep_stderr=True)


def texts(folder: Path) -> list[str]:
    return [event["thought"] for event in events(journals(folder)[0]) if event["type"] == "thought"]


def thoughts(journal: Sequence[Message]) -> int:
    return sum(event["type"] == "thought" for event in journal)


def memory(pid: int) -> int:
    """Return how many bytes the process has held at most."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
