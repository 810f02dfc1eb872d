"""The agents of a session: the client's main agent and the subagents that it starts (docs/journal.md, "Agents").

One server process serves all of them. The id in a thought says whose it is; the main agent has no id. Inside a session
an agent is an ordinal: 0 is the main agent, subagents count from 1 in the order in which the journal first names them.
"""

from array import array
from bisect import bisect_left
from collections import defaultdict

from seqthink.chain.columns.compact_lists import NONE, IndexMultimap, newest_other
from seqthink.chain.columns.context_columns import ContextColumns, ContextUse
from seqthink.core.events import AgentEvent

MAIN_AGENT = 0
"""Ordinal of the main agent."""


class AgentColumns:
    """Columns indexed by agent ordinal, except where noted. They only grow, so a prefix of the journal is a cut."""

    def __init__(self) -> None:
        self.ids: list[str | None] = [None]
        """The agent's id; None for the main agent."""
        self.entry_index = array("i", [0])
        """Index of the journal line that first named the agent."""
        self.events: list[list[tuple[int, AgentEvent]]] = [[]]
        """The agent's `agent` events, each with the index of its journal line."""
        self.thoughts = IndexMultimap()
        """Thoughts by agent; empty for the main agent, whose thoughts are all the others."""
        self.subagent_thoughts = array("i")
        """Thoughts of all subagents together, in order of arrival."""
        self.root_entries = array("i")
        """Indices of the journal lines at which a subagent got a lane for its unbranched thoughts."""
        self.by_chain = IndexMultimap()
        """Subagents by chain: those with a thought in it."""
        self.forks: set[int] = set()
        """The agents that are copies of their parents: they have the parent's numbers up to their fork."""
        self.context = ContextColumns()
        """How much of the model's context each uses."""
        self.turn_changes: defaultdict[int, array[int]] = defaultdict(lambda: array("i"))
        """By agent: the entries at which a turn of it ended, began, and so on in turn."""
        self.in_turn: set[int] = set()
        """The agents whose turn has begun and not ended."""
        self.in_turn_changes: list[tuple[int, int]] = []
        """Each change of how many these are: the entry, and how many from there on."""
        self._have_ended: set[int] = set()
        """The agents whose turn their own line has ended, not an interruption of all."""
        self._ordinals: dict[str, int] = {}

    def register(self, agent_id: str, entry_index: int) -> int:
        """Return the ordinal of ``agent_id``; a new agent, named by the line ``entry_index``, gets the next one."""
        ordinal = self._ordinals.get(agent_id)
        if ordinal is None:
            ordinal = self._ordinals[agent_id] = len(self.ids)
            self.ids.append(agent_id)
            self.entry_index.append(entry_index)
            self.events.append([])
        return ordinal

    def record_turn(self, agent: int, entry_index: int, *, has_ended: bool) -> None:
        """Record that a turn of an agent ended or began with the line ``entry_index``."""
        changes = self.turn_changes[agent]
        if has_ended != bool(len(changes) % 2):
            changes.append(entry_index)
        (self._have_ended.add if has_ended else self._have_ended.discard)(agent)
        if has_ended != (agent not in self.in_turn):
            (self.in_turn.remove if has_ended else self.in_turn.add)(agent)
            self.in_turn_changes.append((entry_index, len(self.in_turn)))

    def interrupt_turns(self, entry_index: int) -> None:
        """Record that the line ``entry_index`` ended the turns of all agents."""
        for agent in sorted(self.in_turn):
            self.record_turn(agent, entry_index, has_ended=True)
            self._have_ended.discard(agent)

    def reopen_turn(self, agent: int, entry_index: int) -> None:
        """Record that an agent acts with the line ``entry_index``; if it had ended its turn, it is in it again."""
        if agent in self._have_ended:
            self.record_turn(agent, entry_index, has_ended=False)

    def find(self, agent_id: str | None) -> int:
        """Return the ordinal of ``agent_id`` (None: the main agent), NONE if no line has named it."""
        return self._ordinals.get(agent_id, NONE) if agent_id else MAIN_AGENT

    def add_thought(self, agent: int, index: int) -> None:
        """Record that the thought ``index``, the newest of all, belongs to the subagent ``agent``."""
        self.thoughts.append(agent, index)
        self.subagent_thoughts.append(index)

    def newest_event(self, agent: int) -> AgentEvent | None:
        """Return the newest `agent` event of an agent by its ordinal, or None."""
        events = self.events[agent]
        return events[-1][1] if events else None

    def newest_thought_of(self, agent: int, length: int) -> int:
        """Return an agent's newest thought among the first ``length`` thoughts, or NONE."""
        if agent == MAIN_AGENT:
            return self.newest_main_thought(length)
        own = self.thoughts.get(agent)
        count = bisect_left(own, length)
        return own[count - 1] if count else NONE

    def newest_main_thought(self, length: int) -> int:
        """Return the main agent's newest thought among the first ``length`` thoughts, or NONE."""
        return newest_other(self.subagent_thoughts, length)


class Agents:
    """The agents that the first ``entry_count`` lines of a journal name."""

    __slots__ = ("_columns", "_entry_count")

    def __init__(self, columns: AgentColumns, entry_count: int) -> None:
        self._columns = columns
        self._entry_count = entry_count

    @property
    def count(self) -> int:
        """Number of subagents that the journal names; their ordinals begin with 1."""
        return bisect_left(self._columns.entry_index, self._entry_count, 1) - 1

    def id_of(self, agent: int) -> str | None:
        """Return the id of an agent by its ordinal; None for the main agent."""
        return self._columns.ids[agent]

    def find(self, agent_id: str | None) -> int:
        """Return the ordinal of an agent (None: the main agent), NONE if no line so far has named it."""
        agent = self._columns.find(agent_id)
        return agent if agent == MAIN_AGENT or self._columns.entry_index[agent] < self._entry_count else NONE

    def context_of(self, agent: int) -> ContextUse | None:
        """Return how much of the model's context an agent uses; None if its client does not record it."""
        return self._columns.context.of(self._columns.ids[agent], self._entry_count)

    @property
    def nearly_full(self) -> list[int]:
        """The agents whose context is nearly full, without the subagents that have ended."""
        known = ((agent, self.context_of(agent)) for agent in range(self.count + 1))
        full = [agent for agent, use in known if use is not None and use.is_nearly_full]
        return [agent for agent in full if agent == MAIN_AGENT or not self.has_ended(agent)]

    def has_ended(self, agent: int) -> bool:
        """Whether the transcript says that the agent's last turn has ended."""
        return bisect_left(self._columns.turn_changes.get(agent, ()), self._entry_count) % 2 == 1

    @property
    def in_turn_count(self) -> int:
        """How many agents are in a turn, as far as a transcript says it: it has begun and not ended."""
        changes = self._columns.in_turn_changes
        count = bisect_left(changes, self._entry_count, key=lambda change: change[0])
        return changes[count - 1][1] if count else 0

    def is_fork(self, agent: int) -> bool:
        """Whether the agent is a copy of its parent that went another way."""
        event = self.event_of(agent)
        return event is not None and event.fork

    @property
    def fork_count(self) -> int:
        """How many of the agents are copies of their parents that went another way."""
        return sum(self.is_fork(agent) for agent in self._columns.forks if agent <= self.count)

    def event_of(self, agent: int) -> AgentEvent | None:
        """Return the newest `agent` event of an agent by its ordinal, or None."""
        events = self._columns.events[agent]
        count = bisect_left(events, self._entry_count, key=lambda event: event[0])
        return events[count - 1][1] if count else None
