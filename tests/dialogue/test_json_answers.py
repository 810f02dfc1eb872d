"""Answers of a given shape from clients that sample without tools: the request in words, JSON in the text."""

import json
from collections.abc import Generator

import mcp_types as types
import pytest
from pydantic import BaseModel, RootModel

from seqthink.dialogue.errors import BadAnswerError
from seqthink.dialogue.json_answers import json_value_in, with_schema_request
from seqthink.dialogue.messages import assistant, user
from tests.support.servers.dialogue_clients import (
    CLIENTS,
    DialogueServer,
    HandshakeClient,
    StatelessClient,
    structured_result,
    text_answer,
    tool_use_answer,
)
from tests.support.servers.dialogue_server import Move
from tests.support.servers.wire import Message

GOOD = '{"square": "b2", "score": 7}'


class Squares(RootModel[list[str]]):
    """A list."""


@pytest.fixture(scope="module", params=CLIENTS)
def host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Generator[tuple[HandshakeClient | StatelessClient, DialogueServer]]:
    with DialogueServer(tmp_path_factory.mktemp(request.param)) as server:
        yield CLIENTS[request.param](server.wire, {"sampling": {}}), server


def moved(
    host: tuple[HandshakeClient | StatelessClient, DialogueServer], *answers: Message
) -> tuple[Message, list[Message]]:
    client, _ = host
    client.questions.clear()
    left = iter(answers)
    made = structured_result(client.call("move", {"ask": "Move!"}, lambda _question: next(left)))
    return made, [question["params"] for question in client.questions]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Let me see {{or not}}.\n\n```\n{GOOD}\n```\nThat is {{my}} move.",
        f"I move: {GOOD}.",
        json.dumps(json.loads(GOOD), indent=4),
        f"[{GOOD}]",
    ],
)
def test_the_value_is_found_in_a_fence_and_between_prose(
    host: tuple[HandshakeClient | StatelessClient, DialogueServer], text: str
) -> None:
    made, [asked] = moved(host, text_answer(text))

    assert made["parsed"] == {"square": "b2", "score": 7}
    assert made["messages"] == [*asked["messages"], {"role": "assistant", "content": {"type": "text", "text": text}}]


def test_a_client_without_tools_is_asked_in_one_block_of_text(
    host: tuple[HandshakeClient | StatelessClient, DialogueServer],
) -> None:
    _, [asked] = moved(host, text_answer(GOOD))
    [message] = asked["messages"]

    assert not {"tools", "toolChoice"} & asked.keys()
    assert message["content"]["text"].startswith("Move!\n\nAnswer with one JSON value")
    assert json.loads(message["content"]["text"].splitlines()[-1]) == Move.model_json_schema()


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (text_answer("b2"), "the answer holds no JSON value; it must be one that fits the schema"),
        (text_answer(f"{GOOD}\nor\n{GOOD}"), "the answer holds 2 JSON values; it must hold exactly one"),
        (text_answer('{"square": "b2",}'), "the JSON value in the answer is broken: "),
        (text_answer('{"square": "b2", "score": NaN}'), "the JSON value in the answer is broken: NaN is not JSON"),
        (text_answer('{"a":' * 100_000), "the JSON value in the answer is nested too deeply"),
        (
            text_answer('{"square": "z9", "score": 101}'),
            "the answer does not fit the schema: square: Input should be 'a1', 'b2' or 'c3'; score: Input should be",
        ),
        (tool_use_answer("__schema__", json.loads(GOOD)), "the answer holds no JSON value"),
    ],
    ids=["prose", "two", "broken", "NaN", "deep", "another shape", "a tool"],
)
def test_the_problem_with_another_answer_is_named_and_it_is_asked_for_again(
    host: tuple[HandshakeClient | StatelessClient, DialogueServer], answer: Message, problem: str
) -> None:
    made, asked = moved(host, answer, text_answer(GOOD))
    given_up, thrice = moved(host, answer, answer, answer)

    assert made["parsed"] == {"square": "b2", "score": 7}
    assert problem in json.dumps(asked[1]["messages"][-1], ensure_ascii=False)
    assert asked[1]["messages"][0] == asked[0]["messages"][0]
    assert (given_up["error"], len(thrice)) == ("BadAnswerError", 3)
    assert given_up["text"].startswith(problem)
    assert given_up["text"].endswith("(asked 3 times)")


def test_a_question_that_needs_tools_is_not_sent(
    host: tuple[HandshakeClient | StatelessClient, DialogueServer],
) -> None:
    client, _ = host
    client.questions.clear()
    made = structured_result(client.call("use", {"ask": "Do!"}, lambda _question: None))

    assert made == {"error": "NotSupportedByClient", "text": "the client does not support sampling with tools"}
    assert client.questions == []


IMAGE = types.ImageContent(data="aGk=", mime_type="image/png")


@pytest.mark.parametrize("last", [user(IMAGE), assistant("{"), user("a", IMAGE)], ids=["image", "model's", "several"])
def test_the_request_follows_a_message_to_which_no_text_can_be_joined(last: types.SamplingMessage) -> None:
    *before, request = with_schema_request([last], Move)

    assert before == [last]
    assert isinstance(request.content, types.TextContent)


@pytest.mark.parametrize(
    ("model", "text", "value"),
    [(Squares, 'I choose ["a1", "b2"].', ["a1", "b2"]), (Move, '{ "a": [{"b": 1}] }', {"a": [{"b": 1}]})],
)
def test_a_value_is_found_by_the_kind_that_its_schema_names(model: type[BaseModel], text: str, value: object) -> None:
    assert json_value_in(assistant(text), model) == value


@pytest.mark.parametrize("text", ["{ ", "[", '{"', "{}", '{"a": "'])
def test_hostile_text_is_refused(text: str) -> None:
    for model in (Move, Squares):
        with pytest.raises(BadAnswerError):
            json_value_in(assistant(text * 200_000), model)
