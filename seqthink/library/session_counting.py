"""Counts sessions: reads journals one after the other, and gives what each counts (``seqthink.chain.statistics``)."""

from collections.abc import Callable
from pathlib import Path

from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.overview.work_place import repository_folder, work_place
from seqthink.chain.session import Session
from seqthink.chain.statistics.session_statistics import ModelWatch, SessionStatistics, session_statistics
from seqthink.chain.statistics.totals import Statistics
from seqthink.core.text import one_line
from seqthink.drawing.describe.session import session_name
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.peek import writer_state
from seqthink.journal.reader import JournalReader
from seqthink.library.live_session import LiveSession
from seqthink.library.repositories.repository import Repositories
from seqthink.library.session_client import listed_client
from seqthink.library.summary import SLICE_BYTES


def count_session(
    path: Path,
    session: str,
    decode: LineDecoder = decode,
    is_cancelled: Callable[[], bool] = bool,
    repositories: Repositories | None = None,
) -> SessionStatistics | None:
    """Count a whole journal; None if it is cancelled, or if the file is gone.

    Raises:
        OSError: the file cannot be read.
    """
    reader, live, models = JournalReader(path, decode), LiveSession(SwitchableFold), ModelWatch()
    while True:
        batch = reader.read(SLICE_BYTES)
        if batch.gone or is_cancelled():
            return None
        if batch.restarted:
            models = ModelWatch()
        live.add(batch)
        for event, _, _ in batch.events:
            models.add(event)
        if batch.at_end:
            break
    folded = live.fold.session()
    folded = folded.with_writer(writer_state(path, folded.session_event))
    return statistics_of(folded, session, dict(models.thoughts), repositories)


def statistics_of(
    folded: Session, session: str, models: dict[str, int], repositories: Repositories | None = None
) -> SessionStatistics:
    """Return what a folded session counts; ``session`` is its id, ``models`` says how often which model thought."""
    info = folded.session_event
    repository = (repositories or Repositories()).of_place(work_place(info))
    folder = repository_folder(info).rstrip("/\\") if info is not None else ""
    return session_statistics(
        folded,
        identity=session,
        name=session_name(folded) if info is not None else one_line(session),
        client=listed_client(info),
        folder=one_line(folder),
        repository=repository.address,
        models={one_line(model): count for model, count in models.items()},
    )


def statistics_of_one(folded: Session, path: Path | None) -> Statistics:
    """Return the statistics of a session that is folded already, from its calls alone."""
    counted = Statistics()
    counted.add(statistics_of(folded, path.stem if path is not None else "", {}))
    return counted
