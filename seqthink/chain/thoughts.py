"""What a session tells of its single thoughts, at one moment of it."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set

from seqthink.chain.lists import Beginning
from seqthink.chain.log import FINAL, NEEDS_MORE, REPEAT, REVISION, Log
from seqthink.chain.model import NONE, Attachment, Thought


class Thoughts:
    """The thoughts that came with the first ``entries`` lines of a journal: ``length`` of them."""

    def __init__(self, log: Log, entries: int, length: int) -> None:
        self._log = log
        self.entries = entries
        self.length = length

    def thought(self, index: int) -> Thought:
        """Return the thought that arrived as number ``index``, from 0."""
        log = self._log
        flags, lane, place, target = log.flags[index], log.lane[index], log.place[index], log.target.get(index)
        total = log.total[index]
        before = log.total[log.lanes.thoughts.get(lane)[place - 1]] if place else total
        return Thought(
            index=index,
            seq=log.seq[index],
            entry=log.entry[index],
            time=log.time[index],
            number=log.number[index],
            total=total,
            previous_total=before if before != total else 0,
            lane=lane,
            place=place,
            chain=bisect_right(log.chain_start, index) - 1,
            peak=log.peak[index],
            revises=log.number[target] if target != NONE else log.revises_nothing.get(index, 0),
            target=target,
            taken=log.taken.get(index, 1),
            missing=log.missing.get(index, 0),
            is_revision=bool(flags & REVISION),
            is_repeat=bool(flags & REPEAT),
            needs_more=bool(flags & NEEDS_MORE),
            offset=log.offset[index],
            size=log.size[index],
        )

    def number_of(self, index: int) -> int:
        """Return the number that the thought ``index`` gave itself."""
        return self._log.number[index]

    def total_of(self, index: int) -> int:
        """Return the estimate that the thought ``index`` gave, at least its number."""
        return self._log.total[index]

    def is_revision(self, index: int) -> bool:
        """Whether the thought ``index`` reconsiders an earlier one."""
        return bool(self._log.flags[index] & REVISION)

    def lane_of(self, index: int) -> int:
        """Return the ordinal of the lane of the thought ``index``."""
        return self._log.lane[index]

    def place_of(self, index: int) -> int:
        """Return where the thought ``index`` stands in its lane, from 0."""
        return self._log.place[index]

    def peak_of(self, index: int) -> int:
        """Return the highest number on the lane of the thought ``index``, up to it."""
        return self._log.peak[index]

    def target_of(self, index: int) -> int:
        """Return the thought that the thought ``index`` revises, or NONE."""
        return self._log.target.get(index)

    def missing_before(self, index: int) -> int:
        """Return how many numbers were skipped when the thought ``index`` came."""
        return self._log.missing.get(index, 0)

    def lanes_of(self, indices: range) -> Sequence[int]:
        """Return the lanes of thoughts that arrived one after another."""
        return self._log.lane[indices.start : indices.stop]

    def targets_of(self, indices: range) -> Sequence[int]:
        """Return what thoughts that arrived one after another revise, each a thought or NONE."""
        return self._log.target.between(indices.start, indices.stop)

    def gaps_in(self, indices: range) -> Set[int]:
        """Return before which of these thoughts numbers were skipped."""
        return self._log.missing.between(indices.start, indices.stop)

    def plain_run(self, start: int, stop: int, lane: int) -> int:
        """Return up to where thoughts from ``start`` are on ``lane``, without gap or arrow, at most ``stop``."""
        lanes, target = self._log.lane, self._log.target
        stop = self._log.missing.first(start, stop)
        for index in range(start, stop):
            if lanes[index] != lane or target.get(index) != NONE:
                return index
        return stop

    def time_of(self, index: int) -> int:
        """Return when the thought ``index`` arrived, in microseconds since 1970 (UTC)."""
        return self._log.time[index]

    def extent_of(self, index: int) -> tuple[int, int]:
        """Return where in the journal the thought's line begins, and how many bytes long it is."""
        return self._log.offset[index], self._log.size[index]

    def entry_of(self, index: int) -> int:
        """Return after how many lines the thought ``index`` arrived."""
        return self._log.entry[index]

    def duration_of(self, index: int) -> int | None:
        """Return the microseconds since its agent's thought before it, never below 0; None for a problem's first."""
        before = self._log.before.get(index, NONE if index in self._chain_starts_at(index) else index - 1)
        return max(0, self._log.time[index] - self._log.time[before]) if before != NONE else None

    def is_final(self, index: int) -> bool:
        """Whether the answer to the thought ``index`` said that no other is needed, and nothing reopened it."""
        if not self._log.flags[index] & FINAL or self.is_undecided(index):
            return False
        return self._log.reopened.get(index, self.entries) >= self.entries

    def is_undecided(self, index: int) -> bool:
        """Whether the person was asked if another may follow the thought ``index``, and its call has no answer yet."""
        turns = self._log.undecided.get(self._log.seq[index], ())
        return bisect_left(turns, self.entries) % 2 == 1

    def reviser_of(self, index: int) -> int:
        """Return the newest thought that revises the thought ``index``, or NONE."""
        revisers = self._log.revisers.get(index)
        count = bisect_left(revisers, self.length)
        return revisers[count - 1] if count else NONE

    def revisers_of(self, index: int) -> Sequence[int]:
        """Return the thoughts that revise the thought ``index``, in order of arrival."""
        revisers = self._log.revisers.get(index)
        return revisers[: bisect_left(revisers, self.length)]

    def index_of_seq(self, seq: int) -> int:
        """Return the thought with the journal position ``seq``, or NONE."""
        index = bisect_left(self._log.seq, seq, 0, self.length)
        return index if index < self.length and self._log.seq[index] == seq else NONE

    def attached(self, index: int) -> Sequence[Attachment]:
        """Return what belongs to the thought ``index`` (audits, exchanges, context items, notes), in order."""
        attached = self._log.attached.get(index, [])
        return Beginning(attached, bisect_left(attached, self.entries, key=lambda one: one.entry))

    def verdict_on(self, index: int) -> Attachment | None:
        """Return the newest audit of the thought ``index`` with a verdict."""
        verdicts, numbers = self._log.verdicts, self._log.verdicts_on.get(index)
        count = bisect_left(numbers, self.entries, key=lambda number: verdicts[number].entry)
        return verdicts[numbers[count - 1]] if count else None

    def is_noted(self, index: int) -> bool:
        """Whether a note was delivered with the thought ``index``."""
        return self._log.first_attached["note"].get(index, self.entries) < self.entries

    def has_context(self, index: int) -> bool:
        """Whether a context item belongs to the thought ``index``."""
        return self._log.first_attached["context"].get(index, self.entries) < self.entries

    def _chain_starts_at(self, index: int) -> Sequence[int]:
        starts = self._log.chain_start
        position = bisect_left(starts, index)
        return starts[position : position + 1]
