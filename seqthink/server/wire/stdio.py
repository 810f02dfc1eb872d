"""Private, non-blocking stdin and stdout: a stray print or a child process cannot corrupt the protocol.

Standard library only. A descriptor's flags belong to the process that started us, so they are not changed. A pipe is
opened again, which gives it flags of our own; anything else is written in pieces that do not block.
"""

import os
import select
import stat
from typing import NamedTuple

from seqthink.core import system

PIPE_CHUNK_BYTES = getattr(select, "PIPE_BUF", 512)
"""Bytes that a pipe accepts without blocking once it polls as writable."""

MAX_READ_BYTES = 1 << 16
"""Bytes that one read returns at most: what a pipe holds. A larger buffer would be mapped again for every read."""

MAX_UNSENT_BYTES = 16 << 20
"""While the client leaves more than this unread, its requests are not read."""

HANG_UP_EVENTS = getattr(select, "POLLHUP", 0) | getattr(select, "POLLRDHUP", 0)
"""Poll events that say that the other end is closed, even if there is still something to read."""

HANG_UP_CHECK_SECONDS = 0.1
"""How often to check whether a client that must wait is still there."""

DRAIN_SECONDS = 0.6
"""How long the client may leave its last answers unread."""


class StdioPair(NamedTuple):
    """The descriptors that carry the protocol, unreachable for stray prints and child processes."""

    stdin: int
    stdout: int


def take_over_stdio() -> StdioPair:
    """Move stdin and stdout to private descriptors; from now on prints go to stderr.

    Raises:
        OSError: one of them is closed.
    """
    stdin, stdout = system.duplicate(0), system.duplicate(1)
    null = os.open(os.devnull, os.O_RDWR | system.OPEN)
    os.dup2(null, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(null, 1)
    os.close(null)
    return StdioPair(stdin, _reopen_non_blocking(stdout))


def is_writable(descriptor: int) -> bool:
    """Return whether a write of ``PIPE_CHUNK_BYTES`` to ``descriptor`` would not block.

    On macOS the system cannot report it for some devices, such as the null device: they do not block.
    """
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return any(event & (select.POLLOUT | select.POLLNVAL) for _, event in poll.poll(0))


def is_hung_up(descriptor: int) -> bool:
    """Return whether the writing end of ``descriptor`` is closed; there may still be something to read.

    Where the system cannot say, the end of what is read says it.
    """
    if not system.HAS_POLL:
        return False
    poll = select.poll()
    poll.register(descriptor, HANG_UP_EVENTS)
    return any(event & HANG_UP_EVENTS for _, event in poll.poll(0))


class NonBlockingWriter:
    """Writes bytes to the client in order, as fast as it reads. Nothing is kept for a client that has left."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.is_abandoned = False
        """Whether the client has closed its end or does not read; whatever is added is dropped."""
        self._unsent = bytearray()
        self._is_blocking = not system.HAS_POLL or os.get_blocking(descriptor)

    @property
    def unsent_bytes(self) -> int:
        """How many bytes the client has not taken yet."""
        return len(self._unsent)

    @property
    def is_full(self) -> bool:
        """Whether too many bytes wait for the client."""
        return len(self._unsent) > MAX_UNSENT_BYTES

    def add(self, lines: bytes) -> None:
        """Append ``lines`` to the output."""
        if not self.is_abandoned:
            self._unsent += lines

    def send(self, lines: bytes) -> None:
        """Append ``lines`` to the output, and write as much as possible without blocking."""
        if self._unsent or self._is_blocking or self.is_abandoned or not lines:
            self.add(lines)
            self.flush()
            return
        try:
            written = os.write(self.descriptor, lines)
        except BlockingIOError:
            self._unsent += lines
        except OSError:
            self.abandon()
        else:
            if written < len(lines):
                self._unsent += lines[written:]
                self.flush()

    def flush(self) -> None:
        """Write as much as possible without blocking."""
        try:
            while self._unsent and (not self._is_blocking or is_writable(self.descriptor)):
                piece = self._unsent[:PIPE_CHUNK_BYTES] if self._is_blocking else self._unsent
                del self._unsent[: os.write(self.descriptor, piece)]
        except BlockingIOError:
            return
        except OSError:
            self.abandon()

    def abandon(self) -> None:
        """Stop writing: the client has closed its end, or does not read."""
        self.is_abandoned = True
        self._unsent.clear()


def _reopen_non_blocking(descriptor: int) -> int:
    """Return a new, non-blocking descriptor of the same pipe; ``descriptor`` itself if that is not possible."""
    if not system.NO_WAIT or not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return descriptor
    try:
        opened = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | system.NO_WAIT | system.OPEN)
    except OSError:
        return descriptor
    os.close(descriptor)
    return opened
