"""What did not change on the wall is not drawn again, and nothing is read again for it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from seqthink.drawing.text.spans import Spans, spans_text
from seqthink.journal.decode import EventPreview, decode
from seqthink.journal.journal_file import JournalFile
from seqthink.library.catalog.session_catalog import SessionCatalog
from seqthink.library.places.folder import FolderPlace
from tests.support.journals.build import SESSION, START, JournalBuilder
from tests.support.journals.example_chains import straight
from tests.support.screens.screen_text import settings_of
from tui.screens.wall_tiles import TileLook, WallTiles
from tui.sessions.wall_sessions import WallEntry, WallSessions
from tui.state.tile_tree import TileTree
from tui.state.wall_layout import WallBox

NOW = int((START.timestamp() + 60) * 1_000_000)
SECOND = 1_000_000


class Wall:
    """One session on a wall of 60 cells, with a clock."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = NOW
        self.drawn_trees = 0
        self._live = WallSessions(SessionCatalog(FolderPlace(folder)), lambda: NOW, decode)
        self._tiles = WallTiles(replace(settings_of(folder), clock=lambda: self.now))
        plain = TileTree.lines

        def counted(tree: TileTree, cells: int, rows: int, now: int | None = None) -> list[Spans]:
            self.drawn_trees += 1
            return plain(tree, cells, rows, now)

        monkeypatch.setattr(TileTree, "lines", counted)

    def entry(self) -> WallEntry:
        while self._live.refresh() or not self._live.is_settled:
            pass
        return self._live.entries[0]

    def lines(self, *, x: int = 0, is_selected: bool = False) -> list[Spans]:
        box = WallBox("a", x, 0, 60, 9)
        look = TileLook(box, is_line=False, is_band=False, number=1, is_selected=is_selected, is_unread=False)
        return self._tiles.lines(self.entry(), look)


@pytest.fixture
def wall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wall:
    straight(20).write(tmp_path / f"{SESSION}.jsonl")
    return Wall(tmp_path, monkeypatch)


def test_a_tile_of_which_nothing_changed_is_not_drawn_again_wherever_it_is(wall: Wall) -> None:
    first = wall.lines()

    assert wall.lines(x=61) is first
    assert wall.drawn_trees == 1


def test_a_clock_or_a_selection_draws_the_tile_again_but_not_its_tree(wall: Wall) -> None:
    first = wall.lines()
    wall.now += SECOND
    later = wall.lines()

    assert later != first
    assert wall.lines(is_selected=True) != later
    assert wall.drawn_trees == 1


def test_what_arrives_is_drawn_and_only_its_text_is_read(
    wall: Wall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, plain = list[int](), JournalFile.read_preview

    def counted(journal: JournalFile, offset: int, size: int) -> EventPreview:
        read.append(offset)
        return plain(journal, offset, size)

    wall.lines()
    append(tmp_path, 21)
    wall.lines()
    append(tmp_path, 22)
    wall.entry()
    monkeypatch.setattr(JournalFile, "read_preview", counted)

    assert any("Arrival 22" in spans_text(line) for line in wall.lines())
    assert wall.drawn_trees == 3
    assert len(read) == 1


def append(folder: Path, number: int) -> None:
    with (folder / f"{SESSION}.jsonl").open("ab") as file:
        file.write(JournalBuilder().thought(f"Arrival {number}", number, 30).data)
