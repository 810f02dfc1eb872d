"""When Python looks for reference cycles in all its objects: asked once a second, for a hundredth of the time at most.

What has no reference left is freed at once; the collector is for objects that refer to each other. By itself it looks
through new objects only, which costs little. A full collection looks through all of them, for about a millisecond for
every five thousand, and Python would make it in the middle of a frame. Here the app's second asks for it. It is made
when it is due, by Python's own count of what was allocated since the last one, and

- nothing has happened for a second, so that no frame waits; or
- a hundred times as long as the last one took has passed. A stream of thoughts that never pauses gets collections, too,
  so its garbage stays bounded, and they take a hundredth of the time at most.

What is there once a session is open stays until another one is opened: it is cleared of garbage once (of what the
session before left, above all), and then not looked through.
"""

import gc
from collections.abc import Callable

_YOUNG, _MIDDLE, _NEVER = 700, 10, 1 << 30
_FULL_DUE_AFTER = 10
"""After more collections of the middle generation than this a full one is due, as it is for Python itself."""
_PAUSE_FACTOR = 100
"""While something happens, full ones may take this part of the time."""


class GarbageScheduler:
    """Decides when to collect; it is asked once a second. ``clock`` gives seconds and never goes back."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last_counts = (0, 0)
        self._next_at = 0.0
        self._is_freeze_pending = False

    @staticmethod
    def disable_automatic_full_collections() -> None:
        """Let Python make no full collection by itself, and none look through what has been imported."""
        gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)
        gc.freeze()

    def freeze_soon(self) -> None:
        """From the next look on, look no more through what is there then: it stays."""
        self._is_freeze_pending = True

    def unfreeze(self) -> None:
        """Look again through what was there: another session takes its place."""
        self._is_freeze_pending = False
        gc.unfreeze()

    def collect_if_due(self) -> None:
        """Make a full collection if it is due, and nothing has happened for a second or the time for it is there."""
        _, *seen = gc.get_count()
        is_quiet, self._last_counts = self._last_counts == tuple(seen), (seen[0], seen[1])
        began = self._clock()
        if self._is_freeze_pending:
            self._is_freeze_pending = False
            gc.collect()
            gc.freeze()
        elif seen[1] > _FULL_DUE_AFTER and (is_quiet or began >= self._next_at):
            gc.collect()
            ended = self._clock()
            self._next_at = ended + _PAUSE_FACTOR * (ended - began)
