"""Queries about the chains and lanes of a session."""

from bisect import bisect_left
from collections.abc import Sequence

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.columns.compact_lists import oldest_other
from seqthink.chain.columns.session_columns import HeadRow, SessionColumns
from seqthink.chain.model import NONE, Landmark, Lane
from seqthink.chain.native.native_reasoning import NativeReasoning
from seqthink.chain.thoughts import Thoughts


class Lanes:
    """The lanes in the first ``entry_count`` lines of a journal."""

    __slots__ = ("_columns", "_entry_count", "_native", "_thought_count")

    def __init__(self, columns: SessionColumns, entry_count: int, thought_count: int, native: NativeReasoning) -> None:
        self._columns = columns
        self._entry_count = entry_count
        self._thought_count = thought_count
        self._native = native

    def get(self, ordinal: int) -> Lane:
        """Return the lane with this ordinal. It may hold later thoughts, too: ``length_of`` says how many count."""
        return Lane(self._columns.lanes, ordinal)

    def agent_of(self, ordinal: int) -> int:
        """Return the ordinal of the agent whose thoughts the lane holds, 0 for the main agent."""
        return self._columns.lanes.agent[ordinal]

    def fork_of(self, ordinal: int) -> int:
        """Return the thought that the lane leaves from, or NONE."""
        return self._columns.lanes.fork[ordinal]

    def length_of(self, ordinal: int) -> int:
        """Return the number of thoughts in the lane."""
        return bisect_left(self._columns.lanes.thoughts.get(ordinal), self._thought_count)

    def newest_in(self, ordinal: int) -> int:
        """Return the newest thought of the lane, or NONE."""
        newest = self._columns.lanes.last_thought[ordinal]
        if newest < self._thought_count:
            return newest
        length = self.length_of(ordinal)
        return self._columns.lanes.thoughts.get(ordinal)[length - 1] if length else NONE

    def leading_in(self, ordinal: int) -> int:
        """Return the newest thought of the lane that says how far it is, or NONE if it is empty.

        That is the newest call of the thinking tool, or if it has none the newest native reasoning; of those that were
        not left behind if there are any.
        """
        newest = found = self.newest_in(ordinal)
        thoughts = self._columns.lanes.thoughts.get(ordinal)
        while found != NONE and (left := self._native.left_behind_since(found)) != NONE:
            before = bisect_left(thoughts, left)
            found = thoughts[before - 1] if before else NONE
        found = newest if found == NONE else found
        call = self._columns.native.lane_call.get(found, found) if found != NONE else NONE
        return found if call == NONE else call

    def branches_from(self, index: int) -> Sequence[int]:
        """Return the lanes that leave from the thought ``index``, in the order in which they opened."""
        return self._opened_by_now(self._columns.thoughts.branches_from.get(index))

    def branches_without_fork(self, chain: int) -> Sequence[int]:
        """Return the chain's branches without a fork, in the order in which they opened."""
        return self._opened_by_now(self._columns.branches_without_fork.get(chain))

    def newest_branch_from(self, index: int) -> int:
        """Return the last lane to leave from the thought ``index``, or NONE."""
        lanes = self._columns.thoughts.branches_from.get(index)
        count = bisect_left(lanes, self._entry_count, key=self._columns.lanes.entry_index.__getitem__)
        return lanes[count - 1] if count else NONE

    def duration_of(self, ordinal: int) -> int:
        """Return how long the lane's thoughts took together, in microseconds."""
        end = self.newest_in(ordinal)
        return self._columns.thoughts.lane_duration[end] if end != NONE else 0

    def has_estimate_changed(self, ordinal: int) -> bool:
        """Whether a thought of the lane has changed its estimate, and not only to follow the numbers."""
        return NONE < self._columns.lanes.first_estimate_change.get(ordinal) < self._thought_count

    def _opened_by_now(self, lanes: Sequence[int]) -> Sequence[int]:
        return lanes[: bisect_left(lanes, self._entry_count, key=self._columns.lanes.entry_index.__getitem__)]


class Chains:
    """The chains in the first ``entry_count`` lines of a journal."""

    __slots__ = ("_columns", "_entry_count", "_native", "_thought_count", "_thoughts")

    def __init__(
        self,
        columns: SessionColumns,
        entry_count: int,
        thought_count: int,
        thoughts: Thoughts,
        native: NativeReasoning,
    ) -> None:
        self._columns = columns
        self._entry_count = entry_count
        self._thought_count = thought_count
        self._thoughts = thoughts
        self._native = native

    def thoughts_of(self, chain: int) -> range:
        """Return the thoughts of a chain; no other chain's thought arrived between them."""
        starts = self._columns.chain_start
        stop = starts[chain + 1] if chain + 1 < len(starts) else self._thought_count
        return range(starts[chain], min(stop, self._thought_count))

    def first_of_main(self, chain: int) -> int:
        """Return the main agent's first thought in a chain, or NONE: only the first chain may have none."""
        thoughts = self.thoughts_of(chain)
        first = thoughts.start if chain else oldest_other(self._columns.agents.subagent_thoughts)
        return first if first in thoughts else NONE

    def heads_of(self, chain: int) -> Sequence[HeadRow]:
        """Return the rows that are drawn at the head of a chain and came before it began, in order of arrival."""
        heads = self._columns.aside_details.heads.get(chain, ())
        return heads if heads and self._has_begun(chain) else ()

    def native_heads_of(self, chain: int) -> Sequence[int]:
        """Return those of them that are native reasoning."""
        return [row.ordinal for row in self.heads_of(chain) if row.is_native]

    def moving_from(self, chain: int) -> Sequence[int]:
        """Return the rows of a chain that are at the head of the next one by now, whatever this moment."""
        return [row.ordinal for row in self._columns.aside_details.heads.get(chain + 1, ()) if row.is_native]

    def drawn_in(self, index: int) -> int:
        """Return the chain among whose rows a thought is drawn: its own, or the one that it heads."""
        headed = self._columns.aside_details.natively_headed_chain.get(index, NONE)
        return headed if headed != NONE and self._has_begun(headed) else self._thoughts.chain_of(index)

    def drawn_on(self, index: int) -> int:
        """Return the lane on which a thought is drawn: its own, or the trunk of the chain that it heads."""
        headed = self._columns.aside_details.natively_headed_chain.get(index, NONE)
        lane = self._columns.thoughts.lane[index]
        return self._columns.lanes.trunks[headed] if headed != NONE and self._has_begun(headed) else lane

    def _has_begun(self, chain: int) -> bool:
        return self._columns.landmarks[Landmark.CHAIN][chain] < self._entry_count

    def lanes_of(self, chain: int) -> range:
        """Return the lanes of a chain, trunk first, in the order in which they opened."""
        trunks, opened_at = self._columns.lanes.trunks, self._columns.lanes.entry_index
        stop = trunks[chain + 1] if chain + 1 < len(trunks) else len(opened_at)
        if chain + 1 == bisect_left(self._columns.chain_start, self._thought_count):
            stop = bisect_left(opened_at, self._entry_count, trunks[chain], stop)
        return range(trunks[chain], stop)

    def has_calls(self, chain: int) -> bool:
        """Whether the thinking tool was called in the chain; else all of it is native reasoning."""
        thoughts, native = self.thoughts_of(chain), self._columns.native.thoughts
        return bisect_left(native, thoughts.stop) - bisect_left(native, thoughts.start) < len(thoughts)

    def newest_of(self, chain: int, agent: int) -> int:
        """Return the newest thought of an agent in a chain that was not left behind, or NONE.

        Where the chain has calls of the thinking tool, native reasoning does not count.
        """
        thoughts = self.thoughts_of(chain)
        found = self._columns.agents.newest_thought_of(agent, thoughts.stop)
        while found >= thoughts.start and (left := self._native.left_behind_since(found)) != NONE:
            found = self._columns.agents.newest_thought_of(agent, left)
        if found >= thoughts.start and self.has_calls(chain):
            found = self._native.newest_call_at(found)
        return found if found >= thoughts.start else NONE

    def is_answered(self, chain: int) -> bool:
        """Whether the main agent ended its turn with an answer after its newest thought in the chain.

        It left the chain there: whatever its estimate says, no more is expected.
        """
        newest = self.newest_of(chain, MAIN_AGENT)
        if newest == NONE:
            return False
        entries, answers = self._columns.thoughts.entry_index, self._columns.native.answers
        stop = self.thoughts_of(chain).stop
        end = entries[stop] if stop < self._thought_count else self._entry_count
        return bisect_left(answers, entries[newest] + 1) < bisect_left(answers, end)

    def is_concluded(self, chain: int) -> bool:
        """Whether the main agent's newest thought is final, and the newest of each subagent that thought after it."""
        newest = self.newest_of(chain, MAIN_AGENT)
        if newest != NONE and not self._thoughts.is_final(newest):
            return False
        since = max(newest, self.thoughts_of(chain).start - 1)
        for agent in reversed(self._columns.agents.by_chain.get(chain)):
            own = self.newest_of(chain, agent)
            if own > since and not self._thoughts.is_final(own):
                return False
        return True
