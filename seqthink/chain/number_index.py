"""Finds the thought that a number means (docs/journal.md, "Which thought a number means").

Agents restart, reuse and invent numbers, so a number alone does not identify a thought. What was left
behind by a rewind is meant by no number: the model does not know of it any more.
"""

from bisect import bisect_left, bisect_right

from seqthink.chain.columns.compact_lists import NONE
from seqthink.chain.columns.session_columns import SessionColumns

MAX_ANCESTOR_LANES = 64
"""How many lanes above a lane are searched."""
MAX_LEFT_BEHIND = 64
"""How many thoughts that were left behind are passed over in search of one that was not."""
_NUMBER_BITS = 54
"""Bits that hold any number; the lane is in the bits above them."""


class NumberIndex:
    """Index from number to thoughts, by lane, for one agent's current problem.

    Along a lane numbers mostly rise. A thought whose number is above all before it on its lane is found by bisection
    and needs no entry here; the others have one.
    """

    def __init__(self, columns: SessionColumns, root_lane: int) -> None:
        self._columns = columns
        self._lanes = columns.lanes
        self._forks = columns.agents.forks
        self._numbers, self._highest_numbers = columns.thoughts.number, columns.thoughts.highest_number
        self.root_lane = root_lane
        """Lane of the agent's unbranched thoughts; NONE while there is none."""
        self._occurrences = columns.lanes.number_occurrences
        """By lane and number in one key, for all agents: the thoughts with it, unless bisection finds the only one."""
        self._newest_in_branches: dict[int, int] = {}
        """By number: the newest thought on any branch that has it."""
        self._older_in_branches: dict[int, int] = {}
        """By thought on a branch: the one before it with the same number."""

    def add_occurrence(self, lane: int, number: int, index: int) -> int:
        """Add a thought whose number is not above all before it on its lane.

        Returns the number of thoughts on the lane that have this number and were not left behind, the new one included.
        """
        key = lane << _NUMBER_BITS | number
        found = self._occurrences.get(key)
        if found is None:
            first = self._bisect(lane, number)
            found = self._occurrences[key] = index if first == NONE else [first, index]
        elif isinstance(found, int):
            found = self._occurrences[key] = [found, index]
        else:
            found.append(index)
        return 1 if isinstance(found, int) else self._kept_count(found)

    def _kept_count(self, occurrences: list[int]) -> int:
        if not self._columns.rewound.rewinds:
            return len(occurrences)
        # No rewind takes an earlier one without the later ones: what one counted is still so.
        before = self._newest_kept_of(occurrences, len(occurrences) - 1)
        return self._columns.thoughts.occurrence.get(before, 1) + 1 if before != NONE else 1

    def _newest_kept_of(self, occurrences: list[int], stop: int) -> int:
        """Return the newest of the first ``stop`` occurrences that was not left behind, or NONE."""
        newest = reversed(occurrences[max(0, stop - MAX_LEFT_BEHIND) : stop])
        return next((index for index in newest if not self._is_left_behind(index)), NONE)

    def _is_left_behind(self, index: int) -> bool:
        return self._columns.rewound.left_behind.get(index) != NONE

    def add_branch_thought(self, number: int, index: int) -> None:
        """Add the thought ``index``, which is on a branch and has ``number``."""
        older = self._newest_in_branches.get(number)
        if older is not None:
            self._older_in_branches[index] = older
        self._newest_in_branches[number] = index

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

    def newest_kept(self, lane: int, number: int, until: int | None = None) -> int:
        """Return the newest thought as `newest` does, of those that were not left behind, or NONE."""
        found = self.newest(lane, number, until)
        if found == NONE or not self._columns.rewound.rewinds or not self._is_left_behind(found):
            return found
        occurrences = self._occurrences.get(lane << _NUMBER_BITS | number)
        if not isinstance(occurrences, list):
            return NONE
        return self._newest_kept_of(occurrences, bisect_right(occurrences, found))

    def resolve_fork(self, number: int, current: int) -> int:
        """Return the thought that ``branchFromThought: number`` means in a thought on the lane ``current``, or NONE."""
        found = self._newest_above(self.root_lane, number)
        found = found if found != NONE else self._newest_above(current, number)
        return found if found != NONE else self._newest_on_any_branch(number)

    def resolve_target(self, number: int, lane: int) -> int:
        """Return the thought that ``revisesThought: number`` means in a thought on ``lane``, or NONE."""
        found, child, steps = self.newest_kept(lane, number), lane, 0
        while found == NONE and (parent := self._own_origin_lane(child)) != NONE and steps < MAX_ANCESTOR_LANES:
            found = self.newest_kept(parent, number, self._lanes.origin(child))
            child, steps = parent, steps + 1
        found = found if found != NONE else self._newest_above(self.root_lane, number)
        return found if found != NONE else self._newest_on_any_branch(number)

    def _newest_above(self, lane: int, number: int) -> int:
        """Return the newest thought with ``number`` on ``lane``, else on the lanes that it leaves, one after another.

        Of its parent's thoughts a fork has those up to where it left.
        """
        until: int | None = None
        for _ in range(MAX_ANCESTOR_LANES + 1):
            found = self.newest_kept(lane, number, until) if lane != NONE else NONE
            above = self._own_origin_lane(lane) if found == NONE and lane != NONE else NONE
            if above == NONE:
                return found
            if until is None and self._lanes.agent[above] != self._lanes.agent[lane]:
                until = self._lanes.origin(lane)
            lane = above
        return NONE

    def _newest_on_any_branch(self, number: int) -> int:
        found, steps = self._newest_in_branches.get(number, NONE), 0
        while found != NONE and self._is_left_behind(found) and steps < MAX_LEFT_BEHIND:
            found, steps = self._older_in_branches.get(found, NONE), steps + 1
        return found if found != NONE and not self._is_left_behind(found) else NONE

    def _own_origin_lane(self, lane: int) -> int:
        """Return the lane that ``lane`` leaves if it is the same agent's, else NONE: an agent means its own numbers.

        A fork has its parent's numbers, too.
        """
        above, agent = self._lanes.origin_lane(lane), self._lanes.agent
        is_own = above != NONE and (agent[above] == agent[lane] or agent[lane] in self._forks)
        return above if is_own else NONE
