"""The subagents of a session as its files show them: in a file of their own, or among the main agent's records."""

from collections.abc import Collection

from msgspec import Struct

from seqthink.transcripts.claude.agents import Subagents
from seqthink.transcripts.claude.shapes import Record, decode_message, is_true, text_in
from seqthink.transcripts.claude.work import Work
from seqthink.transcripts.facts import AgentStarted
from seqthink.transcripts.files.json_lines import bounded_id


class AgentMeta(Struct, frozen=True, kw_only=True):
    """What is written beside a subagent's file."""

    name: str | None = None
    call: str | None = None
    model: str | None = None


class AgentFile:
    """Tells that the subagent of a file started, and again when more is known of it."""

    def __init__(self, agent: str, parent: str | None, agents: Subagents) -> None:
        self._agent = agent
        self._parent = parent
        self._agents = agents
        self._meta = AgentMeta()
        self._told: AgentMeta | None = None

    def describe(self, meta: AgentMeta) -> None:
        """Take in what is written beside the file."""
        self._meta = meta
        if meta.call is not None:
            self._agents.joined_by_client(self._agent, meta.call, meta.name)

    def told(self, record: Record, time: int) -> list[AgentStarted]:
        """Return what is newly known of the subagent with the next record."""
        model = self._meta.model or (self._told.model if self._told else None)
        if model is None and text_in(record.type) == "assistant":
            message = decode_message(record.message)
            model = text_in(message.model) if message else None
        known = AgentMeta(name=self._meta.name, call=self._agents.call_that_started(self._agent), model=model)
        if known == self._told:
            return []
        self._told = known
        return [
            self._agents.started(self._agent, time, call=known.call, name=known.name, model=model, parent=self._parent)
        ]


class InlineAgents:
    """Subagents whose records stand among the main agent's (before version 2)."""

    def __init__(self, agents: Subagents) -> None:
        self._agents = agents
        # Of each record of a subagent its agent: the first record's uuid, if the records do not name one.
        self._agent_of: dict[str, str] = {}
        self._work: dict[str, Work] = {}

    @property
    def works(self) -> Collection[Work]:
        """The work of each."""
        return self._work.values()

    def work_of(self, record: Record, uuid: str, parent: str | None) -> Work | None:
        """Return the work that a record belongs to, or None if it is the main agent's."""
        if not is_true(record.is_sidechain):
            return None
        agent = bounded_id(text_in(record.agent_id)) or (self._agent_of.get(parent) if parent else None) or uuid
        self._agent_of[uuid] = agent
        return self._work.setdefault(agent, Work(agent, self._agents))
