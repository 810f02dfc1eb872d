"""Follows a journal as it grows, or a folder of them: a watcher says when to look, the file what is true."""

import os
import stat
import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import anyio
import anyio.lowlevel
import anyio.to_thread

from seqthink.journal.change_hints import ChangeHints, WatchSubject
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.folder import SUFFIX
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.reader import Batch, JournalReader
from seqthink.journal.scan import Scanner

SLICE_BYTES = 256 << 10
"""What is read between two turns of the event loop: about a millisecond's work."""

_FOLDER_PAUSE_SECONDS = 0.25
_PIPE_BYTES = 64 << 10


async def follow(
    path: Path,
    *,
    decode: LineDecoder = decode,
    stop: anyio.Event | None = None,
    slice_bytes: int = SLICE_BYTES,
    every_look: bool = False,
) -> AsyncGenerator[Batch, None]:
    """Yield what the journal at ``path`` holds, then what is appended, until ``stop`` is set.

    The first batch that is ``at_end`` comes even when it is empty: all that was there has been read.
    After that only batches with news come, and one when the file vanishes (``gone``) or is back; with
    ``every_look`` an empty one, too, whenever the file was looked at, which is at least twice a second. The
    event loop gets its turn after each slice. Close the stream (`contextlib.aclosing`) when leaving it
    early.

    Raises:
        OSError: something is there that cannot be read.
    """
    reader = JournalReader(path, decode)
    hints = ChangeHints(_file_subject(path), stop)
    caught_up = gone = False
    async with aclosing(hints.stream()) as looks:
        async for announced in looks:
            at_end = had_news = False
            while not at_end:
                batch = reader.read(slice_bytes)
                at_end, had_news = batch.at_end, had_news or batch.has_news
                if batch.has_news or batch.gone != gone or (at_end and not caught_up) or every_look:
                    caught_up, gone = caught_up or at_end, batch.gone
                    yield batch
                await anyio.lowlevel.checkpoint()
            hints.report_look(announced=announced, had_news=had_news)


async def follow_folder(folder: Path, *, stop: anyio.Event | None = None) -> AsyncGenerator[bool, None]:
    """Yield when a journal in ``folder`` may have come, grown or gone; the folder need not exist yet.

    True says that something was announced (at most four times a second), false that half a second has
    passed: where the file system tells of changes, a look at each false one is wasted, but never wrong.
    """
    hints = ChangeHints(_folder_subject(folder), stop)
    async with aclosing(hints.stream()) as looks:
        async for announced in looks:
            yield announced
            if announced:
                await anyio.sleep(_FOLDER_PAUSE_SECONDS)


async def follow_stdin(
    fd: int = 0, *, decode: LineDecoder = decode, slice_bytes: int = SLICE_BYTES
) -> AsyncGenerator[Batch, None]:
    """Yield what comes in on ``fd``, as `follow` does for a file, until its end.

    All of it is kept in a temporary file without a name, so that texts can be read again from
    ``Batch.journal``. The first batch comes at once and is empty.

    Raises:
        OSError: ``fd`` cannot be read, or there is no room for what came.
    """
    with tempfile.TemporaryFile(prefix="seqthink-") as spool:
        file = JournalFile(os.dup(spool.fileno()), decode)
        scanner = Scanner(file)
        yield Batch([], 0, [], journal=file)
        while data := await _read_some(fd):
            spool.write(data)
            spool.flush()
            at_end = False
            while not at_end:
                events, unread, corrupt, at_end = scanner.read(slice_bytes)
                batch = Batch(events, unread, corrupt, at_end=at_end, journal=file)
                if batch.has_news:
                    yield batch
                await anyio.lowlevel.checkpoint()


async def _read_some(fd: int) -> bytes:
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd):
        await anyio.wait_readable(fd)
        return os.read(fd, _PIPE_BYTES)
    # The event loop cannot wait for a file (`watch - < journal`), which on the other hand never keeps us
    # waiting long.
    return await anyio.to_thread.run_sync(os.read, fd, SLICE_BYTES)


def _file_subject(path: Path) -> WatchSubject:
    # Changes are told in the folder where the file really is.
    real = path.resolve()

    def signature() -> object:
        try:
            status = path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    return WatchSubject(real.parent, real.name.__eq__, signature)


def _folder_subject(folder: Path) -> WatchSubject:
    def concerns(name: str) -> bool:
        return name.endswith(SUFFIX)

    def signature() -> object:
        try:
            status = folder.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_mtime_ns

    return WatchSubject(folder, concerns, signature)
