"""Hints that something in a folder may have changed. A hint may be wrong or late: only the file tells.

There are three sources of hints: inotify on Linux (no wake-up while nothing happens), ``watchfiles`` on other systems,
and polling with `stat` where these fail (a missing folder, a network share, no watches left). A heartbeat twice a
second covers changes that the first two miss.
"""

import asyncio
import errno
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from seqthink.core import system
from seqthink.journal.inotify import FolderWatch

if TYPE_CHECKING:
    import watchfiles

HEARTBEAT_SECONDS = 0.5
"""Longest time without a hint."""
_HAS_INOTIFY = sys.platform == "linux" and system.HAS_POLL
_ACTIVE_POLL_SECONDS, _IDLE_POLL_SECONDS = 0.02, 0.25
"""Pause between two polls within ``_ACTIVE_SECONDS`` of a change, and later."""
_ACTIVE_SECONDS = 5.0
"""How long after a change polling stays frequent."""
_RETRY_SECONDS = 5.0
"""How long to poll after a watcher has failed, before it is tried again."""
_DISTRUST_SECONDS = 60.0
"""How long the folder is polled after the watcher missed changes."""
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
        while not self._stopped():
            pause = _DISTRUST_SECONDS
            try:
                async with aclosing(self._watch()) as hints:
                    async for announced in hints:
                        yield announced
            except (OSError, RuntimeError):
                pause = _RETRY_SECONDS
            async with aclosing(self._poll(pause)) as hints:
                async for announced in hints:
                    yield announced
            self._misses = 0

    def _stopped(self) -> bool:
        return self._stop is not None and self._stop.is_set()

    async def _watch(self) -> AsyncGenerator[bool, None]:
        """Yield the hints of a watcher; return once it misses changes, raise if it fails."""
        source = _inotify_hints(self._subject) if _HAS_INOTIFY else _watchfiles_hints(self._subject)
        async with aclosing(source) as hints:
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


async def _inotify_hints(subject: WatchSubject) -> AsyncGenerator[bool, None]:
    identity = _folder_identity(subject.folder)
    watch = FolderWatch(subject.folder)
    try:
        # The watch is set: this look sees whatever came before it.
        yield True
        clock = asyncio.get_running_loop().time
        next_heartbeat = clock() + HEARTBEAT_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(next_heartbeat):
                    await readable(watch.fd)
            announced = any(not name or subject.is_relevant(name) for name in watch.changed_names())
            now = clock()
            if now >= next_heartbeat:
                _require_same_folder(subject.folder, identity)
            # Changes of other sessions wake this up, too, but must not delay the heartbeat.
            if announced or now >= next_heartbeat:
                next_heartbeat = now + HEARTBEAT_SECONDS
                yield announced
    finally:
        watch.close()


async def _watchfiles_hints(subject: WatchSubject) -> AsyncGenerator[bool, None]:
    import watchfiles  # noqa: PLC0415 - it takes time to load, and where there is inotify it is not needed

    def is_relevant(_: "watchfiles.Change", path: str) -> bool:
        return subject.is_relevant(Path(path).name)

    identity = _folder_identity(subject.folder)
    yield True
    stream = watchfiles.awatch(  # pyright: ignore[reportUnknownMemberType] - its type needs trio, not installed
        subject.folder,
        watch_filter=is_relevant,
        step=5,
        debounce=20,
        rust_timeout=int(HEARTBEAT_SECONDS * 1000),
        yield_on_timeout=True,
        force_polling=False,  # polling compares whole seconds, and misses changes within the same second
        recursive=False,
    )
    async with aclosing(stream) as looks:
        async for changes in looks:
            if not changes:
                _require_same_folder(subject.folder, identity)
            yield bool(changes)


async def readable(fd: int) -> None:
    """Wait until something can be read from a descriptor, or its end is reached.

    By the event loop's own means: the library that has more of them takes 20 ms to load, before the first frame.
    """
    loop = asyncio.get_running_loop()
    is_readable = loop.create_future()

    def settle() -> None:
        if not is_readable.done():
            is_readable.set_result(None)

    loop.add_reader(fd, settle)
    try:
        await is_readable
    finally:
        loop.remove_reader(fd)


def _require_same_folder(folder: Path, identity: tuple[int, int]) -> None:
    """Raise if the folder was replaced: a watch on a deleted folder reports nothing."""
    if _folder_identity(folder) != identity:
        raise OSError(errno.ENOENT, "the folder is gone", str(folder))


def _folder_identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
