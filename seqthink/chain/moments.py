"""Where a replay of a session may stand: after each line that shows, and at its landmarks.

A position is how many lines of the journal have been taken in; ``Session.at`` gives what was to be seen there. The last
position is the end, with whatever came after the last line that shows. Asking costs the same wherever one stands.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable

from seqthink.chain.thoughts import Thoughts


class Moments(Thoughts):
    """The positions of a session."""

    @property
    def first_stop(self) -> int:
        """The first position with something to see; the end, when nothing ever comes."""
        return self.stop_after(0)

    def stop_after(self, position: int) -> int:
        """Return the next position at which more is to be seen, or the end."""
        return self._next((self._log.entry, self._log.beside), position)

    def stop_before(self, position: int) -> int:
        """Return the position before, at the earliest the first one."""
        seen = self._stop_at(position)
        return max(self.first_stop, self._stop_at(seen - 1))

    def mark_after(self, position: int) -> int:
        """Return the position of the next landmark, or the end."""
        return self._next(self._log.landmarks.values(), position)

    def mark_before(self, position: int) -> int:
        """Return the position of the landmark before, or the first position."""
        seen = min(position, self._stop_at(self.entries))
        before = max(_before(entries, seen - 1) for entries in self._log.landmarks.values())
        return max(self.first_stop, before)

    def position_of(self, index: int) -> int:
        """Return the position at which the thought ``index`` had just come; the newest one's is the end."""
        return self._log.entry[index] + 1 if index + 1 < self.length else self.entries

    def moment_at(self, position: int) -> int:
        """Return when the newest of what is to be seen at a position came, in microseconds since 1970; 0 for never."""
        log = self._log
        thoughts, beside = bisect_left(log.entry, position), bisect_left(log.beside, position)
        if beside and (not thoughts or log.beside[beside - 1] > log.entry[thoughts - 1]):
            return log.beside_time[beside - 1]
        return log.time[thoughts - 1] if thoughts else 0

    def _stop_at(self, position: int) -> int:
        """Return the position after the newest line that is to be seen at another one; 0 for none."""
        return max(_before(entries, position) for entries in (self._log.entry, self._log.beside))

    def _next(self, lines: Iterable["array[int]"], position: int) -> int:
        following = [
            entries[place] + 1 for entries in lines if (place := bisect_left(entries, position)) < len(entries)
        ]
        return self._snapped(min(following, default=self.entries))

    def _snapped(self, position: int) -> int:
        return self.entries if position >= self._stop_at(self.entries) else position


def _before(entries: "array[int]", position: int) -> int:
    """Return the position after the last of ``entries`` before ``position``; 0 when there is none."""
    place = bisect_left(entries, position)
    return entries[place - 1] + 1 if place else 0
