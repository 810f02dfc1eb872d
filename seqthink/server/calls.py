"""A call and its answer, and what stands between them: a decision. Standard library only."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from seqthink.journal.writer import AppendReceipt, DraftEvent
from seqthink.server.agents import MAIN_AGENT, CallingAgent
from seqthink.server.jsonrpc import dump_utf8_json
from seqthink.server.tools import TOOL_NAMES

JOURNAL_META_KEY: Final = "seqthink/journal"
_MAX_REJECTED_BYTES = 4096
_MAX_TOOL_NAME = 200
_NOTHING: Final[Mapping[str, Any]] = {}


class Call(NamedTuple):
    """One tool invocation as it came, and who sent it."""

    tool: str
    arguments: Any
    agent: CallingAgent = MAIN_AGENT
    id: str | None = None
    """The client's own."""
    client: Mapping[str, Any] | None = None
    protocol_version: str | None = None
    wants_warnings: bool = False
    """Whether a warning may go to the client's log before the answer."""
    can_elicit: bool = False
    """Whether the client can ask its person, now."""


class Answer(NamedTuple):
    """What the client gets: ``body`` as text, and as structured content unless the call was refused.

    ``seq`` is the event's. An answer that ``asks`` says that no thought should follow, unless the person wants one to.
    """

    body: Mapping[str, Any]
    is_error: bool = False
    meta: Mapping[str, Any] = _NOTHING
    warning: str = ""
    """What the client's log is told before the answer goes out."""
    seq: int = 0
    asks_user: bool = False
    is_over_limit: bool = False
    """Whether the chain is past its limit, so that no thought should follow whatever the model wants."""

    @property
    def text(self) -> str:
        """What the model reads: ``body`` as JSON."""
        return dump_utf8_json(self.body)

    @property
    def note_blocks(self) -> list[dict[str, str]]:
        """What the model reads besides, as content of its own: each note from the person at the viewer."""
        notes: Sequence[str] = self.body.get("notes", ())
        return [{"type": "text", "text": f"Note from the user: {note}"} for note in notes]

    def result(self) -> dict[str, Any]:
        """Return the result of `tools/call`, as the wire spells it."""
        result: dict[str, Any] = {"content": [{"type": "text", "text": self.text}, *self.note_blocks]}
        if self.is_error:
            result["isError"] = True
        else:
            result["structuredContent"] = dict(self.body)
        if self.meta:
            result["_meta"] = dict(self.meta)
        return result


class Decision(NamedTuple):
    """A call decided: the event that tells of it, if any does, and what the answer will say once it is journaled."""

    draft: DraftEvent | None
    body: Mapping[str, Any]
    is_error: bool
    asks_user: bool = False
    is_over_limit: bool = False


def reject(call: Call, error: str, body: Mapping[str, Any]) -> Decision:
    """Return that ``call`` is refused: for ``error``, with ``body`` as the answer."""
    tool = None if call.tool in TOOL_NAMES else call.tool[:_MAX_TOOL_NAME]
    arguments, is_cut = _kept(call.arguments)
    fields = {"error": error, "tool": tool, "arguments": arguments, "truncated": is_cut or None}
    fields |= {"agent": call.agent.id, "call": call.id}
    return Decision(DraftEvent("rejected", fields), body, is_error=True)


def error_body(error: str, details: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the body of an answer that refuses (server.md, "Refusal")."""
    body: dict[str, Any] = {"error": error, "status": "failed"}
    if details:
        body["details"] = dict(details)
    return body


def _kept(arguments: Any) -> tuple[Any, bool]:  # noqa: ANN401 - whatever a client sent
    """Return rejected arguments as the journal keeps them, and whether they were cut."""
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
        return text, False  # a number beyond all bounds is no JSON: it is kept as the text that it is
    return arguments, False


def journal_meta(receipt: AppendReceipt, session: str) -> dict[str, Any]:
    """Return what an answer owns up to of its event's place in the journal: it waits, or another file goes on."""
    state: dict[str, Any] = {}
    if receipt.continues:
        state |= {"session": session, "continues": receipt.continues}
    if receipt.waiting:
        state |= {"waiting": receipt.waiting, "error": receipt.error}
    return {JOURNAL_META_KEY: state} if state else {}
