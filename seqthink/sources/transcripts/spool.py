"""Transcripts as journals in memory: what reads journals reads them, and nothing is kept when the viewer ends.

A spool is a private file that holds the translation of one transcript so far, and grows as the transcript does. All
spools of a viewer are in one folder, on a file system in memory where there is one. It is removed at the end; one that
a killed viewer left behind is removed by the next.
"""

import os
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from seqthink.core import system
from seqthink.core.events import WriterState
from seqthink.core.times import datetime_of, is_recent
from seqthink.journal.encode import encode
from seqthink.journal.folder import SUFFIX
from seqthink.sources.transcripts.budget import Budget
from seqthink.sources.transcripts.call_keys import CallKeys, JournalLine
from seqthink.sources.transcripts.edits.recorded import without_edits
from seqthink.sources.transcripts.facts import (
    AgentStarted,
    ContextUsed,
    Fact,
    Result,
    SessionDescribed,
    TurnEnded,
)
from seqthink.sources.transcripts.files.private_folder import PrivateFolder, memory_folder
from seqthink.sources.transcripts.joined_journal import JoinedJournal
from seqthink.sources.transcripts.joining import JoinedTranslation
from seqthink.sources.transcripts.live.user_waits import UserWaits
from seqthink.sources.transcripts.live.work_watch import MAX_SILENT_SECONDS, WorkWatch, has_running_server
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, SessionFeed, Source
from seqthink.sources.transcripts.translation import Draft, SessionNames, Translator
from seqthink.sources.transcripts.unreadable import have_content, is_unknown_format, unknown_format_at

READ_BYTES = 1 << 20
"""Bytes of a transcript that are read at a time."""
_PREFIX = "seqthink-spool-"
_PRIVATE_MODE = 0o600
_PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def spool_name(found: FoundSession) -> str:
    """Return the id of a transcript's session in the viewer: source and id, plain characters only."""
    if _PLAIN_ID.fullmatch(found.id):
        return f"{found.source}-{found.id}"
    return f"{found.source}-{blake2b(found.id.encode('utf-8', 'surrogatepass'), digest_size=12).hexdigest()}"


def encoded(drafts: list[Draft], first_seq: int) -> bytes:
    """Return the lines of events, with ``seq`` from ``first_seq``."""
    return b"".join(_encoded(seq, draft) for seq, draft in enumerate(drafts, first_seq))


def _encoded(seq: int, draft: Draft) -> bytes:
    time = datetime_of(draft.time)
    try:
        return encode(seq, time, draft.kind, draft.fields)
    except (ValueError, RecursionError):
        # What no JSON can hold: all its other fields are there, and the line keeps its number.
        plain = {name: value for name, value in draft.fields.items() if isinstance(value, str | bool)}
        return encode(seq, time, draft.kind, plain)


class Spool:
    """The journal of one transcript. Any thread may call it.

    Args:
        source: reads the transcript.
        found: the session.
        path: where the journal is to be; the file must not exist.

    Raises:
        OSError: the file cannot be made.
    """

    def __init__(self, source: Source, found: FoundSession, path: Path) -> None:
        self.source, self.found, self.path = source, found, path
        self._lock = threading.Lock()
        self._feed: SessionFeed | None = None
        # The file that the feed reads; the session's own may have moved since.
        self._read_path = found.path
        self._journals: list[JoinedJournal] = []
        self._work = WorkWatch()
        self._has_open_turn = False
        self._begin()
        self._mended_calls = 0
        self._is_closed = self._is_full = False
        self._size = 0
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | system.OPEN | system.NO_LINK
        self._descriptor = os.open(path, flags, _PRIVATE_MODE)
        self.is_whole = False
        """Whether all that was in the transcript at the last look has been translated."""

    def _begin(self) -> None:
        """Begin the translation, for the first time or again."""
        found = self.found
        self._translator = Translator(SessionNames(spool_name(found), found.source, found.id, self.source.label))
        self._joined = JoinedTranslation(self._translator)
        self._user_waits = UserWaits(self._translator)
        self.call_keys = CallKeys()
        """By which calls a journal is known to belong to this session."""
        # The agents whose turns have not ended; one in the background goes on when the main agent's turn is over.
        self._working: set[str | None] = set()
        self._has_content = False
        self._journals = [JoinedJournal(tail.path, self._joined.add_journal()) for tail in self._journals]

    def _start_over(self) -> None:
        if self._feed is not None:
            self._feed.close()
            self._feed = None
        self._clear()
        self._begin()

    def _clear(self) -> None:
        os.ftruncate(self._descriptor, 0)
        self._size = 0
        self._is_full = self.is_whole = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been translated so far."""
        return not self._size

    @property
    def journals(self) -> list[Path]:
        """Our own journals that hold calls of this session."""
        with self._lock:
            return [tail.path for tail in self._journals]

    @property
    def agents_journals(self) -> frozenset[Path]:
        """Those of them whose server serves one sub-agent only. Waits for no thread that is translating."""
        return frozenset(tail.path for tail in tuple(self._journals) if self._joined.is_agents_server(tail.number))

    @property
    def format_trouble(self) -> str:
        """What to say if nothing in the transcript was recognised so far; else ""."""
        with self._lock:
            if self._feed is None or not is_unknown_format(self._feed.counts, has_content=self._has_content):
                return ""
        return unknown_format_at(self.found.path, self.source.label)

    def attach(self, journals: list[Path]) -> None:
        """Join these journals of ours, and no others; if that is a change, all is translated again."""
        with self._lock:
            if {tail.path for tail in self._journals} != set(journals) and not self._is_closed:
                self._journals = [JoinedJournal(path, 0) for path in sorted(set(journals))]
                self._start_over()

    @property
    def watched_files(self) -> list[Path]:
        """The files whose changes are of interest."""
        with self._lock:
            own = [self.found.path, *(self._feed.agent_files if self._feed is not None else ())]
            return own + [tail.path for tail in self._journals]

    def advance(self, now: int, limit_bytes: int = READ_BYTES) -> bool:
        """Translate about the next ``limit_bytes`` bytes; return whether that is all there is now.

        A transcript that cannot be read any more leaves what it said as it is; our own journals are still followed.
        When there is no space left, the journal ends where it is. ``now`` is the time in microseconds since 1970.
        """
        with self._lock:
            if self._is_closed or self._is_full:
                return True
            if self._has_moved():
                self._start_over()
            batch = self._read(limit_bytes)
            if batch.restarted:
                self._clear()
                self._begin()
            # Journals are read after the transcript: a call is in its journal before its answer is in the transcript.
            lines = [line for tail in self._journals for line in tail.read()]
            if any(tail.was_replaced for tail in self._journals):
                self._start_over()
                return False
            is_quiet = batch.at_end and not is_recent(self.found.changed, now, MAX_SILENT_SECONDS)
            if is_quiet and self._translator.has_open_calls:
                _, is_awaited = self._process()
                is_quiet = not is_awaited
            more = [*(self._settled_facts() if is_quiet else ()), *(self._unwritten_calls() if batch.at_end else ())]
            self._append([*batch.facts, *more], lines, now, at_end=batch.at_end)
            if self._joined.is_misplaced and self._joined.call_count > self._mended_calls:
                self._mended_calls = self._joined.call_count  # never twice for the same calls
                self._start_over()
                return False
            if batch.at_end:  # until then, the turn that was open at the last end counts
                self._has_open_turn = bool(self._working)
                self._note_user_wait(now)
            self.is_whole = batch.at_end
            return batch.at_end

    def _note_user_wait(self, now: int) -> None:
        """Write what the client asks its user outside of the transcript, which it does in a turn only."""
        process, unstarted = ClientProcess(), dict[str, int]()
        if self._has_open_turn and self._feed is not None:
            process, unstarted = self.source.process_of(self.found), self._feed.unstarted_calls
        first_seq = self._translator.next_seq
        drafts = self._user_waits.note(process, unstarted, now, has_journals=bool(self._journals))
        if drafts:
            self._write(encoded(drafts, first_seq))

    def _has_moved(self) -> bool:
        """Return whether the session's file is another one now, and the one that was read is gone."""
        if self._feed is None or self.found.path == self._read_path or self._read_path.exists():
            return False
        return self.found.path.exists()  # else what was read stays

    def _read(self, limit_bytes: int) -> FactBatch:
        try:
            if self._feed is None:
                self._read_path = self.found.path
                self._feed = self.source.open(self.found)
            batch = self._feed.read(limit_bytes)
        except OSError:
            return FactBatch([], at_end=True)
        self._has_content = self._has_content or have_content(batch.facts)
        return batch

    def flush(self) -> None:
        """Give out what still waits for an answer: the transcript will not be read any more."""
        with self._lock:
            self._append(self._settled_facts(), [], now=0, at_end=False)
            first_seq = self._translator.next_seq
            drafts = self._joined.flush()
            if drafts and not (self._is_closed or self._is_full):
                self._write(encoded(drafts, first_seq))

    def advance_to_end(self, now: int, max_bytes: float, budget: Budget | None = None) -> bool:
        """Translate what is left of the transcript, at most about ``max_bytes`` bytes; return whether that is all.

        A budget that is spent ends it, too.
        """
        read = 0
        while not self.advance(now):
            read += READ_BYTES
            if budget is not None:
                budget.spend(READ_BYTES)
            if read >= max_bytes or (budget is not None and budget.is_spent):
                return False
        return True

    def writer(self, now: int) -> WriterState:
        """Return whether the session's agent is at work; ``now`` is the time in microseconds since 1970.

        Waits for no thread that is translating.
        """
        tails = tuple(self._journals)
        journals = [tail.path for tail in tails]
        if not self._has_open_turn:
            return WriterState.ALIVE if has_running_server(journals) else WriterState.UNKNOWN
        newest = next((tail for tail in reversed(tails) if not self._joined.is_agents_server(tail.number)), None)
        process, is_awaited = self._process()
        return self._work.state(
            journals=journals,
            unended=newest.path if newest is not None and not newest.has_ended else None,
            process=process,
            is_awaited=is_awaited,
            changed=self.found.changed,
            now=now,
        )

    def _process(self) -> tuple[ClientProcess, bool]:
        """Return what is known of the client's process, and whether one is known to run while a call has no answer."""
        process, feed = self.source.process_of(self.found), self._feed
        is_abandoned = feed.is_abandoned() if feed is not None and process.is_running is None else None
        is_running = bool(process.is_running) or is_abandoned is False
        if is_abandoned:
            process = ClientProcess(is_running=False)
        return process, is_running and self._translator.has_open_calls

    def _unwritten_calls(self) -> Sequence[Fact]:
        return self._feed.unwritten_calls() if self._feed is not None else ()

    def _settled_facts(self) -> list[Fact]:
        return self._feed.settle() if self._feed is not None else []

    def close(self) -> None:
        """Close what is open and delete the journal. Calling it again does nothing."""
        with self._lock:
            if self._is_closed:
                return
            self.remove_file()
            if not system.HAS_POSIX_FILES:
                self._clear()  # where a reader keeps it open, it stays until the next viewer finds it
            self._is_closed = True
            if self._feed is not None:
                self._feed.close()
            os.close(self._descriptor)

    def remove_file(self) -> None:
        """Delete the journal, so that another spool can be made in its place; this one goes on without a file."""
        with suppress(OSError):
            if not self._is_closed and os.fstat(self._descriptor).st_nlink:  # else what is there now is another's
                self.path.unlink(missing_ok=True)

    def _append(self, facts: list[Fact], lines: list[JournalLine], now: int, *, at_end: bool) -> None:
        facts = without_edits(facts)  # whose texts no journal has
        first_seq = self._translator.next_seq
        drafts = self._joined.translate(facts, lines, now, at_end=at_end)
        self.call_keys.add(facts)
        for fact in facts:
            self._note_turn(fact)
        drafts += self._skipped(self.found.changed if at_end else None)
        if drafts:
            self._write(encoded(drafts, first_seq))

    def _skipped(self, begins_at: int | None) -> list[Draft]:
        """Return what is new about records that were left out, of the transcript and of our own journals."""
        counts = {tail.path.name.removesuffix(SUFFIX): tail.counts for tail in self._journals}
        if self._feed is not None:
            counts[self.found.id] = self._feed.counts
        return [
            draft for name, each in counts.items() for draft in self._translator.note_skipped(name, each, begins_at)
        ]

    def _note_turn(self, fact: Fact) -> None:
        if isinstance(fact, TurnEnded):
            self._working.discard(fact.agent)
            if fact.agent is None and fact.is_aborted:
                self._working.clear()  # with those that it waited for
        elif isinstance(fact, ContextUsed):
            return  # it may follow the end of the turn
        elif fact.agent is None or not isinstance(fact, SessionDescribed | AgentStarted | Result):
            self._working.add(fact.agent)

    def _write(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            self._is_full = self.is_whole = True
            os.ftruncate(self._descriptor, self._size)
        else:
            self._size += len(data)


class SpoolFolder:
    """The private folder of a viewer's spools.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._folder = PrivateFolder(memory_folder(environ), _PREFIX)
        self.path = self._folder.path

    def path_of(self, found: FoundSession, *, is_apart: bool = False) -> Path:
        """Return where the spool of a session is; one that is read apart may have the id of another.

        Raises:
            OSError: the folder for one that is read apart cannot be made.
        """
        name = f"{spool_name(found)}{SUFFIX}"
        if not is_apart:
            return self.path / name
        digest = blake2b(os.fsencode(found.path), digest_size=12).hexdigest()
        (self.path / digest).mkdir(exist_ok=True)
        return self.path / digest / name

    def close(self) -> None:
        """Remove the folder. Calling it again does nothing."""
        self._folder.close()
