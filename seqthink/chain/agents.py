"""The agents of a session: one server process serves a client's main agent and all that this one starts.

An agent is known by the id that its thoughts carry; the main one has none. The ordinal 0 is the main one's, the others
have theirs in the order in which the journal first names them.
"""

from array import array
from bisect import bisect_left

from seqthink.chain.compact_lists import NONE, IndexMultimap
from seqthink.events import AgentEvent

MAIN_AGENT = 0


class AgentColumns:
    """What the journal says of each agent, by its ordinal, in columns that only ever grow."""

    def __init__(self) -> None:
        self.ids: list[str | None] = [None]
        self.entry = array("i", [0])
        """In which line each was first named."""
        self.events: list[list[tuple[int, AgentEvent]]] = [[]]
        """By agent: in which lines the journal says what is known of it."""
        self.thoughts = IndexMultimap()
        """By agent, the main one left out: its thoughts."""
        self.subagent_thoughts = array("i")
        """The thoughts of all agents but the main one."""
        self.root_entries = array("i")
        """In which lines another agent's thoughts on no branch got a lane."""
        self.in_chain = IndexMultimap()
        """By chain: the agents that thought in it, the main one left out."""
        self._ordinals: dict[str, int] = {}

    def register(self, agent_id: str, entry: int) -> int:
        """Return the ordinal of the agent with the id ``name``, which the line ``entry`` names."""
        ordinal = self._ordinals.get(agent_id)
        if ordinal is None:
            ordinal = self._ordinals[agent_id] = len(self.ids)
            self.ids.append(agent_id)
            self.entry.append(entry)
            self.events.append([])
        return ordinal

    def find(self, agent_id: str | None) -> int:
        """Return the ordinal of the agent with the id ``name``, NONE where no line has named it."""
        return self._ordinals.get(agent_id, NONE) if agent_id else MAIN_AGENT

    def add_thought(self, agent: int, index: int) -> None:
        """Note that the thought ``index``, the newest one, is another agent's than the main one."""
        self.thoughts.append(agent, index)
        self.subagent_thoughts.append(index)

    def newest_main_thought(self, length: int) -> int:
        """Return the newest of the first ``length`` thoughts that is the main agent's, or NONE."""
        others = self.subagent_thoughts
        count = bisect_left(others, length)
        if not count or others[count - 1] != length - 1:
            return length - 1
        # the thoughts right before the newest that are all other agents' rise by one from place to place
        offset = others[count - 1] - (count - 1)
        first = bisect_left(range(count), offset, key=lambda place: others[place] - place)
        return others[first] - 1
