"""How many records of a session's transcripts were left out, after any line of the journal."""

from bisect import bisect_left
from typing import NamedTuple

from seqthink.core.events import SkippedEvent


class SkippedCounts(NamedTuple):
    """How many records were left out."""

    corrupt: int = 0
    """Records that are damaged or too long."""
    unknown: int = 0
    """Records of a type that the reader does not know."""


class SkippedRecords:
    """The counts after each `skipped` event: it names those of one transcript so far, and the newest one counts."""

    def __init__(self) -> None:
        self._of_transcript: dict[str | None, SkippedCounts] = {}
        self._entries: list[int] = []
        self._sums: list[SkippedCounts] = []

    def note(self, event: SkippedEvent, entry: int) -> None:
        """Take in an event, which is the line ``entry`` of the journal."""
        before = self._of_transcript.get(event.id, SkippedCounts())
        counts = self._of_transcript[event.id] = SkippedCounts(event.corrupt + event.tooLong, event.unknown)
        total = self._sums[-1] if self._sums else SkippedCounts()
        self._entries.append(entry)
        self._sums.append(
            SkippedCounts(
                total.corrupt - before.corrupt + counts.corrupt,
                total.unknown - before.unknown + counts.unknown,
            )
        )

    def before(self, entry_count: int) -> SkippedCounts:
        """Return the sums of all transcripts after the first ``entry_count`` lines of the journal."""
        position = bisect_left(self._entries, entry_count)
        return self._sums[position - 1] if position else SkippedCounts()
