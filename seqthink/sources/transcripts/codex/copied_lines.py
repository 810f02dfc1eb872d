"""Which lines of a rollout are copies of another thread's: how a fork and some subagents begin.

Behind its own first record comes that of the original, then the original's lines, with the time of copying. They end
with the first turn that was begun after this thread was made, which its id shows. Where ids have no time, they end when
the lines no longer come in one burst.
"""

from typing import Final

from seqthink.sources.transcripts.codex.thread_meta import ThreadMeta, created_ms

_BURST_MICROSECONDS: Final = 1_000_000


class ForkCopies:
    """Follows where the copied lines of one rollout begin and end."""

    def __init__(self, own: ThreadMeta) -> None:
        self._own = own
        self._made_ms = created_ms(own.id)
        self._copied_at: int | None = None
        self._speaker: str | None = None

    @property
    def original(self) -> str | None:
        """The thread that the copied lines belong to."""
        return self._own.forked_from or self._own.parent

    def begin(self, meta: ThreadMeta, time: int) -> None:
        """Take in another thread's first record; of a copy of a copy there are several, the eldest thread's last."""
        if self.holds(""):
            self._speaker = meta.id
        if meta.id != self._own.id and self._copied_at is None and self.original is not None:
            self._copied_at = time

    def speaker(self, thread: str) -> str | None:
        """Return the thread whose line is copied; ``thread`` is the one that it names, or empty: as the line before."""
        self._speaker = thread or self._speaker or self.original
        return self._speaker

    def take_turn(self, turn: str, time: int) -> None:
        """Take in the beginning of a turn, which may be this thread's first own one."""
        if self._copied_at is None or self._copied_at < 0:
            return
        turn_ms = created_ms(turn)
        if self._made_ms is not None and turn_ms is not None:
            is_own = turn_ms >= self._made_ms
        else:
            is_own = time - self._copied_at > _BURST_MICROSECONDS
        if is_own:
            self._copied_at = -1

    def holds(self, thread: str) -> bool:
        """Return whether the current line is a copy; ``thread`` is the one that it names, or empty."""
        if thread:
            return thread != self._own.id and self.original is not None
        return self._copied_at is not None and self._copied_at >= 0
