"""Finding for the page: words in one session, and words in the texts of all sessions.

Work ends when its reader leaves.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Event, Lock
from time import monotonic
from typing import Any, Final, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter
from msgspec import Struct, field
from starlette.types import Receive

from seqthink.chain.native.switchable_fold import Shown
from seqthink.chain.query import Query, filter_query, words_query
from seqthink.drawing.describe import units
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.search_hits import Search
from seqthink.library.catalog.session_search import search_catalog
from seqthink.library.catalog.text_scan import scan
from seqthink.library.finding.found import Hit
from seqthink.library.finding.search import MAX_HITS, TextSearch
from seqthink.share.export.texts_in_order import TextsInOrder
from seqthink.share.web.json_answers import encoded
from seqthink.share.web.live.asked_sessions import AskedSessions
from seqthink.share.web.live.keys import key_of_id
from seqthink.share.web.live.open_session import OpenSession, SessionMoment
from seqthink.share.web.settings import WebSettings

MAX_FOUND: Final = 5000
"""Entries that an answer names."""
ANSWER_SECONDS: Final = 0.5
"""How long all sessions are searched for one answer."""
MAX_ANSWER_HITS: Final = 100
"""Hits of one answer."""
MAX_SEARCHES: Final = 4
"""Searches of all sessions that are kept to go on with, those used last."""
MAX_SCANS: Final = 2
"""How many search at a time; others wait for their turn."""

_Result = TypeVar("_Result")


class Finder:
    """Searches for the readers of a server.

    Args:
        settings: which sessions there are.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._searches: OrderedDict[tuple[AskedSessions, int | None], _CatalogSearch] = OrderedDict()
        self._limiter = CapacityLimiter(MAX_SCANS)

    async def in_session(
        self, session: OpenSession, words: str, at: int | None, *, choice: Shown | None, receive: Receive
    ) -> bytes:
        """Return the entries of a session that match a filter, as after ``&`` in the viewer."""
        query = filter_query(words)
        moment = await session.work(lambda: session.moment(at, choice))
        if moment is None or query.is_empty:
            return encoded({"seqs": [], "count": 0, "isMore": False})
        return await self._until_left(receive, lambda is_left: encoded(_found(moment, query, is_left)))

    async def in_all(self, asked: AskedSessions, since: int | None, after: int, *, receive: Receive) -> bytes:
        """Return the next hits in the texts of the sessions that are asked for, behind the first ``after``."""
        query = words_query(asked.words)
        if query.is_empty:
            return encoded({"hits": [], "is_done": True, "next": 0})
        search = self._search(asked, since, query, after)
        try:
            return await self._until_left(receive, lambda is_left: self._more_hits(search, after, is_left))
        finally:
            if search.has_ended:
                self._forget(search)

    def close(self) -> None:
        """End all searches."""
        self._searches.clear()

    async def _until_left(self, receive: Receive, work: Callable[[Callable[[], bool]], _Result]) -> _Result:
        """Return what ``work`` returns in a thread. It learns when the reader has left, and then ends soon."""
        is_left = Event()

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            is_left.set()

        watching = asyncio.create_task(watch())
        try:
            return await anyio.to_thread.run_sync(lambda: work(is_left.is_set), limiter=self._limiter)
        finally:
            watching.cancel()

    # All sessions

    def _search(self, asked: AskedSessions, since: int | None, query: Query, after: int) -> "_CatalogSearch":
        """Return the search that has given ``after`` hits; a new one, which passes over them, if there is none."""
        key = (asked, since)
        search = self._searches.pop(key, None)
        if search is None or search.given != after:
            search = _CatalogSearch(key=key, query=query, given=0)
        self._searches[key] = search
        while len(self._searches) > MAX_SEARCHES:
            self._searches.popitem(last=False)
        return search

    def _forget(self, search: "_CatalogSearch") -> None:
        if self._searches.get(search.key) is search:
            del self._searches[search.key]

    def _more_hits(self, search: "_CatalogSearch", after: int, is_left: Callable[[], bool]) -> bytes:
        with search.lock:
            search.is_left = is_left
            if search.hits is None:
                search.hits = self._begin(search)
            until, now = monotonic() + ANSWER_SECONDS, self._settings.clock()
            hits: list[dict[str, Any]] = []
            while len(hits) < MAX_ANSWER_HITS and monotonic() < until and not search.has_ended:
                hit = next(search.hits, None)
                if hit is None or search.given >= MAX_HITS or is_left():
                    search.has_ended = True
                elif isinstance(hit, Hit):
                    search.given += 1
                    if search.given > after:
                        hits.append(_hit(hit, search.query, now))
            return encoded({"hits": hits, "is_done": search.has_ended, "next": search.given})

    def _begin(self, search: "_CatalogSearch") -> "Iterator[Hit | bool]":
        """Yield the hits, and False between two of them; what is not listed yet is waited for."""
        catalog = self._settings.catalog
        is_listed = catalog.look()
        while not (is_listed or catalog.is_listed):
            yield False
            is_listed = catalog.look()
        files: list[SessionFile] = catalog.sessions()
        text_search: TextSearch = search_catalog(
            catalog,
            search.query,
            self._settings.decode,
            since=search.key[1],
            is_cancelled=search.is_cancelled,
            also=search.key[0].filter,
        )
        yield from (hit or False for hit in text_search.hits(files))


class _CatalogSearch(Struct, kw_only=True, eq=False):
    """A search in all sessions that goes on from answer to answer."""

    key: tuple[AskedSessions, int | None]
    query: Query
    given: int
    hits: "Iterator[Hit | bool] | None" = None
    has_ended: bool = False
    is_left: Callable[[], bool] = bool
    lock: Lock = field(default_factory=Lock)

    def is_cancelled(self) -> bool:
        """Return whether the reader of the answer that is made now has left."""
        return self.is_left()


def _hit(hit: Hit, query: Query, now: int) -> dict[str, Any]:
    text, excerpt = hit.text, hit.text.excerpt
    start, end = next(iter(query.spans(excerpt)), (0, 0))
    return {
        "key": key_of_id(hit.file.session),
        "name": hit.session.name,
        "client": hit.session.client,
        "seq": text.thought_seq or text.seq,
        "number": text.number,
        "place": text.place,
        "before": ("…" if text.is_begun_before else "") + excerpt[:start],
        "match": excerpt[start:end],
        "after": excerpt[end:],
        "age": units.age(now, text.time),
    }


def _found(moment: SessionMoment, query: Query, is_left: Callable[[], bool]) -> dict[str, Any]:
    session, search = moment.shown, Search(query, is_filter=True)
    # A cache of its own: the session's turn is not needed, and others need not wait.
    texts = TextsInOrder(moment.rows.texts.for_thread(session))
    for batch in scan(search, session, texts, monotonic):
        search.add(batch)
        search.is_cancelled = is_left()
        if len(search.thoughts) + len(search.asides) > MAX_FOUND:
            search.is_cancelled = True
    seqs = sorted(
        [
            *(session.thoughts.get(index).seq for index in search.thoughts),
            *(session.asides.get(ordinal).seq for ordinal in search.asides),
        ]
    )
    return {"seqs": seqs[:MAX_FOUND], "count": len(seqs), "isMore": search.is_cancelled}
