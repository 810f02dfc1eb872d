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
from seqthink.events import SessionEvent, Writer
from seqthink.journal.decode import Decode, decode
from seqthink.journal.ends import head, last_events, writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.loading import Texts, take_in
from seqthink.text import SafeText, first_line, one_line

MOST_BYTES = 32 << 20
SLICE_BYTES = 256 << 10
TITLE_LENGTH = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def glance(file: SessionFile, decode: Decode = decode) -> ListedSession:
    """Return what the first line of a journal and its lock tell."""
    info = head(file.path, decode)
    alive = writer_state(file.path, info) is Writer.ALIVE
    return ListedSession(
        session=file.session,
        last_change=_microseconds(file.last),
        name=session_label(info) if info is not None else one_line(file.session),
        client=_client(info),
        alive=alive,
        state=State.THINKING if alive else State.UNKNOWN,
    )


def ending(path: Path, decode: Decode = decode) -> Session:
    """Return the end of a session: enough to tell how it stands, whatever led there."""
    fold, info = Fold(), head(path, decode)
    for event in (*([info] if info is not None else ()), *last_events(path, decode)):
        fold.evolve(event)
    return fold.session(writer_state(path, info))


def summarize(
    file: SessionFile,
    *,
    signs: Signs = UNICODE,
    most_bytes: int | None = MOST_BYTES,
    decode: Decode = decode,
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
        take_in(fold, batch)
        read += SLICE_BYTES
        is_cut = most_bytes is not None and read >= most_bytes and not batch.at_end
        if batch.at_end or is_cut:
            break
    session = fold.session()
    session = session.with_writer(writer_state(file.path, session.info))
    texts = Texts(batch.journal, session) if batch.journal is not None else None
    return _listed(file, session, texts, signs, is_cut=is_cut)


def _listed(file: SessionFile, session: Session, texts: Texts | None, signs: Signs, *, is_cut: bool) -> ListedSession:
    chains, title, drawn = session.chain_count, "", ()
    if chains and texts is not None:
        newest = chains - 1
        title = texts.head(session.chain_range(newest)[0])
        drawn = tuple(sparkline(session, session.chain_lanes(newest)[0], signs))
    last = _microseconds(file.last)
    return ListedSession(
        session=file.session,
        last_change=last if is_cut else last_activity(session) or last,
        name=session_name(session) if session.info is not None else one_line(file.session),
        client=_client(session.info),
        title=SafeText(first_line(title)[:TITLE_LENGTH]),
        state=State.UNKNOWN if is_cut and not session.alive else session.state,
        alive=session.alive,
        sparkline=drawn,
        chains=chains,
        thoughts=session.length,
        branches=session.branch_count,
        revisions=session.revision_count,
        is_counted=True,
        is_cut=is_cut,
    )


def _client(info: SessionEvent | None) -> SafeText:
    return one_line(info.client.name if info is not None and info.client is not None else "")


def _microseconds(time: datetime) -> int:
    return (time - _EPOCH) // timedelta(microseconds=1)
