"""The open sessions: each is opened when somebody asks for it, and dropped a while after nobody does."""

import asyncio
from pathlib import Path
from time import monotonic
from typing import Final

import anyio.to_thread
from msgspec import Struct

from seqthink.core.errors import UsageError
from seqthink.core.text import one_line
from seqthink.share.web.json_answers import RefusedRequestError
from seqthink.share.web.live.keys import SessionKeys
from seqthink.share.web.live.open_session import OpenSession
from seqthink.share.web.settings import WebSettings

IDLE_SECONDS: Final = 180.0
"""How long a session stays open without readers."""
MAX_IDLE: Final = 8
"""How many sessions stay open without readers, those asked for last."""
NO_SESSION = "there is no such session"


class _Opened(Struct, kw_only=True, eq=False):
    session: OpenSession
    following: "asyncio.Task[None]"
    used_at: float = 0.0
    waiting: int = 0
    """How many readers wait until it has begun."""


class OpenSessions:
    """The open sessions of a server, by their keys.

    Args:
        settings: which sessions there are, and how they are shown.
    """

    def __init__(self, settings: WebSettings) -> None:
        self.keys = SessionKeys(settings.catalog, settings.shown)
        """What the sessions are called."""
        self._settings = settings
        self._opened: dict[str, _Opened] = {}
        self._sweeping: asyncio.TimerHandle | None = None

    async def get(self, reference: str) -> OpenSession:
        """Return the session with a key, or whose key alone begins so; open it if it is not.

        Raises:
            RefusedRequestError: there is none.
        """
        opened = self._opened.get(reference)
        if opened is None:
            key, path = await self._find(reference)
            opened = self._opened.get(key)
            if opened is not None and opened.session.path != path:
                self._close(key)
                opened = None
            if opened is None:
                session = OpenSession(key, path, self._settings)
                following = asyncio.create_task(session.run(), name=f"session {key}")
                opened = self._opened[key] = _Opened(session=session, following=following)
                following.add_done_callback(lambda ended: self._forget(session, ended))
                opened.used_at = monotonic()
                self._close_idle()
        self._sweep_later()
        opened.waiting += 1
        try:
            await opened.session.wait_begun()
        finally:
            opened.waiting -= 1
            opened.used_at = monotonic()
        return opened.session

    async def _find(self, reference: str) -> tuple[str, Path]:
        try:
            found = await anyio.to_thread.run_sync(self.keys.find, reference)
        except UsageError as error:
            raise RefusedRequestError(503, one_line(str(error))) from error
        if found is None:
            raise RefusedRequestError(404, NO_SESSION)
        return found

    async def close(self) -> None:
        """Close all of them."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        tasks = [opened.following for opened in self._opened.values()]
        for key in [*self._opened]:
            self._close(key)
        await asyncio.gather(*tasks, return_exceptions=True)

    # Closing

    def _close(self, key: str) -> None:
        self._opened.pop(key).following.cancel()

    def _forget(self, session: OpenSession, following: "asyncio.Task[None]") -> None:
        """Forget a session that is not followed any more."""
        if not following.cancelled():
            following.exception()  # nobody else asks; the reader finds the session closed
        session.end()
        opened = self._opened.get(session.key)
        if opened is not None and opened.session is session:
            del self._opened[session.key]

    def _sweep_later(self) -> None:
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(IDLE_SECONDS / 4, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self._close_idle()
        if self._opened:
            self._sweep_later()

    def _close_idle(self) -> None:
        """Close sessions that nobody has read for a while, and those that are too many."""
        now = monotonic()
        idle = sorted(
            (opened.used_at, key)
            for key, opened in self._opened.items()
            if not opened.waiting and not len(opened.session.listeners)
        )
        for place, (used_at, key) in enumerate(idle):
            if now - used_at >= IDLE_SECONDS or len(idle) - place > MAX_IDLE:
                self._close(key)
