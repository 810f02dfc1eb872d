"""MCP content blocks: the messages that a history is made of, and the reserved tool `__schema__`.

Everything is in MCP's own shape (mcp-message-alignment.md, part 1): a tool's use is a block of an assistant's message,
its result a block of the user's message that follows.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import mcp_types as types
from pydantic import BaseModel

SCHEMA_TOOL: Final = "__schema__"
"""The reserved name by which a model answers in a given shape (part 3)."""

Message = types.SamplingMessage
Block = types.SamplingMessageContentBlock


def user(*content: str | Block) -> Message:
    """Return a message of the user's."""
    return Message(role="user", content=_content(content))


def assistant(*content: str | Block) -> Message:
    """Return a message of the model's."""
    return Message(role="assistant", content=_content(content))


def blocks(message: Message) -> list[Block]:
    """Return a message's content as a list, however it came."""
    return message.content if isinstance(message.content, list) else [message.content]


def uses(message: Message) -> list[types.ToolUseContent]:
    """Return the tools that a message uses, in its order."""
    return [block for block in blocks(message) if isinstance(block, types.ToolUseContent)]


def results(used: Iterable[types.ToolUseContent], text: str, *, is_error: bool = False) -> Message:
    """Return the message that must follow the use of tools: one result for each, all with ``text``."""
    return user(
        *(
            types.ToolResultContent(
                tool_use_id=use.id, content=[types.TextContent(text=text)], is_error=True if is_error else None
            )
            for use in used
        )
    )


def schema_tool(model: type[BaseModel]) -> types.Tool:
    """Return the reserved tool whose input is ``model``."""
    return types.Tool(
        name=SCHEMA_TOOL,
        description="Respond with structured data matching this schema.",
        input_schema=model.model_json_schema(),
    )


def spelled(message: Message) -> dict[str, Any]:
    """Return a message as the wire and the journal spell it."""
    return message.model_dump(by_alias=True, mode="json", exclude_none=True)


def _content(content: Sequence[str | Block]) -> Block | list[Block]:
    made: list[Block] = [types.TextContent(text=item) if isinstance(item, str) else item for item in content]
    return made[0] if len(made) == 1 and isinstance(made[0], types.TextContent) else made
