"""Which thought a number means: agents restart, reuse and invent numbers (journal.md, "Which thought…")."""

from array import array
from bisect import bisect_left, bisect_right

from seqthink.chain.lists import NONE, extend
from seqthink.chain.log import Log

MOST_ANCESTORS = 64
_NUMBER_BITS = 54
_SPARSEST = 4
"""Numbers up to so many times the count of thoughts have a place in a column, the others in a dictionary."""


class Numbers:
    """The numbers that the thoughts of one agent have taken so far in its chain, by lane.

    Along a lane numbers mostly rise: a thought whose number is above all before it is found by bisection, and needs no
    note. The others are noted.
    """

    def __init__(self, log: Log, trunk: int) -> None:
        self._lanes, self._numbers, self._peaks = log.lanes, log.number, log.peak
        self.trunk = trunk
        """The lane of the agent's thoughts that are on no branch; NONE while there is none."""
        self._first = len(log.seq)
        self._noted: dict[int, int | list[int]] = {}
        self._in_branches = array("i")
        self._high_in_branches: dict[int, int] = {}

    def take_again(self, lane: int, number: int, index: int) -> int:
        """Note that the thought ``index`` has a ``number`` that its ``lane`` had reached; return how many took it."""
        key = lane << _NUMBER_BITS | number
        earlier = self._noted.get(key)
        if earlier is None:
            risen = self._risen(lane, number)
            self._noted[key] = index if risen == NONE else [risen, index]
            return 1 if risen == NONE else 2
        if isinstance(earlier, int):
            self._noted[key] = [earlier, index]
            return 2
        earlier.append(index)
        return len(earlier)

    def note_branch(self, number: int, index: int) -> None:
        """Note that the thought ``index``, which is on a branch, has ``number``."""
        column = self._in_branches
        if number < len(column):
            column[number] = index
        elif number <= _SPARSEST * (index - self._first + 1):
            if number > len(column):
                extend(column, number)
            column.append(index)
        else:
            self._high_in_branches[number] = index

    def _on_any_branch(self, number: int) -> int:
        column = self._in_branches
        # what stands in the column is newer: a number that has a place there keeps it
        found = column[number] if number < len(column) else NONE
        return found if found != NONE else self._high_in_branches.get(number, NONE)

    def _risen(self, lane: int, number: int) -> int:
        """Return the thought of ``lane`` that has ``number`` and was above all before it, or NONE."""
        thoughts, numbers = self._lanes.thoughts.get(lane), self._numbers
        place = number - numbers[thoughts[0]] if thoughts else NONE
        if place < 0:
            return NONE
        if place >= len(thoughts) or numbers[thoughts[place]] != number:
            # not one number after the other
            place = bisect_left(thoughts, number, key=self._peaks.__getitem__)
        found = thoughts[place] if place < len(thoughts) else NONE
        return found if found != NONE and numbers[found] == number else NONE

    def newest(self, lane: int, number: int, until: int | None = None) -> int:
        """Return the newest thought of ``lane`` with ``number``, no newer than ``until``; else NONE."""
        last = self._lanes.last[lane]
        if last == NONE or number > self._peaks[last]:
            return NONE
        if until is None or until >= last:
            return last if self._numbers[last] == number else self._newest(lane, number, last)
        return self._newest(lane, number, until)

    def _newest(self, lane: int, number: int, until: int) -> int:
        found = self._noted.get(lane << _NUMBER_BITS | number)
        if found is None:
            found = self._risen(lane, number)
        if isinstance(found, int):
            return found if found <= until else NONE
        before = bisect_right(found, until)
        return found[before - 1] if before else NONE

    def fork(self, number: int, current: int) -> int:
        """Return the thought that ``branchFromThought: number`` means, said in ``current``; else NONE."""
        found = self._on_trunk(number)
        lane, steps = current, 0
        while found == NONE and lane != NONE and steps <= MOST_ANCESTORS:
            found, steps = self.newest(lane, number), steps + 1
            lane = lane if found != NONE else self._above(lane)
        return found if found != NONE else self._on_any_branch(number)

    def target(self, number: int, lane: int) -> int:
        """Return the thought that ``revisesThought: number`` means, said in ``lane``; else NONE."""
        lanes, found = self._lanes, self.newest(lane, number)
        child, steps = lane, 0
        while found == NONE and (parent := self._above(child)) != NONE and steps < MOST_ANCESTORS:
            found = self.newest(parent, number, until=lanes.origin(child))
            child, steps = parent, steps + 1
        if found == NONE:
            found = self._on_trunk(number)
        return found if found != NONE else self._on_any_branch(number)

    def _on_trunk(self, number: int) -> int:
        lane, found = self.trunk, NONE
        for _ in range(MOST_ANCESTORS):
            found = self.newest(lane, number) if lane != NONE else NONE
            lane = self._above(lane) if found == NONE and lane != NONE else NONE
            if lane == NONE:
                break
        return found

    def _above(self, lane: int) -> int:
        """Return the lane that ``lane`` leaves, NONE where that is another agent's: numbers mean one's own thoughts."""
        above, agent = self._lanes.lane_above(lane), self._lanes.agent
        return above if above != NONE and agent[above] == agent[lane] else NONE
