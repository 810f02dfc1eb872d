"""The shapes of Claude Code's records, as far as they are read.

A line is decoded once, and one without a place in the tree again, for what only such lines say. What nobody asks for is
passed over and never built, and a value of another type than expected counts as missing. Ids are bounded.
"""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec
from msgspec import Meta, Raw, Struct

from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import MAX_ID_CHARS, bounded_id, decode_as

_NOTHING: Final = Raw(b"")

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


Count = Annotated[int, Meta(ge=0)]
Milliseconds = Annotated[float, Meta(ge=0, lt=1e12)]


class _Identified(Struct):
    _IDS: ClassVar[Sequence[str]]

    def __post_init__(self) -> None:
        for name in self._IDS:
            given = getattr(self, name)
            if given is not None and not 0 < len(given) <= MAX_ID_CHARS:
                setattr(self, name, bounded_id(given))


class Block(_Identified):
    """One part of a message's content."""

    _IDS = ("id", "tool_use_id")

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = _NOTHING
    """A call's arguments, whose bytes distinguish calls; long ones are decoded of a thinking tool only."""
    tool_use_id: str | None = None
    is_error: bool = False
    content: str | list["Block"] | None = None


Content = str | list[Block] | None


class TokenDetails(Struct):
    """Of what the tokens of an answer are a part."""

    thinking_tokens: Count | None = None


class Usage(Struct):
    """The tokens that a message took."""

    input_tokens: Count = 0
    cache_creation_input_tokens: Count = 0
    cache_read_input_tokens: Count = 0
    output_tokens: Count = 0
    output_tokens_details: TokenDetails | None = None


class Message(_Identified):
    """What a record of a user or an assistant holds."""

    _IDS = ("id",)

    id: str | None = None
    model: str | None = None
    content: Content = None
    stop_reason: str | None = None
    usage: Usage | None = None


class Attached(Struct, rename="camel"):
    """What the client gave the model beside the messages."""

    type: str | None = None
    prompt: Content = None
    command_mode: str | None = None
    hook_name: str | None = None


class AgentResult(_Identified, rename="camel"):
    """``toolUseResult`` of a call that started a subagent, or a workflow of many."""

    _IDS = ("agent_id", "run_id")

    agent_id: str | None = None
    agent_type: str | None = None
    status: str | None = None
    content: Content = None
    resolved_model: str | None = None
    run_id: str | None = None


class ResultHunk(Struct, rename="camel"):
    """One changed place of a file."""

    new_start: Count = 0
    lines: list[str] = []
    """Its lines, each with its sign before it."""


class EditResult(Struct, rename="camel"):
    """``toolUseResult`` of a call that changed a file; the whole file before it is passed over."""

    type: str | None = None
    """``create`` or ``update``, of a file that was written whole."""
    file_path: str | None = None
    content: str | None = None
    """Of a file that was written whole: all of it."""
    structured_patch: list[ResultHunk] = []


class ThinkingAnswer(Struct, rename="camel"):
    """What the thinking tool answered."""

    next_thought_needed: bool | None = None


class McpMeta(Struct, rename="camel"):
    """What an MCP server answered beside the text."""

    structured_content: ThinkingAnswer | None = None


class CompactMetadata(Struct, rename="camel"):
    """The size of the context before and after it was compacted."""

    pre_tokens: Count | None = None
    post_tokens: Count | None = None


class ProgressData(_Identified, rename="camel"):
    """The work of a subagent, as its parent's file repeats it."""

    _IDS = ("agent_id",)

    agent_id: str | None = None


class ForkedFrom(_Identified, rename="camel"):
    """The record that a record is a copy of."""

    _IDS = ("session_id",)

    session_id: str | None = None


class WorktreeSession(Struct, rename="camel"):
    """The worktree that a session entered."""

    original_cwd: str | None = None
    worktree_name: str | None = None


class Record(_Identified, rename="camel"):
    """One line."""

    _IDS = (
        "uuid",
        "parent_uuid",
        "logical_parent_uuid",
        "session_id",
        "agent_id",
        "parent_tool_use_id",
        "leaf_uuid",
        "request_session_id",
    )

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    logical_parent_uuid: str | None = None
    timestamp: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    message: Message | None = None
    is_sidechain: bool = False
    is_meta: bool = False
    is_compact_summary: bool = False
    is_visible_in_transcript_only: bool = False
    is_api_error_message: bool = False
    thinking_duration_ms: Milliseconds | None = None
    api_block_index: Count | None = None
    tool_use_result: Raw = _NOTHING
    """Every tool has its own form, and may have the whole file that it read: `decode_agent_result` reads one."""
    mcp_meta: McpMeta | None = None
    attachment: Attached | None = None
    compact_metadata: CompactMetadata | None = None
    data: ProgressData | None = None
    parent_tool_use_id: str | None = msgspec.field(default=None, name="parentToolUseID")
    leaf_uuid: str | None = None
    forked_from: ForkedFrom | None = None
    request_id: str | None = None
    request_session_id: str | None = None


class LooseRecord(_Identified, rename="camel"):
    """What a line says that has no place in the tree of records: of titles, the worktree, the queue of messages."""

    _IDS = ("leaf_uuid",)

    leaf_uuid: str | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    summary: str | None = None
    worktree_session: WorktreeSession | None = None
    operation: str | None = None
    """What changed in the queue of typed messages: ``content`` and ``reason`` belong to it."""
    content: Content = None
    reason: str | None = None


_RECORDS: Final = msgspec.json.Decoder(Record)
_LOOSE_RECORDS: Final = msgspec.json.Decoder(LooseRecord)
_AGENT_RESULTS: Final = msgspec.json.Decoder(AgentResult)
_EDIT_RESULTS: Final = msgspec.json.Decoder(EditResult)
_ANSWERS: Final = msgspec.json.Decoder(ThinkingAnswer)


def decode_record(line: bytes) -> Record | None:
    """Return what a line says, or None if it is not a JSON object."""
    return decode_as(_RECORDS, line)


def decode_loose_record(line: bytes) -> LooseRecord:
    """Return what a line without a place in the tree says."""
    return decode_as(_LOOSE_RECORDS, line) or LooseRecord()


def records_in_damaged(line: bytes) -> list[bytes]:
    """Return the whole records in a line that is not a record itself."""
    return whole_records(line, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and isinstance(value.get("sessionId"), str)


def decode_agent_result(record: Record) -> AgentResult | None:
    """Return the result of a subagent, or None."""
    return decode_as(_AGENT_RESULTS, record.tool_use_result) if record.tool_use_result else None


def decode_edit_result(result: Raw) -> EditResult | None:
    """Return the result of a call that changed a file, or None."""
    return decode_as(_EDIT_RESULTS, result)


def decode_answer(text: str) -> ThinkingAnswer | None:
    """Return the answer of the thinking tool that a text is, or None."""
    return decode_as(_ANSWERS, text.encode("utf-8", "replace"))


def blocks_of(content: Content) -> Sequence[Block]:
    """Return the blocks of a content; a text is one block."""
    return [Block(type="text", text=content)] if isinstance(content, str) else content or ()


def texts_of(content: Content) -> list[str]:
    """Return the texts of a content: its own if it is one, else those of its blocks of text."""
    if isinstance(content, str):
        return [content]
    return [block.text for block in content or () if block.type == "text" and block.text is not None]


def text_of(content: Content) -> str:
    """Return the texts of a content, put together."""
    return "\n\n".join(texts_of(content))
