"""A question and its answer as a history keeps them: always valid when it is added to what came before."""

import json
from typing import Generic, Literal, TypeVar

import mcp_types as types
from msgspec import Struct
from pydantic import BaseModel

from seqthink.dialogue.messages import Message, results, uses

Parsed = TypeVar("Parsed")
Form = TypeVar("Form", bound=BaseModel)

TAKEN = "Received."


class SampleExchange(Struct, Generic[Parsed], frozen=True, kw_only=True):
    """A request to the client's model and what it answered (mcp-message-alignment.md, part 4).

    ``parsed`` is what a structured answer says; ``model`` is who answered.
    """

    request: Message
    response: Message
    parsed: Parsed
    model: str = ""
    stop_reason: str | None = None

    @property
    def messages(self) -> list[Message]:
        """Two messages; three where tools were used, since a result must follow each use."""
        used = uses(self.response)
        return [self.request, self.response, *([results(used, TAKEN)] if used else [])]

    @property
    def tool_uses(self) -> list[types.ToolUseContent]:
        """The tools that the model used."""
        return uses(self.response)


class ElicitExchange(Struct, Generic[Form], frozen=True, kw_only=True):
    """A question to the person and what came back; ``content`` only when they accepted."""

    request: Message
    response: Message
    action: Literal["accept", "decline", "cancel"]
    content: Form | None = None

    @property
    def messages(self) -> list[Message]:
        """Two messages: the question as a tool's use, the answer as its result."""
        return [self.request, self.response]


def elicitation(use_id: str, question: types.ElicitRequest, result: types.ElicitResult) -> tuple[Message, Message]:
    """Return a question to the person, and the answer, as the messages of a history; ``use_id`` occurs once in it."""
    asked = question.params.model_dump(
        by_alias=True, mode="json", exclude_none=True, include={"message", "requested_schema"}
    )
    use = types.ToolUseContent(id=use_id, name="elicit", input=asked)
    said = result.model_dump(mode="json", exclude_none=True, include={"action", "content"})
    answer = types.ToolResultContent(
        tool_use_id=use_id, content=[types.TextContent(text=json.dumps(said, ensure_ascii=False))]
    )
    return Message(role="assistant", content=[use]), Message(role="user", content=[answer])
