"""A source of transcripts that says what a test gives it, and the facts that it may say."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from seqthink.core.events import Event, UnknownEvent
from seqthink.journal.decode import decode
from seqthink.sources.transcripts.counts import ReadCounts
from seqthink.sources.transcripts.facts import Fact, Prompt, ToolCall
from seqthink.sources.transcripts.source import ClientProcess, FactBatch, FoundSession

NOW = 1_800_000_000_000_000
SECOND = 1_000_000


class FakeSource:
    """A source whose one session says what a test gives it, a batch at each look."""

    name = label = "gemini"

    def __init__(self, *batches: FactBatch | OSError) -> None:
        self.batches = list(batches)
        self.open_count = self.close_count = 0
        self.process = ClientProcess()
        self.unstarted: dict[str, int] = {}
        self.running: list[ToolCall] = []
        self.is_abandoned: bool | None = None

    def say(self, *facts: Fact, at_end: bool = True, restarted: bool = False) -> None:
        self.batches.append(FactBatch(list(facts), at_end, restarted))

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        return home / environ.get("FOLDER", "")

    def find(self, folder: Path, limit: int) -> list[FoundSession]:
        return [found(path=folder)][:limit]

    def watched_folders(self, folder: Path) -> Sequence[Path]:
        return [folder]

    def recognises(self, path: Path, head: bytes) -> bool:
        return bool(path and head)

    def sessions_in(self, path: Path) -> list[FoundSession]:
        return [found(path=path)]

    def process_of(self, found: FoundSession) -> ClientProcess:
        return self.process if found.id else ClientProcess()

    def open(self, found: FoundSession) -> "FakeFeed":
        self.open_count += bool(found.id)
        return FakeFeed(self)


class FakeFeed:
    def __init__(self, source: FakeSource) -> None:
        self.source = source
        self.counts = ReadCounts()
        self.agent_files: Sequence[Path] = ()
        self.unstarted_calls = source.unstarted
        self.batches = iter(list(source.batches)) if source.open_count > 1 else None

    def read(self, limit_bytes: int) -> FactBatch:
        assert limit_bytes > 0
        if self.batches is not None:  # opened again: from the beginning
            batch = next(self.batches, None)
            if batch is not None:
                return self._given(batch)
            self.batches = None
            self.source.batches.clear()
        return self._given(self.source.batches.pop(0)) if self.source.batches else FactBatch([], at_end=True)

    @staticmethod
    def _given(batch: FactBatch | OSError) -> FactBatch:
        if isinstance(batch, OSError):
            raise batch
        return batch

    def unwritten_calls(self) -> Sequence[ToolCall]:
        return tuple(self.source.running)

    def is_abandoned(self) -> bool | None:
        return self.source.is_abandoned

    def settle(self) -> list[Fact]:
        return []

    def close(self) -> None:
        self.source.close_count += 1


def found(identifier: str = "s1", *, path: Path = Path("t.jsonl"), changed: int = NOW) -> FoundSession:
    return FoundSession("gemini", identifier, path, changed, 10)


def prompt(identifier: str, time: int = 1, agent: str | None = None) -> Prompt:
    return Prompt(id=identifier, time=time, agent=agent, text=identifier)


def call(identifier: str, text: str, time: int, agent: str | None = None) -> ToolCall:
    arguments = {"thought": text, "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 1}
    return ToolCall(id=identifier, time=time, agent=agent, tool="sequentialthinking", arguments=arguments)


def events_of(path: Path) -> list[Event]:
    events = [decode(line) for line in path.read_bytes().splitlines()]
    known = [event for event in events if not isinstance(event, UnknownEvent)]
    assert [event.seq for event in known] == list(range(1, len(events) + 1))
    return known


def kinds(path: Path) -> list[str]:
    return [str(type(event).__struct_config__.tag) for event in events_of(path)]
