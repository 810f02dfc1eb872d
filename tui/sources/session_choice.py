"""Chooses the session to show when the user named none (docs/viewer.md, "Which session watch shows")."""

from pathlib import Path

from msgspec import Struct

from seqthink.drawing.describe import units
from seqthink.drawing.describe.session import session_label
from seqthink.drawing.describe.status import Status, session_status
from seqthink.errors import UsageError
from seqthink.events import WriterState
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.store import RECENT_SECONDS, list_sessions, newest_session
from seqthink.summary import fold_ending
from seqthink.text import SafeText, one_line
from seqthink.times import microseconds_of
from tui.commands import Command
from tui.settings import Settings

MAX_PROBED_SESSIONS = 8
"""Sessions whose lock is tested, those changed last."""
MAX_OFFERED_SESSIONS = 50
"""Sessions in the palette, the newest."""


def session_to_show(folder: Path, now: int) -> Path | None:
    """Return the newest session that is live or changed in the last ten minutes; None if there is none."""
    for file in list_sessions(folder)[:MAX_PROBED_SESSIONS]:
        if now - microseconds_of(file.last) < RECENT_SECONDS * 1_000_000:
            return file.path
        if writer_state(file.path, first_session_event(file.path)) is WriterState.ALIVE:
            return file.path
    return None


def newer_session(current: Path, folder: Path, now: int) -> Path | None:
    """Return a session to switch to from ``current``: changed later, and either started later or still live.

    A session that just ended never takes over the screen.
    """
    for file in list_sessions(folder)[:MAX_PROBED_SESSIONS]:
        if file.path == current:
            return None
        is_recent = now - microseconds_of(file.last) < RECENT_SECONDS * 1_000_000
        if (is_recent and file.session > current.stem) or writer_state(
            file.path, first_session_event(file.path)
        ) is WriterState.ALIVE:
            return file.path
    return None


def other_live_sessions(current: Path, folder: Path) -> list[Path]:
    """Return the other sessions with a running server, among those changed last."""
    others = (file.path for file in list_sessions(folder)[:MAX_PROBED_SESSIONS] if file.path != current)
    return [path for path in others if writer_state(path, first_session_event(path)) is WriterState.ALIVE]


class OtherSession(Struct, frozen=True):
    """Name and status of another session, and whether its server is running."""

    name: SafeText
    status: Status
    is_live: bool


def read_other_session(path: Path, settings: Settings) -> OtherSession:
    """Return another session's name and status, read from its last lines."""
    session = fold_ending(path, settings.decode)
    status = session_status(session, settings.clock(), settings.stale, settings.signs)
    return OtherSession(session_name_of(path), status, session.is_alive)


def session_commands(folder: Path, now: int) -> list[Command]:
    """Return palette commands for the newest sessions, each with its age."""
    try:
        files = list_sessions(folder)[:MAX_OFFERED_SESSIONS]
    except UsageError:
        return []
    return [
        Command(f"Session: {session_name_of(file.path)}", units.age(now, microseconds_of(file.last)), session=file.path)
        for file in files
    ]


def last_session_text(folder: Path, now: int) -> str:
    """Return name and age of the newest session, as in ``shop-api, 3h ago``; empty without sessions."""
    file = newest_session(folder)
    info = first_session_event(file.path) if file else None
    if file is None or info is None:
        return ""
    age = units.age(now, microseconds_of(file.last))
    return f"{session_label(info)}, {age} ago"


def session_name_of(path: Path) -> SafeText:
    """Return the name of a journal's session."""
    info = first_session_event(path)
    return session_label(info) if info else one_line(path.stem)


def short_path(folder: Path) -> SafeText:
    """Return a path with ``~`` for the user's home."""
    try:
        return one_line("~/" + str(folder.relative_to(Path.home())))
    except (ValueError, RuntimeError):
        return one_line(str(folder))
