"""Reads the complete lines of one JSON Lines file as it grows, each once, in constant memory.

The file is opened for each look and closed again, so that one which was replaced by another is noticed, and hundreds of
followed files hold no descriptors. It is opened for reading only, never locked, and never through a link.
"""

import errno
import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from seqthink.core import system
from seqthink.sources.transcripts.files.damaged_lines import GluedRecord

MAX_LINE_BYTES: Final = 16 << 20
"""A longer line is passed over."""
_CHUNK_BYTES: Final = 128 << 10
"""Bytes read at a time: few enough that the memory stays in the processor's cache."""
_MIN_HEAD_BYTES: Final = 512
"""A shorter beginning of a line does not yet show whether it is enough."""
_MAX_HEAD_BYTES: Final = 4096
_MAX_END_BYTES: Final = 64
"""How much of the file's beginning, and of the end of what was read, is kept to notice a rewritten file."""


class TailRead(NamedTuple):
    """What one look at a file brought."""

    lines: list[bytes]
    """The complete lines that were wanted, in order, without their newlines."""
    seen: int
    """How many complete lines there were, with those that were not wanted; empty ones are not counted."""
    too_long: int
    """How many lines were passed over because of their length."""
    damaged: int
    """How many lines that were returned cut had another record glued to them, which is returned as a line."""
    bytes_read: int
    at_end: bool
    """Whether the end of the file was reached."""
    restarted: bool
    """Whether the file was replaced or cut short: these are its first lines again."""


class JsonlTail:
    """Reads one file from its beginning."""

    def __init__(
        self,
        path: Path,
        wants: Callable[[bytes], bool],
        max_line_bytes: int = MAX_LINE_BYTES,
        is_head_enough: Callable[[bytes], bool] | None = None,
        record_start: bytes | None = None,
    ) -> None:
        """Read a file.

        Args:
            path: The file.
            wants: Says whether a line is returned.
            max_line_bytes: A longer line is passed over.
            is_head_enough: Called with the first bytes of a long line; returns whether nothing behind them is of use.
                Then the line may be returned cut, however long it is.
            record_start: How every record begins. A line that is returned cut is searched for it, since a crash may
                have glued another record to it, which is then a line of its own.
        """
        self.path = path
        """The file."""
        self.damaged = 0
        """How many damaged lines the next look has to count."""
        self._wants = wants
        self._is_head_enough = is_head_enough
        self._glued = GluedRecord(record_start, max_line_bytes)
        self._max_line_bytes = max_line_bytes
        self._last_look: tuple[int, int, int, int] | None = None
        self._start_over()

    def _start_over(self) -> None:
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._head = b""
        self._end = b""
        # The beginning of a line whose newline has not come yet; dropped once it is too long.
        self._torn: list[bytes] = []
        self._torn_bytes = 0
        self._is_cut = False
        # Of that line, what was read though its newline had not come.
        self._read_rest = b""
        self.damaged = 0
        self._glued.clear()

    def read(self, limit_bytes: int) -> TailRead:
        """Return the lines that end in the next ``limit_bytes`` bytes, at least one byte.

        Raises:
            OSError: the file is gone, cannot be read, is not a regular file, or is another user's.
        """
        look = _look_of(os.lstat(self.path))
        fd = open_own_file(self.path)
        try:
            restarted = self._is_another_file(fd)
            if restarted:
                self._start_over()
            status = os.fstat(fd)
            self._identity = (status.st_dev, status.st_ino)
            result = self.read_lines(
                lambda size: system.pread(fd, size, self._offset), limit_bytes, restarted=restarted
            )
        finally:
            os.close(fd)
        # The state from before the look: what is appended meanwhile is another state.
        self._last_look = look if result.at_end else None
        return result

    def is_unchanged(self) -> bool:
        """Return whether nothing was done to the file since it was read to its end; costs one `lstat`."""
        try:
            return self._last_look is not None and _look_of(os.lstat(self.path)) == self._last_look
        except OSError:
            return False

    def _is_another_file(self, fd: int) -> bool:
        status = os.fstat(fd)
        if self._identity is None:
            return False
        return (
            (status.st_dev, status.st_ino) != self._identity
            or status.st_size < self._offset
            or system.pread(fd, len(self._head), 0) != self._head
            or system.pread(fd, len(self._end), self._offset - len(self._end)) != self._end
        )

    def close(self) -> None:
        """Close what is open between two looks: nothing, but for a file that is read as a stream."""

    @property
    def rest(self) -> bytes:
        """The line at the end whose newline has not come; empty if it is too long, or was read."""
        rest = b"" if self._is_cut or self._torn_bytes > self._max_line_bytes else b"".join(self._torn)
        return b"" if rest.isspace() or rest == self._read_rest else rest

    def skip_rest(self, rest: bytes) -> None:
        """Leave this beginning of a line away when its newline comes: it was read."""
        self._read_rest = rest

    def read_lines(self, read: Callable[[int], bytes], limit_bytes: int, *, restarted: bool) -> TailRead:
        """Return the lines that end in the next bytes; ``read`` returns at most as many as it is asked for."""
        lines: list[bytes] = []
        seen = too_long = bytes_read = 0
        at_end = False
        left = max(limit_bytes, 1)
        while bytes_read < left:
            chunk = read(min(_CHUNK_BYTES, left - bytes_read))
            if not chunk:
                at_end = True
                break
            bytes_read += len(chunk)
            chunk = self._remember(chunk)
            complete, skipped = self._complete_lines(chunk)
            seen += len(complete)
            too_long += skipped
            lines += [line for line in complete if self._wants(line)]
        damaged, self.damaged = self.damaged, 0
        return TailRead(lines, seen, too_long, damaged, bytes_read, at_end, restarted)

    def _remember(self, chunk: bytes) -> bytes:
        """Note how far and what was read; return it without the byte order mark that an editor puts before a file."""
        is_first = not self._offset
        self._offset += len(chunk)
        if len(self._head) < _MAX_HEAD_BYTES:
            self._head += chunk[: _MAX_HEAD_BYTES - len(self._head)]
        self._end = (self._end + chunk[-_MAX_END_BYTES:])[-_MAX_END_BYTES:]
        return chunk.removeprefix(BOM_UTF8) if is_first else chunk

    def _complete_lines(self, chunk: bytes) -> tuple[list[bytes], int]:
        """Return the lines that ``chunk`` completes, and how many are too long."""
        first, newline, rest = chunk.partition(b"\n") if self._torn_bytes else (b"", b"\n", chunk)
        if not newline:
            self._hold_back(first)
            return [], 0
        *complete, torn = rest.split(b"\n")
        skipped = sum(len(line) > self._max_line_bytes for line in complete)
        if self._is_cut:
            self._glued.take(first)
            glued = self._glued.found()
            self.damaged += len(glued)
            complete[:0] = [self._torn[0], *glued]
        elif self._torn_bytes + len(first) > self._max_line_bytes:
            skipped += 1
        elif self._torn_bytes:
            complete.insert(0, b"".join((*self._torn, first)).removeprefix(self._read_rest))
        self._torn, self._torn_bytes, self._is_cut, self._read_rest = [], 0, False, b""
        self._glued.clear()
        self._hold_back(torn)
        return [line for line in complete if line and len(line) <= self._max_line_bytes and not line.isspace()], skipped

    def _hold_back(self, piece: bytes) -> None:
        is_first = not self._torn_bytes
        self._torn_bytes += len(piece)
        if self._is_cut:
            self._glued.take(piece)
            return
        if self._torn_bytes > self._max_line_bytes:
            self._torn = []
        elif piece:
            self._torn.append(piece)
        if is_first and len(piece) >= _MIN_HEAD_BYTES and self._is_head_enough is not None:
            self._is_cut = self._is_head_enough(piece)
            if self._is_cut:
                self._glued.take(piece[1:])


def open_own_file(path: Path) -> int:
    """Return a descriptor of a regular file of this user, open for reading; the caller closes it.

    Raises:
        OSError: it cannot be opened, is a link or no regular file, or belongs to another user.
    """
    fd = os.open(path, system.READ | system.NO_LINK)
    status = os.fstat(fd)
    if stat.S_ISREG(status.st_mode) and system.is_own(status):
        return fd
    os.close(fd)
    if stat.S_ISREG(status.st_mode):
        raise PermissionError(errno.EPERM, "belongs to another user", str(path))
    raise OSError(errno.EINVAL, "is not a regular file", str(path))


def read_head(path: Path, size: int) -> bytes:
    """Return the first bytes of a file, at most ``size``. Raises as `open_own_file` does."""
    fd = open_own_file(path)
    try:
        return system.pread(fd, size, 0)
    finally:
        os.close(fd)


def _look_of(status: os.stat_result) -> tuple[int, int, int, int]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
