"""The way out: a writer by what the system offers."""

from seqthink.core import system
from seqthink.server.wire.stdio import NonBlockingWriter


def make_writer(descriptor: int) -> NonBlockingWriter:
    """Return a writer to ``descriptor`` that never waits for the reader."""
    if system.HAS_POLL:
        return NonBlockingWriter(descriptor)
    from seqthink.server.wire.stdio_threads import WriterThread  # noqa: PLC0415 - Windows

    return WriterThread(descriptor)
