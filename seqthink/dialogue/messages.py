"""MCP content blocks as the messages of a history, and the reserved tool `__schema__`.

Everything has MCP's own shape: a tool use is a block of an assistant message, its result a block of the user message
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
    return Message(role="user", content=_content(content))


def assistant(*content: str | Block) -> Message:
    """Return a model's message; a string is a text block."""
    return Message(role="assistant", content=_content(content))


def tool_result(
    use: types.ToolUseContent | str, *content: str | types.ContentBlock, is_error: bool = False
) -> types.ToolResultContent:
    """Return the result of a tool that the model used, as a content block.

    Args:
        use: the tool use that it answers, or its id.
        content: what the tool gave; a string is a text block.
        is_error: whether the tool failed; the content then says why.
    """
    return types.ToolResultContent(
        tool_use_id=use if isinstance(use, str) else use.id,
        content=[types.TextContent(text=item) if isinstance(item, str) else item for item in content],
        is_error=True if is_error else None,
    )


def blocks(message: Message) -> list[Block]:
    """Return a message's content blocks as a list, also where there is only one."""
    return message.content if isinstance(message.content, list) else [message.content]


def uses(message: Message) -> list[types.ToolUseContent]:
    """Return the tool uses of a message, in order."""
    return [block for block in blocks(message) if isinstance(block, types.ToolUseContent)]


def results(used: Iterable[types.ToolUseContent], text: str, *, is_error: bool = False) -> Message:
    """Return the user message that must follow tool uses, with the same ``text`` as the result of each."""
    return user(*(tool_result(use, text, is_error=is_error) for use in used))


def paired(used: Sequence[types.ToolUseContent], given: Sequence[types.ToolResultContent]) -> Message:
    """Return the user message with the results ``given`` for all tool uses, in the order of the uses.

    Raises:
        ValueError: a use has no result or more than one, or a result belongs to no use.
    """
    problem = _pairing_problem([use.id for use in used], [result.tool_use_id for result in given])
    if problem:
        raise ValueError(problem)
    by_id = {result.tool_use_id: result for result in given}
    return user(*(by_id[use.id] for use in used))


def history_problem(messages: Sequence[Message]) -> str:
    """Return what makes a history invalid (MCP, "Sampling"): results must follow their uses at once; else nothing."""
    previous: list[types.ToolUseContent] = []
    for number, message in enumerate(messages, start=1):
        given = [block for block in blocks(message) if isinstance(block, types.ToolResultContent)]
        if given and (message.role != "user" or len(given) < len(blocks(message))):
            return f"message {number}: tool results stand alone in a user message"
        problem = _pairing_problem([use.id for use in previous], [result.tool_use_id for result in given])
        if problem:
            return f"message {number}: {problem}"
        previous = uses(message)
    return "the last message uses tools; the results of all of them must follow it" if previous else ""


def schema_tool(model: type[BaseModel]) -> types.Tool:
    """Return the reserved tool whose input has the shape of ``model``."""
    return types.Tool(
        name=SCHEMA_TOOL,
        description="Respond with structured data matching this schema.",
        input_schema=model.model_json_schema(),
    )


def spelled(message: Message) -> dict[str, Any]:
    """Return a message as the protocol and the journal spell it."""
    return message.model_dump(by_alias=True, mode="json", exclude_none=True)


def _pairing_problem(used: Sequence[str], given: Sequence[str]) -> str:
    """Return why results do not answer uses, both by their ids; nothing when they do."""
    missing = [use for use in used if use not in given]
    if missing:
        return f"no tool result for the tool use {missing[0]!r}"
    stray = [result for result in given if result not in used]
    if stray:
        return f"a tool result for {stray[0]!r}, which is no tool use of the message before it"
    twice = [result for result in given if given.count(result) > used.count(result)]
    return f"more than one tool result for the tool use {twice[0]!r}" if twice else ""


def _content(content: Sequence[str | Block]) -> Block | list[Block]:
    made: list[Block] = [types.TextContent(text=item) if isinstance(item, str) else item for item in content]
    return made[0] if len(made) == 1 and isinstance(made[0], types.TextContent) else made
