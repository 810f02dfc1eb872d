"""Queries about native reasoning: which rows are not calls of the thinking tool, and what was left behind."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from seqthink.chain.columns.session_columns import (
    FLAG_ANSWER,
    FLAG_FINAL,
    FLAG_PROMPT,
    FLAG_REASONING,
    FLAG_REMARK,
    NATIVE_FLAGS,
    RecordKind,
    RunningCall,
    SessionColumns,
)
from seqthink.chain.columns.skipped_records import SkippedCounts
from seqthink.chain.model import NONE, NativeKind

_NATIVE_KINDS = {
    FLAG_PROMPT: NativeKind.PROMPT,
    FLAG_REASONING: NativeKind.REASONING,
    FLAG_REMARK: NativeKind.REMARK,
    FLAG_ANSWER: NativeKind.ANSWER,
}


class AgentRecord(NamedTuple):
    """A line of an agent that only a transcript has."""

    time: int
    """In microseconds since 1970."""
    kind: RecordKind


NO_RECORD = AgentRecord(0, RecordKind.OTHER)


def native_kind_of(flags: int, *, is_reopened: bool) -> NativeKind | None:
    """Return what a row with these flags is; None for a call of the thinking tool.

    An answer after which its agent went on (``is_reopened``) was none, but a remark.
    """
    kind = _NATIVE_KINDS.get(flags & NATIVE_FLAGS)
    return NativeKind.REMARK if is_reopened and kind is NativeKind.ANSWER and flags & FLAG_FINAL else kind


class NativeReasoning:
    """The native reasoning in the first ``entry_count`` lines of a journal, which hold ``thought_count`` thoughts."""

    __slots__ = ("_columns", "_entry_count", "_thought_count")

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int) -> None:
        self._columns = columns
        self._entry_count = entry_count
        self._thought_count = thought_count

    @property
    def has_numbers(self) -> bool:
        """Whether a row has a number: a call of the thinking tool, or a reasoning item (its place in its turn)."""
        first = self._columns.native.place_in_turn.first_key(0, self._thought_count)
        return first < self._thought_count or self.call_count > 0

    @property
    def retractions(self) -> Sequence[int]:
        """The rows that take something back, in their own words, in order of arrival."""
        found = self._columns.native.retractions
        return found[: bisect_left(found, self._thought_count)]

    @property
    def is_recorded(self) -> bool:
        """Whether the journal holds native reasoning, shown or hidden."""
        entries = self._columns.native.entries
        return bool(entries) and entries[0] < self._entry_count

    @property
    def has_unkept(self) -> bool:
        """Whether there is a row that says that the text of some reasoning was not kept."""
        first = self._columns.native.first_unkept
        return first is not None and first < self._entry_count

    @property
    def names_call_ends(self) -> bool:
        """Whether the journal names the ends of calls that did not fail, which older ones do not."""
        return 0 <= self._columns.native.calls.first_named_end < self._entry_count

    @property
    def has_remarks(self) -> bool:
        """Whether the journal holds remarks, shown or hidden."""
        first = self._columns.native.first_remark
        return first is not None and first < self._entry_count

    def last_record_of(self, agent_id: str | None) -> AgentRecord:
        """Return the newest line of an agent that only a transcript has; one at 0 if there is none."""
        records = self._columns.native.by_agent.get(agent_id)
        count = bisect_left(records.entries, self._entry_count) if records is not None else 0
        if records is None or not count:
            return NO_RECORD
        return AgentRecord(records.times[count - 1], RecordKind(records.kinds[count - 1]))

    def running_calls_of(self, agent_id: str | None) -> tuple[RunningCall | None, int]:
        """Return the newest call of a tool that an agent waits for, and for how many it waits."""
        records = self._columns.native.by_agent.get(agent_id)
        changes = records.running if records is not None else []
        count = bisect_left(changes, self._entry_count, key=lambda change: change[0])
        return changes[count - 1][1:] if count else (None, 0)

    @property
    def running_call(self) -> RunningCall | None:
        """The newest call of a tool that the agent that wrote last waits for."""
        return self.running_calls_of(self.last_agent)[0]

    @property
    def last_agent(self) -> str | None:
        """The id of the agent that wrote last; None for the main agent."""
        turns = self._columns.native.turns_to
        count = bisect_left(turns, self._entry_count, key=lambda turn: turn[0])
        return turns[count - 1][1] if count else None

    @property
    def count(self) -> int:
        """How many of the thoughts are rows of native reasoning: prompts, reasoning items, remarks and answers."""
        return bisect_left(self._columns.native.thoughts, self._thought_count)

    @property
    def call_count(self) -> int:
        """How many of the thoughts are calls of the thinking tool."""
        return self._thought_count - self.count

    @property
    def turn_count(self) -> int:
        """How many turns the main agent's native reasoning has, where there is nothing but native reasoning."""
        has_only_native = self.count and not self.call_count
        return bisect_left(self._columns.chain_start, self._thought_count) if has_only_native else 0

    @property
    def skipped_records(self) -> SkippedCounts:
        """How many records of its transcripts were left out."""
        return self._columns.skipped_records.before(self._entry_count)

    @property
    def prompts(self) -> Sequence[int]:
        """The main agent's prompts that are rows of native reasoning, in order of arrival."""
        prompts = self._columns.native.prompt_rows
        return prompts[: bisect_left(prompts, self._thought_count)]

    def kind_of(self, index: int) -> NativeKind | None:
        """Return what the row ``index`` of native reasoning is; None for a call of the thinking tool."""
        thoughts = self._columns.thoughts
        is_reopened = thoughts.reopened.get(index, self._entry_count) < self._entry_count
        return native_kind_of(thoughts.flags[index], is_reopened=is_reopened)

    def newest_call_at(self, index: int) -> int:
        """Return ``index``, or for native reasoning its agent's newest call on the problem until then, or NONE."""
        return self._columns.native.agent_call.get(index, index)

    def left_behind_at(self, entry_index: int) -> tuple[int, int]:
        """Return how many calls of the thinking tool and how many prompts a line's rewind left behind."""
        rewinds = self._columns.rewound.rewinds
        found = bisect_left(rewinds, entry_index, key=lambda rewind: rewind.entry_index)
        if found == len(rewinds) or rewinds[found].entry_index != entry_index:
            return 0, 0
        return rewinds[found].call_count, rewinds[found].turn_count

    def left_behind_since(self, index: int) -> int:
        """Return the first thought of the part that was left behind with the thought ``index``; NONE if it was not."""
        ordinal = self._columns.rewound.left_behind.get(index)
        if ordinal == NONE:
            return NONE
        rewind = self._columns.rewound.rewinds[ordinal]
        return rewind.first if rewind.entry_index < self._entry_count else NONE

    def is_left_behind(self, index: int) -> bool:
        """Whether the user went back to before the thought ``index``, so that nothing continues from it."""
        return self.left_behind_since(index) != NONE
