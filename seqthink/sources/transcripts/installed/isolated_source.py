"""A source of another package behind the interface of every source: whatever it does, only its own sessions suffer.

Its calls run in threads of their own with a limit (`calls.py`), what it returns is checked (`values.py`), and what is
wrong is said in the budget, where all that cannot be read is said.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from seqthink.sources.transcripts.budget import STATUS_SECONDS, Budget
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.description import ReadingTerms
from seqthink.sources.transcripts.facts import Fact, ToolCall
from seqthink.sources.transcripts.installed.calls import (
    CALL_SECONDS,
    PATIENCE_SECONDS,
    LoadingError,
    SourceCalls,
    words_of,
)
from seqthink.sources.transcripts.installed.entry_points import InstalledSource
from seqthink.sources.transcripts.installed.loading import loaded_description
from seqthink.sources.transcripts.installed.values import (
    checked,
    checked_batch,
    checked_calls,
    checked_counts,
    checked_facts,
    checked_paths,
    checked_process,
    checked_sessions,
    checked_times,
)
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession, SessionFeed, Source

_NOWHERE: Final = Path(os.devnull)
"""The folder of a source that does not say it: nothing lies below."""
_CALLS_OF_BUDGET: Final = 3
"""A call may take the budget's time divided by this: what else there is must still be read."""


class IsolatedSource:
    """The `Source` of another package. Any thread may ask it.

    Args:
        installed: where it is.
        terms: what it is made for. A command that has little time leaves it out sooner; one that prints something and
            ends waits for its answers.
    """

    def __init__(self, installed: InstalledSource, terms: ReadingTerms) -> None:
        self.name = self.label = installed.name
        self._installed, self._terms = installed, terms
        self._budget = terms.budget or Budget()
        seconds = self._budget.seconds
        is_short = seconds <= STATUS_SECONDS
        limit = min(CALL_SECONDS, seconds / _CALLS_OF_BUDGET)
        patience = limit if terms.is_thorough or is_short else PATIENCE_SECONDS
        self._calls = SourceCalls(installed.package, self._say, limit, patience)
        self._waits = is_short
        self._loading = threading.Lock()
        self._loaded: Source | None = None
        self._load_trouble = ""

    def _say(self, trouble: str) -> None:
        self._budget.leave_out(f"{self.label}: {trouble}")

    @property
    def has_news(self) -> bool:
        """Whether an answer has come that nobody waited for: looking again shows more."""
        return self._calls.has_news("find") or self._calls.has_news("folder")

    def say_trouble(self) -> None:
        """Say again what is wrong with it, as each look does."""
        self._calls.say_trouble()

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Return the folder that holds its client's sessions (see `Source`); one that holds nothing if it fails."""
        given = dict(environ)
        return self._calls.latest(
            "folder", str(home), lambda: checked(self._source().folder(given, home), Path), _NOWHERE
        )

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        """Return the sessions that changed last (see `Source`); none if it fails, those before if it takes long."""
        if folder == _NOWHERE:
            self._calls.say_trouble()
            return []
        found = self._calls.latest(
            "find", str(folder), lambda: checked_sessions(self._source().find(folder, limit), self.name)[:limit], []
        )
        self._calls.say_trouble()
        return list(found)

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        """Return the folders in which a change may mean a new or grown session (see `Source`)."""
        if folder == _NOWHERE:
            return ()
        watched = self._calls.latest(
            "watched_folders", str(folder), lambda: checked_paths(self._source().watched_folders(folder)), ()
        )
        self._calls.say_trouble()
        return watched

    def recognises(self, path: Path, head: bytes) -> bool:
        """Return whether a file is a transcript of its client (see `Source`); no file is if it fails."""
        try:
            return self._calls.demand(
                "recognises", str(path), lambda: checked(self._source().recognises(path, head), bool)
            )
        except OSError:
            return False

    def sessions_in(self, path: Path) -> list[FoundSession]:
        """Return the sessions in a file (see `Source`)."""
        return self._calls.demand(
            "sessions_in", str(path), lambda: checked_sessions(self._source().sessions_in(path), self.name)
        )

    def process_of(self, found: FoundSession) -> ClientProcess:
        """Return what was known of the client's process when it was asked before (see `Source`)."""
        return self._calls.latest(
            "process_of",
            found.id,
            lambda: checked_process(self._source().process_of(found)),
            ClientProcess(),
            waits=self._waits,
        )

    def open(self, found: FoundSession) -> SessionFeed:
        """Return a feed of the session (see `Source`)."""
        feed = self._calls.demand("open", found.id, lambda: self._source().open(found))
        return _IsolatedFeed(feed, found.id, self._calls, waits=self._waits)

    def _source(self) -> Source:
        """Return the package's own; loading it is part of the first call."""
        with self._loading:
            if self._load_trouble:
                raise LoadingError(self._load_trouble)
            if self._loaded is None:
                try:
                    description = loaded_description(self._installed)
                    self._loaded = description.make_source(self._terms)
                except BaseException as error:
                    self._load_trouble = words_of(error)
                    raise LoadingError(self._load_trouble) from error
                self.label = description.label
            return self._loaded


class _IsolatedFeed:
    """The feed of one session of such a source."""

    def __init__(self, feed: SessionFeed, session: str, calls: SourceCalls, *, waits: bool) -> None:
        self._feed, self._session, self._calls, self._waits = feed, session, calls, waits
        self.counts = ReadCounts()
        self.agent_files: Sequence[Path] = ()
        self.unstarted_calls: Mapping[str, int] = {}

    def unwritten_calls(self) -> Sequence[ToolCall]:
        """Return the calls that the transcript does not hold yet (see `SessionFeed`)."""
        return self._calls.latest(
            "unwritten_calls", self._session, lambda: checked_calls(self._feed.unwritten_calls()), []
        )

    def read(self, limit_bytes: int) -> FactBatch:
        """Return the facts of about the next bytes (see `SessionFeed`)."""

        def read() -> FactBatch:
            batch = checked_batch(self._feed.read(limit_bytes))
            self.counts = checked_counts(self._feed.counts)
            self.agent_files = checked_paths(self._feed.agent_files)
            self.unstarted_calls = checked_times(self._feed.unstarted_calls)
            return batch

        return self._calls.demand("read", self._session, read)

    def is_abandoned(self) -> bool | None:
        """Return whether no client that may go on runs any more, as it was when this was asked before."""

        def is_abandoned() -> bool | None:
            value = self._feed.is_abandoned()
            return None if value is None else checked(value, bool)

        return self._calls.latest("is_abandoned", self._session, is_abandoned, None, waits=self._waits)

    def settle(self) -> list[Fact]:
        """Return what is certain only if nothing more comes (see `SessionFeed`); nothing if that fails."""
        try:
            return self._calls.demand("settle", self._session, lambda: checked_facts(self._feed.settle()))
        except OSError:
            return []

    def close(self) -> None:
        """Close what is open, without waiting for it."""
        self._calls.latest("close", self._session, self._feed.close, None, waits=False)
