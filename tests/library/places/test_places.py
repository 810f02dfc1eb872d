"""A place is one module, and a surface is one: a fifth place in all surfaces, and a surface of all places."""

import gzip
from collections.abc import Callable, Generator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typing_extensions import override

from seqthink.chain.fold import Fold
from seqthink.chain.query import words_query
from seqthink.core.text import SafeText
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.journal.decode import decode
from seqthink.journal.reader import JournalReader
from seqthink.journal.store import SessionFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.catalog.session_index import SessionIndex
from seqthink.library.catalog.session_search import search_catalog
from seqthink.library.live_session import LiveSession
from seqthink.library.places.fleet import FleetPlace
from seqthink.library.places.folder import FolderPlace
from seqthink.library.places.pipe import PipePlace
from seqthink.library.places.place import Place, PlacedSession
from seqthink.library.places.transcripts import TranscriptPlace
from seqthink.share.web.app import make_app
from seqthink.share.web.settings import WebSettings
from seqthink.sources.fleet.mirror.folder import FleetFolder
from tests.support.fleet.memory_machines import NOW, MemoryMachines
from tests.support.journals.build import JournalBuilder
from tests.support.screens.screen_text import running_viewer, settings_of
from tests.support.transcripts.recorded import lay_out
from tests.support.web.asgi import reading
from tui.sessions.wall_sessions import WallSessions

WORDS = "packed away"


class ArchivePlace(Place):
    """Journals that somebody packed with gzip, each unpacked once it is wanted: the fifth place."""

    def __init__(self, folder: Path, unpacked: Path) -> None:
        self._folder, self.unpacked = folder, unpacked

    @property
    @override
    def name(self) -> SafeText:
        return SafeText("the archive")

    @override
    def holds(self, path: Path) -> bool:
        return path.parent == self.unpacked

    @override
    def sessions(self) -> list[SessionFile]:
        last = datetime.fromtimestamp(NOW / 1_000_000, UTC)
        packed = sorted(self._folder.glob("*.gz"))
        return [SessionFile(file.stem, self.unpacked / f"{file.stem}.jsonl", 1, last) for file in packed]

    @override
    def session(self, path: Path | None) -> PlacedSession:
        return _Packed(self._folder, path)

    @override
    def search_filter(self, query: object, since: int | None) -> Callable[[SessionFile], bool]:
        def prepare(file: SessionFile) -> bool:
            self.session(file.path).read_whole()
            return True

        return prepare


class _Packed(PlacedSession):
    def __init__(self, folder: Path, path: Path | None) -> None:
        super().__init__(path)
        self._folder = folder

    @property
    def _packed(self) -> Path:
        return self._folder / f"{self.path.stem}.gz"

    @property
    @override
    def is_there(self) -> bool:
        return self._packed.is_file()

    @override
    def is_live(self, file: SessionFile, now: int) -> bool:
        return False

    @override
    def read_head(self) -> None:
        self.read_whole()

    @override
    def hold(self) -> None:
        self.read_whole()

    @override
    def read_whole(self) -> None:
        if not self.path.is_file():
            self.path.write_bytes(gzip.decompress(self._packed.read_bytes()))


def counted(catalog: SessionCatalog) -> dict[str, int]:
    """Return how many thoughts each session has, by its key: the trivial surface, which knows nothing of places."""
    catalog.look()
    counts: dict[str, int] = {}
    for file in catalog.sessions():
        session, live = catalog.session(file.path), LiveSession(Fold)
        session.read_whole()
        reader, at_end = JournalReader(file.path, decode), False
        while not at_end:
            batch = reader.look(1 << 20)
            live.add(batch)
            at_end = batch.at_end
        counts[session.key] = live.fold.session().thought_count
    return counts


@pytest.fixture
def archive(tmp_path: Path) -> ArchivePlace:
    folder, unpacked = tmp_path / "archive", tmp_path / "unpacked"
    folder.mkdir()
    unpacked.mkdir()
    journal = JournalBuilder().session(title="An old one").thought(f"it was {WORDS}", 1, 2).thought("and found", 2, 2)
    (folder / "old.gz").write_bytes(gzip.compress(b"".join(journal.lines)))
    return ArchivePlace(folder, unpacked)


@pytest.fixture
def fleet(tmp_path: Path) -> Generator[FleetPlace]:
    machines = MemoryMachines()
    machines.put("lab-zzzzzz", "old", 4)
    folder = FleetFolder(machines.engine.open, {"XDG_RUNTIME_DIR": str(tmp_path)}, lambda: NOW)
    with closing(folder), closing(FleetPlace(folder)) as place:
        yield place


def test_a_new_surface_shows_every_place(tmp_path: Path, archive: ArchivePlace, fleet: FleetPlace) -> None:
    journals, home = tmp_path / "journals", tmp_path / "ada"
    for made in (journals, home):
        made.mkdir()
    JournalBuilder().session().thought("ours", 1).write(journals / "ours.jsonl")
    lay_out("codex/agents", home)
    environ = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with closing(TranscriptPlace(frozenset({"codex"}), environ, home, lambda: NOW)) as transcripts:
        alone = [counted(SessionCatalog(place)) for place in (FolderPlace(journals), transcripts, fleet, archive)]
        together = counted(SessionCatalog(FolderPlace(journals), transcripts, fleet, archive))

    assert alone[0] == {"ours": 1}
    assert [len(counts) for counts in alone] == [1, 1, 1, 1]
    assert alone[2:] == [{"lab-zzzzzz/old": 4}, {"old": 2}]
    assert together == alone[0] | alone[1] | alone[2] | alone[3]
    assert counted(SessionCatalog(PipePlace(0))) == {}


def test_lists_and_searches_show_a_new_place(archive: ArchivePlace) -> None:
    catalog = SessionCatalog(archive)
    index = SessionIndex(catalog, UNICODE, decode, clock=lambda: NOW)
    index.scan(lambda: index.stop() if all(map(index.summary, index.files)) and index.is_glanced else None)
    wall = WallSessions(catalog, lambda: NOW, decode)
    while wall.is_behind:
        wall.refresh()
    [hit] = [hit for hit in search_catalog(catalog, words_query(WORDS), decode).hits(catalog.sessions()) if hit]

    listed = index.summary(index.files[0])
    assert listed is not None
    assert listed.name == "An old one"
    assert [entry.name for entry in wall.entries] == ["An old one"]
    assert WORDS in hit.text.excerpt


async def test_the_viewer_shows_a_new_place(tmp_path: Path, archive: ArchivePlace) -> None:
    settings = settings_of(tmp_path, now=NOW, catalog=SessionCatalog(archive))
    async with running_viewer(None, (100, 30), settings) as stage:
        await stage.press("s")
        await stage.shows("An old one", "2 of 2")
        await stage.press("enter")
        await stage.shows(WORDS, "and found")


async def test_a_page_shows_a_new_place(archive: ArchivePlace) -> None:
    settings = WebSettings(catalog=SessionCatalog(archive), clock=lambda: NOW)
    async with reading(make_app(settings)) as reader:
        listed = await reader.answer_with("/sessions", lambda answer: answer["groups"])
        state = await reader.answer_with("/s/old/state", lambda answer: answer["thoughts"])

    assert listed["place"] == "the archive"
    assert [one["key"] for group in listed["groups"] for one in group["sessions"]] == ["old"]
    assert state["thoughts"] == 2
