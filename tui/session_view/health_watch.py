"""Looks at the health of the session on screen, a few thoughts at a time, in another thread and with rests."""

import asyncio
from collections.abc import Callable

from tui.session_view.view import View, run_task

SLICE_THOUGHTS = 50
"""Thoughts of one slice: a few milliseconds."""
REST_SECONDS = 0.02
"""Rest between two slices, for keys and drawing."""
FIRST_REST_SECONDS, LONG_REST_SECONDS = 0.2, 2.0
"""Rest before the first slice, for opening and arrivals; the longer one where much is to be looked at."""
MANY_THOUGHTS = 1000


class HealthWatch:
    """Keeps the health of the session on screen up to date.

    Args:
        view: the session screen.
        after_news: called when all that arrived has been looked at.
    """

    def __init__(self, view: View, after_news: Callable[[], None]) -> None:
        self._view = view
        self._after_news = after_news
        self._has_news = asyncio.Event()
        self._is_running = False

    def look_on(self) -> None:
        """Look at what was not looked at yet, unless that is going on."""
        if not self._is_behind:
            return
        self._has_news.set()
        if not self._is_running:
            self._is_running = True
            run_task(self._view, self._run, "looking for oddities", group="health", has_retries=True)

    @property
    def _is_behind(self) -> bool:
        feed = self._view.state.feed
        session = feed.session
        return feed.is_loaded and feed.texts is not None and feed.texts.health.is_behind(session)

    @property
    def _behind_count(self) -> int:
        feed = self._view.state.feed
        return feed.session.thought_count - feed.texts.health.seen_count if feed.texts is not None else 0

    async def _run(self) -> None:
        """Look whenever there is news. A worker for each arrival would leave garbage behind each time."""
        try:
            while True:
                await self._has_news.wait()
                self._has_news.clear()
                await asyncio.sleep(LONG_REST_SECONDS if self._behind_count > MANY_THOUGHTS else FIRST_REST_SECONDS)
                await self._look_slice_by_slice()
                self._after_news()
        finally:
            self._is_running = False

    async def _look_slice_by_slice(self) -> None:
        while self._is_behind:
            feed = self._view.state.feed
            session, texts = feed.session, feed.texts
            assert texts is not None, "it is behind"
            health, reader = texts.health, texts.for_thread(session)
            found = health.finding_count
            await asyncio.to_thread(health.look_on, session, reader.event, SLICE_THOUGHTS)
            if health.finding_count != found:
                self._view.redraw()
            await asyncio.sleep(REST_SECONDS)
