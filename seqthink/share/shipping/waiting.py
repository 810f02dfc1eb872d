"""Waits until a journal has changed, the time has come, or the shipper is to end."""

import os
import select
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock
from types import TracebackType
from typing import Final, Self

from seqthink.core import system
from seqthink.journal.folder_watch import FolderWatch

POLL_SECONDS: Final = 0.1
"""How often the folder is looked at where the system does not say what changed."""
_RETRY_SECONDS: Final = 2.0
"""How long to look by ourselves after a watch has failed, before it is tried again."""
_DRAINED_BYTES: Final = 4096


class Stop:
    """Asks the shipper to end, and wakes those that wait. It may be set by a signal's handler and by threads."""

    def __init__(self) -> None:
        self._is_set = False
        self._reader, self._writer = os.pipe() if system.HAS_POLL else (-1, -1)
        self._nothing = Event()
        self.signal = 0
        """The signal that set it, if one did."""

    @property
    def is_set(self) -> bool:
        """Whether the shipper is to end."""
        return self._is_set

    def set(self, signal: int = 0) -> None:
        """Let the shipper end."""
        self.signal = self.signal or signal
        if not self._is_set:
            self._is_set = True
            if self._writer >= 0:
                os.write(self._writer, b"x")

    def wait(self, seconds: float) -> bool:
        """Wait so long, or until it is set; return whether it is."""
        if self._reader >= 0:
            self.wait_for(self._reader, seconds)
            return self._is_set
        end = time.monotonic() + seconds
        while not self._is_set and (left := end - time.monotonic()) > 0:
            self._nothing.wait(min(left, POLL_SECONDS))  # a handler must not set what its own thread waits for
        return self._is_set

    def wait_for(self, descriptor: int, seconds: float) -> bool:
        """Wait until a descriptor can be read, it is set, or the time is over; return whether it can be read."""
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.register(self._reader, select.POLLIN)
        return any(ready == descriptor for ready, _ in poll.poll(max(0.0, seconds) * 1000))

    def close(self) -> None:
        """Close what it waits with."""
        for descriptor in (self._reader, self._writer):
            if descriptor >= 0:
                os.close(descriptor)
        self._reader = self._writer = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


class FolderChanges:
    """Says which names in a folder have changed.

    Args:
        folder: the folder, which may not exist yet.
        stop: ends the waiting.
    """

    def __init__(self, folder: Path, stop: Stop) -> None:
        self._folder = folder
        self._stop = stop
        self._watch: FolderWatch | None = None
        self._identity = (0, 0)
        self._next_try = 0.0
        self._lock = Lock()
        self._names: set[str] = set()
        self._reader = self._writer = -1

    @property
    def is_announced(self) -> bool:
        """Whether the system says what changes; else the folder must be looked at again and again."""
        return self._watch is not None

    def begin(self) -> bool:
        """Watch the folder if it is not watched; return whether it is watched since just now.

        What changed before must be looked for.
        """
        if self._watch is not None or not system.HAS_POLL or time.monotonic() < self._next_try:
            return False
        with suppress(OSError, RuntimeError):  # it does not exist yet, or there are no watches left
            self._identity = self._identity_now()
            self._reader, self._writer = os.pipe()
            os.set_blocking(self._reader, False)
            os.set_blocking(self._writer, False)
            self._watch = FolderWatch([os.path.realpath(self._folder)], self._report)
        if self._watch is None:
            self.close()
            self._next_try = time.monotonic() + _RETRY_SECONDS
        return self._watch is not None

    def wait(self, seconds: float) -> set[str]:
        """Wait at most so long for a change; return the names that changed, ``""`` for any."""
        if self._watch is None:
            self._stop.wait(min(seconds, POLL_SECONDS))
            return set()
        has_changed = self._stop.wait_for(self._reader, seconds)
        try:
            is_same = self._identity_now() == self._identity
        except OSError:
            is_same = False
        if not is_same or self._watch.has_failed:  # the folder is gone; perhaps another has its name
            self._next_try = time.monotonic() + (_RETRY_SECONDS if is_same else 0.0)
            self.close()
            return {""}
        if not has_changed:
            return set()
        with self._lock:
            with suppress(BlockingIOError):
                os.read(self._reader, _DRAINED_BYTES)
            names, self._names = self._names, set()
        return names

    def close(self) -> None:
        """Watch the folder no more."""
        if self._watch is not None:
            self._watch.close()
            self._watch.join()
            self._watch = None
        for descriptor in (self._reader, self._writer):
            if descriptor >= 0:
                os.close(descriptor)
        self._reader = self._writer = -1

    def _report(self, _: str, names: set[str]) -> None:
        with self._lock:
            if not self._names:
                os.write(self._writer, b"x")
            self._names |= names

    def _identity_now(self) -> tuple[int, int]:
        status = self._folder.stat()
        return status.st_dev, status.st_ino
