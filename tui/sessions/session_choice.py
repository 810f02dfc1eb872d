"""Chooses the session to show when the user named none (docs/viewer.md, "Which session watch shows")."""

from itertools import islice
from pathlib import Path

from msgspec import Struct

from seqthink.core.text import SafeText, one_line
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe import units
from seqthink.drawing.describe.status import Status, session_status, standing_status
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog, has_changed_lately
from seqthink.library.summary import fold_ending
from tui.commands import Command
from tui.settings import Settings

MAX_PROBED_SESSIONS = 8
"""Sessions whose lock is tested, those changed last."""
MAX_OFFERED_SESSIONS = 50
"""Sessions in the palette, the newest."""


def session_to_show(catalog: SessionCatalog, now: int) -> Path | None:
    """Return the newest session that is live or changed in the last ten minutes; None if there is none.

    Transcripts are shown also when they are older: the one that changed last, if it is the newest of all sessions. So
    is the newest session of a fleet.
    """
    sessions = _newest(catalog, MAX_PROBED_SESSIONS)
    for file in sessions:
        if has_changed_lately(file, now) or catalog.session(file.path).is_live(file, now):
            return file.path
    is_shown = bool(sessions) and not catalog.place_of(sessions[0].path).is_local
    return sessions[0].path if is_shown else None


def newer_session(current: Path, catalog: SessionCatalog, now: int) -> Path | None:
    """Return a session to switch to from ``current``: changed later, and either started later or still live.

    A session that just ended never takes over the screen.
    """
    for file in _newest(catalog, MAX_PROBED_SESSIONS):
        if file.path == current:
            return None
        # the ids of journals sort by start
        is_newer = not catalog.is_transcript(file.path) and file.path.stem > current.stem
        if (is_newer and has_changed_lately(file, now)) or catalog.session(file.path).is_live(file, now):
            return file.path
    return None


def other_live_sessions(current: Path, catalog: SessionCatalog, now: int) -> list[Path]:
    """Return the other sessions with a running server, among those changed last."""
    others = (file for file in _newest(catalog, MAX_PROBED_SESSIONS) if file.path != current)
    return [file.path for file in others if catalog.session(file.path).is_live(file, now)]


class OtherSession(Struct, frozen=True):
    """Name and status of another session."""

    name: SafeText
    status: Status


def read_other_session(path: Path, settings: Settings) -> OtherSession:
    """Return another session's name and status, read from its last lines."""
    placed = settings.catalog.session(path)
    summary = placed.summary()
    if summary is not None:
        return OtherSession(summary.name, standing_status(summary.standing, settings.signs))
    placed.read_whole()
    session = fold_ending(path, settings.decode)
    status = session_status(session, settings.clock(), settings.stale, settings.signs)
    return OtherSession(session_name_of(path, settings.catalog), status)


def session_commands(catalog: SessionCatalog, now: int) -> list[Command]:
    """Return palette commands for the newest sessions, each with its age.

    Raises:
        UsageError: the folder cannot be read.
    """
    files = _newest(catalog, MAX_OFFERED_SESSIONS)
    return [
        Command(
            f"Session: {session_name_of(file.path, catalog)}",
            units.age(now, microseconds_of(file.last)),
            session=file.path,
        )
        for file in files
    ]


def last_session_text(catalog: SessionCatalog, now: int) -> str:
    """Return name and age of the newest session, as in ``shop-api, 3h ago``; empty without sessions."""
    file = next(iter(_newest(catalog, 1)), None)
    if file is None:
        return ""
    name = catalog.session(file.path).name
    return f"{name}, {units.age(now, microseconds_of(file.last))} ago" if name else ""


def _newest(catalog: SessionCatalog, count: int) -> list[SessionFile]:
    """Return the sessions that changed last, of those that the user wants to see."""
    if catalog.wanted.filter.is_empty:
        return catalog.sessions(count)
    return list(islice(filter(catalog.wanted.has, catalog.sessions()), count))


def session_name_of(path: Path, catalog: SessionCatalog) -> SafeText:
    """Return the name of a journal's session."""
    return catalog.session(path).name or one_line(path.stem)
