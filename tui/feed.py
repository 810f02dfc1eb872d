"""What the app shows comes from here: one journal, read and folded as it grows."""

from pathlib import Path

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.events import NoteEvent, WriterState
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import Batch
from seqthink.loading import SessionTexts, fold_batch

_ANEW = ": read anew"
_REMARK_SECONDS = 8
"""How many seconds that is said, when nobody comes."""
_GONE = "the journal is gone"
_NOT_THERE = "no such journal yet"


class Feed:
    """The session of one journal, as far as it has been read; no path means a journal that comes in on a pipe."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.texts: SessionTexts | None = None
        self.is_loaded = self.is_current = False
        self.remark = ""
        self._remarked = 0
        self._read_to = 0
        self._fold = Fold()
        self._writer = WriterState.UNKNOWN
        self.delivered: set[str] = set()
        """The ids of the notes that the agent has."""

    def take(self, batch: Batch) -> None:
        """Fold in a batch; all that came before is void when the file is another one now."""
        if self.is_current and batch.events:
            self.acknowledge()
        if batch.restarted is not None:
            self._fold = Fold()
            self.texts = None
            self.delivered.clear()
        fold_batch(self._fold, batch)
        self.delivered.update(event.id for event, _, _ in batch.events if type(event) is NoteEvent)
        if batch.journal is not None and self.texts is None:
            self.texts = SessionTexts(batch.journal, self._fold.session())
        self.is_loaded = self.is_loaded or batch.at_end
        self.is_current = batch.at_end
        self._read_to = sum(batch.events[-1][1:]) if batch.events else self._read_to
        self.remark = self._remark(batch)

    def _remark(self, batch: Batch) -> str:
        if batch.gone:
            return _GONE if self.texts is not None else _NOT_THERE
        if batch.restarted:
            self._remarked = 0
            return batch.restarted + _ANEW
        return "" if self.remark in {_GONE, _NOT_THERE} else self.remark

    def acknowledge(self) -> None:
        """Drop the remark that the journal was read anew: something else has happened since."""
        if self.remark.endswith(_ANEW):
            self.remark = ""

    def rest(self) -> None:
        """Let a second pass; the remark that the journal was read anew goes after a few."""
        self._remarked += 1
        if self._remarked >= _REMARK_SECONDS:
            self.acknowledge()

    @property
    def opening(self) -> str:
        """How far a journal that was there has been read, in words; nothing once all of it has."""
        if self.is_loaded or self.path is None:
            return ""
        try:
            size = self.path.stat().st_size
        except OSError:
            size = 0
        return f"opening … {min(99, 100 * self._read_to // max(1, size))} %"

    def probe(self) -> bool:
        """Look whether the server lives; return whether that has changed."""
        before = self._writer
        if self.path is not None:
            self._writer = writer_state(self.path, self._fold.session().session_event)
        return self._writer != before

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show, as far as is known: what is still being read may hold something."""
        return (self.is_loaded or self.path is None) and not self._fold.session().entry_count

    @property
    def session(self) -> Session:
        """The session as read so far."""
        session = self._fold.session(self._writer)
        if self.texts is not None:
            self.texts.session = session
        return session
