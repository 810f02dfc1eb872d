"""What the fast path answers, the SDK path answers, too (docs/tools.md, "Two protocol versions, two paths")."""

import json
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Literal

import mcp_types
import pytest
from mcp_types import version

from seqthink.dialogue import protocol_versions
from seqthink.server import protocol, tools
from seqthink.server.jsonrpc import IncomingRequest, read_message
from seqthink.server.request_handler import RequestHandler
from tests.server_paths import (
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
from tests.test_cases import CASES, expanded
from tests.warm_server import WarmServer
from tests.wire import STATELESS_META, Message, thought

Era = Literal["legacy", "modern"]

PASSED_ON = (
    "protocol/arguments-*",
    "protocol/no-params",
    "protocol/unknown-*",
    "protocol/server-discover*",
    "protocol/task-augmented",
    "protocol/extra-params",
    *(f"protocol/{name}" for name in ("completion-complete", "prompts-list", "resources-list")),
    "protocol/tasks-list",
    "handshake/missing-client-info",
)
"""Recorded cases that are too odd for the front."""


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmServer]:
    with WarmServer() as server:
        yield server


def both(
    sent: bytes, tmp_path: Path, warm: WarmServer, environ: dict[str, str] | None = None
) -> tuple[Traffic, Traffic]:
    """Return what came of ``sent`` in the front and in the SDK server."""
    return exchange(FAST_PATH, sent, tmp_path / "front", warm, environ), exchange(
        SDK_PATH, sent, tmp_path / "sdk", warm, environ
    )


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("case", CASES)
def test_a_recorded_case_is_answered_alike_in_both_lanes(case: str, era: Era, warm: WarmServer, tmp_path: Path) -> None:
    front, sdk = both(lines(*_requests(CASES[case], era)), tmp_path, warm)

    assert comparable(front) == comparable(sdk)
    assert front.journal == sdk.journal


def test_only_odd_recorded_cases_are_passed_on_to_the_sdk() -> None:
    passed_on = {case for case in CASES if not _is_answered_by_the_front(_requests(CASES[case], "legacy"))}

    assert passed_on == {case for case in CASES if any(fnmatchcase(case, pattern) for pattern in PASSED_ON)}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.what)
def test_each_row_of_the_table_of_differences_is_one(difference: Difference, warm: WarmServer, tmp_path: Path) -> None:
    front, sdk = both(difference.example, tmp_path, warm, dict(difference.environ))

    assert front.answers != sdk.answers
    assert comparable(front) == comparable(sdk)
    assert front.journal == sdk.journal


def test_names_and_revisions_are_the_sdk_s() -> None:
    assert protocol.HANDSHAKE_VERSIONS == version.HANDSHAKE_PROTOCOL_VERSIONS
    assert (protocol_versions.STATELESS_VERSION,) == version.MODERN_PROTOCOL_VERSIONS
    assert protocol.PROTOCOL_VERSION_KEY == mcp_types.PROTOCOL_VERSION_META_KEY
    assert protocol.CLIENT_INFO_KEY == mcp_types.CLIENT_INFO_META_KEY
    assert protocol.CLIENT_CAPABILITIES_KEY == mcp_types.CLIENT_CAPABILITIES_META_KEY
    assert protocol.SERVER_INFO_KEY == mcp_types.SERVER_INFO_META_KEY


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
def test_what_hosts_open_with_is_answered_by_the_front(host: str, warm: WarmServer, tmp_path: Path) -> None:
    messages = [*HOSTS[host], call(thought(), 9)]
    front, sdk = both(lines(*messages), tmp_path, warm)

    assert _is_answered_by_the_front(messages)
    assert comparable(front) == comparable(sdk)
    assert front.journal == sdk.journal


@pytest.mark.parametrize("lane", [FAST_PATH, SDK_PATH], ids=["front", "sdk"])
def test_a_client_is_told_at_once_in_either_era_which_tool_there_is_and_what_for(
    lane: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    """Codex's newer models and Claude Code's system prompt are shown this, and may be shown nothing else."""
    opening = lines(request("server/discover", {"_meta": STATELESS_META}, 1), initialize(number=2))
    told = [answer["result"]["instructions"] for answer in exchange(lane, opening, tmp_path, warm).answers]

    assert told == [tools.INSTRUCTIONS] * 2
    assert tools.TOOL_NAME in told[0]
    assert told[0].count(". ") <= 1
    assert len(told[0]) <= 300


def test_the_front_hands_over_all_it_knows(warm: WarmServer, tmp_path: Path) -> None:
    """Counts go on, the client stays who it was, and nothing behind the odd request is lost or overtakes it."""
    odd = request("tools/call", {"name": "nope", "arguments": {}}, "odd")
    messages = [
        initialize(),
        call(thought("a", branchFromThought=1, branchId="b"), 1),
        odd,
        *(call(thought(str(number), number), number) for number in range(2, 200)),
        call(thought("last"), 200, is_stateless=True),
    ]
    front, sdk = both(lines(*messages), tmp_path, warm)

    counts = {answer["id"]: _count(answer) for answer in front.answers}
    assert [counts[number] for number in range(1, 201)] == list(range(1, 201))
    assert comparable(front) == comparable(sdk)
    assert front.journal == sdk.journal
    assert [event["type"] for event in front.journal[:4]] == ["session", "thought", "rejected", "thought"]


@pytest.mark.parametrize("levels", [30, 300, 900])
def test_what_is_nested_deeply_is_answered_alike(levels: int, warm: WarmServer, tmp_path: Path) -> None:
    deep: Any = {}
    for _ in range(levels):
        deep = {"a": deep}
    envelope = STATELESS_META | {protocol.CLIENT_CAPABILITIES_KEY: {"experimental": {"x": deep}}}
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
        front, sdk = both(lines(message, request("ping", number=2)), tmp_path / str(number), warm)

        assert comparable(front) == comparable(sdk)
        assert front.journal == sdk.journal


NOWHERE = {"SEQTHINK_JOURNAL_DIR": "/dev/null/nowhere"}


def _wishing(level: str | None) -> Message:
    """Return a call of the stateless era whose client wants log messages from ``level`` on."""
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
    ids=["once", "of many", "no handshake", "level", "above", "level changed", "modern", "modern level"],
)
@pytest.mark.parametrize("options", [(), ("--journal-required",)], ids=["waiting", "refused"])
def test_a_client_that_listens_is_warned_once_that_the_journal_cannot_be_written(
    messages: list[Message], warnings: int, options: tuple[str, ...], warm: WarmServer, tmp_path: Path
) -> None:
    sent = lines(*messages)
    front, sdk = (exchange((*lane, *options), sent, tmp_path, warm, NOWHERE) for lane in (FAST_PATH, SDK_PATH))

    told = [answer["params"] for answer in front.answers if answer.get("method") == "notifications/message"]
    assert len(told) == warnings
    assert all(set(one) == {"level", "logger", "data"} for one in told)
    assert all("the journal cannot be written: File exists" in one["data"] for one in told)
    assert comparable(front) == comparable(sdk)


@pytest.mark.parametrize("level", ["loud", None, 3, [], "WARNING"])
def test_a_level_that_there_is_not_is_refused_alike(level: object, warm: WarmServer, tmp_path: Path) -> None:
    front, sdk = both(lines(initialize(), request("logging/setLevel", {"level": level}, 2)), tmp_path, warm)

    assert front.answers[1]["error"]["code"] == -32602
    assert comparable(front) == comparable(sdk)


def _count(answer: Message) -> Any:  # noqa: ANN401 - absent from a refusal
    return answer["result"].get("structuredContent", {}).get("thoughtHistoryLength")


def _is_answered_by_the_front(messages: Sequence[Message | bytes]) -> bool:
    desk = RequestHandler("lenient")
    read = [read_message(lines(message).rstrip(b"\n")) for message in messages]
    return all(desk.answer(message) is not None for message in read if isinstance(message, IncomingRequest))


def _requests(case: Message, era: Era) -> list[Message | bytes]:
    """Return a recorded case as it would be sent in ``era``."""
    opening: list[Message | bytes] = [] if era == "modern" or case.get("no_init") else [initialize("2025-11-25")]
    return [*opening, *(_step(step, era, as_utf8=case.get("utf8", False)) for step in case["steps"])]


def _step(step: Message, era: Era, *, as_utf8: bool) -> bytes:
    raw = step.get("raw")
    if isinstance(raw, str):
        return raw.encode()
    message: Message = expanded(raw or call(step.get("arguments"), 7))
    if era == "modern" and isinstance(params := message.get("params", {}), dict):
        message["params"] = {**params, "_meta": STATELESS_META}
    return json.dumps(message, ensure_ascii=not as_utf8).encode()
