"""Which session is worth showing, when the person named none (screens.md, "(g)")."""

from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from seqthink.chain.state import State
from seqthink.drawing import words
from seqthink.drawing.status_line import Status, session_label, session_status
from seqthink.errors import UsageError
from seqthink.events import WriterState
from seqthink.journal.peek import first_session_event, writer_state
from seqthink.journal.store import list_sessions, newest_session
from seqthink.summary import fold_ending
from seqthink.text import SafeText, one_line
from tui.commands import Command
from tui.settings import Settings

RECENT_SECONDS = 600
MOST_ASKED = 8
MOST_OFFERED = 50


def worth_showing(folder: Path, now: int) -> Path | None:
    """Return the newest session that is live or changed in the last ten minutes: yesterday's chain is not news."""
    for file in list_sessions(folder)[:MOST_ASKED]:
        if now - _microseconds(file.last) < RECENT_SECONDS * 1_000_000:
            return file.path
        if writer_state(file.path, first_session_event(file.path)) is WriterState.ALIVE:
            return file.path
    return None


def newer(current: Path, folder: Path, now: int) -> Path | None:
    """Return the session that is worth leaving ``current`` for: it changed later, and began later or still lives.

    The last word of one that is over is no news.
    """
    for file in list_sessions(folder)[:MOST_ASKED]:
        if file.path == current:
            return None
        is_recent = now - _microseconds(file.last) < RECENT_SECONDS * 1_000_000
        if (is_recent and file.session > current.stem) or writer_state(
            file.path, first_session_event(file.path)
        ) is WriterState.ALIVE:
            return file.path
    return None


def live_beside(current: Path, folder: Path) -> list[Path]:
    """Return which other sessions have a server that lives, of those that changed last."""
    others = (file.path for file in list_sessions(folder)[:MOST_ASKED] if file.path != current)
    return [path for path in others if writer_state(path, first_session_event(path)) is WriterState.ALIVE]


class Conclusion:
    """Whether the end of a session is unread: it came while the viewer ran, and no key was pressed since.

    What was over before the viewer started (``is_old``) is no news.
    """

    def __init__(self, *, is_old: bool = False) -> None:
        self.has_ended = is_old
        self.is_unread = False

    def look(self, state: State) -> bool:
        """Take in the session's state; return whether it has ended just now, or goes on again."""
        before, self.has_ended = self.has_ended, state in {State.DONE, State.STOPPED, State.LOST}
        if before != self.has_ended:
            self.is_unread = self.has_ended
        return before != self.has_ended

    def touch(self) -> None:
        """The person is there, and has seen what stands on the screen."""
        self.is_unread = False


class Beside(Struct, frozen=True):
    """Another session: its name, its state in words, and whether its server lives."""

    name: SafeText
    standing: Status
    is_live: bool


def beside(path: Path, settings: Settings) -> Beside:
    """Return the name and state of another session, read from its last lines."""
    session = fold_ending(path, settings.decode)
    standing = session_status(session, settings.clock(), settings.stale, settings.signs)
    return Beside(named(path), standing, session.is_alive)


def to_visit(folder: Path, now: int) -> list[Command]:
    """Return the newest sessions to choose from, each with its age."""
    try:
        files = list_sessions(folder)[:MOST_OFFERED]
    except UsageError:
        return []
    return [
        Command(f"Session: {named(file.path)}", words.age(now, _microseconds(file.last)), session=file.path)
        for file in files
    ]


def last_in_words(folder: Path, now: int) -> str:
    """Return the newest session in words, ``shop-api, 3h ago``; nothing when there is none."""
    file = newest_session(folder)
    info = first_session_event(file.path) if file else None
    if file is None or info is None:
        return ""
    age = words.age(now, _microseconds(file.last))
    return f"{session_label(info)}, {age} ago"


def _microseconds(time: datetime) -> int:
    return int(time.astimezone(UTC).timestamp() * 1_000_000)


def named(path: Path) -> SafeText:
    """Return what the session of a journal is called."""
    info = first_session_event(path)
    return session_label(info) if info else one_line(path.stem)


def short(folder: Path) -> SafeText:
    """Return a folder as a person writes it, with ``~`` for their home."""
    try:
        return one_line("~/" + str(folder.relative_to(Path.home())))
    except (ValueError, RuntimeError):
        return one_line(str(folder))
