"""Invalid or untimely client input: scripts that end with a disconnect, and the answers that both server paths give."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.support.depth import sized
from tests.support.servers.server_paths import call, initialize, lines, request
from tests.support.servers.wire import STATELESS_META, Message, thought

ANSWERED = "answered"
REFUSED = "refused"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
UNSUPPORTED_VERSION = -32022

MANY_THOUGHTS = sized(2_000, 10_000)
"""More than any pipe or buffer holds."""
BYTE_ORDER_MARK = "\ufeff".encode()


class ClientScript(NamedTuple):
    """The bytes sent before the client disconnects, and each answer's id and outcome: a count, a code, a word."""

    sent: bytes
    answers: Sequence[tuple[int | str, int | str]]


def think(number: object = 1, text: str = "t", *, is_stateless: bool = False, **more: object) -> Message:
    return call(thought(text), number, is_stateless=is_stateless, **more)


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


def scripts_for_version(*, is_stateless: bool) -> dict[str, ClientScript]:
    """Return the scripts whose answers are the same in both protocol versions."""
    envelope: Message = STATELESS_META if is_stateless else {}
    meta: Message = {"_meta": envelope} if is_stateless else {}
    first, second = think(1, is_stateless=is_stateless), think(2, is_stateless=is_stateless)
    odd = request("resources/list", meta, "odd")
    return {
        "malformed JSON": ClientScript(
            lines(first, raw(first)[:-3], b"{", raw(first) + b"}", raw(first).replace(b'"t"', b"Infinity"), second),
            [(1, 1), (1, PARSE_ERROR), (1, PARSE_ERROR), (1, PARSE_ERROR), (2, 2)],
        ),
        "two messages on a line": ClientScript(lines(raw(first) + b" " + raw(second), PING), [(1, PARSE_ERROR), PONG]),
        "bytes that are not UTF-8": ClientScript(lines(raw(first).replace(b'"t"', b'"\xff\xed\xa0\x80"')), [(1, 1)]),
        "a byte order mark, a carriage return": ClientScript(
            lines(BYTE_ORDER_MARK + raw(first), raw(second) + b"\r"), [(1, 1), (2, 2)]
        ),
        "a lone surrogate as id": ClientScript(
            lines(think("\ud800", is_stateless=is_stateless), second), [("\ud800", INVALID_REQUEST), (2, 1)]
        ),
        "a lone surrogate as method": ClientScript(
            lines(request("\udc00", meta), first | {"method": "tools/call\ud800"}, second),
            [(1, INVALID_REQUEST), (1, INVALID_REQUEST), (2, 1)],
        ),
        "lone surrogates in a thought": ClientScript(
            lines(call(thought("\ud800", branchId="\udfff", branchFromThought=1), 1, **meta)), [(1, 1)]
        ),
        "a lone surrogate as key": ClientScript(
            lines(
                call(thought() | {"\ud800": 1}, 1, **meta),
                request("tools/call", {**second["params"], "\ud800": 1}, 2),
                call(thought(), 3, _meta={**envelope, "\ud800": 1}),
            ),
            [(1, 1), (2, 2), (3, INVALID_PARAMS)],
        ),
        "a lone surrogate as tool": ClientScript(
            lines(request("tools/call", {"name": "no\ud800", "arguments": {}, **meta})), [(1, REFUSED)]
        ),
        "batches": ClientScript(lines(b"[]", b"[" + raw(first) + b"," + raw(second) + b"]", second), [(2, 1)]),
        "wrong ids": ClientScript(
            lines(*(think(value, is_stateless=is_stateless) for value in WRONG_IDS), second),
            [(2, 1)],
        ),
        "odd ids": ClientScript(
            lines(*(think(value, is_stateless=is_stateless) for value in (HUGE_ID, -HUGE_ID, "", 0, -1, "1", "\x00"))),
            [(HUGE_ID, 1), (-HUGE_ID, 2), ("", 3), (0, 4), (-1, 5), ("1", 6), ("\x00", 7)],
        ),
        "an id of too many digits": ClientScript(
            lines(raw(first).replace(b"1,", b"1" * 5000 + b",", 1), second),
            [(2, 1)],
        ),
        "the same id twice": ClientScript(
            lines(first, first, odd, first),
            [(1, 1), (1, 2), ("odd", METHOD_NOT_FOUND), (1, 3)],
        ),
        "calls in flight at the end": ClientScript(
            lines(first, odd, second),
            [(1, 1), ("odd", METHOD_NOT_FOUND), (2, 2)],
        ),
        "a last line without its newline": ClientScript(lines(first) + raw(second), [(1, 1), (2, 2)]),
        "half a line at the end": ClientScript(lines(first) + raw(second)[:120], [(1, 1), (2, PARSE_ERROR)]),
        "half a character at the end": ClientScript(lines(first) + "思".encode()[:2], [(1, 1)]),
        "a task": ClientScript(lines(think(1, is_stateless=is_stateless, task={"ttl": 60_000})), [(1, 1)]),
        "no task": ClientScript(lines(think(1, is_stateless=is_stateless, task="x")), [(1, INVALID_PARAMS)]),
        "a cancelled call": ClientScript(lines(first, note("cancelled", {"requestId": 1}), second), [(1, 1), (2, 2)]),
        "a cancelled call, asked again": ClientScript(
            lines(first, note("cancelled", {"requestId": 1}), first, second), [(1, 1), (1, 2), (2, 3)]
        ),
        "a cancelled call behind the handover": ClientScript(
            lines(odd, first, note("cancelled", {"requestId": 1}), second), [("odd", METHOD_NOT_FOUND), (2, 2)]
        ),
        "an id that was never seen is cancelled": ClientScript(
            lines(first, note("cancelled", {"requestId": 7, "reason": "\ud800"}), second), [(1, 1), (2, 2)]
        ),
        "a cancellation of nothing": ClientScript(
            lines(
                first,
                *(note("cancelled", {"requestId": value}) for value in (*WRONG_IDS, "\ud800", HUGE_ID)),
                *(note("cancelled", params) for params in (None, [1], 1, "1", {"x": 1})),
                second,
            ),
            [(1, 1), (2, 2)],
        ),
        "notifications of anything": ClientScript(
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
        "answers to no question": ClientScript(
            lines(
                first,
                *({"jsonrpc": "2.0", "id": value, "result": {"x": 1}} for value in (*WRONG_IDS, 1, "\ud800", HUGE_ID)),
                *({"jsonrpc": "2.0", "id": 1, "result": value} for value in (None, [1], {"\ud800": "\ud800"}, DEEP)),
                *({"jsonrpc": "2.0", "id": 1, "error": value} for value in (None, [1], {"code": "\ud800"}, DEEP)),
                *(b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","result":1,"error":1,"id":1}'),
                second,
            ),
            [(1, 1), (2, 2)],
        ),
        "a progress token": ClientScript(
            lines(*(
                call(thought(), number, _meta={**envelope, "progressToken": token})
                for number, token in enumerate(["a", "", 5, -1, HUGE_ID, "\ud800"])
            )),
            [(number, number + 1) for number in range(6)],
        ),
        "no progress token": ClientScript(
            lines(*(
                call(thought(), number, _meta={**envelope, "progressToken": token})
                for number, token in enumerate((["a"], {"a": 1}, 1.5))
            )),
            [(number, INVALID_PARAMS) for number in range(3)],
        ),
        "requests of the SDK path between those of the fast path": ClientScript(
            lines(*(
                message
                for number in range(40)
                for message in (
                    think(number, is_stateless=is_stateless), request("resources/list", meta, f"odd {number}"),
                )
            )),
            [
                answer
                for number in range(40)
                for answer in ((number, number + 1), (f"odd {number}", METHOD_NOT_FOUND))
            ],
        ),
        "a ping": ClientScript(
            lines(request("ping", meta), second), [(1, METHOD_NOT_FOUND if is_stateless else ANSWERED), (2, 1)]
        ),
    }  # fmt: skip


CLIENT_SCRIPTS = {
    **{f"{name}, handshake": script for name, script in scripts_for_version(is_stateless=False).items()},
    **{f"{name}, stateless": script for name, script in scripts_for_version(is_stateless=True).items()},
    "nothing": ClientScript(b"", []),
    "a byte order mark before the first message": ClientScript(
        BYTE_ORDER_MARK + lines(initialize(), think()), [(0, ANSWERED), (1, 1)]
    ),
    "a byte order mark before a broken message": ClientScript(
        BYTE_ORDER_MARK + b'{"jsonrpc":"2.0","id":7,"method":\n' + lines(PING), [(7, PARSE_ERROR), PONG]
    ),
    "nothing but lines": ClientScript(b"\n" * MANY_THOUGHTS, []),
    "a flood of pings": ClientScript(
        lines(*(request("ping", number=number) for number in range(MANY_THOUGHTS)), think()),
        [*((number, ANSWERED) for number in range(MANY_THOUGHTS)), (1, 1)],
    ),
    "requests before the handshake": ClientScript(
        lines(
            *(PING, request("tools/list"), think(2), request("logging/setLevel", {"level": "info"}, 3)),
            *(request("prompts/list", number=4), request("resources/list", number=5), initialize()),
        ),
        [PONG, (1, ANSWERED), (2, 1), (3, ANSWERED), (4, ANSWERED), (5, METHOD_NOT_FOUND), (0, ANSWERED)],
    ),
    "a handshake twice": ClientScript(
        lines(initialize(), initialize(), think()),
        [(0, ANSWERED), (0, ANSWERED), (1, 1)],
    ),
    "handshake, stateless, handshake": ClientScript(
        lines(initialize(), note("initialized", {}), think(1), think(2, is_stateless=True), think(3)),
        [(0, ANSWERED), (1, 1), (2, 2), (3, 3)],
    ),
    "stateless, handshake, stateless": ClientScript(
        lines(
            *(request("server/discover", {"_meta": STATELESS_META}), think(2, is_stateless=True), initialize()),
            *(note("initialized", {}), think(3), PING, think(4, is_stateless=True)),
        ),
        [(1, ANSWERED), (2, 1), (0, ANSWERED), (3, 2), PONG, (4, 3)],
    ),
    "unknown versions": ClientScript(
        lines(*(handshake(version) for version in ("1999-01-01", "2026-07-28", "", "\ud800")), think()),
        [*[(0, ANSWERED)] * 4, (1, 1)],
    ),
    "versions that are none": ClientScript(
        lines(*(handshake(version) for version in (None, 5, True, ["2025-06-18"])), think()),
        [*[(0, INVALID_PARAMS)] * 4, (1, 1)],
    ),
    "an envelope of an unknown version": ClientScript(
        lines(*(
            call(thought(), number, _meta=STATELESS_META | {"io.modelcontextprotocol/protocolVersion": version})
            for number, version in enumerate(("1999-01-01", "2025-06-18", ""))
        )),
        [(number, UNSUPPORTED_VERSION) for number in range(3)],
    ),
}  # fmt: skip
