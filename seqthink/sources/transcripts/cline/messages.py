"""What one message of Cline CLI says: a prompt, an answer with reasoning and calls, or how calls ended."""

import re
from typing import Final, NamedTuple

from seqthink.sources.transcripts.files.json_lines import decode_object
from seqthink.sources.transcripts.json_fields import (
    Fields,
    as_fields,
    digest,
    id_in,
    list_in,
    objects_in,
    picture_in,
    text_in,
    texts_in,
)
from seqthink.sources.transcripts.tool_names import failure_line, is_thinking_tool

MAX_ERROR_CHARS: Final = 2_000
AGENT_TOOL: Final = "spawn_agent"
_WRAPPED: Final = re.compile(r"<user_(input|command)\b[^>]*>(.*?)</user_\1>", re.DOTALL)
_NOTICE: Final = re.compile(r"<mode_notice>.*?</mode_notice>", re.DOTALL)
_EXITED: Final = re.compile(r"Command exited with code (-?\d+)\Z")
_MARKS: Final = re.compile(r"^\[[^\]\n]*\]$\n*", re.MULTILINE)


class Answered(NamedTuple):
    """How a call ended."""

    is_error: bool
    text: str
    """What it was answered, or why it failed."""


def message_id(message: Fields) -> str:
    """Return the id of a message; of one that has none, what is in it."""
    return id_in(message, "id") or f"message-{digest(repr(sorted(message.items(), key=lambda pair: pair[0])))}"


def is_message(value: Fields) -> bool:
    """Return whether an object is a message."""
    return isinstance(value.get("role"), str) and isinstance(value.get("content"), str | list)


def parts_of(message: Fields, kind: str) -> list[Fields]:
    """Return the parts of a message of one kind."""
    return [part for part in objects_in(message, "content") if part.get("type") == kind]


def said_in(message: Fields) -> str:
    """Return the texts of a message."""
    texts = [text_in(message, "content"), *(text_in(part, "text") for part in parts_of(message, "text"))]
    return "\n".join(text for text in texts if text).strip()


def prompt_of(message: Fields) -> str:
    """Return what the user wrote, without what the client put around it."""
    text = _NOTICE.sub("", said_in(message))
    return _WRAPPED.sub(lambda found: found[2], text).strip() or picture_in(message, "content")


def answered(result: Fields, tool: str) -> Answered:
    """Return how a call of a tool ended, as a part with its result says it."""
    content = result.get("content")
    listed = objects_in(result, "content")
    failed = [one for one in listed if one.get("success") is False or text_in(one, "error")]
    if failed:
        return Answered(is_error=True, text=_why(failed[0]))
    text = content if isinstance(content, str) else "\n".join(texts_in(result, "content"))
    said = decode_object(text.encode("utf-8", "replace")) if isinstance(content, str) else None
    is_error = result.get("is_error") is True
    if said is not None:
        is_error = is_error or said.get("isError") is True or bool(text_in(said, "error") and tool != AGENT_TOOL)
        text = "\n".join(texts_in(said, "content")) or text_in(said, "error", "text") or text
    if not is_error:
        return Answered(is_error=False, text=text)
    return Answered(is_error=True, text=text[:MAX_ERROR_CHARS] if is_thinking_tool(tool) else failure_line(text))


def _why(failed: Fields) -> str:
    """Return why one of several commands or files failed, in one line."""
    error, output = text_in(failed, "error"), _MARKS.sub("", text_in(failed, "result"))
    exited = _EXITED.search(error)
    return failure_line(f"Exit code {exited[1]}\n{output}" if exited else error or output)


def asked_of(arguments: object) -> Fields:
    """Return a call's arguments, with the files and commands that they list under names which are shown."""
    named = as_fields(arguments)
    files, commands = objects_in(named, "files"), list_in(named, "commands", "queries")
    first: Fields = files[0] if files else {"command": commands} if commands else {}
    return {**named, **first, **({"prompt": named["task"]} if "task" in named else {})}
