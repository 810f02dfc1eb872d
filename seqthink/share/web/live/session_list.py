"""The list of sessions for the page: looked at only while somebody reads it."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Final

import anyio.to_thread

from seqthink.chain.attention import Attention
from seqthink.chain.overview.session_groups import ListGroup, RepositoryGroup
from seqthink.chain.overview.states import SessionGroup, ShownState
from seqthink.core.text import SafeText, first_line, one_line, plain_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe import units
from seqthink.drawing.describe.context_use import use_spans
from seqthink.drawing.describe.session import ListedSession, repository_words
from seqthink.drawing.describe.status import breakdown, counts_spans, standing_status, stuck_reason
from seqthink.drawing.panels.list_rows import group_role
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import Span
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.viewer_store.read_state import ReadState
from seqthink.share.web.json_answers import encoded
from seqthink.share.web.live.asked_sessions import AskedSessions
from seqthink.share.web.live.hints import HintReader, HintReaders
from seqthink.share.web.live.keys import key_of_id
from seqthink.share.web.live.open_session import CHANGED
from seqthink.share.web.settings import WebSettings

MAX_LISTED, MAX_LISTED_AT_ALL = 500, 10_000
"""How many sessions an answer has, and how many if all are wanted."""
MAX_FIRST: Final = 40
"""Sessions at the top of the list, which are looked at first."""
UNREAD_SECONDS: Final = 15.0
"""How long the list is kept up to date after the last reader."""
LISTED_SECONDS, GLANCED_SECONDS = 2.0, 0.3
"""How long an answer waits for a list at all, and until each session was looked at."""
_MAX_NEWEST_CHARS: Final = 300


class SessionList:
    """The list, and who reads it.

    Args:
        settings: which sessions there are, and how they are shown.
    """

    def __init__(self, settings: WebSettings) -> None:
        self._settings = settings
        self._listeners = HintReaders()
        self._index: SessionIndex | None = None
        self._read_at = 0.0
        self._ending: asyncio.TimerHandle | None = None
        self._version_base = 0

    @property
    def version(self) -> int:
        """Grows with whatever changes in the list."""
        return self._version_base + (self._index.version if self._index is not None else 0)

    @property
    def is_looked_at(self) -> bool:
        """Whether the list is kept up to date."""
        return self._index is not None

    def join(self) -> HintReader:
        """Return a listener that gets changes until `leave`."""
        self._begin()
        return self._listeners.add()

    def leave(self, listener: HintReader) -> None:
        """Stop notifying a listener."""
        self._listeners.remove(listener)
        self._read_at = monotonic()

    async def listed(self, asked: AskedSessions, *, has_all: bool) -> bytes:
        """Return the sessions that are asked for, in groups."""
        index = self._begin()
        await self._wait_for(lambda: index.is_listed, LISTED_SECONDS)
        await self._wait_for(lambda: index.is_glanced, GLANCED_SECONDS)
        return await anyio.to_thread.run_sync(lambda: self._answer(index, asked, has_all=has_all))

    def close(self) -> None:
        """Stop looking."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        if self._index is not None:
            self._version_base = self.version
            self._index.stop()
            self._index = None

    # Looking

    def _begin(self) -> SessionIndex:
        """Return the index; begin to fill one if there is none."""
        self._read_at = monotonic()
        if self._index is not None:
            return self._index
        settings, loop = self._settings, asyncio.get_running_loop()
        index = self._index = SessionIndex(
            settings.catalog,
            UNICODE,
            settings.decode,
            clock=settings.clock,
            read_state=ReadState(settings.viewer_folder) if settings.viewer_folder is not None else None,
            stuck_seconds=settings.stuck_seconds,
        )

        def notify() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._listeners.notify_all, CHANGED)

        threading.Thread(target=index.scan, args=(notify,), name="session list", daemon=True).start()
        self._ending = loop.call_later(UNREAD_SECONDS, self._end_if_unread)
        return index

    def _end_if_unread(self) -> None:
        if not len(self._listeners) and monotonic() - self._read_at >= UNREAD_SECONDS:
            self.close()
        else:
            self._ending = asyncio.get_running_loop().call_later(UNREAD_SECONDS, self._end_if_unread)

    async def _wait_for(self, is_true: Callable[[], bool], seconds: float) -> None:
        listener = self._listeners.add()
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    while not is_true():
                        await listener.take()
        finally:
            self._listeners.remove(listener)

    # Answering, in a thread

    def _answer(self, index: SessionIndex, asked: AskedSessions, *, has_all: bool) -> bytes:
        asked_for = asked.filter
        wanted = asked_for.within(self._settings.catalog.wanted.filter)
        version, groups = self.version, index.grouped("", wanted, by_repository=asked.by_repository)
        room = MAX_LISTED_AT_ALL if has_all else MAX_LISTED
        total = sum(len(files) for _, files in groups)
        if wanted.is_empty:
            index.prioritise(tuple(file for _, files in groups for file in files)[:MAX_FIRST])
        shown: list[dict[str, Any]] = []
        states: list[ShownState] = []
        for group, files in groups:
            held = index.states(group, files, self._settings.stale_seconds)
            states += held
            if room:
                shown.append(self._group(index, group, files[:room], held))
                room -= len(files[:room])
        left = total - sum(len(group["sessions"]) for group in shown)
        catalog = self._settings.catalog
        return encoded(
            {
                "version": version,
                "place": catalog.name,
                "groups": shown,
                "counts": _as_json(counts_spans(states)),
                "more": left,
                "error": one_line(asked_for.mistake) or self._named_shortly(index.error),
                "filter": self._settings.catalog.wanted.filter.as_typed,
                "trouble": catalog.trouble(self._settings.zone),
                "waiting": catalog.waiting_sentence,
                "unseen": one_line(index.unseen),
            }
        )

    @staticmethod
    def _named_shortly(error: str) -> SafeText:
        try:
            return one_line(error.replace(f"{Path.home()}/", "~/"))
        except RuntimeError:  # an unknown home folder
            return one_line(error)

    def _group(
        self, index: SessionIndex, group: ListGroup, files: Sequence[SessionFile], states: list[ShownState]
    ) -> dict[str, Any]:
        now = self._settings.clock()
        sessions = [self._session(file, index.summary(file), now) for file in files]
        held = breakdown(states) if group is not SessionGroup.NEEDS_YOU else []
        return {
            "title": group.value,
            "about": group.address if isinstance(group, RepositoryGroup) and group.address != group.name else "",
            "role": group_role(group),
            "states": _as_json(held),
            "sessions": sessions,
        }

    def _session(self, file: SessionFile, known: ListedSession | None, now: int) -> dict[str, Any]:
        last = microseconds_of(file.last)
        listed = known or ListedSession(session=file.session, last_change=last, name=one_line(file.session))
        standing, stale = listed.standing, self._settings.stale_seconds
        state = standing_status(standing, now=now, stale_seconds=stale)
        changed = standing.since or listed.last_change
        return {
            "key": key_of_id(file.session),
            "name": listed.name or one_line(file.session),
            "tags": [f"#{tag}" for tag in listed.labels.tags],
            "isPinned": listed.labels.is_pinned,
            "client": listed.client,
            "machine": listed.host,
            "repository": repository_words(listed),
            "title": listed.title,
            "state": {"role": state.role, "sign": state.sign, "word": state.word},
            "reason": stuck_reason(standing, now=now),
            "question": plain_line(standing.question)[:_MAX_NEWEST_CHARS]
            if standing.attention is Attention.ASKING
            else "",
            "progress": listed.progress,
            "context": use_spans(listed.context)[-1].text if listed.context is not None else "",
            "thoughts": listed.thoughts if listed.is_counted else None,
            "newest": first_line(listed.newest, _MAX_NEWEST_CHARS),
            "age": units.age(now, changed),
            "last": datetime.fromtimestamp(last / 1_000_000, UTC).isoformat(timespec="seconds"),
            "unread": listed.unread,
            "hasUnread": listed.has_unread,
        }


def _as_json(spans: Sequence[Span]) -> list[dict[str, str]]:
    return [{"role": span.role, "text": span.text} for span in spans if span.text.strip()]
