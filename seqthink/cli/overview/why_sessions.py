"""The sessions that `seqthink why` looks at: their index, brought up to date, and the journals of those that matter."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from seqthink.cli.common import print_stderr
from seqthink.cli.overview.find import Progress
from seqthink.core import system
from seqthink.core.errors import SeqthinkError
from seqthink.journal.decode import LineDecoder
from seqthink.journal.folder import seqthink_home
from seqthink.journal.store import SessionFile, list_sessions
from seqthink.library.viewer_store.edit_index import EditIndex, IndexedSession, SessionKey
from seqthink.library.viewer_store.folder import viewer_folder
from seqthink.library.why.answers import CallOf
from seqthink.library.why.session_reading import Reading, update_index
from seqthink.library.why.thoughts_behind import Behind, SoughtCall, behind_calls
from seqthink.sources.transcripts.budget import budget_of
from seqthink.sources.transcripts.choosing import ChosenSession, ClientFolders
from seqthink.sources.transcripts.registry import JOURNAL, known_description
from seqthink.sources.transcripts.source import FoundSession
from seqthink.sources.transcripts.spool import Spool, SpoolFolder, spool_name


class SearchedSessions:
    """All sessions of the sources, with the index of what they edited.

    Args:
        stack: closes what is opened here.
        sources: the names of the sources.
        folder: where journals are.
    """

    def __init__(self, stack: ExitStack, sources: frozenset[str], folder: Path) -> None:
        self._stack = stack
        self._budget = budget_of(os.environ)
        clients = ClientFolders(sources - {JOURNAL}, os.environ, system.home_folder(), self._budget)
        self._chosen = {SessionKey(one.found.source, one.found.id): one for one in clients.all_sessions()}
        journals: Sequence[SessionFile] = list_sessions(folder) if JOURNAL in sources else ()
        self._journals = {SessionKey(JOURNAL, file.session): file for file in journals}
        self.sources = sources
        self.index = self._opened_index()
        """What they edited."""
        self.reading = self._updated()
        """What was read for that now."""
        self._behind: dict[CallOf, Behind | None] = {}
        self._spools: SpoolFolder | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many sessions of each source there are."""
        return dict(Counter(key.source for key in (*self._chosen, *self._journals)).most_common())

    def session(self, number: int) -> IndexedSession:
        """Return what the index says of a session."""
        return self.index.sessions([number])[number]

    def reference(self, number: int) -> str:
        """Return what names a session on the command line."""
        source, name = self.session(number).key
        return name if source == JOURNAL else spool_name(FoundSession(source, name, Path(), 0, 0))

    def prepare(self, calls: Sequence[CallOf], decode: LineDecoder) -> None:
        """Find what led to these calls; each session is read once."""
        by_session: dict[int, list[SoughtCall]] = {}
        for one in dict.fromkeys(calls):
            by_session.setdefault(one.session, []).append(one.call)
        progress = Progress(len(by_session), "reading")
        for place, (number, wanted) in enumerate(by_session.items()):
            progress.show(place)
            found = self._behind_in(number, wanted, decode)
            self._behind.update((CallOf(number, call), found.get(call)) for call in wanted)
        progress.clear()

    def behind(self, call: CallOf) -> Behind | None:
        """Return what led to a call that was prepared; None if its session cannot be read."""
        return self._behind.get(call)

    def _behind_in(self, number: int, calls: list[SoughtCall], decode: LineDecoder) -> dict[SoughtCall, Behind]:
        try:
            journal = self._journal_of(self.session(number).key)
            return behind_calls(journal, calls, decode) if journal is not None else {}
        except (OSError, SeqthinkError):
            return {}

    def _journal_of(self, key: SessionKey) -> Path | None:
        if key in self._journals:
            return self._journals[key].path
        chosen = self._chosen.get(key)
        return self._translated(chosen) if chosen is not None else None

    def _translated(self, chosen: ChosenSession) -> Path:
        if self._spools is None:
            self._spools = SpoolFolder(os.environ)
            self._stack.callback(self._spools.close)
        spool = Spool(chosen.source, chosen.found, self._spools.path_of(chosen.found))
        self._stack.callback(spool.close)
        spool.advance_to_end(time.time_ns() // 1000, float("inf"), self._budget)
        spool.flush()
        return spool.path

    def _opened_index(self) -> EditIndex:
        folder = viewer_folder(seqthink_home(os.environ))
        try:
            index = EditIndex(folder)
        except OSError as error:
            print_stderr(f"the index of edits cannot be kept in {folder}: {error.strerror or error}")
            index = EditIndex(Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="seqthink-"))))
        self._stack.callback(index.close)
        return index

    def _updated(self) -> Reading:
        progress: Progress | None = None

        def report(done: int, total: int) -> None:
            nonlocal progress
            progress = progress or Progress(total, "reading")
            progress.show(done)

        reading = Reading(sessions=len(self._chosen) + len(self._journals))
        try:
            reading = update_index(
                self.index,
                list(self._chosen.values()),
                list(self._journals.values()),
                self.sources,
                budget=self._budget,
                report=report,
            )
        except OSError as error:
            print_stderr(f"the index of edits cannot be written: {error.strerror or error}")
        finally:
            if progress is not None:
                progress.clear()
        if reading.unreadable:
            print_stderr(f"{reading.unreadable:,} of {reading.sessions:,} sessions could not be read")
        if reading.unread:
            reason = "the index is full" if reading.is_full else self._budget.words
            print_stderr(f"{reading.unread:,} of {reading.sessions:,} sessions were not read: {reason}")
        return reading


def source_label(source: str) -> str:
    """Return the name of a source for people."""
    description = known_description(source)
    return "seqthink" if source == JOURNAL else description.label if description is not None else source
