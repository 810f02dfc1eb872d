"""Queries about branches that come back (docs/journal.md, "Branches that come back")."""

from bisect import bisect_left
from collections.abc import Sequence

from seqthink.chain.columns.compact_lists import NONE
from seqthink.chain.columns.session_columns import SessionColumns
from seqthink.chain.native.native_reasoning import NativeReasoning


class BranchReturns:
    """The thoughts that bring branches back, among the first ``thought_count`` of a session."""

    __slots__ = ("_columns", "_native", "_thought_count")

    def __init__(self, columns: SessionColumns, thought_count: int, native: NativeReasoning) -> None:
        self._columns = columns
        self._native = native
        self._thought_count = thought_count

    def brought_back_by(self, index: int) -> Sequence[int]:
        """Return the lanes of the branches that the thought ``index`` brings back, in the order in which they opened.

        What a thought brings back never changes, also where it is left behind later.
        """
        return self._columns.thoughts.brings_back.get(index)

    @property
    def returning(self) -> Sequence[int]:
        """The thoughts that bring branches back, in order of arrival."""
        returning = self._columns.lanes.returning
        return returning[: bisect_left(returning, self._thought_count)]

    def returns_of(self, lane: int) -> Sequence[int]:
        """Return the thoughts that bring a branch back, in order of arrival."""
        returns = self._columns.lanes.returns.get(lane)
        return returns[: bisect_left(returns, self._thought_count)]

    def return_of(self, lane: int) -> int:
        """Return the thought that brought a branch back since its newest thought, or NONE.

        What was left behind does not count. NONE is also the answer for what is not a branch with an id.
        """
        newest = self._newest_kept(self._columns.lanes.thoughts.get(lane))
        found = self._newest_kept(self._columns.lanes.returns.get(lane))
        return found if newest != NONE and found > newest else NONE

    def end_before(self, lane: int, index: int) -> int:
        """Return the newest thought of a branch before the thought ``index``, or NONE."""
        thoughts = self._columns.lanes.thoughts.get(lane)
        position = bisect_left(thoughts, index)
        return thoughts[position - 1] if position else NONE

    def is_end_of_returned(self, index: int) -> bool:
        """Whether the thought ``index`` was the newest of its branch when that was brought back."""
        lane = self._columns.thoughts.lane[index]
        returns = self.returns_of(lane)
        position = bisect_left(returns, index)
        return position < len(returns) and self.end_before(lane, returns[position]) == index

    def _newest_kept(self, indices: Sequence[int]) -> int:
        position = bisect_left(indices, self._thought_count)
        while position and (left := self._native.left_behind_since(indices[position - 1])) != NONE:
            position = min(position - 1, bisect_left(indices, left))
        return indices[position - 1] if position else NONE
