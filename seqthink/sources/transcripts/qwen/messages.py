"""What one message of Qwen Code says: what the user wrote, what the model thought, said and called, how calls ended.

A tool of an MCP server is deferred as a rule: the model calls it by another tool, ``tool_call``, which does not show.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from seqthink.sources.transcripts.edits.recorded import edits_of_diff
from seqthink.sources.transcripts.facts import FileEdit
from seqthink.sources.transcripts.json_fields import (
    NO_FIELDS,
    PICTURE,
    Fields,
    as_fields,
    id_in,
    object_in,
    objects_in,
    text_in,
)
from seqthink.sources.transcripts.tool_names import failure_line, is_thinking_tool, own_tool_name

MAX_ERROR_CHARS: Final = 2_000
AGENT_TOOL: Final = "agent"
"""The tool that starts a subagent."""
_BRIDGE: Final = "tool_call"
_REMINDER: Final = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_EXIT_CODE: Final = re.compile(r"^Exit Code: (?!0$)(-?\d+)$", re.MULTILINE)
_OUTPUT: Final = re.compile(r"^Output: *", re.MULTILINE)
_FAILED: Final = frozenset({"error", "cancelled"})


class AskedCall(NamedTuple):
    """A call of a tool, as one part of a message has it."""

    client_id: str
    tool: str
    arguments: Any


class AnsweredCall(NamedTuple):
    """How a call ended."""

    client_id: str
    is_error: bool
    text: str
    """What it was answered, or why it failed."""
    edits: Sequence[FileEdit]
    """What it changed, if the client says so."""


def parts_of(record: Fields) -> list[Fields]:
    """Return the parts of a record's message."""
    return objects_in(object_in(record, "message"), "parts")


def prompt_of(record: Fields) -> str:
    """Return what the user wrote; empty if it holds only what the client added."""
    texts = [_REMINDER.sub("", text_in(part, "text")).strip() for part in parts_of(record)]
    said = "\n".join(text for text in texts if text)
    return said or (PICTURE if any("inlineData" in part for part in parts_of(record)) else "")


def thoughts_of(record: Fields) -> list[str]:
    """Return the texts of what the model thought in a message."""
    return [text for part in parts_of(record) if part.get("thought") is True and (text := text_in(part, "text"))]


def said_in(record: Fields) -> str:
    """Return what the model said in a message."""
    texts = (text_in(part, "text") for part in parts_of(record) if part.get("thought") is not True)
    return "\n".join(text for text in texts if text).strip()


def calls_in(record: Fields) -> list[AskedCall]:
    """Return the calls that a message asks for."""
    called = (object_in(part, "functionCall") for part in parts_of(record))
    return [
        _unwrapped(AskedCall(id_in(call, "id"), text_in(call, "name"), call.get("args"))) for call in called if call
    ]


def _unwrapped(call: AskedCall) -> AskedCall:
    if call.tool == _BRIDGE:
        asked = as_fields(call.arguments)
        call = AskedCall(call.client_id, text_in(asked, "name") or _BRIDGE, asked.get("arguments"))
    return call._replace(tool=own_tool_name(call.tool) or "?")


def ends_in(record: Fields) -> Iterator[AnsweredCall]:
    """Yield how calls ended, as a record of their results says it."""
    about = object_in(record, "toolCallResult")
    for part in parts_of(record):
        answered = object_in(part, "functionResponse")
        client_id = id_in(answered, "id") or id_in(about, "callId")
        if not answered or not client_id:
            continue
        response = object_in(answered, "response")
        error = text_in(response, "error")
        is_error = bool(error) or text_in(about, "status") in _FAILED
        shown = NO_FIELDS if is_error else object_in(about, "resultDisplay")
        edits = edits_of_diff(text_in(shown, "fileDiff"), text_in(shown, "filePath"))
        yield AnsweredCall(client_id, is_error, error or text_in(response, "output"), edits)


def why_failed(end: AnsweredCall, tool: str) -> str:
    """Return why a call failed; of a thinking tool's all of it, else its first line."""
    if is_thinking_tool(tool):
        return end.text[:MAX_ERROR_CHARS] or "refused"
    status = _EXIT_CODE.search(end.text)
    output = _OUTPUT.split(end.text, maxsplit=1)[-1].removeprefix("(empty)\n")
    return failure_line(f"Exit code {status[1]}\n{output}" if status else end.text)
