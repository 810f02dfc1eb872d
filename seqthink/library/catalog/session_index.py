"""Index of the sessions in a folder: a thread fills it in the background, the screen reads it.

Order of work: the file list, the ends of the newest files for a moment, the rows in view, what the rest of the files
say at their ends, then counts, newest first.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic, thread_time

from msgspec.structs import replace

from seqthink.chain.attention import STUCK_SECONDS
from seqthink.chain.overview.session_filter import EVERY_SESSION, SessionFilter
from seqthink.chain.overview.session_groups import ListGroup, ListPosition, RepositoryGroup, group_of, in_groups
from seqthink.chain.overview.states import SessionGroup, ShownState, shown_state
from seqthink.chain.state import STALE_SECONDS
from seqthink.core.background import Troubles, keep_running_sync
from seqthink.core.errors import UsageError, cannot_read
from seqthink.core.labels import SessionLabels
from seqthink.core.times import microseconds_of
from seqthink.drawing.describe.session import ListedSession, facts_of, has_words, labelled
from seqthink.drawing.text.glyphs import Signs
from seqthink.journal.decode import LineDecoder
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.labelled import labels_of
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.repositories.repository import Repositories
from seqthink.library.summary import quick_summary, summarize
from seqthink.library.viewer_store.read_state import ReadState

LISTING = "listing the sessions"
"""The name of the background task."""
RELIST_SECONDS = 2.0
"""The shortest pause before the folder is listed again."""
RELIST_TIME_FACTOR = 20
"""The pause before listing again is this many times as long as the last listing took."""
NOTIFY_SECONDS = 0.1
"""The shortest time between two notifications."""
FLEET_NOTIFY_SECONDS = 0.5
"""The same while the sessions of a fleet are looked at for the first time: all of them are within about a second."""
MAX_RECOUNT_BYTES = 4 << 20
MAX_BACKGROUND_BYTES = 256 << 20
FIRST_GLANCE_SECONDS = 0.05
"""How long the first rows wait for what the newest sessions need."""
FIRST_CARDS_SECONDS = 0.01
"""The same for cards of a fleet, which are there already: a page of them takes a tenth of it."""
FIRST_DRAW_SECONDS = 0.2
"""How long the rest of a list waits at most until its first page has been drawn, which says what is in view."""
_WAIT_SECONDS = 0.5


class SessionIndex:
    """What is known about the sessions of a catalog.

    Args:
        catalog: all sessions.
        signs: characters of shapes.
        decode: decodes lines of journals.
        clock: returns microseconds since 1970.
        read_state: what was read of each session; None if nobody remembers it.
        stuck_seconds: seconds of silence after which a thinking session is stuck; 0 for never.
        stale_seconds: seconds without a thought after which a thinking session is quiet; 0 for never.
    """

    def __init__(
        self,
        catalog: SessionCatalog,
        signs: Signs,
        decode: LineDecoder,
        *,
        clock: Callable[[], int],
        read_state: ReadState | None = None,
        stuck_seconds: int = STUCK_SECONDS,
        stale_seconds: int = STALE_SECONDS,
    ) -> None:
        self.files: list[SessionFile] = []
        """All session files, newest first."""
        self.is_listed = False
        """The folder has been listed at least once."""
        self.is_glanced = False
        """Each session has been looked at, so that it is known what needs the user and what is unread."""
        self._troubles = Troubles()
        self._catalog = catalog
        self._signs = signs
        self._decode: LineDecoder = decode
        self._clock = clock
        self._read_state = read_state
        self._stuck_seconds, self._stale_seconds = stuck_seconds, stale_seconds
        self._repositories = Repositories()
        self._summaries: dict[str, ListedSession] = {}
        self._counted: dict[str, tuple[int, str]] = {}
        self._unread: frozenset[str] = frozenset()
        self._card_facts: dict[str, object] = {}
        self._left_out: list[str] = []
        self._files_in_view: tuple[SessionFile, ...] = ()
        self._settled_view: object = None
        self._changed = threading.Event()
        self._is_stopped = False
        self._background_bytes = 0
        self._notified_at = 0.0
        self._unreported_count = 0
        self.version = 0
        """Grows with whatever changes in the list."""
        self._places_version = 0
        self._labels: Mapping[str, SessionLabels] = {}
        self._labels_are_due = False
        self._paths: Mapping[str, Path] = {}
        self._grouped: tuple[object, list[tuple[ListGroup, list[SessionFile]]]] = None, []

    # The screen's side

    def summary(self, file: SessionFile) -> ListedSession | None:
        """Return what is known about a session so far."""
        return self._summaries.get(file.session)

    @property
    def is_settled(self) -> bool:
        """Whether everything was looked at, what is in view first, and the screen was notified."""
        return self._settled_view is self._files_in_view

    @property
    def error(self) -> str:
        """Why the sessions cannot be listed now, or else one of them not read; empty most of the time."""
        return self._troubles.of(LISTING) or self._troubles.text

    @property
    def unseen(self) -> str:
        """What the list does not show yet, or not at all, in words; empty if it shows all there is."""
        read, total = len(self._summaries), len(self.files)
        if self.is_listed and not self.is_glanced and read < total:
            return f"{read:,} of {total:,} sessions read"
        return "; ".join([*filter(None, [self._catalog.unlisted]), *self._left_out])

    def prioritise(self, files: tuple[SessionFile, ...]) -> None:
        """Summarise these files first: they are in view."""
        if files != self._files_in_view:
            self._files_in_view = files
            self._changed.set()

    def note_labels(self) -> None:
        """Take over what people say about the sessions, soon: the user has changed it."""
        self._labels_are_due = True
        self._changed.set()

    def stop(self) -> None:
        """Stop the thread."""
        self._is_stopped = True
        self._changed.set()

    def matching(self, text: str, wanted: SessionFilter = EVERY_SESSION) -> list[SessionFile]:
        """Return the sessions whose facts contain the words of ``text``, of those that are ``wanted``."""
        if not text.strip() and wanted.is_empty:
            return self.files
        now = self._clock()
        known = ((file, self._summaries.get(file.session)) for file in self.files)
        return [
            file
            for file, listed in known
            if listed is not None
            and (wanted.is_empty or wanted.matches(facts_of(listed, now, self._stale_seconds)))
            and has_words(listed, text)
        ]

    def grouped(
        self, text: str, wanted: SessionFilter = EVERY_SESSION, *, by_repository: bool = False
    ) -> list[tuple[ListGroup, list[SessionFile]]]:
        """Return what `matching` returns in groups, without empty ones.

        With ``by_repository``, those that need the user come first, and the others are in groups of their repositories.
        """
        is_all = not text.strip() and wanted.is_empty and not by_repository
        key = (self._places_version if is_all else self.version), text, wanted, by_repository
        if key != self._grouped[0]:
            files = {file.session: file for file in self.matching(text, wanted)}
            groups = in_groups(self._position(file, by_repository=by_repository) for file in files.values())
            self._grouped = key, [(group, [files[session] for session in inside]) for group, inside in groups]
        return self._grouped[1]

    def states(self, group: ListGroup, files: Iterable[SessionFile], stale_seconds: int) -> list[ShownState]:
        """Return the states of a group's ``files``; none for the earlier ones, which nobody counts."""
        if group is SessionGroup.EARLIER:
            return []
        counted = files if isinstance(group, SessionGroup) else filter(self._is_counted, files)
        now, known = self._clock(), filter(None, map(self.summary, counted))
        return [shown_state(listed.standing, now, stale_seconds) for listed in known]

    def _is_counted(self, file: SessionFile) -> bool:
        return self._position(file).group is not SessionGroup.EARLIER

    def _position(self, file: SessionFile, *, by_repository: bool = False) -> ListPosition:
        listed, last = self._summaries.get(file.session), microseconds_of(file.last)
        if listed is None:
            group = RepositoryGroup("", "") if by_repository else SessionGroup.EARLIER
            return ListPosition(group, last, file.session)
        need = group_of(listed.standing, last, self._clock(), has_unread=listed.has_unread)
        is_by_need = not by_repository or need is SessionGroup.NEEDS_YOU
        group = need if is_by_need else RepositoryGroup(listed.place.repository, listed.place.address)
        return ListPosition(group, listed.started or last, file.session, listed.labels.is_pinned)

    # The thread's side

    def scan(self, notify: Callable[[], object]) -> None:
        """Scan the folder until stopped; call ``notify`` from time to time when something is new."""

        def report(name: str, text: str) -> None:
            self._report(name, text)
            self.is_listed = True  # who waits for the list gets the reason why there is none
            notify()

        keep_running_sync(
            lambda: self._scan(notify), LISTING, report, wait=self._rest, is_over=lambda: self._is_stopped
        )

    def _rest(self, seconds: float) -> None:
        self._changed.clear()
        if not self._is_stopped:
            self._changed.wait(seconds)

    def _report(self, name: str, text: str) -> None:
        if self._troubles.report(name, text):
            self._unreported_count += 1
            self._count_change(is_of_places=False)

    def _scan(self, notify: Callable[[], object]) -> None:
        while not self._is_stopped:
            before = thread_time()
            is_first = not self.is_listed
            self._look_for_sessions(notify)
            self._relist()
            if is_first:
                self._glance_at_newest()
                self.is_listed = True
                self._count_change(is_of_places=True)
            took = thread_time() - before
            now = self._notified_at = monotonic()
            notify()
            if is_first:
                self._changed.wait(FIRST_DRAW_SECONDS)
            self._scan_until(now + max(RELIST_SECONDS, RELIST_TIME_FACTOR * took), notify)

    def _look_for_sessions(self, notify: Callable[[], object]) -> None:
        """Look for sessions; the first time, those that are found soon are shown before all are."""
        if self.is_listed:
            self._catalog.refresh()
        elif self._catalog.look():
            self._catalog.join()
        else:
            self._relist()
            self._glance_at_newest()
            notify()
            self._catalog.refresh()

    def _relist(self) -> None:
        self.files, self._left_out = self._catalog.sessions(), self._catalog.left_out
        self._report(LISTING, "")
        self._paths = {file.session: file.path for file in self.files}
        session_ids = self._paths.keys()
        for session in self._unread - session_ids:
            self._note_read(session, "")
        for session in self._unread:
            self._counted.pop(session, None)  # it is tried again
        for session in [session for session in self._summaries if session not in session_ids]:
            self._summaries.pop(session)
            self._counted.pop(session, None)
        self._card_facts = {session: facts for session, facts in self._card_facts.items() if session in session_ids}
        self._look_at_known()
        self._look_at_labels()
        self._count_change(is_of_places=True)

    def _look_at_known(self) -> None:
        for file in self.files:
            known = self._summaries.get(file.session)
            if known is not None and self._is_remote(file):
                self._look_at_card(file)
            elif known is not None and (known.alive or self._counted.get(file.session) != file.content):
                self._glance(file)
            elif known is not None and known.has_unread:
                self._keep(known)

    def _look_at_due_labels(self) -> None:
        if self._labels_are_due:
            self._look_at_labels()

    def _look_at_labels(self) -> None:
        """Keep all summaries again if people said something else about any session."""
        self._labels_are_due = False
        book = self._catalog.label_book
        labels = self._labels
        with suppress(OSError, UsageError):  # said when one is written
            labels = book.all() if book is not None else labels
        if labels is not self._labels:
            self._labels = labels
            for listed in list(self._summaries.values()):
                self._keep(listed)

    def _labels_of(self, session: str) -> SessionLabels:
        return labels_of(self._catalog, self._paths.get(session))

    def _is_remote(self, file: SessionFile) -> bool:
        return self._catalog.is_remote and self._catalog.place_of(file.path).is_remote

    def _look_at_card(self, file: SessionFile) -> None:
        """Take over what a session of a fleet says about itself, if that has changed: no lines are read."""
        session, known = self._catalog.session(file.path), self._summaries.get(file.session)
        facts = session.facts
        if known is None or known.alive or self._card_facts.get(file.session) != facts:
            self._card_facts[file.session] = facts
            self._keep(session.summary(self._stuck_seconds) or known or quick_summary(file, self._decode))

    def _glance_at_newest(self) -> None:
        seconds = FIRST_CARDS_SECONDS if self._catalog.is_remote else FIRST_GLANCE_SECONDS
        until = monotonic() + seconds
        for file in self.files:
            if self._is_stopped or monotonic() > until:
                return
            self._glance(file)

    def _scan_until(self, until: float, notify: Callable[[], object]) -> None:
        glanced = counted = 0
        while not self._is_stopped and monotonic() < until:
            self._look_at_due_labels()
            in_view = self._files_in_view
            wanted = next((file for file in in_view if self._needs_count(file)), None)
            if wanted is not None:
                self._count(wanted)
            elif glanced < len(self.files):
                if self.files[glanced].session not in self._summaries:
                    self._glance(self.files[glanced])
                glanced += 1
                if glanced == len(self.files):
                    self._report_glanced()
            elif counted < len(self.files) and self._background_bytes < MAX_BACKGROUND_BYTES:
                if self._needs_count(self.files[counted]):
                    self._background_bytes += self.files[counted].size
                    self._count(self.files[counted])
                counted += 1
            else:
                self._report_glanced()
                self._notify(notify, now=True)
                self._settled_view = in_view
                self._changed.wait(min(_WAIT_SECONDS, max(0.0, until - monotonic())))
                self._changed.clear()
            self._notify(notify)

    def _report_glanced(self) -> None:
        if not self.is_glanced:
            self.is_glanced = True
            self._count_change(is_of_places=False)
            self._unreported_count += 1

    def _notify(self, notify: Callable[[], object], *, now: bool = False) -> None:
        pause = FLEET_NOTIFY_SECONDS if self._catalog.is_remote and not self.is_glanced else NOTIFY_SECONDS
        if self._unreported_count and (now or monotonic() - self._notified_at >= pause):
            self._notified_at, self._unreported_count = monotonic(), 0
            notify()

    def _needs_count(self, file: SessionFile) -> bool:
        if self._is_remote(file):
            return file.session not in self._summaries
        counted = self._counted.get(file.session)
        return counted is None or (counted != file.content and file.size < MAX_RECOUNT_BYTES)

    def _glance(self, file: SessionFile) -> None:
        if self._is_remote(file):
            self._look_at_card(file)
            return
        self._catalog.session(file.path).read_head()
        before = self._summaries.get(file.session)
        if self._catalog.is_transcript(file.path):
            has_end = before is not None and before.is_counted  # else only its head has been translated
        else:
            has_end = True if before or self._is_unread(file.session, microseconds_of(file.last)) else None
        summary = quick_summary(
            file,
            self._decode,
            now=self._clock(),
            stuck_seconds=self._stuck_seconds,
            has_end=has_end,
            repositories=self._repositories,
        )
        if before is not None and before.is_counted:
            if before.alive != summary.alive:
                self._counted.pop(file.session, None)  # its state has to be read again
            is_recounted = file.size < MAX_RECOUNT_BYTES
            summary = replace(
                before,
                alive=summary.alive,
                state=summary.state,
                standing=summary.standing,
                newest=summary.newest or before.newest,
                newest_number=summary.newest_number or before.newest_number,
                newest_time=summary.newest_time or before.newest_time,
                progress=before.progress if is_recounted else summary.progress or before.progress,
                last_change=max(before.last_change, summary.last_change),
            )
        self._keep(summary)

    def _count(self, file: SessionFile) -> None:
        if self._is_remote(file):
            self._glance(file)
            return
        self._counted[file.session] = file.content
        self._catalog.session(file.path).read_whole()
        now, stuck_seconds = self._clock(), self._stuck_seconds
        trouble = ""
        try:
            listed = summarize(
                file,
                signs=self._signs,
                decode=self._decode,
                now=now,
                stuck_seconds=stuck_seconds,
                is_cancelled=lambda: self._is_stopped,
                repositories=self._repositories,
            )
        except OSError as error:
            listed, trouble = None, cannot_read(file.path.name, error)
        self._note_read(file.session, trouble)
        if listed is None:
            listed = self._summaries.get(file.session) or quick_summary(file, self._decode)
        self._keep(listed)
        self._unreported_count += 1

    def _note_read(self, session: str, trouble: str) -> None:
        """Note why the journal of a session cannot be read now; "" if it can, or is not there any more."""
        if trouble or session in self._unread:
            self._report(session, trouble)
            self._unread = self._unread | {session} if trouble else self._unread - {session}

    def _keep(self, listed: ListedSession) -> None:
        """Keep a summary, with how much of its session is unread."""
        has_unread = listed.newest_time > 0 and self._is_unread(listed.session, listed.newest_time)
        unread = self._unread_count(listed) if has_unread and listed.is_counted else 0
        listed = labelled(replace(listed, has_unread=has_unread, unread=unread), self._labels_of(listed.session))
        before = self._summaries.get(listed.session)
        if listed != before:
            self._summaries[listed.session] = listed
            self._count_change(is_of_places=before is None or _place_facts(before) != _place_facts(listed))
            self._unreported_count += 1

    def _count_change(self, *, is_of_places: bool) -> None:
        self.version += 1
        self._places_version += is_of_places

    # What was read. Whatever is wrong with the file, `ReadMarking` says it.

    def _is_unread(self, session: str, newest: int) -> bool:
        with suppress(OSError, UsageError):
            return self._read_state is not None and self._read_state.is_unread(session, newest)
        return False

    def _unread_count(self, listed: ListedSession) -> int:
        with suppress(OSError, UsageError):
            if self._read_state is not None:
                return self._read_state.unread_count(listed.session, listed.thoughts, listed.newest_time)
        return 0


def _place_facts(listed: ListedSession) -> tuple[object, ...]:
    """Return what decides the place of a session."""
    return listed.standing.attention, listed.has_unread, listed.started, listed.labels.is_pinned
