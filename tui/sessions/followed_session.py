"""One session of the wall: read by its end, and folded as a whole in slices while it is chosen for that."""

import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic

from msgspec import Struct

from seqthink.chain.attention import MAX_ENDING_THOUGHTS, Standing, last_activity, standing_of
from seqthink.chain.fold import Fold
from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.session import Session
from seqthink.core.errors import CorruptLineError, cannot_read
from seqthink.core.events import SessionEvent, WriterState
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.core.text import SafeText, one_line
from seqthink.core.times import is_recent, microseconds_of
from seqthink.drawing.describe.session import session_name
from seqthink.journal.decode import LineDecoder
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import RECENT_SECONDS, SessionFile, modified
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession
from seqthink.library.places.transcripts import LIVE_SECONDS

WRITER_SECONDS = 2.0
"""The pause between two tests whether a session's server is running."""
TRANSLATION_SECONDS = 0.4
"""The pause between two looks at a transcript, which announces nothing."""
SLICE_BYTES = 128 << 10
"""Bytes of one session that are read before the next one has its turn."""
ENDING_BYTES, MAX_ENDING_LINES = 64 << 10, 128
"""How much of a session's end is read at first, in bytes and in lines."""
MAX_FOLDED_BYTES = 64 << 20
"""A longer session is shown by its end alone."""
MAX_TEXT_CHARS = 4000
"""Characters of the newest thought that are kept."""
MAX_READ_TEXTS = MAX_ENDING_THOUGHTS + 1
"""Texts of a session that are kept: what its standing depends on."""


class WallEntry(Struct, frozen=True, kw_only=True):
    """One session of the wall."""

    file: SessionFile
    name: SafeText
    session: Session
    texts: JournalTexts | None
    """Its texts; None until something was read. For another thread use ``texts.for_thread()``."""
    standing: Standing
    started: int
    """When it began, in microseconds since 1970."""
    is_whole: bool
    """Whether all that there is was read; else it is known by its end."""
    machine: SafeText = SafeText("")
    """The machine of a fleet that it runs on; empty for one of this machine's folder."""
    newest: str = ""
    """The beginning of its newest thought, as it was written."""
    changed: int = 0
    """When something came last, in microseconds since 1970, by the clock of this computer."""
    trouble: str = ""
    """Why its journal cannot be read now; empty if it can."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more is expected of it."""
        return self.standing.is_over


class FollowedSession:
    """One session that is read as it grows: by its end, and as a whole while it is chosen for that."""

    def __init__(
        self,
        file: SessionFile,
        decode: LineDecoder,
        *,
        is_transcript: bool,
        changed: int,
        machine: SafeText = SafeText(""),  # noqa: B008 - a text
    ) -> None:
        self.file = file
        self._machine = machine
        self._labels = NO_LABELS
        self._seen = 0
        self.changed = changed
        """When something came last, by this computer's clock, in microseconds since 1970."""
        self.is_up_to_date = False
        """Whether all that there is was folded, as far as anybody looked."""
        self.is_settled = False
        """Whether it was looked at."""
        self._decode: LineDecoder = decode
        self._is_transcript = is_transcript
        self._first: SessionEvent | None = None
        self._signature: tuple[int, int, int] | None = None
        self._ending: Session | None = None
        self._ending_texts: JournalTexts | None = None
        self._reader: JournalReader | None = None
        self._live: LiveSession[Fold | SwitchableFold] = LiveSession(Fold)
        self._texts: JournalTexts | None = None
        self._writer = WriterState.UNKNOWN
        self._trouble: str = ""
        self._test_at = self._stand_at = self._translate_at = 0.0
        self._read_from: JournalTexts | None = None
        self._read_texts: dict[int, str] = {}
        self._entry: WallEntry | None = None
        self._is_dirty = True
        self._is_whole = False

    @property
    def is_known(self) -> bool:
        """Whether anything was read."""
        return self._ending is not None or self._is_whole

    @property
    def has_fold(self) -> bool:
        """Whether it is being folded as a whole."""
        return self._reader is not None

    def is_wanted(self, now: int) -> bool:
        """Whether it belongs on the wall: its server is running, or it changed in the last ten minutes."""
        return self._writer is WriterState.ALIVE or is_recent(self.changed, now, RECENT_SECONDS)

    def is_live_transcript(self, now: int) -> bool:
        """Return whether it is the translation of a transcript that grows.

        That is one whose agent is at work, for which a model or a call may need minutes, or which changed a short while
        ago: the listing sees that of one that is not read.
        """
        if not self._is_transcript:
            return False
        changed = max(self.changed, last_change(self.file, now))
        is_live = self._writer is WriterState.ALIVE or bool(self.file.waits_for)
        return is_live or is_recent(changed, now, LIVE_SECONDS)

    # Reading

    def look(self, catalog: SessionCatalog, now: int, *, is_folded: bool) -> bool:
        """Look whether the file changed, and read its end unless it is folded; now and then test its writer's lock.

        Return whether it changed since it was last looked at.
        """
        is_due = monotonic() >= self._test_at
        is_read = self.is_live_transcript(now) or (self._is_transcript and not self.is_known)
        if is_read and monotonic() >= self._translate_at:
            self._translate_at = monotonic() + TRANSLATION_SECONDS
            catalog.session(self.file.path).read_whole()
        signature, has_grown = _signature(self.file.path), False
        if signature is not None and signature != self._signature:
            has_grown = self._signature is not None
            self.changed = now if self._signature is not None else self.changed
            self._seen = now if self._machine else 0  # that machine's clock may be wrong
            self._signature, self.is_up_to_date = signature, False
            is_behind = not self._is_whole and signature[0] - self._live.read_bytes > ENDING_BYTES
            if not is_folded or not self.is_known or is_behind:
                self._read_ending()
        self.is_settled = True
        if is_due and self.is_known:
            self._test_at = monotonic() + WRITER_SECONDS
            self._test_writer()
        return has_grown

    def _test_writer(self) -> None:
        writer = writer_state(self.file.path, self._session.session_event or self._first)
        if self._trouble:
            writer = WriterState.UNKNOWN
        if writer is not self._writer:
            self._writer, self._is_dirty = writer, True

    @property
    def _session(self) -> Session:
        if self._is_whole or self._ending is None:
            return self._live.fold.session(self._writer)
        return self._ending.with_writer(self._writer)

    def _read_ending(self) -> None:
        """Fold the last lines alone."""
        if self._first is None:
            self._first = first_session_event(self.file.path, self._decode)
        try:
            file = JournalFile.open(self.file.path, self._decode)
            fold, is_all = _fold_ending(file, self._first)
        except OSError as error:
            self._note_trouble(error)
            return
        self._note_trouble(None)
        self._ending = fold.session()
        self._ending_texts = JournalTexts(file, self._ending)
        self._is_whole = False
        self._is_dirty = True
        self.is_up_to_date = is_all and self._reader is None  # a fold would hold the same

    def fold_slice(self) -> None:
        """Read and fold the next slice."""
        if self._live.read_bytes > MAX_FOLDED_BYTES:
            self._forget_fold()
            self.is_up_to_date = True
            return
        if self._reader is None:
            self._reader, self._live = JournalReader(self.file.path, self._decode), LiveSession(self._new_fold)
        try:
            batch = self._reader.read(SLICE_BYTES)
        except OSError as error:
            self._note_trouble(error)
            return
        self._note_trouble(None)
        self._live.add(batch)
        if batch.journal is not None and (batch.restarted is not None or self._texts is None):
            self._texts = JournalTexts(batch.journal, self._live.fold.session())
        self._is_dirty = self._is_dirty or batch.has_news
        self.is_up_to_date = batch.at_end
        if batch.at_end and not batch.gone:
            self._is_whole, self._ending, self._ending_texts = True, None, None

    def _note_trouble(self, error: OSError | None) -> None:
        """Note why the journal cannot be read now, None if it can; the next look tries again."""
        trouble = cannot_read(self.file.path.name, error) if error is not None else ""
        if error is not None:
            self.is_up_to_date, self._signature, self._writer = True, None, WriterState.UNKNOWN
        if trouble != self._trouble:
            self._trouble, self._is_dirty, self._test_at = trouble, True, 0.0

    def _new_fold(self) -> Fold | SwitchableFold:
        return SwitchableFold() if self._first is None or _has_native(self._first) else Fold()

    def drop_fold(self) -> None:
        """Keep its end only: others are in view, or changed later."""
        if self._reader is not None:
            self._forget_fold()

    def _forget_fold(self) -> None:
        self._reader, self._texts, self._live = None, None, LiveSession(Fold)
        if self._is_whole or self._ending is None:
            self._read_ending()

    # What is shown

    def label(self, labels: SessionLabels) -> None:
        """Show what people say about it."""
        self._is_dirty = self._is_dirty or labels != self._labels
        self._labels = labels

    @property
    def _quiet_since(self) -> int:
        return max(self.changed, self._seen)

    def entry(self, now: int, stuck_seconds: int) -> WallEntry:
        """Return the entry, the same object while nothing changed."""
        if self._entry is not None and not self._is_dirty:
            return self._entry_as_time_goes(self._entry, now, stuck_seconds)
        session, began = self._session.with_writer(self._session.writer, self._labels), self._first
        texts = self._texts if self._is_whole else self._ending_texts
        if texts is not None:
            texts.session = session
        began = session.session_event or began
        active = last_activity(session)
        if self._entry is not None and last_activity(self._entry.session) != active:
            self.changed = max(self.changed, min(active, now))
        self._is_dirty = False
        self._stand_at = monotonic() + WRITER_SECONDS
        self._entry = WallEntry(
            file=self.file,
            name=session_name(session) if began is not None or self._labels.name else one_line(self.file.session),
            session=session,
            texts=texts,
            standing=standing_of(session, self._quiet_since, now, stuck_seconds, self._text_of(texts)),
            started=microseconds_of((self._first or began).time) if began is not None else self.changed,
            is_whole=self._is_whole or self.is_up_to_date,
            machine=self._machine,
            newest=self._newest(session, texts),
            changed=self.changed,
            trouble=self._trouble,
        )
        return self._entry

    def _entry_as_time_goes(self, entry: WallEntry, now: int, stuck_seconds: int) -> WallEntry:
        """Return the entry with its standing now: a session that is silent becomes stuck."""
        if monotonic() >= self._stand_at:
            self._stand_at = monotonic() + WRITER_SECONDS
            standing = standing_of(entry.session, self._quiet_since, now, stuck_seconds, self._text_of(entry.texts))
            if standing != entry.standing:
                self._is_dirty = True
                return self.entry(now, stuck_seconds)
        return entry

    def _text_of(self, texts: JournalTexts | None) -> Callable[[int], str] | None:
        """Return how to read a text, if there are any: the newest few are read once, and kept."""
        if texts is None:
            return None
        if self._read_from is not texts:
            self._read_from = texts
            self._read_texts.clear()
        own = texts.for_thread()  # a cache of its own, which goes at once

        def text_of(index: int) -> str:
            text = self._read_texts.pop(index, None)
            self._read_texts[index] = text = own.row_text(index)[:MAX_TEXT_CHARS] if text is None else text
            if len(self._read_texts) > MAX_READ_TEXTS:
                del self._read_texts[next(iter(self._read_texts))]
            return text

        return text_of

    def _newest(self, session: Session, texts: JournalTexts | None) -> str:
        text_of = self._text_of(texts)
        return text_of(session.thought_count - 1) if text_of is not None and session.thought_count else ""


def last_change(file: SessionFile, now: int) -> int:
    """Return when a session changed last; of two clocks, what the one says that is not in the future."""
    last = microseconds_of(file.last)
    return last if last <= now else min(now, modified(file.path) // 1000)


def _signature(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - called for each session at each refresh: half the cost of `Path.stat`
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino


def _has_native(event: SessionEvent) -> bool:
    """Return whether a session may hold native reasoning: it is a transcript's, or was imported."""
    return event.source is not None or event.imported


def _fold_ending(file: JournalFile, first: SessionEvent | None) -> tuple[Fold | SwitchableFold, bool]:
    """Return a fold of the last lines of a journal, and whether these are all.

    Raises:
        OSError: the file cannot be read.
    """
    size = file.stat().st_size
    reach = ENDING_BYTES
    while True:
        start = max(0, size - reach)
        chunk = file.read_bytes(start, size - start)
        begin = 0 if start == 0 else chunk.find(b"\n") + 1
        end = chunk.rfind(b"\n") + 1
        if end > begin or start == 0 or reach > MAX_FOLDED_BYTES:
            break
        reach *= 8  # a line that is longer than all this
    lines = chunk[begin : end - 1].split(b"\n") if end > begin else []
    is_all = start == 0 and len(lines) <= MAX_ENDING_LINES
    fold = SwitchableFold() if first is None or _has_native(first) else Fold()
    if first is not None and not is_all:
        fold.evolve(first)
    lines = lines[-MAX_ENDING_LINES:]
    offset = start + end - sum(len(line) + 1 for line in lines)
    for line in lines:
        try:
            fold.evolve(file.decode(line), offset, len(line))
        except CorruptLineError:
            fold.skip_corrupt()
        offset += len(line) + 1
    return fold, is_all
