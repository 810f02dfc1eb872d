"""The hits of a search in one session so far. Pure: what is found is added from outside."""

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seqthink.chain.query import Query
from seqthink.chain.session import Session


class SearchBatch(NamedTuple):
    """Hits since the last report: thoughts and asides, and how far the scan has come."""

    thoughts: list[int]
    """Indices of thoughts."""
    asides: list[int]
    """Numbers of asides."""
    searched: int
    """Number of thoughts searched."""
    searched_asides: int
    """Number of asides searched."""


class Search:
    """The hits of a query so far, in order of arrival."""

    def __init__(self, query: Query, *, is_filter: bool = False) -> None:
        self.query = query
        self.is_filter = is_filter
        self.thoughts: list[int] = []
        """Indices of matching thoughts, ascending."""
        self.asides: list[int] = []
        """Numbers of matching asides, ascending."""
        self.searched = 0
        self.searched_asides = 0
        self.target_thought_count = 0
        """Number of thoughts that the running scan will have searched at its end."""
        self.is_running = False
        self.is_waiting = False
        """What is looked for is still being found out."""
        self.is_cancelled = False

    def add(self, batch: SearchBatch) -> None:
        """Add a batch of hits."""
        is_later = not self.thoughts or not batch.thoughts or batch.thoughts[0] > self.thoughts[-1]
        self.thoughts += batch.thoughts
        if not is_later:
            self.thoughts.sort()
        self.asides += batch.asides
        self.searched, self.searched_asides = batch.searched, batch.searched_asides

    def is_behind(self, session: Session) -> bool:
        """Whether the session holds anything not searched yet."""
        return self.searched < session.thought_count or self.searched_asides < session.asides.count

    def is_hit(self, thought: int) -> bool:
        """Whether the thought is a hit."""
        place = bisect_left(self.thoughts, thought)
        return place < len(self.thoughts) and self.thoughts[place] == thought

    def next_hit(self, thought: int, step: int, length: int) -> int | None:
        """Return the hit after a thought (``step`` 1) or before it (-1) in the first ``length`` thoughts, with wrap.

        None without hits.
        """
        count = bisect_left(self.thoughts, length)
        if not count:
            return None
        place = bisect_right(self.thoughts, thought) if step > 0 else bisect_left(self.thoughts, thought) - 1
        return self.thoughts[place % count] if place < count else self.thoughts[0]

    def status_text(self, session: Session, thought: int, sign: str) -> str:
        """Return the status at the visible position: ``3 of 17 hits``, ``searching … 40 %``, ``no hit``."""
        if self.is_waiting:
            return f"searching {sign}"
        found = bisect_left(self.thoughts, session.thought_count)
        found += bisect_left(self.asides, session.asides.count) if self.is_filter else 0
        noun = "row" if self.is_filter else "hit"
        words = f"{found:,} {noun}{'' if found == 1 else 's'}" if found else f"no {noun}"
        if self.is_hit(thought) and found > 1 and not self.is_filter:
            words = f"{bisect_right(self.thoughts, thought):,} of {words}"
        if not self.is_running or not self.target_thought_count:
            return words
        progress = f"searching {sign} {min(99, 100 * self.searched // self.target_thought_count)} %"
        return f"{words}, {progress}" if found else progress
