"""Compares two sessions: reads both journals, and gives what they have in common (``seqthink.chain.comparison``)."""

from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from seqthink.chain.comparison.comparison import SideTexts, compare
from seqthink.chain.comparison.side_facts import ComparedSessions, ComparedSide, TokenWatch, side_facts
from seqthink.chain.native.switchable_fold import Shown, SwitchableFold
from seqthink.core.errors import JournalNotFoundError
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.journal_file import require_journal
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import JournalReader
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession
from seqthink.library.summary import SLICE_BYTES


class CancelledError(Exception):
    """Nobody waits for the comparison any more."""


class ReadSession(Struct, frozen=True):
    """A session that was read to be compared."""

    texts: JournalTexts
    watched: TokenWatch


def read_session(
    path: Path,
    decode: LineDecoder = decode,
    *,
    shown: Shown | None = None,
    labels: SessionLabels = NO_LABELS,
    is_cancelled: Callable[[], bool] = bool,
) -> ReadSession:
    """Read a journal to its end. ``shown`` is as in `load_journal`, ``labels`` are what people say about it.

    Raises:
        UsageError: there is no journal at ``path``.
        OSError: it cannot be read.
        CancelledError: it was cancelled.
    """
    require_journal(path)
    reader, live, watched, at_end = JournalReader(path, decode), LiveSession(SwitchableFold), TokenWatch(), False
    while not at_end:
        batch = reader.read(SLICE_BYTES)
        if is_cancelled():
            raise CancelledError
        if batch.restarted:
            watched = TokenWatch()
        live.add(batch)
        for event, _, _ in batch.events:
            watched.add(event)
        at_end = batch.at_end or batch.gone
    if live.journal is None:
        raise JournalNotFoundError(f"{path}: no such file; it was deleted just now")
    session = live.fold.session(shown=shown)
    session = session.with_writer(writer_state(path, session.session_event), labels)
    return ReadSession(JournalTexts(live.journal, session, tuple(live.corrupt_lines)), watched)


def compare_sessions(left: ReadSession, right: ReadSession) -> ComparedSessions:
    """Compare two sessions that were read."""
    comparison = compare(left.texts, right.texts)
    return ComparedSessions(
        _compared(left, comparison.left),
        _compared(right, comparison.right),
        comparison,
    )


def _compared(read: ReadSession, side: SideTexts) -> ComparedSide:
    return ComparedSide(read.texts, side, side_facts(read.texts.session, side, read.watched))
