"""A tool call and its answer. Standard library only."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from seqthink.dialogue.protocol_versions import STATELESS_VERSION
from seqthink.journal.drafts import DraftEvent
from seqthink.server.tools.agents import MAIN_AGENT, CallingAgent
from seqthink.server.tools.thinking_tool import TOOL_NAMES
from seqthink.server.wire.jsonrpc import dump_utf8_json, dump_utf8_object

if TYPE_CHECKING:  # not loaded before the first answer
    from seqthink.core.arguments import InvalidArguments

_MAX_REJECTED_BYTES = 4096
"""Longer arguments of a refused call are cut in the journal."""
_MAX_TOOL_NAME_CHARS = 200
_NO_META: Final[Mapping[str, Any]] = {}


class Call(NamedTuple):
    """One tool call and its sender."""

    tool: str
    arguments: Any
    """Any JSON: the client may send something that is not an object."""
    agent: CallingAgent = MAIN_AGENT
    id: str | None = None
    """The client's own id of the call."""
    client: Mapping[str, Any] | None = None
    """Name and version of the client."""
    protocol_version: str | None = None
    """The version of MCP that the call uses."""
    wants_warnings: bool = False
    """Whether a warning may be sent to the client's log before the answer."""
    can_elicit: bool = False
    """Whether the client can show the user a form during this call."""

    @property
    def is_stateless(self) -> bool:
        """Whether the call uses a stateless version of MCP, which adds fields to the answer."""
        return self.protocol_version == STATELESS_VERSION


class Answer(NamedTuple):
    """The answer to a call, with the event that journals the call. The receipt of that event completes it."""

    body: Mapping[str, Any]
    """Sent as text, and as structured content too unless the call was refused."""
    draft: DraftEvent | None = None
    """The call's event; None if it has none."""
    is_error: bool = False
    asks_user: bool = False
    """Whether to ask the user if another thought may follow. Until they agree, the answer says that none should."""
    is_over_limit: bool = False
    """Whether the chain is past its limit, so that no thought should follow whatever the model wants."""
    seq: int = 0
    """The seq of the call's event in the journal."""
    meta: Mapping[str, Any] = _NO_META
    """The `_meta` of the result; an empty one is not sent."""
    warning: str = ""
    """Sent to the client's log before the answer; empty: no warning."""

    def journaled(self, seq: int, meta: Mapping[str, Any]) -> "Answer":
        """Return this answer with what is known once its event is journaled."""
        return Answer(self.body, self.draft, self.is_error, self.asks_user, self.is_over_limit, seq, meta)

    @property
    def text(self) -> str:
        """``body`` as JSON: what the model reads."""
        return dump_utf8_object(self.body)

    @property
    def note_blocks(self) -> list[dict[str, str]]:
        """Further text blocks for the model: one for each note from the user."""
        notes: Sequence[str] = self.body.get("notes", ())
        return [{"type": "text", "text": f"Note from the user: {note}"} for note in notes] if notes else []

    def result(self) -> dict[str, Any]:
        """Return the result of `tools/call` as sent to the client."""
        result: dict[str, Any] = {"content": [{"type": "text", "text": self.text}, *self.note_blocks]}
        if self.is_error:
            result["isError"] = True
        else:
            result["structuredContent"] = dict(self.body)
        if self.meta:
            result["_meta"] = dict(self.meta)
        return result


def refusal(call: Call, error: str, body: Mapping[str, Any]) -> Answer:
    """Return the answer that refuses ``call`` because of ``error``, with ``body``."""
    tool = None if call.tool in TOOL_NAMES else call.tool[:_MAX_TOOL_NAME_CHARS]
    arguments, is_cut = _journaled_arguments(call.arguments)
    fields = {"error": error, "tool": tool, "arguments": arguments, "truncated": is_cut or None}
    fields |= {"agent": call.agent.id, "call": call.id}
    return Answer(body, DraftEvent("rejected", fields), is_error=True)


def invalid_arguments_refusal(call: Call, invalid: "InvalidArguments") -> Answer:
    """Return the answer that refuses ``call`` because of its arguments."""
    return refusal(call, invalid.message, error_body(invalid.message, invalid.problems))


def error_body(error: str, details: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the body of a refusal (docs/tools.md, "Refusals"); ``details`` has a text for each bad field."""
    body: dict[str, Any] = {"error": error, "status": "failed"}
    if details:
        body["details"] = dict(details)
    return body


def _journaled_arguments(arguments: Any) -> tuple[Any, bool]:  # noqa: ANN401 - whatever a client sent
    """Return the arguments of a refused call as the journal keeps them, and whether they were cut."""
    try:
        text = dump_utf8_json(arguments)
    except RecursionError:
        return "nested too deeply to be kept", True
    data = text.encode()
    if len(data) > _MAX_REJECTED_BYTES:
        return data[:_MAX_REJECTED_BYTES].decode("utf-8", "ignore"), True
    try:
        json.dumps(arguments, allow_nan=False)
    except ValueError:
        return text, False  # Infinity is not JSON: the arguments are kept as text
    return arguments, False
