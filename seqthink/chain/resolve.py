"""Which thought a number means: agents restart, reuse and invent numbers (journal.md, "Which thought…")."""

from bisect import bisect_right
from collections.abc import Sequence

from seqthink.chain.model import NONE, Lane

MOST_ANCESTORS = 64
_NUMBER_BITS = 54


class Numbers:
    """The numbers that the thoughts of one chain have taken so far, by lane.

    ``numbers`` are those of all thoughts. A lane's n-th thought mostly has the number n: such a one needs no note,
    since it is found where it stands; the others are noted.
    """

    def __init__(self, lanes: list[Lane], trunk: int, numbers: Sequence[int]) -> None:
        self._lanes = lanes
        self._trunk = trunk
        self._numbers = numbers
        self._in_lane: dict[int, int | list[int]] = {}
        self._in_branches: dict[int, int] = {}

    def take(self, lane: int, number: int, index: int) -> int:
        """Note that the thought ``index`` of ``lane`` has ``number``; return how many times that lane took it."""
        if lane != self._trunk:
            self._in_branches[number] = index
        key = lane << _NUMBER_BITS | number
        earlier = self._in_lane.get(key)
        if earlier is None:
            if number == len(self._lanes[lane].thoughts) + 1:
                return 1
            regular = self._regular(lane, number)
            self._in_lane[key] = index if regular == NONE else [regular, index]
            return 1 if regular == NONE else 2
        if isinstance(earlier, int):
            self._in_lane[key] = [earlier, index]
            return 2
        earlier.append(index)
        return len(earlier)

    def _regular(self, lane: int, number: int) -> int:
        """Return the thought of ``lane`` that stands where its ``number`` says, or NONE."""
        thoughts = self._lanes[lane].thoughts
        if number > len(thoughts) or self._numbers[thoughts[number - 1]] != number:
            return NONE
        return thoughts[number - 1]

    def newest(self, lane: int, number: int, until: int | None = None) -> int:
        """Return the newest thought of ``lane`` with ``number``, no newer than ``until``; else NONE."""
        found = self._in_lane.get(lane << _NUMBER_BITS | number)
        if found is None:
            found = self._regular(lane, number) if lane != NONE else NONE
        if isinstance(found, int):
            return found if until is None or found <= until else NONE
        if until is None:
            return found[-1]
        before = bisect_right(found, until)
        return found[before - 1] if before else NONE

    def fork(self, number: int, current: int) -> int:
        """Return the thought that ``branchFromThought: number`` means, said in ``current``; else NONE."""
        found = self.newest(self._trunk, number)
        lane, steps = current, 0
        while found == NONE and lane != NONE and steps <= MOST_ANCESTORS:
            found = self.newest(lane, number)
            lane, steps = self._lanes[lane].parent, steps + 1
        return found if found != NONE else self._in_branches.get(number, NONE)

    def target(self, number: int, lane: int) -> int:
        """Return the thought that ``revisesThought: number`` means, said in ``lane``; else NONE."""
        found = self.newest(lane, number)
        child, steps = self._lanes[lane], 0
        while found == NONE and child.parent != NONE and steps < MOST_ANCESTORS:
            found = self.newest(child.parent, number, until=child.fork)
            child, steps = self._lanes[child.parent], steps + 1
        if found == NONE:
            found = self.newest(self._trunk, number)
        return found if found != NONE else self._in_branches.get(number, NONE)
