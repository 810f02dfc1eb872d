"""One follower of the places that sessions come from, for all parts of the viewer that want to know of changes."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TypeAlias

Hints: TypeAlias = Callable[[], AsyncGenerator[bool, None]]
"""Says when there may be news, as `seqthink.journal.follow.follow_folder` does, until it is closed."""


class FolderHints:
    """Says when sessions may have changed, as `follow_folder` does, to any number of listeners.

    The places are followed while there is a listener.

    Args:
        places: what says it of each place.
    """

    def __init__(self, places: Sequence[Hints]) -> None:
        self._places = places
        self._listeners: list[_Listener] = []
        self._following: list[asyncio.Task[None]] = []

    async def stream(self) -> AsyncGenerator[bool, None]:
        """Yield as `follow_folder` does; what came while the listener was busy is one hint. The first comes at once.

        Raises:
            Exception: whatever a place raised.
        """
        listener = _Listener()
        self._listeners.append(listener)
        if all(following.done() for following in self._following):
            self._following = [asyncio.create_task(self._follow(place)) for place in self._places]
            for following in self._following:
                following.add_done_callback(self._pass_error_on)
        try:
            while True:
                yield await listener.take()
        finally:
            self._listeners.remove(listener)
            if not self._listeners:
                for following in self._following:
                    following.cancel()
                self._following = []

    async def _follow(self, place: Hints) -> None:
        async with aclosing(place()) as hints:
            async for announced in hints:
                for listener in self._listeners:
                    listener.notify(announced=announced)

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

    def notify(self, *, announced: bool) -> None:
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
