"""The scan of a search: reads the texts of a session, and gives what it finds in batches."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from seqthink.chain.model import AsideKind
from seqthink.chain.query import Query
from seqthink.chain.session import Session
from seqthink.core.events import ContextEvent
from seqthink.core.text import one_line
from seqthink.drawing.describe.asides import aside_text
from seqthink.library.catalog.search_hits import Search, SearchBatch
from seqthink.library.journal_texts import JournalTexts

REPORT_SECONDS = 0.1
THOUGHTS_PER_CANCEL_CHECK = 256
_SEARCHED = frozenset((AsideKind.PROMPT, AsideKind.REMARK, AsideKind.RESULT, AsideKind.UNFINISHED, AsideKind.CONTEXT))
_RETRACTIONS = Query(kinds=("retraction",))
MAX_HITS_PER_BATCH = 2000
"""Hits reported at once: the event loop adds them between two keys."""


def scan(search: Search, session: Session, texts: JournalTexts, clock: Callable[[], float]) -> Iterator[SearchBatch]:
    """Yield batches of hits in the part of ``session`` that was not searched yet, as they are found.

    Args:
        search: what is looked for, and how far it has come.
        session: where.
        texts: the texts of ``session``, for the thread that runs the scan.
        clock: seconds on a monotonic clock.
    """
    query, has_words = search.query, search.query.text_matcher()
    start, reported_at = search.searched, clock()
    thoughts: list[int] = []
    asides = [
        number
        for number in range(search.searched_asides, session.asides.count)
        if search.is_filter and _matches_aside(query, texts, session, number, has_words)
    ]
    candidates: Sequence[int] = range(start, session.thought_count if query.may_match_thoughts else start)
    if query.wants_odd:  # one may have become odd after it was searched
        candidates = [index for index in texts.health.at(session).odd_thoughts() if not search.is_hit(index)]
    for index in candidates:
        if index % THOUGHTS_PER_CANCEL_CHECK == 0:
            if search.is_cancelled:
                return
            if clock() - reported_at >= REPORT_SECONDS or len(thoughts) > MAX_HITS_PER_BATCH:
                yield SearchBatch(thoughts, asides, index, session.asides.count)
                reported_at, thoughts, asides = clock(), [], []
        is_kind = query.matches_kinds(session, index) and _has_thought_tags(query, session, texts, index)
        if is_kind and (not query.words or has_words(texts.thought(index))):
            thoughts.append(index)
    yield SearchBatch(thoughts, asides, session.thought_count, session.asides.count)


def _matches_aside(
    query: Query, texts: JournalTexts, session: Session, ordinal: int, has_words: Callable[[str], bool]
) -> bool:
    """Whether a row that is not a thought matches: a refused call, a context item, a prompt. Counts never do."""
    aside = session.asides.get(ordinal)
    if aside.kind is AsideKind.REFUSED:
        return query.may_match_refused and has_words(aside_text(texts, session, ordinal))
    if aside.kind is AsideKind.ACTIONS:
        return aside.is_retraction and query == _RETRACTIONS
    if aside.kind not in _SEARCHED or not query.may_match_said or (query.kinds and not aside.is_retraction):
        return False
    text = aside_text(texts, session, ordinal)
    return has_words(text) and _has_tags(query, texts, [(aside.offset, aside.size)], text)


def _has_thought_tags(query: Query, session: Session, texts: JournalTexts, index: int) -> bool:
    """Whether every tag of the query is on a context item attached to a thought or, with a ``#``, in its own text."""
    if not query.tags:
        return True
    items = [(each.offset, each.size) for each in session.thoughts.attachments(index) if each.kind == "context"]
    return _has_tags(query, texts, items, texts.thought(index))


def _has_tags(query: Query, texts: JournalTexts, lines: Iterable[tuple[int, int]], text: str) -> bool:
    """Whether every tag of the query is on the context item of a line or, with a ``#``, in ``text``."""
    if not query.tags:
        return True
    tags: set[str] = set()
    for offset, size in lines:
        event = texts.event(offset, size)
        if isinstance(event, ContextEvent):
            tags.update(one_line(tag).casefold() for tag in event.tags or ())  # as shown and typed
    folded = text.casefold()
    return all(tag in tags or f"#{tag}" in folded for tag in query.tags)
