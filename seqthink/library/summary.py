"""Summarises one journal for a list of sessions: at once from its two ends, then folded up to a bound.

The session list of the viewer and `seqthink sessions` show these summaries.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from seqthink.chain.agents import MAIN_AGENT
from seqthink.chain.attention import (
    MAX_ENDING_THOUGHTS,
    STUCK_SECONDS,
    Attention,
    Standing,
    last_activity,
    standing,
    standing_of,
)
from seqthink.chain.health.oddities import HealthCounts
from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.overview.work_place import work_place
from seqthink.chain.session import Session
from seqthink.chain.session_texts import text_that_titles
from seqthink.chain.state import State
from seqthink.core.events import Event, ReasoningEvent, SessionEvent, ThoughtEvent, UnknownEvent, WriterState, text_of
from seqthink.core.text import MAX_NEWEST_CHARS, MAX_TITLE_CHARS, SafeText, first_line, one_line, sanitize
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.session import (
    ListedPlace,
    ListedSession,
    session_label,
    session_name,
    session_progress,
)
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.glyphs import UNICODE, Signs
from seqthink.journal.decode import LineDecoder, decode
from seqthink.journal.glance import Glance, glance
from seqthink.journal.peek import first_session_event, last_events, writer_state
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession
from seqthink.library.repositories.repository import Repositories
from seqthink.library.session_client import listed_client

MAX_SUMMARY_BYTES = 32 << 20
"""Bytes of a journal that are folded for a summary, unless the caller says otherwise."""
SLICE_BYTES = 256 << 10
"""Bytes that are read between two questions whether to stop."""


def quick_summary(
    file: SessionFile,
    decode: LineDecoder = decode,
    *,
    now: int = 0,
    stuck_seconds: int = STUCK_SECONDS,
    has_end: bool | None = None,
    repositories: Repositories | None = None,
) -> ListedSession:
    """Summarise a journal from its first lines and its lock only; of a live one, read the last lines, too.

    Args:
        file: the journal.
        decode: decoder of its lines.
        now: the time, in microseconds since 1970; 0 if silence does not count.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
        has_end: whether to read the last lines; None for those of a live session only.
        repositories: finds its repository; None to look for that of this session alone.
    """
    session_event = first_session_event(file.path, decode)
    writer = writer_state(file.path, session_event)
    is_alive = writer is WriterState.ALIVE
    listed = ListedSession(
        session=file.session,
        last_change=microseconds_of(file.last),
        name=session_label(session_event) if session_event is not None else one_line(file.session),
        client=listed_client(session_event),
        started=microseconds_of(session_event.time) if session_event is not None else 0,
        alive=is_alive,
        place=listed_place(session_event, repositories),
        state=State.THINKING if is_alive else State.UNKNOWN,
        standing=Standing(attention=Attention.THINKING if is_alive else Attention.OPEN),
    )
    if not (is_alive if has_end is None else has_end):
        return listed
    return with_end(listed, file.path, decode, now=now, stuck_seconds=stuck_seconds)


def with_end(
    listed: ListedSession, path: Path, decode: LineDecoder = decode, *, now: int, stuck_seconds: int = STUCK_SECONDS
) -> ListedSession:
    """Return ``listed`` with what the last lines of its journal say: its standing, and its newest thought."""
    session_event, events = first_session_event(path, decode), last_events(path, decode)
    session = _folded_end(path, session_event, events)
    newest = next((event for event in events if isinstance(event, ThoughtEvent)), None)
    return replace(
        listed,
        alive=session.is_alive,
        state=session.state,
        standing=_standing_at_end(path, session, listed.last_change, now, stuck_seconds),
        progress=session_progress(session),
        context=session.agents.context_of(MAIN_AGENT),
        **_newest_fields(newest, session),
    )


def _standing_at_end(path: Path, session: Session, last_change: int, now: int, stuck_seconds: int) -> Standing:
    """Return the standing of a session whose end is folded; of one that thinks, look at a few thoughts more."""
    seen: Glance | None = None
    if session.state is State.THINKING and session.thought_count:
        seen = glance(str(path), MAX_ENDING_THOUGHTS, also_unlocked=True)
    if seen is None:
        return standing_of(session, last_activity(session) or last_change, now, stuck_seconds)
    lines = [fields for fields in map(fields_of_line, seen.lines) if fields is not None]
    return standing(ending_of_lines(lines, State.THINKING), now, stuck_seconds)


def listed_place(info: SessionEvent | None, repositories: Repositories | None = None) -> ListedPlace:
    """Return what a list says about where a session works."""
    recorded = work_place(info)
    found = (repositories or Repositories()).of_place(recorded)
    return ListedPlace(
        folder=one_line(recorded.folder),
        repository=found.name,
        address=found.address,
        branch=one_line(recorded.branch),
        recorded=recorded,
    )


def _newest_fields(event: Event | UnknownEvent | None, session: Session) -> dict[str, Any]:
    """Return what a list says about the newest thought, whose event this is."""
    if event is None or isinstance(event, UnknownEvent) or not session.thought_count:
        return {}
    return {
        "newest": SafeText(sanitize((text_of(event) or "")[:MAX_NEWEST_CHARS])),
        "newest_number": str(event.thoughtNumber) if isinstance(event, ThoughtEvent) else "",
        "newest_time": session.thoughts.time_of(session.thought_count - 1),
        "model": one_line(event.model or "") if isinstance(event, ReasoningEvent) else SafeText(""),
    }


def fold_ending(path: Path, decode: LineDecoder = decode) -> Session:
    """Fold only the first and the last events of a session, which is enough to know its state."""
    return _folded_end(path, first_session_event(path, decode), last_events(path, decode))


def _folded_end(path: Path, session_event: SessionEvent | None, events: list[Event]) -> Session:
    fold = SwitchableFold()
    for event in (*([session_event] if session_event is not None else ()), *events):
        fold.evolve(event)
    return fold.session(writer_state(path, session_event))


def summarize(
    file: SessionFile,
    *,
    signs: Signs = UNICODE,
    max_bytes: int | None = MAX_SUMMARY_BYTES,
    decode: LineDecoder = decode,
    has_health: bool = False,
    now: int = 0,
    stuck_seconds: int = STUCK_SECONDS,
    is_cancelled: Callable[[], bool] = bool,
    repositories: Repositories | None = None,
) -> ListedSession | None:
    """Summarise a whole journal. Returns None if it is cancelled, or if the file is gone.

    Args:
        file: the journal.
        signs: characters of the sparkline.
        max_bytes: how many bytes of a long journal to read, at most; None for all of it.
        decode: decoder of its lines.
        has_health: whether to look at the health of the session, for which every text is read again.
        now: the time, in microseconds since 1970; 0 if silence does not count.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
        is_cancelled: asked between slices whether to stop.
        repositories: finds its repository; None to look for that of this session alone.

    Raises:
        OSError: the file cannot be read.
    """
    reader, live, read_bytes = JournalReader(file.path, decode), LiveSession(SwitchableFold), 0
    while True:
        batch = reader.read(SLICE_BYTES)
        if batch.gone or is_cancelled():
            return None
        live.add(batch)
        read_bytes = SLICE_BYTES if batch.restarted else read_bytes + SLICE_BYTES
        is_cut = max_bytes is not None and read_bytes >= max_bytes and not batch.at_end
        if batch.at_end or is_cut:
            break
    session = live.fold.session()
    session = session.with_writer(writer_state(file.path, session.session_event))
    texts = JournalTexts(batch.journal, session) if batch.journal is not None else None
    if has_health and texts is not None:
        texts.health.look_on(session, texts.event)
    health = texts.health.at(session).counts() if has_health and texts is not None else None
    listed = _full_summary(file, session, texts, signs, is_cut=is_cut, health=health)
    listed = replace(listed, place=listed_place(session.session_event, repositories))
    if is_cut:
        return with_end(listed, file.path, decode, now=now, stuck_seconds=stuck_seconds)
    activity = last_activity(session) or listed.last_change
    text_at = texts.row_text if texts is not None else None
    return replace(listed, standing=standing_of(session, activity, now, stuck_seconds, text_at))


def _full_summary(
    file: SessionFile,
    session: Session,
    texts: JournalTexts | None,
    signs: Signs,
    *,
    is_cut: bool,
    health: HealthCounts | None,
) -> ListedSession:
    chains, title, shape = session.chain_count, "", ()
    newest_fields: dict[str, Any] = {}
    if chains and texts is not None:
        extent = session.thoughts.line_extent_of(session.thought_count - 1)
        newest_fields = {**_newest_fields(texts.event(*extent), session), "newest_line": extent}
        title = text_that_titles(texts, chains - 1)
        shape = tuple(sparkline(session, session.chains.lanes_of(chains - 1)[0], signs))
    last_change = microseconds_of(file.last)
    return ListedSession(
        session=file.session,
        last_change=last_change if is_cut else last_activity(session) or last_change,
        name=session_name(session) if session.session_event is not None else one_line(file.session),
        client=listed_client(session.session_event),
        title=SafeText(first_line(title)[:MAX_TITLE_CHARS]),
        progress=session_progress(session),
        context=session.agents.context_of(MAIN_AGENT),
        started=_start_of(file),
        state=session.state,
        alive=session.is_alive,
        sparkline=shape,
        chains=chains,
        thoughts=session.native.call_count,
        turns=session.native.turn_count,
        branches=session.branch_count,
        revisions=session.revision_count,
        health=health,
        is_counted=True,
        is_cut=is_cut,
        **newest_fields,
    )


def _start_of(file: SessionFile) -> int:
    """Return when a session began, in microseconds since 1970: at the first line, not at a resume; 0 if unknown."""
    first = first_session_event(file.path)
    return microseconds_of(first.time) if first is not None else 0
