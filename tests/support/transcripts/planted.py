"""Faults of a source besides those of its texts: in calls, agents, times, listings, and in files that are replaced."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from typing_extensions import override

from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import AgentStarted, ContextUsed, Fact, FileEdit, Result, ToolCall
from seqthink.sources.transcripts.source import FactBatch, FoundSession, SessionFeed, Source
from tests.support.transcripts.samples import FaultySource, unchanged


def losing_results() -> Callable[[Fact], Sequence[Fact]]:
    """Lose all ends of calls."""
    return lambda fact: [] if isinstance(fact, Result) else [fact]


def failing() -> Callable[[Fact], Sequence[Fact]]:
    """Say of each call that it failed."""
    return lambda fact: [msgspec.structs.replace(fact, is_error=True)] if isinstance(fact, Result) else [fact]


def editing(edit: FileEdit, *, fails: bool = False) -> Callable[[], Callable[[Fact], Sequence[Fact]]]:
    """Say of the result of each call that it changed a file, and perhaps that it failed."""

    def change(fact: Fact) -> Sequence[Fact]:
        return [msgspec.structs.replace(fact, edits=(edit,), is_error=fails)] if isinstance(fact, Result) else [fact]

    return lambda: change


def nameless() -> Callable[[Fact], Sequence[Fact]]:
    """Lose what is known of agents."""
    return lambda fact: [] if isinstance(fact, AgentStarted) else [fact]


def placeless() -> Callable[[Fact], Sequence[Fact]]:
    """Lose the calls that started agents."""
    return lambda fact: [msgspec.structs.replace(fact, call=None)] if isinstance(fact, AgentStarted) else [fact]


def timeless() -> Callable[[Fact], Sequence[Fact]]:
    """Lose all times."""
    return lambda fact: [msgspec.structs.replace(fact, time=0)]


def in_milliseconds() -> Callable[[Fact], Sequence[Fact]]:
    """Take milliseconds for microseconds."""
    return lambda fact: [msgspec.structs.replace(fact, time=fact.time // 1000)]


def at_one_time() -> Callable[[Fact], Sequence[Fact]]:
    """Give all facts the time of the first."""
    first: list[int] = []

    def change(fact: Fact) -> Sequence[Fact]:
        first.append(fact.time)
        return [msgspec.structs.replace(fact, time=first[0])]

    return change


def backwards() -> Callable[[Fact], Sequence[Fact]]:
    """Let each fact happen before the one that was read before it."""
    read: list[int] = []

    def change(fact: Fact) -> Sequence[Fact]:
        read.append(fact.time)
        return [msgspec.structs.replace(fact, time=read[0] - 1_000 * len(read))]

    return change


def stale() -> Callable[[Fact], Sequence[Fact]]:
    """Report of each agent only the first use of its context."""
    known: set[str | None] = set()

    def change(fact: Fact) -> Sequence[Fact]:
        if not isinstance(fact, ContextUsed):
            return [fact]
        is_first = fact.agent not in known
        known.add(fact.agent)
        return [fact] if is_first else []

    return change


def guessing() -> Callable[[Fact], Sequence[Fact]]:
    """Guess the window of each context."""
    return lambda fact: [msgspec.structs.replace(fact, window=200_000)] if isinstance(fact, ContextUsed) else [fact]


class OwnFileOnly(FaultySource):
    """Lists a session with the time and the size of its own file, whatever its subagents write."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, unchanged)

    @override
    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        return [
            one._replace(changed=one.path.stat().st_mtime_ns // 1000, size=one.path.stat().st_size)
            for one in super().find(folder, limit)
        ]


class SizeOnly(FaultySource):
    """Reads a session that was replaced only if the other file is shorter."""

    def __init__(self, source: Source) -> None:
        super().__init__(source, unchanged)

    @override
    def open(self, found: FoundSession) -> SessionFeed:
        return _SizeOnlyFeed(super().open(found), found.path)


class _SizeOnlyFeed:
    def __init__(self, feed: SessionFeed, path: Path) -> None:
        self._feed, self._path, self._size = feed, path, 0

    @property
    def counts(self) -> ReadCounts:
        return self._feed.counts

    @property
    def agent_files(self) -> Sequence[Path]:
        return self._feed.agent_files

    @property
    def unstarted_calls(self) -> Mapping[str, int]:
        return self._feed.unstarted_calls

    def unwritten_calls(self) -> Sequence[ToolCall]:
        return self._feed.unwritten_calls()

    def read(self, limit_bytes: int) -> FactBatch:
        before, self._size = self._size, self._path.stat().st_size
        return FactBatch([], at_end=True) if self._size == before else self._feed.read(limit_bytes)

    def is_abandoned(self) -> bool | None:
        return self._feed.is_abandoned()

    def settle(self) -> list[Fact]:
        return self._feed.settle()

    def close(self) -> None:
        self._feed.close()
