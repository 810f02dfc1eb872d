"""Resuming a session: finds its journal and reads it back for the server (docs/journal.md, "Resume").

Only the standard library is loaded until a journal is actually resumed, because every server imports this. Then the
journal is read as a stream with the readers' decoder; lines that do not decode are skipped, as by every reader.
"""

import errno
import json
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

from seqthink.core import system
from seqthink.core.errors import CorruptLineError, JournalInUseError, UsageError
from seqthink.journal.folder import SUFFIX, is_journal
from seqthink.journal.lines import LineBuffer
from seqthink.journal.locked_journal import LockedJournal, Sleep

_HEAD_BYTES = 1 << 16
"""How many bytes are read for the first line."""
_TAIL_BYTES = 1 << 18
"""How many bytes are read for the last event."""


class ResumeResult(NamedTuple):
    """What the next writer needs to know of the journal."""

    seq: int
    """The last ``seq``; the next event gets the one after it."""
    torn_bytes: int
    """Bytes of the torn tail that were cut off."""


class ResumableJournal(Protocol):
    """A journal that can be read and cut."""

    def chunks(self) -> Iterator[bytes]:
        """Yield its bytes in chunks from the beginning."""
        ...

    def truncate(self, end: int) -> int:
        """Cut it to ``end`` bytes and return how many were removed."""
        ...


def read_events(file: ResumableJournal, on_event: Callable[[Mapping[str, Any], int, int], object]) -> ResumeResult:
    """Read all events of a journal and cut off its torn tail.

    Args:
        file: the journal, open and locked.
        on_event: called with each event's fields, and with the offset and size of its line in bytes.

    Raises:
        OSError: the file cannot be read or truncated.
    """
    from msgspec.structs import asdict  # noqa: PLC0415 - loaded only for a resume

    from seqthink.core.events import UnknownEvent  # noqa: PLC0415 - loaded only for a resume
    from seqthink.journal.decode import decode  # noqa: PLC0415 - loaded only for a resume

    buffer, seq, count = LineBuffer(), 0, 0
    for chunk in file.chunks():
        for line in buffer.feed(chunk):
            count += 1
            try:
                event = decode(line.data)
            except CorruptLineError:
                continue
            if isinstance(event, UnknownEvent):
                continue
            seq = max(seq, event.seq)
            on_event({"type": event.__struct_config__.tag, **asdict(event)}, line.offset, len(line.data))
    # Lines that cannot be read had a `seq`, too: continue above the highest one read and above the count of lines.
    return ResumeResult(max(seq, count), file.truncate(buffer.offset))


def find_journal(folder: Path, wanted: str) -> Path:
    """Return the journal in ``folder`` whose session id is ``wanted`` or begins with it.

    Raises:
        UsageError: there is none, or more than one.
    """
    names = sorted(path.name.removesuffix(SUFFIX) for path in _journals(folder))
    matches = [wanted] if wanted in names else [name for name in names if name.startswith(wanted)]
    if not matches:
        raise UsageError(
            f"no session {wanted!r} in {folder}; `seqthink sessions --sources journal` lists those that exist"
        )
    if len(matches) > 1:
        some = f"{', '.join(matches[:3])}{', …' * (len(matches) > 3)}"
        raise UsageError(f"session {wanted!r} is ambiguous: it could be {some}; type more of it")
    return folder / f"{matches[0]}{SUFFIX}"


def open_session(folder: Path, wanted: str, sleep: Sleep) -> tuple[str, LockedJournal]:
    """Open the journal in ``folder`` whose session id is ``wanted`` or begins with it; return the whole id, too.

    Raises:
        JournalInUseError: another server writes it.
        UsageError: there is none, or more than one, or the file is not a journal.
    """
    path = find_journal(folder, wanted)
    try:
        file = LockedJournal.open(path, sleep)
    except OSError as error:
        why = "it is a link" if error.errno == errno.ELOOP else error.strerror
        raise UsageError(f"cannot resume {path}: {why}") from error
    if not _looks_like_a_journal(file):
        file.close()
        raise UsageError(f"cannot resume {path}: it is not a seqthink journal; name another session")
    return path.name.removesuffix(SUFFIX), file


def open_newest(folder: Path, cwd: str, sleep: Sleep) -> tuple[str, LockedJournal] | None:
    """Open the newest session begun in the working folder ``cwd`` that no server is writing; return its id, too."""
    dated = [(time, path) for path in _journals(folder) if (time := _last_event_time(path, cwd)) is not None]
    for _, path in sorted(dated, reverse=True):
        try:
            return path.name.removesuffix(SUFFIX), LockedJournal.open(path, sleep)
        except (JournalInUseError, OSError):
            continue
    return None


def _journals(folder: Path) -> Iterator[Path]:
    try:
        paths = list(folder.iterdir())
    except OSError:
        return
    yield from (path for path in paths if is_journal(path.name))


def _last_event_time(path: Path, cwd: str) -> datetime | None:
    """Return the time of the last event if the session began in ``cwd``; None for any other file."""
    try:
        descriptor = os.open(path, system.READ | system.NO_LINK)
    except OSError:
        return None
    try:
        first = _parse_event_line(system.pread(descriptor, _HEAD_BYTES, 0).partition(b"\n")[0])
        if first is None or first.fields.get("type") != "session" or first.fields.get("cwd") != cwd:
            return None
        size = os.fstat(descriptor).st_size
        tail = system.pread(descriptor, _TAIL_BYTES, max(0, size - _TAIL_BYTES))
        parsed_lines = (_parse_event_line(line) for line in reversed(tail.split(b"\n")))
        return next((parsed.time for parsed in parsed_lines if parsed is not None), first.time)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _looks_like_a_journal(file: LockedJournal) -> bool:
    """Whether one of the first lines looks like an event, or the only line is torn and could be one."""
    *lines, rest = next(file.chunks(), b"").split(b"\n")
    return any(map(_parse_event_line, lines)) or (not lines and rest[:1] in {b"", b"{"})


class _ParsedLine(NamedTuple):
    """The time and fields of a line that looks like an event."""

    time: datetime
    fields: Mapping[str, Any]


def _parse_event_line(line: bytes) -> _ParsedLine | None:
    """Parse a line if it looks like an event, else return None. Avoids the decoder, which is slow to import."""
    try:
        value: Any = json.loads(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, Any]", value)
    try:
        time = datetime.fromisoformat(str(fields.get("time")))
    except ValueError:
        return None
    is_event = type(fields.get("v")) is int and fields["v"] == 1 and type(fields.get("seq")) is int
    return _ParsedLine(time, fields) if is_event and time.tzinfo is not None else None
