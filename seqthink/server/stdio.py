"""The process's own stdin and stdout, out of everybody else's reach; stdout never makes the server wait.

Standard library only. The flags of a descriptor belong to whoever started us, so they are not changed: a pipe is opened
anew instead, which gives flags of our own; anything else is written in pieces that it takes at once.
"""

import fcntl
import os
import select
import stat
from typing import NamedTuple

PIPE_CHUNK_BYTES = select.PIPE_BUF
"""What a pipe that polls writable takes without blocking."""

MAX_READ_BYTES = 1 << 18
"""What is read at once, at most."""

MAX_UNSENT_BYTES = 16 << 20
"""So much may wait for a client that does not read before its next requests have to wait, too."""

HANG_UP_EVENTS = select.POLLHUP | getattr(select, "POLLRDHUP", 0)
"""What a poll says of a descriptor whose other end will write no more, whether or not all is read."""

HANG_UP_CHECK_SECONDS = 0.1
"""Seconds between two looks at whether a client that has to wait is still there."""

DRAIN_SECONDS = 0.6
"""Seconds that a client may let its last answers lie."""


class StdioPair(NamedTuple):
    """The descriptors that carry the protocol, out of reach of a stray print or a child process."""

    stdin: int
    stdout: int


def take_over_stdio() -> StdioPair:
    """Move stdin and stdout to private descriptors; what is printed from now on goes to stderr.

    Raises:
        OSError: one of them is closed.
    """
    stdin, stdout = fcntl.fcntl(0, fcntl.F_DUPFD_CLOEXEC, 3), fcntl.fcntl(1, fcntl.F_DUPFD_CLOEXEC, 3)
    nowhere = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    os.dup2(nowhere, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nowhere, 1)
    os.close(nowhere)
    return StdioPair(stdin, _unblocked(stdout))


def is_writable(descriptor: int) -> bool:
    """Return whether a write of ``PIPE_CHUNK`` bytes to ``descriptor`` would not block."""
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return any(event & select.POLLOUT for _, event in poll.poll(0))


def is_hung_up(descriptor: int) -> bool:
    """Return whether nobody can write to ``descriptor`` any more, though there may be something left to read."""
    poll = select.poll()
    poll.register(descriptor, HANG_UP_EVENTS)
    return any(event & HANG_UP_EVENTS for _, event in poll.poll(0))


class NonBlockingWriter:
    """Bytes to the client, in order, as fast as it takes them; none are kept for a client that has gone."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.is_abandoned = False
        self._unsent = bytearray()
        self._blocks = os.get_blocking(descriptor)

    @property
    def unsent_bytes(self) -> int:
        """How many bytes the client has not taken yet."""
        return len(self._unsent)

    @property
    def is_full(self) -> bool:
        """Whether too much waits for the client."""
        return len(self._unsent) > MAX_UNSENT_BYTES

    def add(self, lines: bytes) -> None:
        """Take ``lines`` to be sent after all that waits."""
        if not self.is_abandoned:
            self._unsent += lines

    def flush(self) -> None:
        """Write what goes without waiting."""
        try:
            while self._unsent and (not self._blocks or is_writable(self.descriptor)):
                piece = self._unsent[:PIPE_CHUNK_BYTES] if self._blocks else self._unsent
                del self._unsent[: os.write(self.descriptor, piece)]
        except BlockingIOError:
            return
        except OSError:
            self.abandon()

    def abandon(self) -> None:
        """Send nothing more: the client has closed its end, or does not read."""
        self.is_abandoned = True
        self._unsent.clear()


def _unblocked(descriptor: int) -> int:
    """Return a pipe's own new opening, which never blocks; ``descriptor`` as it is where there can be none."""
    if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
        return descriptor
    try:
        opened = os.open(f"/proc/self/fd/{descriptor}", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return descriptor
    os.close(descriptor)
    return opened
