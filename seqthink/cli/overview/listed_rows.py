"""The rows of `seqthink sessions`: what is remembered of journals that did not change, and the others read whole.

A row that is remembered is the same as one that is read; what depends on the clock or on a lock is never remembered.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from seqthink.chain.attention import Attention, Doing
from seqthink.chain.overview.session_filter import SessionFacts
from seqthink.chain.overview.work_place import WorkPlace
from seqthink.core import system
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import text_of
from seqthink.core.labels import NO_LABELS, SessionLabels
from seqthink.core.text import MAX_NEWEST_CHARS, SafeText, one_line, sanitize
from seqthink.core.times import microseconds_of
from seqthink.journal.decode import LineDecoder
from seqthink.journal.decode import decode as plain_decode
from seqthink.journal.store import SessionFile
from seqthink.library.repositories.repository import Repositories
from seqthink.library.viewer_store.list_cache import CachedSession, FileKey, ListCache, is_worth_remembering
from seqthink.sources.transcripts.registry import JOURNAL, TRANSCRIPTS

# Folding a journal loads much; a list that is known completely needs none of it.
if TYPE_CHECKING:
    from seqthink.chain.health.oddities import HealthCounts
    from seqthink.cli.overview.machine_sessions import MachineSessions
    from seqthink.drawing.describe.session import ListedSession

_CHANGELESS = frozenset({Attention.DONE, Attention.LOST, Attention.STOPPED, Attention.OPEN})
"""What no clock changes, as long as nobody writes the journal."""
_QUIET_MICROSECONDS = 3_600_000_000
"""How long ago a session of a client must have changed: until then its agent may be at work for all that is known."""


class FleetRow(NamedTuple):
    """Where a session of a fleet is."""

    host: str
    """The name of its machine."""
    origin: str
    """The installation on it."""


class RowRepository(NamedTuple):
    """What the list says about the repository of a session."""

    name: str = ""
    address: str = ""
    """Where its origin is, else its folder."""
    branch: str = ""


class ListedRow(NamedTuple):
    """What the list says about one session."""

    file: SessionFile
    shown: CachedSession
    newest: str = ""
    """The beginning of its newest thought, where it was asked for."""
    listed: "ListedSession | None" = None
    """The summary, if the journal was read now."""
    place: FleetRow | None = None
    """Where it is, if not on this machine."""
    original: Path | None = None
    """The file that holds it, a journal or a file of its client; None if it is on another machine."""
    is_counted: bool = True
    """Whether it was read; if not, no more is known than when it changed, and perhaps its name."""
    repository: RowRepository = RowRepository()

    @property
    def facts(self) -> SessionFacts:
        """What a filter looks at."""
        return SessionFacts(
            repository=self.repository.name, address=self.repository.address, branch=self.repository.branch
        )

    labels: SessionLabels = NO_LABELS
    """What people say about it."""

    @property
    def name(self) -> str:
        """What it is called: as somebody named it, or by itself."""
        return one_line(self.labels.name) or self.shown.name

    @property
    def is_alive(self) -> bool:
        """Whether its agent is known to be at work; of one that is, nothing is remembered."""
        return self.listed is not None and self.listed.alive


class RowReader:
    """Reads the rows of a list.

    Args:
        clients: brings sessions of other programs up to date; None where all are journals.
        decode: decodes the journals' lines; where it redacts, nothing is remembered.
        now: the time, in microseconds since 1970.
        has_health: whether to look at the health of each session, and for the text of its newest thought.
    """

    def __init__(self, clients: "MachineSessions | None", decode: LineDecoder, now: int, *, has_health: bool) -> None:
        self._clients = clients
        self._decode, self._now, self._has_health = decode, now, has_health
        self._cache: ListCache | None = None
        self._client_cache: ListCache | None = None
        self._repositories = Repositories()
        self._known_places: dict[WorkPlace, RowRepository] = {}

    def rows(
        self,
        files: list[SessionFile],
        folder: Path,
        viewer_folder: Path | None,
        is_wanted: Callable[[SessionFile], bool],
    ) -> Iterator[tuple[SessionFile, ListedRow | OSError]]:
        """Yield the row of each session that is wanted, or why it cannot be read; nothing of one that is gone."""
        journals = [file for file in files if file.source == JOURNAL]
        if self._decode is plain_decode and viewer_folder and is_worth_remembering(file.size for file in journals):
            self._cache = ListCache(viewer_folder, folder, socket.gethostname())
        if self._clients is not None and self._decode is plain_decode and viewer_folder and not self._has_health:
            home = system.home_folder()
            self._client_cache = ListCache(viewer_folder, home, socket.gethostname(), _readers())
        for file in filter(is_wanted, files):
            row = (self._remembered(file) or self._read(file)) if file.source == JOURNAL else self._of_client(file)
            if isinstance(row, ListedRow):
                yield file, row._replace(repository=self._repository_of(row))
            elif row is not None:
                yield file, row
        if self._cache is not None:
            self._cache.save({file.session for file in journals})
        if self._client_cache is not None:
            self._client_cache.save({file.session for file in files if file.source != JOURNAL})

    def _repository_of(self, row: ListedRow) -> RowRepository:
        place = row.shown.place
        known = self._known_places.get(place)
        if known is None:
            found = self._repositories.of_place(place)
            known = self._known_places[place] = RowRepository(found.name, found.address, one_line(place.branch))
        return known

    def _of_client(self, file: SessionFile) -> ListedRow | OSError | None:
        assert self._clients is not None, "a session of another program is listed with what reads it"
        original, before = self._clients.original_of(file), self._clients.identity_of(file)
        cache = self._client_cache if self._now - microseconds_of(file.last) > _QUIET_MICROSECONDS else None
        shown = cache.get(file.session, before) if cache is not None and before is not None else None
        if shown is not None:
            self._clients.pass_over()
            return ListedRow(file, shown, original=original)
        try:
            is_read = self._clients.read(file)
        except FileNotFoundError:
            return None
        except OSError as error:
            return error
        row = self._read(file) if is_read else self._unread(file)
        if not isinstance(row, ListedRow):
            return row
        after = self._clients.identity_of(file) if is_read and _is_changeless(row.listed) else None
        if cache is not None and before is not None and after is not None:
            # Where the line of its newest thought is counts for a journal alone.
            cache.put(file.session, before, after, replace(row.shown, newest=(0, 0)))
        return row._replace(original=original)

    def _unread(self, file: SessionFile) -> ListedRow:
        from seqthink.library.session_client import client_of_source
        from seqthink.library.summary import quick_summary

        listed = quick_summary(file, self._decode)
        has_name = listed.name != one_line(file.session)
        listed = replace(listed, name=listed.name if has_name else SafeText(""), client=client_of_source(file.source))
        return ListedRow(file, shown_of(listed), is_counted=False)

    def _remembered(self, file: SessionFile) -> ListedRow | None:
        if self._cache is None or not self._cache.knows(file.session):
            return None
        try:
            descriptor = os.open(file.path, system.READ)
        except OSError:
            return None
        try:
            shown = self._cache.get(file.session, FileKey.of(os.fstat(descriptor)))
            if shown is None or (self._has_health and shown.health is None) or not system.try_shared_lock(descriptor):
                return None
            newest = self._newest_text(descriptor, shown) if self._has_health else ""
            return ListedRow(file, shown, newest=newest, original=file.path)
        except (OSError, CorruptLineError):
            return None
        finally:
            os.close(descriptor)

    def _newest_text(self, descriptor: int, shown: CachedSession) -> str:
        offset, size = shown.newest
        if not size:
            return ""
        line = system.pread(descriptor, size, offset)
        if len(line) != size:
            raise OSError("the system gave less than there is")
        return sanitize((text_of(self._decode.preview(line).event) or "")[:MAX_NEWEST_CHARS])

    def _read(self, file: SessionFile) -> ListedRow | OSError | None:
        from seqthink.drawing.text.glyphs import UNICODE  # not needed where all is known
        from seqthink.library.summary import summarize

        before = _status(file.path)
        try:
            listed = summarize(
                file, signs=UNICODE, decode=self._decode, max_bytes=None, has_health=self._has_health, now=self._now
            )
        except OSError as error:
            return error
        if listed is None:
            return None
        row = ListedRow(file, shown_of(listed), newest=listed.newest, listed=listed, original=file.path)
        if self._cache is not None and before is not None:
            self._remember(row, before)
        return row

    def _remember(self, row: ListedRow, before: os.stat_result) -> None:
        cache = self._cache
        if cache is None or not _is_changeless(row.listed):
            return
        try:
            descriptor = os.open(row.file.path, system.READ)
        except OSError:
            return
        try:
            # Where the lock cannot be tried, it may say something else the next time.
            if system.try_shared_lock(descriptor):
                cache.put(row.file.session, FileKey.of(before), FileKey.of(os.fstat(descriptor)), row.shown)
        except OSError:
            return
        finally:
            os.close(descriptor)


def _is_changeless(listed: "ListedSession | None") -> bool:
    """Return whether a summary stays as it is, as long as nobody writes the session."""
    if listed is None or listed.alive:
        return False
    standing = listed.standing
    return standing.attention in _CHANGELESS and standing.doing in {Doing.THINKING, Doing.WAITING}


def _readers() -> list[str]:
    """Return the parts of this program on which it depends what is read of sessions of clients."""
    transcripts = "sources/transcripts"
    return [transcripts, *(f"{transcripts}/{name}" for name in (*TRANSCRIPTS, "files", "live"))]


def health_fields(health: "HealthCounts | None") -> dict[str, Any] | None:
    """Return the health of a session as the JSON of the list has it."""
    if health is None:
        return None
    oddities: Mapping[str, int] = {kind.value: count for kind, count in health.oddities.items()}
    return {"oddities": oddities, "refused": health.refused, "repaired": health.repaired, "unread": health.unread}


def shown_of(listed: "ListedSession") -> CachedSession:
    """Return what the list shows of a summary."""
    from seqthink.drawing.text.spans import spans_text

    return CachedSession(
        name=listed.name,
        client=listed.client,
        title=listed.title,
        progress=listed.progress,
        shape=spans_text(listed.sparkline),
        state=listed.state,
        attention=listed.standing.attention,
        since=listed.standing.since,
        last_change=listed.last_change,
        started=listed.started,
        chains=listed.chains,
        thoughts=listed.thoughts,
        turns=listed.turns,
        branches=listed.branches,
        revisions=listed.revisions,
        place=listed.place.recorded,
        newest=listed.newest_line,
        context=(listed.context.tokens, listed.context.window) if listed.context is not None else (0, 0),
        health=health_fields(listed.health),
    )


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None
