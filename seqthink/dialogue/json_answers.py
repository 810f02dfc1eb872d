"""Answers of a given shape from a model without tools: asked for in words, found in its text. Pure.

A client may offer sampling without tools (MCP, "Sampling": the capability ``sampling`` without ``sampling.tools``).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Final

import mcp_types as types
from pydantic import BaseModel

from seqthink.dialogue.errors import BadAnswerError
from seqthink.dialogue.messages import Message, content_blocks, user

_OBJECT: Final = re.compile(r'\{(?=\s*["}])')
_ARRAY: Final = re.compile(r"\[")


def with_schema_request(messages: Sequence[Message], model: type[BaseModel]) -> list[Message]:
    """Return ``messages`` with the request for one JSON value of the shape of ``model`` at the end of the last one.

    Text is joined to text: before version 2025-11-25 a message has one block.
    """
    schema = json.dumps(model.model_json_schema(), ensure_ascii=False)
    request = f"Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{schema}"
    *before, last = messages
    if last.role == "user" and isinstance(last.content, types.TextContent):
        joined = last.content.model_copy(update={"text": f"{last.content.text}\n\n{request}"})
        return [*before, last.model_copy(update={"content": joined})]
    return [*messages, user(request)]


def json_value_in(response: Message, model: type[BaseModel]) -> Any:  # noqa: ANN401 - any JSON
    """Return the JSON value in the text of ``response``; a fence or prose may be around it.

    Raises:
        BadAnswerError: There is none, more than one, or a broken one; the text says to the model which.
    """
    text = "\n".join(block.text for block in content_blocks(response) if isinstance(block, types.TextContent))
    begin = _ARRAY if model.model_json_schema().get("type") == "array" else _OBJECT
    values, match = list[Any](), begin.search(text)
    while match:
        value, end = _decode(text, match.start())
        values.append(value)
        match = begin.search(text, end)
    if not values:
        raise BadAnswerError("the answer holds no JSON value; it must be one that fits the schema")
    if len(values) > 1:
        raise BadAnswerError(f"the answer holds {len(values)} JSON values; it must hold exactly one")
    return values[0]


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at ``start``, and where it ends."""
    try:
        return _DECODER.raw_decode(text, start)
    except RecursionError:
        raise BadAnswerError("the JSON value in the answer is nested too deeply") from None
    except ValueError as error:
        raise BadAnswerError(f"the JSON value in the answer is broken: {error}") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)
