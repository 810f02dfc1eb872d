"""A question and its answer as messages that keep a history valid when they are appended to it."""

import json
from typing import Generic, Literal, TypeVar

import mcp_types as types
from msgspec import Struct
from pydantic import BaseModel

from seqthink.dialogue.messages import Message, content_blocks, results_message, same_results_message, tool_uses_of

Parsed = TypeVar("Parsed")
Form = TypeVar("Form", bound=BaseModel)

RECEIVED = "Received."
"""The result of a tool use that was not executed: a valid history needs one."""


class SampleExchange(Struct, Generic[Parsed], frozen=True, kw_only=True):
    """A request to the client's model, and the answer."""

    request: Message
    """The last message that was sent."""
    response: Message
    """The model's answer."""
    parsed: Parsed
    """The answer as an instance of the class given to `Dialogue.sample_schema`; None from other methods."""
    model: str = ""
    """The name of the model that answered, as the client reports it."""
    stop_reason: str | None = None
    """Why the model stopped: ``endTurn``, ``toolUse``, ``maxTokens`` ..., as the client reports it."""

    @property
    def messages(self) -> list[Message]:
        """Request and response; after tool uses also a message with a placeholder result for each of them."""
        used = self.tool_uses
        return [self.request, self.response, *([same_results_message(used, RECEIVED)] if used else [])]

    @property
    def text(self) -> str:
        """The text blocks of the answer, joined by line feeds."""
        return "\n".join(block.text for block in content_blocks(self.response) if isinstance(block, types.TextContent))

    @property
    def tool_uses(self) -> list[types.ToolUseContent]:
        """The tools that the model wants to use, in order."""
        return tool_uses_of(self.response)

    def tool_results(self, *given: types.ToolResultContent) -> Message:
        """Return the message that must follow ``response``, with the results of the tools that you executed.

        Args:
            given: one `tool_result` for each of ``tool_uses``, in any order.

        Raises:
            ValueError: a tool use has no result or more than one, or a result belongs to no tool use.
        """
        return results_message(self.tool_uses, given)


class ElicitExchange(Struct, Generic[Form], frozen=True, kw_only=True):
    """A question to the user, and the answer."""

    request: Message
    """The question, as a use of the tool `elicit`."""
    response: Message
    """The answer, as the result of that tool."""
    action: Literal["accept", "decline", "cancel"]
    """What the user did with the form."""
    content: Form | None = None
    """The form as filled in; None unless the user accepted."""

    @property
    def messages(self) -> list[Message]:
        """Request and response."""
        return [self.request, self.response]


def elicitation_messages(
    use_id: str, question: types.ElicitRequest, result: types.ElicitResult
) -> tuple[Message, Message]:
    """Return question and answer as a tool use and its result; ``use_id`` must be unique in the history."""
    question_fields = question.params.model_dump(
        by_alias=True, mode="json", exclude_none=True, include={"message", "requested_schema"}
    )
    use = types.ToolUseContent(id=use_id, name="elicit", input=question_fields)
    answer_fields = result.model_dump(mode="json", exclude_none=True, include={"action", "content"})
    answer = types.ToolResultContent(
        tool_use_id=use_id, content=[types.TextContent(text=json.dumps(answer_fields, ensure_ascii=False))]
    )
    return Message(role="assistant", content=[use]), Message(role="user", content=[answer])
