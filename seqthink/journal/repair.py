"""A clean copy of a journal: what the reader reads of it, in an order and a spelling that the contract allows.

It folds to the same chains. What the reader skips is left out and ``seq`` counted anew, so what names a thought by its
``seq`` is led to the same thought again.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from seqthink.events import EndEvent, Event, SessionEvent, ThoughtEvent, UnreadEvent
from seqthink.journal.check import is_plain, spelling
from seqthink.journal.decode import parse
from seqthink.journal.encode import encode, spell
from seqthink.journal.source import JournalFile
from seqthink.journal.walk import Walked, walk

_SEQ = re.compile(rb'(\s*{\s*"v"\s*:\s*\d+\s*,\s*"seq"\s*:\s*)\d+')


class Repair:
    """Makes the clean copy of one journal; ``session`` is its id, should the line that says so be lost."""

    def __init__(self, file: JournalFile, session: str) -> None:
        self.left_out = self.rewritten = self.added = 0
        self._file = file
        self._session = session
        self._seq = 0
        self._has_begun = False
        self._end: tuple[bytes, EndEvent] | None = None
        self._thoughts = _Thoughts()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the copy, line feeds included."""
        for line in walk(self._file):
            yield from self._take(line)
        yield from self._finish()

    def _take(self, line: Walked) -> Iterator[bytes]:
        match line.event:
            case None:
                self.left_out += 1
            case UnreadEvent() as event:
                yield self._counted(line.data, event)
            case SessionEvent() as event:
                yield from self._finish()
                yield self._placed(line.data, event)
            case event:
                if not self._has_begun:
                    yield self._begin(event)
                if isinstance(event, EndEvent):
                    # It waits: an event that comes after it, and no resume between, is told before it.
                    self.left_out += self._end is not None
                    self._end = line.data, event
                else:
                    yield self._placed(line.data, event)

    def _begin(self, event: Event) -> bytes:
        """Return the `session` that is lost, as far as it is known."""
        self._seq, self.added, self._has_begun = self._seq + 1, 1, True
        return encode(self._seq, _in_utc(event.time), "session", {"session": self._session})

    def _finish(self) -> Iterator[bytes]:
        """Yield the `end` that waits, if there is one."""
        if self._end is not None:
            waiting, self._end = self._end, None
            yield self._placed(*waiting)

    def _counted(self, data: bytes, event: UnreadEvent) -> bytes:
        """Return the line of a type that is unknown here; with an unknown ``v``, nothing is known of its ``seq``."""
        self._seq += 1
        fields = _fields(data) if event.v == 1 else {}
        return data + b"\n" if fields.get("seq", self._seq) == self._seq else spell(fields | {"seq": self._seq})

    def _placed(self, data: bytes, event: Event) -> bytes:
        self._seq += 1
        changes: dict[str, Any] = {} if event.seq == self._seq else {"seq": self._seq}
        if isinstance(event, ThoughtEvent):
            self._thoughts.add(event.seq, self._seq)
        elif isinstance(event, SessionEvent):
            changes |= {"resumed": True} if self._has_begun and not event.resumed else {}
        elif not isinstance(event, EndEvent) and (of := getattr(event, "of", None)) is not None:
            led = self._thoughts.lead(of, self._seq)
            changes |= {"of": led} if led != of else {}
        self._has_begun = True
        return self._written(data, changes)

    def _written(self, data: bytes, changes: dict[str, Any]) -> bytes:
        if is_plain(data) or not any(is_wrong for _, is_wrong in spelling(data)):
            if not changes:
                return data + b"\n"
            placed = _SEQ.match(data)
            if changes.keys() == {"seq"} and placed:
                return b"%b%d%b\n" % (placed[1], changes["seq"], data[placed.end() :])
        self.rewritten += 1
        return spell(_fields(data) | changes)


class _Thoughts:
    """Where thoughts stood and where they stand."""

    def __init__(self) -> None:
        self._was, self._is = array("q"), array("q")

    def add(self, was: int, now: int) -> None:
        self._was.append(was)
        self._is.append(now)

    def lead(self, of: int, own: int) -> int:
        """Return what an event at ``own`` has to name to be attached as the fold attached it when it named ``of``."""
        found = _index(self._was, of)
        if found is not None:
            return self._is[found]
        # It was attached to nothing. No thought stands where the event itself does.
        return of if _index(self._is, of) is None else own


def _in_utc(time: datetime) -> datetime:
    """Return ``time`` in UTC; where the calendar begins or ends, the nearest that it has."""
    try:
        return time.astimezone(UTC)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if time.year == 1 else datetime.max.replace(tzinfo=UTC)


def _index(seqs: "array[int]", seq: int) -> int | None:
    index = bisect_left(seqs, seq)
    return index if index < len(seqs) and seqs[index] == seq else None


def _fields(data: bytes) -> dict[str, Any]:
    """Return what a line says, as readers take it."""
    return parse(data.decode("utf-8", "surrogatepass"))
