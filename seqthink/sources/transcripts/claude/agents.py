"""The subagents of one session, as far as its files show: which call started which, and which have ended.

All readers of a session share it, since a subagent's beginning and end are in its parent's file, and its work in its
own.
"""

from collections import deque
from typing import Final, NamedTuple

from msgspec import Struct

from seqthink.sources.transcripts.facts import AgentStarted, TurnEnded
from seqthink.sources.transcripts.json_fields import as_fields, text_in
from seqthink.sources.transcripts.lane_names import task_name

AGENT_TOOLS: Final = ("Agent", "Task")
WORKFLOW_TOOL: Final = "Workflow"


class AgentNames(NamedTuple):
    """What a record calls a subagent; "" for what it does not say."""

    kind: str
    """Its type, which it shares with others."""
    task: str


UNNAMED: Final = AgentNames("", "")


class AgentCall(Struct):
    """A call that starts a subagent."""

    id: str
    client_id: str
    """The client's id, which other calls may have, too."""
    owner: str | None
    """The agent that called."""
    names: AgentNames
    prompt: str | None
    """What it is asked; only kept until its records are found."""


class WorkflowRun(Struct):
    """A run of a workflow, whose script starts subagents; how each of them ends is in its own file only."""

    call: str | None = None
    owner: str | None = None
    agents: list[str] = []


class _Agent(Struct):
    call: str | None = None
    is_guess: bool = False
    """Whether that is only one of the calls with the client's id that is known."""
    call_to_come: str | None = None
    """The client's id of its call, whose record was not read yet."""
    last_text: str = ""
    is_ended: bool = False
    report: str = ""
    """The text with which its end was reported."""


class Subagents:
    """What is known of the subagents of one session."""

    def __init__(self) -> None:
        self._calls: dict[str, AgentCall] = {}
        self._agents: dict[str, _Agent] = {}
        self._by_call: dict[str, str] = {}
        self._by_client_id: dict[str, list[AgentCall]] = {}
        self._runs: dict[str, WorkflowRun] = {}
        # Agents whose call is known by the client's id only: it was not read yet, or all with that id started others.
        self._waiting: dict[str, list[str]] = {}
        # The calls with each prompt that may not have been joined to an agent yet, in order.
        self._by_prompt: dict[str, deque[AgentCall]] = {}
        # The calls that have no result yet, and that no agent was joined to.
        self._unjoined: dict[str, None] = {}

    def called(self, call: str, client_id: str, owner: str | None, arguments: object) -> None:
        """A subagent is being started by this call."""
        if call in self._calls:
            return
        named = as_fields(arguments)
        names = agent_names(named.get("subagent_type"), named.get("description"))
        known = self._calls[call] = AgentCall(call, client_id, owner, names, text_in(named, "prompt") or None)
        self._by_client_id.setdefault(client_id, []).append(known)
        if known.prompt is not None:
            self._by_prompt.setdefault(known.prompt, deque()).append(known)
        self._unjoined[call] = None
        waiting = self._waiting.get(client_id, [])
        while waiting and call not in self._by_call:
            agent = waiting.pop(0)
            if self._agents[agent].call is None:
                self._join(agent, call, is_guess=True)

    def call_of(self, call: str) -> AgentCall | None:
        """Return the call with this id, if it starts a subagent."""
        return self._calls.get(call)

    def joined(self, agent: str, call: str) -> bool:
        """This call started this agent, whatever the client's ids let us guess; return whether that is news."""
        guessed = self._by_call.get(call)
        if guessed is not None and guessed != agent and self._agents[guessed].is_guess:
            self._free(guessed)
        known = self._agents.get(agent)
        if known is not None and known.is_guess and known.call != call:
            self._free(agent)
        return self._join(agent, call, is_guess=False)

    def _join(self, agent: str, call: str, *, is_guess: bool) -> bool:
        known = self._agents.setdefault(agent, _Agent())
        self._by_call.setdefault(call, agent)
        self._unjoined.pop(call, None)
        if known.call is not None:
            known.is_guess = known.is_guess and is_guess
            return False
        known.call, known.is_guess = call, is_guess
        if call in self._calls:
            self._calls[call].prompt = None
        return True

    def _free(self, agent: str) -> None:
        """Take back a guess: the agent waits for a call with the same client's id."""
        known = self._agents[agent]
        call = self._calls.get(known.call or "")
        self._by_call.pop(known.call or "", None)
        known.call, known.is_guess = None, False
        if call is not None:
            known.call_to_come = call.client_id
            self._waiting.setdefault(call.client_id, []).append(agent)

    def joined_by_client(self, agent: str, client_id: str, names: AgentNames | None) -> str | None:
        """A call with this client's id started this agent; return the call's own id, if it is known which one it was.

        Of several, it is one that started no other agent, and has the agent's names if one has.
        """
        known = self._agents.get(agent)
        if known is not None and known.call is not None:
            return known.call
        calls = self._by_client_id.get(client_id, [])
        free = [call for call in calls if call.id not in self._by_call]
        if not free:
            self._agents.setdefault(agent, _Agent()).call_to_come = client_id
            self._waiting.setdefault(client_id, []).append(agent)
            return None if calls else client_id
        call = next((call.id for call in free if call.names == names), free[0].id)
        self._join(agent, call, is_guess=True)
        return call

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

    def answered(self, call: str) -> None:
        """This call has its result, so no agent begins for it any more."""
        self._unjoined.pop(call, None)

    def first_unjoined(self) -> str | None:
        """Return the first call that has no result yet, and that no agent was joined to."""
        return next(iter(self._unjoined), None)

    def run(self, run: str) -> WorkflowRun:
        """Return what is known of the run of a workflow with this id."""
        return self._runs.setdefault(run, WorkflowRun())

    def run_started(self, run: str, call: str, owner: str | None, time: int) -> list[AgentStarted]:
        """This call of ``owner`` started the run; return that it started those of its agents that are known."""
        known = self.run(run)
        if known.call is not None:
            return []
        known.call, known.owner = call, owner
        return [self.started(agent, time, call=call, parent=owner) for agent in known.agents]

    def said(self, agent: str, text: str) -> None:
        """This is the last that the agent said so far."""
        self._agents.setdefault(agent, _Agent()).last_text = text

    def ended(self, agent: str) -> bool:
        """The agent's work ended; return whether that is news."""
        known = self._agents.setdefault(agent, _Agent())
        is_news = not known.is_ended
        known.is_ended = True
        return is_news

    def end(
        self, agent: str, time: int, end_id: str, text: str, *, otherwise: str = "", is_aborted: bool
    ) -> list[TurnEnded]:
        """Return the end of the agent's work that is reported with a text, if it is news.

        Without a text it is what the agent said last, and if it said nothing what the text is ``otherwise``.
        """
        if not self.ended(agent):
            return []
        known = self._agents[agent]
        known.report = text or known.last_text or otherwise
        return [TurnEnded(id=end_id, time=time, agent=agent, text=known.report, is_aborted=is_aborted)]

    def has_reported(self, agent: str, text: str) -> bool:
        """Return whether the end of the agent's work was reported with a text that holds this one."""
        known = self._agents.get(agent)
        return known is not None and "".join(text.split()) in "".join(known.report.split())

    def has_ended(self, agent: str) -> bool:
        """Return whether the agent's work ended."""
        known = self._agents.get(agent)
        return known is not None and known.is_ended

    def call_that_started(self, agent: str) -> str | None:
        """Return the id of the call that started the agent, if it is known; the client's if its record is to come."""
        known = self._agents.get(agent)
        if known is None or known.call is not None:
            return known.call if known is not None else None
        return known.call_to_come if known.call_to_come not in self._by_client_id else None

    def started_by_lost_call(self, agent: str) -> None:
        """A call that was lost started this agent."""
        self._agents.setdefault(agent, _Agent())

    def is_known(self, agent: str) -> bool:
        """Return whether anything was read of this agent."""
        return agent in self._agents

    def id_of_end(self, agent: str) -> str:
        """Return the id of the end of an agent that ran in the background: its call's, unless that is a guess."""
        known = self._agents.get(agent)
        return known.call if known is not None and known.call is not None and not known.is_guess else agent

    def has_call(self, agent: str) -> bool:
        """Return whether it is known that a call started the agent."""
        known = self._agents.get(agent)
        return known is not None and (known.call or known.call_to_come) is not None

    def started(
        self,
        agent: str,
        time: int,
        *,
        call: str | None = None,
        names: AgentNames = UNNAMED,
        model: str | None = None,
        parent: str | None = None,
    ) -> AgentStarted:
        """Return the fact that an agent started, with what its call says, too."""
        known = self._calls.get(call) if call else None
        if known is not None:
            parent = known.owner
            names = AgentNames(names.kind or known.names.kind, names.task or known.names.task)
        return AgentStarted(id=agent, time=time, agent=parent, name=task_name(*names), call=call, model=model)


def agent_names(kind: object, task: object) -> AgentNames:
    """Return the names in a record; each may be missing or not text."""
    return AgentNames(*(value.strip() if isinstance(value, str) else "" for value in (kind, task)))
