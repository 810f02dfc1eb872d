"""One search through a session: the hits so far, and the scan that finds them in a thread."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from threading import Event
from time import monotonic
from typing import NamedTuple

from seqthink.chain.query import Query
from seqthink.chain.session import Session
from seqthink.events import ContextEvent
from seqthink.loading import SessionTexts
from seqthink.text import one_line

REPORT_SECONDS = 0.1
THOUGHTS_PER_CANCEL_CHECK = 256
MAX_HITS_PER_BATCH = 2000
"""Hits reported at once: the event loop adds them between two keys."""


class SearchBatch(NamedTuple):
    """Hits since the last report: thoughts and refused calls, and how far the scan has come."""

    thoughts: list[int]
    """Indices of thoughts."""
    refusals: list[int]
    """Numbers of refused calls."""
    searched: int
    """Number of thoughts searched."""
    searched_refusals: int
    """Number of refused calls searched."""


class Search:
    """The hits of a query so far, in order of arrival."""

    def __init__(self, query: Query, *, is_filter: bool = False) -> None:
        self.query = query
        self.is_filter = is_filter
        self.thoughts: list[int] = []
        """Indices of matching thoughts, ascending."""
        self.refusals: list[int] = []
        """Numbers of matching refused calls, ascending."""
        self.searched = 0
        self.searched_refusals = 0
        self.target_thought_count = 0
        """Number of thoughts that the running scan will have searched at its end."""
        self.is_running = False
        self.is_cancelled = False
        self._batch_added = Event()

    def wait_until_added(self) -> None:
        """Block the scan's thread until its last batch was added, or the search is cancelled."""
        while not self._batch_added.wait(REPORT_SECONDS) and not self.is_cancelled:
            pass
        self._batch_added.clear()

    def add(self, batch: SearchBatch) -> None:
        """Add a batch of hits."""
        self._batch_added.set()
        self.thoughts += batch.thoughts
        self.refusals += batch.refusals
        self.searched, self.searched_refusals = batch.searched, batch.searched_refusals

    def is_behind(self, session: Session) -> bool:
        """Whether the session holds anything not searched yet."""
        return self.searched < session.thought_count or self.searched_refusals < session.refusal_count

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
        found = bisect_left(self.thoughts, session.thought_count)
        found += bisect_left(self.refusals, session.refusal_count) if self.is_filter else 0
        noun = "row" if self.is_filter else "hit"
        words = f"{found:,} {noun}{'' if found == 1 else 's'}" if found else f"no {noun}"
        if self.is_hit(thought) and found > 1 and not self.is_filter:
            words = f"{bisect_right(self.thoughts, thought):,} of {words}"
        if not self.is_running or not self.target_thought_count:
            return words
        progress = f"searching {sign} {min(99, 100 * self.searched // self.target_thought_count)} %"
        return f"{words}, {progress}" if found else progress


def scan(search: Search, session: Session, texts: SessionTexts) -> Iterator[SearchBatch]:
    """Yield batches of hits in the part of ``session`` that was not searched yet, as they are found."""
    query, has_words = search.query, search.query.text_matcher()
    start, reported_at = search.searched, monotonic()
    thoughts: list[int] = []
    refusals = [
        number
        for number in range(search.searched_refusals, session.refusal_count)
        if search.is_filter and query.may_match_refused and has_words(texts.refusal_reason(number))
    ]
    for index in range(start, session.thought_count if query.may_match_thoughts else start):
        if index % THOUGHTS_PER_CANCEL_CHECK == 0:
            if search.is_cancelled:
                return
            if monotonic() - reported_at >= REPORT_SECONDS or len(thoughts) > MAX_HITS_PER_BATCH:
                yield SearchBatch(thoughts, refusals, index, session.refusal_count)
                reported_at, thoughts, refusals = monotonic(), [], []
        is_kind = query.matches_kinds(session, index) and _has_tags(query, session, texts, index)
        if is_kind and (not query.words or has_words(texts.thought(index))):
            thoughts.append(index)
    yield SearchBatch(thoughts, refusals, session.thought_count, session.refusal_count)


def _has_tags(query: Query, session: Session, texts: SessionTexts, index: int) -> bool:
    """Whether every tag of the query is on an attached context item or, with a ``#``, in the thought's own text."""
    if not query.tags:
        return True
    tags: set[str] = set()
    for attachment in session.thoughts.attachments(index):
        event = texts.event(attachment.offset, attachment.size) if attachment.kind == "context" else None
        if isinstance(event, ContextEvent):
            tags.update(one_line(tag).casefold() for tag in event.tags or ())  # as shown and typed
    text = texts.thought(index).casefold()
    return all(tag in tags or f"#{tag}" in text for tag in query.tags)
