"""Going on in a journal that exists: which one, and what a server must know of it (journal.md, promise 5).

Standard library only: this runs in a server that loads nothing else. A journal is read as a stream; lines that do not
decode are passed over, as by every reader.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from seqthink.errors import JournalInUseError, UsageError
from seqthink.journal.file import JournalFile, Pause
from seqthink.journal.folder import SUFFIX, is_journal
from seqthink.journal.lines import LineBuffer

_HEAD = 1 << 16
_TAIL = 1 << 18

Event = Mapping[str, Any]


class Resumed(NamedTuple):
    """What a read journal says to its next writer."""

    seq: int
    torn: int


def read(file: JournalFile, recall: Callable[[Event], None]) -> Resumed:
    """Hand every event to ``recall``, cut a torn tail off, and return the last ``seq`` and the bytes cut.

    Raises:
        OSError: the file cannot be read or cut.
    """
    buffer, seq, count = LineBuffer(), 0, 0
    for chunk in file.chunks():
        for line in buffer.feed(chunk):
            count += 1
            event = _event(line.data)
            if event is not None:
                seq = max(seq, cast("int", event["seq"]))
                recall(event)
    # A corrupt line once had a `seq` too: the next one lies above both what was read and what was counted.
    return Resumed(max(seq, count), file.cut(buffer.offset))


def find(folder: Path, wanted: str) -> Path:
    """Return the journal in ``folder`` whose id is ``wanted`` or begins with it.

    Raises:
        UsageError: none or several are.
    """
    names = sorted(path.name.removesuffix(SUFFIX) for path in _journals(folder))
    matches = [wanted] if wanted in names else [name for name in names if name.startswith(wanted)]
    if not matches:
        raise UsageError(f"no session {wanted!r} in {folder}")
    if len(matches) > 1:
        raise UsageError(f"session {wanted!r} is ambiguous: {', '.join(matches[:3])}{', …' * (len(matches) > 3)}")
    return folder / f"{matches[0]}{SUFFIX}"


def open_last(folder: Path, cwd: str, pause: Pause) -> tuple[str, JournalFile] | None:
    """Open the newest session of the working folder ``cwd`` that no live server writes, and return its id with it."""
    dated = [(moment, path) for path in _journals(folder) if (moment := _last_moment(path, cwd))]
    for _, path in sorted(dated, reverse=True):
        try:
            return path.name.removesuffix(SUFFIX), JournalFile.open(path, pause)
        except (JournalInUseError, OSError):
            continue
    return None


def _journals(folder: Path) -> Iterator[Path]:
    try:
        paths = list(folder.iterdir())
    except OSError:
        return
    yield from (path for path in paths if is_journal(path.name))


def _last_moment(path: Path, cwd: str) -> str:
    """Return the time of the last event of a session that began in ``cwd``; empty for any other file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ""
    try:
        first = _event(os.pread(descriptor, _HEAD, 0).partition(b"\n")[0])
        if first is None or first.get("type") != "session" or first.get("cwd") != cwd:
            return ""
        size = os.fstat(descriptor).st_size
        tail = os.pread(descriptor, _TAIL, max(0, size - _TAIL))
        events = (_event(line) for line in reversed(tail.split(b"\n")))
        last = next((event for event in events if event is not None), first)
        return str(last.get("time", ""))
    except OSError:
        return ""
    finally:
        os.close(descriptor)


def _event(line: bytes) -> Event | None:
    """Return one line's event, or ``None`` when it is corrupt or of a later version."""
    try:
        value: Any = json.loads(line.decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    event = cast("dict[str, Any]", value)
    return event if event.get("v") == 1 and type(event.get("seq")) is int else None
