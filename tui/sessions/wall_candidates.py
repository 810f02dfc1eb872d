"""Which sessions belong on the wall: listed now and then, with few looks into the files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from seqthink.core.times import datetime_of, is_recent
from seqthink.journal.store import RECENT_SECONDS, SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from tui.sessions.followed_session import FollowedSession, last_change

RELIST_SECONDS, MAX_RELIST_SECONDS = 2.0, 10.0
"""The shortest pause before the sessions are listed again, and the longest; a new file ends it at once."""
RELIST_TIME_FACTOR = 1000
"""The pause before listing again is this many times as long as the last listing took."""
MAX_TRANSCRIPTS = 32
"""Transcripts on the wall, the newest."""
MAX_PROBED = 100
"""Old journals whose lock is tested in one refresh."""


class WallCandidates:
    """Which sessions of a catalog belong on the wall: listed now and then, with few looks into the files."""

    def __init__(self, catalog: SessionCatalog, clock: Callable[[], int]) -> None:
        self._catalog = catalog
        self._clock = clock
        self._list_at = 0.0
        self._version: tuple[int, ...] = ()
        self._grown: frozenset[Path] = frozenset()
        self._known: dict[Path, SessionFile] = {}
        self._unprobed: list[SessionFile] = []
        self._live_old: dict[Path, SessionFile] = {}
        self._files: list[SessionFile] = []

    @property
    def is_done(self) -> bool:
        """Whether all old journals were tested."""
        return not self._unprobed

    @property
    def lost(self) -> str:
        """What was deleted meanwhile, so that sessions are missing or do not go on; empty if nothing was."""
        return self._catalog.lost

    def last_change(self, file: SessionFile) -> int:
        """Return when a session changed last: now if it has grown between two listings, whatever its clock says."""
        now = self._clock()
        return now if file.path in self._grown else last_change(file, now)

    def look(self, followed: Mapping[Path, FollowedSession]) -> list[SessionFile] | None:
        """Return the sessions for the wall; None if nothing is to be changed.

        Raises:
            UsageError: the folder cannot be read.
        """
        before, now = monotonic(), self._clock()
        version = self._catalog.version
        if before >= self._list_at or version != self._version:
            self._version = version
            try:
                self._list(now, followed)
            finally:
                took = monotonic() - before
                self._list_at = monotonic() + min(MAX_RELIST_SECONDS, max(RELIST_SECONDS, RELIST_TIME_FACTOR * took))
        elif not self._unprobed:
            return None
        self._probe(now)
        transcripts = [file for file in self._files if self._catalog.is_transcript(file.path)][:MAX_TRANSCRIPTS]
        journals = [file for file in self._files if not self._catalog.is_transcript(file.path)]
        return [*journals, *transcripts, *self._live_old.values()]

    def _list(self, now: int, followed: Mapping[Path, FollowedSession]) -> None:
        files = self._catalog.sessions()
        known, self._known = self._known, {file.path: file for file in files}
        self._files = []
        old: list[SessionFile] = []
        self._grown = frozenset(
            path
            for path, file in self._known.items()
            if (before := known.get(path, file)) is not file and before.content != file.content
        )
        recent_since = datetime_of(now - RECENT_SECONDS * 1_000_000)
        for file in files:
            one = followed.get(file.path)
            is_old = one is None and file.last < recent_since and not file.waits_for and file.path not in self._grown
            if is_old and file.path in known:
                continue  # most of thousands
            if not is_old and (file.path in self._grown or self._is_wanted(file, one, now)):
                self._files.append(file)
                self._live_old.pop(file.path, None)
            elif file.path not in known and not self._catalog.is_transcript(file.path):
                old.append(file)
        listed = self._known.keys() - {file.path for file in self._files}
        self._live_old = {path: file for path, file in self._live_old.items() if path in listed and path in followed}
        self._unprobed = [file for file in self._unprobed if file.path in listed] + old

    @staticmethod
    def _is_wanted(file: SessionFile, one: FollowedSession | None, now: int) -> bool:
        return one.is_wanted(now) if one is not None else _is_recent(file, now)

    def _probe(self, now: int) -> None:
        """Test whether the servers of old journals are running: such a session may have been silent for hours."""
        probed, self._unprobed = self._unprobed[:MAX_PROBED], self._unprobed[MAX_PROBED:]
        self._live_old.update(
            {file.path: file for file in probed if self._catalog.session(file.path).is_live(file, now)}
        )


def _is_recent(file: SessionFile, now: int) -> bool:
    return bool(file.waits_for) or is_recent(last_change(file, now), now, RECENT_SECONDS)
