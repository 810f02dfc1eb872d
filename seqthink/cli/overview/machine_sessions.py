"""The sessions of this machine, with those of other programs: each is read to be counted, as long as there is time."""

import argparse
import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from seqthink.cli.overview.find import Progress, open_catalog
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.viewer_store.list_cache import FileKey
from seqthink.sources.transcripts.budget import LIST_SECONDS, Budget, budget_of
from seqthink.sources.transcripts.files.tail import read_head
from seqthink.sources.transcripts.registry import JOURNAL


class MachineSessions:
    """What `seqthink sessions` lists of the places of this machine.

    Args:
        catalog: all sessions, listed already.
        budget: what reading those of other programs may cost.
    """

    def __init__(self, catalog: SessionCatalog, budget: Budget) -> None:
        self.files = list(filter(catalog.wanted.may_have, catalog.sessions()))
        """All sessions, newest first."""
        self.folders = [folder for _, folder in catalog.clients]
        """Where those of other programs were looked for."""
        self.is_listed = catalog.is_listed
        """Whether there was time to look for all of them."""
        self._catalog, self._budget = catalog, budget
        self._progress = Progress(sum(file.source != JOURNAL for file in self.files), "counting")
        self._place = self._uncounted = 0

    def original_of(self, file: SessionFile) -> Path | None:
        """Return the client's file that holds a session."""
        return self._catalog.session(file.path).original

    def identity_of(self, file: SessionFile) -> FileKey | None:
        """Return what changes whenever a session of another program does; None where nothing says it."""
        identity = self._catalog.session(file.path).identity
        return FileKey(*identity) if identity is not None else None

    def pass_over(self) -> None:
        """Note that a session need not be read."""
        self._place += 1

    def read(self, file: SessionFile) -> bool:
        """Read a session of another program whole; return False if there was no time for that.

        Raises:
            OSError: its client's file cannot be read.
        """
        self._progress.show(self._place)
        self._place += 1
        session = self._catalog.session(file.path)
        if not self._budget.is_spent:
            session.read_whole()
        self._progress.clear()
        if session.awaited_bytes:
            self._uncounted += 1
            return False
        if session.original is not None and not file.path.stat().st_size:
            read_head(session.original, 1)
        return True

    def note_uncounted(self) -> None:
        """Note how many were not read, for what is said at the end."""
        if self._uncounted:
            whose = f"{self._uncounted:,} of {len(self.files):,} sessions"
            self._budget.leave_out(f"{whose} were not counted {self._budget.words}")


@contextmanager
def open_sessions(options: argparse.Namespace) -> Generator[MachineSessions]:
    """Give the sessions of the sources that the command line names; at the end, say what was left out."""
    budget = budget_of(os.environ, LIST_SECONDS)
    with open_catalog(options, budget) as catalog:
        catalog.list_whole()
        sessions = MachineSessions(catalog, budget)
        yield sessions
        sessions.note_uncounted()
