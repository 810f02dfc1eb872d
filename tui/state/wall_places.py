"""Which session has which place on the wall. Pure: sessions come, go, rest and wake up, and tiles keep their places."""

from collections.abc import Sequence
from typing import NamedTuple

from seqthink.drawing.panels.wall_tiles import MAX_NUMBER

WIDE_TILE_CELLS = 60
"""Cells from which a screen has tiles beside one another; narrower ones have bands."""
THREE_COLUMNS_CELLS, FOUR_COLUMNS_CELLS = 160, 240
"""Cells from which a screen has three columns, and four."""
BAND_ROWS, LOW_TILE_ROWS, TILE_ROWS = 3, 7, 11
"""Rows of a band; of a tile where six of them would not fit otherwise; of any other tile. Lines take some of them."""
USUAL_ROWS = 3
"""Rows of tiles for which a lower height is used, so that six tiles fit."""


class WallGrid(NamedTuple):
    """How many places a page has."""

    columns: int
    rows: int

    @property
    def places(self) -> int:
        """Places on a page."""
        return self.columns * self.rows


class WallSession(NamedTuple):
    """A session on the wall."""

    key: str
    """Its name among the sessions."""
    is_brief: bool = False
    """It has a line, and no tile."""
    is_unread: bool = False
    """It has thoughts that nobody has read."""
    changed: int = 0
    """When something came last, in microseconds since 1970."""


def wall_grid(cells: int, height: int, wanted: tuple[int, int] | None = None) -> WallGrid:
    """Return the grid of a wall of ``cells`` by ``height`` cells; it depends on nothing else.

    ``wanted`` are columns and rows that the user wants; what has no room is left out.
    """
    if wanted is not None:
        columns = max(1, min(wanted[0], cells // 16))
        return WallGrid(columns, max(1, min(wanted[1], height // BAND_ROWS)))
    columns = 1 + sum(cells >= step for step in (WIDE_TILE_CELLS, THREE_COLUMNS_CELLS, FOUR_COLUMNS_CELLS))
    if columns == 1:
        return WallGrid(1, max(1, height // BAND_ROWS))
    return WallGrid(columns, max(1, height // TILE_ROWS, min(USUAL_ROWS, height // LOW_TILE_ROWS)))


class WallPlaces:
    """The sessions on the wall by place, counted from 0, row by row and page by page.

    A session keeps its place until it is gone. While it has a line, nobody else takes the place unless no other is
    free, so it usually has its tile back when it wakes up.
    """

    def __init__(self) -> None:
        self.keys: tuple[str | None, ...] = ()
        """The session that each place belongs to, None for a free one."""
        self.brief: tuple[str, ...] = ()
        """The sessions that have a line, the newest first."""
        self._resting: frozenset[str] = frozenset()
        self._line_numbers: dict[str, int] = {}
        self._selected: str | None = None
        self._selected_number = 0
        self._wanted: str | None = None

    @property
    def tiles(self) -> tuple[str | None, ...]:
        """The session whose tile is in each place, None where there is none."""
        return tuple(None if key in self._resting else key for key in self.keys)

    def place_of(self, key: str) -> int | None:
        """Return the place of a session, or None."""
        return self.keys.index(key) if key in self.keys else None

    def update(self, sessions: Sequence[WallSession], grid: WallGrid) -> None:
        """Give the sessions that came or woke up places, on the first page that has one for them."""
        known = {session.key: session for session in sessions}
        self._resting = _resting(sessions)
        keys = [key if key in known else None for key in self.keys]
        for session in sessions:
            if session.key not in self._resting:
                self._place(session.key, keys, known, grid)
        self._drop_later_lines(keys, grid.places)
        for session in sessions:
            if session.key in self._resting and session.key not in keys and None in (*keys, None)[: grid.places]:
                _put(keys, keys.index(None) if None in keys else len(keys), session.key)
        while keys and keys[-1] is None:
            keys.pop()
        self.keys = tuple(keys)
        lines = sorted((known[key] for key in self._resting), key=lambda session: (-session.changed, session.key))
        self.brief = tuple(session.key for session in lines)
        self._number_lines()
        self._keep_selection()

    def _place(self, key: str, keys: list[str | None], known: dict[str, WallSession], grid: WallGrid) -> None:
        """Give a session with a tile a place, unless it has one on the first page that has room."""
        present = keys.index(key) if key in keys else None
        page = present // grid.places if present is not None else len(keys) // grid.places
        for first in range(0, page * grid.places, grid.places):
            place = self._best_place(range(first, first + grid.places), keys, known, grid)
            if place is not None:
                if present is not None:
                    keys[present] = None
                _put(keys, place, key)
                return
        if present is None:
            first = page * grid.places
            place = self._best_place(range(first, first + grid.places), keys, known, grid)
            assert place is not None, "a page that is not full has a place"
            _put(keys, place, key)

    def _best_place(
        self, places: range, keys: Sequence[str | None], known: dict[str, WallSession], grid: WallGrid
    ) -> int | None:
        """Return the place on a page that is free, or else that of a session with a line, in the emptiest column."""
        held = {place: keys[place] if place < len(keys) else None for place in places}
        tiles = [place % grid.columns for place, key in held.items() if key is not None and key not in self._resting]

        def rank(place: int) -> tuple[bool, int, bool, int, int]:
            key = held[place]
            column = tiles.count(place % grid.columns)
            if key is None:
                return False, column, False, 0, place
            return True, column, known[key].is_unread, known[key].changed, place

        return min(
            (place for place, key in held.items() if key is None or key in self._resting), key=rank, default=None
        )

    def _drop_later_lines(self, keys: list[str | None], first_page: int) -> None:
        """Let no session with a line keep a place on a later page: that would be a page without tiles."""
        for place in range(first_page, len(keys)):
            if keys[place] in self._resting:
                keys[place] = None

    # Numbers

    def number_of(self, key: str) -> int:
        """Return the key that opens a session; 0 for none."""
        place = self.place_of(key)
        number = place + 1 if place is not None else self._line_numbers.get(key, 0)
        return number if number <= MAX_NUMBER else 0

    def key_of(self, number: int) -> str | None:
        """Return the session that a number opens, or None."""
        return next((key for key in self._shown if self.number_of(key) == number), None)

    @property
    def last_number(self) -> int:
        """The largest number that opens a session; 0 if none does."""
        return max(map(self.number_of, self._shown), default=0)

    def _number_lines(self) -> None:
        """Give the lines without a place the numbers that are left, and let each keep its own as long as that is."""
        taken = {place + 1 for place, key in enumerate(self.keys) if key is not None}
        lines = [key for key in self.brief if key not in self.keys]
        kept = {key: self._line_numbers[key] for key in lines if self._line_numbers.get(key, 0) not in taken | {0}}
        left = [number for number in range(1, MAX_NUMBER + 1) if number not in taken | {*kept.values()}]
        # a place that is free now will be a tile's again
        left.sort(key=lambda number: number <= len(self.keys))
        new = [key for key in lines if key not in kept]
        self._line_numbers = kept | dict(zip(new, left, strict=False))

    # The selection

    @property
    def selected_key(self) -> str | None:
        """The selected session, or None."""
        return self._selected

    @property
    def _shown(self) -> list[str]:
        return [*(key for key in self.tiles if key is not None), *self.brief]

    def _keep_selection(self) -> None:
        shown = self._shown
        if self._wanted is not None and self._wanted in shown:
            self._selected, self._wanted = self._wanted, None
        if self._selected not in shown:
            self._selected = shown[min(self._selected_number, len(shown) - 1)] if shown else None
        self._selected_number = shown.index(self._selected) if self._selected is not None else 0

    def select(self, key: str) -> None:
        """Select a session, now or once it is on the wall."""
        self._wanted = key
        self._keep_selection()


def _resting(sessions: Sequence[WallSession]) -> frozenset[str]:
    """Return the sessions that have a line; where all might have one, the newest keeps the room as its tile."""
    resting = [session for session in sessions if session.is_brief]
    if resting and len(resting) == len(sessions):
        newest = max(resting, key=lambda session: (session.changed, session.key))
        resting = [session for session in resting if session is not newest]
    return frozenset(session.key for session in resting)


def _put(keys: list[str | None], place: int, key: str) -> None:
    keys += [None] * (place + 1 - len(keys))
    keys[place] = key
