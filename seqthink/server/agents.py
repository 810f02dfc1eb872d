"""Which of a client's agents calls. Pure, standard library.

One server may serve a client's main agent and all that this one starts; what a call's `_meta` says tells them apart,
whatever the client's name. Codex is the one that says it today: each of its agents is a thread.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

THREAD_KEY: Final = "threadId"
SESSION_KEY: Final = "sessionId"
"""A session is named by its main thread, in the calls of all its threads."""
TURN_METADATA_KEY: Final = "x-codex-turn-metadata"
CALL_ID_KEY: Final = "callId"
TOOL_USE_ID_KEY: Final = "claudecode/toolUseId"
"""Claude Code's name for a call in its own transcript."""

MAX_AGENTS: Final = 64
"""So many agents are remembered beside the main one, those that called last; no client has had as many at work."""
MAX_ID_CHARS: Final = 200
_MAX_TURN_METADATA_CHARS: Final = 1 << 16


class CallingAgent(NamedTuple):
    """One of a client's agents, and what the client says of it; without an ``id`` it is the main one."""

    id: str | None = None
    name: str | None = None
    parent: str | None = None
    """The id of the agent that started it; None: the main one did, or it is not known."""
    model: str | None = None

    def merged_with(self, known: "CallingAgent") -> "CallingAgent":
        """Return what is known with what was said ``earlier``: what is not said now still holds."""
        return CallingAgent(self.id, self.name or known.name, self.parent or known.parent, self.model or known.model)


MAIN_AGENT: Final = CallingAgent()


def identify_caller(meta: object) -> tuple[CallingAgent, str | None]:
    """Return the agent that a call's `_meta` names, and the client's id of the call; what is ill-typed is absent."""
    if not isinstance(meta, dict) or not meta:
        return MAIN_AGENT, None
    fields = cast("dict[str, Any]", meta)
    call_id = bounded_id(fields.get(CALL_ID_KEY)) or bounded_id(fields.get(TOOL_USE_ID_KEY))
    thread, session = bounded_id(fields.get(THREAD_KEY)), bounded_id(fields.get(SESSION_KEY))
    if thread is None or thread == session:
        return MAIN_AGENT, call_id
    turn = _turn_metadata(fields.get(TURN_METADATA_KEY))
    parent = bounded_id(turn.get("parent_thread_id"))
    parent = None if parent in {thread, session} else parent
    return CallingAgent(thread, _clipped(turn.get("agent_name")), parent, _clipped(turn.get("model"))), call_id


def bounded_id(value: Any) -> str | None:  # noqa: ANN401 - whatever a client sent
    """Return an id as it is kept; None when it is no string, or empty.

    One over 200 characters is its first 200, ``…`` and the SHA-256 of all of it: longer than any that is kept as it
    came, so two that differ stay different.
    """
    if not isinstance(value, str) or not value:
        return None
    if len(value) <= MAX_ID_CHARS:
        return value
    from hashlib import sha256

    return f"{value[:MAX_ID_CHARS]}…{sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _clipped(value: Any) -> str | None:  # noqa: ANN401 - whatever a client sent
    return (value[:MAX_ID_CHARS] or None) if isinstance(value, str) else None


def _turn_metadata(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - whatever a client sent
    """Return what Codex says of the turn: an object, or one spelled in a string as in its HTTP headers."""
    if isinstance(value, str) and len(value) <= _MAX_TURN_METADATA_CHARS:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


Value = TypeVar("Value")


class RecentAgents(Generic[Value]):
    """What is kept of the main agent, whose id is None, and of the ``MOST_AGENTS`` others that called last."""

    def __init__(self) -> None:
        self._by_agent: dict[str | None, Value] = {}

    def peek(self, agent: str | None) -> Value | None:
        """Return what is kept of an agent, if anything is."""
        return self._by_agent.get(agent)

    def get(self, agent: str | None) -> Value | None:
        """Return what is kept of an agent that has called, if anything is."""
        if agent is None:
            return self._by_agent.get(None)
        value = self._by_agent.pop(agent, None)
        if value is not None:
            self._by_agent[agent] = value
        return value

    def put(self, agent: str | None, value: Value) -> None:
        """Keep something of an agent that has called; the one that has not called for longest may be forgotten."""
        self._by_agent.pop(agent, None)
        self._by_agent[agent] = value
        others = len(self._by_agent) - (None in self._by_agent)
        if others > MAX_AGENTS:
            del self._by_agent[next(name for name in self._by_agent if name is not None)]

    def values(self) -> list[Value]:
        """Return all that is kept."""
        return list(self._by_agent.values())

    def checkpoint(self) -> Mapping[str | None, Value]:
        """Return this moment."""
        return self._by_agent.copy()

    def roll_back(self, checkpoint: Mapping[str | None, Value]) -> None:
        """Forget what was kept, and keep what was forgotten, since ``mark``."""
        self._by_agent = dict(checkpoint)
