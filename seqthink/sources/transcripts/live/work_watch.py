"""Finds out whether the agent of a transcript is at work, or was killed in the middle of a turn.

A transcript has no lock. While one of our servers runs for the session, it is at work. Else a turn that has not ended
counts as running for some minutes after the last change, unless a process that should run does not: the client, where
that one says which process it is, or our server, if it left no `end` line. A server may die alone, so the session is
lost only once its transcript has stopped growing; if it grows after that, its client runs. A client that says that it
waits for its user is at work, however long that takes; so is one that is known to run while a call has no answer.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from seqthink.core.events import WriterState
from seqthink.core.times import is_recent
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.sources.transcripts.source import ClientProcess

MAX_SILENT_SECONDS: Final = 300
"""A turn that did not end counts as running for this long after the last change."""
DEAD_SILENT_SECONDS: Final = 3
"""A session whose process is gone is lost after this time without a change: what was under way has been written."""
MAX_PROBED_JOURNALS: Final = 4
"""The newest joined journals: whether their servers run is tested."""


class WorkWatch:
    """What was seen of the processes behind one transcript."""

    def __init__(self) -> None:
        self._changed_at_death: int | None = None

    def state(
        self,
        *,
        journals: Sequence[Path],
        unended: Path | None,
        process: ClientProcess,
        is_awaited: bool,
        changed: int,
        now: int,
    ) -> WriterState:
        """Return the state of a session whose turn has not ended.

        Args:
            journals: our journals that hold its calls, the newest last.
            unended: the newest of the main agent's, if its server left no `end` line.
            process: what the client's process says about itself.
            is_awaited: whether a call has no answer and a client that can give it runs.
            changed: when the transcript changed last, in microseconds since 1970.
            now: the time, likewise.
        """
        if has_running_server(journals) or process.waits_for:
            self._changed_at_death = None
            return WriterState.ALIVE
        is_dead = not process.is_running if process.is_running is not None else _is_gone(unended)
        if self._is_lost(changed, now, is_dead=is_dead):
            return WriterState.GONE
        is_at_work = is_awaited or is_recent(changed, now, MAX_SILENT_SECONDS)
        return WriterState.ALIVE if is_at_work else WriterState.UNKNOWN

    def _is_lost(self, changed: int, now: int, *, is_dead: bool) -> bool:
        if not is_dead:
            self._changed_at_death = None
            return False
        if self._changed_at_death is None:
            self._changed_at_death = changed
        has_grown_since = changed - self._changed_at_death > DEAD_SILENT_SECONDS * 1_000_000
        return not has_grown_since and not is_recent(changed, now, DEAD_SILENT_SECONDS)


def has_running_server(journals: Sequence[Path]) -> bool:
    """Return whether the server of one of the newest of these journals runs."""
    return any(_state_of(path) is WriterState.ALIVE for path in journals[-MAX_PROBED_JOURNALS:])


def _is_gone(journal: Path | None) -> bool:
    return journal is not None and _state_of(journal) is WriterState.GONE


def _state_of(journal: Path) -> WriterState:
    return writer_state(journal, first_session_event(journal))
