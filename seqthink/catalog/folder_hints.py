"""One follower of the folder of journals, for all parts of the viewer that want to know of its changes."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from seqthink.journal.follow import follow_folder

PAUSE_SECONDS = 0.01
"""Pause after a change was reported. Each listener takes the next hint when it has time for it."""


class FolderHints:
    """Says when journals in a folder may have changed, as `follow_folder` does, to any number of listeners.

    The folder is followed while there is a listener.

    Args:
        folder: the folder.
        follow: follows something else in its place, in the same way.
    """

    def __init__(self, folder: Path, follow: Callable[[], AsyncGenerator[bool, None]] | None = None) -> None:
        self._follow_it = follow or (lambda: follow_folder(folder, pause_seconds=PAUSE_SECONDS))
        self._listeners: list[_Listener] = []
        self._following: asyncio.Task[None] | None = None

    async def stream(self) -> AsyncGenerator[bool, None]:
        """Yield as `follow_folder` does; what came while the listener was busy is one hint. The first comes at once.

        Raises:
            Exception: whatever `follow_folder` raised.
        """
        listener = _Listener()
        self._listeners.append(listener)
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())
            self._following.add_done_callback(self._pass_error_on)
        try:
            while True:
                yield await listener.take()
        finally:
            self._listeners.remove(listener)
            if not self._listeners:
                self._following.cancel()
                self._following = None

    async def _follow(self) -> None:
        async with aclosing(self._follow_it()) as hints:
            async for announced in hints:
                for listener in self._listeners:
                    listener.tell(announced=announced)

    def _pass_error_on(self, following: asyncio.Task[None]) -> None:
        error = None if following.cancelled() else following.exception()
        if error is not None:
            for listener in self._listeners:
                listener.fail(error)


class _Listener:
    """What one listener has not heard yet."""

    def __init__(self) -> None:
        self._is_announced = True  # the first look sees whatever came before it
        self._error: BaseException | None = None
        self._news = asyncio.Event()
        self._news.set()

    def tell(self, *, announced: bool) -> None:
        self._is_announced = self._is_announced or announced
        self._news.set()

    def fail(self, error: BaseException) -> None:
        self._error = error
        self._news.set()

    async def take(self) -> bool:
        """Wait for a hint; return whether a change was announced."""
        await self._news.wait()
        self._news.clear()
        if self._error is not None:
            raise self._error
        announced, self._is_announced = self._is_announced, False
        return announced
