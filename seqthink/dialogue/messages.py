"""MCP content blocks as the messages of a history, and the reserved tool `__schema__`.

Everything is as MCP defines it: a tool use is a block of an assistant message, its result a block of the user message
right after it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import mcp_types as types
from pydantic import BaseModel

SCHEMA_TOOL: Final = "__schema__"
"""The reserved name of the tool by which a model answers in a given shape."""

Message = types.SamplingMessage
"""One message of a history: a role, and one or more content blocks."""
Block = types.SamplingMessageContentBlock


def user(*content: str | Block) -> Message:
    """Return a user message; a string is a text block."""
    return Message(role="user", content=_content_of(content))


def assistant(*content: str | Block) -> Message:
    """Return a model's message; a string is a text block."""
    return Message(role="assistant", content=_content_of(content))


def tool_result(
    use: types.ToolUseContent | str, *content: str | types.ContentBlock, is_error: bool = False
) -> types.ToolResultContent:
    """Return the result of a tool that the model used, as a content block.

    Args:
        use: the tool use, or its id.
        content: the output of the tool; a string is a text block.
        is_error: whether the tool failed; the content then gives the reason.
    """
    return types.ToolResultContent(
        tool_use_id=use if isinstance(use, str) else use.id,
        content=[types.TextContent(text=item) if isinstance(item, str) else item for item in content],
        is_error=True if is_error else None,
    )


def content_blocks(message: Message) -> list[Block]:
    """Return a message's content blocks as a list, even if there is only one."""
    return message.content if isinstance(message.content, list) else [message.content]


def tool_uses_of(message: Message) -> list[types.ToolUseContent]:
    """Return the tool uses of a message, in order."""
    return [block for block in content_blocks(message) if isinstance(block, types.ToolUseContent)]


def same_results_message(tool_uses: Iterable[types.ToolUseContent], text: str, *, is_error: bool = False) -> Message:
    """Return the user message that must follow ``tool_uses``, with ``text`` as the result of each."""
    return user(*(tool_result(use, text, is_error=is_error) for use in tool_uses))


def results_message(
    tool_uses: Sequence[types.ToolUseContent], tool_results: Sequence[types.ToolResultContent]
) -> Message:
    """Return the user message with ``tool_results`` for all ``tool_uses``, in the order of the uses.

    Raises:
        ValueError: a use has no result or more than one, or a result belongs to no use.
    """
    problem = _pairing_problem([use.id for use in tool_uses], [result.tool_use_id for result in tool_results])
    if problem:
        raise ValueError(problem)
    by_id = {result.tool_use_id: result for result in tool_results}
    return user(*(by_id[use.id] for use in tool_uses))


def history_problem(messages: Sequence[Message]) -> str:
    """Return what makes a history invalid (MCP, "Sampling": results directly follow their uses); "" if it is valid."""
    previous: list[types.ToolUseContent] = []
    for number, message in enumerate(messages, start=1):
        tool_results = [block for block in content_blocks(message) if isinstance(block, types.ToolResultContent)]
        if tool_results and (message.role != "user" or len(tool_results) < len(content_blocks(message))):
            return f"message {number}: tool results stand alone in a user message"
        problem = _pairing_problem([use.id for use in previous], [result.tool_use_id for result in tool_results])
        if problem:
            return f"message {number}: {problem}"
        previous = tool_uses_of(message)
    return "the last message uses tools; the results of all of them must follow it" if previous else ""


def schema_tool(model: type[BaseModel]) -> types.Tool:
    """Return the reserved tool whose input has the shape of ``model``."""
    return types.Tool(
        name=SCHEMA_TOOL,
        description="Respond with structured data matching this schema.",
        input_schema=model.model_json_schema(),
    )


def message_fields(message: Message) -> dict[str, Any]:
    """Return a message as JSON fields, for the protocol and the journal."""
    return message.model_dump(by_alias=True, mode="json", exclude_none=True)


def _pairing_problem(use_ids: Sequence[str], result_ids: Sequence[str]) -> str:
    """Return why the results do not match the uses; "" if each use has exactly one."""
    missing = [use for use in use_ids if use not in result_ids]
    if missing:
        return f"no tool result for the tool use {missing[0]!r}"
    unknown = [result for result in result_ids if result not in use_ids]
    if unknown:
        return f"a tool result for {unknown[0]!r}, which is not a tool use of the message before it"
    repeated = [result for result in result_ids if result_ids.count(result) > use_ids.count(result)]
    return f"more than one tool result for the tool use {repeated[0]!r}" if repeated else ""


def _content_of(content: Sequence[str | Block]) -> Block | list[Block]:
    blocks: list[Block] = [types.TextContent(text=item) if isinstance(item, str) else item for item in content]
    return blocks[0] if len(blocks) == 1 and isinstance(blocks[0], types.TextContent) else blocks
