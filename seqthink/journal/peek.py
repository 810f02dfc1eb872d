"""Reads a journal's first and last events and tests whether its writer is running, without reading the rest."""

import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from seqthink.core.errors import CorruptLineError
from seqthink.core.events import Event, SessionEvent, ThoughtEvent, UnknownEvent, WriterState
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.foreign_writers import foreign_writer_state
from seqthink.journal.journal_file import JournalFile

_HEAD_BYTES = 64 << 10
"""How many bytes are searched for the first `session` event."""
_TAIL_BYTES = 4 << 10
"""Bytes of the first step backwards from the end; each step is four times as long, up to 1 MiB."""
_MAX_BACKWARD_BYTES = 64 << 20
_MAX_LINES_TRIED = 64
"""Bounds on the search for the last events, in bytes and in lines."""
# `v`, `seq` and `time` come first in every line (docs/journal.md, "Lines"), so the time of a long line can be read
# without decoding it.
_START_BYTES = 128
_SESSION_TYPE = b'"type":"session"'
_TIME = re.compile(rb'\{"v":\d+,"seq":\d+,"time":"([-0-9T:.]+Z)"')


def first_session_event(path: Path, decode: LineDecoder = decode) -> SessionEvent | None:
    """Return the first `session` event within the first 64 KiB; None if there is none or it cannot be read."""
    try:
        file = JournalFile.open(path)
    except OSError:
        return None
    try:
        lines = file.read_bytes(0, _HEAD_BYTES).split(b"\n")[:-1]
    except OSError:
        return None
    finally:
        file.close()
    for line in lines:
        try:
            event = decode(line)
        except CorruptLineError:
            continue
        if isinstance(event, SessionEvent):
            return event
    return None


def newest_session_event(path: Path, decode: LineDecoder = decode) -> SessionEvent | None:
    """Return the last `session` event, which says where the session is now; the first if finding it takes too long."""
    try:
        file = JournalFile.open(path)
    except OSError:
        return None
    try:
        for start, end in _lines_backwards(file):
            if _SESSION_TYPE not in file.read_bytes(start, min(end - start, _START_BYTES)):
                continue
            with suppress(CorruptLineError):
                event = decode(file.read_bytes(start, end - start))
                if isinstance(event, SessionEvent):
                    return event
    except OSError:
        pass
    finally:
        file.close()
    return first_session_event(path, decode)


def last_event_time(path: Path) -> datetime | None:
    """Return the time of the last complete event; None if finding it would take too long."""
    try:
        file = JournalFile.open(path)
    except OSError:
        return None
    try:
        for tried, (start, end) in enumerate(_lines_backwards(file)):
            time = _line_time(file, start, end)
            if time is not None or tried == _MAX_LINES_TRIED:
                return time
    except OSError:
        return None
    finally:
        file.close()
    return None


def last_events(path: Path, decode: LineDecoder = decode) -> list[Event]:
    """Return the newest thought and the events after it; only the last of them if reading back would take too long."""
    events: list[Event] = []
    try:
        file = JournalFile.open(path)
    except OSError:
        return events
    try:
        for start, end in islice(_lines_backwards(file), _MAX_LINES_TRIED):
            try:
                event = decode(file.read_bytes(start, end - start))
            except CorruptLineError:
                continue
            if not isinstance(event, UnknownEvent):
                events.append(event)
            if isinstance(event, ThoughtEvent):
                break
    except OSError:
        return []
    finally:
        file.close()
    return events[::-1]


def writer_state(path: Path, session_event: SessionEvent | None) -> WriterState:
    """Return whether the server that writes the journal at ``path`` is running.

    A running server holds a lock on its journal, which is tested. A lock says nothing about processes on another host;
    there the answer is UNKNOWN, unless who keeps the copy knows it (`seqthink.journal.foreign_writers`). So it is for a
    transcript that nobody is adding to, its agent may be waiting, unless who translates it knows more.
    """
    if session_event is None or session_event.imported:
        return WriterState.UNKNOWN
    is_transcript = session_event.source is not None and session_event.source != "tap"
    kept = foreign_writer_state(path)
    if kept is not None:
        return kept
    is_elsewhere = not is_transcript and session_event.host != socket.gethostname()
    found = WriterState.UNKNOWN if is_elsewhere else _state_by_lock(path)
    return WriterState.UNKNOWN if is_transcript and found is WriterState.GONE else found


def _state_by_lock(path: Path) -> WriterState:
    try:
        file = JournalFile.open(path)
    except OSError:
        return WriterState.UNKNOWN
    try:
        return WriterState.GONE if file.try_shared_lock() else WriterState.ALIVE
    except OSError:
        return WriterState.UNKNOWN
    finally:
        file.close()


def _line_time(file: JournalFile, start: int, end: int) -> datetime | None:
    match = _TIME.match(file.read_bytes(start, min(end - start, _START_BYTES)))
    if match:
        try:
            return datetime.fromisoformat(match[1].decode())
        except ValueError:
            return None
    if end - start > _MAX_BACKWARD_BYTES:
        return None
    try:
        event = decode(file.read_bytes(start, end - start))
    except CorruptLineError:
        return None
    return None if isinstance(event, UnknownEvent) else event.time


def _lines_backwards(file: JournalFile) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) byte offsets of the complete lines, last first, back to ``_MAX_BACKWARD_BYTES``."""
    size = start = file.stat().st_size
    step = _TAIL_BYTES
    end: int | None = None
    while start > 0 and size - start < _MAX_BACKWARD_BYTES:
        new_start = max(0, start - step)
        piece = file.read_bytes(new_start, start - new_start)
        cut = len(piece)
        while (cut := piece.rfind(b"\n", 0, cut)) >= 0:
            if end is not None:
                yield new_start + cut + 1, end
            end = new_start + cut
        start = new_start
        # Larger steps each time, for a long last line.
        step = min(step * 4, 1 << 20)
    if start == 0 and end is not None:
        yield 0, end
