"""Hypothesis strategies for client messages: good frames, odd ones, and bytes that are none."""

import json
from typing import Any

from hypothesis import strategies as st

from tests.support.servers.server_paths import call, initialize, request
from tests.support.servers.wire import STATELESS_META, Message

Values = st.SearchStrategy[Any]

TOOLS = ("sequentialthinking", "sequential_thinking", "nope")
METHODS = (
    *("initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list", "logging/setLevel"),
    *("prompts/list", "prompts/get", "subscriptions/listen", "notifications/initialized", "no/such", ""),
)
AGENT_KEYS = ("threadId", "sessionId", "callId", "claudecode/toolUseId", "x-codex-turn-metadata")
META_KEYS = (*STATELESS_META, "io.modelcontextprotocol/logLevel", "progressToken", *AGENT_KEYS, "other")
PARAM_KEYS = (
    *("name", "arguments", "_meta", "cursor", "task", "inputResponses", "requestState", "protocolVersion"),
    *("capabilities", "clientInfo", "level", "other"),
)
NOTIFICATIONS = ("notifications/initialized", "notifications/cancelled", "notifications/progress", "nonsense")

# Includes lone surrogates: `json.dumps` escapes them.
_texts: st.SearchStrategy[str] = st.one_of(
    st.sampled_from(["", "t", "2026-07-28", "2025-06-18", "info", "b", " 2 ", "true", "abc", "\ud800", "é\u2028\x00"]),
    st.text(st.characters(exclude_categories=()), max_size=6),
)
_scalars: Values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 5),
    st.sampled_from([2**53, 10**30, 1.0, 1.5, -0.0, 1e300]),
    _texts,
)


def _nested(inner: Values) -> Values:
    return st.one_of(st.lists(inner, max_size=2), st.dictionaries(_texts, inner, max_size=2))


values: Values = st.recursive(_scalars, _nested, max_leaves=5)


def _also(one: Message, more: Message) -> Message:
    return {**one, **more}


def _with(message: Message, params: Message) -> Message:
    return {**message, "params": {**message.get("params", {}), **params}}


def _called(arguments: object, number: object, is_stateless: bool, agent: Message) -> Message:
    meta = (STATELESS_META if is_stateless else {}) | agent
    return _with(call(arguments, number), {"_meta": meta} if meta else {})


def _asked(method: str, meta: object, number: object) -> Message:
    return request(method, {} if meta is None else {"_meta": meta}, number)


def _filled_in(name: object, arguments: object, number: object, is_stateless: bool) -> Message:
    meta = {"_meta": STATELESS_META} if is_stateless else {}
    return request("prompts/get", {"name": name, "arguments": arguments, **meta}, number)


def _set(level: object, number: object) -> Message:
    return request("logging/setLevel", {"level": level}, number)


def _opened(version: str, client: object, capabilities: object, number: object) -> Message:
    return _with(initialize(version, client, number), {"capabilities": capabilities})


def _noted(method: str, params: object) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _line(message: object) -> bytes:
    return json.dumps(message).encode()


def _beginning(line: bytes, end: int) -> bytes:
    return line[: end % (len(line) + 1)]


def _rest(line: bytes, end: int) -> bytes:
    return line[end % (len(line) + 1) :]


def _unbroken(data: bytes) -> bytes:
    return data.replace(b"\n", b" ")


_thoughts: st.SearchStrategy[Message] = st.fixed_dictionaries(
    {
        "thought": st.sampled_from(["a", "b", "思", "", "\udc00"]),
        "nextThoughtNeeded": st.booleans(),
        "thoughtNumber": st.sampled_from([1, 2, "3", 0]),
        "totalThoughts": st.integers(1, 4),
    },
    optional={
        "isRevision": st.booleans(),
        "revisesThought": st.integers(1, 3),
        "branchFromThought": st.integers(1, 3),
        "branchId": st.sampled_from(["x", "y", "10", "\ud800", 10, -1, 2.0, 2**53, None, True]),
        "needsMoreThoughts": _scalars,
        "thought_number": st.sampled_from([1, "2", None]),
        "branch_id": st.sampled_from(["x", 7, None]),
        "branch_from_thought": _scalars,
    },
)
_spelled_in_snake_case: st.SearchStrategy[Message] = st.fixed_dictionaries(
    {
        "thought": st.sampled_from(["a", "b"]),
        "next_thought_needed": st.sampled_from([True, "true", 1]),
        "thought_number": st.sampled_from([1, "2"]),
        "total_thoughts": st.integers(1, 4),
    }
)
_objects = st.one_of(_thoughts, _spelled_in_snake_case)
_arguments: Values = st.one_of(
    _thoughts,
    _spelled_in_snake_case,
    _objects.map(json.dumps),
    values.map(json.dumps),
    st.builds(_also, _thoughts, st.dictionaries(_texts, values, max_size=2)),
    values,
)
_ids: Values = st.one_of(st.integers(1, 9), st.integers(1, 9), st.sampled_from(["a", "7", ""]), values)
_capabilities: Values = st.one_of(
    st.just({}),
    st.dictionaries(
        st.sampled_from(["roots", "sampling", "elicitation", "experimental", "extensions", "tasks", "other"]),
        st.one_of(
            st.just({}),
            st.dictionaries(
                st.sampled_from(["listChanged", "tools", "form", "requests", "x"]),
                st.one_of(st.just({}), values),
                max_size=2,
            ),
            values,
        ),
        max_size=2,
    ),
    values,
)
_clients: Values = st.one_of(
    st.just({"name": "c", "version": "1"}),
    st.fixed_dictionaries(
        {"name": _texts, "version": _texts},
        optional={
            "title": _scalars,
            "websiteUrl": _scalars,
            "description": _scalars,
            "icons": st.one_of(values, st.just([{"src": "x", "mimeType": None}]), st.just([{"src": "x", "sizes": 5}])),
            "other": values,
        },
    ),
    values,
)
_envelopes: Values = st.one_of(
    st.just(STATELESS_META),
    st.builds(
        _also,
        st.fixed_dictionaries(
            {
                "io.modelcontextprotocol/protocolVersion": st.just("2026-07-28"),
                "io.modelcontextprotocol/clientCapabilities": _capabilities,
                "io.modelcontextprotocol/clientInfo": _clients,
            }
        ),
        st.dictionaries(st.one_of(st.sampled_from(META_KEYS), _texts), values, max_size=1),
    ),
)
_metas: Values = st.one_of(
    st.just({}),
    _envelopes,
    st.dictionaries(st.one_of(st.sampled_from(META_KEYS), _texts), values, max_size=2),
    values,
)


_names: Values = st.one_of(st.sampled_from(["A", "B", "S", "\ud800", "x" * 300, "x" * 299 + "y"]), values)
_turns: st.SearchStrategy[Message] = st.fixed_dictionaries(
    {}, optional=dict.fromkeys(("model", "parent_thread_id", "agent_name", "other"), _names)
)
_agents: st.SearchStrategy[Message] = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(AGENT_KEYS[:4], _names),
        AGENT_KEYS[4]: st.one_of(_turns, _turns.map(json.dumps), values, st.just("[" * 5000)),
    },
)
_calls = st.builds(_called, _arguments, _ids, st.booleans(), st.one_of(st.just({}), _agents))
_prompts = st.builds(
    _filled_in,
    st.one_of(st.sampled_from(["think", "debug", "decide"]), _texts, values),
    st.one_of(
        st.dictionaries(st.sampled_from(["problem", "symptom", "known", "question"]), st.one_of(_texts, values)),
        values,
    ),
    _ids,
    st.booleans(),
)
_plain = st.one_of(
    _prompts,
    st.builds(_asked, st.sampled_from(["ping", "tools/list", "prompts/list"]), st.none(), _ids),
    st.builds(_asked, st.sampled_from(["tools/list", "prompts/list", "server/discover"]), _envelopes, _ids),
    st.builds(_set, st.one_of(st.sampled_from(["debug", "warning", "alert"]), values), _ids),
    st.builds(
        _opened,
        st.one_of(st.sampled_from(["2025-06-18", "2025-11-25", "2026-07-28", "1999"]), _texts),
        _clients,
        _capabilities,
        _ids,
    ),
)
_odd = st.builds(
    _with,
    st.one_of(_calls, _plain),
    st.one_of(
        st.dictionaries(st.sampled_from(PARAM_KEYS), values, max_size=2),
        st.fixed_dictionaries({"_meta": _metas}),
        st.fixed_dictionaries({"name": st.sampled_from(TOOLS)}),
    ),
)
_any: st.SearchStrategy[Message] = st.fixed_dictionaries(
    {"jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2])},
    optional={
        "id": _ids,
        "method": st.one_of(st.sampled_from(METHODS), values),
        "params": st.one_of(st.dictionaries(st.sampled_from(PARAM_KEYS), values, max_size=3), values),
        "result": values,
        "error": values,
        "other": values,
    },
)
_notifications = st.builds(
    _noted,
    st.sampled_from(NOTIFICATIONS),
    st.one_of(st.just({}), st.fixed_dictionaries({"requestId": _ids}), values),
)
_whole = st.one_of(_calls, _calls, _plain, _odd, _any, _notifications).map(_line)

frames: st.SearchStrategy[bytes] = st.one_of(
    _whole,
    _whole,
    _whole,
    st.lists(st.one_of(_calls, _plain), max_size=2).map(_line),
    st.builds(_beginning, _whole, st.integers(0, 10_000)),
    st.builds(_rest, _whole, st.integers(0, 10_000)),
    st.binary(max_size=20).map(_unbroken),
    st.sampled_from([b"", b"{}", b"null", b"NaN", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":' + b"[" * 3000]),
)
"""One line that a client might send, without its newline."""
