"""The shapes of Copilot's records, as far as they are read.

Every record has a type, an id, a time, its data and, if it is a subagent's, that agent's id. The client does not
document them; ``version: 1`` in the first one is all that it says of the format. What nobody asks for is passed over,
and a value of another type than expected counts as missing.
"""

from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from seqthink.sources.transcripts.files.damaged_lines import whole_records
from seqthink.sources.transcripts.files.json_lines import decode_as

_NOTHING: Final = Raw(b"")
_TYPE_START: Final = b'{"type":"'
_NOISE_TYPES: Final = frozenset(
    (
        b"assistant.fusion_phase_completed",
        b"assistant.fusion_phase_failed",
        b"assistant.turn_end",
        b"assistant.turn_start",
        b"external_tool.completed",
        b"external_tool.requested",
        b"hook.end",
        b"hook.start",
        b"permission.assentDetected",
        b"permission.carriedForward",
        b"permission.contextualAuthorization",
        b"permission.messageAuthorization",
        b"permission.messageAuthorizationDegraded",
        b"permission.messageAuthorizationRead",
        b"session.auto_mode_resolved",
        b"session.auto_tier_switch_failed",
        b"session.autopilot_objective_changed",
        b"session.binary_asset",
        b"session.canvas.recorded",
        b"session.canvas.removed",
        b"session.compaction_start",
        b"session.completion_receipt",
        b"session.context_cleared",
        b"session.fusion_completed",
        b"session.fusion_resolved",
        b"session.fusion_route_failed",
        b"session.handoff",
        b"session.info",
        b"session.managed_settings_enforced",
        b"session.mode_changed",
        b"session.mode_notice_delivered",
        b"session.model_change",
        b"session.permissions_changed",
        b"session.plan_changed",
        b"session.remote_steerable_changed",
        b"session.schedule_cancelled",
        b"session.schedule_created",
        b"session.schedule_rearmed",
        b"session.session_limits_changed",
        b"session.task_complete",
        b"session.truncation",
        b"session.usage_checkpoint",
        b"session.warning",
        b"session.workspace_file_changed",
        b"skill.invoked",
        b"subagent.configured",
        b"subagent.deselected",
        b"subagent.selected",
        b"system.message",
        b"system.notification",
        b"tool.user_requested",
        b"tool_search.activated",
    )
)
"""Types of records that say nothing that is reported; two thirds of a file are theirs."""
_NOISE_BEGINNING: Final = b"model."
"""How the types of the records begin that say what was sent to the model, and when."""


class CallRequest(Struct, rename="camel"):
    """A call that the model asks for."""

    tool_call_id: str | None = None
    name: str | None = None
    mcp_tool_name: str | None = None
    arguments: Raw = _NOTHING


class WorkContext(Struct, rename="camel"):
    """Where the client works."""

    cwd: str | None = None
    branch: str | None = None
    repository: str | None = None
    """``owner/name``."""
    repository_host: str | None = None
    pending_git_context: bool = False
    """Whether another record says soon what of this is on a branch."""


class CallOutcome(Struct, rename="camel"):
    """What a call brought."""

    content: str | None = None
    detailed_content: Raw = _NOTHING
    """Of an edit: the diff, as JSON. Of other tools it may be long, so it is decoded when an edit is asked for."""
    structured_content: Raw = _NOTHING


class CallFailure(Struct):
    """Why a call failed."""

    message: str | None = None


class ShellExecution(Struct, rename="camel"):
    """How a command of the shell ended."""

    exit_code: int = 0


class AskedPermission(Struct, rename="camel"):
    """What the user is asked to allow."""

    tool_call_id: str | None = None


class TokenUsage(Struct, rename="camel"):
    """How many tokens one answer of the model took."""

    model: str | None = None
    input_tokens: int = 0
    """All that was sent, also what a cache held."""
    output_tokens: int = 0
    max_prompt_tokens: int | None = None


class RecordData(Struct, rename="camel"):
    """What the records of all types say."""

    session_id: str | None = None
    copilot_version: str | None = None
    context: WorkContext | None = None
    content: str | None = None
    source: str | None = None
    tool_requests: list[CallRequest] = []
    reasoning_text: str | None = None
    reasoning_opaque: str | None = None
    encrypted_content: str | None = None
    chunk_index: int = 0
    chunk_count: int = 1
    model: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    mcp_tool_name: str | None = None
    arguments: Raw = _NOTHING
    success: bool = True
    result: CallOutcome | None = None
    error: CallFailure | str | None = None
    shell_execution: ShellExecution | None = None
    agent_name: str | None = None
    agent_description: str | None = None
    parent_id: str | None = None
    cancelled: bool = False
    pre_compaction_tokens: int | None = None
    post_compaction_tokens: int | None = None
    permission_request: AskedPermission | None = None
    usage: TokenUsage | None = None


class CopilotRecord(Struct, rename="camel"):
    """One line."""

    type: str | None = None
    id: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
    data: RecordData | None = None


class ContextRecord(Struct):
    """A line about a change of the folder: its data is the context itself."""

    data: WorkContext | None = None


class ThoughtAnswer(Struct, rename="camel"):
    """The answer of the thinking tool."""

    next_thought_needed: bool | None = None


_RECORDS: Final = msgspec.json.Decoder(CopilotRecord)
_CONTEXTS: Final = msgspec.json.Decoder(ContextRecord)
_ANSWERS: Final = msgspec.json.Decoder(ThoughtAnswer)


def may_be_read(line: bytes) -> bool:
    """Return whether a line may hold a record that says something: one of another type, or glued to one that does not.

    Decided by its bytes, without decoding it.
    """
    if not line.startswith(_TYPE_START) or line.find(_TYPE_START, 1) >= 0:
        return True
    end = line.find(b'"', len(_TYPE_START))
    return not _says_nothing(line[len(_TYPE_START) : end])


def is_known(kind: str) -> bool:
    """Return whether a type of records is known to say nothing."""
    return _says_nothing(kind.encode("utf-8", "replace"))


def _says_nothing(kind: bytes) -> bool:
    return kind in _NOISE_TYPES or kind.startswith(_NOISE_BEGINNING)


def decode_record(line: bytes) -> CopilotRecord | None:
    """Return what a line says, or None if it is not a JSON object."""
    return decode_as(_RECORDS, line)


def decode_context(line: bytes) -> RecordData:
    """Return what a line about a change of the folder says."""
    found = decode_as(_CONTEXTS, line)
    return RecordData(context=found.data if found is not None else None)


def records_in_damaged(line: bytes) -> list[bytes]:
    """Return the whole records in a line that is not a record itself."""
    return whole_records(line, _is_record)


def _is_record(value: dict[str, Any]) -> bool:
    return {"type", "id", "timestamp", "data"} <= value.keys()


def answered_next(outcome: CallOutcome | None) -> bool | None:
    """Return ``nextThoughtNeeded`` in the answer of the thinking tool, if it can be read."""
    if outcome is None:
        return None
    answer = decode_as(_ANSWERS, outcome.structured_content or (outcome.content or "").encode("utf-8", "replace"))
    return answer.next_thought_needed if answer is not None else None
