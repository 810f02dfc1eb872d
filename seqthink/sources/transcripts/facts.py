"""What a transcript says, in the same words for every client.

A client's core turns its lines or rows into these facts, in the order in which it reads them. One fact may be read
several times: from a file that repeats its records, from two records about one thing, or from the copy that a fork
begins with. Type and id say that it is the same one (`deduplication.py`).

Every text is untrusted.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from seqthink.core.file_edit import FileEdit


class Fact(Struct, frozen=True, kw_only=True):
    """One thing that a transcript says."""

    id: str
    """The source's id of the record: the same for the same fact, different for others of its type in a session."""
    time: int
    """When it happened, in microseconds since 1970 (UTC); that of the record before it if the record has none."""
    agent: str | None = None
    """The source's id of the agent that it is about; None for the main agent of the session."""


class SessionDescribed(Fact, frozen=True, kw_only=True):
    """What is known of the session itself; what is None is not said here. Its id is the session's."""

    client_version: str | None = None
    cwd: str | None = None
    """The client's working folder."""
    repository: str | None = None
    """The folder of the repository whose worktree the client works in."""
    worktree: str | None = None
    """The name of that worktree; empty once the client has left it."""
    branch: str | None = None
    """The git branch that the client works on; empty for none."""
    remote: str | None = None
    """The address of the repository's origin, as `seqthink.core.remote_address` has it."""
    title: str | None = None
    """The title that the user or the client gave the session."""
    forked_from: str | None = None
    """Id of the session that this one is a copy of, up to its first own record."""
    lane_name: str | None = None
    """Of a fork: what its lane is called; None for ``fork``."""
    after: tuple[str, ...] = ()
    """Of a fork whose copied records are not reported: the ids of the last facts that both have."""


class Prompt(Fact, frozen=True, kw_only=True):
    """The user asked something, or an agent was given its task. It begins a turn."""

    text: str


class Reasoning(Fact, frozen=True, kw_only=True):
    """The model reasoned: one reasoning item."""

    text: str
    """The text; empty if the client did not keep it."""
    tokens: int = 0
    """How many tokens it took; 0 if unknown."""
    duration_ms: float | None = None
    """How long it took, in milliseconds."""
    model: str | None = None


class Remark(Fact, frozen=True, kw_only=True):
    """What an agent said between two calls, without ending its turn."""

    text: str


class ToolCall(Fact, frozen=True, kw_only=True):
    """The model called a tool. Its id is the client's id of the call, unless another call has that (`call_ids.py`)."""

    client_id: str | None = None
    """Of a thinking tool: the client's id of the call, which is also sent to an MCP server; None if it is ``id``."""
    tool: str
    """The tool's own name, without the server's (`tool_names.py`)."""
    arguments: Any = None
    """Of a thinking tool: the arguments, as the model gave them; else None."""
    summary: str = ""
    """Of any other tool: what it was called with, in at most 200 characters: a path, a command, a pattern."""
    question: str = ""
    """Of a tool that asks the user: the question, in at most 2,000 characters."""
    needs_permission: bool = False
    """Whether it says that the user has to be asked before it runs."""
    edits: Sequence[FileEdit] = ()
    """What it is to change in files, as it asks for it. Nothing changed if its result is an error."""
    command: str = ""
    """Of a shell command: the whole text, in at most 65,536 characters."""
    cwd: str | None = None
    """Of a shell command: the folder that it runs in, if that is not the session's, and the client says so."""


class Result(Fact, frozen=True, kw_only=True):
    """A call ended. Its id is the call's."""

    is_error: bool
    error: str = ""
    """Of a refused call of a thinking tool: the error. Of another call that failed: the first line of why, in at most
    200 characters. Else empty: no other result's text is kept."""
    is_lost: bool = False
    """Whether the record with the answer was lost, so that nothing says how the call ended."""
    answered_next: bool | None = None
    """Of a thinking tool: ``nextThoughtNeeded`` in the answer, if it can be read."""
    edits: Sequence[FileEdit] = ()
    """What the call changed in files, where the client records that with the answer, as a rule with lines. Then it
    replaces the ``edits`` of the call; otherwise it is empty."""


class AgentStarted(Fact, frozen=True, kw_only=True):
    """What is known of a subagent; its id is the agent's, and a later fact with the same id may say more.

    ``agent`` is the agent that started it.
    """

    name: str | None = None
    """``type: description`` as far as both are known."""
    call: str | None = None
    """The id of the call that started it."""
    model: str | None = None


class TurnEnded(Fact, frozen=True, kw_only=True):
    """A turn of an agent ended; of a subagent: its work, as a rule."""

    text: str = ""
    """The answer that ended it."""
    is_aborted: bool = False
    """Whether the user interrupted it, or an error ended it."""


class Compacted(Fact, frozen=True, kw_only=True):
    """The client replaced the conversation so far by a summary."""

    tokens_before: int | None = None
    tokens_after: int | None = None


class ContextUsed(Fact, frozen=True, kw_only=True):
    """How much of the model's context an agent's conversation took when the model answered."""

    tokens: int
    """The tokens of what the model was sent and answered; what came out of a cache counts."""
    window: int | None = None
    """How many tokens fit, if the client records it: never guessed from the model's name."""
    model: str | None = None


class Resumed(Fact, frozen=True, kw_only=True):
    """The session was opened again; only where the transcript says so."""


class Rewound(Fact, frozen=True, kw_only=True):
    """The user went back: some facts are left behind, and what follows continues before them."""

    dropped: tuple[str, ...]
    """The ids of the facts that are left behind, of any type, in order; those that were never reported do no harm."""
