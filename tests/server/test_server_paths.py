"""What the fast path answers, the SDK path answers, too (docs/tools.md, "Two protocol versions, two paths")."""

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import mcp_types
import pytest
from mcp_types import version

from seqthink.dialogue import protocol_versions
from seqthink.server.fast_path.request_handler import RequestHandler
from seqthink.server.setup import tool_definitions
from seqthink.server.tools import thinking_tool as tools
from seqthink.server.wire import meta_keys, protocol
from seqthink.server.wire.jsonrpc import IncomingRequest, read_message
from tests.server.test_recorded_cases import CASES, expanded
from tests.support.depth import first, sized
from tests.support.servers.server_paths import (
    DIFFERENCES,
    FAST_PATH,
    SDK_PATH,
    Difference,
    Traffic,
    call,
    comparable,
    exchange,
    initialize,
    lines,
    request,
)
from tests.support.servers.warm_server import WarmServer
from tests.support.servers.wire import STATELESS_META, Message, thought

VersionKind = Literal["handshake", "stateless"]

PASSED_ON = (
    "protocol/arguments-null",
    "protocol/arguments-list",
    "protocol/no-params",
    "protocol/unknown-*",
    "protocol/server-discover*",
    "protocol/task-augmented",
    "protocol/extra-params",
    *(f"protocol/{name}" for name in ("completion-complete", "resources-list")),
    "protocol/tasks-list",
    "handshake/missing-client-info",
)
"""Recorded cases that are too odd for the fast path."""
HANDSHAKES = ("protocol/ping", "protocol/logging-setLevel", "handshake/*")
"""Recorded cases that the stateless version passes on as well: it has no such requests."""


def cases_for(version: VersionKind, *, is_odd: bool) -> list[str]:
    """Return the recorded cases that the fast path passes on, or those that it answers."""
    patterns = PASSED_ON if version == "handshake" else (*PASSED_ON, *HANDSHAKES)
    return [case for case in CASES if any(fnmatchcase(case, pattern) for pattern in patterns) is is_odd]


VERSIONS: Sequence[VersionKind] = ("handshake", "stateless")
SESSIONS = [
    pytest.param(version, plain[place : place + 12], id=f"{version} from {plain[place]}")
    for version in VERSIONS
    for plain in [cases_for(version, is_odd=False)]
    for place in range(0, len(plain), 12)
]
"""Recorded cases that one server may answer one after the other: to start a server takes longer than all answers."""
ALONE = [(version, case) for version in VERSIONS for case in sized(cases_for(version, is_odd=True), list(CASES))]


def both(
    sent: bytes, tmp_path: Path, warm: WarmServer, environ: dict[str, str] | None = None
) -> tuple[Traffic, Traffic]:
    """Return what came of ``sent`` on the fast path and on the SDK path."""
    return exchange(FAST_PATH, sent, tmp_path / "fast", warm, environ), exchange(
        SDK_PATH, sent, tmp_path / "sdk", warm, environ
    )


@pytest.mark.parametrize(("version", "cases"), first(8, SESSIONS, is_unpacked=True))
def test_recorded_cases_one_after_the_other_are_answered_alike_on_both_server_paths(
    version: VersionKind, cases: Sequence[str], warm: WarmServer, tmp_path: Path
) -> None:
    messages = [one for case in cases for one in _requests(CASES[case], version)]
    fast, sdk = both(lines(*messages), tmp_path, warm)

    assert _is_answered_by_the_front(messages)
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


@pytest.mark.parametrize(("version", "case"), first(10, ALONE, is_unpacked=True))
def test_a_recorded_case_is_answered_alike_on_both_server_paths(
    case: str, version: VersionKind, warm: WarmServer, tmp_path: Path
) -> None:
    fast, sdk = both(lines(*_requests(CASES[case], version)), tmp_path, warm)

    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


def test_only_odd_recorded_cases_are_passed_on_to_the_sdk() -> None:
    passed_on = {case for case in CASES if not _is_answered_by_the_front(_requests(CASES[case], "handshake"))}

    assert passed_on == set(cases_for("handshake", is_odd=True))


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.what)
def test_each_row_of_the_table_of_differences_is_one(difference: Difference, warm: WarmServer, tmp_path: Path) -> None:
    fast, sdk = both(difference.example, tmp_path, warm, dict(difference.environ))

    assert fast.answers != sdk.answers
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


def test_names_and_versions_are_those_of_the_sdk() -> None:
    assert protocol.HANDSHAKE_VERSIONS == version.HANDSHAKE_PROTOCOL_VERSIONS
    assert (protocol_versions.STATELESS_VERSION,) == version.MODERN_PROTOCOL_VERSIONS
    assert meta_keys.PROTOCOL_VERSION_KEY == mcp_types.PROTOCOL_VERSION_META_KEY
    assert meta_keys.CLIENT_INFO_KEY == mcp_types.CLIENT_INFO_META_KEY
    assert meta_keys.CLIENT_CAPABILITIES_KEY == mcp_types.CLIENT_CAPABILITIES_META_KEY
    assert meta_keys.SERVER_INFO_KEY == mcp_types.SERVER_INFO_META_KEY


_TURN: Message = {
    "session_id": "r", "thread_id": "t", "model": "gpt-5.5", "turn_id": "u", "parent_thread_id": "r",
    "turn_started_at_unix_ms": 1795379173575, "subagent_kind": "thread_spawn", "thread_source": "subagent",
    "auto_review_enabled": False,
}  # fmt: skip

HOSTS: dict[str, list[Message]] = {
    "Claude Code": [
        request("server/discover", {"_meta": STATELESS_META}),
        request("tools/list", {"_meta": STATELESS_META | {"progressToken": 1}}),
        call(thought(), 2, _meta=STATELESS_META | {"progressToken": 2, "claudecode/toolUseId": "toolu_1"}),
    ],
    "Codex": [
        request(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {
                    "experimental": {"codex/sandbox-state": {"version": "1.0.0"}},
                    "elicitation": {"form": {}, "url": {}},
                },
                "clientInfo": {"name": "codex-mcp-client", "title": "Codex", "version": "0.169.0"},
            },
        ),
        request("tools/list", {}),
        call(
            thought(),
            2,
            _meta={
                "callId": "call_1",
                "x-codex-turn-metadata": _TURN,
                "threadId": "t",
                "sessionId": "r",
                "windowId": "t:0",
                "itemId": "fc_1",
                "progressToken": 1,
            },
        ),
    ],
    "a host with everything": [
        request(
            "initialize",
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {
                    "roots": {"listChanged": True},
                    "sampling": {"tools": {}, "context": {}},
                    "elicitation": {},
                    "tasks": {"list": {}, "cancel": {}, "requests": {"sampling": {"createMessage": {}}}},
                    "extensions": {"io.example/ui": {"mimeTypes": ["text/html"]}},
                    "of-its-own": True,
                },
                "clientInfo": {
                    "name": "host",
                    "version": "1",
                    "title": "Host",
                    "description": "does it",
                    "websiteUrl": "https://example.org",
                    "icons": [{"src": "data:,", "mimeType": "image/png"}],
                },
            },
        ),
        request("tools/list", {"cursor": None}),
    ],
}


@pytest.mark.parametrize("host", HOSTS)
def test_the_first_requests_of_clients_are_answered_by_the_fast_path(
    host: str, warm: WarmServer, tmp_path: Path
) -> None:
    messages = [*HOSTS[host], call(thought(), 9)]
    fast, sdk = both(lines(*messages), tmp_path, warm)

    assert _is_answered_by_the_front(messages)
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


NEARLY_RIGHT: Sequence[object] = (
    thought("a", branchFromThought=1, branchId=7),
    thought("b", branchFromThought=1.0, branchId=2.0, isRevision=None),
    {"thought": "c", "next_thought_needed": "true", "thought_number": "2", "total_thoughts": 1, "branch_id": "x"},
    thought("d", 3, thought_number=9, branch_id=None),
    json.dumps(thought("e", "4", branch_from_thought=1, branch_id=7)),
    json.dumps(thought("f\ud800", 5, branchId="é")),
)
REPAIRED = [
    ["branchId"],
    ["branchFromThought", "branchId"],
    ["nextThoughtNeeded", "thoughtNumber", "totalThoughts", "branchId"],
    None,
    ["arguments", "thoughtNumber", "branchFromThought", "branchId"],
    ["arguments"],
]


@pytest.mark.parametrize("is_stateless", [False, True], ids=["handshake", "stateless"])
def test_what_is_nearly_right_is_taken_alike(is_stateless: bool, warm: WarmServer, tmp_path: Path) -> None:
    messages = [
        *([] if is_stateless else [initialize()]),
        *(call(arguments, number, is_stateless=is_stateless) for number, arguments in enumerate(NEARLY_RIGHT, 1)),
    ]
    fast, sdk = both(lines(*messages), tmp_path, warm)

    thoughts = [event for event in fast.journal if event["type"] == "thought"]
    assert _is_answered_by_the_front(messages)
    assert [event.get("coerced") for event in thoughts] == REPAIRED
    assert [event.get("branchId") for event in thoughts] == ["7", "2", "x", None, "7", "é"]
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ('{"thought":"t"}', ["nextThoughtNeeded", "thoughtNumber", "totalThoughts"]),
        (json.dumps(thought(branchId=True)), ["branchId"]),
        (json.dumps(thought(total=0)), ["totalThoughts"]),
        ({**thought(), "thoughtNumber": None, "thought_number": 0}, ["thoughtNumber"]),
    ],
)
def test_what_is_wrong_in_a_string_is_refused_alike_and_kept_as_it_came(
    arguments: object, named: list[str], warm: WarmServer, tmp_path: Path
) -> None:
    fast, sdk = both(lines(call(arguments, 1), call(arguments, 2, is_stateless=True)), tmp_path, warm)

    for answer in fast.answers:
        assert list(json.loads(answer["result"]["content"][0]["text"])["details"]) == named
    assert [event["arguments"] for event in fast.journal if event["type"] == "rejected"] == [arguments] * 2
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal


@pytest.mark.parametrize("server_path", [FAST_PATH, SDK_PATH], ids=["fast", "sdk"])
def test_the_first_answer_of_either_version_has_the_instructions(
    server_path: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    """Codex's newer models and Claude Code's system prompt are shown this, and may be shown nothing else."""
    opening = lines(request("server/discover", {"_meta": STATELESS_META}, 1), initialize(number=2))
    received = [answer["result"]["instructions"] for answer in exchange(server_path, opening, tmp_path, warm).answers]

    assert received == [tools.INSTRUCTIONS] * 2
    assert tools.TOOL_NAME in received[0]
    assert received[0].count(". ") <= 1
    assert len(received[0]) <= 300


def test_the_fast_path_hands_over_its_whole_state(warm: WarmServer, tmp_path: Path) -> None:
    """Counts go on, the client stays who it was, and nothing behind the odd request is lost or overtakes it."""
    odd = request("tools/call", {"name": "nope", "arguments": {}}, "odd")
    messages = [
        initialize(),
        call(thought("a", branchFromThought=1, branchId="b"), 1),
        odd,
        *(call(thought(str(number), number), number) for number in range(2, 200)),
        call(thought("last"), 200, is_stateless=True),
    ]
    fast, sdk = both(lines(*messages), tmp_path, warm)

    counts = {answer["id"]: _count(answer) for answer in fast.answers}
    assert [counts[number] for number in range(1, 201)] == list(range(1, 201))
    assert comparable(fast) == comparable(sdk)
    assert fast.journal == sdk.journal
    assert [event["type"] for event in fast.journal[:4]] == ["session", "thought", "rejected", "thought"]


@pytest.mark.parametrize("levels", [30, 300, 900])
def test_deeply_nested_values_are_answered_alike(levels: int, warm: WarmServer, tmp_path: Path) -> None:
    deep: Any = {}
    for _ in range(levels):
        deep = {"a": deep}
    envelope = STATELESS_META | {meta_keys.CLIENT_CAPABILITIES_KEY: {"experimental": {"x": deep}}}
    params: Message = initialize()["params"]
    places = [
        request("initialize", params | {"capabilities": {"experimental": {"x": deep}}}),
        request("initialize", params | {"capabilities": {"tasks": deep}}),
        request("tools/list", {"_meta": envelope}),
        request("ping", {"_meta": {"x": deep}}),
        call({"branchId": deep}),
        call(deep),
    ]
    for number, message in enumerate(places):
        fast, sdk = both(lines(message, request("ping", number=2)), tmp_path / str(number), warm)

        assert comparable(fast) == comparable(sdk)
        assert fast.journal == sdk.journal


NOWHERE = {"SEQTHINK_JOURNAL_DIR": "/dev/null/nowhere"}


def _wishing(level: str | None) -> Message:
    """Return a call of the stateless version whose client wants log messages from ``level`` on."""
    envelope = STATELESS_META if level is None else STATELESS_META | {protocol_versions.LOG_LEVEL_KEY: level}
    return call(thought(), 7, _meta=envelope)


@pytest.mark.parametrize(
    ("messages", "warnings"),
    [
        ([initialize(), call(thought())], 1),
        ([initialize(), call(thought(), 1), call(thought(), 2), call({}, 3)], 1),
        ([call(thought())], 1),
        ([initialize(), request("logging/setLevel", {"level": "warning"}), call(thought(), 2)], 1),
        ([initialize(), request("logging/setLevel", {"level": "error"}), call(thought(), 2)], 0),
        (
            [
                *(request("logging/setLevel", {"level": "error"}), call(thought(), 2), initialize(number=3)),
                *(request("no/such", number=4), call(thought(), 5)),
                *(request("logging/setLevel", {"level": "info"}, 6), call(thought(), 7)),
            ],
            1,
        ),
        ([_wishing(None), _wishing("error")], 0),
        ([_wishing(None), _wishing("debug"), _wishing("warning")], 1),
    ],
    ids=["once", "of many", "no handshake", "level", "above", "level changed", "stateless", "stateless level"],
)
@pytest.mark.parametrize("options", [(), ("--journal-required",)], ids=["waiting", "refused"])
def test_a_client_that_listens_is_warned_once_that_the_journal_cannot_be_written(
    messages: list[Message], warnings: int, options: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    sent = lines(*messages)
    fast, sdk = (
        exchange((*server_path, *options), sent, tmp_path, warm, NOWHERE) for server_path in (FAST_PATH, SDK_PATH)
    )

    received = [answer["params"] for answer in fast.answers if answer.get("method") == "notifications/message"]
    assert len(received) == warnings
    assert all(set(one) == {"level", "logger", "data"} for one in received)
    assert all("the journal cannot be written: File exists" in one["data"] for one in received)
    assert comparable(fast) == comparable(sdk)


@pytest.mark.parametrize("level", ["loud", None, 3, [], "WARNING"])
def test_an_unknown_log_level_is_refused_alike(level: object, warm: WarmServer, tmp_path: Path) -> None:
    fast, sdk = both(lines(initialize(), request("logging/setLevel", {"level": level}, 2)), tmp_path, warm)

    assert fast.answers[1]["error"]["code"] == -32602
    assert comparable(fast) == comparable(sdk)


def _count(answer: Message) -> Any:  # noqa: ANN401 - absent from a refusal
    return answer["result"].get("structuredContent", {}).get("thoughtHistoryLength")


def _is_answered_by_the_front(messages: Sequence[Message | bytes]) -> bool:
    desk = RequestHandler(tool_definitions("lenient", has_context=False, has_audits=False))
    read = [read_message(lines(message).rstrip(b"\n")) for message in messages]
    return all(desk.answer(message) is not None for message in read if isinstance(message, IncomingRequest))


def _requests(case: Message, version: VersionKind) -> list[Message | bytes]:
    """Return a recorded case as it would be sent with ``version``."""
    opening: list[Message | bytes] = [] if version == "stateless" or case.get("no_init") else [initialize("2025-11-25")]
    return [*opening, *(_step(step, version, as_utf8=case.get("utf8", False)) for step in case["steps"])]


def _step(step: Message, version: VersionKind, *, as_utf8: bool) -> bytes:
    raw = step.get("raw")
    if isinstance(raw, str):
        return raw.encode()
    message: Message = expanded(raw or call(step.get("arguments"), 7))
    if version == "stateless" and isinstance(params := message.get("params", {}), dict):
        message["params"] = {**params, "_meta": STATELESS_META}
    return json.dumps(message, ensure_ascii=not as_utf8).encode()
