"""Notifies readers that there is news: what comes while a reader is busy becomes one hint, never a queue."""

import asyncio


class HintReader:
    """What one reader has not received yet."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._names: list[str] = []

    def notify(self, name: str) -> None:
        """Note an event that has a name; one that is waiting already is not noted again."""
        if name not in self._names:
            self._names.append(name)
        self._news.set()

    async def take(self) -> list[str]:
        """Wait for news; return the names of what has happened since the last call, each once, in order."""
        await self._news.wait()
        self._news.clear()
        names, self._names = self._names, []
        return names


class HintReaders:
    """The readers that are notified."""

    def __init__(self) -> None:
        self._listeners: list[HintReader] = []

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self) -> HintReader:
        """Return a new listener."""
        listener = HintReader()
        self._listeners.append(listener)
        return listener

    def remove(self, listener: HintReader) -> None:
        """Forget a listener."""
        self._listeners.remove(listener)

    def notify_all(self, name: str) -> None:
        """Notify all of them, from the event loop."""
        for listener in self._listeners:
            listener.notify(name)
