"""When Python looks through everything for garbage: in a quiet second, never while a frame is made.

That look takes a millisecond for every few thousand objects, and would else come in the middle of a frame. Young
garbage is still taken away at once, which costs nothing to speak of.
"""

import gc

_YOUNG, _MIDDLE, _NEVER = 700, 10, 1 << 30
_DUE, _LONG_DUE = 10, 600
"""After so many of its smaller looks Python would take the big one; where no second is quiet, some time it must."""


class Garbage:
    """Decides when to look; it is asked once a second."""

    def __init__(self) -> None:
        self._seen = (0, 0)

    @staticmethod
    def take_over() -> None:
        """Let Python take the big look no more by itself."""
        gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)

    @staticmethod
    def settle() -> None:
        """Look never again through what is there now: it stays."""
        gc.freeze()

    @staticmethod
    def unsettle() -> None:
        """Look again through what was there: another session takes its place."""
        gc.unfreeze()

    def look(self) -> None:
        """Take the big look when it is due and nothing has happened for a second."""
        _, *seen = gc.get_count()
        is_quiet, self._seen = self._seen == tuple(seen), (seen[0], seen[1])
        if seen[1] > (_DUE if is_quiet else _LONG_DUE):
            gc.collect()
