"""Distinguishes the agents of one client by the `_meta` of their calls (docs/tools.md, "Agents").

One connection may carry the calls of a main agent and of the agents that it starts. Today only Codex says which agent
calls: each of its agents is a thread. Pure, standard library only.
"""

import json
from collections.abc import Mapping
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

THREAD_KEY: Final = "threadId"
"""The `_meta` key of the calling thread's id (Codex)."""
SESSION_KEY: Final = "sessionId"
"""The `_meta` key of the session's id (Codex): that of its main thread, in the calls of all its threads."""
TURN_METADATA_KEY: Final = "x-codex-turn-metadata"
"""The `_meta` key of an object, or JSON string, with the agent's name, parent and model (Codex)."""
CALL_ID_KEY: Final = "callId"
"""The `_meta` key of the client's id of the call (Codex)."""
TOOL_USE_ID_KEY: Final = "claudecode/toolUseId"
"""The `_meta` key of the call's id in the transcript of Claude Code."""

MAX_AGENTS: Final = 64
"""How many agents are remembered besides the main one: the most recent callers."""
MAX_ID_CHARS: Final = 200
"""Longer ids are cut to this length and given a hash."""
_MAX_TURN_METADATA_CHARS: Final = 1 << 16


class CallingAgent(NamedTuple):
    """One of a client's agents and what the client says about it. Without an ``id`` it is the main agent."""

    id: str | None = None
    name: str | None = None
    """Its name for people; the client may give none."""
    parent: str | None = None
    """The id of the agent that started it; None: the main agent, or unknown."""
    model: str | None = None
    """The language model that it uses."""

    def merged_with(self, known: "CallingAgent") -> "CallingAgent":
        """Return this agent with its missing fields filled in from ``known``."""
        return CallingAgent(self.id, self.name or known.name, self.parent or known.parent, self.model or known.model)


MAIN_AGENT: Final = CallingAgent()


def identify_caller(meta: object) -> tuple[CallingAgent, str | None]:
    """Return the agent that a call's `_meta` names, and the client's id of the call.

    Values of the wrong type are ignored.
    """
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
    """Return an id as the journal keeps it, or None if it is empty or not a string.

    A longer id becomes its first 200 characters, ``…`` and the SHA-256 of the whole. The result is longer than any id
    that is kept unchanged, so different ids stay different.
    """
    if not isinstance(value, str) or not value:
        return None
    if len(value) <= MAX_ID_CHARS:
        return value
    from hashlib import sha256  # noqa: PLC0415 - no client sends ids that long

    return f"{value[:MAX_ID_CHARS]}…{sha256(value.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _clipped(value: Any) -> str | None:  # noqa: ANN401 - whatever a client sent
    return (value[:MAX_ID_CHARS] or None) if isinstance(value, str) else None


def _turn_metadata(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - whatever a client sent
    """Return the metadata of the turn: Codex sends an object, or a JSON string as in its HTTP headers."""
    if isinstance(value, str) and len(value) <= _MAX_TURN_METADATA_CHARS:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


Value = TypeVar("Value")


class RecentAgents(Generic[Value]):
    """One value per agent: for the main agent (id None) and for the ``MAX_AGENTS`` others that called last."""

    def __init__(self) -> None:
        self._by_agent: dict[str | None, Value] = {}

    def peek(self, agent: str | None) -> Value | None:
        """Return the value of an agent, if there is one."""
        return self._by_agent.get(agent)

    def get(self, agent: str | None) -> Value | None:
        """Return the value of a calling agent, if there is one, and count the agent as a recent caller."""
        if agent is None:
            return self._by_agent.get(None)
        value = self._by_agent.pop(agent, None)
        if value is not None:
            self._by_agent[agent] = value
        return value

    def put(self, agent: str | None, value: Value) -> None:
        """Set the value of a calling agent. If there are too many, the one that called least recently is forgotten."""
        self._by_agent.pop(agent, None)
        self._by_agent[agent] = value
        others = len(self._by_agent) - (None in self._by_agent)
        if others > MAX_AGENTS:
            del self._by_agent[next(name for name in self._by_agent if name is not None)]

    def values(self) -> list[Value]:
        """Return all values."""
        return list(self._by_agent.values())

    def checkpoint(self) -> Mapping[str | None, Value]:
        """Return the current state, for `roll_back`."""
        return self._by_agent.copy()

    def roll_back(self, checkpoint: Mapping[str | None, Value]) -> None:
        """Restore the state of ``checkpoint``."""
        self._by_agent = dict(checkpoint)
