"""Follows a journal, a folder of journals or standard input as it grows.

A watcher only says when to look; whether anything changed is read from the file.
"""

import asyncio
import os
import stat
import tempfile
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from seqthink.journal.change_hints import ChangeHints, WatchSubject
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.folder import SUFFIX
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.reader import Batch, JournalReader
from seqthink.journal.scan import Scanner

SLICE_BYTES = 256 << 10
"""Bytes read between two checkpoints of the event loop: about a millisecond of work."""

FOLDER_PAUSE_SECONDS = 0.25
"""Usual pause after a change of a folder was reported: not more than four reports a second."""
_PIPE_BYTES = 64 << 10
"""Bytes read from a pipe at a time."""


async def follow(
    path: Path,
    *,
    decode: LineDecoder = decode,
    stop: asyncio.Event | None = None,
    slice_bytes: int = SLICE_BYTES,
    every_look: bool = False,
) -> AsyncGenerator[Batch, None]:
    """Yield the content of the journal at ``path``, then whatever is appended, until ``stop`` is set.

    The first batch with ``at_end`` is yielded even if it is empty: everything that existed has been read. After that
    only batches with news are yielded, and one when the file disappears (``gone``) or comes back, or when it cannot be
    read (``trouble``) or can be again. Close the generator with `contextlib.aclosing` when leaving it early.

    Args:
        path: the journal, which need not exist yet.
        decode: decoder of its lines.
        stop: ends the generator when set.
        slice_bytes: bytes to read before other tasks get a turn.
        every_look: whether to yield an empty batch after each look without news, which is at least twice a second.
    """
    reader = JournalReader(path, decode)
    hints = ChangeHints(file_subject(path), stop)
    caught_up, state = False, (False, "")
    async with aclosing(hints.stream()) as looks:
        async for announced in looks:
            is_over = had_news = False
            while not is_over:
                batch = reader.look(slice_bytes)
                is_over, had_news = batch.at_end or bool(batch.trouble), had_news or batch.has_news
                before, state = state, (batch.gone, batch.trouble)
                if batch.has_news or state != before or (batch.at_end and not caught_up) or every_look:
                    caught_up = caught_up or batch.at_end
                    yield batch
                await asyncio.sleep(0)
            hints.report_look(announced=announced, had_news=had_news)


async def follow_folder(
    folder: Path, *, stop: asyncio.Event | None = None, pause_seconds: float = FOLDER_PAUSE_SECONDS
) -> AsyncGenerator[bool, None]:
    """Yield whenever a journal in ``folder`` may have been created, extended or deleted.

    True means that a change was announced (``pause_seconds`` apart), False that half a second has passed. Where the
    file system announces changes, looking at False is unnecessary but harmless. The folder need not exist yet.
    """
    hints = ChangeHints(_folder_subject(folder), stop)
    async with aclosing(hints.stream()) as looks:
        async for announced in looks:
            yield announced
            if announced:
                await asyncio.sleep(pause_seconds)


async def follow_stdin(
    fd: int = 0, *, decode: LineDecoder = decode, slice_bytes: int = SLICE_BYTES
) -> AsyncGenerator[Batch, None]:
    """Yield what arrives on ``fd`` until its end, as `follow` does for a file.

    All bytes are kept in an unnamed temporary file, so that texts can be read again from ``Batch.journal``. The first
    batch comes at once and is empty.

    Raises:
        OSError: ``fd`` cannot be read, or the temporary file cannot be written.
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
                events, unknown_count, corrupt_lines, at_end = scanner.read(slice_bytes)
                batch = Batch(events, unknown_count, corrupt_lines, at_end=at_end, journal=file)
                if batch.has_news:
                    yield batch
                await asyncio.sleep(0)


async def _readable(fd: int) -> None:
    """Wait until something can be read from a descriptor, or its end is reached.

    By the event loop's own means: the library that has more of them takes 20 ms to load, before the first frame.
    """
    loop = asyncio.get_running_loop()
    is_readable = loop.create_future()

    def settle() -> None:
        if not is_readable.done():
            is_readable.set_result(None)

    loop.add_reader(fd, settle)
    try:
        await is_readable
    finally:
        loop.remove_reader(fd)


async def _read_some(fd: int) -> bytes:
    mode = os.fstat(fd).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd):
        await _readable(fd)
        return os.read(fd, _PIPE_BYTES)
    # The event loop cannot wait for a regular file (`watch - < journal`), but reading one never blocks for long.
    return await asyncio.to_thread(os.read, fd, SLICE_BYTES)


def file_subject(path: Path) -> WatchSubject:
    """Return what is watched for changes of the file at ``path``, which need not exist yet."""
    # Changes are announced for the folder that really holds the file, so follow links.
    try:
        real = path.resolve()
    except (OSError, RuntimeError):  # links in a circle
        real = path.absolute()

    def signature() -> object:
        try:
            status = path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    return WatchSubject(real.parent, real.name.__eq__, signature)


def _folder_subject(folder: Path) -> WatchSubject:
    def is_relevant(name: str) -> bool:
        return name.endswith(SUFFIX)

    def signature() -> object:
        try:
            status = folder.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino, status.st_mtime_ns

    return WatchSubject(folder, is_relevant, signature)
