"""A journal read and folded: the session, and its texts, which stay in the file until they are asked for."""

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.errors import CorruptLineError
from seqthink.events import Event, RejectedEvent, ThoughtEvent, UnreadEvent
from seqthink.journal.decode import Brief, Decode, decode
from seqthink.journal.ends import writer_state
from seqthink.journal.reader import Batch, CorruptLine, JournalReader
from seqthink.journal.source import Journal, refuse_foreign
from seqthink.text import MOST_RENDERED, Beginning

MOST_KEPT = 256
MOST_KEPT_BYTES = 64 << 10
MOST_LONG, MOST_LONG_BYTES = 8, 64 << 20
"""So many longer lines are kept at most, all together about so many bytes, but at least the last one."""
MOST_NAMED = 16
HEAD = 4000
"""Characters of a text that a row is drawn from."""
_GONE = "(this line of the journal cannot be read any more)"


class Texts:
    """The texts of a session, read where the fold says that they stand; the last ones asked for are kept.

    ``corrupt`` names the first of the lines that could not be read; ``session.corrupt`` counts them all.
    """

    def __init__(self, journal: Journal, session: Session, corrupt: tuple[CorruptLine, ...] = ()) -> None:
        self.session = session
        self.corrupt = corrupt
        self._journal = journal
        self._kept: OrderedDict[int, Brief] = OrderedDict()
        self._long: OrderedDict[int, tuple[Brief, int]] = OrderedDict()
        self._heads: OrderedDict[int, str] = OrderedDict()

    def thought(self, index: int) -> str:
        """Return the text of the thought ``index``; when its line is gone, a sentence that says so."""
        beginning = self.beginning(index)
        return beginning.text if beginning.is_whole else "".join(self.pieces(index))

    def pieces(self, index: int) -> Iterator[str]:
        """Yield the same text in pieces, of which a huge one has many."""
        offset, size = self.session.extent_of(index)
        has_begun = False
        try:
            for piece in self._journal.read_text(offset, size):
                has_begun = True
                yield piece
        except (CorruptLineError, OSError):
            pass
        if not has_begun:
            yield self.beginning(index).text

    def beginning(self, index: int) -> Beginning:
        """Return how the text of the thought ``index`` begins: all of it that a screen shows."""
        brief = self._brief(*self.session.extent_of(index))
        event = brief.event if brief else None
        return Beginning(event.thought, brief.length) if brief and isinstance(event, ThoughtEvent) else Beginning(_GONE)

    def head(self, index: int) -> str:
        """Return as much of the text of the thought ``index`` as a row can show."""
        offset, size = self.session.extent_of(index)
        if size <= MOST_KEPT_BYTES:
            return self.beginning(index).text
        head = self._heads.get(offset)
        if head is None:
            head = self._heads[offset] = self.beginning(index).text[:HEAD]
            if len(self._heads) > MOST_KEPT:
                self._heads.popitem(last=False)
        return head

    def apart(self, session: Session | None = None) -> "Texts":
        """Return the same texts, of ``session``, for another thread, which must not share what is kept."""
        return Texts(self._journal, session or self.session, self.corrupt)

    def error(self, number: int) -> str:
        """Return why the refused call ``number`` was refused."""
        refusal = self.session.refusal(number)
        event = self.event(refusal.offset, refusal.size)
        return event.error if isinstance(event, RejectedEvent) else "(this line cannot be read any more)"

    def event(self, offset: int, size: int) -> Event | UnreadEvent | None:
        """Return the event of a line, of a long thought with the beginning of its text; None when it is gone."""
        brief = self._brief(offset, size)
        return brief.event if brief else None

    def _brief(self, offset: int, size: int) -> Brief | None:
        kept = self._kept.get(offset)
        if kept is not None:
            self._kept.move_to_end(offset)
            return kept
        if offset in self._long:
            self._long.move_to_end(offset)
            return self._long[offset][0]
        try:
            brief = self._journal.read_brief(offset, size)
        except (CorruptLineError, OSError):
            return None
        if size <= MOST_KEPT_BYTES:
            self._kept[offset] = brief
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        else:
            self._keep_long(offset, size, brief)
        return brief

    def _keep_long(self, offset: int, size: int, brief: Brief) -> None:
        # Of a thought only its beginning is kept.
        self._long[offset] = brief, min(size, 4 * MOST_RENDERED) if isinstance(brief.event, ThoughtEvent) else size
        while len(self._long) > MOST_LONG or (
            len(self._long) > 1 and sum(held for _, held in self._long.values()) > MOST_LONG_BYTES
        ):
            self._long.popitem(last=False)


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
