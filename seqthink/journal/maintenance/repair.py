"""Makes a clean copy of a journal: every readable line, in the right order and encoding (docs/journal.md, "Lines").

The copy folds to the same chains. Corrupt lines are left out and ``seq`` is renumbered; therefore the ``of`` of each
event is changed to the new ``seq`` of its thought.
"""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from seqthink.core.events import ActionEvent, EndEvent, Event, SessionEvent, ThoughtEvent, UnknownEvent
from seqthink.journal.decode import parse
from seqthink.journal.encode import encode, encode_line
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.check import encoding_findings, is_canonical
from seqthink.journal.maintenance.walk import WalkedLine, walk

_SEQ_FIELD = re.compile(rb'(\s*{\s*"v"\s*:\s*\d+\s*,\s*"seq"\s*:\s*)\d+')


class JournalRepair:
    """Makes the clean copy of one journal. The counts are complete once all lines have been consumed.

    Args:
        file: the journal.
        session: its id, for a `session` event in case it has none.
    """

    def __init__(self, file: JournalFile, session: str) -> None:
        self.dropped_count = self.rewritten_count = self.added_count = 0
        """Numbers of lines that were left out, re-encoded, and added."""
        self._file = file
        self._session = session
        self._seq = 0
        self._has_begun = False
        self._pending_end: tuple[bytes, EndEvent] | None = None
        self._seq_map = _SeqMap()

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the copy with their newlines."""
        for line in walk(self._file):
            yield from self._repair_line(line)
        yield from self._flush_end()

    def _repair_line(self, line: WalkedLine) -> Iterator[bytes]:
        match line.event:
            case None:
                self.dropped_count += 1
            case UnknownEvent() as event:
                yield self._renumbered_unknown(line.data, event)
            case SessionEvent() as event:
                yield from self._flush_end()
                yield self._renumbered(line.data, event)
            case event:
                if not self._has_begun:
                    yield self._missing_session_line(event)
                if isinstance(event, EndEvent):
                    # Hold it back: events after it without a resume in between are written before it.
                    self.dropped_count += self._pending_end is not None
                    self._pending_end = line.data, event
                else:
                    yield self._renumbered(line.data, event)

    def _missing_session_line(self, event: Event) -> bytes:
        """Return a `session` event in place of a lost one."""
        self._seq, self.added_count, self._has_begun = self._seq + 1, 1, True
        return encode(self._seq, _in_utc(event.time), "session", {"session": self._session})

    def _flush_end(self) -> Iterator[bytes]:
        """Yield the deferred `end`, if there is one."""
        if self._pending_end is not None:
            pending, self._pending_end = self._pending_end, None
            yield self._renumbered(*pending)

    def _renumbered_unknown(self, data: bytes, event: UnknownEvent) -> bytes:
        """Return the line of an unknown type with its new ``seq``; one of an unknown ``v`` stays as it is."""
        self._seq += 1
        fields = _fields(data) if event.v == 1 else {}
        return data + b"\n" if fields.get("seq", self._seq) == self._seq else encode_line(fields | {"seq": self._seq})

    def _renumbered(self, data: bytes, event: Event) -> bytes:
        self._seq += 1
        changes: dict[str, Any] = {} if event.seq == self._seq else {"seq": self._seq}
        if isinstance(event, ThoughtEvent | ActionEvent):
            self._seq_map.add(event.seq, self._seq)
        elif isinstance(event, SessionEvent):
            changes |= {"resumed": True} if self._has_begun and not event.resumed else {}
        elif not isinstance(event, EndEvent) and (of := getattr(event, "of", None)) is not None:
            new_of = self._seq_map.new_target(of, self._seq)
            changes |= {"of": new_of} if new_of != of else {}
        self._has_begun = True
        return self._encode_with(data, changes)

    def _encode_with(self, data: bytes, changes: dict[str, Any]) -> bytes:
        if is_canonical(data) or not any(is_error for _, is_error in encoding_findings(data)):
            if not changes:
                return data + b"\n"
            start = _SEQ_FIELD.match(data)
            if changes.keys() == {"seq"} and start:
                return b"%b%d%b\n" % (start[1], changes["seq"], data[start.end() :])
        self.rewritten_count += 1
        return encode_line(_fields(data) | changes)


class _SeqMap:
    """Maps the old ``seq`` of thoughts to the new one."""

    def __init__(self) -> None:
        self._old_seqs, self._new_seqs = array("q"), array("q")

    def add(self, old_seq: int, new_seq: int) -> None:
        self._old_seqs.append(old_seq)
        self._new_seqs.append(new_seq)

    def new_target(self, of: int, own_seq: int) -> int:
        """Return the new ``of`` that attaches the event with the new ``own_seq`` to the same thought as before."""
        found = _index(self._old_seqs, of)
        if found is not None:
            return self._new_seqs[found]
        # It was attached to nothing. Its own `seq` is certainly not that of a thought.
        return of if _index(self._new_seqs, of) is None else own_seq


def _in_utc(time: datetime) -> datetime:
    """Return ``time`` in UTC, or the first or last time of the calendar if it lies outside in UTC."""
    try:
        return time.astimezone(UTC)
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC) if time.year == 1 else datetime.max.replace(tzinfo=UTC)


def _index(seqs: "array[int]", seq: int) -> int | None:
    index = bisect_left(seqs, seq)
    return index if index < len(seqs) and seqs[index] == seq else None


def _fields(data: bytes) -> dict[str, Any]:
    """Return the fields of a line, decoded as the reader decodes them."""
    return parse(data.decode("utf-8", "surrogatepass"))
