"""One journal in a few facts: at once from its first and last lines, then folded within bounds.

The list of sessions in the viewer and `seqthink sessions` draw what comes from here.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.glyphs import UNICODE, Signs
from seqthink.drawing.session_list import ListedSession
from seqthink.drawing.sparkline import sparkline
from seqthink.drawing.status_line import last_activity, session_label, session_name
from seqthink.events import SessionEvent, WriterState
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.peek import first_session_event, last_events, writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.loading import SessionTexts, fold_batch
from seqthink.text import SafeText, first_line, one_line

MAX_SUMMARY_BYTES = 32 << 20
SLICE_BYTES = 256 << 10
MAX_TITLE_CHARS = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def quick_summary(file: SessionFile, decode: LineDecoder = decode) -> ListedSession:
    """Return what the first line of a journal and its lock tell."""
    info = first_session_event(file.path, decode)
    alive = writer_state(file.path, info) is WriterState.ALIVE
    return ListedSession(
        session=file.session,
        last_change=_microseconds(file.last),
        name=session_label(info) if info is not None else one_line(file.session),
        client=_client(info),
        alive=alive,
        state=State.THINKING if alive else State.UNKNOWN,
    )


def fold_ending(path: Path, decode: LineDecoder = decode) -> Session:
    """Return the end of a session: enough to tell how it stands, whatever led there."""
    fold, info = Fold(), first_session_event(path, decode)
    for event in (*([info] if info is not None else ()), *last_events(path, decode)):
        fold.evolve(event)
    return fold.session(writer_state(path, info))


def summarize(
    file: SessionFile,
    *,
    signs: Signs = UNICODE,
    max_bytes: int | None = MAX_SUMMARY_BYTES,
    decode: LineDecoder = decode,
    is_cancelled: Callable[[], bool] = bool,
) -> ListedSession | None:
    """Return what the whole journal tells, of a long one its first ``most_bytes``; None when it is called off or gone.

    Raises:
        OSError: it cannot be read.
    """
    reader, fold, read = JournalReader(file.path, decode), Fold(), 0
    while True:
        batch = reader.read(SLICE_BYTES)
        if batch.gone or is_cancelled():
            return None
        if batch.restarted:
            fold, read = Fold(), 0
        fold_batch(fold, batch)
        read += SLICE_BYTES
        is_cut = max_bytes is not None and read >= max_bytes and not batch.at_end
        if batch.at_end or is_cut:
            break
    session = fold.session()
    session = session.with_writer(writer_state(file.path, session.session_event))
    texts = SessionTexts(batch.journal, session) if batch.journal is not None else None
    return _full_summary(file, session, texts, signs, is_cut=is_cut)


def _full_summary(
    file: SessionFile, session: Session, texts: SessionTexts | None, signs: Signs, *, is_cut: bool
) -> ListedSession:
    chains, title, drawn = session.chain_count, "", ()
    if chains and texts is not None:
        newest = chains - 1
        title = texts.row_text(session.chain_range(newest)[0])
        drawn = tuple(sparkline(session, session.chain_lanes(newest)[0], signs))
    last = _microseconds(file.last)
    return ListedSession(
        session=file.session,
        last_change=last if is_cut else last_activity(session) or last,
        name=session_name(session) if session.session_event is not None else one_line(file.session),
        client=_client(session.session_event),
        title=SafeText(first_line(title)[:MAX_TITLE_CHARS]),
        state=State.UNKNOWN if is_cut and not session.is_alive else session.state,
        alive=session.is_alive,
        sparkline=drawn,
        chains=chains,
        thoughts=session.thought_count,
        branches=session.branch_count,
        revisions=session.revision_count,
        is_counted=True,
        is_cut=is_cut,
    )


def _client(info: SessionEvent | None) -> SafeText:
    return one_line(info.client.name if info is not None and info.client is not None else "")


def _microseconds(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)
