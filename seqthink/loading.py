"""A journal read and folded: the session, and its texts, which stay in the file until they are asked for."""

from collections import OrderedDict
from pathlib import Path

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.errors import CorruptLineError
from seqthink.events import Event, RejectedEvent, ThoughtEvent, UnreadEvent
from seqthink.journal.decode import Decode, decode
from seqthink.journal.ends import writer_state
from seqthink.journal.reader import Batch, CorruptLine, JournalReader
from seqthink.journal.source import Journal, refuse_foreign

MOST_KEPT = 256
MOST_KEPT_BYTES = 64 << 10
MOST_NAMED = 16


class Texts:
    """The texts of a session, read where the fold says that they stand; the last ones asked for are kept.

    ``corrupt`` names the first of the lines that could not be read; ``session.corrupt`` counts them all.
    """

    def __init__(self, journal: Journal, session: Session, corrupt: tuple[CorruptLine, ...] = ()) -> None:
        self.session = session
        self.corrupt = corrupt
        self._journal = journal
        self._kept: OrderedDict[int, Event | UnreadEvent] = OrderedDict()

    def thought(self, index: int) -> str:
        """Return the text of the thought ``index``; when its line is gone, a sentence that says so."""
        event = self.thought_event(index)
        return event.thought if event else "(this line of the journal cannot be read any more)"

    def thought_event(self, index: int) -> ThoughtEvent | None:
        """Return the thought's line, or None when it cannot be read any more."""
        offset, size = self.session.extent_of(index)
        event = self.event(offset, size)
        return event if isinstance(event, ThoughtEvent) else None

    def apart(self, session: Session | None = None) -> "Texts":
        """Return the same texts, of ``session``, for another thread, which must not share what is kept."""
        return Texts(self._journal, session or self.session, self.corrupt)

    def error(self, number: int) -> str:
        """Return why the refused call ``number`` was refused."""
        refusal = self.session.refusal(number)
        event = self.event(refusal.offset, refusal.size)
        return event.error if isinstance(event, RejectedEvent) else "(this line cannot be read any more)"

    def event(self, offset: int, size: int) -> Event | UnreadEvent | None:
        """Return the event of a line, or None when it cannot be read any more."""
        kept = self._kept.get(offset)
        if kept is not None:
            self._kept.move_to_end(offset)
            return kept
        try:
            event = self._journal.read_event(offset, size)
        except (CorruptLineError, OSError):
            return None
        if size <= MOST_KEPT_BYTES:
            self._kept[offset] = event
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return event


def take_in(fold: Fold, batch: Batch) -> None:
    """Fold a batch of lines into a session that grows, each in its place."""
    corrupt = [line.offset for line in reversed(batch.corrupt)]
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


def load(path: Path, decode: Decode = decode) -> Texts:
    """Return the journal at ``path``, read to its end by ``decode`` and folded.

    Raises:
        UsageError: there is no journal at ``path``.
    """
    refuse_foreign(path)
    fold, reader = Fold(), JournalReader(path, decode)
    batch = reader.read()
    take_in(fold, batch)
    corrupt = batch.corrupt[:MOST_NAMED]
    while not batch.at_end:
        batch = reader.read()
        take_in(fold, batch)
        corrupt += batch.corrupt[: MOST_NAMED - len(corrupt)]
    journal = batch.journal
    assert journal is not None, "a file that is there was read"
    session = fold.session()
    return Texts(journal, fold.session(writer_state(path, session.info)), tuple(corrupt))
