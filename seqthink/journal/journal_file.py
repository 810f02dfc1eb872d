"""An open journal file, read by byte range: texts stay in the file until they are needed."""

import errno
import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol, Self

from seqthink.core import system
from seqthink.core.errors import CorruptLineError, JournalNotFoundError, NotAJournalError, UnreadableJournalError
from seqthink.core.events import Event, UnknownEvent
from seqthink.journal.decode import EventPreview, LineDecoder, decode

PROBE_BYTES = 64 << 10
"""How much of a file is read to find out whether it is a journal."""
_MAX_READ_BYTES = 1 << 30
"""How much is asked for at a time: macOS refuses from 2 GiB on, Linux gives no more."""


class EventSource(Protocol):
    """Where events can be read again: the journal file, or a copy of what arrived on a pipe."""

    def read_event(self, offset: int, size: int) -> Event | UnknownEvent:
        """Return the event whose line begins at ``offset`` and is ``size`` bytes long, newline not counted.

        Raises:
            CorruptLineError: there is no event there any more, because the file was rewritten.
            OSError: the file cannot be read.
        """
        ...

    def read_preview(self, offset: int, size: int) -> EventPreview:
        """Return the same event with only the beginning of a long thought's text. Raises the same errors."""
        ...

    def read_text(self, offset: int, size: int) -> Iterator[str]:
        """Yield the text of a thought in pieces. Raises the same errors."""
        ...

    def close(self) -> None:
        """Close the file. It also closes when the last reference to it is dropped."""
        ...


class JournalFile:
    """A journal open for reading; it stays readable after the file was renamed or deleted."""

    def __init__(self, fd: int, decode: LineDecoder = decode) -> None:
        self.decode = decode
        self._fd = fd
        # Closed when the last reference is dropped: a batch that is not drawn yet may still need a journal that was
        # replaced. A descriptor closed too early could by then belong to another file.
        self._finalizer = weakref.finalize(self, os.close, fd)

    @classmethod
    def open(cls, path: Path, decode: LineDecoder = decode) -> Self:
        """Open the journal at ``path``.

        Raises:
            OSError: the file does not exist, cannot be opened, or is not a regular file.
        """
        fd = os.open(path, system.READ)
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            os.close(fd)
            code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(code, "is a folder" if stat.S_ISDIR(mode) else "is not a regular file", str(path))
        return cls(fd, decode)

    def read_event(self, offset: int, size: int) -> Event | UnknownEvent:
        """Return the event whose line begins at ``offset`` and is ``size`` bytes long (see `EventSource`)."""
        return self.decode(self.read_bytes(offset, size))

    def read_preview(self, offset: int, size: int) -> EventPreview:
        """Return that event with only the beginning of a long thought's text (see `EventSource`)."""
        return self.decode.preview(self.read_bytes(offset, size))

    def read_text(self, offset: int, size: int) -> Iterator[str]:
        """Yield the text of a thought in pieces (see `EventSource`)."""
        return self.decode.text_pieces(self.read_bytes(offset, size))

    def read_bytes(self, offset: int, size: int) -> bytes:
        """Return ``size`` bytes from ``offset``, fewer only at the end of the file."""
        first = system.pread(self._fd, min(size, _MAX_READ_BYTES), offset)
        if len(first) == size or not first:
            return first
        # One call may return less than there is: network file systems stop anywhere.
        parts, got = [first], len(first)
        while got < size and (part := system.pread(self._fd, min(size - got, _MAX_READ_BYTES), offset + got)):
            parts.append(part)
            got += len(part)
        return b"".join(parts)

    def try_shared_lock(self) -> bool:
        """Lock the journal against servers until it is closed, without waiting; return False if one is writing it.

        A server holds an exclusive lock (docs/journal.md, "One writer"). Readers do not mistake one another for one.

        Raises:
            OSError: the system cannot lock this file.
        """
        return system.try_shared_lock(self._fd)

    def will_be_read(self) -> None:
        """Advise the system that the whole file is read soon, which matters where it has to come from a disk."""
        if hasattr(os, "posix_fadvise"):
            with suppress(OSError):
                os.posix_fadvise(self._fd, 0, 0, os.POSIX_FADV_WILLNEED)

    def stat(self) -> os.stat_result:
        """Return the status of the open file."""
        return os.fstat(self._fd)

    def close(self) -> None:
        """Close the file. Calling it again does nothing."""
        self._finalizer()


def require_journal(path: Path) -> None:
    """Raise unless the file at ``path`` is a journal: one of its first lines decodes, or it has no complete line yet.

    Raises:
        JournalNotFoundError: the file is missing.
        NotAJournalError: it is not a regular file, or holds something else.
        UnreadableJournalError: the operating system does not let it be read.
    """
    try:
        file = JournalFile.open(path)
    except FileNotFoundError:
        raise JournalNotFoundError(f"{path}: no such file; name a session or a journal (.jsonl)") from None
    except OSError as error:
        kind = NotAJournalError if error.errno in {errno.EISDIR, errno.EINVAL} else UnreadableJournalError
        raise kind(f"{path}: {_reason(error)}; name a session or a journal (.jsonl)") from error
    try:
        if not looks_like_a_journal(file):
            raise NotAJournalError(f"{path} is not a seqthink journal; name a session or a file that `serve` wrote")
    except OSError as error:
        raise UnreadableJournalError(f"{path}: {_reason(error)}; name a session or a journal (.jsonl)") from error
    finally:
        file.close()


def holds_events(path: Path) -> bool:
    """Whether one of the first lines of the file at ``path`` is an event.

    Raises:
        OSError: the file cannot be read.
    """
    file = JournalFile.open(path)
    try:
        return any(_is_event(line) for line in file.read_bytes(0, PROBE_BYTES).split(b"\n"))
    finally:
        file.close()


def looks_like_a_journal(file: JournalFile) -> bool:
    """Whether one of the first complete lines is an event, or the only line is torn and may become one."""
    head = file.read_bytes(0, PROBE_BYTES)
    *lines, rest = head.split(b"\n")
    if any(_is_event(line) for line in lines):
        return True
    return not lines and (not rest or rest.lstrip()[:1] == b"{")


def _is_event(line: bytes) -> bool:
    try:
        decode(line)
    except CorruptLineError:
        return False
    return True


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
