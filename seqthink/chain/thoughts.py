"""Queries about single thoughts of a session."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from typing import Literal

from seqthink.chain.arrivals import Arrivals
from seqthink.chain.columns.compact_lists import PrefixView
from seqthink.chain.columns.session_columns import (
    FLAG_FINAL,
    FLAG_KEEPS_PACE,
    FLAG_NEEDS_MORE,
    FLAG_REPEAT,
    FLAG_RETRACTION,
    FLAG_REVISION,
    NATIVE_FLAGS,
    SessionColumns,
)
from seqthink.chain.model import NONE, Attachment, Thought
from seqthink.chain.native.native_reasoning import native_kind_of


class Thoughts:
    """Facts of the thoughts in the first ``entry_count`` lines of a journal: ``thought_count`` of them."""

    __slots__ = ("_columns", "_entry_count", "_facts", "_thought_count")

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int) -> None:
        self._columns = columns
        self._facts = columns.thoughts
        self._entry_count = entry_count
        self._thought_count = thought_count

    def get(self, index: int) -> Thought:
        """Return the thought ``index``, counted from 0 in order of arrival."""
        columns, facts = self._columns, self._facts
        flags, lane, target = facts.flags[index], facts.lane[index], facts.target.get(index)
        estimate, index_in_lane = facts.estimate[index], facts.index_in_lane[index]
        before = columns.before_on_lane(index)
        estimate_before = facts.estimate[before] if before != NONE else estimate
        return Thought(
            index=index,
            seq=facts.seq[index],
            entry_index=facts.entry_index[index],
            time=facts.time[index],
            number=facts.number[index],
            estimate=estimate,
            previous_estimate=estimate_before if estimate_before != estimate else 0,
            lane=lane,
            index_in_lane=index_in_lane,
            chain=bisect_right(columns.chain_start, index) - 1,
            highest_number=columns.highest_kept(index),
            revised_number=facts.number[target] if target != NONE else facts.unresolved_target.get(index, 0),
            target=target,
            occurrence=facts.occurrence.get(index, 1),
            skipped_count=facts.skipped_count.get(index, 0),
            is_revision=bool(flags & FLAG_REVISION),
            is_repeat=bool(flags & FLAG_REPEAT),
            needs_more=bool(flags & FLAG_NEEDS_MORE),
            keeps_pace=bool(flags & FLAG_KEEPS_PACE),
            offset=facts.offset[index],
            size=facts.size[index],
            native=native_kind_of(flags, is_reopened=self._is_reopened(index)),
            place_in_turn=columns.native.place_in_turn.get(index, 0),
            is_retraction=bool(flags & FLAG_RETRACTION),
        )

    @property
    def arrivals(self) -> Arrivals:
        """When the thoughts arrived."""
        return Arrivals(self._facts.arrivals, self._thought_count, self._entry_count)

    def seq_of(self, index: int) -> int:
        """Return the thought's ``seq`` in the journal."""
        return self._facts.seq[index]

    def number_of(self, index: int) -> int:
        """Return the thought's number, as the model gave it."""
        return self._facts.number[index]

    def estimate_of(self, index: int) -> int:
        """Return the thought's estimate, raised to its number if it is below."""
        return self._facts.estimate[index]

    def may_change_estimate(self, index: int) -> bool:
        """Whether the thought may have another estimate than the one before it; False is certain."""
        first = self._columns.lanes.first_estimate_change.get(self._facts.lane[index])
        return NONE < first <= index or bool(self._facts.flags[index] & FLAG_KEEPS_PACE)

    def is_plain(self, index: int) -> bool:
        """Whether it is certain that nothing about the thought ``index`` is marked, other than left behind or odd.

        It is a numbered call that revises and repeats nothing and is not final; its estimate is not new; it brings
        no branch back, and has no reviser, verdict, note or context item.
        """
        facts, flags = self._facts, self._facts.flags[index]
        return not (
            flags & ~(FLAG_KEEPS_PACE | FLAG_FINAL)
            or (flags & FLAG_FINAL and self.is_final(index))
            or (not flags & FLAG_KEEPS_PACE and self.may_change_estimate(index))
            or not facts.number[index]
            or facts.target.get(index) != NONE
            or facts.unresolved_target.get(index, 0)
            or facts.brings_back.get(index)
            or (facts.revisers.get(index) and self.reviser_of(index) != NONE)
            or (facts.verdicts_on.get(index) and self.verdict_on(index) is not None)
            or self.has_attached(index, "note")
            or self.has_attached(index, "context")
        )

    def is_revision(self, index: int) -> bool:
        """Whether the thought ``index`` reconsiders an earlier one."""
        return bool(self._facts.flags[index] & FLAG_REVISION)

    def lane_of(self, index: int) -> int:
        """Return the ordinal of the lane of the thought ``index``."""
        return self._facts.lane[index]

    def chain_of(self, index: int) -> int:
        """Return the ordinal of the chain that holds the thought ``index``."""
        return bisect_right(self._columns.chain_start, index) - 1

    def index_in_lane(self, index: int) -> int:
        """Return the thought's place in its lane, counted from 0."""
        return self._facts.index_in_lane[index]

    def highest_number_of(self, index: int) -> int:
        """Return the highest number on the thought's lane up to and including it, without what was left behind."""
        return self._columns.highest_kept(index)

    def target_of(self, index: int) -> int:
        """Return the thought that ``index`` revises, or NONE."""
        return self._facts.target.get(index)

    def skipped_count_of(self, index: int) -> int:
        """Return how many numbers were skipped right before the thought ``index``."""
        return self._facts.skipped_count.get(index, 0)

    def lanes_of(self, indices: range) -> Sequence[int]:
        """Return the lane of each of these thoughts."""
        return self._facts.lane[indices.start : indices.stop]

    def targets_of(self, indices: range) -> Sequence[int]:
        """Return the revised thought of each of these thoughts, or NONE."""
        return self._facts.target.items_between(indices.start, indices.stop)

    def gaps_in(self, indices: range) -> Set[int]:
        """Return those of these thoughts that skipped numbers."""
        return self._facts.skipped_count.keys_between(indices.start, indices.stop)

    def plain_run(self, start: int, stop: int, lane: int) -> int:
        """Return the end of the run of thoughts from ``start`` on ``lane`` without gap or arrow, at most ``stop``."""
        lanes, target = self._facts.lane, self._facts.target
        stop = self._facts.skipped_count.first_key(start, stop)
        for index in range(start, stop):
            if lanes[index] != lane or target.get(index) != NONE:
                return index
        return stop

    def time_of(self, index: int) -> int:
        """Return when the thought ``index`` arrived, in microseconds since 1970 (UTC)."""
        return self._facts.time[index]

    def line_extent_of(self, index: int) -> tuple[int, int]:
        """Return the offset and size of the thought's line in the journal, in bytes, without its newline."""
        return self._facts.offset[index], self._facts.size[index]

    def entry_index_of(self, index: int) -> int:
        """Return the index of the thought's journal line: the number of lines before it."""
        return self._facts.entry_index[index]

    def duration_of(self, index: int) -> int | None:
        """Return the microseconds since the same agent's previous thought, at least 0; None for a problem's first."""
        before = self._columns.previous_of_agent(index)
        return max(0, self._facts.time[index] - self._facts.time[before]) if before != NONE else None

    def is_final(self, index: int) -> bool:
        """Whether the answer to the thought said that no other is needed, and nothing has reopened the chain since."""
        if not self._facts.flags[index] & FLAG_FINAL or self.is_undecided(index):
            return False
        return not self._is_reopened(index)

    def _is_reopened(self, index: int) -> bool:
        return self._facts.reopened.get(index, self._entry_count) < self._entry_count

    def is_undecided(self, index: int) -> bool:
        """Whether the user was asked if another thought may follow, and has not answered yet."""
        if self._facts.flags[index] & NATIVE_FLAGS:
            return False
        toggles = self._columns.undecided_toggles.get(self._facts.seq[index], ())
        return bisect_left(toggles, self._entry_count) % 2 == 1

    def reviser_of(self, index: int) -> int:
        """Return the newest thought that revises the thought ``index``, or NONE."""
        revisers = self._facts.revisers.get(index)
        count = bisect_left(revisers, self._thought_count)
        return revisers[count - 1] if count else NONE

    def revisers_of(self, index: int) -> Sequence[int]:
        """Return the thoughts that revise the thought ``index``, in order of arrival."""
        revisers = self._facts.revisers.get(index)
        return revisers[: bisect_left(revisers, self._thought_count)]

    def index_of_seq(self, seq: int) -> int:
        """Return the thought with the journal position ``seq``, or NONE."""
        index = bisect_left(self._facts.seq, seq, 0, self._thought_count)
        return index if index < self._thought_count and self._facts.seq[index] == seq else NONE

    def attachments(self, index: int) -> Sequence[Attachment]:
        """Return what is attached to the thought ``index`` (audits, exchanges, context items, notes), in order."""
        attached = self._facts.attachments.get(index, [])
        return PrefixView(
            attached, bisect_left(attached, self._entry_count, key=lambda attachment: attachment.entry_index)
        )

    def verdict_on(self, index: int) -> Attachment | None:
        """Return the newest audit of the thought ``index`` that has a verdict, or None."""
        verdicts, ordinals = self._columns.verdicts, self._facts.verdicts_on.get(index)
        count = bisect_left(ordinals, self._entry_count, key=lambda ordinal: verdicts[ordinal].entry_index)
        return verdicts[ordinals[count - 1]] if count else None

    def has_attached(self, index: int, kind: Literal["note", "context"]) -> bool:
        """Whether a note was delivered with the thought ``index``, or a context item is attached to it."""
        return self._facts.first_attached[kind].get(index, self._entry_count) < self._entry_count
