"""One search through a session: what has been found, and the scan that finds it, in a thread of its own."""

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

TELL_SECONDS = 0.1
SLICE = 256
MOST_TOLD = 2000
"""How many hits are told at once: the event loop takes them in between two keys."""


class Part(NamedTuple):
    """What a scan has found since it last told: thoughts and refused calls, and how far it has come."""

    thoughts: list[int]
    refusals: list[int]
    searched: int
    searched_refusals: int


class Search:
    """What a query has found so far, in order of arrival."""

    def __init__(self, query: Query, *, is_filter: bool = False) -> None:
        self.query = query
        self.is_filter = is_filter
        self.thoughts: list[int] = []
        self.refusals: list[int] = []
        self.searched = 0
        self.searched_refusals = 0
        self.length = 0
        self.is_running = False
        self.is_cancelled = False
        self._is_taken = Event()

    def wait_until_taken(self) -> None:
        """Let a scan wait until what it told was taken in, or nobody wants it any more."""
        while not self._is_taken.wait(TELL_SECONDS) and not self.is_cancelled:
            pass
        self._is_taken.clear()

    def take(self, part: Part) -> None:
        """Take in what a scan has found."""
        self._is_taken.set()
        self.thoughts += part.thoughts
        self.refusals += part.refusals
        self.searched, self.searched_refusals = part.searched, part.searched_refusals

    def is_behind(self, session: Session) -> bool:
        """Whether the session has something that was not looked at."""
        return self.searched < session.thought_count or self.searched_refusals < session.refusal_count

    def is_hit(self, thought: int) -> bool:
        """Whether the thought was found."""
        place = bisect_left(self.thoughts, thought)
        return place < len(self.thoughts) and self.thoughts[place] == thought

    def next(self, thought: int, step: int, length: int) -> int | None:
        """Return the next hit after a thought (``step`` 1) or before it (-1) among the first ``length``, round the end.

        None when there is none.
        """
        count = bisect_left(self.thoughts, length)
        if not count:
            return None
        place = bisect_right(self.thoughts, thought) if step > 0 else bisect_left(self.thoughts, thought) - 1
        return self.thoughts[place % count] if place < count else self.thoughts[0]

    def status(self, session: Session, thought: int, sign: str) -> str:
        """Return how it stands at a moment, in words: ``3 of 17 hits``, ``searching … 40 %``, ``no hit``."""
        found = bisect_left(self.thoughts, session.thought_count)
        found += bisect_left(self.refusals, session.refusal_count) if self.is_filter else 0
        noun = "row" if self.is_filter else "hit"
        words = f"{found:,} {noun}{'' if found == 1 else 's'}" if found else f"no {noun}"
        if self.is_hit(thought) and found > 1 and not self.is_filter:
            words = f"{bisect_right(self.thoughts, thought):,} of {words}"
        if not self.is_running or not self.length:
            return words
        progress = f"searching {sign} {min(99, 100 * self.searched // self.length)} %"
        return f"{words}, {progress}" if found else progress


def scan(search: Search, session: Session, texts: SessionTexts) -> Iterator[Part]:
    """Yield what ``session`` holds of the search's query beyond what was searched, as it is found."""
    query, has_words = search.query, search.query.text_matcher()
    start, told_at = search.searched, monotonic()
    thoughts: list[int] = []
    refusals = [
        number
        for number in range(search.searched_refusals, session.refusal_count)
        if search.is_filter and query.may_match_refused and has_words(texts.refusal_reason(number))
    ]
    for index in range(start, session.thought_count if query.may_match_thoughts else start):
        if index % SLICE == 0:
            if search.is_cancelled:
                return
            if monotonic() - told_at >= TELL_SECONDS or len(thoughts) > MOST_TOLD:
                yield Part(thoughts, refusals, index, session.refusal_count)
                told_at, thoughts, refusals = monotonic(), [], []
        is_kind = query.matches_kinds(session, index) and _has_tags(query, session, texts, index)
        if is_kind and (not query.words or has_words(texts.thought(index))):
            thoughts.append(index)
    yield Part(thoughts, refusals, session.thought_count, session.refusal_count)


def _has_tags(query: Query, session: Session, texts: SessionTexts, index: int) -> bool:
    """Whether context items with all the tags belong to the thought, or its own text has them with a ``#``."""
    if not query.tags:
        return True
    tags: set[str] = set()
    for one in session.attachments(index):
        event = texts.event(one.offset, one.size) if one.kind == "context" else None
        if isinstance(event, ContextEvent):
            tags.update(one_line(tag).casefold() for tag in event.tags or ())  # as it is shown, and typed
    text = texts.thought(index).casefold()
    return all(tag in tags or f"#{tag}" in text for tag in query.tags)
