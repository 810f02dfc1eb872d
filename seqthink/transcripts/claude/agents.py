"""The subagents of one session, as far as its files have told: which call started which, and which have ended.

All readers of a session share it, since a subagent's beginning and end stand in its parent's file, and its work in its
own.
"""

from collections import deque
from typing import Final

from msgspec import Struct

from seqthink.transcripts.facts import AgentStarted
from seqthink.transcripts.files.json_lines import object_or_empty, text_or_none

AGENT_TOOLS: Final = ("Agent", "Task")
_MAX_NAME_CHARS: Final = 200


class AgentCall(Struct):
    """A call that starts a subagent."""

    id: str
    owner: str | None
    """The agent that called."""
    name: str | None
    """What the subagent is called: ``type: description``."""
    prompt: str | None
    """What it is asked; only kept until its records are found."""


class _Agent(Struct):
    call: str | None = None
    last_text: str = ""
    is_ended: bool = False


class Subagents:
    """What is known of the subagents of one session."""

    def __init__(self) -> None:
        self._calls: dict[str, AgentCall] = {}
        self._agents: dict[str, _Agent] = {}
        self._by_call: dict[str, str] = {}
        # The calls with each prompt that may not have been joined to an agent yet, in order.
        self._by_prompt: dict[str, deque[AgentCall]] = {}

    def called(self, call: str, owner: str | None, arguments: object) -> None:
        """A subagent is being started by this call."""
        named = object_or_empty(arguments)
        name = agent_name(named.get("subagent_type"), named.get("description"))
        if call in self._calls:
            return
        known = self._calls[call] = AgentCall(call, owner, name, text_or_none(named.get("prompt")))
        if known.prompt is not None:
            self._by_prompt.setdefault(known.prompt, deque()).append(known)

    def call_of(self, call: str) -> AgentCall | None:
        """Return the call with this id, if it starts a subagent."""
        return self._calls.get(call)

    def joined(self, agent: str, call: str) -> bool:
        """This call started this agent; return whether that is news."""
        known = self._agents.setdefault(agent, _Agent())
        self._by_call.setdefault(call, agent)
        if known.call is not None:
            return False
        known.call = call
        if call in self._calls:
            self._calls[call].prompt = None
        return True

    def agent_of(self, call: str) -> str | None:
        """Return the agent that this call started, if that is known."""
        return self._by_call.get(call)

    def find_call(self, prompt: str) -> AgentCall | None:
        """Return the first call with this prompt that no agent was joined to (records of old versions name none)."""
        waiting = self._by_prompt.get(prompt)
        while waiting:
            if waiting[0].prompt is not None and waiting[0].id not in self._by_call:
                return waiting[0]
            waiting.popleft()
        return None

    def said(self, agent: str, text: str) -> None:
        """This is the last that the agent said so far."""
        self._agents.setdefault(agent, _Agent()).last_text = text

    def last_text(self, agent: str) -> str:
        """Return what the agent said last."""
        known = self._agents.get(agent)
        return known.last_text if known else ""

    def ended(self, agent: str) -> bool:
        """The agent's work ended; return whether that is news."""
        known = self._agents.setdefault(agent, _Agent())
        is_news = not known.is_ended
        known.is_ended = True
        return is_news

    def has_ended(self, agent: str) -> bool:
        """Return whether the agent's work ended."""
        known = self._agents.get(agent)
        return known is not None and known.is_ended

    def has_call(self, agent: str) -> bool:
        """Return whether it is known which call started the agent."""
        known = self._agents.get(agent)
        return known is not None and known.call is not None

    def started(
        self,
        agent: str,
        time: int,
        *,
        call: str | None = None,
        name: str | None = None,
        model: str | None = None,
        parent: str | None = None,
    ) -> AgentStarted:
        """Return the fact that an agent started, with what its call says, too."""
        known = self._calls.get(call) if call else None
        if known is not None:
            parent = known.owner
            name = name or known.name
        return AgentStarted(id=agent, time=time, agent=parent, name=name, call=call, model=model)


def agent_name(agent_type: object, description: object) -> str | None:
    """Return what a subagent is called, ``type: description``, as far as both are known."""
    parts = [part.strip() for part in (agent_type, description) if isinstance(part, str) and part.strip()]
    return " ".join(": ".join(parts).split())[:_MAX_NAME_CHARS] or None
