"""A journal read and folded: the session, and its texts, which stay in the file until they are asked for."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.errors import CorruptLineError
from seqthink.events import Event, RejectedEvent, ThoughtEvent, UnknownEvent
from seqthink.journal.decode import EventPreview, LineDecoder, decode
from seqthink.journal.journal_file import EventSource, require_journal
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import Batch, CorruptLine, JournalReader
from seqthink.text import MAX_RENDERED_CHARS, TextPrefix

MAX_CACHED_LINES = 256
MAX_CACHED_LINE_BYTES = 64 << 10
MAX_CACHED_LONG_LINES, MAX_CACHED_LONG_BYTES = 8, 64 << 20
"""So many longer lines are kept at most, all together about so many bytes, but at least the last one."""
MAX_CORRUPT_LINES_NAMED = 16
MAX_ROW_CHARS = 4000
"""Characters of a text that a row is drawn from."""
_UNREADABLE = "(this line of the journal cannot be read any more)"


class SessionTexts:
    """The texts of a session, read where the fold says that they stand; the last ones asked for are kept.

    ``corrupt`` names the first of the lines that could not be read; ``session.corrupt`` counts them all.
    """

    def __init__(self, journal: EventSource, session: Session, corrupt_lines: tuple[CorruptLine, ...] = ()) -> None:
        self.session = session
        self.corrupt_lines = corrupt_lines
        self._journal = journal
        self._cached: OrderedDict[int, EventPreview] = OrderedDict()
        self._cached_long: OrderedDict[int, tuple[EventPreview, int]] = OrderedDict()
        self._row_texts: OrderedDict[int, str] = OrderedDict()

    def thought(self, index: int) -> str:
        """Return the text of the thought ``index``; when its line is gone, a sentence that says so."""
        beginning = self.prefix(index)
        return beginning.text if beginning.is_whole else "".join(self.pieces(index))

    def pieces(self, index: int) -> Iterator[str]:
        """Yield the same text in pieces, of which a huge one has many."""
        offset, size = self.session.line_extent_of(index)
        has_begun = False
        try:
            for piece in self._journal.read_text(offset, size):
                has_begun = True
                yield piece
        except (CorruptLineError, OSError):
            pass
        if not has_begun:
            yield self.prefix(index).text

    def prefix(self, index: int) -> TextPrefix:
        """Return how the text of the thought ``index`` begins: all of it that a screen shows."""
        brief = self._preview(*self.session.line_extent_of(index))
        event = brief.event if brief else None
        return (
            TextPrefix(event.thought, brief.length)
            if brief and isinstance(event, ThoughtEvent)
            else TextPrefix(_UNREADABLE)
        )

    def row_text(self, index: int) -> str:
        """Return as much of the text of the thought ``index`` as a row can show."""
        offset, size = self.session.line_extent_of(index)
        if size <= MAX_CACHED_LINE_BYTES:
            return self.prefix(index).text
        head = self._row_texts.get(offset)
        if head is None:
            head = self._row_texts[offset] = self.prefix(index).text[:MAX_ROW_CHARS]
            if len(self._row_texts) > MAX_CACHED_LINES:
                self._row_texts.popitem(last=False)
        return head

    def for_thread(self, session: Session | None = None) -> "SessionTexts":
        """Return the same texts, of ``session``, for another thread, which must not share what is kept."""
        return SessionTexts(self._journal, session or self.session, self.corrupt_lines)

    def refusal_reason(self, number: int) -> str:
        """Return why the refused call ``number`` was refused."""
        refusal = self.session.refusal(number)
        event = self.event(refusal.offset, refusal.size)
        return event.error if isinstance(event, RejectedEvent) else "(this line cannot be read any more)"

    def event(self, offset: int, size: int) -> Event | UnknownEvent | None:
        """Return the event of a line, of a long thought with the beginning of its text; None when it is gone."""
        brief = self._preview(offset, size)
        return brief.event if brief else None

    def _preview(self, offset: int, size: int) -> EventPreview | None:
        kept = self._cached.get(offset)
        if kept is not None:
            self._cached.move_to_end(offset)
            return kept
        if offset in self._cached_long:
            self._cached_long.move_to_end(offset)
            return self._cached_long[offset][0]
        try:
            brief = self._journal.read_preview(offset, size)
        except (CorruptLineError, OSError):
            return None
        if size <= MAX_CACHED_LINE_BYTES:
            self._cached[offset] = brief
            if len(self._cached) > MAX_CACHED_LINES:
                self._cached.popitem(last=False)
        else:
            self._cache_long(offset, size, brief)
        return brief

    def _cache_long(self, offset: int, size: int, brief: EventPreview) -> None:
        # Of a thought only its beginning is kept.
        self._cached_long[offset] = (
            brief,
            min(size, 4 * MAX_RENDERED_CHARS) if isinstance(brief.event, ThoughtEvent) else size,
        )
        while len(self._cached_long) > MAX_CACHED_LONG_LINES or (
            len(self._cached_long) > 1 and sum(held for _, held in self._cached_long.values()) > MAX_CACHED_LONG_BYTES
        ):
            self._cached_long.popitem(last=False)


def fold_batch(fold: Fold, batch: Batch) -> None:
    """Fold a batch of lines into a session that grows, each in its place."""
    corrupt = [line.offset for line in reversed(batch.corrupt_lines)]
    if not corrupt:
        for event, offset, size in batch.events:
            fold.evolve(event, offset, size)
        return
    for event, offset, size in batch.events:
        while corrupt and corrupt[-1] < offset:
            corrupt.pop()
            fold.skip_corrupt()
        fold.evolve(event, offset, size)
    for _ in corrupt:
        fold.skip_corrupt()


def load_journal(path: Path, decode: LineDecoder = decode) -> SessionTexts:
    """Return the journal at ``path``, read to its end by ``decode`` and folded.

    Raises:
        UsageError: there is no journal at ``path``.
    """
    require_journal(path)
    fold, reader = Fold(), JournalReader(path, decode)
    batch = reader.read()
    fold_batch(fold, batch)
    corrupt = batch.corrupt_lines[:MAX_CORRUPT_LINES_NAMED]
    while not batch.at_end:
        batch = reader.read()
        fold_batch(fold, batch)
        corrupt += batch.corrupt_lines[: MAX_CORRUPT_LINES_NAMED - len(corrupt)]
    journal = batch.journal
    assert journal is not None, "a file that is there was read"
    session = fold.session()
    return SessionTexts(journal, fold.session(writer_state(path, session.session_event)), tuple(corrupt))
