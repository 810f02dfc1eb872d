"""The shapes of Claude Code's records, as far as they are read.

Every field is the raw bytes of its value: what nobody asks for is passed over and never built, and a value of another
type than expected is a value that is not there.
"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import Raw

from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import decode_as, decode_value, object_or_empty

NOTHING: Final = Raw(b"")

NOISE_TYPES: Final = frozenset(
    (
        b"api-request",
        b"api-request-blob",
        b"api-request-resumed",
        b"api-request-shape",
        b"atis-latch",
        b"attribution-snapshot",
        b"bridge-session",
        b"content-replacement",
        b"cost-state",
        b"file-history-delta",
        b"file-history-snapshot",
        b"frame-link",
        b"isolation-latch",
        b"marble-origami-commit",
        b"marble-origami-snapshot",
        b"mode",
        b"permission-mode",
        b"pr-link",
        b"relocated",
        b"session-owner",
        b"speculation-accept",
        b"tag",
        b"tools-used",
    )
)
"""Types of records that say nothing that is reported, have no place in the tree of records, and may be long."""

KNOWN_TYPES: Final = frozenset(
    (
        *(name.decode() for name in NOISE_TYPES),
        "agent-color",
        "agent-name",
        "agent-setting",
        "ai-title",
        "assistant",
        "attachment",
        "custom-title",
        "last-prompt",
        "progress",
        "queue-operation",
        "summary",
        "system",
        "user",
        "worktree-state",
    )
)


class Record(msgspec.Struct, rename="camel"):
    """One line."""

    type: Raw = NOTHING
    subtype: Raw = NOTHING
    uuid: Raw = NOTHING
    parent_uuid: Raw = NOTHING
    logical_parent_uuid: Raw = NOTHING
    timestamp: Raw = NOTHING
    session_id: Raw = NOTHING
    agent_id: Raw = NOTHING
    cwd: Raw = NOTHING
    version: Raw = NOTHING
    message: Raw = NOTHING
    is_sidechain: Raw = NOTHING
    is_meta: Raw = NOTHING
    is_compact_summary: Raw = NOTHING
    is_visible_in_transcript_only: Raw = NOTHING
    is_api_error_message: Raw = NOTHING
    thinking_duration_ms: Raw = NOTHING
    api_block_index: Raw = NOTHING
    tool_use_result: Raw = NOTHING
    mcp_meta: Raw = NOTHING
    attachment: Raw = NOTHING
    compact_metadata: Raw = NOTHING
    data: Raw = NOTHING
    parent_tool_use_id: Raw = msgspec.field(default=NOTHING, name="parentToolUseID")
    leaf_uuid: Raw = NOTHING
    forked_from: Raw = NOTHING
    request_id: Raw = NOTHING
    request_session_id: Raw = NOTHING


class Titles(msgspec.Struct, rename="camel"):
    """What a line says that names the session, or its place."""

    custom_title: Raw = NOTHING
    ai_title: Raw = NOTHING
    summary: Raw = NOTHING
    leaf_uuid: Raw = NOTHING
    worktree_session: Raw = NOTHING


class Message(msgspec.Struct):
    """What a record of a user or an assistant holds."""

    id: Raw = NOTHING
    model: Raw = NOTHING
    content: Raw = NOTHING
    stop_reason: Raw = NOTHING
    usage: Raw = NOTHING


class Block(msgspec.Struct):
    """One part of a message's content."""

    type: Raw = NOTHING
    text: Raw = NOTHING
    thinking: Raw = NOTHING
    signature: Raw = NOTHING
    id: Raw = NOTHING
    name: Raw = NOTHING
    input: Raw = NOTHING
    tool_use_id: Raw = NOTHING
    is_error: Raw = NOTHING
    content: Raw = NOTHING


class _QueueOperation(msgspec.Struct):
    operation: Raw = NOTHING
    content: Raw = NOTHING
    reason: Raw = NOTHING


class _Attachment(msgspec.Struct, rename="camel"):
    type: Raw = NOTHING
    prompt: Raw = NOTHING
    command_mode: Raw = NOTHING
    hook_name: Raw = NOTHING


class AgentResult(msgspec.Struct, rename="camel"):
    """``toolUseResult`` of a call that started a subagent, or a workflow of many."""

    agent_id: Raw = NOTHING
    agent_type: Raw = NOTHING
    status: Raw = NOTHING
    content: Raw = NOTHING
    resolved_model: Raw = NOTHING
    run_id: Raw = NOTHING


_RECORDS: Final = msgspec.json.Decoder(Record)
_TITLES: Final = msgspec.json.Decoder(Titles)
_MESSAGES: Final = msgspec.json.Decoder(Message)
_BLOCKS: Final = msgspec.json.Decoder(Block)
_LISTS: Final = msgspec.json.Decoder(list[Raw])
_QUEUE_OPERATIONS: Final = msgspec.json.Decoder(_QueueOperation)
_ATTACHMENTS: Final = msgspec.json.Decoder(_Attachment)
_AGENT_RESULTS: Final = msgspec.json.Decoder(AgentResult)


def decode_record(line: bytes) -> Record | None:
    """Return the outline of a line, or None if it is no JSON object."""
    return decode_as(_RECORDS, line)


def records_in_damaged(line: bytes) -> list[bytes]:
    """Return the whole records in a line that is no record itself."""
    return whole_records(line, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and isinstance(value.get("sessionId"), str)


def decode_titles(line: bytes) -> Titles:
    """Return the titles in a line; empty ones if it is no JSON object."""
    return decode_as(_TITLES, line) or Titles()


def decode_message(raw: Raw) -> Message | None:
    """Return a record's message, or None."""
    return decode_as(_MESSAGES, raw) if raw else None


def decode_agent_result(raw: Raw) -> AgentResult | None:
    """Return the result of a subagent, or None."""
    return decode_as(_AGENT_RESULTS, raw) if raw else None


def decode_queue_operation(line: bytes) -> _QueueOperation | None:
    """Return what a change of the queue of typed messages says, or None."""
    return decode_as(_QUEUE_OPERATIONS, line)


def decode_attachment(raw: Raw) -> _Attachment | None:
    """Return what is attached, or None."""
    return decode_as(_ATTACHMENTS, raw) if raw else None


def blocks_of(content: Raw) -> Iterator[Block]:
    """Yield the blocks of a content that is a list; what is no block is left out."""
    if bytes(memoryview(content)[:1]) != b"[":
        return
    try:
        items = _LISTS.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return
    for item in items:
        block = decode_as(_BLOCKS, item)
        if block is not None:
            yield block


def text_in(raw: Raw) -> str | None:
    """Return the text that ``raw`` is, or None if it is something else."""
    value = decode_value(raw) if is_text(raw) else None
    return value if isinstance(value, str) else None


def is_text(raw: Raw) -> bool:
    """Return whether this is a JSON string, by its first byte."""
    return bytes(memoryview(raw)[:1]) == b'"'


def is_true(raw: Raw) -> bool:
    """Return whether this is ``true``."""
    return bytes(memoryview(raw)[:5]) == b"true"


def object_in(raw: Raw) -> dict[str, Any]:
    """Return the object that ``raw`` is, or an empty one."""
    return object_or_empty(decode_value(raw))


def texts_of(content: Raw) -> list[str]:
    """Return the texts of a content: its own if it is one, else those of its blocks of text."""
    text = text_in(content)
    if text is not None:
        return [text]
    found = (text_in(block.text) for block in blocks_of(content) if text_in(block.type) == "text")
    return [text for text in found if text is not None]
