"""Tracks the running audits during a fold."""

from seqthink.events import AuditEvent, AuditingEvent


class RunningAudits:
    """Appends ``(entry, audit)`` to ``changes`` whenever the audit to display changes; None for no audit.

    The audit with the newest progress is displayed.
    """

    def __init__(self, changes: list[tuple[int, AuditingEvent | None]]) -> None:
        self._changes = changes
        self._running: dict[int, AuditingEvent] = {}

    def update(self, event: AuditingEvent, entry_index: int) -> None:
        """Record the progress of an audit."""
        self._running.pop(event.of, None)
        self._running[event.of] = event
        self._record_change(entry_index)

    def end(self, event: AuditEvent, entry_index: int) -> None:
        """Record that an audit has ended."""
        if self._running.pop(event.of, None) is not None:
            self._record_change(entry_index)

    def clear(self, entry_index: int) -> None:
        """Drop all audits: a server has started or ended, and audits do not survive it."""
        if self._running:
            self._running.clear()
            self._record_change(entry_index)

    def _record_change(self, entry_index: int) -> None:
        self._changes.append((entry_index, next(reversed(self._running.values()), None)))
