"""A home folder in which a client writes, and what seqthink shows of it."""

import os
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from seqthink.core.events import (
    ActionEvent,
    Event,
    PromptEvent,
    ReasoningEvent,
    RemarkEvent,
    SkippedEvent,
    ThoughtEvent,
    TurnEvent,
    UnknownEvent,
)
from seqthink.journal.decode import decode
from seqthink.sources.testing.samples import Said, SampleRecord
from seqthink.sources.transcripts.source import FoundSession, Source
from seqthink.sources.transcripts.spool import Spool

ALL: Final = 1 << 30
LATE: Final = 4_000_000_000_000_000
"""A time at which nothing has changed for long, in microseconds since 1970."""

_PAUSE_SECONDS: Final = 60


class Home:
    """A home folder.

    Args:
        path: the folder.
        source: whose client writes there.
        environ: the environment, which may name other folders.
    """

    def __init__(self, path: Path, source: Source, environ: Mapping[str, str]) -> None:
        self.path, self._source, self._environ = path, source, environ

    def write(self, record: SampleRecord, begin: int = 0, end: int | None = None) -> None:
        """Write a record, or the bytes of it between two places; a row has no parts."""
        if record.do is not None:
            if begin == 0 and end != 0:
                record.do(self.path)
            return
        path = self.path / record.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(record.data[begin:end])

    def write_all(self, records: Iterable[SampleRecord]) -> None:
        """Write records in order."""
        for record in records:
            self.write(record)

    def pause(self) -> None:
        """Make all files a minute older, as if the client had paused."""
        for path in self._files():
            time = path.stat().st_mtime - _PAUSE_SECONDS
            os.utime(path, (time, time))

    @property
    def folder(self) -> Path:
        """The folder of the client."""
        return self._source.folder(self._environ, self.path)

    def found(self) -> list[FoundSession]:
        """Return all sessions that are listed."""
        return self._source.find(self.folder, ALL)

    def session(self, name: str) -> FoundSession:
        """Return a session that must be listed."""
        found = [one for one in self.found() if one.id == name]
        assert len(found) == 1, f"the session {name} is listed {len(found)} times"
        return found[0]

    @contextmanager
    def shown(self, name: str) -> "Generator[ShownSession]":
        """Show a session as the viewer does, for as long as the context lasts."""
        with tempfile.TemporaryDirectory() as folder:
            spool = Spool(self._source, self.session(name), Path(folder, "session.jsonl"))
            with closing(spool):
                yield ShownSession(spool)

    def state(self) -> dict[str, tuple[int, int, bytes]]:
        """Return what lies in the home folder: each file with its size, the time of its change and its content."""
        found: dict[str, tuple[int, int, bytes]] = {}
        for path in self._files():
            status = path.stat()
            found[str(path)] = status.st_size, status.st_mtime_ns, path.read_bytes()
        return found

    def _files(self) -> Iterator[Path]:
        for folder, _, names in os.walk(self.path):
            yield from (Path(folder, name) for name in names)


class ShownSession:
    """A session as the viewer shows it."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool

    def read(self, limit_bytes: int = ALL, *, is_quiet: bool = False) -> None:
        """Read all that there is now, so much at once; ``is_quiet`` says that nothing was written for long."""
        while not self._spool.advance(LATE if is_quiet else self._spool.found.changed, limit_bytes):
            pass

    def end(self, limit_bytes: int = ALL) -> None:
        """Read all, and let nothing wait for more."""
        self.read(limit_bytes)
        self._spool.flush()

    @property
    def said(self) -> list[Said]:
        """What is shown, in order."""
        return [said for event in self._events() for said in _said(event)]

    @property
    def skipped(self) -> int:
        """How many records were counted as left out."""
        newest = [event for event in self._events() if isinstance(event, SkippedEvent)][-1:]
        return sum(one.unknown + one.corrupt + one.tooLong for one in newest)

    def _events(self) -> list[Event | UnknownEvent]:
        return [decode(line) for line in self._spool.path.read_bytes().splitlines()]


@contextmanager
def new_home(source: Source, environ: Mapping[str, str]) -> Generator[Home]:
    """Make an empty home folder for a client, for as long as the context lasts."""
    with tempfile.TemporaryDirectory() as folder:
        yield Home(Path(folder), source, environ)


def _said(event: Event | UnknownEvent) -> Iterator[Said]:
    match event:
        case PromptEvent():
            yield Said(event.agent, "prompt", event.text)
        case ReasoningEvent() if event.text:
            yield Said(event.agent, "reasoning", event.text)
        case RemarkEvent():
            yield Said(event.agent, "remark", event.text)
        case ThoughtEvent():
            yield Said(event.agent, "thought", event.thought)
        case ActionEvent() if not event.is_end:
            yield Said(event.agent, "action", event.tool)
        case TurnEvent() if event.text:
            yield Said(event.agent, "answer", event.text)
        case _:
            pass
