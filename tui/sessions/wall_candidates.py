"""Which sessions belong on the wall: listed now and then, with few looks into the files."""

from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from seqthink.core.times import datetime_of, is_recent
from seqthink.journal.store import RECENT_SECONDS, SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog, sessions_by_place
from seqthink.library.places.place import Place
from tui.sessions.followed_session import FollowedSession, last_change

RELIST_SECONDS, MAX_RELIST_SECONDS = 2.0, 10.0
"""The shortest pause before the sessions are listed again, and the longest; a new file ends it at once."""
RELIST_TIME_FACTOR = 1000
"""The pause before listing again is this many times as long as the last listing took."""
MAX_TRANSCRIPTS = 32
"""Transcripts on the wall, the newest."""
MAX_PROBED = 100
"""Old journals whose lock is tested in one refresh."""


class _Known(NamedTuple):
    """The sessions of a place, as they were listed last."""

    files: list[SessionFile]
    by_path: dict[Path, SessionFile]


class WallCandidates:
    """Which sessions of a catalog belong on the wall: listed now and then, with few looks into the files."""

    def __init__(self, catalog: SessionCatalog, clock: Callable[[], int]) -> None:
        self._catalog = catalog
        self._clock = clock
        self._list_at = 0.0
        self._filter = catalog.wanted.filter
        self._version: tuple[int, ...] = ()
        self._grown: frozenset[Path] = frozenset()
        self._known: dict[Place, _Known] = {}
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
        return next(filter(None, (place.report.lost for place in self._catalog.places)), "")

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
        version = (*self._catalog.version, hash(self._catalog.wanted.filter))
        if before >= self._list_at or version != self._version:
            self._version = version
            if self._filter != self._catalog.wanted.filter:
                self._filter, self._known, self._live_old = self._catalog.wanted.filter, {}, {}
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
        listed, before = sessions_by_place(self._catalog), self._known
        wanted, self._files, self._known = self._files, [], {}
        grown: set[Path] = set()
        old: list[SessionFile] = []
        recent_since = datetime_of(now - RECENT_SECONDS * 1_000_000)
        for place, files in listed:
            known = before.get(place) or _Known([], {})
            self._known[place] = known if files is known.files else _Known(files, {file.path: file for file in files})
            # A list of thousands is mostly the same as before, and then what was not wanted is not wanted now.
            for file in files if files is not known.files else [one for one in wanted if one.path in known.by_path]:
                seen, one = known.by_path.get(file.path), followed.get(file.path)
                if seen is not None and seen is not file and seen.content != file.content:
                    grown.add(file.path)
                may_be_recent = file.last >= recent_since or bool(file.waits_for)
                is_wanted = may_be_recent and _is_recent(file, now) if one is None else one.is_wanted(now)
                if (is_wanted or file.path in grown) and self._catalog.wanted.has(file):
                    self._files.append(file)
                    self._live_old.pop(file.path, None)
                elif seen is None and not place.is_translated:
                    old.append(file)
        self._grown = frozenset(grown)
        there = {path for place, known in self._known.items() if not place.is_translated for path in known.by_path}
        there -= {file.path for file in self._files}
        self._live_old = {path: file for path, file in self._live_old.items() if path in there and path in followed}
        self._unprobed = [file for file in self._unprobed if file.path in there] + old

    def _probe(self, now: int) -> None:
        """Test whether the servers of old journals are running: such a session may have been silent for hours."""
        probed, self._unprobed = self._unprobed[:MAX_PROBED], self._unprobed[MAX_PROBED:]
        self._live_old.update({file.path: file for file in probed if self._is_shown(file, now)})

    def _is_shown(self, file: SessionFile, now: int) -> bool:
        return self._catalog.session(file.path).is_live(file, now) and self._catalog.wanted.has(file)


def _is_recent(file: SessionFile, now: int) -> bool:
    return bool(file.waits_for) or is_recent(last_change(file, now), now, RECENT_SECONDS)
