"""An open journal: events by the place of their lines; texts stay in the file until they are asked for."""

import errno
import os
import stat
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol, Self

from seqthink.errors import CorruptLineError, JournalNotFoundError, NotAJournalError, UnreadableJournalError
from seqthink.events import Event, UnknownEvent
from seqthink.journal.decode import EventPreview, LineDecoder, decode

PROBE_BYTES = 64 << 10
_O_BINARY = getattr(os, "O_BINARY", 0)
_O_NONBLOCK = getattr(os, "O_NONBLOCK", 0)


class EventSource(Protocol):
    """Where the events of a batch can be read again: a file, or what came in on a pipe."""

    def read_event(self, offset: int, size: int) -> Event | UnknownEvent:
        """Return the event whose line begins at ``offset`` and is ``size`` bytes long, newline not counted.

        Raises:
            CorruptLineError: no event stands there any more: the file was rewritten.
            OSError: the file cannot be read.
        """
        ...

    def read_preview(self, offset: int, size: int) -> EventPreview:
        """Return the same event, of a long thought only the beginning of its text; it raises the same."""
        ...

    def read_text(self, offset: int, size: int) -> Iterator[str]:
        """Yield the text of a thought in pieces; it raises the same."""
        ...

    def close(self) -> None:
        """Let the file go; nothing can be read after that. A journal that nobody holds closes by itself."""
        ...


class JournalFile:
    """A file of events, read by byte range; it stays readable after it was renamed or deleted.

    ``decode`` makes events of its lines.
    """

    def __init__(self, fd: int, decode: LineDecoder = decode) -> None:
        self.decode = decode
        self._fd = fd
        # A batch that still waits to be drawn may hold the journal that was replaced since, so whoever
        # lets go last closes it: a descriptor closed too early could by then be another file's.
        self._finalizer = weakref.finalize(self, os.close, fd)

    @classmethod
    def open(cls, path: Path, decode: LineDecoder = decode) -> Self:
        """Return the journal file at ``path``, open.

        Raises:
            OSError: it is not there, cannot be opened, or is no regular file.
        """
        # Not blocking: opening a named pipe would wait for its writer.
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | _O_BINARY | _O_NONBLOCK)
        mode = os.fstat(fd).st_mode
        if not stat.S_ISREG(mode):
            os.close(fd)
            code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
            raise OSError(code, "is a folder" if stat.S_ISDIR(mode) else "is no regular file", str(path))
        return cls(fd, decode)

    def read_event(self, offset: int, size: int) -> Event | UnknownEvent:
        """Return the event whose line begins at ``offset`` and is ``size`` bytes long (see `Journal`)."""
        return self.decode(self.read_bytes(offset, size))

    def read_preview(self, offset: int, size: int) -> EventPreview:
        """Return that event, of a long thought only the beginning of its text (see `Journal`)."""
        return self.decode.preview(self.read_bytes(offset, size))

    def read_text(self, offset: int, size: int) -> Iterator[str]:
        """Yield the text of a thought in pieces (see `Journal`)."""
        return self.decode.text_pieces(self.read_bytes(offset, size))

    def read_bytes(self, offset: int, size: int) -> bytes:
        """Return up to ``size`` bytes from ``offset``; fewer only where the file ends."""
        first = os.pread(self._fd, size, offset)
        if len(first) == size or not first:
            return first
        # One call may give less than there is: Linux stops at 2 GiB, network file systems where they like.
        parts, got = [first], len(first)
        while got < size and (part := os.pread(self._fd, size - got, offset + got)):
            parts.append(part)
            got += len(part)
        return b"".join(parts)

    def fileno(self) -> int:
        """Return the descriptor, for calls that take one: it belongs to this object."""
        return self._fd

    def stat(self) -> os.stat_result:
        """Return what the system knows of the open file."""
        return os.fstat(self._fd)

    def close(self) -> None:
        """Let the file go; a second time does nothing."""
        self._finalizer()


def require_journal(path: Path) -> None:
    """Return when ``path`` can be shown as a journal: a line decodes, or nothing complete was written yet.

    Raises:
        JournalNotFoundError: it is missing.
        NotAJournalError: it is no regular file, or holds something else.
        UnreadableJournalError: the operating system does not let it be read.
    """
    try:
        file = JournalFile.open(path)
    except FileNotFoundError:
        raise JournalNotFoundError(f"{path}: no such file; name a session or a journal (.jsonl)") from None
    except OSError as error:
        kind = NotAJournalError if error.errno in {errno.EISDIR, errno.EINVAL} else UnreadableJournalError
        raise kind(f"{path}: {_why(error)}; name a session or a journal (.jsonl)") from error
    try:
        if not looks_like_a_journal(file):
            raise NotAJournalError(f"{path} is not a seqthink journal; name a session or a file that `serve` wrote")
    except OSError as error:
        raise UnreadableJournalError(f"{path}: {_why(error)}; name a session or a journal (.jsonl)") from error
    finally:
        file.close()


def holds_events(path: Path) -> bool:
    """Whether one of the first lines at ``path`` is an event.

    Raises:
        OSError: it cannot be read.
    """
    file = JournalFile.open(path)
    try:
        return any(_is_event(line) for line in file.read_bytes(0, PROBE_BYTES).split(b"\n"))
    finally:
        file.close()


def looks_like_a_journal(file: JournalFile) -> bool:
    """Whether one of the first complete lines is an event, or a torn one may still become one."""
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


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
