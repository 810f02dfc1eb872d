"""The listener: lines of both sides in, thoughts and refusals out."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.server.tap import listener as module
from seqthink.server.tap.listener import Heard, HeardRefusal, HeardThought, Listener
from seqthink.server.tap.watched_tools import WatchedTools
from seqthink.server.tools.thinking_tool import TOOL_NAMES
from tests.support.servers.wire import STATELESS_META, thought

Message = dict[str, Any]
OWN_TOOL = WatchedTools(TOOL_NAMES | {"think"}, {"step": "thoughtNumber", "text": "thought"})


def line(message: object) -> bytes:
    return json.dumps(message).encode()


def call(arguments: object = None, request_id: object = 1, name: object = "sequentialthinking", **params: Any) -> bytes:  # noqa: ANN401 - whatever a client sends
    params = {"name": name, "arguments": thought() if arguments is None else arguments, **params}
    return line({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params})


def answer(body: object = None, request_id: object = 1, **more: Any) -> bytes:  # noqa: ANN401 - whatever a server sends
    content = [{"type": "text", "text": body if isinstance(body, str) else json.dumps(body or {})}]
    return line({"jsonrpc": "2.0", "id": request_id, "result": {"content": content, **more}})


def heard(*lines: tuple[str, bytes], tools: WatchedTools = OWN_TOOL) -> list[Heard]:
    """Return what is heard of lines, each with `>` for the client's and `<` for the server's."""
    listener = Listener(tools)
    return [
        one for side, data in lines for one in (listener.hear_client if side == ">" else listener.hear_server)(data)
    ]


def only_thought(*lines: tuple[str, bytes]) -> Message:
    [one] = heard(*lines)
    assert isinstance(one, HeardThought)
    return {name: value for name, value in one.fields.items() if value is not None}


def only_error(*lines: tuple[str, bytes]) -> str:
    [one] = heard(*lines)
    assert isinstance(one, HeardRefusal)
    return one.error


# What is a thought


@pytest.mark.parametrize("name", ["sequentialthinking", "sequential_thinking", "think"])
def test_an_answered_call_of_a_watched_tool_is_a_thought(name: str) -> None:
    assert only_thought((">", call(name=name)), ("<", answer())) == thought()


@pytest.mark.parametrize("name", ["Sequentialthinking", "sequentialThinking", "read", "", None, 1])
def test_other_tools_are_not_heard(name: object) -> None:
    assert heard((">", call(name=name)), ("<", answer())) == []


def test_nothing_is_said_before_the_answer() -> None:
    assert heard((">", call())) == []


def test_a_batch_is_read_as_its_messages() -> None:
    calls = [json.loads(call(thought(text), request_id=text)) for text in ("a", "b")]
    answers = [json.loads(answer(request_id=text)) for text in ("b", "a")]

    both = heard((">", line([*calls, 7, None])), ("<", line(answers)))

    assert [one.call.arguments["thought"] for one in both] == ["b", "a"]


def test_a_byte_order_mark_before_the_first_line_of_a_side_costs_nothing() -> None:
    mark = "\ufeff".encode()

    assert only_thought((">", mark + call()), ("<", mark + answer())) == thought()


def test_thoughts_come_in_the_order_of_the_answers() -> None:
    lines = [(">", call(thought("a"), 1)), (">", call(thought("b"), 2)), ("<", answer(request_id=2)), ("<", answer())]

    assert [one.call.arguments["thought"] for one in heard(*lines)] == ["b", "a"]


def test_an_id_as_a_number_is_not_the_same_as_text() -> None:
    assert heard((">", call(request_id=1)), ("<", answer(request_id="1")), ("<", answer(request_id=True))) == []


def test_a_request_of_the_server_with_the_same_id_answers_nothing() -> None:
    request = line({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage", "params": {}})

    assert heard((">", call()), ("<", request)) == []


def test_an_escaped_slash_is_a_slash() -> None:
    assert only_thought((">", call().replace(b"tools/call", b"tools\\/call")), ("<", answer()))


def test_a_call_that_the_server_asks_something_about_is_reported_when_it_comes_again() -> None:
    lines = [
        (">", call()),
        ("<", answer(resultType="input_required")),
        (">", call(request_id=2)),
        ("<", answer(request_id=2)),
    ]

    assert only_thought(*lines) == thought()


# How the answer differs


@pytest.mark.parametrize(
    ("arguments", "body", "differs"),
    [
        (thought(number=2, total=3), {"totalThoughts": 3, "nextThoughtNeeded": True}, {}),
        (thought(number=5, total=3), {"totalThoughts": 5}, {"totalThoughts": 5, "requestedTotal": 3}),
        (thought(number=5, total=3), {}, {"totalThoughts": 5, "requestedTotal": 3}),
        (thought(number=1, total=3), {"totalThoughts": 9}, {"totalThoughts": 9, "requestedTotal": 3}),
        (thought(number=1, total=3), {"totalThoughts": 2}, {}),
        (thought(number=1, total=3), {"totalThoughts": "9"}, {}),
        (thought(number=1, total=3), {"totalThoughts": True}, {}),
        (thought(number=1, total=3), {"totalThoughts": 2**53}, {}),
        (thought(), {"nextThoughtNeeded": False}, {"answeredNext": False}),
        (thought(), {"next_thought_needed": False}, {"answeredNext": False}),
        (thought(), {"nextThoughtNeeded": "no"}, {}),
        (thought(), {"hint": "go on"}, {"hint": "go on"}),
        (thought(number="2"), {}, {"thoughtNumber": 2, "coerced": ["thoughtNumber"]}),
        (thought(branchId=[7], revisesThought=0), {}, {"coerced": ["revisesThought", "branchId"]}),
        (thought(branchId=7), {}, {"branchId": "7", "coerced": ["branchId"]}),
    ],
)
def test_the_event_says_how_the_answer_differs(arguments: Message, body: Message, differs: Message) -> None:
    expected = {name: value for name, value in arguments.items() if name not in differs.get("coerced", ())} | differs

    assert only_thought((">", call(arguments)), ("<", answer(body))) == expected
    assert only_thought((">", call(arguments)), ("<", answer("read by people", structuredContent=body))) == expected


def test_an_answer_in_words_is_an_answer() -> None:
    assert only_thought((">", call()), ("<", answer("{ well done"))) == thought()


# Other spellings


def test_names_in_snake_case_are_understood_where_there_are_none_in_camel_case() -> None:
    arguments = {
        "thought": "t",
        "next_thought_needed": False,
        "thought_number": 2,
        "total_thoughts": 3,
        "is_revision": True,
        "revises_thought": 1,
        "branch_from_thought": 1,
        "branch_id": "b",
        "needs_more_thoughts": False,
        "available_tools": ["x"],
    }

    assert only_thought((">", call(arguments, name="think")), ("<", answer())) == {
        "thought": "t",
        "nextThoughtNeeded": False,
        "thoughtNumber": 2,
        "totalThoughts": 3,
        "isRevision": True,
        "revisesThought": 1,
        "branchFromThought": 1,
        "branchId": "b",
        "needsMoreThoughts": False,
    }


def test_snake_case_beside_camel_case_is_a_repair_and_camel_case_counts() -> None:
    arguments = thought(branch_id="b", thought_number=7, revises_thought=0)

    assert only_thought((">", call(arguments)), ("<", answer())) == thought(
        branchId="b", coerced=["branchId", "revisesThought"]
    )


def test_arguments_that_a_string_holds_are_read() -> None:
    spelled = json.dumps(thought("t", "2"))

    assert only_thought((">", call(spelled)), ("<", answer())) == thought(
        "t", 2, coerced=["arguments", "thoughtNumber"]
    )


def test_a_field_that_was_named_is_taken_from_where_it_is() -> None:
    arguments = {"text": "mine", "step": 4, "total_thoughts": 5, "next_thought_needed": True}

    found = only_thought((">", call(arguments, name="think")), ("<", answer()))

    assert found == thought("mine", 4, 5)


# What is refused


@pytest.mark.parametrize(
    ("result", "error"),
    [
        ({"content": [{"type": "text", "text": '{"error": "too short", "status": "failed"}'}]}, "too short"),
        ({"content": [{"type": "text", "text": "MCP error -32602: bad"}]}, "MCP error -32602: bad"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"content": [{"type": "text", "text": '{"error": 1}'}]}, '{"error": 1}'),
        ({"content": []}, module.NO_REASON),
        ({"content": "?"}, module.NO_REASON),
        ({}, module.NO_REASON),
    ],
)
def test_an_error_of_the_tool_is_a_refusal_with_its_text(result: Message, error: str) -> None:
    answered = line({"jsonrpc": "2.0", "id": 1, "result": {**result, "isError": True}})

    assert only_error((">", call()), ("<", answered)) == error


@pytest.mark.parametrize(
    ("error", "text"),
    [({"code": -32602, "message": "no"}, "no"), ({"code": 1}, module.NO_REASON), ("x", module.NO_REASON)],
)
def test_an_error_of_the_protocol_is_a_refusal(error: object, text: str) -> None:
    assert only_error((">", call()), ("<", line({"jsonrpc": "2.0", "id": 1, "error": error}))) == text


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"thought": "t", "nextThoughtNeeded": True, "totalThoughts": 1}, "Invalid thoughtNumber: must be a positive"),
        (thought(number=0), "Invalid thoughtNumber: must be a positive integer, got 0"),
        (thought(text=""), "Invalid thought: must be a non-empty string"),
        ([1], "Invalid arguments: must be an object"),
    ],
)
def test_what_no_event_can_hold_is_a_refusal_that_keeps_the_arguments(arguments: object, problem: str) -> None:
    [one] = heard((">", call(arguments)), ("<", answer()))

    assert isinstance(one, HeardRefusal)
    assert one.error.startswith(f"{module.NOT_HELD}: {problem}")
    assert one.call.arguments == arguments


# No answer


def cancelled(request_id: object = 1) -> bytes:
    params = {"requestId": request_id, "reason": "user"}
    return line({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})


def test_a_call_without_an_answer_is_refused_at_the_end() -> None:
    listener = Listener(OWN_TOOL)
    for data in (call(request_id=1), call(request_id=2), cancelled(2), cancelled(3)):
        assert listener.hear_client(data) == []

    assert [getattr(one, "error", None) for one in listener.end()] == [module.SERVER_ENDED, module.CALLED_OFF]
    assert listener.end() == []


def test_a_call_that_was_called_off_is_refused_when_a_later_one_is_answered() -> None:
    lines = [(">", call(thought("a"))), (">", cancelled()), (">", call(thought("b"), 2)), ("<", answer(request_id=2))]

    first, second = heard(*lines)

    assert isinstance(first, HeardRefusal)
    assert (first.error, first.call.arguments["thought"]) == (module.CALLED_OFF, "a")
    assert isinstance(second, HeardThought)


def test_an_answer_that_was_on_the_way_when_its_call_was_called_off_counts() -> None:
    assert only_thought((">", call()), (">", cancelled()), ("<", answer())) == thought()


def test_an_id_that_is_used_again_ends_the_wait_for_the_first_answer() -> None:
    first, second = heard((">", call(thought("a"))), (">", call(thought("b"))), ("<", answer()), ("<", answer()))

    assert isinstance(first, HeardRefusal)
    assert (first.error, first.call.arguments["thought"]) == (module.ID_REUSED, "a")
    assert second.call.arguments["thought"] == "b"


def test_calls_that_are_never_answered_are_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_OPEN_CALLS", 3)
    listener = Listener(OWN_TOOL)

    given_up = [one for number in range(5) for one in listener.hear_client(call(thought(str(number)), number))]

    assert [one.call.arguments["thought"] for one in given_up] == ["0", "1"]
    assert {getattr(one, "error", None) for one in given_up} == {module.OVERTAKEN}


# Who speaks


def test_client_and_server_introduce_themselves_in_the_handshake() -> None:
    listener = Listener(OWN_TOOL)
    params = {"protocolVersion": "2025-06-18", "clientInfo": {"name": "c", "version": "1", "title": "C"}}
    listener.hear_client(line({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}))
    result = {"protocolVersion": "2025-03-26", "serverInfo": {"name": "s"}}
    listener.hear_server(line({"jsonrpc": "2.0", "id": 0, "result": result}))

    assert listener.connection == ({"name": "c", "version": "1"}, {"name": "s", "version": ""}, "2025-03-26")


def test_without_a_handshake_each_call_says_who_sends_it() -> None:
    listener = Listener(OWN_TOOL)
    listener.hear_client(call(_meta=STATELESS_META))
    listener.hear_server(answer(_meta={"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "2"}}))

    client = {"name": "stateless-client", "version": "2"}
    assert listener.connection == (client, {"name": "s", "version": "2"}, "2026-07-28")


def test_the_agent_and_the_client_s_id_of_the_call_are_those_of_the_server_s_own_rules() -> None:
    meta = {"threadId": "t2", "sessionId": "t1", "callId": "c9", "x-codex-turn-metadata": {"agent_name": "Ada"}}
    [codex] = heard((">", call(_meta=meta)), ("<", answer()))
    [claude] = heard((">", call(_meta={"claudecode/toolUseId": "toolu_1"})), ("<", answer()))

    assert (codex.call.agent.id, codex.call.agent.name, codex.call.id) == ("t2", "Ada", "c9")
    assert (claude.call.agent.id, claude.call.id) == (None, "toolu_1")


# Whatever comes

KEYS = ["id", "method", "params", "result", "error", "name", "arguments", "content", "text", "isError", "message"]
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


def mostly(*usual: object) -> st.SearchStrategy[object]:
    return st.sampled_from(usual) | values


messages = st.fixed_dictionaries(
    {},
    optional={
        "id": mostly(1, 2, "1"),
        "method": mostly("tools/call", "initialize", "notifications/cancelled"),
        "params": st.fixed_dictionaries(
            {},
            optional={
                "name": mostly("think"),
                "arguments": mostly(thought()),
                "requestId": mostly(1),
                "_meta": values,
                "clientInfo": values,
                "protocolVersion": values,
            },
        )
        | values,
        "result": values,
        "error": values,
    },
)
lines_of_both = st.lists(
    st.tuples(
        st.sampled_from("<>"),
        st.one_of(messages, st.lists(messages, max_size=3), values).map(line) | st.binary(max_size=40),
    ),
    max_size=12,
)


@given(lines_of_both)
def test_no_line_raises_and_every_watched_call_is_reported_at_most_once(lines: list[tuple[str, bytes]]) -> None:
    listener = Listener(OWN_TOOL)
    reported = [
        one for side, data in lines for one in (listener.hear_client if side == ">" else listener.hear_server)(data)
    ]
    reported += listener.end()

    assert len(reported) <= sum(data.count(b"tools/call") for side, data in lines if side == ">")
    for one in reported:
        if isinstance(one, HeardThought):
            assert isinstance(one.fields["thought"], str)
            assert one.fields["totalThoughts"] >= one.fields["thoughtNumber"] >= 1
        else:
            assert one.error


@given(st.lists(st.tuples(st.sampled_from("co"), st.integers(0, 3)), max_size=30))
def test_every_call_is_reported_exactly_once(steps: list[tuple[str, int]]) -> None:
    listener = Listener(OWN_TOOL)
    reported: list[Heard] = []
    sent = 0
    for kind, request_id in steps:
        if kind == "c":
            reported += listener.hear_client(call(thought(str(sent)), request_id))
            sent += 1
        else:
            reported += listener.hear_server(answer(request_id=request_id))
    reported += listener.end()

    assert sorted(int(one.call.arguments["thought"]) for one in reported) == list(range(sent))
