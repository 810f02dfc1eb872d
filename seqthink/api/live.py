"""Follows a journal: yields each entry as it is written, with the session right after it; sync and async.

One object serves both ``for`` and ``async for``. ``for`` runs the asynchronous iteration on an event loop of its own in
the caller's thread. So there is no second thread, and Ctrl-C works as usual.
"""

import asyncio
import logging
from bisect import bisect_left
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import aclosing, suppress
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from typing_extensions import override

from seqthink.api.journal import StrPath, find_journal, folder_of, line_decoder
from seqthink.api.session_views import RefusalView, SessionView, session_at
from seqthink.api.thought_views import AttachmentView, ThoughtView
from seqthink.api.view_sources import EventReader
from seqthink.chain.fold import Fold
from seqthink.core.errors import JournalChangedError, JournalNotFoundError, UnreadableJournalError
from seqthink.core.events import AttachedEvent, EndEvent, Event, RejectedEvent, ThoughtEvent, UnknownEvent, WriterState
from seqthink.core.text import one_line
from seqthink.journal.decode import LONG_LINE_BYTES, LineDecoder
from seqthink.journal.follow import follow as follow_file
from seqthink.journal.follow import follow_folder
from seqthink.journal.journal_file import require_journal
from seqthink.journal.peek import first_session_event, last_events, writer_state
from seqthink.journal.reader import Batch
from seqthink.journal.store import SessionFile, list_sessions, newest_session
from seqthink.library.live_session import LiveSession

_logger = logging.getLogger(__name__)
MAX_GONE_LOOKS = 2
"""Following ends after this many looks in a row find no file."""


class EntryView:
    """One entry of a journal, and the session right after it arrived."""

    __slots__ = ("_event", "_line", "_reader", "_restarted", "_session")

    def __init__(
        self, placed: tuple[Event, int, int], session: SessionView, reader: EventReader, restarted: str | None
    ) -> None:
        self._event, *self._line = placed
        self._session = session
        self._reader = reader
        self._restarted = restarted

    @property
    def event(self) -> Event:
        """The event with all its fields (docs/journal.md, "Event types").

        Raises:
            JournalChangedError: its line is longer than 64 KiB, and the journal was rewritten since it was read.
        """
        offset, size = self._line
        if size <= LONG_LINE_BYTES:
            return self._event
        # The scan has replaced the text of a long thought by its hash.
        event = self._reader.event(offset, size)
        if isinstance(event, UnknownEvent):
            raise JournalChangedError
        return event

    @property
    def session(self) -> SessionView:
        """The session right after this entry."""
        return self._session

    @property
    def restarted(self) -> str | None:
        """Why the session starts over here: the file was ``replaced``, ``truncated`` or ``rewritten``; else None."""
        return self._restarted

    @property
    def kind(self) -> str:
        """The event's type: ``session``, ``thought``, ``rejected``, ``audit``, ``note``, ``end``, ...."""
        return str(type(self._event).__struct_config__.tag)

    @property
    def seq(self) -> int:
        """Its position in the journal."""
        return self._event.seq

    @property
    def time(self) -> datetime:
        """When it was journaled, with the offset from UTC that the line has."""
        return self._event.time

    @property
    def thought(self) -> ThoughtView | None:
        """The thought that arrived with this entry; None for an entry of another kind."""
        return self._session.thoughts[-1] if isinstance(self._event, ThoughtEvent) else None

    @property
    def refusal(self) -> RefusalView | None:
        """The call that was refused with this entry; None for an entry of another kind."""
        return self._session.refusals[-1] if isinstance(self._event, RejectedEvent) else None

    @property
    def attachment(self) -> AttachmentView | None:
        """The audit, exchange, context item or note that was attached to a thought with this entry; else None."""
        if not isinstance(self._event, AttachedEvent):
            return None
        thoughts, of = self._session.thoughts, self._event.of
        index = bisect_left(thoughts, of, key=lambda thought: thought.seq) if of else len(thoughts) - 1
        attached = thoughts[index].attachments if 0 <= index < len(thoughts) else ()
        return attached[-1] if attached and attached[-1].seq == self.seq else None

    @override
    def __repr__(self) -> str:
        return f"<entry {self.seq}: {self.thought or self.refusal or self.attachment or self.kind}>"


class _GrowingSession:
    """A session that is folded batch by batch; each batch returns its entries."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._live = LiveSession(Fold)
        self._reader: EventReader | None = None
        self._restarted: str | None = None
        self._was_lost = False
        self._gone_looks = 0

    def add_batch(self, batch: Batch) -> list[EntryView]:
        """Fold in a batch and return its entries."""
        if batch.restarted:
            self._reader, self._restarted = None, batch.restarted
        if self._reader is None and batch.journal is not None:
            self._reader = EventReader(batch.journal)
        before = 0 if batch.restarted else self._live.fold.session().entry_count
        self._live.add(batch)
        if not batch.events or self._reader is None:
            return []
        folded = self._live.fold.session()
        writer = writer_state(self._path, folded.session_event) if batch.at_end else WriterState.ALIVE
        folded = folded.with_writer(writer)
        corrupt = [line.offset for line in batch.corrupt_lines]
        entries: list[EntryView] = []
        for position, (event, offset, size) in enumerate(batch.events):
            if not isinstance(event, UnknownEvent):
                session = SessionView(
                    session_at(folded, before + position + 1 + bisect_left(corrupt, offset)), self._reader
                )
                entries.append(EntryView((event, offset, size), session, self._reader, self._restarted))
                self._restarted = None
        return entries

    def is_over(self, batch: Batch) -> bool:
        """Whether nothing can come after ``batch``, the newest one: the server or the file is gone.

        A server may write after the file was read and before its lock is tested. So a server that left no `end` must
        be found gone twice, with nothing new in between.
        """
        self._gone_looks = self._gone_looks + 1 if batch.gone and self._reader is not None else 0
        if not batch.at_end or batch.gone:
            return self._gone_looks >= MAX_GONE_LOOKS
        session = self._live.fold.session()
        writer = writer_state(self._path, session.session_event)
        if session.end_event is not None and writer is not WriterState.ALIVE:
            return True
        was_lost, self._was_lost = self._was_lost and not batch.has_news, writer is WriterState.GONE
        return was_lost and self._was_lost


class Follow:
    """The entries of a journal as they are written: iterate over it once, with ``for`` or with ``async for``.

    Leaving the loop early closes the journal when the iterator is garbage-collected, ``with`` and ``async with`` close
    it at their end. ``stop`` ends the iteration from elsewhere.
    """

    def __init__(self, path: Path | None, folder: Path, *, settings: "_Settings") -> None:
        self._path = path
        self._folder = folder
        # Those that were there before. With `wait`, one of them counts only while its server runs.
        self._old: set[Path] = {file.path for file in list_sessions(folder)} if path is None else set()
        self._settings = settings
        self._is_stopped = False
        self._trouble = ""
        self._has_begun = False
        self._is_in_with_block = False
        # Set only within `with`: elsewhere the iterator is closed when its last reference is dropped.
        self._running: Generator[EntryView] | AsyncGenerator[EntryView] | None = None

    @property
    def path(self) -> Path | None:
        """The journal's file; None while there is no session to follow yet."""
        return self._path

    @property
    def trouble(self) -> str:
        """Why the journal cannot be read now, in words; empty if it can. It is tried again, and logged as a warning."""
        return self._trouble

    def stop(self) -> None:
        """End the iteration within half a second, from any thread or signal handler; what was read is still yielded."""
        self._is_stopped = True

    def __iter__(self) -> Iterator[EntryView]:
        """Iterate over the entries, and block until there is another one.

        Raises:
            RuntimeError: an event loop runs in this thread, or the iteration has begun already.
        """
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            pass
        else:
            raise RuntimeError("an event loop runs in this thread; use `async for` instead of `for`")
        entries = self._blocking()
        self._begin(entries)
        return entries

    def __aiter__(self) -> AsyncGenerator[EntryView]:
        """Iterate over the entries without blocking the event loop.

        Raises:
            RuntimeError: the iteration has begun already.
        """
        entries = self._entries()
        self._begin(entries)
        return entries

    def __enter__(self) -> Self:
        self._is_in_with_block = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        running, self._running = self._running, None
        if isinstance(running, Generator):
            with suppress(ValueError):  # another thread waits in it: `stop` ends it there
                running.close()

    async def __aenter__(self) -> Self:
        self._is_in_with_block = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
        running, self._running = self._running, None
        if isinstance(running, AsyncGenerator):
            with suppress(RuntimeError):  # another task waits in it: `stop` ends it there
                await running.aclose()

    def _begin(self, entries: Generator[EntryView] | AsyncGenerator[EntryView]) -> None:
        if self._has_begun:
            raise RuntimeError("this was iterated over already; call `follow` again")
        self._has_begun = True
        self._running = entries if self._is_in_with_block else None

    def _blocking(self) -> Generator[EntryView]:
        # Without a factory the runner would replace the event loop that is set for this thread.
        with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
            batches = self._batches()
            try:
                while (entries := runner.run(_next(batches))) is not None:
                    yield from entries
            finally:
                runner.run(_close(batches))

    async def _entries(self) -> AsyncGenerator[EntryView]:
        async with aclosing(self._batches()) as batches:
            async for entries in batches:
                for entry in entries:
                    yield entry

    async def _batches(self) -> AsyncGenerator[list[EntryView]]:
        path = self._path = self._path or await self._first_session()
        if path is None:
            return
        growing, is_new = _GrowingSession(path), self._settings.from_start
        async with aclosing(follow_file(path, decode=self._settings.decode, every_look=True)) as batches:
            async for batch in batches:
                self._note_trouble(batch.trouble)
                entries = growing.add_batch(batch)
                if entries and is_new:
                    yield entries
                is_new = is_new or batch.at_end
                if self._is_stopped or (not self._settings.keep_open and growing.is_over(batch)):
                    return

    def _newest_session(self) -> SessionFile | None:
        try:
            found = newest_session(self._folder)
        except UnreadableJournalError as error:
            self._note_trouble(f"{error}; trying again")
            return None
        self._note_trouble("")
        return found

    def _note_trouble(self, trouble: str) -> None:
        if trouble != self._trouble:
            _logger.warning("%s", one_line(trouble or "what could not be read can be read again"))
        self._trouble = trouble

    async def _first_session(self) -> Path | None:
        """Return the journal of the next session that is new or may still be written; None after `stop`."""
        async with aclosing(follow_folder(self._folder)) as looks:
            async for announced in looks:
                if self._is_stopped:
                    return None
                found = self._newest_session() if announced or self._trouble else None
                if found is not None and (found.path not in self._old or _may_grow(found.path)):
                    return found.path
        return None


async def _next(batches: AsyncGenerator[list[EntryView]]) -> list[EntryView] | None:
    return await anext(batches, None)


async def _close(batches: AsyncGenerator[list[EntryView]]) -> None:
    await batches.aclose()


class _Settings(NamedTuple):
    """How a journal is followed."""

    decode: LineDecoder
    from_start: bool
    """Whether entries that exist already are yielded, too."""
    keep_open: bool
    """Whether to go on after the session's end."""


def follow(
    path_or_id: StrPath | None = None,
    *,
    folder: StrPath | None = None,
    from_start: bool = True,
    wait: bool = False,
    keep_open: bool = False,
    redact: bool = False,
) -> Follow:
    """Follow a journal: first the entries that are there, then each new one within milliseconds.

    The iteration ends when the session's server has ended or died, when the file is gone, or on `Follow.stop`. A server
    on another machine is known to have ended only by its `end` line. No entry is missed, and none is yielded twice. A
    journal that cannot be read for a while is tried again: `Follow.trouble`.

    Args:
        path_or_id: as for `open_journal`; None means ``last``, the newest session.
        folder: as for `open_journal`.
        from_start: whether the entries that exist already are yielded first; otherwise only later ones are. In both
            cases their sessions hold everything since the first line.
        wait: whether to wait for a journal that does not exist yet: with ``last``, until there is a session that
            began after this call, or whose server is running; with a path, until the file exists.
        keep_open: whether to go on after the session's end, since it may be resumed, until `Follow.stop`.
        redact: as for `open_journal`.

    Raises:
        JournalNotFoundError: there is no such session or file, and ``wait`` is not set.
        AmbiguousSessionError: more than one session's id begins with the given prefix.
        NotAJournalError: the file holds something else.
        UnreadableJournalError: the operating system does not let it be read.
    """
    settings = _Settings(line_decoder(redact=redact), from_start, keep_open)
    where = folder_of(folder)
    if wait and path_or_id in {None, "last"}:
        return Follow(None, where, settings=settings)
    try:
        path = find_journal(path_or_id, folder)
    except JournalNotFoundError:
        if not wait or path_or_id is None:
            raise
        return Follow(Path(path_or_id), where, settings=settings)
    require_journal(path)
    return Follow(path, where, settings=settings)


def _may_grow(path: Path) -> bool:
    """Whether the server of a journal is running, or may be: on another host, and no `end` line yet."""
    events = last_events(path)
    writer = writer_state(path, first_session_event(path))
    return writer is WriterState.ALIVE or (
        writer is WriterState.UNKNOWN and not isinstance(events[-1] if events else None, EndEvent)
    )
