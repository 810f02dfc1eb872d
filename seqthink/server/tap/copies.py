"""Copies of what passes, for the listener: a queue that never makes a byte wait, and lines of a bounded length.

Standard library only.
"""

import threading
from collections import deque
from typing import Final, NamedTuple

from seqthink.server.tap.relay import Side

MAX_LINE_BYTES: Final = 4 << 20
"""Longer lines are passed on, but not read."""
MAX_QUEUED_BYTES: Final = 64 << 20
"""If the listener is this far behind, further copies are dropped."""


class CopiedChunk(NamedTuple):
    """A copy of some bytes."""

    side: Side
    data: bytes
    has_gap: bool = False
    """Whether copies were dropped between the chunk of this side before it and this one."""


class CopyQueue:
    """Copies on their way from the relay's threads to the listener's."""

    def __init__(self, max_bytes: int = MAX_QUEUED_BYTES) -> None:
        self._max_bytes = max_bytes
        self._changed = threading.Condition()
        self._chunks: deque[CopiedChunk] = deque()
        self._queued_bytes = 0
        self._gaps: set[Side] = set()
        self._is_closed = False
        self.dropped_bytes = 0
        """How many bytes were not copied, because the listener was too far behind."""

    def put(self, side: Side, data: bytes) -> None:
        """Add a copy, or drop it if the queue is full; never wait for the listener."""
        with self._changed:
            if self._queued_bytes + len(data) > self._max_bytes:
                self._gaps.add(side)
                self.dropped_bytes += len(data)
                return
            self._chunks.append(CopiedChunk(side, data, side in self._gaps))
            self._gaps.discard(side)
            self._queued_bytes += len(data)
            self._changed.notify()

    def abandon(self) -> None:
        """Keep no copies from now on: nobody takes them."""
        with self._changed:
            self._max_bytes = 0
            self._chunks.clear()

    def close(self) -> None:
        """Say that no copy follows."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def take(self) -> CopiedChunk | None:
        """Wait for the next copy and return it; None after the last one."""
        with self._changed:
            while not self._chunks and not self._is_closed:
                self._changed.wait()
            if not self._chunks:
                return None
            chunk = self._chunks.popleft()
            self._queued_bytes -= len(chunk.data)
            return chunk


class CopiedLines:
    """Splits one side's copies at line feeds. A line over ``max_bytes`` is skipped, not stored, and counted."""

    def __init__(self, max_bytes: int = MAX_LINE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._held: list[bytes] = []
        self._held_bytes = 0
        self._is_skipping = False
        self.skipped_lines = 0
        """How many lines were too long."""

    def feed(self, chunk: CopiedChunk) -> list[bytes]:
        """Return the lines that ``chunk`` completes, without their line feeds."""
        if chunk.has_gap:
            self._drop_held()
            self._is_skipping = True  # what comes now may be the rest of a line
        *complete, rest = chunk.data.split(b"\n")
        lines: list[bytes] = []
        for piece in complete:
            self._hold(piece)
            if not self._is_skipping:
                lines.append(b"".join(self._held))
            self._drop_held()
            self._is_skipping = False
        self._hold(rest)
        return lines

    def _hold(self, piece: bytes) -> None:
        if self._is_skipping or not piece:
            return
        self._held.append(piece)
        self._held_bytes += len(piece)
        if self._held_bytes > self._max_bytes:
            self._drop_held()
            self._is_skipping = True
            self.skipped_lines += 1

    def _drop_held(self) -> None:
        self._held.clear()
        self._held_bytes = 0
