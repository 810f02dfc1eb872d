"""What a journal holds: one frozen struct an event type, named and spelled as journal.md names them.

These are the readers' models and the proof of what the writer writes. A field that a newer version added is ignored;
a missing or ill-typed one makes the line corrupt. ``null`` is read as absent.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

_MAX_EXACT_INT = 2**53 - 1  # what every JSON parser reads exactly; the server refuses more
Count = Annotated[int, Meta(ge=1, le=_MAX_EXACT_INT)]
Seq = Annotated[int, Meta(ge=1, le=_MAX_EXACT_INT)]
Timestamp = Annotated[datetime, Meta(tz=True)]


class Entry(Struct, frozen=True, kw_only=True, tag_field="type"):
    """One journal line: where it stands in the file's order, when it was written, and the event itself."""

    v: Literal[1]
    seq: Seq
    time: Timestamp


class Program(Struct, frozen=True):
    """A program as it names itself."""

    name: str
    version: str = ""


class SessionEvent(Entry, frozen=True, kw_only=True, tag="session"):
    """A server began to write here: first line, or again after a resume."""

    session: str
    title: str | None = None
    server: Program | None = None
    client: Program | None = None
    protocolVersion: str | None = None
    pid: int | None = None
    host: str | None = None
    cwd: str | None = None
    resumed: bool = False
    continues: str | None = None
    notes: bool = True


class ThoughtEvent(Entry, frozen=True, kw_only=True, tag="thought"):
    """A call was accepted: the tool's nine fields after coercion, and what the answer made of them."""

    thought: str
    nextThoughtNeeded: bool
    thoughtNumber: Count
    totalThoughts: Count
    isRevision: bool | None = None
    revisesThought: Count | None = None
    branchFromThought: Count | None = None
    branchId: str | None = None
    needsMoreThoughts: bool | None = None
    requestedTotal: Count | None = None
    answeredNext: bool | None = None
    hint: str | None = None
    coerced: tuple[str, ...] = ()
    agent: str | None = None
    call: str | None = None
    toolUseId: str | None = None
    """What ``call`` was named before servers told agents apart."""


class RejectedEvent(Entry, frozen=True, kw_only=True, tag="rejected"):
    """A call was refused: why, and what it asked for."""

    error: str
    tool: str | None = None
    arguments: Any = None
    truncated: bool = False
    agent: str | None = None
    call: str | None = None


class AgentEvent(Entry, frozen=True, kw_only=True, tag="agent"):
    """What is known of the agent ``id``, whose thoughts name it; the newest such event counts.

    ``parent`` is the agent that started it (absent: the main one), ``of`` the thought and ``call`` the client's id of
    the call by which it did.
    """

    id: str
    name: str | None = None
    parent: str | None = None
    of: Seq | None = None
    call: str | None = None
    model: str | None = None


class AuditEvent(Entry, frozen=True, kw_only=True, tag="audit"):
    """A code audit of the thought ``of`` ended, with a review or an error."""

    of: Seq
    sessionId: str | None = None
    config: dict[str, Any] | None = None
    review: dict[str, Any] | None = None
    durationMs: float | None = None
    error: str | None = None


class AuditingEvent(Entry, frozen=True, kw_only=True, tag="auditing"):
    """An audit of the thought ``of`` goes on: so many steps of so many are done; an `audit` says what came of it."""

    of: Seq
    done: int
    steps: int
    doing: str


class AskingEvent(Entry, frozen=True, kw_only=True, tag="asking"):
    """A question goes to the client, for its model or its person; a `sample` or `elicit` says what came of it."""

    of: Seq
    purpose: str
    kind: Literal["sample", "elicit"]
    message: str | None = None


class SampleEvent(Entry, frozen=True, kw_only=True, tag="sample"):
    """A sampling request to the client ended."""

    of: Seq
    purpose: str
    messages: tuple[dict[str, Any], ...] = ()
    model: str | None = None
    parsed: Any = None
    durationMs: float | None = None
    attempt: int | None = None
    error: str | None = None


CLIENT_LEFT, CALL_CANCELLED = "client left", "the call was called off"
"""The errors of a question after which nobody was told anything: its call has no answer either."""


class ElicitEvent(Entry, frozen=True, kw_only=True, tag="elicit"):
    """A question to the person ended."""

    of: Seq
    purpose: str
    messages: tuple[dict[str, Any], ...] = ()
    action: Literal["accept", "decline", "cancel"] | None = None
    content: dict[str, Any] | None = None
    durationMs: float | None = None
    error: str | None = None


class ContextEvent(Entry, frozen=True, kw_only=True, tag="context"):
    """A context item was stored or updated."""

    id: str
    action: Literal["store", "update"]
    content: str | None = None
    tags: tuple[str, ...] | None = None
    of: Seq | None = None


class NoteEvent(Entry, frozen=True, kw_only=True, tag="note"):
    """A note of the person at the viewer was handed to the agent, in the answer to the thought ``of``."""

    id: str
    text: str
    of: Seq
    writtenAt: str | None = None


class EndEvent(Entry, frozen=True, kw_only=True, tag="end"):
    """The server stopped cleanly."""

    reason: Literal["eof", "signal", "error"]
    error: str | None = None


Event = (
    SessionEvent
    | ThoughtEvent
    | RejectedEvent
    | AgentEvent
    | AuditEvent
    | AuditingEvent
    | AskingEvent
    | SampleEvent
    | ElicitEvent
    | ContextEvent
    | NoteEvent
    | EndEvent
)

EVENT_TYPES = frozenset(
    {
        "session",
        "thought",
        "rejected",
        "agent",
        "audit",
        "auditing",
        "asking",
        "sample",
        "elicit",
        "context",
        "note",
        "end",
    }
)


class UnknownEvent(Struct, frozen=True):
    """A line that a newer version wrote: a type or a ``v`` unknown here. Skipped, and counted as unread."""

    v: int
    type: str


class WriterState(StrEnum):
    """What is known of the server that writes a journal: whether it lives, where that can be told."""

    ALIVE = "alive"
    GONE = "gone"
    UNKNOWN = "unknown"
