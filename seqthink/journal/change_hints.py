"""Hints that something in a folder may have changed; never the truth: who gets one looks at the file.

Three ways to know, each for where the one before fails: the kernel's own word (`inotify`, no wake-up
while nothing happens), ``watchfiles`` (other systems), and asking with `stat` (no such folder, a network
share, watches used up). A heartbeat twice a second closes the holes of the first two.
"""

import errno
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import NamedTuple

import anyio
import watchfiles

from seqthink.journal.inotify import FolderWatch

HEARTBEAT_SECONDS = 0.5
_HAS_INOTIFY = sys.platform == "linux"
_ACTIVE_POLL_SECONDS = 0.02
_IDLE_POLL_SECONDS = 0.25
_ACTIVE_SECONDS = 5.0
_RETRY_SECONDS = 5.0
_DISTRUST_SECONDS = 60.0
_MAX_MISSES = 2

Signature = Callable[[], object]


class WatchSubject(NamedTuple):
    """What is watched: names in a folder, and a value that differs when the thing has changed."""

    folder: Path
    is_relevant: Callable[[str], bool]
    signature: Signature


class ChangeHints:
    """Says when to look: ``async for announced in hints.stream()``; the first hint comes at once.

    ``announced`` is false for a heartbeat. Who looks says with `looked` what was found: where two heartbeats
    in a row found news, the file system does not tell, and `stat` is asked for a while.
    """

    def __init__(self, subject: WatchSubject, stop: anyio.Event | None = None) -> None:
        self._subject = subject
        self._stop = stop
        self._misses = 0
        self._active_until = 0.0

    def report_look(self, *, announced: bool, had_news: bool) -> None:
        """Note what a look has found, and whether the hint before it had announced anything."""
        if announced:
            self._misses = 0
        elif had_news:
            self._misses += 1

    async def stream(self) -> AsyncGenerator[bool, None]:
        """Yield whenever it is time to look, until ``stop`` is set (which is seen within a heartbeat)."""
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
        """Yield while a watcher works; return when it is not to be trusted, raise when it fails."""
        source = _inotify_hints(self._subject) if _HAS_INOTIFY else _watchfiles_hints(self._subject)
        async with aclosing(source) as hints:
            async for announced in hints:
                yield announced
                if self._stopped() or self._misses >= _MAX_MISSES:
                    return

    async def _poll(self, seconds: float) -> AsyncGenerator[bool, None]:
        """Yield what `stat` tells, for so many seconds; often while things change, seldom when they rest."""
        now = yielded = anyio.current_time()
        until = now + seconds
        seen = self._subject.signature()
        yield True
        while now < until and not self._stopped():
            await anyio.sleep(_ACTIVE_POLL_SECONDS if now < self._active_until else _IDLE_POLL_SECONDS)
            now = anyio.current_time()
            before, seen = seen, self._subject.signature()
            if seen != before:
                self._active_until = now + _ACTIVE_SECONDS
            if seen != before or now - yielded >= HEARTBEAT_SECONDS:
                yielded = now
                yield seen != before


async def _inotify_hints(subject: WatchSubject) -> AsyncGenerator[bool, None]:
    began = _folder_identity(subject.folder)
    watch = FolderWatch(subject.folder)
    try:
        # The watch stands: whatever came before it, this look sees.
        yield True
        beat = anyio.current_time() + HEARTBEAT_SECONDS
        while True:
            with anyio.move_on_after(beat - anyio.current_time()):
                await anyio.wait_readable(watch.fd)
            announced = any(not name or subject.is_relevant(name) for name in watch.changed_names())
            now = anyio.current_time()
            if now >= beat:
                _require_same_folder(subject.folder, began)
            # Other sessions' events wake us too; they may not keep the heart from beating.
            if announced or now >= beat:
                beat = now + HEARTBEAT_SECONDS
                yield announced
    finally:
        watch.close()


async def _watchfiles_hints(subject: WatchSubject) -> AsyncGenerator[bool, None]:
    def concerns(_: watchfiles.Change, path: str) -> bool:
        return subject.is_relevant(Path(path).name)

    began = _folder_identity(subject.folder)
    yield True
    stream = watchfiles.awatch(  # pyright: ignore[reportUnknownMemberType] - names an event of trio, which is not here
        subject.folder,
        watch_filter=concerns,
        step=5,
        debounce=20,
        rust_timeout=int(HEARTBEAT_SECONDS * 1000),
        yield_on_timeout=True,
        force_polling=False,  # polling compares whole seconds, and loses what is appended within one
        recursive=False,
    )
    async with aclosing(stream) as looks:
        async for changes in looks:
            if not changes:
                _require_same_folder(subject.folder, began)
            yield bool(changes)


def _require_same_folder(folder: Path, began: tuple[int, int]) -> None:
    """Raise when another folder stands there now: a watch on one that was deleted stays silent for ever."""
    if _folder_identity(folder) != began:
        raise OSError(errno.ENOENT, "the folder is gone", str(folder))


def _folder_identity(folder: Path) -> tuple[int, int]:
    status = folder.stat()
    return status.st_dev, status.st_ino
