"""What a session tells of its single thoughts, at one moment of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set

from seqthink.chain.compact_lists import PrefixView
from seqthink.chain.model import NONE, Attachment, Thought
from seqthink.chain.session_columns import FLAG_FINAL, FLAG_NEEDS_MORE, FLAG_REPEAT, FLAG_REVISION, SessionColumns


class Thoughts:
    """The thoughts that came with the first ``entries`` lines of a journal: ``length`` of them."""

    def __init__(self, log: SessionColumns, entry_count: int, thought_count: int) -> None:
        self._columns = log
        self.entry_count = entry_count
        self.thought_count = thought_count

    def thought(self, index: int) -> Thought:
        """Return the thought that arrived as number ``index``, from 0."""
        log = self._columns
        flags, lane, place, target = log.flags[index], log.lane[index], log.index_in_lane[index], log.target.get(index)
        total = log.estimate[index]
        before = log.estimate[log.lanes.thoughts.get(lane)[place - 1]] if place else total
        return Thought(
            index=index,
            seq=log.seq[index],
            entry=log.entry[index],
            time=log.time[index],
            number=log.number[index],
            estimate=total,
            previous_estimate=before if before != total else 0,
            lane=lane,
            index_in_lane=place,
            chain=bisect_right(log.chain_start, index) - 1,
            highest_number=log.highest_number[index],
            revised_number=log.number[target] if target != NONE else log.unresolved_target.get(index, 0),
            target=target,
            occurrence=log.occurrence.get(index, 1),
            skipped_count=log.skipped_count.get(index, 0),
            is_revision=bool(flags & FLAG_REVISION),
            is_repeat=bool(flags & FLAG_REPEAT),
            needs_more=bool(flags & FLAG_NEEDS_MORE),
            offset=log.offset[index],
            size=log.size[index],
        )

    def number_of(self, index: int) -> int:
        """Return the number that the thought ``index`` gave itself."""
        return self._columns.number[index]

    def estimate_of(self, index: int) -> int:
        """Return the estimate that the thought ``index`` gave, at least its number."""
        return self._columns.estimate[index]

    def is_revision(self, index: int) -> bool:
        """Whether the thought ``index`` reconsiders an earlier one."""
        return bool(self._columns.flags[index] & FLAG_REVISION)

    def lane_of(self, index: int) -> int:
        """Return the ordinal of the lane of the thought ``index``."""
        return self._columns.lane[index]

    def index_in_lane(self, index: int) -> int:
        """Return where the thought ``index`` stands in its lane, from 0."""
        return self._columns.index_in_lane[index]

    def highest_number_of(self, index: int) -> int:
        """Return the highest number on the lane of the thought ``index``, up to it."""
        return self._columns.highest_number[index]

    def target_of(self, index: int) -> int:
        """Return the thought that the thought ``index`` revises, or NONE."""
        return self._columns.target.get(index)

    def skipped_count_of(self, index: int) -> int:
        """Return how many numbers were skipped when the thought ``index`` came."""
        return self._columns.skipped_count.get(index, 0)

    def lanes_of(self, indices: range) -> Sequence[int]:
        """Return the lanes of thoughts that arrived one after another."""
        return self._columns.lane[indices.start : indices.stop]

    def targets_of(self, indices: range) -> Sequence[int]:
        """Return what thoughts that arrived one after another revise, each a thought or NONE."""
        return self._columns.target.items_between(indices.start, indices.stop)

    def gaps_in(self, indices: range) -> Set[int]:
        """Return before which of these thoughts numbers were skipped."""
        return self._columns.skipped_count.keys_between(indices.start, indices.stop)

    def plain_run(self, start: int, stop: int, lane: int) -> int:
        """Return up to where thoughts from ``start`` are on ``lane``, without gap or arrow, at most ``stop``."""
        lanes, target = self._columns.lane, self._columns.target
        stop = self._columns.skipped_count.first_key(start, stop)
        for index in range(start, stop):
            if lanes[index] != lane or target.get(index) != NONE:
                return index
        return stop

    def time_of(self, index: int) -> int:
        """Return when the thought ``index`` arrived, in microseconds since 1970 (UTC)."""
        return self._columns.time[index]

    def line_extent_of(self, index: int) -> tuple[int, int]:
        """Return where in the journal the thought's line begins, and how many bytes long it is."""
        return self._columns.offset[index], self._columns.size[index]

    def entry_of(self, index: int) -> int:
        """Return after how many lines the thought ``index`` arrived."""
        return self._columns.entry[index]

    def duration_of(self, index: int) -> int | None:
        """Return the microseconds since its agent's thought before it, never below 0; None for a problem's first."""
        before = self._columns.previous_of_agent.get(
            index, NONE if index in self._chain_starts_at(index) else index - 1
        )
        return max(0, self._columns.time[index] - self._columns.time[before]) if before != NONE else None

    def is_final(self, index: int) -> bool:
        """Whether the answer to the thought ``index`` said that no other is needed, and nothing reopened it."""
        if not self._columns.flags[index] & FLAG_FINAL or self.is_undecided(index):
            return False
        return self._columns.reopened.get(index, self.entry_count) >= self.entry_count

    def is_undecided(self, index: int) -> bool:
        """Whether the person was asked if another may follow the thought ``index``, and its call has no answer yet."""
        turns = self._columns.undecided_toggles.get(self._columns.seq[index], ())
        return bisect_left(turns, self.entry_count) % 2 == 1

    def reviser_of(self, index: int) -> int:
        """Return the newest thought that revises the thought ``index``, or NONE."""
        revisers = self._columns.revisers.get(index)
        count = bisect_left(revisers, self.thought_count)
        return revisers[count - 1] if count else NONE

    def revisers_of(self, index: int) -> Sequence[int]:
        """Return the thoughts that revise the thought ``index``, in order of arrival."""
        revisers = self._columns.revisers.get(index)
        return revisers[: bisect_left(revisers, self.thought_count)]

    def index_of_seq(self, seq: int) -> int:
        """Return the thought with the journal position ``seq``, or NONE."""
        index = bisect_left(self._columns.seq, seq, 0, self.thought_count)
        return index if index < self.thought_count and self._columns.seq[index] == seq else NONE

    def attachments(self, index: int) -> Sequence[Attachment]:
        """Return what belongs to the thought ``index`` (audits, exchanges, context items, notes), in order."""
        attached = self._columns.attachments.get(index, [])
        return PrefixView(attached, bisect_left(attached, self.entry_count, key=lambda one: one.entry))

    def verdict_on(self, index: int) -> Attachment | None:
        """Return the newest audit of the thought ``index`` with a verdict."""
        verdicts, numbers = self._columns.verdicts, self._columns.verdicts_on.get(index)
        count = bisect_left(numbers, self.entry_count, key=lambda number: verdicts[number].entry)
        return verdicts[numbers[count - 1]] if count else None

    def has_note(self, index: int) -> bool:
        """Whether a note was delivered with the thought ``index``."""
        return self._columns.first_attached["note"].get(index, self.entry_count) < self.entry_count

    def has_context(self, index: int) -> bool:
        """Whether a context item belongs to the thought ``index``."""
        return self._columns.first_attached["context"].get(index, self.entry_count) < self.entry_count

    def _chain_starts_at(self, index: int) -> Sequence[int]:
        starts = self._columns.chain_start
        position = bisect_left(starts, index)
        return starts[position : position + 1]
