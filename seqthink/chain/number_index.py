"""Finds the thought that a number means (docs/journal.md, "Which thought a number means").

Agents restart, reuse and invent numbers, so a number alone does not identify a thought.
"""

from array import array
from bisect import bisect_left, bisect_right

from seqthink.chain.compact_lists import NONE, fill_with_none
from seqthink.chain.session_columns import SessionColumns

MAX_ANCESTOR_LANES = 64
"""How many lanes above a lane are searched."""
_NUMBER_BITS = 54
"""Bits that hold any number; the lane is in the bits above them."""
_MAX_NUMBERS_PER_THOUGHT = 4
"""Numbers up to this many times the count of thoughts are kept in a column, higher ones in a dictionary."""


class NumberIndex:
    """Index from number to thoughts, by lane, for one agent's current problem.

    Along a lane numbers mostly rise. A thought whose number is above all before it on its lane is found by bisection
    and needs no entry here; the others have one.
    """

    def __init__(self, columns: SessionColumns, root_lane: int) -> None:
        self._lanes = columns.lanes
        self._forks = columns.agents.forks
        self._numbers, self._highest_numbers = columns.thoughts.number, columns.thoughts.highest_number
        self.root_lane = root_lane
        """Lane of the agent's unbranched thoughts; NONE while there is none."""
        self._first_thought = len(columns.thoughts.seq)
        self._occurrences: dict[int, int | list[int]] = {}
        """By lane and number in one key: the thoughts with it, unless there is just one that bisection finds."""
        self._newest_in_branches = array("i")
        """By number: the newest thought on any branch that has it, or NONE."""
        self._newest_of_high_numbers: dict[int, int] = {}
        """The same for numbers beyond the column."""

    def add_occurrence(self, lane: int, number: int, index: int) -> int:
        """Add a thought whose number is not above all before it on its lane.

        Returns the number of thoughts on the lane that have this number, the new one included.
        """
        key = lane << _NUMBER_BITS | number
        earlier = self._occurrences.get(key)
        if earlier is None:
            first = self._bisect(lane, number)
            self._occurrences[key] = index if first == NONE else [first, index]
            return 1 if first == NONE else 2
        if isinstance(earlier, int):
            self._occurrences[key] = [earlier, index]
            return 2
        earlier.append(index)
        return len(earlier)

    def add_branch_thought(self, number: int, index: int) -> None:
        """Add the thought ``index``, which is on a branch and has ``number``."""
        column = self._newest_in_branches
        if number < len(column):
            column[number] = index
        elif number <= _MAX_NUMBERS_PER_THOUGHT * (index - self._first_thought + 1):
            if number > len(column):
                fill_with_none(column, number)
            column.append(index)
        else:
            self._newest_of_high_numbers[number] = index

    def _newest_on_any_branch(self, number: int) -> int:
        column = self._newest_in_branches
        # Once the column covers a number, newer thoughts with it go into the column, so look there first.
        found = column[number] if number < len(column) else NONE
        return found if found != NONE else self._newest_of_high_numbers.get(number, NONE)

    def _bisect(self, lane: int, number: int) -> int:
        """Return the thought of ``lane`` with ``number`` whose number was above all before it, or NONE."""
        thoughts, numbers = self._lanes.thoughts.get(lane), self._numbers
        position = number - numbers[thoughts[0]] if thoughts else NONE
        if position < 0:
            return NONE
        if position >= len(thoughts) or numbers[thoughts[position]] != number:
            # The lane does not count up by one: search for the number.
            position = bisect_left(thoughts, number, key=self._highest_numbers.__getitem__)
        found = thoughts[position] if position < len(thoughts) else NONE
        return found if found != NONE and numbers[found] == number else NONE

    def newest(self, lane: int, number: int, until: int | None = None) -> int:
        """Return the newest thought of ``lane`` with ``number`` and an index up to ``until``, or NONE."""
        last = self._lanes.last_thought[lane]
        if last == NONE or number > self._highest_numbers[last]:
            return NONE
        if until is None or until >= last:
            return last if self._numbers[last] == number else self._newest_until(lane, number, last)
        return self._newest_until(lane, number, until)

    def _newest_until(self, lane: int, number: int, until: int) -> int:
        found = self._occurrences.get(lane << _NUMBER_BITS | number)
        if found is None:
            found = self._bisect(lane, number)
        if isinstance(found, int):
            return found if found <= until else NONE
        before = bisect_right(found, until)
        return found[before - 1] if before else NONE

    def resolve_fork(self, number: int, current: int) -> int:
        """Return the thought that ``branchFromThought: number`` means in a thought on the lane ``current``, or NONE."""
        found = self._newest_on_root_lane(number)
        lane, steps = current, 0
        while found == NONE and lane != NONE and steps <= MAX_ANCESTOR_LANES:
            found, steps = self.newest(lane, number), steps + 1
            lane = lane if found != NONE else self._own_origin_lane(lane)
        return found if found != NONE else self._newest_on_any_branch(number)

    def resolve_target(self, number: int, lane: int) -> int:
        """Return the thought that ``revisesThought: number`` means in a thought on ``lane``, or NONE."""
        lanes, found = self._lanes, self.newest(lane, number)
        child, steps = lane, 0
        while found == NONE and (parent := self._own_origin_lane(child)) != NONE and steps < MAX_ANCESTOR_LANES:
            found = self.newest(parent, number, until=lanes.origin(child))
            child, steps = parent, steps + 1
        if found == NONE:
            found = self._newest_on_root_lane(number)
        return found if found != NONE else self._newest_on_any_branch(number)

    def _newest_on_root_lane(self, number: int) -> int:
        lane, found = self.root_lane, NONE
        for _ in range(MAX_ANCESTOR_LANES):
            found = self.newest(lane, number) if lane != NONE else NONE
            lane = self._own_origin_lane(lane) if found == NONE and lane != NONE else NONE
            if lane == NONE:
                break
        return found

    def _own_origin_lane(self, lane: int) -> int:
        """Return the lane that ``lane`` leaves if it is the same agent's, else NONE: an agent means its own numbers.

        A fork has its parent's numbers, too.
        """
        above, agent = self._lanes.origin_lane(lane), self._lanes.agent
        is_own = above != NONE and (agent[above] == agent[lane] or agent[lane] in self._forks)
        return above if is_own else NONE
