"""Imports a session of a client: reads its transcript, and writes what is new in it to a journal that stays.

docs/sources.md, "Import", is the contract.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

from typing_extensions import override

from seqthink.core.errors import JournalInUseError, JournalWriteError
from seqthink.journal.folder import SUFFIX, make_private_folder
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.locked_journal import LockedJournal, Sleep
from seqthink.journal.resume import ResumableJournal, read_events
from seqthink.sources.transcripts.edits.recorded import without_edits
from seqthink.sources.transcripts.fact_order import as_fork, begin_time, in_order_of_time
from seqthink.sources.transcripts.facts import AgentStarted, Fact, SessionDescribed
from seqthink.sources.transcripts.imports.imported_journals import ImportedJournals
from seqthink.sources.transcripts.resumption import EarlierTranslation
from seqthink.sources.transcripts.source import FoundSession, ReadCounts, Source
from seqthink.sources.transcripts.spool import encoded
from seqthink.sources.transcripts.translation import Draft, SessionNames, Translator
from seqthink.sources.transcripts.unreadable import have_content, is_unknown_format, unknown_format

SETTLED_SECONDS = 300
"""A call without an answer is taken as it is once its transcript has not changed for this long."""
_READ_BYTES = 4 << 20
_APPEND_BYTES = 1 << 20
_FACTS_AT_A_TIME = 1000
_MAX_RESTARTS = 16
_CHUNK_BYTES = 1 << 18


class Outcome(StrEnum):
    """What became of a session."""

    IMPORTED = "imported"
    """It has a journal now."""
    UPDATED = "updated"
    """Its journal holds more now."""
    UNCHANGED = "unchanged"
    """Its journal held all of it already."""
    EMPTY = "empty"
    """There is nothing in it yet."""
    FAILED = "failed"
    """It could not be read, or its journal could not be written."""


class SessionImport(NamedTuple):
    """The result for one session."""

    found: FoundSession
    outcome: Outcome
    journal: Path | None = None
    """Its journal."""
    counts: ReadCounts = ReadCounts()
    """What became of the transcript's records."""
    taken: int = 0
    """How many facts were taken into the journal."""
    known: int = 0
    """How many facts the journal held already, or were read twice."""
    error: str = ""
    """Why it failed."""


class Importer:
    """Imports sessions into one folder of journals.

    Args:
        folder: the folder of the journals; it is made when it is needed.
        now: the time in microseconds since 1970.
        sleep: waits for a number of seconds.
        is_dry_run: whether nothing is written.

    Raises:
        OSError: the folder cannot be listed.
    """

    def __init__(self, folder: Path, *, now: int, sleep: Sleep, is_dry_run: bool = False) -> None:
        self._folder, self._now, self._sleep, self._is_dry_run = folder, now, sleep, is_dry_run
        self._journals = ImportedJournals(folder)

    def run(self, source: Source, found: FoundSession, on_read: Callable[[int], object]) -> SessionImport:
        """Import a session. Whatever happens to it is in the result.

        ``on_read`` is called after each part with the number of bytes of the transcript that were read.
        """
        counts = ReadCounts()
        try:
            facts, counts = _read(source, found, on_read, is_settled=self._is_settled(found))
            trouble = _trouble(source, facts, counts)
            if trouble:
                return SessionImport(found, Outcome.FAILED, None, counts, error=trouble)
            return self._take(source, found, facts, counts)
        except JournalInUseError as error:
            reason = f"another program is writing its journal {error.session}"
            return SessionImport(found, Outcome.FAILED, None, counts, error=reason)
        except (OSError, JournalWriteError) as error:
            return SessionImport(found, Outcome.FAILED, None, counts, error=reason_of(error))

    def _take(self, source: Source, found: FoundSession, facts: Sequence[Fact], counts: ReadCounts) -> SessionImport:
        existing = self._journals.find(found.source, found.id)
        if existing is None and not any(map(_has_happened, facts)):
            return SessionImport(found, Outcome.EMPTY, None, counts)
        began = begin_time(facts)
        path = existing or self._journals.new_path(found.source, found.id, began)
        journal = self._open(path, is_new=existing is None)
        try:
            earlier = EarlierTranslation()
            last_seq = read_events(journal, lambda event, _offset, _size: earlier.take(event)).seq
            main = earlier.source_ids[0] if earlier.source_ids else found.id
            if main != found.id:
                facts = in_order_of_time(as_fork(facts, main, found.id, earlier.agents))
            names = SessionNames(path.name.removesuffix(SUFFIX), found.source, main, source.label, imported=True)
            translator = Translator(names, last_seq + 1, earlier)
            lines = _lines(translator, facts, found, counts, is_settled=self._is_settled(found))
            self._append(journal, lines)
        finally:
            self._remove_if_empty(path)
            journal.close()
        if existing is None:
            self._journals.add(path, found.source, found.id)
        outcome = Outcome.UPDATED if translator.next_seq > last_seq + 1 else Outcome.UNCHANGED
        outcome = outcome if earlier.is_begun else Outcome.IMPORTED
        return SessionImport(found, outcome, path, counts, translator.taken_count, translator.known_count)

    def _is_settled(self, found: FoundSession) -> bool:
        return self._now - found.changed > SETTLED_SECONDS * 1_000_000

    def _open(self, path: Path, *, is_new: bool) -> "_Journal":
        if self._is_dry_run:
            return _NewJournal() if is_new else _ReadJournal(path)
        if not is_new:
            return LockedJournal.open(path, self._sleep)
        make_private_folder(self._folder)
        return LockedJournal.create(path, self._sleep)

    def _append(self, journal: "_Journal", parts: Iterable[bytes]) -> None:
        waiting, size = list[bytes](), 0
        for lines in parts:
            waiting.append(lines)
            size += len(lines)
            if size >= _APPEND_BYTES:
                journal.append(b"".join(waiting), sync=False)
                waiting, size = [], 0
        if waiting:
            journal.append(b"".join(waiting), sync=False)

    def _remove_if_empty(self, path: Path) -> None:
        """Remove a journal into which nothing could be written."""
        with suppress(OSError):
            if not self._is_dry_run and path.stat().st_size == 0:
                path.unlink()


def reason_of(error: OSError | JournalWriteError) -> str:
    """Return in a few words why a file cannot be read or written."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return str(error)


class _Journal(ResumableJournal, Protocol):
    """What an import does with a journal."""

    def append(self, lines: bytes, *, sync: bool) -> int: ...

    def close(self) -> None: ...


class _NewJournal:
    """Replaces a journal that a dry run does not make."""

    def chunks(self) -> Iterator[bytes]:
        return iter(())

    def truncate(self, end: int) -> int:  # noqa: ARG002 - there is nothing to cut
        return 0

    def append(self, lines: bytes, *, sync: bool) -> int:  # noqa: ARG002 - nothing is written
        return 0

    def close(self) -> None:
        return


class _ReadJournal(_NewJournal):
    """A journal that a dry run only reads."""

    def __init__(self, path: Path) -> None:
        self._file = JournalFile.open(path)

    @override
    def chunks(self) -> Iterator[bytes]:
        offset = 0
        while chunk := self._file.read_bytes(offset, _CHUNK_BYTES):
            yield chunk
            offset += len(chunk)

    @override
    def close(self) -> None:
        self._file.close()


def _read(
    source: Source, found: FoundSession, on_read: Callable[[int], object], *, is_settled: bool
) -> tuple[list[Fact], ReadCounts]:
    """Return all facts of a session in order; ``is_settled`` says that nothing more comes.

    Raises:
        OSError: it cannot be read, or is replaced again and again.
    """
    feed = source.open(found)
    try:
        facts: list[Fact] = []
        restarts = 0
        while True:
            batch = feed.read(_READ_BYTES)
            if batch.restarted:
                restarts += 1
                facts.clear()
            if restarts > _MAX_RESTARTS:
                raise OSError("it is rewritten again and again while it is read")
            facts += without_edits(batch.facts)
            on_read(_READ_BYTES)
            if batch.at_end:
                facts += feed.settle() if is_settled else ()
                return in_order_of_time(facts), feed.counts
    finally:
        feed.close()


def _lines(
    translator: Translator, facts: Iterable[Fact], found: FoundSession, counts: ReadCounts, *, is_settled: bool
) -> Iterator[bytes]:
    rest = iter(facts)
    while some := list(islice(rest, _FACTS_AT_A_TIME)):
        seq = translator.next_seq
        yield encoded(translator.translate(some), seq)
    seq = translator.next_seq
    left: list[Draft] = translator.flush() if is_settled else []
    yield encoded(left + translator.note_skipped(found.id, counts), seq)


def _trouble(source: Source, facts: Sequence[Fact], counts: ReadCounts) -> str:
    """Return why nothing can be taken from a transcript in which there are records; "" if something can."""
    has_content, damaged = have_content(facts), counts.corrupt + counts.too_long
    if not has_content and damaged and not counts.unknown:
        return f"nothing in it can be read: {damaged} damaged record{'' if damaged == 1 else 's'}"
    return unknown_format(source.label) if is_unknown_format(counts, has_content=has_content) else ""


def _has_happened(fact: Fact) -> bool:
    """Whether a fact is more than a description."""
    return not isinstance(fact, SessionDescribed | AgentStarted)
