"""The positions that a replay of a session can stop at: after each visible line, and at its landmarks.

A position is a number of journal lines; ``Session.at`` returns the session after that many lines. A visible line is a
thought, a refused call or an attachment. The last position is the end of the journal, invisible lines included. Every
query is a binary search, so it costs the same anywhere in the session.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.model import NONE, Attachment, Landmark


class Positions:
    """The positions of a session, from the first visible line to the end."""

    __slots__ = ("_columns", "_thought_count", "end")

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int) -> None:
        self._columns = columns
        self._thought_count = thought_count
        self.end = entry_count
        """The last position."""

    def follow(self, earlier: "Positions") -> bool:
        """Return whether both are of one fold, these no shorter: the same numbers name the same thoughts in both."""
        of_earlier = earlier._columns  # noqa: SLF001 - of the same class
        return self._columns is of_earlier and self.end >= earlier.end

    @property
    def first(self) -> int:
        """The first position at which something is visible; the end if nothing ever is."""
        return self.next_visible(0)

    def next_visible(self, position: int) -> int:
        """Return the next position at which more is visible, or the end."""
        return self._first_after((self._columns.thoughts.entry_index, self._columns.non_thought_entries), position)

    def previous_visible(self, position: int) -> int:
        """Return the position before ``position``, but at least the first one."""
        seen = self._last_visible(position)
        return max(self.first, self._last_visible(seen - 1))

    def next_landmark(self, position: int) -> int:
        """Return the position of the next landmark, or the end."""
        return self._first_after(self._columns.landmarks.values(), position)

    def previous_landmark(self, position: int) -> int:
        """Return the position of the landmark before ``position``, or the first position."""
        seen = min(position, self._last_visible(self.end))
        before = max(_last_before(entries, seen - 1) for entries in self._columns.landmarks.values())
        return max(self.first, before)

    def has_landmark_between(self, position: int, later: int) -> bool:
        """Return whether a landmark came after ``position``, until ``later``."""
        first, stop = min(position, self.end), min(later, self.end)
        return any(bisect_left(kind, first) < bisect_left(kind, stop) for kind in self._columns.landmarks.values())

    def after_thought(self, index: int) -> int:
        """Return the position right after the thought ``index`` arrived; for the newest thought, the end."""
        return self._columns.thoughts.entry_index[index] + 1 if index + 1 < self._thought_count else self.end

    def time_at(self, position: int) -> int:
        """Return the time of the newest line visible at a position, in microseconds since 1970 (UTC); 0 for none."""
        columns, thoughts = self._columns, self._columns.thoughts
        thought_count = bisect_left(thoughts.entry_index, position)
        other_count = bisect_left(columns.non_thought_entries, position)
        newest_entry = thoughts.entry_index[thought_count - 1] if thought_count else NONE
        if other_count and columns.non_thought_entries[other_count - 1] > newest_entry:
            return columns.non_thought_times[other_count - 1]
        return thoughts.time[thought_count - 1] if thought_count else 0

    def _last_visible(self, position: int) -> int:
        """Return the position right after the newest line visible at ``position``; 0 for none."""
        return max(
            _last_before(entries, position)
            for entries in (self._columns.thoughts.entry_index, self._columns.non_thought_entries)
        )

    def _first_after(self, lines: Iterable["array[int]"], position: int) -> int:
        following = [
            entries[count] + 1 for entries in lines if (count := bisect_left(entries, position)) < len(entries)
        ]
        return self._snap_to_end(min(following, default=self.end))

    def _snap_to_end(self, position: int) -> int:
        """Return the end for a position at which everything visible has arrived, else ``position``."""
        return self.end if position >= self._last_visible(self.end) else position


class Landmarks:
    """The landmarks in the first ``entry_count`` lines of a journal, each with an ordinal among those of its kind."""

    __slots__ = ("_columns", "_entry_count", "_thought_count")

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int) -> None:
        self._columns = columns
        self._entry_count = entry_count
        self._thought_count = thought_count

    def between(self, kind: Landmark, first: int, stop: int) -> range:
        """Return the ordinals of the landmarks of a kind that came from thought ``first`` to before ``stop``."""
        entries, landmarks = self._columns.thoughts.entry_index, self._columns.landmarks[kind]
        end = entries[stop] if stop < self._thought_count else self._entry_count
        return range(bisect_left(landmarks, entries[first]), bisect_left(landmarks, min(end, self._entry_count)))

    def thought_at(self, kind: Landmark, ordinal: int) -> int:
        """Return the newest thought at the landmark ``ordinal`` of a kind."""
        entries, landmark = self._columns.thoughts.entry_index, self._columns.landmarks[kind][ordinal]
        return bisect_right(entries, landmark, 0, self._thought_count) - 1

    def verdict(self, ordinal: int) -> Attachment:
        """Return the audit with the verdict ``ordinal``, counted from 0."""
        return self._columns.verdicts[ordinal]


def _last_before(entries: "array[int]", position: int) -> int:
    """Return the position right after the last of ``entries`` before ``position``; 0 for none."""
    count = bisect_left(entries, position)
    return entries[count - 1] + 1 if count else 0
