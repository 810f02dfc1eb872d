"""Reads the lines of one of our own journals as it grows, for joining it with a transcript."""

from pathlib import Path
from typing import NamedTuple

from seqthink.core.errors import CorruptLineError
from seqthink.journal.decode import decode
from seqthink.journal.peek import first_session_event
from seqthink.sources.transcripts.call_keys import JournalLine
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.files.json_lines import decode_object, microseconds_of_text
from seqthink.sources.transcripts.files.tail import JsonlTail
from seqthink.sources.transcripts.registry import descriptions

READ_BYTES = 4 << 20
"""Bytes of a journal that are read at a time."""
_MAX_LINE_BYTES = 256 << 20
_HEAD_FIELDS = frozenset({"v", "seq", "time", "type"})


class JoinedJournal:
    """Reads one journal from its beginning.

    Args:
        path: the journal.
        number: which of the session's journals it is, counted from 0.
    """

    def __init__(self, path: Path, number: int) -> None:
        self.path = path
        self.number = number
        self._tail = JsonlTail(path, wants=bool, max_line_bytes=_MAX_LINE_BYTES)
        self.counts = ReadCounts()
        """What became of its lines so far."""
        self.has_ended = False
        """Whether its server ended and none has resumed it since."""
        self.was_replaced = False
        """Whether the journal was replaced or cut short: what was read before is void."""

    def read(self, max_bytes: int | None = None) -> list[JournalLine]:
        """Return the lines that were added since; none if the journal cannot be read. Corrupt lines are left out.

        ``max_bytes`` is about how many bytes are read; None for all.
        """
        lines: list[JournalLine] = []
        at_end = False
        while not at_end:
            try:
                found = self._tail.read(READ_BYTES if max_bytes is None else max_bytes)
            except OSError:
                break
            at_end = found.at_end or max_bytes is not None
            self.was_replaced = self.was_replaced or found.restarted
            self.counts.too_long += found.too_long
            lines += (line for raw in found.lines if (line := self._decoded(raw)) is not None)
        return lines

    def _decoded(self, raw: bytes) -> JournalLine | None:
        try:
            decode(raw)
        except CorruptLineError:
            self.counts.corrupt += 1
            return None
        value = decode_object(raw) or {}
        seq, kind, time = value.get("seq"), value.get("type"), microseconds_of_text(value.get("time"))
        if value.get("v") != 1 or not isinstance(seq, int) or not isinstance(kind, str) or time is None:
            self.counts.unknown += 1
            return None
        if kind in {"session", "end"}:
            self.has_ended = kind == "end"
        fields = {name: item for name, item in value.items() if name not in _HEAD_FIELDS and item is not None}
        return JournalLine(self.number, seq, time, kind, fields)


class FirstCall(NamedTuple):
    """The first call in a journal."""

    source: str
    """Name of the source whose transcripts may hold it."""
    line: JournalLine


_HEAD_BYTES = 256 << 10


def first_call(path: Path) -> FirstCall | None:
    """Return the first accepted call of a journal; None if there is none, or its client writes no transcript."""
    session = first_session_event(path)
    client = (session.client.name if session is not None and session.client is not None else "").lower()
    source = next((one.name for one in descriptions() if f"{client} ".startswith(one.mcp_names)), None)
    if source is None or session is None or session.source not in {None, "tap"}:
        return None
    tail = JoinedJournal(path, 0)
    thoughts = (line for line in tail.read(_HEAD_BYTES) if line.kind == "thought")
    line = next(thoughts, None)
    return FirstCall(source, line) if line is not None else None
