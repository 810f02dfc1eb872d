"""The session that comes through a pipe: the only one."""

from collections.abc import AsyncGenerator
from datetime import tzinfo
from pathlib import Path

from typing_extensions import override

from seqthink.chain.session import Session
from seqthink.core.text import SafeText
from seqthink.journal.decode import LineDecoder
from seqthink.journal.follow import follow_stdin
from seqthink.journal.reader import Batch
from seqthink.journal.store import SessionFile
from seqthink.library.places.place import Place, PlacedSession, PlaceReport


class PipePlace(Place):
    """The journal that comes through the file descriptor ``pipe``."""

    is_list = False

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self.stream = self._read

    def _read(self, decode: LineDecoder) -> AsyncGenerator[Batch, None]:
        return follow_stdin(self._pipe, decode=decode)

    @property
    @override
    def name(self) -> SafeText:
        return SafeText("a pipe")

    @override
    def holds(self, path: Path) -> bool:
        return False

    @override
    def sessions(self) -> list[SessionFile]:
        return []

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _PipedSession(path)

    @property
    @override
    def report(self) -> PlaceReport:
        return _PipeReport()


class _PipeReport(PlaceReport):
    @property
    @override
    def waiting_sentence(self) -> str:
        return "Nothing has come in yet: the first thought shows up here."


class _PipedSession(PlacedSession):
    @override
    def note_obstacle(self, session: Session, host: str, zone: tzinfo) -> str:
        return "no notes on a journal from a pipe"
