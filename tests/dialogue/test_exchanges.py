"""What is added to a history keeps it valid, whatever a model or a person answers."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

import anyio
import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.server.validation import validate_tool_use_result_messages
from pydantic import BaseModel, Field

from seqthink.dialogue.channel import Outcome, Question
from seqthink.dialogue.dialogue import Dialogue
from seqthink.dialogue.errors import DialogueError, NotSupportedByClient
from seqthink.dialogue.forms import form_schema
from seqthink.dialogue.messages import SCHEMA_TOOL, Message, user
from tests.support.servers.dialogue_server import Choice, Move

_names = st.sampled_from([SCHEMA_TOOL, "look", "other"])
_ids = st.sampled_from(["a", "b", ""])
_inputs = st.fixed_dictionaries(
    {}, optional={"square": st.sampled_from(["a1", "z9"]), "score": st.integers(0, 200), "name": st.text(max_size=3)}
)
_blocks = st.one_of(
    st.builds(types.TextContent, text=st.text(max_size=5)),
    st.builds(types.ToolUseContent, name=_names, id=_ids, input=_inputs),
    st.builds(types.ToolResultContent, tool_use_id=_ids, content=st.just([])),
)
_samples = st.builds(
    types.CreateMessageResultWithTools,
    role=st.sampled_from(["user", "assistant"]),
    model=st.just("m"),
    content=st.one_of(_blocks, st.lists(_blocks, max_size=4)),
)
_forms = st.builds(
    types.ElicitResult,
    action=st.sampled_from(["accept", "decline", "cancel"]),
    content=st.sampled_from([None, {"name": "x"}, {"name": None}]),
)
_asks = st.lists(st.sampled_from(["sample", "sample_schema", "sample_tools", "elicit"]), min_size=1, max_size=5)


class Answering:
    """A client with ready answers, which refuses a history that is not valid."""

    def __init__(self, draw: Any) -> None:  # noqa: ANN401 - Hypothesis gives no better type
        self._draw = draw

    @property
    def capabilities(self) -> types.ClientCapabilities:
        return types.ClientCapabilities.model_validate({"sampling": {"tools": {}}, "elicitation": {"form": {}}})

    async def ask(self, questions: Mapping[str, Question], outcomes: dict[str, Outcome]) -> None:
        for key, question in questions.items():
            if isinstance(question, types.CreateMessageRequest):
                _check(question.params.messages)
            is_form = isinstance(question, types.ElicitRequest)
            outcomes[key] = self._draw(_forms if is_form else _samples)

    async def left(self) -> None: ...

    async def log(self, level: types.LoggingLevel, data: object) -> None: ...

    async def progress(self, done: float, total: float | None, message: str | None) -> None: ...


def _check(history: list[Message]) -> None:
    """Hold each beginning of a history that ends with an answered use against the SDK's rule."""
    for count in range(1, len(history) + 1):
        used = any(isinstance(block, types.ToolUseContent) for block in history[count - 1].content_as_list)
        if not used or count == len(history):
            validate_tool_use_result_messages(history[:count])


async def _added(dialogue: Dialogue, how: str, history: list[Message]) -> list[Message]:
    asked = [*history, user("?")]
    match how:
        case "sample":
            return (await dialogue.sample(asked, purpose="p")).messages
        case "sample_schema":
            return (await dialogue.sample_schema(asked, Move, purpose="p")).messages
        case "sample_tools":
            tools = [types.Tool(name="look", input_schema={"type": "object"})]
            return (await dialogue.sample_tools(asked, tools, purpose="p")).messages
        case _:
            return (await dialogue.elicit("?", Choice, purpose="p")).messages


@given(_asks, st.data())
def test_a_history_that_grows_by_exchanges_is_valid(asks: list[str], data: st.DataObject) -> None:
    written: list[Mapping[str, Any]] = []
    history: list[Message] = []

    async def grow() -> None:
        dialogue = Dialogue(Answering(data.draw), lambda _kind, fields: written.append(fields), 2, lambda: 0.0)
        for how in asks:
            try:
                history.extend(await _added(dialogue, how, history))
            except DialogueError:
                continue
            _check(history)

    anyio.run(grow)

    assert json.loads(json.dumps(written)) == written


class Nested(BaseModel):
    inner: Move


class Listed(BaseModel):
    names: list[str]


class Numbered(BaseModel):
    numbers: list[Literal[1, 2]]


class Either(BaseModel):
    words: list[Literal["a", "b"] | int]


class Anything(BaseModel):
    things: list[Any]


class Size(StrEnum):
    """How large."""

    SMALL = "s"
    LARGE = "l"


class Chosen(BaseModel):
    sizes: list[Size] = Field(min_length=1, default=[Size.SMALL])
    colors: list[Literal["red", "blue"]] | None = None


@pytest.mark.parametrize("model", [Nested, Listed, Numbered, Either, Anything])
def test_a_form_of_more_than_fields_is_the_author_s_mistake(model: type[BaseModel]) -> None:
    with pytest.raises(TypeError, match="a form takes strings, numbers, booleans and choices of strings"):
        form_schema(model)


def test_a_form_lets_several_strings_be_chosen() -> None:
    assert form_schema(Chosen)["properties"] == {
        "sizes": {
            "type": "array", "title": "Sizes", "items": {"type": "string", "enum": ["s", "l"]},
            "minItems": 1, "default": ["s"],
        },
        "colors": {"type": "array", "title": "Colors", "items": {"type": "string", "enum": ["red", "blue"]}},
    }  # fmt: skip


def test_what_is_not_supported_is_said() -> None:
    assert str(NotSupportedByClient("sampling")) == "the client does not support sampling"
