"""Where a replay of a session may stand: after each line that shows, and at its landmarks.

A position is how many lines of the journal have been taken in; ``Session.at`` gives what was to be seen there. The last
position is the end, with whatever came after the last line that shows. Asking costs the same wherever one stands.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from seqthink.chain.thoughts import Thoughts


class Positions(Thoughts):
    """The positions of a session."""

    @property
    def first_position(self) -> int:
        """The first position with something to see; the end, when nothing ever comes."""
        return self.next_position(0)

    def next_position(self, position: int) -> int:
        """Return the next position at which more is to be seen, or the end."""
        return self._first_after((self._columns.entry, self._columns.non_thought_entry), position)

    def previous_position(self, position: int) -> int:
        """Return the position before, at the earliest the first one."""
        seen = self._last_visible(position)
        return max(self.first_position, self._last_visible(seen - 1))

    def next_landmark(self, position: int) -> int:
        """Return the position of the next landmark, or the end."""
        return self._first_after(self._columns.landmarks.values(), position)

    def previous_landmark(self, position: int) -> int:
        """Return the position of the landmark before, or the first position."""
        seen = min(position, self._last_visible(self.entry_count))
        before = max(_last_before(entries, seen - 1) for entries in self._columns.landmarks.values())
        return max(self.first_position, before)

    def position_of(self, index: int) -> int:
        """Return the position at which the thought ``index`` had just come; the newest one's is the end."""
        return self._columns.entry[index] + 1 if index + 1 < self.thought_count else self.entry_count

    def time_at(self, position: int) -> int:
        """Return when the newest of what is to be seen at a position came, in microseconds since 1970; 0 for never."""
        log = self._columns
        thoughts, beside = bisect_left(log.entry, position), bisect_left(log.non_thought_entry, position)
        if beside and (not thoughts or log.non_thought_entry[beside - 1] > log.entry[thoughts - 1]):
            return log.non_thought_time[beside - 1]
        return log.time[thoughts - 1] if thoughts else 0

    def _last_visible(self, position: int) -> int:
        """Return the position after the newest line that is to be seen at another one; 0 for none."""
        return max(
            _last_before(entries, position) for entries in (self._columns.entry, self._columns.non_thought_entry)
        )

    def _first_after(self, lines: Iterable["array[int]"], position: int) -> int:
        following = [
            entries[place] + 1 for entries in lines if (place := bisect_left(entries, position)) < len(entries)
        ]
        return self._snap_to_end(min(following, default=self.entry_count))

    def _snap_to_end(self, position: int) -> int:
        return self.entry_count if position >= self._last_visible(self.entry_count) else position


def _last_before(entries: "array[int]", position: int) -> int:
    """Return the position after the last of ``entries`` before ``position``; 0 when there is none."""
    place = bisect_left(entries, position)
    return entries[place - 1] + 1 if place else 0
