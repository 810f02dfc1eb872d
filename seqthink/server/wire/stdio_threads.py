"""Stdin and stdout where the system cannot say whether a pipe is ready: threads wait in their reads and writes.

Only for systems without `select.poll`, such as Windows. The threads are daemons, so that a client which neither writes
nor reads does not keep the process.
"""

import atexit
import os
import threading
from collections.abc import Callable
from contextlib import suppress

from typing_extensions import override

from seqthink.server.wire.stdio import DRAIN_SECONDS, MAX_READ_BYTES, NonBlockingWriter

_PIECE_BYTES = 1 << 16


class InputThread:
    """Reads a descriptor when it is asked to, and calls ``on_chunk`` in its thread; an empty chunk is the end."""

    def __init__(self, descriptor: int, on_chunk: Callable[[bytes], object]) -> None:
        self._descriptor = descriptor
        self._on_chunk = on_chunk
        self._asked = threading.Semaphore(0)
        threading.Thread(target=self._run, name="stdin", daemon=True).start()

    def ask(self) -> None:
        """Read once more."""
        self._asked.release()

    def _run(self) -> None:
        chunk = b"-"
        while chunk:
            self._asked.acquire()
            try:
                chunk = os.read(self._descriptor, MAX_READ_BYTES)
            except OSError:
                chunk = b""
            self._on_chunk(chunk)


class WriterThread(NonBlockingWriter):
    """Writes bytes in order in a thread; nothing that is called waits for the reader."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor)
        self.on_progress: Callable[[], object] = _nothing
        """Called in the thread whenever a piece was written, and when the reader is gone."""
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name=f"descriptor {descriptor}", daemon=True).start()
        atexit.register(self.drain, DRAIN_SECONDS)

    @override
    def add(self, lines: bytes) -> None:
        """Append ``lines`` to the output; the thread writes them."""
        with self._changed:
            super().add(lines)
            self._changed.notify_all()

    @override
    def send(self, lines: bytes) -> None:
        """Do the same as `add`."""
        self.add(lines)

    @override
    def flush(self) -> None:
        """Do nothing: the thread writes."""

    @override
    def abandon(self) -> None:
        """Stop writing after the piece that is being written."""
        with self._changed:
            super().abandon()
            self._changed.notify_all()

    def drain(self, seconds: float) -> None:
        """Wait until all is written or the reader is gone, as long as a piece is written within ``seconds``."""
        with self._changed:
            while left := self.unsent_bytes:
                self._changed.wait(seconds)
                if self.unsent_bytes == left:
                    return

    def _run(self) -> None:
        while not self.is_abandoned:
            with self._changed:
                while not self._unsent and not self.is_abandoned:
                    self._changed.wait()
                piece = bytes(self._unsent[:_PIECE_BYTES])
            try:
                written = os.write(self.descriptor, piece)
            except OSError:
                self.abandon()
            else:
                with self._changed:
                    del self._unsent[:written]
                    self._changed.notify_all()
            with suppress(RuntimeError):  # the event loop is closed already
                self.on_progress()


def _nothing() -> None:
    """Do nothing."""
