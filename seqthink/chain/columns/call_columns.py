"""The calls of tools other than the thinking tool: until when each ran, and how it ended."""

from array import array
from bisect import bisect_left
from enum import IntEnum
from typing import NamedTuple

from seqthink.chain.columns.compact_lists import NONE
from seqthink.core.events import CALL_DONE, CALL_INTERRUPTED, ActionEvent
from seqthink.core.times import microseconds_of


class CallResult(IntEnum):
    """How a call ended."""

    DONE = 0
    FAILED = 1
    INTERRUPTED = 2
    """Its turn was interrupted before it was answered."""


class CallEnd(NamedTuple):
    """The end of a call."""

    result: CallResult
    time: int
    """In microseconds since 1970 (UTC)."""
    offset: int
    """Byte offset of the journal line that says so."""
    size: int
    """Length of that line in bytes, without the newline."""


class CallColumns:
    """The calls by their ordinals, in the order in which they began."""

    def __init__(self) -> None:
        self._begin = array("i")
        # The entry from which on nobody waits for it, and that of the line that says how it ended, or NONE.
        self._left, self._end = array("i"), array("i")
        self._result = array("b")
        self._end_time, self._end_offset, self._end_size = array("q"), array("q"), array("I")
        self.first_named_end = NONE
        """The first entry that is the end of a call that did not fail, or NONE: older journals name none."""

    def begin(self, entry_index: int) -> int:
        """Add the call that begins with this entry, and return its ordinal."""
        self._begin.append(entry_index)
        for column in (self._left, self._end):
            column.append(NONE)
        for column in (self._result, self._end_time, self._end_offset, self._end_size):
            column.append(0)
        return len(self._begin) - 1

    def leave(self, call: int, entry_index: int) -> None:
        """Record that nobody waits for a call from this entry on; NONE is not a call."""
        if call != NONE and self._left[call] == NONE:
            self._left[call] = entry_index

    def end(self, call: int, event: ActionEvent, entry_index: int, offset: int, size: int) -> None:
        """Record how a call ended, if the line says so. The first one that does counts."""
        result = result_of(event)
        if result is not None and self._end[call] == NONE:
            self._end[call], self._result[call], self._end_time[call] = entry_index, result, microseconds_of(event.time)
            self._end_offset[call], self._end_size[call] = offset, size

    def end_of(self, begin: int, entry_count: int) -> CallEnd | None:
        """Return how the call that begins with the entry ``begin`` ended in the first ``entry_count`` entries."""
        call = self._call_at(begin)
        if call == NONE or not 0 <= self._end[call] < entry_count:
            return None
        end = CallResult(self._result[call])
        return CallEnd(end, self._end_time[call], self._end_offset[call], self._end_size[call])

    def is_running(self, begin: int, entry_count: int) -> bool:
        """Return whether the call that begins with the entry ``begin`` is waited for after ``entry_count`` entries."""
        call = self._call_at(begin)
        return call != NONE and not 0 <= self._left[call] < entry_count

    def _call_at(self, begin: int) -> int:
        call = bisect_left(self._begin, begin)
        return call if call < len(self._begin) and self._begin[call] == begin else NONE


def result_of(event: ActionEvent) -> CallResult | None:
    """Return how a call ended, as its last line says; None if that does not say it."""
    if event.failed:
        return CallResult.FAILED
    return {CALL_DONE: CallResult.DONE, CALL_INTERRUPTED: CallResult.INTERRUPTED}.get(event.ended or "")
