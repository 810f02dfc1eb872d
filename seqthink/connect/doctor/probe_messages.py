"""What is said to a server that is tried, and what its answers mean. Pure.

Four messages of MCP over stdio, version 2025-06-18 (the specification's "Lifecycle" and "Tools" pages): a client's own
library would be slower to load than the server is to start.
"""

import json
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

PROTOCOL_VERSION = "2025-06-18"
TOOL = "sequentialthinking"
TEST_THOUGHT = "A test by `seqthink doctor`. It is not kept."
OUR_SERVER = "seqthink"
"""Our server's name, as it answers `initialize`."""
INITIALIZE_ID, TOOLS_ID, CALL_ID = 1, 2, 3
_MAX_NAME_CHARS = 60

Message = Mapping[str, Any]


class ServerName(Struct, frozen=True):
    """Who answered `initialize`. Untrusted text."""

    name: str
    version: str


def initialize_request(version: str) -> bytes:
    """Return the first request, of a client with a ``version``."""
    client = {"name": "seqthink-doctor", "version": version}
    return _line(
        "initialize", {"protocolVersion": PROTOCOL_VERSION, "capabilities": {}, "clientInfo": client}, INITIALIZE_ID
    )


def initialized_and_tools_request() -> bytes:
    """Return the notification that follows the first answer, and the request for the tools."""
    return _line("notifications/initialized", {}) + _line("tools/list", {}, TOOLS_ID)


def call_request() -> bytes:
    """Return the call of the tool."""
    thought = {"thought": TEST_THOUGHT, "thoughtNumber": 1, "totalThoughts": 1, "nextThoughtNeeded": False}
    return _line("tools/call", {"name": TOOL, "arguments": thought}, CALL_ID)


def _line(method: str, params: Message, number: int | None = None) -> bytes:
    message = {"jsonrpc": "2.0", **({} if number is None else {"id": number}), "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def read_line(line: bytes) -> Message | None:
    """Return the message that a line of a server's stdout holds; None if it holds none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_message = isinstance(value, dict) and cast("dict[str, Any]", value).get("jsonrpc") == "2.0"
    return cast("Message", value) if is_message else None


def server_of_answer(answer: Message) -> ServerName | None:
    """Return who answered `initialize`; None if the answer is not a result of it."""
    result = _object(answer.get("result"))
    info = _object(result.get("serverInfo"))
    if not isinstance(result.get("protocolVersion"), str) or not isinstance(info.get("name"), str):
        return None
    return ServerName(str(info["name"])[:_MAX_NAME_CHARS], str(info.get("version", ""))[:_MAX_NAME_CHARS])


def has_tool(answer: Message) -> bool:
    """Return whether an answer to `tools/list` lists the tool."""
    tools = _object(answer.get("result")).get("tools")
    return isinstance(tools, list) and any(_object(tool).get("name") == TOOL for tool in cast("list[Any]", tools))


def refusal(answer: Message) -> str:
    """Return why a call was refused, in the server's words; "" if it was answered."""
    if "error" in answer:
        return str(_object(answer["error"]).get("message", "")) or "an error without a message"
    result = _object(answer.get("result"))
    content = result.get("content")
    if not isinstance(content, list):
        return "an answer without content"
    if result.get("isError") is not True:
        return ""
    texts = [str(_object(block).get("text", "")) for block in cast("list[Any]", content)]
    return " ".join(texts).strip() or "an error without a text"


def _object(value: object) -> Message:
    return cast("Message", value) if isinstance(value, dict) else {}
