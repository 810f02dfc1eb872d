"""Imports recorded runs, and returns what the journals hold."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.structs import asdict

from seqthink.chain.fold import Fold
from seqthink.core.events import Event, UnknownEvent, WriterState
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.journal.decode import decode
from seqthink.journal.journal_file import JournalFile
from seqthink.journal.reader import JournalReader
from seqthink.library.journal_texts import JournalTexts
from seqthink.library.live_session import LiveSession
from seqthink.sources.transcripts.choosing import ChosenSession, ClientFolders
from seqthink.sources.transcripts.imports.importing import Importer, SessionImport
from seqthink.sources.transcripts.registry import TRANSCRIPTS

EARLY: Final = 0
"""A time at which every transcript has just changed."""
LATE: Final = 4_000_000_000_000_000
"""A time at which no transcript has changed for long."""


def no_sleep(seconds: float) -> None:
    """Do not wait."""


def sessions_of(home: Path) -> list[ChosenSession]:
    """Return all sessions below a home folder."""
    return ClientFolders(frozenset(TRANSCRIPTS), {}, home).all_sessions()


def import_all(home: Path, folder: Path, *, now: int = LATE, is_dry_run: bool = False) -> list[SessionImport]:
    """Import all sessions below ``home`` into ``folder``."""
    importer = Importer(folder, now=now, sleep=no_sleep, is_dry_run=is_dry_run)
    return [importer.run(source, found, lambda _size: None) for source, found in sessions_of(home)]


def events_of(journal: Path) -> list[Event | UnknownEvent]:
    """Return the events of a journal, whose lines must all be whole."""
    *lines, rest = journal.read_bytes().split(b"\n")
    assert rest == b""
    return [decode(line) for line in lines]


def stories(journal: Path) -> dict[str | None, list[dict[str, Any]]]:
    """Return what a journal says about each agent: its events in order, without their places in the journal."""
    events: dict[str | None, list[dict[str, Any]]] = {}
    for kind, fields in _fields_of(journal):
        if kind not in {"session", "agent"}:
            events.setdefault(fields.get("agent"), []).append({"type": kind, **fields})
    return events


def agents_in(journal: Path) -> dict[str, dict[str, Any]]:
    """Return what a journal says at its end of each agent."""
    return {fields["id"]: fields for kind, fields in _fields_of(journal) if kind == "agent"}


def drawing(journal: Path) -> list[str]:
    """Return the tree of a journal as it is drawn in a pipe."""
    reader, live = JournalReader(journal, decode), LiveSession(Fold)
    while True:
        batch = reader.read(1 << 20)
        live.add(batch)
        if batch.at_end:
            break
    texts = JournalTexts(batch.journal or JournalFile.open(journal), live.fold.session(WriterState.UNKNOWN))
    return list(overview_lines(texts, width=100, signs=UNICODE))


def _fields_of(journal: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in events_of(journal):
        assert not isinstance(event, UnknownEvent)
        fields = {name: value for name, value in asdict(event).items() if name not in {"v", "seq", "of"}}
        yield str(event.__struct_config__.tag), fields
