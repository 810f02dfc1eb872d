"""Questions where the kinds of versions differ: refusals and cancellations in one, repeated calls in the other."""

import base64
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from seqthink.dialogue import multi_round
from tests.support.servers.dialogue_clients import (
    DialogueServer,
    HandshakeClient,
    StatelessClient,
    no_answer,
    structured_result,
    text_answer,
    tool_use_answer,
)
from tests.support.servers.wire import Message

ACCEPT: Message = {"action": "accept", "content": {"name": "x"}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[DialogueServer]:
    with DialogueServer(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def handshake_client(server: DialogueServer) -> HandshakeClient:
    return HandshakeClient(server.wire)


@pytest.fixture
def stateless_client(server: DialogueServer) -> StatelessClient:
    return StatelessClient(server.wire)


# Until 2025-11-25


@pytest.mark.parametrize("code", [-1, -32000, -32001, -32603])
def test_an_error_answer_is_passed_on_and_journaled(
    code: int, handshake_client: HandshakeClient, server: DialogueServer
) -> None:
    refusal = {"error": {"code": code, "message": "User rejected sampling request"}}
    made = structured_result(handshake_client.call("sample", {"ask": "?"}, lambda _question: refusal))

    assert made == {"error": "RefusedError", "text": "the client refused: User rejected sampling request"}
    assert server.journaled("sample")[0]["error"] == made["text"]


@pytest.mark.parametrize(
    "answer", [{}, {"role": "assistant", "model": "m"}, {"action": "maybe"}, text_answer("x") | {"content": 5}]
)
def test_a_malformed_answer_is_reported_and_journaled(
    handshake_client: HandshakeClient, server: DialogueServer, answer: Message
) -> None:
    made = structured_result(handshake_client.call("sample", {"ask": "?"}, lambda _question: answer))

    assert made["error"] == "BadAnswerError"
    assert made["text"].startswith("the client's answer is malformed: ")
    assert server.journaled("sample")[0]["error"] == made["text"]


@pytest.mark.parametrize("answer", [[1], "x", [], {"error": "oops"}, {"error": None}, {"error": {"code": "x"}}])
@pytest.mark.parametrize("tool", ["elicit", "sample"])
def test_an_answer_that_the_protocol_has_no_word_for_is_an_answer(
    tool: str,
    answer: Any,  # noqa: ANN401 - that is the point
    handshake_client: HandshakeClient,
) -> None:
    made = structured_result(handshake_client.call(tool, {"ask": "?"}, lambda _question: answer))

    assert made["error"] == "BadAnswerError"
    assert made["text"].startswith("the client's answer is malformed: ")


def test_a_malformed_answer_to_a_form_is_reported(handshake_client: HandshakeClient) -> None:
    made = structured_result(handshake_client.call("elicit", {"ask": "?"}, lambda _question: {"action": "maybe"}))

    assert made["error"] == "BadAnswerError"


def test_a_client_is_notified_when_its_answer_is_too_late(handshake_client: HandshakeClient) -> None:
    handshake_client.notifications.clear()
    handshake_client.questions.clear()
    handshake_client.call("elicit", {"ask": "?", "seconds": 0.2}, no_answer)

    [question] = handshake_client.questions
    assert [(one["method"], one["params"]["requestId"]) for one in handshake_client.notifications] == [
        ("notifications/cancelled", question["id"])
    ]


def test_a_cancelled_call_cancels_its_question(handshake_client: HandshakeClient, server: DialogueServer) -> None:
    call = handshake_client.send("elicit", {"ask": "?"})
    question = server.wire.receive()
    server.wire.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}})
    cancelled = server.wire.receive()

    assert (cancelled["method"], cancelled["params"]["requestId"]) == ("notifications/cancelled", question["id"])
    assert server.wire.ask("ping")["result"] == {}
    assert server.journaled("elicit") == [{"type": "elicit", "purpose": "choice", "error": "the call was called off"}]


def test_of_several_questions_the_answers_that_came_in_time_count(
    handshake_client: HandshakeClient, server: DialogueServer
) -> None:
    asked: list[Message] = []

    def answer(question: Message) -> Message | None:
        asked.append(question)
        return ACCEPT if len(asked) == 1 else {"error": {"code": -1, "message": "no"}}

    made = structured_result(handshake_client.call("elicits", {"asks": {"one": "a", "two": "b"}}, answer))

    assert made["error"] == "RefusedError"
    assert [one.get("action") for one in server.journaled("elicit")] == ["accept", None]


# Since 2026-07-28


def test_a_question_travels_in_the_answer_and_the_answer_in_the_call(stateless_client: StatelessClient) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "Which?"})
    result = stateless_client.send_and_receive("elicit", {"ask": "Which?"}, {"choice": ACCEPT}, asked["requestState"])

    assert asked.keys() - {"_meta"} == {"resultType", "inputRequests", "requestState"}
    assert asked["inputRequests"].keys() == {"choice"}
    assert (result["resultType"], structured_result(result)["action"]) == ("complete", "accept")


def test_several_keyed_questions_are_one_round(stateless_client: StatelessClient) -> None:
    asked = stateless_client.send_and_receive("elicits", {"asks": {"one": "a", "two": "b"}})

    assert {key: one["params"]["message"] for key, one in asked["inputRequests"].items()} == {"one": "a", "two": "b"}


def test_a_repeated_call_appends_nothing(stateless_client: StatelessClient, server: DialogueServer) -> None:
    stateless_client.call("elicit", {"ask": "Which?"}, lambda _question: ACCEPT)

    assert [one["type"] for one in server.journaled("rejected", "asking", "elicit")] == ["rejected", "asking", "elicit"]


def test_a_round_that_is_repeated_gets_the_same_answer(
    stateless_client: StatelessClient, server: DialogueServer
) -> None:
    call = ("both", {"ask": "?"})
    first = stateless_client.send_and_receive(*call)
    answers: Message = {"model": text_answer("x"), "person": {"action": "decline"}}
    second = stateless_client.send_and_receive(*call, answers, first["requestState"])
    others: Message = {"model": text_answer("y"), "person": ACCEPT}

    assert stateless_client.send_and_receive(*call, others, first["requestState"]) == second
    last = stateless_client.send_and_receive(*call, {"last": ACCEPT}, second["requestState"])
    assert stateless_client.send_and_receive(*call, {"last": {"action": "cancel"}}, second["requestState"]) == last
    assert stateless_client.send_and_receive(*call, others, first["requestState"]) == second
    assert structured_result(last) == {"model": "m", "person": "decline", "last": "accept"}
    assert [one["purpose"] for one in server.journaled("sample", "elicit")] == ["model", "person", "last"]


def test_questions_without_an_answer_are_asked_again(stateless_client: StatelessClient) -> None:
    call = ("elicits", {"asks": {"one": "a", "two": "b"}})
    first = stateless_client.send_and_receive(*call)
    second = stateless_client.send_and_receive(*call, {"one": ACCEPT}, first["requestState"])
    third = stateless_client.send_and_receive(*call, {}, second["requestState"])
    last = stateless_client.send_and_receive(*call, {"two": ACCEPT, "three": ACCEPT}, third["requestState"])

    assert [one["inputRequests"].keys() for one in (second, third)] == [{"two"}, {"two"}]
    assert second["inputRequests"]["two"] == first["inputRequests"]["two"]
    assert structured_result(last) == {"one": "x", "two": "x"}


def test_an_answer_of_another_kind_is_a_bad_answer(stateless_client: StatelessClient) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "?"})
    result = stateless_client.send_and_receive(
        "elicit", {"ask": "?"}, {"choice": text_answer("x")}, asked["requestState"]
    )

    assert structured_result(result)["error"] == "BadAnswerError"


@pytest.mark.parametrize("answer", [{"action": "maybe"}, {}, {"foo": 5}, [1], "hm", None, 5, {"error": {"code": -1}}])
@pytest.mark.parametrize("tool", ["elicit", "sample"])
def test_an_invalid_answer_is_reported_and_journaled(
    tool: str,
    answer: Any,  # noqa: ANN401 - that is the point
    stateless_client: StatelessClient,
    server: DialogueServer,
) -> None:
    asked = stateless_client.send_and_receive(tool, {"ask": "?"})
    [key] = asked["inputRequests"]
    made = structured_result(
        stateless_client.send_and_receive(tool, {"ask": "?"}, {key: answer}, asked["requestState"])
    )

    assert made["error"] == "BadAnswerError"
    assert made["text"].startswith("the client's answer is malformed: ")
    assert server.journaled(tool)[0]["error"] == made["text"]


def test_answers_that_are_no_object_are_refused_in_words_and_leave_the_question_open(
    stateless_client: StatelessClient,
) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "?"})
    answers: Any = ["x"]
    refused = stateless_client.send_and_receive("elicit", {"ask": "?"}, answers, asked["requestState"])
    result = stateless_client.send_and_receive("elicit", {"ask": "?"}, {"choice": ACCEPT}, asked["requestState"])

    assert refused["error"]["code"] == -32602
    assert "`inputResponses` must be an object" in refused["error"]["message"]
    assert structured_result(result)["action"] == "accept"


def test_a_late_answer_does_not_answer_the_next_question(stateless_client: StatelessClient) -> None:
    call = ("twice", {"ask": "?", "seconds": [0.1, 60]})
    first = stateless_client.send_and_receive(*call)
    _until_it_is_too_late(stateless_client)
    second = stateless_client.send_and_receive(*call, {"again": ACCEPT}, first["requestState"])

    assert second["inputRequests"].keys() == {"again-2"}
    last = stateless_client.send_and_receive(*call, {"again-2": ACCEPT}, second["requestState"])
    assert structured_result(last)["messages"][0]["content"]["text"] == "no answer within 0.1 s"


def _until_it_is_too_late(stateless_client: StatelessClient) -> None:
    stateless_client.call("elicit", {"ask": "?", "seconds": 0.3}, no_answer)


def _forged(state: str) -> list[str]:
    turned = state[:-5] + ("A" if state[-5] != "A" else "B") + state[-4:]
    return ["x", "\ud800", state[:-8], turned, base64.urlsafe_b64encode(b"[]").decode(), "9" * 100_000]


def test_a_state_that_is_forged_makes_a_new_call_whose_answers_are_ignored(
    stateless_client: StatelessClient, server: DialogueServer
) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "?"})
    for state in _forged(asked["requestState"]):
        again = stateless_client.send_and_receive("elicit", {"ask": "?"}, {"choice": ACCEPT}, state)

        assert again["resultType"] == "input_required"
        assert server.journaled("elicit") == []


@pytest.mark.parametrize(("name", "arguments"), [("elicit", {"ask": "!"}), ("elicit", {}), ("sample", {"ask": "?"})])
def test_a_state_of_another_call_makes_a_new_call(
    stateless_client: StatelessClient, server: DialogueServer, name: str, arguments: Message
) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "?"})
    stateless_client.send_and_receive(name, arguments, {"choice": ACCEPT}, asked["requestState"])

    assert server.journaled("elicit") == []
    kept = stateless_client.send_and_receive("elicit", {"ask": "?"}, {"choice": ACCEPT}, asked["requestState"])
    assert structured_result(kept)["action"] == "accept"


def test_a_state_of_another_server_or_of_one_before_a_restart_makes_a_new_call(
    stateless_client: StatelessClient, tmp_path: Path
) -> None:
    asked = stateless_client.send_and_receive("elicit", {"ask": "?"})
    with DialogueServer(tmp_path) as other:
        again = StatelessClient(other.wire).send_and_receive(
            "elicit", {"ask": "?"}, {"choice": ACCEPT}, asked["requestState"]
        )

        assert again["resultType"] == "input_required"
        assert other.journaled("elicit") == []


def test_the_oldest_of_too_many_waiting_calls_is_cancelled(tmp_path: Path) -> None:
    with DialogueServer(tmp_path) as server:
        stateless_client = StatelessClient(server.wire)
        states = [
            stateless_client.send_and_receive("elicit", {"ask": str(number)})["requestState"]
            for number in range(multi_round.MAX_OPEN_CALLS + 1)
        ]
        gone: Any = stateless_client.send_and_receive("elicit", {"ask": "0"}, {"choice": ACCEPT}, states[0])
        second = stateless_client.send_and_receive("elicit", {"ask": "2"}, {"choice": ACCEPT}, states[2])

        assert gone["resultType"] == "input_required"
        assert structured_result(second)["action"] == "accept"


def test_a_missed_result_can_be_requested_again_for_a_while(stateless_client: StatelessClient) -> None:
    asked = stateless_client.send_and_receive("move", {"ask": "?"})
    answers: Message = {"move": tool_use_answer("__schema__", {"square": "a1", "score": 1})}
    result = stateless_client.send_and_receive("move", {"ask": "?"}, answers, asked["requestState"])
    again = stateless_client.send_and_receive("move", {"ask": "?"}, answers, asked["requestState"])
    for _ in range(multi_round.MAX_KEPT_CALLS):
        stateless_client.call("elicit", {"ask": "?"}, lambda _question: ACCEPT)
    too_late = stateless_client.send_and_receive("move", {"ask": "?"}, answers, asked["requestState"])

    assert again == result
    assert too_late["resultType"] == "input_required"
