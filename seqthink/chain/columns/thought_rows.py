"""Appends thoughts to the columns of a session."""

from seqthink.chain.columns.arrival_columns import MIN_PAUSE
from seqthink.chain.columns.session_columns import FLAG_KEEPS_PACE, SessionColumns
from seqthink.chain.estimates import EstimateStep, keeps_pace
from seqthink.chain.model import NONE, Landmark
from seqthink.core.events import Entry
from seqthink.core.times import MAX_MICROSECONDS, microseconds_of


class ThoughtRows:
    """Appends what every thought has, whether the thinking tool was called or the model reasoned without it."""

    def __init__(self, columns: SessionColumns) -> None:
        self._columns = columns
        self._add_estimate_landmark = columns.landmarks[Landmark.ESTIMATE_CHANGE].append

    def append(self, event: Entry, number: int, estimate: int, lane: int, previous: int, flags: int) -> None:
        """Append a thought; the caller appends where its line is.

        Args:
            event: its event.
            number: its number, 0 for native reasoning.
            estimate: its estimate, 0 for none.
            lane: ordinal of its lane.
            previous: the agent's newest thought on the same problem so far, or NONE.
            flags: bit mask of its ``FLAG_…`` values.
        """
        columns, thoughts = self._columns, self._columns.thoughts
        index, lane_end = len(thoughts.seq), columns.lanes.last_thought[lane]
        estimate = estimate if estimate > number else number
        index_in_lane, duration, highest = 0, 0, number
        if lane_end != NONE:
            index_in_lane, duration = thoughts.index_in_lane[lane_end] + 1, thoughts.lane_duration[lane_end]
            highest = thoughts.highest_number[lane_end]
            if number and not highest:
                duration = 0  # what native reasoning took does not count beside calls of the thinking tool
            highest = highest if highest > number else number
            before = lane_end if not columns.rewound.rewinds else self._add_kept(lane, lane_end, index, number, highest)
            if before != NONE and thoughts.estimate[before] != estimate and thoughts.estimate[before]:
                flags |= self._estimate_change_flags(lane, index, number, estimate, before)
        time = microseconds_of(event.time)
        if previous != NONE and time > thoughts.time[previous] and (number or not highest):
            # The sum of a clock that jumps back and forth could exceed what a column holds.
            duration += time - thoughts.time[previous]
            duration = duration if duration < MAX_MICROSECONDS else MAX_MICROSECONDS
        if previous != (index - 1 if index != columns.chain_start[-1] else NONE):
            thoughts.previous_of_agent.put(index, previous)
        if index:
            passed = time - thoughts.time[index - 1]
            if passed < 0 or passed >= MIN_PAUSE:
                thoughts.arrivals.add(index, columns.entry_count, passed)
        columns.lanes.thoughts.append(lane, index)
        columns.lanes.last_thought[lane] = index
        thoughts.index_in_lane.append(index_in_lane)
        thoughts.lane.append(lane)
        thoughts.seq.append(event.seq)
        thoughts.entry_index.append(columns.entry_count)
        thoughts.time.append(time)
        thoughts.lane_duration.append(duration)
        thoughts.number.append(number)
        thoughts.estimate.append(estimate)
        thoughts.highest_number.append(highest)
        thoughts.flags.append(flags)

    def _add_kept(self, lane: int, lane_end: int, index: int, number: int, highest: int) -> int:
        """Return the thought before a new one on its lane that was not left behind; record where it makes a difference.

        Args:
            lane: the lane.
            lane_end: its newest thought.
            index: the new thought.
            number: its number.
            highest: the highest number on the lane, those left behind included.
        """
        columns = self._columns
        before = columns.newest_kept(lane)
        if before != lane_end:
            columns.rewound.kept_before.put(index, before)
        kept = columns.highest_kept(before) if before != NONE else 0
        if max(kept, number) != highest:
            columns.rewound.kept_highest.put(index, max(kept, number))
        return before

    def _estimate_change_flags(self, lane: int, index: int, number: int, estimate: int, before: int) -> int:
        """Return the flags of a changed estimate; record where it changed by more than the numbers did.

        Args:
            lane: the lane.
            index: the new thought.
            number: its number.
            estimate: its estimate.
            before: the thought before it on the lane that was not left behind.
        """
        columns = self._columns
        earlier = columns.call_before(before)
        if keeps_pace(number, estimate, self._step(before), self._step(earlier) if earlier != NONE else None):
            return FLAG_KEEPS_PACE
        self._add_estimate_landmark(columns.entry_count)
        changes = columns.lanes.first_estimate_change
        if changes.get(lane) == NONE:
            changes.put(lane, index)
        return 0

    def _step(self, index: int) -> EstimateStep:
        return EstimateStep(self._columns.highest_kept(index), self._columns.thoughts.estimate[index])
