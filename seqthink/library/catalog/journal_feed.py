"""One journal, read and folded as it grows; everything the viewer shows comes from here."""

from pathlib import Path

from seqthink.chain.health.health import Health
from seqthink.chain.native.switchable_fold import Shown, SwitchableFold
from seqthink.chain.session import Session
from seqthink.core.background import Troubles
from seqthink.core.events import NoteEvent, WriterState
from seqthink.core.labels import NO_LABELS
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import Batch
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession

READING = "reading the session"
"""The name of the background task that reads the journal."""
READING_TRANSCRIPT = "reading the transcript …"
_REREAD = ": reloaded"
_READ_AGAIN = "can be read again"
_MAX_REMARK_SECONDS = 8
"""How long a remark about what has just happened stays without any user input or new events."""
_GONE_REMARK = "the journal is gone"
_MISSING_REMARK = "no such journal yet"


class JournalFeed:
    """The session of one journal as far as it has been read; without a path, the journal comes from a pipe.

    ``is_transcript`` says that it is the translation of a transcript. ``awaited_bytes`` says how long it will be about,
    if it has yet to be fetched from elsewhere, or how long the transcript is, if it has yet to be translated.
    """

    def __init__(self, path: Path | None, *, is_transcript: bool = False, awaited_bytes: int = 0) -> None:
        self.path = path
        self._awaited_bytes, self._seen_size = awaited_bytes, -1
        self.is_transcript = is_transcript
        self.texts: JournalTexts | None = None
        """Access to the texts in the file, once the journal is open."""
        self.is_loaded = self.is_caught_up = False
        """The existing journal has been read; ``is_caught_up``: the last batch reached the end of the file."""
        self.remark = ""
        """News about the file, for the status line; empty most of the time."""
        self._troubles = Troubles()
        self._remark_age_seconds = 0
        self._live = LiveSession(SwitchableFold)
        self._writer = WriterState.UNKNOWN
        self._health_shows = Shown.THOUGHTS
        self.shown_choice: Shown | None = None
        """What the user wants to be shown of a transcript; None for the default."""
        self.map_choice: bool | None = None
        """Whether the user wants the map of the chain; None for the default."""
        self.labels = NO_LABELS
        """What people say about the session."""
        self.delivered_note_ids: set[str] = set()
        """Ids of the notes that the agent has received."""

    def add_batch(self, batch: Batch) -> None:
        """Fold a batch; when the file was replaced, start over with it."""
        was_blind = self.report(READING, batch.trouble) and not batch.trouble
        if self.is_caught_up and batch.events:
            self.clear_passing_remark()
        if batch.restarted is not None:
            self.texts = None
            self.delivered_note_ids.clear()
        self._live.add(batch)
        self.delivered_note_ids.update(event.id for event, _, _ in batch.events if type(event) is NoteEvent)
        if batch.journal is not None and self.texts is None:
            self.texts = JournalTexts(batch.journal, self._live.fold.session())
        self.is_loaded = self.is_loaded or (batch.at_end and not self._awaited_bytes)
        self.is_caught_up = batch.at_end
        if batch.at_end and self._awaited_bytes:
            self._seen_size = self._size()
        self.remark = self._next_remark(batch)
        if was_blind and not self.remark:
            self._remark_age_seconds, self.remark = 0, _READ_AGAIN

    @property
    def trouble(self) -> str:
        """Why nothing can be known of the session now, in words: what reads it failed. Empty most of the time."""
        return self._troubles.text

    def report(self, name: str, text: str) -> bool:
        """Note what is wrong with a background task that reads the session, "" if it works; return if that is news."""
        is_news = self._troubles.report(name, text)
        if self.trouble:
            self._writer = WriterState.UNKNOWN
        return is_news

    def _next_remark(self, batch: Batch) -> str:
        if batch.gone:
            if self._awaited_bytes:
                return ""
            return _GONE_REMARK if self.texts is not None else _MISSING_REMARK
        if batch.restarted and not self.is_transcript:  # a translation that starts again is not news
            self._remark_age_seconds = 0
            return batch.restarted + _REREAD
        return "" if self.remark in {_GONE_REMARK, _MISSING_REMARK} else self.remark

    @property
    def is_awaited(self) -> bool:
        """Whether the journal is still being fetched from elsewhere, or translated."""
        return self._awaited_bytes > 0

    def end_waiting(self) -> None:
        """Take notice that all of the journal is there; what of it is not read yet comes with the next batch."""
        if self._awaited_bytes:
            self._awaited_bytes = 0
            self.is_loaded = self.is_loaded or (self.is_caught_up and self._seen_size == self._size())

    def _size(self) -> int:
        try:
            return self.path.stat().st_size if self.path is not None else 0
        except OSError:
            return 0

    def clear_passing_remark(self) -> None:
        """Clear a remark about what has just happened: the user acted, or new events arrived."""
        if self.remark.endswith((_REREAD, _READ_AGAIN)):
            self.remark = ""

    def tick(self) -> None:
        """Call once a second: expires a remark about what has just happened after `_MAX_REMARK_SECONDS`."""
        self._remark_age_seconds += 1
        if self._remark_age_seconds >= _MAX_REMARK_SECONDS:
            self.clear_passing_remark()

    @property
    def opening_text(self) -> str:
        """Loading progress of an existing journal as text; empty once it is loaded."""
        if self.is_loaded or self.path is None:
            return ""
        # how long the translation will be is not known
        return READING_TRANSCRIPT if self.is_transcript else f"opening … {self.read_percent} %"

    @property
    def read_percent(self) -> int:
        """How much of an existing journal has been read, at most 99."""
        return min(99, 100 * self._live.read_bytes // max(1, self._size(), self._awaited_bytes))

    @property
    def has_native(self) -> bool:
        """Whether there is native reasoning."""
        return self._live.fold.has_native

    @property
    def choices(self) -> tuple[Shown, ...]:
        """What of a transcript can be shown, the least first; empty if it makes no difference."""
        return self._live.fold.choices

    @property
    def shown(self) -> Shown:
        """What of a transcript is shown."""
        return self.shown_with(self.shown_choice)

    def update_writer_state(self) -> bool:
        """Check whether the server is running; return whether that changed. It is not known while there is trouble."""
        before = self._writer
        if self.path is not None and not self.trouble:
            self._writer = writer_state(self.path, self._live.fold.session().session_event)
        return self._writer != before

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show; False while a journal is still loading."""
        return (self.is_loaded or self.path is None) and not self._live.fold.session().entry_count

    @property
    def session(self) -> Session:
        """The session as read so far."""
        session = self.session_with(self.shown_choice)
        if self.texts is not None:
            self.texts.session = session
            self._keep_health(self.texts)
        return session

    def session_with(self, shown: Shown | None) -> Session:
        """Return the session as read so far, with this shown of a transcript; None for the default."""
        session = self._live.fold.session(self._writer, shown=shown)
        return session.with_writer(session.writer, self.labels) if self.labels is not NO_LABELS else session

    def shown_with(self, choice: Shown | None) -> Shown:
        """Return what is shown to one who chose this, or nothing."""
        if not self.has_native:
            return Shown.THOUGHTS
        return choice or self._live.fold.shown_by_default

    def _keep_health(self, texts: JournalTexts) -> None:
        """Look again where something else is shown now: thoughts count otherwise then."""
        if self.shown != self._health_shows:
            self._health_shows = self.shown
            texts.health = Health()
