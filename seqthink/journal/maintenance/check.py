"""Checks a journal line by line against its format (docs/journal.md, "Lines").

Whether a line can be read at all is decided by the reader, so that check and viewer never disagree.
"""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from seqthink.core.events import EndEvent, Event, SessionEvent, UnknownEvent
from seqthink.journal.decode import LONG_LINE_BYTES, is_utf8
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.maintenance.walk import WalkedLine, walk

_MAX_CANONICAL_BYTES = 1 << 20
"""A longer line is not compared with its canonical form, but parsed for duplicate keys."""
_MAX_KEY_CHARS = 40
"""Characters of a duplicate key that a finding shows."""
_CANONICAL_START = re.compile(rb'{"v":\d+,"seq":\d+,"time":"[^"]{19}\.\d{6}Z","type":')
_ORDERED_START = re.compile(
    rb'\s*{\s*"v"\s*:\s*\d+\s*,\s*"seq"\s*:\s*\d+\s*,\s*"time"\s*:\s*"[^"]{19}\.\d{6}Z"\s*,\s*"type"'
)
_STRING = re.compile(rb'"(?>(?:[^"\\]++|\\.)*)"(\s*+:)?', re.DOTALL)
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class JournalFinding(NamedTuple):
    """A remark about one line."""

    line_number: int
    """Number of the line, from 1."""
    offset: int
    """Byte offset of the line."""
    message: str
    """The remark, in words."""
    is_error: bool = True
    """Whether the line is wrong, and not only remarkable."""


class JournalCheck:
    """Checks one journal from beginning to end. The counts are complete once all findings have been consumed.

    Args:
        file: the journal.
        is_live: whether a server may be writing it, so that a torn last line is not an error.
    """

    def __init__(self, file: JournalFile, *, is_live: bool = False) -> None:
        self.line_count = self.unknown_count = self.error_count = self.remark_count = 0
        """Numbers of lines, of lines of an unknown type or version, of errors, and of other findings."""
        self._file = file
        self._is_live = is_live
        self._order = _OrderCheck()

    def findings(self) -> Iterator[JournalFinding]:
        """Yield the findings in the order of the lines."""
        for line in walk(self._file):
            self.line_count += 1
            for message, is_error in self._check_line(line):
                self.error_count += is_error
                self.remark_count += not is_error
                yield JournalFinding(line.line_number, line.offset, message, is_error)

    def _check_line(self, line: WalkedLine) -> Sequence[tuple[str, bool]]:
        event = line.event
        if event is None:
            self._order.skip_line()
            return [(line.reason, not (line.is_torn and self._is_live))]
        if isinstance(event, UnknownEvent):
            self.unknown_count += 1
            self._order.skip_line()
            return ()
        found = self._order.check(event)
        return found if is_canonical(line.data) else [*found, *encoding_findings(line.data)]


class _OrderCheck:
    """Checks each event against the ones before it: ``seq``, time, `session` and `end`."""

    def __init__(self) -> None:
        self._seq = 0
        self._unread_count = 0
        self._time: datetime | None = None
        self._has_begun = self._has_ended = False
        self._is_transcript = False

    def skip_line(self) -> None:
        """Count a line that cannot be read: one ``seq`` may be missing because of it."""
        self._unread_count += 1

    def check(self, event: Event) -> list[tuple[str, bool]]:
        """Return the (message, is_error) pairs about the order of ``event``, the next one."""
        found = [(message, True) for message in (self._check_seq(event.seq), self._check_session(event)) if message]
        before = self._time
        # The lines of a transcript have the times of what they report, and several agents report.
        if before is not None and event.time < before and not self._is_transcript:
            found.append((f"the clock goes back by {before - event.time}", False))
        self._seq, self._unread_count, self._time = event.seq, 0, event.time
        return found

    def _check_seq(self, seq: int) -> str:
        if self._seq < seq <= self._seq + 1 + self._unread_count:
            return ""
        if seq > self._seq:
            return f"seq {seq} after {self._seq}: {seq - self._seq - 1 - self._unread_count} missing"
        return f"seq {seq} a second time" if seq == self._seq else f"seq {seq} after {self._seq}"

    def _check_session(self, event: Event) -> str:
        has_begun, has_ended = self._has_begun, self._has_ended
        self._has_begun, self._has_ended = True, isinstance(event, EndEvent)
        if isinstance(event, SessionEvent):
            self._is_transcript = event.source is not None and event.source != "tap"
            # What a transcript says later of a session (a title, a fork) is another one, too.
            is_stray = has_begun and not event.resumed and not self._is_transcript
            return "another `session` that is not `resumed`" if is_stray else ""
        if not has_begun:
            return "the first event is not a `session`"
        return "an event after `end` without a `session` that resumes" if has_ended else ""


def is_canonical(data: bytes) -> bool:
    """Whether a line is exactly as the server would write it; then it has no duplicate key and is UTF-8."""
    try:
        return (
            _CANONICAL_START.match(data) is not None
            and len(data) <= _MAX_CANONICAL_BYTES
            and _encode(_decode(data)) == data
        )
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False


def encoding_findings(data: bytes) -> list[tuple[str, bool]]:
    """Return the (message, is_error) pairs about the bytes of a line that can be read nevertheless."""
    found: list[tuple[str, bool]] = []
    if not is_utf8(data):
        found.append(("not UTF-8: readers may disagree on this line", True))
    duplicate = _duplicate_key(data)
    if duplicate is not None:
        found.append((f"the key `{duplicate[:_MAX_KEY_CHARS]}` twice: readers may disagree on this line", True))
    if not _ORDERED_START.match(data):
        found.append(("does not begin with `v`, `seq`, `time` (UTC, microseconds, Z), `type`", False))
    return found


def _without_long_value(found: re.Match[bytes]) -> bytes:
    """Return the matched string, but an empty one for a long value, which does not matter for duplicate keys."""
    is_long = found.end() - found.start() > LONG_LINE_BYTES
    return b'""' if is_long and found[1] is None else found[0]


class _DuplicateKeyError(ValueError):
    def __init__(self, key: str) -> None:
        self.key = key


def _duplicate_key(data: bytes) -> str | None:
    if len(data) > LONG_LINE_BYTES:
        data = _STRING.sub(_without_long_value, data)
    try:
        json.loads(data.decode("utf-8", "replace"), object_pairs_hook=_refuse_duplicates)
    except _DuplicateKeyError as error:
        return error.key
    except (ValueError, RecursionError):
        return None
    return None


def _refuse_duplicates(pairs: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _DuplicateKeyError(key)
        seen.add(key)
