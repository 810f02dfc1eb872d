"""The sessions of one client as they were found last, and what shows that there may be others now."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic, thread_time
from typing import TYPE_CHECKING

from seqthink.journal.store import SessionFile
from seqthink.library.places.place import LOOK_SECONDS
from seqthink.library.viewer_store.newest_transcripts import FileState, NewestSessions
from seqthink.sources.transcripts.registry import TRANSCRIPTS

if TYPE_CHECKING:
    from seqthink.sources.transcripts.budget import Budget
    from seqthink.sources.transcripts.installed.isolated_source import IsolatedSource
    from seqthink.sources.transcripts.source import FoundSession, Source

IDLE_LOOK_FACTOR = 400
"""The pause is this many times as long as looks at all clients take, while nothing of this one seems to change."""
MAX_LOOK_PAUSE_SECONDS = 120.0
"""The longest pause while none seems to change: only where a look takes long, among tens of thousands of sessions."""
MAX_REMEMBERED = 32
"""Sessions of a client that the next viewer begins with, the newest."""
_TEXT_SUFFIXES = frozenset((".json", ".jsonl"))


class SourceListing:
    """What was found of one client.

    Args:
        source: reads its sessions.
        environ: the environment, which may name another folder.
        home: the user's home folder.
    """

    def __init__(self, source: "Source", environ: Mapping[str, str], home: Path) -> None:
        self.source = source
        self._environ, self._home = environ, home
        self._folder: Path | None = None
        self.sessions: list[FoundSession] = []
        """The sessions that changed last, newest first."""
        self.files: list[SessionFile] = []
        """The same as a list shows them."""
        self.cut: int | None = None
        """When the newest one changed that is not among them; None if all are."""
        self.took = 0.0
        """How many seconds the last look worked."""
        self.leaves_out = False
        """Whether the last look said that something is left out."""
        self._looked_at: float | None = None
        self._folders: dict[str, FileState | None] = {}
        self._files: dict[str, FileState | None] = {}

    @property
    def is_own(self) -> bool:
        """Whether it is not one of those that packages bring."""
        return self.source.name in TRANSCRIPTS

    @property
    def folder(self) -> Path | None:
        """The client's folder; None if a package brings the source and has not said it yet."""
        if self._folder is None and self.is_own:
            self._folder = self.source.folder(self._environ, self._home)
        return self._folder

    # Looking

    def look(self, limit: int, budget: "Budget") -> None:
        """Find the sessions that changed last, at most ``limit``; what is left out is said to ``budget``."""
        before, said, self._looked_at = thread_time(), budget.left_out, monotonic()
        folder = self._folder = self.source.folder(self._environ, self._home)
        # Before the look: what changes meanwhile is seen by the next one.
        self._folders = _states_of(map(str, (folder, *self.source.watched_folders(folder))))
        found = self.source.find(folder, limit + 1)
        self.cut = found[limit].changed if len(found) > limit else None
        # While a file is moved it may be in two folders; the one that goes on counts.
        newest: dict[str, FoundSession] = {}
        for session in found[:limit]:
            newest.setdefault(session.id, session)
        self.sessions = list(newest.values())
        self.leaves_out = budget.left_out != said
        self.took = thread_time() - before

    def glance_at(self, sessions: "Iterable[FoundSession]") -> None:
        """Note the state of the files of these sessions, whose changes count from now on."""
        self._files = _states_of(name for session in sessions for name in _files_of(session))

    def is_due(self, all_took: float) -> bool:
        """Return whether it is time to look without any sign, if the looks at all clients take that long."""
        pause = min(MAX_LOOK_PAUSE_SECONDS, max(LOOK_SECONDS, IDLE_LOOK_FACTOR * all_took))
        return self._looked_at is None or monotonic() - self._looked_at >= pause

    def has_changed(self) -> bool:
        """Return whether a file or folder shows that there is something new, or a late answer does."""
        isolated = self._isolated
        has_news = isolated is not None and isolated.has_news
        return has_news or any(_state_of(path) != state for path, state in (self._folders | self._files).items())

    def say_trouble(self) -> None:
        """Say again what is wrong with the source of a package, which is not looked at now."""
        if (isolated := self._isolated) is not None:
            isolated.say_trouble()

    @property
    def _isolated(self) -> "IsolatedSource | None":
        """The source, if a package brings it."""
        if self.is_own:
            return None
        # Few have such a source, and it loads much.
        from seqthink.sources.transcripts.installed.isolated_source import IsolatedSource  # noqa: PLC0415 - see above

        return self.source if isinstance(self.source, IsolatedSource) else None

    # From one viewer to the next

    def newest(self) -> NewestSessions:
        """Return what the next viewer may begin with."""
        kept = [(one.id, str(one.path), one.changed, one.size, one.began) for one in self.sessions[:MAX_REMEMBERED]]
        shared = {name for one in self.sessions[:1] if not _has_own_file(one) for name in _files_of(one)}
        return NewestSessions(str(self.folder), {**self._folders, **_states_of(shared)}, kept)

    def begin_with(self, newest: NewestSessions | None) -> None:
        """Take over the newest sessions: what was remembered, if no folder has changed since; else find them now."""
        from seqthink.sources.transcripts.source import FoundSession  # noqa: PLC0415 - journals alone need none of it

        folder = self.source.folder(self._environ, self._home)
        if newest is None or newest.folder != str(folder) or _states_of(newest.states) != newest.states:
            self.sessions = self.source.find(folder, MAX_REMEMBERED)
            return
        kept = (FoundSession(self.source.name, one[0], Path(one[1]), *one[2:]) for one in newest.sessions)
        self.sessions = [now for one in kept if (now := _as_it_is(one)) is not None]


def _as_it_is(session: "FoundSession") -> "FoundSession | None":
    """Return a session with its file's size and time now; None if that is gone. Of a database nothing has changed."""
    if not _has_own_file(session):
        return session
    state = _state_of(str(session.path))
    return session._replace(size=state[0], changed=max(session.changed, state[1] // 1000)) if state else None


def _has_own_file(session: "FoundSession") -> bool:
    return session.path.suffix in _TEXT_SUFFIXES


def _files_of(session: "FoundSession") -> tuple[str, ...]:
    """Return the files in which a session changes: a database may be written in the log beside it alone."""
    path = str(session.path)
    return (path,) if _has_own_file(session) else (path, f"{path}-wal")


def _states_of(paths: Iterable[str]) -> dict[str, FileState | None]:
    return {path: _state_of(path) for path in paths}


def _state_of(path: str) -> FileState | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - hundreds at a time
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
