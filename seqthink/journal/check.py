"""Holds a journal against its contract (journal.md), line by line; which lines cannot be read, the reader decides."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from seqthink.events import EndEvent, Event, SessionEvent, UnreadEvent
from seqthink.journal.decode import LONG_BYTES, is_utf8
from seqthink.journal.source import JournalFile
from seqthink.journal.walk import Walked, walk

_SHORT = 1 << 20
_SHOWN = 40
_PLAIN = re.compile(rb'{"v":\d+,"seq":\d+,"time":"[^"]{19}\.\d{6}Z","type":')
_SPACED = re.compile(rb'\s*{\s*"v"\s*:\s*\d+\s*,\s*"seq"\s*:\s*\d+\s*,\s*"time"\s*:\s*"[^"]{19}\.\d{6}Z"\s*,\s*"type"')
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"(\s*+:)?', re.DOTALL)
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class Finding(NamedTuple):
    """Something about one line: wrong, or only worth knowing."""

    number: int
    offset: int
    what: str
    is_wrong: bool = True


class Check:
    """One look at a journal from its beginning to its end; the counts are whole when all findings have been taken."""

    def __init__(self, file: JournalFile, *, is_live: bool = False) -> None:
        self.lines = self.unread = self.wrong = self.notes = 0
        self._file = file
        self._is_live = is_live
        self._order = _Order()

    def findings(self) -> Iterator[Finding]:
        """Yield what there is to say, in the order of the lines."""
        for line in walk(self._file):
            self.lines += 1
            for what, is_wrong in self._judge(line):
                self.wrong += is_wrong
                self.notes += not is_wrong
                yield Finding(line.number, line.offset, what, is_wrong)

    def _judge(self, line: Walked) -> Sequence[tuple[str, bool]]:
        event = line.event
        if event is None:
            self._order.miss()
            return [(line.reason, not (line.is_torn and self._is_live))]
        if isinstance(event, UnreadEvent):
            self.unread += 1
            self._order.miss()
            return ()
        found = self._order.take(event)
        return found if is_plain(line.data) else [*found, *spelling(line.data)]


class _Order:
    """What the events of a journal must be to one another."""

    def __init__(self) -> None:
        self._seq = 0
        self._missed = 0
        self._time: datetime | None = None
        self._has_begun = self._has_ended = False

    def miss(self) -> None:
        """Take in a line of which nothing is known: one ``seq`` may have been its own."""
        self._missed += 1

    def take(self, event: Event) -> list[tuple[str, bool]]:
        """Return what there is to say of the place of ``event``, which comes next."""
        found = [(what, True) for what in (self._place(event.seq), self._turn(event)) if what]
        before = self._time
        if before is not None and event.time < before:
            found.append((f"the clock goes back by {before - event.time}", False))
        self._seq, self._missed, self._time = event.seq, 0, event.time
        return found

    def _place(self, seq: int) -> str:
        if self._seq < seq <= self._seq + 1 + self._missed:
            return ""
        if seq > self._seq:
            return f"seq {seq} after {self._seq}: {seq - self._seq - 1 - self._missed} missing"
        return f"seq {seq} a second time" if seq == self._seq else f"seq {seq} after {self._seq}"

    def _turn(self, event: Event) -> str:
        has_begun, has_ended = self._has_begun, self._has_ended
        self._has_begun, self._has_ended = True, isinstance(event, EndEvent)
        if isinstance(event, SessionEvent):
            return "another `session` that is not `resumed`" if has_begun and not event.resumed else ""
        if not has_begun:
            return "the first event is no `session`"
        return "an event after `end`, and no `session` that resumes" if has_ended else ""


def is_plain(data: bytes) -> bool:
    """Whether a line is written as the server writes: nothing in it is there twice, or not UTF-8."""
    try:
        return _PLAIN.match(data) is not None and len(data) <= _SHORT and _encode(_decode(data)) == data
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


def spelling(data: bytes) -> list[tuple[str, bool]]:
    """Return what there is to say of the bytes of a line that is read all the same."""
    found: list[tuple[str, bool]] = []
    if not is_utf8(data):
        found.append(("not UTF-8: readers differ on the line", True))
    twice = _key_twice(data)
    if twice is not None:
        found.append((f"the key `{twice[:_SHOWN]}` twice: readers differ on the line", True))
    if not _SPACED.match(data):
        found.append(("does not begin with `v`, `seq`, `time` (UTC, microseconds, Z), `type`", False))
    return found


def _without_long_value(found: re.Match[bytes]) -> bytes:
    """Return a string of a line, or an empty one for a long one that is no key: it says nothing about keys."""
    is_long = found.end() - found.start() > LONG_BYTES
    return b'""' if is_long and found[1] is None else found[0]


class _TwiceError(ValueError):
    def __init__(self, key: str) -> None:
        self.key = key


def _key_twice(data: bytes) -> str | None:
    if len(data) > LONG_BYTES:
        data = _STRING.sub(_without_long_value, data)
    try:
        json.loads(data.decode("utf-8", "replace"), object_pairs_hook=_once)
    except _TwiceError as error:
        return error.key
    except (ValueError, RecursionError):
        return None
    return None


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _TwiceError(key)
        seen.add(key)
