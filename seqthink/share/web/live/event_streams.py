"""Hints to readers as server-sent events: that there is news, never the news itself."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from sse_starlette.sse import EventSourceResponse

from seqthink.share.web.json_answers import encoded
from seqthink.share.web.live.hints import HintReader
from seqthink.share.web.live.open_session import CHANGED, OpenSession
from seqthink.share.web.live.session_list import SessionList

PING_SECONDS: Final = 15
SEND_SECONDS: Final = 30
"""How long a hint may wait for a reader that does not read; the stream is closed then."""
HINT_PAUSE_SECONDS: Final = 0.02
"""The shortest time between two hints to one reader."""


def session_events(session: OpenSession, last_id: str) -> EventSourceResponse:
    """Return the hints of a session to a reader who knows the first ``last_id`` lines; "" for one who begins."""
    # Before the first wait: what comes from now on is not missed.
    return _stream(_session_hints(session, session.listeners.add(), last_id))


def list_events(sessions: SessionList, last_id: str) -> EventSourceResponse:
    """Return the hints of the list to a reader who knows its version ``last_id``; "" for one who begins."""
    return _stream(_list_hints(sessions, last_id))


def _stream(hints: AsyncGenerator[bytes, None]) -> EventSourceResponse:
    return EventSourceResponse(hints, ping=PING_SECONDS, send_timeout=SEND_SECONDS, sep="\n")


async def _session_hints(session: OpenSession, listener: HintReader, last_id: str) -> AsyncGenerator[bytes, None]:
    try:
        if last_id and last_id != str(session.news.entries):
            yield _session_hint(CHANGED, session)
        while not session.has_ended:
            for name in await listener.take():
                yield _session_hint(name, session)
            await asyncio.sleep(HINT_PAUSE_SECONDS)
    finally:
        session.listeners.remove(listener)


def _session_hint(name: str, session: OpenSession) -> bytes:
    news = session.news
    data = {
        "entries": news.entries,
        "thoughts": news.thoughts,
        "newest": news.newest,
        "state": news.state,
        "version": session.version,
    }
    return _event(name, news.entries, data)


async def _list_hints(sessions: SessionList, last_id: str) -> AsyncGenerator[bytes, None]:
    listener = sessions.join()
    try:
        if last_id and last_id != str(sessions.version):
            yield _event(CHANGED, sessions.version, {"version": sessions.version})
        while True:
            for name in await listener.take():
                yield _event(name, sessions.version, {"version": sessions.version})
            await asyncio.sleep(HINT_PAUSE_SECONDS)
    finally:
        sessions.leave(listener)


def _event(name: str, id_: int, data: object) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (id_, name.encode(), encoded(data))
