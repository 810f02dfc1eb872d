"""Questions to the client's model and user, with both kinds of versions: messages, results and journal."""

import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.servers.dialogue_clients import (
    CAPABILITIES,
    CLIENTS,
    Answers,
    DialogueServer,
    HandshakeClient,
    StatelessClient,
    no_answer,
    structured_result,
    text_answer,
    tool_use_answer,
)
from tests.support.servers.dialogue_server import Move
from tests.support.servers.warm_server import TIMEOUT_SECONDS
from tests.support.servers.wire import Message

CHOICE = {
    "type": "object",
    "properties": {
        "name": {"title": "Name", "type": "string"},
        "size": {"title": "Size", "type": "string", "enum": ["small", "large"], "default": "small"},
        "count": {"title": "Count", "type": "integer"},
    },
    "required": ["name"],
}
RESULT: Message = text_answer("") | {"content": [{"type": "tool_result", "toolUseId": "x", "content": list[str]()}]}
RECEIVED = {"type": "text", "text": "Received."}


@pytest.fixture(scope="module", params=CLIENTS)
def version(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def server(version: str, tmp_path_factory: pytest.TempPathFactory) -> Generator[DialogueServer]:
    with DialogueServer(tmp_path_factory.mktemp(version)) as server:
        yield server


@pytest.fixture(scope="module")
def connected(version: str, server: DialogueServer) -> HandshakeClient | StatelessClient:
    return CLIENTS[version](server.wire)


@pytest.fixture
def host(connected: HandshakeClient | StatelessClient) -> HandshakeClient | StatelessClient:
    connected.questions.clear()
    connected.notifications.clear()
    return connected


def one_by_one(*answers: Message | None) -> Answers:
    left: Iterator[Message | None] = iter(answers)
    return lambda _question: next(left)


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT_SECONDS
    while not is_so():
        assert time.monotonic() < end


def params(question: Message) -> Message:
    """Return what a question asks; the SDK may add `_meta`."""
    return {name: value for name, value in question["params"].items() if name != "_meta"}


def said(words: str) -> Message:
    return {"type": "text", "text": words}


# The model


def test_a_plain_sample_is_one_message_each_way_and_two_in_the_history(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    made = structured_result(host.call("sample", {"ask": "Why?"}, one_by_one(text_answer("Because."))))
    [question] = host.questions

    history = [{"role": "user", "content": said("Why?")}, {"role": "assistant", "content": said("Because.")}]
    assert question["method"] == "sampling/createMessage"
    assert params(question) == {"messages": history[:1], "maxTokens": 4096}
    assert made == {"messages": history, "model": "m"}
    assert server.journaled("asking", "sample") == [
        {"type": "asking", "purpose": "ask", "kind": "sample"},
        {"type": "sample", "purpose": "ask", "messages": history, "model": "m", "attempt": 1},
    ]


def test_a_structured_sample_asks_by_the_reserved_tool_and_is_three_messages(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    made = structured_result(
        host.call("move", {"ask": "Move!"}, one_by_one(tool_use_answer("__schema__", {"square": "b2", "score": 7})))
    )
    [question] = host.questions

    history = [
        {"role": "user", "content": said("Move!")},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "c1", "name": "__schema__", "input": {"square": "b2", "score": 7}}
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "toolUseId": "c1", "content": [RECEIVED]}]},
    ]  # fmt: skip
    assert params(question) == {
        "messages": history[:1],
        "maxTokens": 4096,
        "modelPreferences": {"hints": [{"name": "judge"}]},
        "tools": [
            {
                "name": "__schema__",
                "description": "Respond with structured data matching this schema.",
                "inputSchema": Move.model_json_schema(),
            }
        ],
        "toolChoice": {"mode": "required"},
    }
    assert made == {"messages": history, "parsed": {"square": "b2", "score": 7}}
    [kept] = server.journaled("sample")
    assert (kept["messages"], kept["parsed"]) == (history, {"square": "b2", "score": 7})


def test_a_model_that_errs_learns_from_the_tool_s_result_what_is_wrong_and_is_asked_again(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    bad = tool_use_answer("__schema__", {"square": "z9", "score": 7}, "bad")
    made = structured_result(
        host.call(
            "move", {"ask": "Move!"}, one_by_one(bad, tool_use_answer("__schema__", {"square": "a1", "score": 1}))
        )
    )
    first, second = host.questions

    assert second["params"]["messages"][:2] == [
        *first["params"]["messages"],
        {"role": "assistant", "content": bad["content"]},
    ]
    [answered] = second["params"]["messages"][2]["content"]
    problem = "the input does not fit the schema: square: Input should be 'a1', 'b2' or 'c3'"
    assert answered == {"type": "tool_result", "toolUseId": "bad", "isError": True, "content": [said(problem)]}
    assert [one["messages"] for one in made["messages"] if "messages" in one] == []
    assert len(made["messages"]) == 3
    kept = server.journaled("sample")
    assert [(one["attempt"], one.get("error")) for one in kept] == [(1, problem), (2, None)]


@pytest.mark.parametrize(
    ("answer", "problem", "correction"),
    [
        (text_answer("b2, I think"), "the answer is text; it must be a call of __schema__", "text"),
        (tool_use_answer("move", {}), "the answer calls move; it must call __schema__", "tool_result"),
        (
            RESULT,
            "the answer holds a tool's result; only the user's messages may",
            "text",
        ),
    ],
    ids=["text", "another tool", "a result"],
)
def test_an_answer_of_another_kind_is_asked_for_again_and_at_last_given_up(
    host: HandshakeClient | StatelessClient, server: DialogueServer, answer: Message, problem: str, correction: str
) -> None:
    made = structured_result(host.call("move", {"ask": "Move!"}, lambda _question: answer))

    assert made == {"error": "BadAnswerError", "text": f"{problem} (asked 3 times)"}
    assert len(host.questions) == 3
    last = host.questions[2]["params"]["messages"][-1]["content"]
    assert (last[0] if isinstance(last, list) else last)["type"] == correction
    assert [(one["attempt"], one["error"]) for one in server.journaled("sample")] == [(n, problem) for n in (1, 2, 3)]


def test_the_use_of_a_tool_is_guaranteed(host: HandshakeClient | StatelessClient) -> None:
    made = structured_result(
        host.call("use", {"ask": "Do!"}, one_by_one(text_answer("no"), tool_use_answer("listen", {})))
    )

    assert made["used"] == ["listen"]
    assert [tool["name"] for tool in host.questions[0]["params"]["tools"]] == ["look", "listen"]
    assert host.questions[1]["params"]["messages"][-1] == {
        "role": "user",
        "content": said("the answer is text; it must be a call of listen or look"),
    }


# The user


def test_a_form_is_asked_and_its_answer_is_typed(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    made = structured_result(
        host.call("elicit", {"ask": "Which?"}, one_by_one({"action": "accept", "content": {"name": "x"}}))
    )
    [question] = host.questions
    asked, answered = made["messages"]

    assert question["method"] == "elicitation/create"
    assert params(question) == {"mode": "form", "message": "Which?", "requestedSchema": CHOICE}
    assert (made["action"], made["content"]) == ("accept", {"name": "x", "size": "small", "count": None})
    [used], [result] = asked["content"], answered["content"]
    form = {"message": "Which?", "requestedSchema": CHOICE}
    assert used == {"type": "tool_use", "id": used["id"], "name": "elicit", "input": form}
    assert (asked["role"], answered["role"], result["toolUseId"]) == ("assistant", "user", used["id"])
    [kept] = server.journaled("elicit")
    assert (kept["action"], kept["content"], kept["messages"]) == ("accept", {"name": "x"}, made["messages"])


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_a_user_may_decline_a_form(
    host: HandshakeClient | StatelessClient, server: DialogueServer, action: str
) -> None:
    made = structured_result(host.call("elicit", {"ask": "Which?"}, one_by_one({"action": action})))

    assert (made["action"], made["content"]) == (action, None)
    [kept] = server.journaled("elicit")
    assert (kept["action"], "content" in kept, "error" in kept) == (action, False, False)


def test_a_handoff_runs_each_phase_once_in_order_however_often_the_call_comes_again(
    host: HandshakeClient | StatelessClient,
) -> None:
    answers = [{"action": "accept", "content": {"name": name}} for name in ("3c", "4a")]

    made = structured_result(host.call("reserve", {}, one_by_one(*answers)))

    assert made == {"asked": "Which seat?", "chosen": "4a", "phases": ["before", "client", "after"]}


def test_a_phase_that_fails_ends_the_handoff(host: HandshakeClient | StatelessClient) -> None:
    made = structured_result(host.call("reserve", {}, one_by_one({"action": 5})))

    assert made["error"] == "BadAnswerError"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"action": "accept"}, "name: Field required"),
        ({"action": "accept", "content": {"name": "x", "size": "huge"}}, "size: Input should be 'small' or 'large'"),
    ],
    ids=["nothing", "too much"],
)
def test_a_form_that_is_filled_in_wrongly_is_reported_and_journaled(
    host: HandshakeClient | StatelessClient, server: DialogueServer, answer: Message, problem: str
) -> None:
    made = structured_result(host.call("elicit", {"ask": "Which?"}, one_by_one(answer)))

    assert made == {"error": "BadAnswerError", "text": f"the answer does not fit the form: {problem}"}
    [kept] = server.journaled("elicit")
    assert (kept["action"], kept["error"]) == ("accept", made["text"])


def test_several_questions_have_answers_by_their_keys(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    def answer(question: Message) -> Message:
        return {"action": "accept", "content": {"name": question["params"]["message"].upper()}}

    made = structured_result(host.call("elicits", {"asks": {"one": "a", "two": "b"}}, answer))

    assert made == {"one": "A", "two": "B"}
    assert [one["purpose"] for one in server.journaled("asking", "elicit")] == ["one", "two", "one", "two"]


def test_one_answer_of_several_that_is_bad_does_not_lose_the_others(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    answers = one_by_one({"action": "accept", "content": {"name": "x"}}, {"action": "accept", "content": {"name": 5}})
    made = structured_result(host.call("elicits", {"asks": {"one": "a", "two": "b"}}, answers))

    assert made["error"] == "BadAnswerError"
    assert [("error" in one, one["content"]) for one in server.journaled("elicit")] == [
        (False, {"name": "x"}),
        (True, {"name": 5}),
    ]


def test_url_mode_is_refused_with_what_to_use_instead(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    made = structured_result(host.call("elicit", {"ask": "Which?", "mode": "url"}, no_answer))

    assert made["error"] == "UrlModeError"
    assert made["text"].startswith("URL elicitation mode is not supported by seqthink. Use form mode (default)")
    assert (host.questions, server.journaled("asking", "elicit")) == ([], [])


# Errors, time, structure


def test_a_question_without_an_answer_ends_with_its_time(
    host: HandshakeClient | StatelessClient, server: DialogueServer
) -> None:
    call = {"ask": "Which?", "seconds": 0.2}
    made = structured_result(host.call("elicit", call, no_answer))

    assert made == {"error": "NoAnswerError", "text": "no answer within 0.2 s"}
    assert server.journaled("elicit") == [{"type": "elicit", "purpose": "choice", "error": "no answer within 0.2 s"}]


def test_the_same_question_twice_makes_one_valid_history(host: HandshakeClient | StatelessClient) -> None:
    answer = {"action": "accept", "content": {"name": "x"}}
    made = structured_result(host.call("twice", {"ask": "?", "seconds": [9, 9]}, one_by_one(answer, answer)))

    ids = [message["content"][0]["id"] for message in made["messages"][::2]]
    assert len(set(ids)) == 2
    assert [message["content"][0]["toolUseId"] for message in made["messages"][1::2]] == ids


def test_model_and_user_are_asked_at_the_same_time_and_then_again(host: HandshakeClient | StatelessClient) -> None:
    def answer(question: Message) -> Message:
        return text_answer("x") if question["method"] == "sampling/createMessage" else {"action": "decline"}

    made = structured_result(host.call("both", {"ask": "?"}, answer, progressToken="t"))

    assert made == {"model": "m", "person": "decline", "last": "decline"}
    assert [note["params"] for note in host.notifications] == [
        {"progressToken": "t", "progress": 1.0, "total": 2.0, "message": "half"}
    ]


def test_a_task_that_fails_cancels_the_others(host: HandshakeClient | StatelessClient, server: DialogueServer) -> None:
    made = structured_result(
        host.call(
            "fail", {"ask": "?"}, lambda one: text_answer("x") if one["method"] == "sampling/createMessage" else None
        )
    )

    assert made == {"error": "DialogueError", "text": "a child failed"}
    [kept] = server.journaled("elicit")
    assert kept["error"] == "the call was called off"


def test_only_a_client_that_gave_a_token_gets_progress(host: HandshakeClient | StatelessClient) -> None:
    host.call("report", {}, no_answer)

    assert [note["method"] for note in host.notifications if note["method"] == "notifications/progress"] == []


def test_a_log_message_goes_to_a_client_that_wants_its_level(host: HandshakeClient | StatelessClient) -> None:
    level = {"io.modelcontextprotocol/logLevel": "info"}
    host.call("report", {}, no_answer, **level)

    assert [note["params"] for note in host.notifications] == [
        {"level": "warning", "logger": "seqthink", "data": {"disk": "full"}}
    ]


def test_a_handshake_client_sets_its_log_level_once(tmp_path: Path) -> None:
    with DialogueServer(tmp_path) as server:
        host = HandshakeClient(server.wire)
        for level in ("error", "notice"):
            host.wire.ask("logging/setLevel", {"level": level})
            host.call("report", {}, no_answer)

    assert [note["params"]["level"] for note in host.notifications] == ["warning"]


def test_an_error_in_a_tool_fails_its_call_and_no_other(host: HandshakeClient | StatelessClient) -> None:
    failed = host.call("trip", {}, no_answer)
    made = structured_result(host.call("sample", {"ask": "?"}, one_by_one(text_answer("x"))))

    assert failed["error"]["code"] in {0, -32603}
    assert made["model"] == "m"


def test_a_cancelled_call_stops_its_work(host: HandshakeClient | StatelessClient, server: DialogueServer) -> None:
    call = host.send("hang", {}, progressToken="t")
    assert server.wire.receive()["params"]["progress"] == 1
    server.wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
    wait_until(lambda: server.journaled("sample") != [])

    assert server.journaled("sample") == [{"type": "sample", "purpose": "hang", "error": "stopped"}]


# What a client cannot do


@pytest.mark.parametrize(
    ("capabilities", "tool", "what"),
    [
        ({}, "sample", "sampling"),
        ({}, "elicit", "elicitation"),
        ({}, "move", "sampling"),
        ({"sampling": {}}, "use", "sampling with tools"),
        ({"elicitation": {"url": {}}}, "elicit", "elicitation"),
    ],
)
def test_a_client_is_not_asked_what_it_cannot_do(
    server: DialogueServer, version: str, capabilities: Message, tool: str, what: str
) -> None:
    poor = CLIENTS[version](server.wire, capabilities)
    made = structured_result(poor.call(tool, {"ask": "?"}, no_answer))
    CLIENTS[version](server.wire, CAPABILITIES)

    assert made == {"error": "NotSupportedByClient", "text": f"the client does not support {what}"}
    assert (poor.questions, server.journaled("asking", "sample", "elicit")) == ([], [])


def test_a_client_that_names_no_mode_asks_by_forms(server: DialogueServer, version: str) -> None:
    plain = CLIENTS[version](server.wire, {"elicitation": {}})
    made = structured_result(plain.call("elicit", {"ask": "?"}, one_by_one({"action": "cancel"})))
    CLIENTS[version](server.wire, CAPABILITIES)

    assert made["action"] == "cancel"


# The end


def test_a_client_that_leaves_with_an_open_question_is_journaled_and_the_server_ends(
    version: str, tmp_path: Path
) -> None:
    with DialogueServer(tmp_path) as server:
        host: Any = CLIENTS[version](server.wire)
        host.begin("elicit", {"ask": "?", "seconds": 60})
        server.wire.hang_up()

        assert server.wire.status() == 0
    assert server.journaled("elicit") == [{"type": "elicit", "purpose": "choice", "error": "client left"}]
