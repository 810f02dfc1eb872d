"""Index of the sessions in a folder: a thread fills it in the background, the screen reads it.

Order of work: the file list, the rows in view, names and clients of all files, then counts of the rest, newest first.

"""

import threading
from collections.abc import Callable
from time import monotonic

from msgspec.structs import replace

from seqthink.drawing.describe.session import ListedSession
from seqthink.drawing.text.glyphs import Signs
from seqthink.errors import UsageError
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.summary import quick_summary, summarize
from tui.sources.session_catalog import SessionCatalog

RELIST_SECONDS = 2.0
"""The shortest pause before the folder is listed again."""
RELIST_TIME_FACTOR = 20
"""The pause before listing again is this many times as long as the last listing took."""
NOTIFY_SECONDS = 0.1
"""The shortest time between two notifications."""
MAX_RECOUNT_BYTES = 4 << 20
MAX_BACKGROUND_BYTES = 256 << 20
_WAIT_SECONDS = 0.5


class SessionIndex:
    """What is known about the sessions of a catalog."""

    def __init__(self, catalog: SessionCatalog, signs: Signs, decode: LineDecoder) -> None:
        self.files: list[SessionFile] = []
        """All session files, newest first."""
        self.live_count = 0
        """Sessions whose server is running."""
        self.is_listed = False
        """The folder has been listed at least once."""
        self.error = ""
        """Why the folder cannot be listed, or empty."""
        self._catalog = catalog
        self._signs = signs
        self._decode: LineDecoder = decode
        self._summaries: dict[str, ListedSession] = {}
        self._counted_sizes: dict[str, int] = {}
        self._files_in_view: tuple[SessionFile, ...] = ()
        self._changed = threading.Event()
        self._is_stopped = False
        self._background_bytes = 0
        self._notified_at = 0.0
        self._unreported_count = 0

    # The screen's side

    def summary(self, file: SessionFile) -> ListedSession | None:
        """Return what is known about a session so far."""
        return self._summaries.get(file.session)

    def prioritise(self, files: tuple[SessionFile, ...]) -> None:
        """Summarise these files first: they are in view."""
        if files != self._files_in_view:
            self._files_in_view = files
            self._changed.set()

    def stop(self) -> None:
        """Stop the thread."""
        self._is_stopped = True
        self._changed.set()

    def matching(self, text: str) -> list[SessionFile]:
        """Return the sessions whose name, client, title or id contain the words of ``text``; all when it is blank."""
        if not text.strip():
            return self.files
        known = ((file, self._summaries.get(file.session)) for file in self.files)
        return [file for file, listed in known if listed is not None and listed.matches(text)]

    # The thread's side

    def scan(self, notify: Callable[[], object]) -> None:
        """Scan the folder until stopped; call ``notify`` from time to time when something is new."""
        while not self._is_stopped:
            started = monotonic()
            self._relist()
            now = self._notified_at = monotonic()
            notify()
            self._scan_until(now + max(RELIST_SECONDS, RELIST_TIME_FACTOR * (now - started)), notify)

    def _relist(self) -> None:
        try:
            self._catalog.refresh()
            self.files, self.error = self._catalog.sessions(), ""
        except UsageError as error:
            self.files, self.error = [], str(error)
        session_ids = {file.session for file in self.files}
        for session in [session for session in self._summaries if session not in session_ids]:
            self._summaries.pop(session)
            self._counted_sizes.pop(session, None)
        for file in self.files:
            known = self._summaries.get(file.session)
            if known is not None and (known.alive or self._counted_sizes.get(file.session) != file.size):
                self._glance(file)
        self._count_live()
        self.is_listed = True

    def _scan_until(self, until: float, notify: Callable[[], object]) -> None:
        glanced = counted = 0
        while not self._is_stopped and monotonic() < until:
            wanted = next((file for file in self._files_in_view if self._needs_count(file)), None)
            if wanted is not None:
                self._count(wanted)
            elif glanced < len(self.files):
                if self.files[glanced].session not in self._summaries:
                    self._glance(self.files[glanced])
                glanced += 1
            elif counted < len(self.files) and self._background_bytes < MAX_BACKGROUND_BYTES:
                if self._needs_count(self.files[counted]):
                    self._background_bytes += self.files[counted].size
                    self._count(self.files[counted])
                counted += 1
            else:
                self._notify(notify, now=True)
                self._changed.wait(min(_WAIT_SECONDS, max(0.0, until - monotonic())))
                self._changed.clear()
            self._notify(notify)

    def _notify(self, notify: Callable[[], object], *, now: bool = False) -> None:
        if self._unreported_count and (now or monotonic() - self._notified_at >= NOTIFY_SECONDS):
            self._notified_at, self._unreported_count = monotonic(), 0
            self._count_live()
            notify()

    def _count_live(self) -> None:
        self.live_count = sum(listed.alive for listed in self._summaries.values())

    def _needs_count(self, file: SessionFile) -> bool:
        counted = self._counted_sizes.get(file.session)
        return counted is None or (counted != file.size and file.size < MAX_RECOUNT_BYTES)

    def _glance(self, file: SessionFile) -> None:
        self._catalog.read_head(file.path)
        before, summary = self._summaries.get(file.session), quick_summary(file, self._decode)
        if before is not None and before.is_counted:
            if before.alive != summary.alive:
                self._counted_sizes.pop(file.session, None)  # its state has to be read again
            summary = replace(before, alive=summary.alive, last_change=max(before.last_change, summary.last_change))
        if summary != before:
            self._summaries[file.session] = summary
            self._unreported_count += 1

    def _count(self, file: SessionFile) -> None:
        self._counted_sizes[file.session] = file.size
        self._catalog.read_whole(file.path)
        try:
            listed = summarize(file, signs=self._signs, decode=self._decode, is_cancelled=lambda: self._is_stopped)
        except OSError:
            listed = None
        if listed is None:
            listed = self._summaries.get(file.session) or quick_summary(file, self._decode)
        self._summaries[file.session] = listed
        self._unreported_count += 1
