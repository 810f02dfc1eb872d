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
_MOST_TURN: Final = 1 << 16


class CallingAgent(NamedTuple):
    """One of a client's agents, and what the client says of it; without an ``id`` it is the main one."""

    id: str | None = None
    name: str | None = None
    parent: str | None = None
    """The id of the agent that started it; None: the main one did, or it is not known."""
    model: str | None = None

    def merged_with(self, earlier: "CallingAgent") -> "CallingAgent":
        """Return what is known with what was said ``earlier``: what is not said now still holds."""
        return CallingAgent(
            self.id, self.name or earlier.name, self.parent or earlier.parent, self.model or earlier.model
        )


MAIN_AGENT: Final = CallingAgent()


def identify_caller(meta: object) -> tuple[CallingAgent, str | None]:
    """Return the agent that a call's `_meta` names, and the client's id of the call; what is ill-typed is absent."""
    if not isinstance(meta, dict) or not meta:
        return MAIN_AGENT, None
    said = cast("dict[str, Any]", meta)
    call = bounded_id(said.get(CALL_ID_KEY)) or bounded_id(said.get(TOOL_USE_ID_KEY))
    name, session = bounded_id(said.get(THREAD_KEY)), bounded_id(said.get(SESSION_KEY))
    if name is None or name == session:
        return MAIN_AGENT, call
    turn = _turn(said.get(TURN_METADATA_KEY))
    parent = bounded_id(turn.get("parent_thread_id"))
    parent = None if parent in {name, session} else parent
    return CallingAgent(name, _short(turn.get("agent_name")), parent, _short(turn.get("model"))), call


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


def _short(value: Any) -> str | None:  # noqa: ANN401 - whatever a client sent
    return (value[:MAX_ID_CHARS] or None) if isinstance(value, str) else None


def _turn(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - whatever a client sent
    """Return what Codex says of the turn: an object, or one spelled in a string as in its HTTP headers."""
    if isinstance(value, str) and len(value) <= _MOST_TURN:
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


Kept = TypeVar("Kept")


class RecentAgents(Generic[Kept]):
    """What is kept of the main agent, whose id is None, and of the ``MOST_AGENTS`` others that called last."""

    def __init__(self) -> None:
        self._kept: dict[str | None, Kept] = {}

    def peek(self, agent: str | None) -> Kept | None:
        """Return what is kept of an agent, if anything is."""
        return self._kept.get(agent)

    def get(self, agent: str | None) -> Kept | None:
        """Return what is kept of an agent that has called, if anything is."""
        if agent is None:
            return self._kept.get(None)
        kept = self._kept.pop(agent, None)
        if kept is not None:
            self._kept[agent] = kept
        return kept

    def put(self, agent: str | None, value: Kept) -> None:
        """Keep something of an agent that has called; the one that has not called for longest may be forgotten."""
        self._kept.pop(agent, None)
        self._kept[agent] = value
        others = len(self._kept) - (None in self._kept)
        if others > MAX_AGENTS:
            del self._kept[next(name for name in self._kept if name is not None)]

    def values(self) -> list[Kept]:
        """Return all that is kept."""
        return list(self._kept.values())

    def checkpoint(self) -> Mapping[str | None, Kept]:
        """Return this moment."""
        return self._kept.copy()

    def roll_back(self, mark: Mapping[str | None, Kept]) -> None:
        """Forget what was kept, and keep what was forgotten, since ``mark``."""
        self._kept = dict(mark)
