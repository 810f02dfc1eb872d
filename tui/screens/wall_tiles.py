"""What the wall draws of each session: a tile with the end of its tree, or a line. What did not change is kept."""

import socket
from collections.abc import Collection, Sequence
from typing import NamedTuple

from seqthink.chain.overview.states import ShownState, shown_state
from seqthink.chain.session import Session
from seqthink.drawing.describe import units
from seqthink.drawing.describe.now_line import Present, present_of
from seqthink.drawing.panels.wall_facts import WallTile, wall_tile
from seqthink.drawing.panels.wall_tiles import draw_line, draw_tile
from seqthink.drawing.text.spans import Spans
from seqthink.library.journal_texts import JournalTexts
from tui.sessions.wall_sessions import WallEntry
from tui.settings import Settings
from tui.state.tile_tree import TileTree
from tui.state.wall_layout import WallBox


class TileLook(NamedTuple):
    """How a session is shown: what of its looks does not depend on what it does."""

    box: WallBox
    is_line: bool
    is_band: bool
    number: int
    """The key that opens it, 0 for none."""
    is_selected: bool
    is_unread: bool


class _Drawn(NamedTuple):
    entry: WallEntry
    shown: TileLook
    ages: tuple[object, ...]
    lines: list[Spans]


class WallTiles:
    """Draws the sessions of a page.

    Args:
        settings: how sessions are shown.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._host = socket.gethostname()
        self._drawn: dict[str, _Drawn] = {}
        self._trees: dict[str, _OwnTree] = {}

    def keep(self, keys: Collection[str]) -> None:
        """Forget all other sessions."""
        self._drawn = {key: drawn for key, drawn in self._drawn.items() if key in keys}
        self._trees = {key: tree for key, tree in self._trees.items() if key in keys}

    @property
    def has_aged(self) -> bool:
        """Whether time alone has changed what is shown."""
        return any(self._ages(drawn.entry, self._present(drawn.entry)) != drawn.ages for drawn in self._drawn.values())

    def lines(self, entry: WallEntry, shown: TileLook) -> list[Spans]:
        """Return the lines of a session, as many as its box has rows."""
        key, present = shown.box.key, self._present(entry)
        ages = self._ages(entry, present)
        drawn = self._drawn.get(key)
        if drawn is None or drawn.entry is not entry or drawn.ages != ages or not _is_alike(drawn.shown, shown):
            drawn = self._drawn[key] = _Drawn(entry, shown, ages, self._draw(entry, present, shown))
        return drawn.lines

    def _draw(self, entry: WallEntry, present: Present, shown: TileLook) -> list[Spans]:
        tile, signs, box = self._tile(entry, present, shown), self._settings.signs, shown.box
        if shown.is_line:
            self._trees.pop(box.key, None)
            return [draw_line(tile, box.cells, signs)]
        tree = self._trees.setdefault(box.key, _OwnTree(TileTree(signs)))
        tree.update(entry)
        return draw_tile(
            tile,
            box.cells,
            box.rows,
            signs,
            tree=lambda cells, rows: tree.lines(cells, rows, self._now(entry)),
            is_band=shown.is_band,
        )

    def _tile(self, entry: WallEntry, present: Present, shown: TileLook) -> WallTile:
        settings = self._settings
        return wall_tile(
            entry.session,
            present,
            name=entry.name,
            newest=entry.newest,
            changed=entry.changed,
            now=settings.clock(),
            signs=settings.signs,
            number=shown.number,
            is_selected=shown.is_selected,
            is_unread=shown.is_unread,
            host=self._host,
            machine=entry.machine,
            trouble=entry.trouble,
        )

    def _present(self, entry: WallEntry) -> Present:
        settings = self._settings
        return present_of(entry.session, entry.standing, settings.clock(), settings.stale, settings.signs)

    def _ages(self, entry: WallEntry, present: Present) -> tuple[object, ...]:
        """Return what time alone changes."""
        seconds = (self._now(entry) or 0) // 1_000_000
        return units.age(self._settings.clock(), entry.changed), present, seconds

    def _now(self, entry: WallEntry) -> int | None:
        """Return the time, if rows say for how long sub-agents have been silent."""
        return self._settings.clock() if entry.session.agents.count and not entry.is_over else None

    def state(self, entry: WallEntry) -> ShownState:
        """Return the state of a session as it is shown."""
        return shown_state(entry.standing, self._settings.clock(), self._settings.stale)


class _OwnTree:
    """A tree with texts of its own: those of the wall belong to the thread that reads the journals."""

    def __init__(self, tree: TileTree) -> None:
        self._tree = tree
        self._source: JournalTexts | None = None
        self._texts: JournalTexts | None = None
        self._drawn: tuple[Session | None, tuple[int, int, int | None], Sequence[Spans]] = None, (0, 0, None), ()

    def update(self, entry: WallEntry) -> None:
        """Show what the entry has; what of its texts was read is kept."""
        if entry.texts is not self._source:
            self._source = entry.texts
            self._texts = entry.texts.for_thread(entry.session) if entry.texts is not None else None
        if self._texts is not None:
            self._texts.session = entry.session
            self._tree.update(self._texts)

    def lines(self, cells: int, rows: int, now: int | None) -> Sequence[Spans]:
        """Return the rows, drawn again only if there are others, or they say for how long something lasts."""
        session, drawn_for = self._texts.session if self._texts is not None else None, (cells, rows, now)
        if self._drawn[0] is not session or self._drawn[1] != drawn_for:
            self._drawn = session, drawn_for, self._tree.lines(cells, rows, now)
        return self._drawn[2]


def _is_alike(one: TileLook, other: TileLook) -> bool:
    """Return whether a session looks the same: where it is does not matter."""
    boxes = one.box, other.box
    sizes = {(box.cells, box.rows) for box in boxes}
    return len(sizes) == 1 and one._replace(box=other.box) == other
