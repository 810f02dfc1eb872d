"""The subagents of a session as its files show them: in a file of their own, or among the main agent's records."""

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from seqthink.sources.transcripts.claude.agents import UNNAMED, AgentNames, Subagents
from seqthink.sources.transcripts.claude.prompts import without_wrappers
from seqthink.sources.transcripts.claude.shapes import Record, texts_of
from seqthink.sources.transcripts.claude.work import Work
from seqthink.sources.transcripts.facts import AgentStarted

_MAX_TASK_CHARS: Final = 80


class AgentMeta(Struct, frozen=True, kw_only=True):
    """What is written beside a subagent's file."""

    names: AgentNames = UNNAMED
    call: str | None = None
    model: str | None = None


class AgentFile:
    """Emits the start of a file's subagent, and again when more is known of it."""

    def __init__(self, agent: str, parent: str | None, agents: Subagents, run: str | None) -> None:
        self._agent = agent
        self._run = agents.run(run) if run is not None else None
        if self._run is not None:
            self._run.agents.append(agent)
        # The first line that it was asked.
        self._task: str | None = None
        self._parent = parent
        self._agents = agents
        self._meta = AgentMeta()
        self._emitted: AgentMeta | None = None

    def describe(self, meta: AgentMeta) -> None:
        """Take in what is written beside the file."""
        self._meta = meta
        if meta.call is not None:
            self._agents.joined_by_client(self._agent, meta.call, meta.names)

    def read(self, record: Record, time: int) -> list[AgentStarted]:
        """Return what is newly known of the subagent with the next record."""
        model = self._meta.model or (self._emitted.model if self._emitted else None)
        if model is None and record.type == "assistant":
            model = record.message.model if record.message is not None else None
        call, parent = self._agents.call_that_started(self._agent), self._parent
        names = self._meta.names
        if self._run is not None:
            call, parent = call or self._run.call, self._run.owner or parent
            names = names if names.task else AgentNames(names.kind, self._task_in(record))
        known = AgentMeta(names=names, call=call, model=model)
        if known == self._emitted:
            return []
        self._emitted = known
        return [self._agents.started(self._agent, time, call=call, names=names, model=model, parent=parent)]

    def _task_in(self, record: Record) -> str:
        """Return what the first record of a user asks: often nothing else names an agent of a workflow."""
        if self._task is None and record.type == "user":
            asked = without_wrappers(texts_of(record.message.content)) if record.message is not None else []
            self._task = asked[0].strip().partition("\n")[0][:_MAX_TASK_CHARS] if asked else ""
        return self._task or ""


class InlineAgents:
    """Subagents whose records are among the main agent's (before version 2)."""

    def __init__(self, agents: Subagents) -> None:
        self._agents = agents
        # Of each record of a subagent its agent: the first record's uuid, if the records do not name one.
        self._agent_of: dict[str, str] = {}
        self._work: dict[str, Work] = {}
        self._at_work: list[str] = []

    @property
    def works(self) -> Collection[Work]:
        """The work of each."""
        return self._work.values()

    def work_of(self, record: Record, uuid: str, parent: str | None) -> Work | None:
        """Return the work that a record belongs to, or None if it is the main agent's."""
        if not record.is_sidechain:
            return None
        agent = record.agent_id or self._agent_behind(parent) or uuid
        self._agent_of[uuid] = agent
        if agent not in self._work:
            self._work[agent] = Work(agent, self._agents, agent)
            self._at_work.append(agent)
        return self._work[agent]

    def _agent_behind(self, parent: str | None) -> str | None:
        """Return the agent of a record that follows ``parent``.

        If that was lost, it was the first record of an agent whose call waits for one; else it is of the only agent
        that is at work. Where neither is so, its owner is unknown: it becomes an agent by itself.
        """
        if parent is None or parent in self._agent_of:
            return self._agent_of.get(parent) if parent else None
        call = self._agents.first_unjoined()
        if call is not None:
            self._agents.joined(parent, call)
            return parent
        self._at_work = [agent for agent in self._at_work if not self._agents.has_ended(agent)]
        return self._at_work[0] if len(self._at_work) == 1 else parent
