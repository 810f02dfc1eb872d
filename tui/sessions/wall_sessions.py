"""The sessions that are live or changed a short while ago, each folded as it grows: for the wall and for the counts.

Threads call `WallSessions.refresh`, one at a time; any thread may read `WallSessions.entries`, which is replaced, never
changed. What a refresh costs depends on what is new: a file that did not change is only looked at. Memory and open
files are bounded: at first a session is read by its end, and only some are then read and folded as a whole, in slices,
those in view first.

When a session changed last is measured by this computer's clock from what was seen here, because the clock that wrote
the journal may be wrong.
"""

import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from time import monotonic

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.core.errors import UsageError, reason_of
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.catalog.session_catalog import SessionCatalog
from tui.sessions.followed_session import FollowedSession, WallEntry
from tui.sessions.wall_candidates import WallCandidates

__all__ = ["WallEntry", "WallSessions"]

LABEL_SECONDS = 1.0
"""The pause between two looks at what people say about the sessions."""
REFRESH_SECONDS = 0.03
"""Time after which a refresh leaves the rest of what is new to the next one."""
MAX_FOLDED = 48
"""Sessions that are folded as a whole at a time."""


class WallSessions:
    """The sessions of a catalog that are live or changed in the last ten minutes, in the order in which they began.

    Args:
        catalog: all sessions.
        clock: returns microseconds since 1970.
        decode: decodes lines of journals.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
    """

    def __init__(
        self, catalog: SessionCatalog, clock: Callable[[], int], decode: LineDecoder, stuck_seconds: int = STUCK_SECONDS
    ) -> None:
        self.entries: tuple[WallEntry, ...] = ()
        """What is on the wall."""
        self.is_read = False
        """Whether each session that was listed was read at least by its end; old journals may still be tested."""
        self.is_settled = False
        """Whether that is so, and it is known which old journals have running servers."""
        self.is_behind = True
        """Whether a refresh left something to the next one."""
        self.error = ""
        """Why the sessions cannot be listed now; empty if they can."""
        self.lost = ""
        """What was deleted meanwhile, so that sessions are missing or do not go on; empty if nothing was."""
        self.has_live_transcripts = False
        """Whether transcripts changed a short while ago: of theirs no change is announced."""
        self.growth_count = 0
        """How often a journal was seen to have changed."""
        self._catalog = catalog
        self._clock = clock
        self._decode: LineDecoder = decode
        self._stuck_seconds = stuck_seconds
        self._refreshing = threading.Lock()
        self._followed: dict[Path, FollowedSession] = {}
        self._in_view: frozenset[Path] = frozenset()
        self._candidates = WallCandidates(catalog, clock)
        self._turn = 0
        self._label_at = 0.0

    def entry(self, path: Path) -> WallEntry | None:
        """Return the entry of the session whose journal is at ``path``, or None."""
        return next((entry for entry in self.entries if entry.file.path == path), None)

    def prioritise(self, paths: Collection[Path]) -> None:
        """Fold these sessions first: they are in view."""
        in_view = frozenset(paths)
        self.is_behind = self.is_behind or in_view != self._in_view
        self._in_view = in_view

    def refresh(self) -> bool:
        """Read what is new; return whether anything changed. Does nothing while another thread is at it."""
        if not self._refreshing.acquire(blocking=False):
            return False
        try:
            return self._refresh()
        finally:
            self._refreshing.release()

    def _refresh(self) -> bool:
        self.is_behind = False
        self._list()
        self._read(monotonic() + REFRESH_SECONDS)
        self._label()
        now = self._clock()
        known = [followed.entry(now, self._stuck_seconds) for followed in self._followed.values() if followed.is_known]
        entries = tuple(sorted(known, key=lambda entry: (entry.started, entry.file.session)))
        has_changed = len(entries) != len(self.entries) or any(
            entry is not before for entry, before in zip(entries, self.entries, strict=True)
        )
        if has_changed:
            self.entries = entries
        self.has_live_transcripts = any(one.is_live_transcript(now) for one in self._followed.values())
        self.is_read = all(one.is_settled for one in self._followed.values())
        self.is_settled = self.is_read and self._candidates.is_done
        self.is_behind = self.is_behind or not self.is_settled
        return has_changed

    def _label(self) -> None:
        if monotonic() >= self._label_at:
            self._label_at = monotonic() + LABEL_SECONDS
            for path, followed in self._followed.items():
                followed.label(labels_of(self._catalog, path))

    def _list(self) -> None:
        try:
            files = self._candidates.look(self._followed)
        except UsageError as error:
            self.error = reason_of(error)
            return
        self.lost = self._candidates.lost
        if files is not None:
            self.error = ""
            self._update_followed(files)

    def _update_followed(self, files: Sequence[SessionFile]) -> None:
        listed = {file.path: file for file in self._catalog.on_wall(files)}
        for path in [path for path in self._followed if path not in listed]:
            del self._followed[path]
        for path, file in listed.items():
            known = self._followed.get(path)
            if known is None:
                self._followed[path] = FollowedSession(
                    file,
                    self._decode,
                    is_transcript=self._catalog.is_transcript(path),
                    changed=self._candidates.last_change(file),
                    machine=self._catalog.session(path).machine,
                )
            else:
                known.file = file

    def _read(self, until: float) -> None:
        """Read until a moment, each session in its turn, those in view first."""
        followed = list(self._followed.values())
        self._turn = (self._turn + 1) % max(1, len(followed))
        turns = followed[self._turn :] + followed[: self._turn]
        turns.sort(key=lambda one: one.file.path not in self._in_view)  # a stable sort: within both, by turn
        folded = set(sorted(turns, key=self._fold_rank)[:MAX_FOLDED])
        for one in turns:
            if monotonic() < until or one.is_settled:
                has_grown = one.look(self._catalog, self._clock(), is_folded=one in folded)
                self.growth_count += has_grown and not self._catalog.is_transcript(one.file.path)
            if one not in folded:
                one.drop_fold()
        # many files to look at must not keep any from being read
        self._fold([one for one in turns if one in folded], max(until, monotonic() + REFRESH_SECONDS / 2))
        self.is_behind = self.is_behind or any(one in folded and not one.is_up_to_date for one in turns)

    @staticmethod
    def _fold(followed: list[FollowedSession], until: float) -> None:
        """Fold what is new, a slice of each in turn."""
        waiting = [one for one in followed if one.is_settled and not one.is_up_to_date]
        while waiting and monotonic() < until:
            for one in waiting:
                one.fold_slice()
                if monotonic() >= until:
                    return
            waiting = [one for one in waiting if not one.is_up_to_date]

    def _fold_rank(self, one: FollowedSession) -> tuple[bool, bool, int, str]:
        return one.file.path not in self._in_view, not one.has_fold, -one.changed, one.file.session
