"""The texts of a journal, read from the file on demand."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import partial
from threading import Lock

from seqthink.chain.health.health import EventOf, Health
from seqthink.chain.session import Session
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import Event, RejectedEvent, ThoughtEvent, UnknownEvent, text_of
from seqthink.core.text import MAX_RENDERED_CHARS, TextPrefix
from seqthink.journal.decode import EventPreview
from seqthink.journal.journal_file import EventSource
from seqthink.journal.reader import CorruptLine

MAX_CACHED_LINES, MAX_CACHED_LINE_BYTES = 256, 64 << 10
"""Bounds on ordinary lines in the cache: how many, and how long each may be."""
MAX_CACHED_LONG_LINES, MAX_CACHED_LONG_BYTES = 8, 64 << 20
"""Bounds on longer lines in the cache: how many, and how many bytes together; the newest one is always kept."""
MAX_ROW_CHARS = 4000
"""Characters of a text that are enough to draw a row."""
_UNREADABLE = "(this line of the journal can no longer be read)"


class JournalTexts:
    """The `SessionTexts` of a journal, read from the file on demand; the most recently used ones are cached.

    Args:
        journal: where events are read from.
        session: says where the line of each thought is.
        corrupt_lines: the first of the lines that do not decode; ``session.corrupt_count`` counts all of them.
        health: what was found of the same session's health before, if anything.
    """

    def __init__(
        self,
        journal: EventSource,
        session: Session,
        corrupt_lines: tuple[CorruptLine, ...] = (),
        health: Health | None = None,
    ) -> None:
        self.session = session
        self._health = _AskedHealth(health or Health())
        self.corrupt_lines = corrupt_lines
        self._journal = journal
        self._cached: OrderedDict[int, EventPreview] = OrderedDict()
        self._cached_long: OrderedDict[int, tuple[EventPreview, int]] = OrderedDict()
        self._row_texts: OrderedDict[int, str] = OrderedDict()

    @property
    def health(self) -> Health:
        """What is odd about the session, as far as it was looked at."""
        return self._health.looked_at()

    @health.setter
    def health(self, health: Health) -> None:
        self._health = _AskedHealth(health)

    def look_when_asked(self) -> None:
        """Look at the whole session when its health is asked for, which reads texts: many callers never ask."""
        self._health.look_later(self.session, self.event)

    def thought(self, index: int) -> str:
        """Return the text of the thought ``index``; if its line cannot be read any more, a sentence that says so."""
        prefix = self.prefix(index)
        return prefix.text if prefix.is_whole else "".join(self.pieces(index))

    def pieces(self, index: int) -> Iterator[str]:
        """Yield the same text in pieces, to keep a huge text out of memory."""
        offset, size = self.session.thoughts.line_extent_of(index)
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
        """Return the beginning of the text of the thought ``index``, as much as a screen shows."""
        preview = self._preview(*self.session.thoughts.line_extent_of(index))
        text = text_of(preview.event) if preview else None
        return TextPrefix(text, preview.whole_chars) if preview and text is not None else TextPrefix(_UNREADABLE)

    def row_text(self, index: int) -> str:
        """Return the beginning of the text of the thought ``index``, as much as a row can show."""
        offset, size = self.session.thoughts.line_extent_of(index)
        if size <= MAX_CACHED_LINE_BYTES:
            return self.prefix(index).text
        text = self._row_texts.get(offset)
        if text is None:
            text = self.prefix(index).text[:MAX_ROW_CHARS]
            if text == _UNREADABLE:  # perhaps only now
                return text
            self._row_texts[offset] = text
            if len(self._row_texts) > MAX_CACHED_LINES:
                self._row_texts.popitem(last=False)
        return text

    def for_thread(self, session: Session | None = None) -> "JournalTexts":
        """Return the same texts with a cache of their own, for another thread; ``session`` replaces the session."""
        return self._with_session(session or self.session)

    def at_position(self, session: Session) -> "JournalTexts":
        """Return the texts of ``session``, an earlier position of the same journal."""
        return self._with_session(session)

    def _with_session(self, session: Session) -> "JournalTexts":
        texts = JournalTexts(self._journal, session, self.corrupt_lines)
        texts._health = self._health
        return texts

    def refusal_reason(self, ordinal: int) -> str:
        """Return why a call was refused; ``ordinal`` is that of its aside."""
        refusal = self.session.asides.get(ordinal)
        event = self.event(refusal.offset, refusal.size)
        return event.error if isinstance(event, RejectedEvent) else "(this line can no longer be read)"

    def event(self, offset: int, size: int) -> Event | UnknownEvent | None:
        """Return the event of a line, of a long thought with the beginning of its text; None if it cannot be read."""
        preview = self._preview(offset, size)
        return preview.event if preview else None

    def _preview(self, offset: int, size: int) -> EventPreview | None:
        cached = self._cached.get(offset)
        if cached is not None:
            self._cached.move_to_end(offset)
            return cached
        if offset in self._cached_long:
            self._cached_long.move_to_end(offset)
            return self._cached_long[offset][0]
        try:
            preview = self._journal.read_preview(offset, size)
        except (CorruptLineError, OSError):
            return None
        if size <= MAX_CACHED_LINE_BYTES:
            self._cached[offset] = preview
            if len(self._cached) > MAX_CACHED_LINES:
                self._cached.popitem(last=False)
        else:
            self._cache_long(offset, size, preview)
        return preview

    def _cache_long(self, offset: int, size: int, preview: EventPreview) -> None:
        # Only the beginning of a thought is cached, so count only that.
        self._cached_long[offset] = (
            preview,
            min(size, 4 * MAX_RENDERED_CHARS) if isinstance(preview.event, ThoughtEvent) else size,
        )
        while len(self._cached_long) > MAX_CACHED_LONG_LINES or (
            len(self._cached_long) > 1 and sum(held for _, held in self._cached_long.values()) > MAX_CACHED_LONG_BYTES
        ):
            self._cached_long.popitem(last=False)


class _AskedHealth:
    """The health of a session, which may be looked at only when it is asked for, in whatever thread that is."""

    def __init__(self, health: Health) -> None:
        self._health = health
        self._look: Callable[[], None] | None = None
        self._lock = Lock()

    def look_later(self, session: Session, event_of: EventOf) -> None:
        """Look at the whole of ``session`` when the health is asked for."""
        self._look = partial(self._health.look_on, session, event_of)

    def looked_at(self) -> Health:
        """Return the health; the first time, look before."""
        if self._look is not None:
            with self._lock:
                if self._look is not None:
                    self._look()
                self._look = None
        return self._health
