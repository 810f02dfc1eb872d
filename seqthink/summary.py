"""Summarises one journal for a list of sessions: at once from its first line, then folded up to a bound.

The session list of the viewer and `seqthink sessions` show these summaries.
"""

from collections.abc import Callable
from pathlib import Path

from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.drawing.describe.session import ListedSession, client_name, last_activity, session_label, session_name
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.events import SessionEvent, WriterState
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.peek import first_session_event, last_events, writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.loading import JournalTexts, fold_batch
from seqthink.text import SafeText, first_line, one_line
from seqthink.times import microseconds_of

MAX_SUMMARY_BYTES = 32 << 20
"""Bytes of a journal that are folded for a summary, unless the caller says otherwise."""
SLICE_BYTES = 256 << 10
"""Bytes that are read between two questions whether to stop."""
MAX_TITLE_CHARS = 200
"""Length of a title that is made from a thought."""


def quick_summary(file: SessionFile, decode: LineDecoder = decode) -> ListedSession:
    """Summarise a journal from its first lines and its lock only."""
    session_event = first_session_event(file.path, decode)
    is_alive = writer_state(file.path, session_event) is WriterState.ALIVE
    return ListedSession(
        session=file.session,
        last_change=microseconds_of(file.last),
        name=session_label(session_event) if session_event is not None else one_line(file.session),
        client=_listed_client(session_event),
        alive=is_alive,
        state=State.THINKING if is_alive else State.UNKNOWN,
    )


def _listed_client(session_event: SessionEvent | None) -> SafeText:
    """Return the client's name; of a transcript that none of our servers took part in, the name of its source."""
    if session_event is None or session_event.source is None or session_event.server is not None:
        return client_name(session_event)
    return one_line(session_event.source)


def fold_ending(path: Path, decode: LineDecoder = decode) -> Session:
    """Fold only the first and the last events of a session, which is enough to know its state."""
    fold, session_event = SwitchableFold(), first_session_event(path, decode)
    for event in (*([session_event] if session_event is not None else ()), *last_events(path, decode)):
        fold.evolve(event)
    return fold.session(writer_state(path, session_event))


def summarize(
    file: SessionFile,
    *,
    signs: Signs = UNICODE,
    max_bytes: int | None = MAX_SUMMARY_BYTES,
    decode: LineDecoder = decode,
    is_cancelled: Callable[[], bool] = bool,
) -> ListedSession | None:
    """Summarise a whole journal. Returns None if it is cancelled, or if the file is gone.

    Args:
        file: the journal.
        signs: characters of the sparkline.
        max_bytes: how many bytes of a long journal to read, at most; None for all of it.
        decode: decoder of its lines.
        is_cancelled: asked between slices whether to stop.

    Raises:
        OSError: the file cannot be read.
    """
    reader, fold, read_bytes = JournalReader(file.path, decode), SwitchableFold(), 0
    while True:
        batch = reader.read(SLICE_BYTES)
        if batch.gone or is_cancelled():
            return None
        if batch.restarted:
            fold, read_bytes = SwitchableFold(), 0
        fold_batch(fold, batch)
        read_bytes += SLICE_BYTES
        is_cut = max_bytes is not None and read_bytes >= max_bytes and not batch.at_end
        if batch.at_end or is_cut:
            break
    session = fold.session()
    session = session.with_writer(writer_state(file.path, session.session_event))
    texts = JournalTexts(batch.journal, session) if batch.journal is not None else None
    return _full_summary(file, session, texts, signs, is_cut=is_cut)


def _full_summary(
    file: SessionFile, session: Session, texts: JournalTexts | None, signs: Signs, *, is_cut: bool
) -> ListedSession:
    chains, title, shape = session.chain_count, "", ()
    if chains and texts is not None:
        newest = chains - 1
        title = texts.row_text(session.chains.thoughts_of(newest)[0])
        shape = tuple(sparkline(session, session.chains.lanes_of(newest)[0], signs))
    last_change = microseconds_of(file.last)
    return ListedSession(
        session=file.session,
        last_change=last_change if is_cut else last_activity(session) or last_change,
        name=session_name(session) if session.session_event is not None else one_line(file.session),
        client=_listed_client(session.session_event),
        title=SafeText(first_line(title)[:MAX_TITLE_CHARS]),
        state=State.UNKNOWN if is_cut and not session.is_alive else session.state,
        alive=session.is_alive,
        sparkline=shape,
        chains=chains,
        thoughts=session.native.call_count,
        turns=session.native.turn_count,
        branches=session.branch_count,
        revisions=session.revision_count,
        is_counted=True,
        is_cut=is_cut,
    )
