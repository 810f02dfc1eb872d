"""The events of a journal: one frozen struct for each type, with the field names of docs/journal.md, "Event types".

Readers decode lines into these models, and tests hold what the server writes against them. Unknown fields are ignored,
because a newer version may add some; a missing or ill-typed field makes the line corrupt; ``null`` counts as absent.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

_MAX_EXACT_INT = 2**53 - 1  # every JSON parser reads integers up to this exactly; the server refuses larger ones
PositiveInt = Annotated[int, Meta(ge=1, le=_MAX_EXACT_INT)]
"""A number or count of thoughts."""
Count = Annotated[int, Meta(ge=0, le=_MAX_EXACT_INT)]
"""How many there are."""
Seq = Annotated[int, Meta(ge=1, le=_MAX_EXACT_INT)]
"""A position in a journal."""
Timestamp = Annotated[datetime, Meta(tz=True)]
"""A time with its offset from UTC."""


class Entry(Struct, frozen=True, kw_only=True, tag_field="type"):
    """One journal line. Each event type adds its own fields."""

    v: Literal[1]
    """Version of the format."""
    seq: Seq
    """Position in the journal, from 1: the identity of the event."""
    time: Timestamp
    """When the event was written."""


class Program(Struct, frozen=True):
    """Name and version of a program, as it reports them."""

    name: str
    version: str = ""


class SessionEvent(Entry, frozen=True, kw_only=True, tag="session"):
    """A server began to write: the first line of a journal, and one for each resume."""

    session: str
    """Id of the session."""
    title: str | None = None
    """Title that the user gave the session."""
    server: Program | None = None
    """The server's name and version."""
    client: Program | None = None
    """The client's name and version."""
    protocolVersion: str | None = None
    """MCP version of the connection."""
    pid: int | None = None
    """Process id of the server."""
    host: str | None = None
    """Name of the server's host."""
    cwd: str | None = None
    """The server's working folder."""
    repository: str | None = None
    """The folder of the repository, where the agent works in a git worktree of it, or did."""
    worktree: str | None = None
    """The name of that worktree, while the agent works in it."""
    branch: str | None = None
    """The git branch that the agent works on; of our own server, the one when it started."""
    remote: str | None = None
    """The address of the repository's origin, such as ``github.com/acme/shop``, without user and password."""
    resumed: bool = False
    """Whether the session existed before and is resumed."""
    continues: str | None = None
    """Id of the session whose file was deleted and that this one continues."""
    notes: bool = True
    """Whether the server delivers notes of the user to the agent."""
    agentNotes: bool = False
    """Whether it delivers a note that is for one agent to no other."""
    source: str | None = None
    """Where the events come from, if not from our own server: ``claude``, ``codex``, ``gemini`` or ``opencode``
    for a transcript, ``tap`` for calls to another server."""
    sourceIds: tuple[str, ...] = ()
    """The client's ids of the session in its transcripts, the ids of its forks included."""
    imported: bool = False
    """Whether `seqthink import` wrote the journal: nobody is writing to it any more."""


class ThoughtEvent(Entry, frozen=True, kw_only=True, tag="thought"):
    """A call was accepted: the tool's nine fields after coercion, and how the answer differs from them."""

    thought: str
    """The text."""
    nextThoughtNeeded: bool
    """Whether the model means to continue."""
    thoughtNumber: PositiveInt
    """The thought's number, as the model gave it."""
    totalThoughts: PositiveInt
    """The model's estimate, raised to ``thoughtNumber`` if it was below."""
    isRevision: bool | None = None
    """Whether it reconsiders an earlier thought."""
    revisesThought: PositiveInt | None = None
    """The number of the thought that it reconsiders."""
    branchFromThought: PositiveInt | None = None
    """The number of the thought that its branch leaves from."""
    branchId: str | None = None
    """The name of its branch."""
    needsMoreThoughts: bool | None = None
    """Whether the model asks for more thoughts than it had estimated."""
    requestedTotal: PositiveInt | None = None
    """``totalThoughts`` as the call had it, if it was raised."""
    answeredNext: bool | None = None
    """``nextThoughtNeeded`` of the answer, if it differs from the call's."""
    hint: str | None = None
    """A remark in the answer to the model, such as why a value was changed."""
    coerced: tuple[str, ...] = ()
    """Names of the fields that were repaired, for example a number given as text."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""
    call: str | None = None
    """The client's id of the call."""
    toolUseId: str | None = None
    """The name of ``call`` in older journals."""


class RejectedEvent(Entry, frozen=True, kw_only=True, tag="rejected"):
    """A call was refused."""

    error: str
    """Why it was refused."""
    tool: str | None = None
    """Name of the tool, if not the thinking tool."""
    arguments: Any = None
    """The arguments of the call; if their JSON is longer than 4 KiB, a string with its first 4,096 bytes."""
    truncated: bool = False
    """Whether ``arguments`` was cut."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""
    call: str | None = None
    """The client's id of the call."""


class AgentEvent(Entry, frozen=True, kw_only=True, tag="agent"):
    """What is known of a subagent; the newest event about it counts."""

    id: str
    """The id by which thoughts name the agent."""
    name: str | None = None
    """Its name."""
    parent: str | None = None
    """Id of the agent that started it; absent for the main agent."""
    of: Seq | None = None
    """``seq`` of the thought by which it was started."""
    call: str | None = None
    """The client's id of the call by which it was started."""
    model: str | None = None
    """Its language model."""
    fork: bool = False
    """Whether it is a copy of its parent that went another way: it has the parent's thoughts up to ``of``."""


class PromptEvent(Entry, frozen=True, kw_only=True, tag="prompt"):
    """The user asked something, or an agent was given its task: a turn began. Only in a transcript."""

    text: str
    """What was asked."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class ReasoningEvent(Entry, frozen=True, kw_only=True, tag="reasoning"):
    """The model reasoned without a tool. Only in a transcript."""

    text: str | None = None
    """The text; absent if the client did not keep it."""
    tokens: int | None = None
    """How many tokens it took."""
    durationMs: float | None = None
    """How long it took, in milliseconds."""
    model: str | None = None
    """The model."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class RemarkEvent(Entry, frozen=True, kw_only=True, tag="remark"):
    """An agent said something between two calls, without ending its turn. Only in a transcript."""

    text: str
    """What it said."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


CALL_DONE = "done"
"""``ended`` of a call that succeeded."""
CALL_INTERRUPTED = "interrupted"
"""``ended`` of a call whose turn was interrupted before it was answered."""
CALL_UNANSWERED = "unknown"
"""``ended`` of a call that nobody waits for any more, and whose end is unknown."""


class ActionEvent(Entry, frozen=True, kw_only=True, tag="action"):
    """A tool other than the thinking tool was called, and again when the call ended. Only in a transcript."""

    tool: str
    """Name of the tool."""
    summary: str | None = None
    """What it was called with, in a few words."""
    failed: bool = False
    """Whether the call failed."""
    ended: str | None = None
    """How the call ended, if this is the end of one that did not fail: done, interrupted, or unknown."""
    error: str | None = None
    """Of a call that failed: the first line of why."""
    call: str | None = None
    """The client's id of the call."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""

    @property
    def is_end(self) -> bool:
        """Whether it says that a call has ended, and not that one began."""
        return self.failed or self.ended is not None


class TurnEvent(Entry, frozen=True, kw_only=True, tag="turn"):
    """A turn ended; of a subagent: its work. Only in a transcript."""

    text: str | None = None
    """The answer that ended it; of a subagent: its result."""
    aborted: bool = False
    """Whether it was interrupted, or ended by an error."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class CompactedEvent(Entry, frozen=True, kw_only=True, tag="compacted"):
    """The client replaced the conversation so far by a summary. Only in a transcript."""

    tokensBefore: int | None = None
    """Tokens before."""
    tokensAfter: int | None = None
    """Tokens after."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class UsageEvent(Entry, frozen=True, kw_only=True, tag="usage"):
    """How much of the model's context an agent's conversation takes from here on. Only in a transcript."""

    tokens: Count
    """Tokens of the conversation."""
    window: Count | None = None
    """Tokens that fit, if the client records it."""
    model: str | None = None
    """The language model."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class RewoundEvent(Entry, frozen=True, kw_only=True, tag="rewound"):
    """The user went back: what the agent did since a line is left behind. Only in a transcript."""

    of: Seq
    """``seq`` of the first line that is left behind."""
    id: str | None = None
    """The client's id of the record."""
    agent: str | None = None
    """Id of the agent; absent for the main agent."""


class SkippedEvent(Entry, frozen=True, kw_only=True, tag="skipped"):
    """How many records of a transcript were left out so far: the newest one of an ``id`` counts."""

    unknown: Count = 0
    """Records of a type that the reader does not know, as from a newer version of the client."""
    corrupt: Count = 0
    """Records that are damaged."""
    tooLong: Count = 0
    """Records that are too long to be read."""
    id: str | None = None
    """The client's id of the session that they belong to."""


class AuditEvent(Entry, frozen=True, kw_only=True, tag="audit"):
    """A code audit of a thought ended, with a review or an error."""

    of: Seq
    """``seq`` of the thought."""
    sessionId: str | None = None
    """Id of the audit's loop, which several audits may share."""
    config: dict[str, Any] | None = None
    """The configuration in force."""
    review: dict[str, Any] | None = None
    """The review: verdict, scores and findings (docs/audit.md, "Verdict")."""
    durationMs: float | None = None
    """How long it took, in milliseconds."""
    error: str | None = None
    """Why there is no review."""


class AuditingEvent(Entry, frozen=True, kw_only=True, tag="auditing"):
    """Progress of a running code audit; an `audit` event ends it."""

    of: Seq
    """``seq`` of the thought."""
    done: int
    """How many steps are done."""
    steps: int
    """How many steps there are."""
    doing: str
    """What the current step does, in words."""


class AskingEvent(Entry, frozen=True, kw_only=True, tag="asking"):
    """A question was sent to the client, for its model or its user; a `sample` or `elicit` event ends it."""

    of: Seq
    """``seq`` of the thought."""
    purpose: str
    """What the question is for: a key chosen by the code that asks, such as ``limit``."""
    kind: Literal["sample", "elicit"]
    """``sample`` for a question to the client's model, ``elicit`` for one to the user."""
    message: str | None = None
    """What the user is asked."""
    call: str | None = None
    """The client's id of the call, if a tool of the client asks the user: ``of`` is its `action` event then."""


class SampleEvent(Entry, frozen=True, kw_only=True, tag="sample"):
    """A question to the client's model ended, with an answer or an error."""

    of: Seq
    """``seq`` of the thought."""
    purpose: str
    """As in the `asking` event."""
    messages: tuple[dict[str, Any], ...] = ()
    """The messages of the exchange, as MCP spells them."""
    model: str | None = None
    """The model that answered."""
    parsed: Any = None
    """The answer as structured data."""
    durationMs: float | None = None
    """How long it took, in milliseconds."""
    attempt: int | None = None
    """Which attempt it was, from 1."""
    error: str | None = None
    """Why there is no answer."""


PERMISSION_PURPOSE = "permission"
"""Purpose of the question whether a call of a tool is allowed, as a client asks it."""
CLIENT_LEFT, CALL_CANCELLED = "client left", "the call was called off"
"""The ``error`` of a question that was given up because the client left, or cancelled the call that asked; an audit
of a cancelled call ends with the second one, too."""


class ElicitEvent(Entry, frozen=True, kw_only=True, tag="elicit"):
    """A question to the user ended, with an answer or an error."""

    of: Seq
    """``seq`` of the thought."""
    purpose: str
    """As in the `asking` event."""
    messages: tuple[dict[str, Any], ...] = ()
    """The messages of the exchange, as MCP spells them."""
    action: Literal["accept", "decline", "cancel"] | None = None
    """What the user did."""
    content: dict[str, Any] | None = None
    """The fields that the user filled in."""
    durationMs: float | None = None
    """How long it took, in milliseconds."""
    error: str | None = None
    """Why there is no answer."""
    call: str | None = None
    """As in the `asking` event."""


class ContextEvent(Entry, frozen=True, kw_only=True, tag="context"):
    """A context item was stored or updated."""

    id: str
    """Id of the item."""
    action: Literal["store", "update"]
    """``store`` for a new item, ``update`` for a changed one."""
    content: str | None = None
    """Its text; in an update only if it changed."""
    tags: tuple[str, ...] | None = None
    """Its tags; in an update only if they changed."""
    of: Seq | None = None
    """``seq`` of the agent's newest thought, to which it is attached."""


class NoteEvent(Entry, frozen=True, kw_only=True, tag="note"):
    """A note of the user in the viewer was delivered to the agent, in the answer to a thought."""

    id: str
    """Id of the note in the notes file."""
    text: str
    """The note."""
    of: Seq
    """``seq`` of the thought whose answer carried it."""
    writtenAt: str | None = None
    """When the user wrote it, copied from the notes file."""
    agent: str | None = None
    """Id of the agent that it was written to; absent if it was for whichever agent thinks next."""


class EndEvent(Entry, frozen=True, kw_only=True, tag="end"):
    """The server stopped cleanly."""

    reason: Literal["eof", "signal", "error"]
    """``eof``: the client closed its end; ``signal``: a signal stopped the server; ``error``: it failed."""
    error: str | None = None
    """What failed, if the reason is ``error``."""


OtherEvent = (
    SessionEvent
    | RejectedEvent
    | AgentEvent
    | PromptEvent
    | ReasoningEvent
    | RemarkEvent
    | ActionEvent
    | TurnEvent
    | CompactedEvent
    | UsageEvent
    | RewoundEvent
    | SkippedEvent
    | AuditEvent
    | AuditingEvent
    | AskingEvent
    | SampleEvent
    | ElicitEvent
    | ContextEvent
    | NoteEvent
    | EndEvent
)
"""An event that is not a thought."""
Event = ThoughtEvent | OtherEvent

NativeEvent = PromptEvent | ReasoningEvent | RemarkEvent | TurnEvent
"""An event that is a row of its own where native reasoning is shown: a prompt, a reasoning item, a remark, the end of a
turn."""

AttachedEvent = AuditEvent | SampleEvent | ElicitEvent | ContextEvent | NoteEvent
"""An event that is attached to a thought: an audit, an exchange with the client, a context item, a note."""

EVENT_TYPES = frozenset(
    {
        "session",
        "thought",
        "rejected",
        "agent",
        "prompt",
        "reasoning",
        "remark",
        "action",
        "turn",
        "compacted",
        "usage",
        "rewound",
        "skipped",
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


def text_of(event: "Event | UnknownEvent") -> str | None:
    """Return the text that a row shows of an event; None for one that is neither a thought nor native reasoning."""
    if isinstance(event, ThoughtEvent):
        return event.thought
    return (event.text or "") if isinstance(event, NativeEvent) else None


class UnknownEvent(Struct, frozen=True):
    """A line whose type or ``v`` is unknown, because a newer version wrote it. Readers skip and count it."""

    v: int
    """The version of its format."""
    type: str
    """The name of its type."""


class WriterState(StrEnum):
    """Whether the server that writes a journal is running, as far as this is known."""

    ALIVE = "alive"
    """It holds the journal's lock."""
    GONE = "gone"
    """Nobody holds the lock, and the journal is from this host."""
    UNKNOWN = "unknown"
    """The journal is from another host, comes from a pipe, or its lock cannot be tried."""
