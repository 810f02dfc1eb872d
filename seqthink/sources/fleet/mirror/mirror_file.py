"""One session of a fleet as a file that grows as its machine's journal does.

A reader of the file never sees half a line, and no line twice: lines are appended in one write, and where the file has
to start again, another one takes its place.
"""

import os
import threading
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.sources.fleet.engine import Line

MAX_MIRROR_BYTES: Final = 1 << 30
"""A longer session is shown up to here."""
_PIECE_BYTES: Final = 1 << 20
_PRIVATE_MODE: Final = 0o600
_NEW_SUFFIX: Final = ".new"


class Position(NamedTuple):
    """How far a mirror has come."""

    generation: int
    """How often it started again."""
    last: int
    """Number of its last line; 0 without lines."""
    is_compared: bool
    """Whether the engine is known to have this line, too."""


class MirrorFile:
    """The file of one session. Any thread may call it.

    Args:
        path: where it is to be; its folder exists.
        max_bytes: how long it may become.
    """

    def __init__(self, path: Path, max_bytes: float = MAX_MIRROR_BYTES) -> None:
        self.path, self._max_bytes = path, max_bytes
        self.first = 0
        """Number of the first line in the file that is not the head; 0 without lines."""
        self.size = 0
        """Its size in bytes."""
        self.problem = ""
        """Why it does not grow any more, in words; empty if it does."""
        self._lock = threading.Lock()
        self._descriptor = -1
        self._generation = self._last = 0
        self._is_compared = self._has_head = self._has_holes = self._is_outdated = False
        self._last_digest = b""

    @property
    def has_holes(self) -> bool:
        """Whether lines are missing behind its first one."""
        return self._has_holes

    @property
    def position(self) -> Position:
        """How far it has come."""
        with self._lock:
            return Position(self._generation, self._last, self._is_compared)

    def append(self, lines: Sequence[Line], generation: int, head: bytes = b"") -> None:
        """Append the lines that are not there yet, unless the mirror has started again since ``generation``.

        Where lines are missing before the first of them, they are no longer kept: the file begins with it then, after
        the line ``head``.
        """
        with self._lock:
            if generation != self._generation or self.problem:
                return
            unseen = [line for line in lines if line.number > self._last] if self._last else list(lines)
            if not unseen:
                return
            if self._last and unseen[0].number > self._last + 1:
                self._outdate()
            if self._begin(head if unseen[0].number > 1 else b"") and self._write(_joined(unseen)):
                self.first = self.first or unseen[0].number
                self._has_holes |= unseen[-1].number - unseen[0].number >= len(unseen)
                self._last, self._last_digest = unseen[-1].number, digest_of(unseen[-1].text)

    def mark_compared(self, generation: int, *, is_same: bool) -> None:
        """Note that the engine has our last line; if it has another, the lines of the file are replaced by the next."""
        with self._lock:
            if generation != self._generation:
                return
            self._is_compared = is_same
            if not is_same:
                self._outdate()

    def forget_comparison(self) -> None:
        """Note that the engine may have become another since the last comparison."""
        with self._lock:
            self._is_compared = False

    def stop(self, problem: str) -> None:
        """Append nothing any more."""
        with self._lock:
            self.problem = problem

    def digest(self, number: int) -> bytes | None:
        """Return the digest of one line; None if it is not there, or cannot be found."""
        with self._lock:
            if number == self._last:
                return self._last_digest
            if not self.first <= number < self._last or self._has_holes or self._descriptor < 0:
                return None
            return _digest_of_line(self._descriptor, number - self.first + self._has_head)

    def close(self) -> None:
        """Delete the file. Calling it again does nothing."""
        with self._lock:
            if self._descriptor >= 0:
                os.close(self._descriptor)
                self._descriptor = -1
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)
            self.problem = self.problem or "it was closed"

    def _outdate(self) -> None:
        self._generation += 1
        self._is_outdated, self._has_holes = True, False
        self.first = self._last = self.size = 0

    def _begin(self, head: bytes) -> bool:
        """Make the file, in place of an outdated one; return whether it is there. Called with the lock."""
        if self._descriptor >= 0 and not self._is_outdated:
            return True
        self._has_head = bool(head)
        try:
            self._replace(head + b"\n" if head else b"")
        except OSError as error:
            self.problem = (error.strerror or str(error)).lower()
            return False
        self._is_outdated = False
        return True

    def _replace(self, beginning: bytes) -> None:
        if self._descriptor >= 0 and not system.HAS_POSIX_FILES:  # an open file cannot be replaced
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, beginning)
        else:
            new = self.path.with_name(self.path.name + _NEW_SUFFIX) if system.HAS_POSIX_FILES else self.path
            new.unlink(missing_ok=True)
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | system.OPEN | system.NO_LINK
            descriptor = os.open(new, flags, _PRIVATE_MODE)
            os.write(descriptor, beginning)
            if system.HAS_POSIX_FILES:
                new.rename(self.path)
            if self._descriptor >= 0:
                os.close(self._descriptor)
            self._descriptor = descriptor
        self.size = len(beginning)

    def _write(self, data: bytes) -> bool:
        if self.size + len(data) > self._max_bytes:
            self.problem = f"it is longer than {MAX_MIRROR_BYTES >> 30} GiB; `seqthink fetch` gets all of it"
            return False
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError as error:
            self.problem = (error.strerror or str(error)).lower()
            os.ftruncate(self._descriptor, self.size)
            return False
        self.size += len(data)
        return True


def digest_of(line: bytes) -> bytes:
    """Return what distinguishes a line from others."""
    return blake2b(line, digest_size=16).digest()


def _joined(lines: Sequence[Line]) -> bytes:
    """Return lines as a journal has them. One that holds a line feed is none; it stays one line all the same."""
    data = b"\n".join([line.text for line in lines]) + b"\n"
    if data.count(b"\n") == len(lines):
        return data
    return b"".join(line.text.replace(b"\n", b" ") + b"\n" for line in lines)


def _digest_of_line(descriptor: int, index: int) -> bytes | None:
    """Return the digest of the line with an index, from 0, in an open file."""
    offset, rest, parts = 0, index, list[bytes]()
    while piece := system.pread(descriptor, _PIECE_BYTES, offset):
        offset += len(piece)
        count = piece.count(b"\n")
        if count < rest:
            rest -= count
            continue
        start = 0
        for _ in range(rest):
            start = piece.index(b"\n", start) + 1
        rest = 0
        end = piece.find(b"\n", start)
        parts.append(piece[start:] if end < 0 else piece[start:end])
        if end >= 0:
            return digest_of(b"".join(parts))
    return None
