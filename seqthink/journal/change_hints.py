"""Hints that something in a folder may have changed. A hint may be wrong or late: only the file is the truth.

There are two sources of hints: a watch on the folder, and polling with `stat` where that fails (a missing folder, a
network share, no watches left). A heartbeat twice a second covers changes that a watch misses.
"""

import asyncio
import errno
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import NamedTuple

from seqthink.journal import folder_watch

HEARTBEAT_SECONDS = 0.5
"""Longest time without a hint."""
_ACTIVE_POLL_SECONDS, _IDLE_POLL_SECONDS = 0.02, HEARTBEAT_SECONDS
"""Pause between two polls within ``_ACTIVE_SECONDS`` of a change, and later."""
_ACTIVE_SECONDS = 5.0
"""How long after a change polling stays frequent."""
_RETRY_SECONDS = 5.0
"""How long to poll after a watcher has failed, before it is tried again."""
_DISTRUST_SECONDS = 60.0
"""How long the folder is polled after the watcher missed changes."""
_FIRST_SECONDS = 0.3
"""How long a program polls before it loads the watch: nobody waits for that before the first frame."""
_MAX_MISSES = 2
"""After this many heartbeats in a row that found news, the folder is polled for ``_DISTRUST_SECONDS`` instead."""

Signature = Callable[[], object]
"""Returns a value that differs after a change."""


class WatchSubject(NamedTuple):
    """What is watched: some names in a folder."""

    folder: Path
    """The folder."""
    is_relevant: Callable[[str], bool]
    """Says whether a name in the folder is watched."""
    signature: Signature
    """Returns a value that differs after a change."""


class ChangeHints:
    """Yields hints when to look for changes: ``async for announced in hints.stream()``. The first one comes at once.

    ``announced`` is True for a hint that a change caused, False for a heartbeat. The caller reports with `report_look`
    what it found. If two heartbeats in a row found news, the file system does not announce changes, and the folder is
    polled for a while.
    """

    def __init__(self, subject: WatchSubject, stop: asyncio.Event | None = None) -> None:
        self._subject = subject
        self._stop = stop
        self._misses = 0
        self._active_until = 0.0

    def report_look(self, *, announced: bool, had_news: bool) -> None:
        """Report a look at the file.

        Args:
            announced: the value of the hint that led to it.
            had_news: whether anything had changed.
        """
        if announced:
            self._misses = 0
        elif had_news:
            self._misses += 1

    async def stream(self) -> AsyncGenerator[bool, None]:
        """Yield whenever it is time to look, until ``stop`` is set, which is noticed within a heartbeat."""
        self._active_until = asyncio.get_running_loop().time() + _FIRST_SECONDS
        pause = 0.0 if _is_loaded() else _FIRST_SECONDS
        while not self._stopped():
            if pause:
                async with aclosing(self._poll(pause)) as hints:
                    async for announced in hints:
                        yield announced
            self._misses = 0
            pause = _DISTRUST_SECONDS
            try:
                async with aclosing(self._watch()) as hints:
                    async for announced in hints:
                        yield announced
            except (OSError, RuntimeError):
                pause = _RETRY_SECONDS

    def _stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    async def _watch(self) -> AsyncGenerator[bool, None]:
        """Yield the hints of a watch; return once it misses changes, raise if it fails."""
        if not _is_loaded():
            await asyncio.to_thread(folder_watch.load)
        async with aclosing(_watched_hints(self._subject)) as hints:
            async for announced in hints:
                yield announced
                if self._stopped() or self._misses >= _MAX_MISSES:
                    return

    async def _poll(self, seconds: float) -> AsyncGenerator[bool, None]:
        """Yield hints from polling with `stat` for ``seconds``; poll more often while the folder changes."""
        clock = asyncio.get_running_loop().time
        now = yielded = clock()
        until = now + seconds
        seen = self._subject.signature()
        yield True
        while now < until and not self._stopped():
            await asyncio.sleep(_ACTIVE_POLL_SECONDS if now < self._active_until else _IDLE_POLL_SECONDS)
            now = clock()
            before, seen = seen, self._subject.signature()
            if seen != before:
                self._active_until = now + _ACTIVE_SECONDS
            if seen != before or now - yielded >= HEARTBEAT_SECONDS:
                yielded = now
                yield seen != before


def _is_loaded() -> bool:
    return "watchfiles" in sys.modules


async def _watched_hints(subject: WatchSubject) -> AsyncGenerator[bool, None]:
    identity = _folder_identity(subject.folder)
    with folder_watch.watching(subject.folder) as changes:
        # The watch is set: this look sees whatever came before it.
        yield True
        clock = asyncio.get_running_loop().time
        next_heartbeat = clock() + HEARTBEAT_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_heartbeat):
                    await changes.changed.wait()
            announced = any(not name or subject.is_relevant(name) for name in changes.take())
            now = clock()
            if now >= next_heartbeat:
                _require_same_folder(subject.folder, identity)
            # Changes of other sessions wake this up, too, but must not delay the heartbeat.
            if announced or now >= next_heartbeat:
                next_heartbeat = now + HEARTBEAT_SECONDS
                yield announced


def _require_same_folder(folder: Path, identity: tuple[int, int]) -> None:
    """Raise if the folder was replaced: a watch on a deleted folder reports nothing."""
    if _folder_identity(folder) != identity:
        raise OSError(errno.ENOENT, "the folder is gone", str(folder))


def _folder_identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
