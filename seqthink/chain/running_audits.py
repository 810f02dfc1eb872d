"""Which audit goes on while a journal is folded."""

from seqthink.events import AuditEvent, AuditingEvent


class RunningAudits:
    """Appends to ``changes`` after which line which audit is the one to tell of, if any: the one that moved last."""

    def __init__(self, changes: list[tuple[int, AuditingEvent | None]]) -> None:
        self._changes = changes
        self._running: dict[int, AuditingEvent] = {}

    def update(self, event: AuditingEvent, entry: int) -> None:
        """Note how far an audit is."""
        self._running.pop(event.of, None)
        self._running[event.of] = event
        self._record_change(entry)

    def end(self, event: AuditEvent, entry: int) -> None:
        """Note that an audit has ended."""
        if self._running.pop(event.of, None) is not None:
            self._record_change(entry)

    def clear(self, entry: int) -> None:
        """Note that a server begins or ends: its audits do not go on."""
        if self._running:
            self._running.clear()
            self._record_change(entry)

    def _record_change(self, entry: int) -> None:
        self._changes.append((entry, next(reversed(self._running.values()), None)))
