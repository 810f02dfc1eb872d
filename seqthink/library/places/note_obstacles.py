"""Why a note to an agent could not be delivered."""

from collections.abc import Sequence
from pathlib import Path

from seqthink.chain.session import Session
from seqthink.core.events import SessionEvent, WriterState
from seqthink.drawing.describe.attachments import short_agent_name
from seqthink.journal.peek import writer_state
from seqthink.library.places.journal_callers import JournalCallers


def delivery_obstacle(session: Session, journal_id: str | None, host: str) -> str:
    """Return why a note could not be delivered, as a short text; empty when it could.

    Args:
        session: the session on screen.
        journal_id: the session's id by the name of its journal; None without a journal.
        host: name of this machine.
    """
    info = session.session_event
    if journal_id is None or info is None:
        return "no agent connected yet"
    if info.host != host:
        is_transcript = info.source not in {None, "tap"} and info.server is None
        return "only a transcript: no notes possible" if is_transcript else "its server is on another machine"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "session ended: no notes possible"
    if journal_id != info.session:
        return "a copy: no agent reads its notes"
    return _live_obstacle(session, info)


def fleet_obstacle(session: Session, *, trouble: str, takes_notes: bool, refusal: str) -> str:
    """Return why a note could not be delivered to an agent on another machine, as a short text; empty when it could.

    Args:
        session: the session on screen.
        trouble: why the engine is not there; empty while it is.
        takes_notes: whether that machine's owner lets notes through.
        refusal: why the engine refused the last note; empty if it did not.
    """
    info = session.session_event
    if trouble:
        return f"no notes now: {trouble}"
    if info is None:
        return "no agent connected yet"
    if session.writer is WriterState.GONE or (session.end_event is not None and not session.is_alive):
        return "session ended: no notes possible"
    if not takes_notes:
        return "its machine takes no notes (ship --notes lets them in)"
    if refusal:
        return refusal
    return _live_obstacle(session, info)


def agent_obstacle(session: Session, agent: int, journals: Sequence[tuple[Path, JournalCallers]]) -> str:
    """Return why a note could not go to one agent alone, as a short text; empty if it could.

    Args:
        session: the session on screen.
        agent: the agent's ordinal.
        journals: the journals of the session, each with who calls its server.
    """
    name, agent_id = short_agent_name(session, agent), session.agents.id_of(agent)
    if session.agents.has_ended(agent):
        return f"{name} has ended"
    found = next(((path, server) for path, (server, agents) in journals if agent_id in agents), None)
    if found is None:
        return f"no call says that it is from {name}"
    path, server = found
    if writer_state(path, server) is WriterState.GONE:
        return f"{name} has ended"
    if server is None or not server.agentNotes:
        return "its server cannot tell its agents apart (an older version)"
    return ""


def _live_obstacle(session: Session, info: SessionEvent) -> str:
    if not session.is_alive:
        return "no running server known here"
    if info.notes:
        return ""
    if info.source == "tap":
        return "only listened to (tap): no notes possible"
    return "its server takes no notes (--no-notes)"
