"""One journal, read and folded as it grows: the one place that knows when a fold has to start over."""

from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from seqthink.chain.fold import Fold
from seqthink.chain.native.switchable_fold import Shown, SwitchableFold
from seqthink.core.errors import JournalNotFoundError
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import EventSource, require_journal
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import Batch, CorruptLine, JournalReader
from seqthink.library.journal_texts import JournalTexts

MAX_CORRUPT_LINES_NAMED = 16
"""How many corrupt lines are kept with number and reason."""

AnyFold = TypeVar("AnyFold", bound=Fold | SwitchableFold)


class LiveSession(Generic[AnyFold]):
    """A journal as far as it has been read.

    If the file was replaced, cut or rewritten, what was known of it is dropped and folded again from the beginning, so
    that a session never mixes two files. If the file is gone, what was read stays.

    Args:
        make_fold: returns an empty fold; called at each beginning.
    """

    def __init__(self, make_fold: Callable[[], AnyFold]) -> None:
        self._make_fold = make_fold
        self._start_over()

    def _start_over(self) -> None:
        self.fold = self._make_fold()
        """What was read."""
        self.journal: EventSource | None = None
        """Where the events can be read again; None as long as there was no file."""
        self.corrupt_lines: list[CorruptLine] = []
        """The first lines that do not decode; the session counts all of them."""
        self.read_bytes = 0
        """The end of the last event that was read, in bytes from the beginning of the file."""

    def add(self, batch: Batch) -> None:
        """Fold the next batch: its lines in the order of the file, corrupt ones included."""
        if batch.restarted is not None:
            self._start_over()
        evolve, corrupt_offsets = self.fold.evolve, [line.offset for line in reversed(batch.corrupt_lines)]
        for event, offset, size in batch.events:
            while corrupt_offsets and corrupt_offsets[-1] < offset:
                corrupt_offsets.pop()
                self.fold.skip_corrupt()
            evolve(event, offset, size)
        for _ in corrupt_offsets:
            self.fold.skip_corrupt()
        self.journal = self.journal or batch.journal
        self.corrupt_lines += batch.corrupt_lines[: MAX_CORRUPT_LINES_NAMED - len(self.corrupt_lines)]
        if batch.events:
            self.read_bytes = sum(batch.events[-1][1:])


def load_journal(path: Path, decode: LineDecoder = decode, *, shown: Shown | None = None) -> JournalTexts:
    """Read the journal at ``path`` to its end with ``decode``, and fold it; look at its health when it is asked for.

    ``shown`` says what of a transcript has rows; None: everything, but only if there are no calls of the thinking tool.

    Raises:
        UsageError: there is no journal at ``path``.
        OSError: it cannot be read.
    """
    require_journal(path)
    live, reader, at_end = LiveSession(SwitchableFold), JournalReader(path, decode), False
    while not at_end:
        batch = reader.read()
        live.add(batch)
        at_end = batch.at_end
    if live.journal is None:
        raise JournalNotFoundError(f"{path}: no such file; it was deleted just now")
    session = live.fold.session(shown=shown)
    session = session.with_writer(writer_state(path, session.session_event))
    texts = JournalTexts(live.journal, session, tuple(live.corrupt_lines))
    texts.look_when_asked()
    return texts
