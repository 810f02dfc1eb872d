"""Rows that are not thoughts: refused calls, and what a transcript says between thoughts."""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence

from seqthink.chain.agent_state import AgentState
from seqthink.chain.columns.compact_lists import PrefixView
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.model import NONE, Aside, AsideItem, AsideKind
from seqthink.events import Entry
from seqthink.times import microseconds_of

MAX_OPEN_CALLS = 4096
"""How many calls are remembered until their failure is reported, the newest."""


class AsideRows:
    """Adds asides to the columns. An aside is drawn behind the newest thought of its agent."""

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns
        # By kind and agent: the aside that counts on, and what it stands behind.
        self._runs: dict[tuple[AsideKind, int], tuple[int, int, int]] = {}
        self._rule_count = 0
        self._open_calls: OrderedDict[str, int] = OrderedDict()

    def add(self, kind: AsideKind, event: Entry, agent: AgentState | None, offset: int, size: int) -> int:
        """Add an aside and return its ordinal; ``agent`` is None for one that has not thought yet."""
        columns, thought_count = self._columns, len(self._columns.thoughts.seq)
        time = self.mark_visible(event)
        above = self._thought_above(agent)
        ordinal = len(columns.asides)
        columns.asides.append(Aside(kind, columns.entry_count, thought_count, event.seq, time, offset, size, above))
        if above != NONE:
            columns.asides_in_lane.append(columns.thoughts.lane[above], ordinal)
        return ordinal

    def add_rule(self, kind: AsideKind, event: Entry, agent: AgentState | None, offset: int, size: int) -> None:
        """Add an aside that parts what came before it from what follows: no count goes on across it."""
        self._rule_count += 1
        self.add(kind, event, agent, offset, size)

    def count(self, kind: AsideKind, event: Entry, agent: AgentState | None, item: AsideItem) -> int:
        """Count a line in the aside of its kind behind the agent's newest thought; return the aside's ordinal."""
        key = (kind, agent.ordinal if agent is not None else NONE)
        ordinal, above, rules = self._runs.get(key, (NONE, NONE, NONE))
        if ordinal == NONE or above != self._thought_above(agent) or rules != self._rule_count:
            ordinal = self.add(kind, event, agent, item.offset, item.size)
            self._runs[key] = ordinal, self._columns.asides[ordinal].thought_above, self._rule_count
        else:
            self.mark_visible(event)
        self._columns.aside_items.setdefault(ordinal, []).append(item)
        return ordinal

    def open_call(self, call: str, ordinal: int) -> None:
        """Remember that a call is counted in the aside ``ordinal``."""
        self._open_calls[call] = ordinal
        if len(self._open_calls) > MAX_OPEN_CALLS:
            self._open_calls.popitem(last=False)

    def fail_call(self, call: str) -> bool:
        """Record that a remembered call failed; return False if there is none."""
        ordinal = self._open_calls.pop(call, NONE)
        if ordinal != NONE:
            self.add_failure(ordinal)
        return ordinal != NONE

    def add_failure(self, ordinal: int) -> None:
        """Record that one of the actions of an aside failed."""
        self._columns.failed_actions.setdefault(ordinal, array("i")).append(self._columns.entry_count)

    def mark_visible(self, event: Entry) -> int:
        """Record that the current line is visible though it is not a thought; return its time in microseconds."""
        time = microseconds_of(event.time)
        self._columns.non_thought_entries.append(self._columns.entry_count)
        self._columns.non_thought_times.append(time)
        return time

    def _thought_above(self, agent: AgentState | None) -> int:
        columns = self._columns
        start = columns.chain_start[-1] if columns.chain_start else 0
        if agent is None or agent.newest < start:
            return len(columns.thoughts.seq) - 1
        if not columns.rewound.rewinds:
            return agent.newest
        # What was left behind keeps its place, so the row comes after it.
        return columns.lanes.last_thought[columns.thoughts.lane[agent.newest]]


class Asides:
    """The asides in the first ``entry_count`` lines of a journal."""

    __slots__ = ("_columns", "_entry_count")

    def __init__(self, columns: SessionColumns, entry_count: int) -> None:
        self._columns = columns
        self._entry_count = entry_count

    def get(self, ordinal: int) -> Aside:
        """Return the aside ``ordinal``, counted from 0."""
        return self._columns.asides[ordinal]

    def items_of(self, ordinal: int) -> Sequence[AsideItem]:
        """Return the lines that an aside counts, in order of arrival."""
        items = self._columns.aside_items.get(ordinal, [])
        return PrefixView(items, bisect_left(items, self._entry_count, key=lambda item: item.entry_index))

    def failure_count_of(self, ordinal: int) -> int:
        """Return how many actions of an aside failed."""
        return bisect_left(self._columns.failed_actions.get(ordinal, ()), self._entry_count)

    def count_before(self, index: int) -> int:
        """Return how many asides there were before the thought ``index`` arrived."""
        asides = self._columns.asides
        count = bisect_left(asides, self._entry_count, key=lambda aside: aside.entry_index)
        return bisect_left(asides, index + 1, 0, count, key=lambda aside: aside.thoughts_before)

    def first_after(self, index: int) -> int:
        """Return the first aside behind the thought ``index`` and before the next of its lane, or NONE."""
        lane, asides = self._columns.thoughts.lane[index], self._columns.asides
        ordinals = self._columns.asides_in_lane.get(lane)
        position = bisect_left(ordinals, index, key=lambda ordinal: asides[ordinal].thought_above)
        if position == len(ordinals):
            return NONE
        found = asides[ordinals[position]]
        is_here = found.entry_index < self._entry_count and found.thought_above == index
        return ordinals[position] if is_here else NONE

    @property
    def count(self) -> int:
        """Number of asides."""
        return bisect_left(self._columns.asides, self._entry_count, key=lambda aside: aside.entry_index)

    @property
    def refused_count(self) -> int:
        """Number of refused calls."""
        return len(self.refused)

    @property
    def refused(self) -> Sequence[int]:
        """The ordinals of the refused calls, in order of arrival."""
        asides, refused = self._columns.asides, self._columns.refused_asides
        return refused[: bisect_left(refused, self._entry_count, key=lambda ordinal: asides[ordinal].entry_index)]
