"""Tunes the interpreter for short frames: full garbage collections in idle seconds, threads and memory.

Objects without references are freed at once; the collector is for reference cycles. Its automatic collections look
through new objects only and are cheap. A full collection looks through all objects, about one millisecond for every
five thousand, and Python would run it in the middle of a frame. Here the app's one-second timer asks for it. It runs
when it is due by Python's own count of allocations since the last one, and

- nothing has been allocated for a second, so that no frame waits; or
- a hundred times the duration of the last one has passed. A stream of thoughts that never pauses is collected, too:
  garbage stays bounded, and collections take at most a hundredth of the time.

The objects of a newly opened session are collected once (mostly for garbage of the previous session), then frozen:
later collections skip them until another session is opened.

By default glibc serves ever larger allocations from one heap, where a column that outgrows its space has to move: a
third of the memory is then holes. With a fixed mmap threshold, columns grow in place.
"""

import contextlib
import ctypes
import gc
import sys
from collections.abc import Callable

_YOUNG, _MIDDLE, _NEVER = 700, 10, 1 << 30
_FULL_DUE_AFTER = 10
"""A full collection is due after more middle collections than this, as in Python itself."""
_PAUSE_FACTOR = 100
"""While the viewer is busy, the pause between full collections is this many times as long as the last one took."""

_MMAP_THRESHOLD = -3
_MMAP_BYTES = 128 << 10
"""Larger allocations get their own pages; the slices of a journal, which come and go, are smaller."""
_THREAD_SWITCH_SECONDS = 0.001
"""Python's thread switch interval: how long a search or a frame may keep other threads waiting."""


class GarbageScheduler:
    """Decides when to run a full collection.

    Args:
        clock: seconds on a monotonic clock.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last_counts = (0, 0)
        self._next_at = 0.0
        self._is_freeze_pending = False

    def freeze_soon(self) -> None:
        """Freeze all objects at the next check, after one full collection."""
        self._is_freeze_pending = True

    def unfreeze(self) -> None:
        """Unfreeze all objects: another session replaces the one they belong to."""
        self._is_freeze_pending = False
        gc.unfreeze()

    def collect_if_due(self) -> None:
        """Call once a second: run a full collection if it is due, and the last second was idle or the pause is over."""
        _, *counts = gc.get_count()
        is_quiet, self._last_counts = self._last_counts == tuple(counts), (counts[0], counts[1])
        started = self._clock()
        if self._is_freeze_pending:
            self._is_freeze_pending = False
            gc.collect()
            gc.freeze()
        elif counts[1] > _FULL_DUE_AFTER and (is_quiet or started >= self._next_at):
            gc.collect()
            ended = self._clock()
            self._next_at = ended + _PAUSE_FACTOR * (ended - started)


def tune_interpreter() -> None:
    """Keep collections, large allocations and other threads out of the frames of this process."""
    disable_automatic_full_collections()
    map_large_allocations()
    sys.setswitchinterval(_THREAD_SWITCH_SECONDS)


def disable_automatic_full_collections() -> None:
    """Turn off Python's automatic full collections, and freeze everything imported so far."""
    gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
    gc.freeze()


def map_large_allocations() -> None:
    """Set a fixed mmap threshold, where the C library is glibc."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _MMAP_BYTES)
