"""Rows that are not thoughts: refused calls, and what a transcript says between thoughts."""

from array import array
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence

from msgspec.structs import replace

from seqthink.chain.agent_state import AgentState
from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.call_columns import CallEnd, CallResult, result_of
from seqthink.chain.columns.compact_lists import PrefixView
from seqthink.chain.columns.session_columns import HeadRow, SessionColumns
from seqthink.chain.model import NONE, Aside, AsideItem, AsideKind, Landmark
from seqthink.core.events import ActionEvent, Entry
from seqthink.core.times import microseconds_of

_ENDS = frozenset((AsideKind.RESULT, AsideKind.UNFINISHED, AsideKind.REWOUND))
"""What ends what came before, so that no later chain is headed by it."""
_BEGINNINGS = frozenset((AsideKind.PROMPT, AsideKind.COMPACTED))
_COUNTED = (AsideKind.ACTIONS, AsideKind.UNKEPT)
MAX_OPEN_CALLS = 4096
"""How many calls are remembered until their end is reported, the newest."""


class AsideRows:
    """Adds asides to the columns. An aside is drawn behind the newest thought of its agent."""

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns
        # By kind and agent: the aside that counts on, and what it follows.
        self._runs: dict[tuple[AsideKind, int], tuple[int, int, int]] = {}
        self._rule_count = 0
        # The main agent's asides and native reasoning since its newest call and its last answer, and that call.
        self._foot: list[HeadRow] = []
        self._foot_below = NONE
        # By the client's id: the aside that counts a call, the call's ordinal, and the edited file that it puts back.
        self._open_calls: OrderedDict[str, tuple[int, int, str]] = OrderedDict()

    def add(
        self,
        kind: AsideKind,
        event: Entry,
        agent: AgentState | None,
        offset: int,
        size: int,
        lane: int = NONE,
        *,
        is_retraction: bool = False,
        laneless: int = NONE,
    ) -> int:
        """Add an aside and return its ordinal.

        Args:
            kind: what it is.
            event: its line.
            agent: whose it is; None for one that has not thought yet.
            offset: where its line begins.
            size: the line's length in bytes.
            lane: the lane whose newest thought it follows, if that is in the current chain; NONE: the agent's.
            is_retraction: whether it takes something back, in its own words.
            laneless: the subagent whose it is, if that has not thought yet; NONE if it has, or is not known.
        """
        columns, thought_count = self._columns, len(self._columns.thoughts.seq)
        time = self.mark_visible(event)
        above = self._thought_above(agent, lane)
        ordinal = len(columns.asides)
        columns.asides.append(
            Aside(
                kind, columns.entry_count, thought_count, event.seq, time, offset, size, above, is_retraction, laneless
            )
        )
        if is_retraction:
            columns.aside_details.retracting.append(ordinal)
            columns.landmarks[Landmark.RETRACTION].append(columns.entry_count)
        if above != NONE:
            columns.asides_in_lane.append(columns.thoughts.lane[above], ordinal)
        if agent is not None and agent.ordinal == MAIN_AGENT:
            self._add_to_foot(
                agent, HeadRow(ordinal, is_native=False, is_beginning=kind in _BEGINNINGS), is_end=kind in _ENDS
            )
        return ordinal

    def note_native(self, index: int, agent: AgentState, *, is_prompt: bool, is_end: bool) -> None:
        """Take in that native reasoning has a row that may come to head a chain, or that it ends what came before."""
        if agent.ordinal == MAIN_AGENT:
            self._add_to_foot(agent, HeadRow(index, is_native=True, is_beginning=is_prompt), is_end=is_end)

    def _add_to_foot(self, main_agent: AgentState, row: HeadRow, *, is_end: bool) -> None:
        if is_end or main_agent.last_thought != self._foot_below:
            self._foot, self._foot_below = [], main_agent.last_thought
        if not is_end:
            self._foot.append(row)

    def move_to_head(self, chain: int, call_before: int) -> None:
        """Put what the main agent was asked at the head of the chain that answers it, which has just begun.

        That is every row from the first prompt or compaction after its last answer on. Rows up to one from which a lane
        leaves stay with that lane.

        Args:
            chain: the ordinal of the chain.
            call_before: the main agent's newest call in the chain before.
        """
        foot, details = self._foot if self._foot_below == call_before else [], self._columns.aside_details
        self._foot = []
        leaves_from = self._columns.thoughts.branches_from.get
        after = max(
            (place + 1 for place, row in enumerate(foot) if row.is_native and leaves_from(row.ordinal)), default=0
        )
        start = next((place for place in range(after, len(foot)) if foot[place].is_beginning), len(foot))
        if start < len(foot):
            heads = details.heads[chain] = tuple(foot[start:])
            details.headed_chain.update((row.ordinal, chain) for row in heads if not row.is_native)
            details.natively_headed_chain.update((row.ordinal, chain) for row in heads if row.is_native)

    def add_rule(self, kind: AsideKind, event: Entry, agent: AgentState | None, offset: int, size: int) -> int:
        """Add an aside that parts what came before it from what follows: no count goes on across it."""
        self._rule_count += 1
        return self.add(kind, event, agent, offset, size)

    def add_between(
        self, kind: AsideKind, event: Entry, agent: AgentState | None, offset: int, size: int, *, is_retraction: bool
    ) -> None:
        """Add an aside across which no count of its agent goes on."""
        self.add(kind, event, agent, offset, size, is_retraction=is_retraction)
        for counted in _COUNTED:
            self._runs.pop((counted, agent.ordinal if agent is not None else NONE), None)

    def count(
        self, kind: AsideKind, event: Entry, agent: AgentState | None, item: AsideItem, laneless: int = NONE
    ) -> int:
        """Count a line in the aside of its kind behind the agent's newest thought; return the aside's ordinal.

        ``laneless`` is the subagent whose it is, if that has not thought yet (see `add`).
        """
        key = (kind, agent.ordinal if agent is not None else laneless)
        ordinal, above, rules = self._runs.get(key, (NONE, NONE, NONE))
        if ordinal == NONE or above != self._thought_above(agent) or rules != self._rule_count:
            ordinal = self.add(kind, event, agent, item.offset, item.size, laneless=laneless)
            self._runs[key] = ordinal, self._columns.asides[ordinal].thought_above, self._rule_count
        else:
            self.mark_visible(event)
        self._columns.aside_details.items.setdefault(ordinal, []).append(item)
        return ordinal

    def open_call(self, call: str, ordinal: int, number: int, puts_back: str) -> None:
        """Remember that the call ``number``, whose id is ``call``, is counted in the aside ``ordinal``.

        ``puts_back`` is the edited file that the call puts back if it succeeds; empty for other calls.
        """
        self._open_calls[call] = ordinal, number, puts_back
        if len(self._open_calls) > MAX_OPEN_CALLS:
            self._open_calls.popitem(last=False)

    def end_call(self, event: ActionEvent, offset: int, size: int) -> bool:
        """Record the end of a remembered call; return False if there is none."""
        call = event.call or ""
        if call not in self._open_calls:
            return False
        result = result_of(event)
        if result is not None:
            ordinal, number, puts_back = self._open_calls.pop(call)
            self._columns.native.calls.end(number, event, self._columns.entry_count, offset, size)
            if event.failed:
                self.add_failure(ordinal)
            if puts_back and result is CallResult.DONE:
                self._add_put_back(ordinal, puts_back)
        return True

    def _add_put_back(self, ordinal: int, path: str) -> None:
        """Record that one of the actions of an aside puts an edited file back."""
        columns = self._columns
        if ordinal not in columns.aside_details.put_back:
            columns.aside_details.put_back[ordinal] = columns.entry_count, path
            columns.aside_details.retracting.append(ordinal)
            columns.landmarks[Landmark.RETRACTION].append(columns.entry_count)

    def add_failure(self, ordinal: int) -> None:
        """Record that one of the actions of an aside failed."""
        self._columns.aside_details.failures.setdefault(ordinal, array("i")).append(self._columns.entry_count)

    def mark_visible(self, event: Entry) -> int:
        """Record that the current line is visible though it is not a thought; return its time in microseconds."""
        time = microseconds_of(event.time)
        self._columns.non_thought_entries.append(self._columns.entry_count)
        self._columns.non_thought_times.append(time)
        return time

    def _thought_above(self, agent: AgentState | None, lane: int = NONE) -> int:
        columns = self._columns
        start = columns.chain_start[-1] if columns.chain_start else 0
        if agent is None or agent.newest < start:
            return len(columns.thoughts.seq) - 1
        if lane != NONE and columns.lanes.last_thought[lane] >= start:
            return columns.lanes.last_thought[lane]
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
        """Return the aside ``ordinal``, counted from 0. No thought is above one at the head of a chain."""
        aside = self._columns.asides[ordinal]
        if self.put_back_by(ordinal):
            aside = replace(aside, is_retraction=True)
        return replace(aside, thought_above=NONE) if self.is_head(ordinal) else aside

    def put_back_by(self, ordinal: int) -> str:
        """Return the edited file that one of the actions of an aside puts back; an empty string if none does."""
        entry, path = self._columns.aside_details.put_back.get(ordinal, (self._entry_count, ""))
        return path if entry < self._entry_count else ""

    def is_head(self, ordinal: int) -> bool:
        """Return whether an aside is at the head of a chain that began after it."""
        chain = self._columns.aside_details.headed_chain.get(ordinal, NONE)
        return chain != NONE and self._columns.landmarks[Landmark.CHAIN][chain] < self._entry_count

    def will_move(self, ordinal: int) -> bool:
        """Return whether an aside is at the head of such a chain by now.

        Unlike all else here it is asked of what was read, not of this moment: rows are laid out once for all moments.
        """
        return ordinal in self._columns.aside_details.headed_chain

    def heads_of(self, chain: int) -> Sequence[int]:
        """Return the asides at the head of a chain that came before it began."""
        heads = [row.ordinal for row in self._columns.aside_details.heads.get(chain, ()) if not row.is_native]
        return heads if heads and self.is_head(heads[0]) else ()

    def above_at_first(self, ordinal: int) -> int:
        """Return the thought below which an aside was drawn when it came, or NONE."""
        return self._columns.asides[ordinal].thought_above

    def chain_of(self, ordinal: int) -> int:
        """Return the chain in which an aside is drawn; 0 if there is none yet."""
        if self.is_head(ordinal):
            return self._columns.aside_details.headed_chain[ordinal]
        return max(0, bisect_left(self._columns.chain_start, self._columns.asides[ordinal].thoughts_before) - 1)

    def items_of(self, ordinal: int) -> Sequence[AsideItem]:
        """Return the lines that an aside counts, in order of arrival."""
        items = self._columns.aside_details.items.get(ordinal, [])
        return PrefixView(items, bisect_left(items, self._entry_count, key=lambda item: item.entry_index))

    def end_of(self, item: AsideItem) -> CallEnd | None:
        """Return how one of the calls of an aside ended; None if that is not known, or it has not."""
        return self._columns.native.calls.end_of(item.entry_index, self._entry_count)

    def is_running(self, item: AsideItem) -> bool:
        """Return whether one of the calls of an aside is waited for, as far as the journal says."""
        return self._columns.native.calls.is_running(item.entry_index, self._entry_count)

    def failure_count_of(self, ordinal: int) -> int:
        """Return how many actions of an aside failed."""
        return bisect_left(self._columns.aside_details.failures.get(ordinal, ()), self._entry_count)

    def count_before(self, index: int) -> int:
        """Return how many asides there were before the thought ``index`` arrived."""
        asides = self._columns.asides
        count = bisect_left(asides, self._entry_count, key=lambda aside: aside.entry_index)
        return bisect_left(asides, index + 1, 0, count, key=lambda aside: aside.thoughts_before)

    def first_after(self, index: int, *, with_moved: bool = False) -> int:
        """Return the first aside behind the thought ``index`` and before the next of its lane, or NONE.

        ``with_moved`` says whether one that is at the head of the next chain counts where it came.
        """
        lane, asides = self._columns.thoughts.lane[index], self._columns.asides
        ordinals = self._columns.asides_in_lane.get(lane)
        position = bisect_left(ordinals, index, key=lambda ordinal: asides[ordinal].thought_above)
        if position == len(ordinals):
            return NONE
        found = asides[ordinals[position]]
        is_here = found.entry_index < self._entry_count and found.thought_above == index
        is_here = is_here and not (self.is_head(ordinals[position]) and not with_moved)
        return ordinals[position] if is_here else NONE

    def all_after(self, index: int) -> Sequence[int]:
        """Return all asides behind the thought ``index`` and before the next of its lane."""
        lane, asides = self._columns.thoughts.lane[index], self._columns.asides
        ordinals = self._columns.asides_in_lane.get(lane)
        first, stop = (
            bisect_left(ordinals, above, key=lambda ordinal: asides[ordinal].thought_above)
            for above in (index, index + 1)
        )
        found = (ordinals[place] for place in range(first, stop))
        return [one for one in found if asides[one].entry_index < self._entry_count and not self.is_head(one)]

    @property
    def first_prompt(self) -> int:
        """The first of the main agent's prompts that are asides, or NONE."""
        return next(iter(self.prompts[:1]), NONE)

    @property
    def prompts(self) -> Sequence[int]:
        """The main agent's prompts that are asides, in order of arrival."""
        asides, prompts = self._columns.asides, self._columns.native.prompt_asides
        return prompts[: bisect_left(prompts, self._entry_count, key=lambda ordinal: asides[ordinal].entry_index)]

    @property
    def count(self) -> int:
        """Number of asides."""
        return bisect_left(self._columns.asides, self._entry_count, key=lambda aside: aside.entry_index)

    @property
    def retractions(self) -> Sequence[int]:
        """The asides that take something back, in their own words or by what was done, in order of arrival."""
        asides, details = self._columns.asides, self._columns.aside_details
        found, put_back = details.retracting, details.put_back

        def came(ordinal: int) -> int:
            return put_back[ordinal][0] if ordinal in put_back else asides[ordinal].entry_index

        return found[: bisect_left(found, self._entry_count, key=came)]

    @property
    def refused_count(self) -> int:
        """Number of refused calls."""
        return len(self.refused)

    @property
    def refused(self) -> Sequence[int]:
        """The ordinals of the refused calls, in order of arrival."""
        asides, refused = self._columns.asides, self._columns.refused_asides
        return refused[: bisect_left(refused, self._entry_count, key=lambda ordinal: asides[ordinal].entry_index)]
