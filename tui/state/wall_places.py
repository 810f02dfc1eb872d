"""Where sessions stand on the wall. Pure: sessions come and go, a tile keeps its place."""

from collections.abc import Sequence
from typing import NamedTuple

WIDE_TILE_CELLS = 60
"""Cells from which a screen has tiles beside one another; narrower ones have bands."""
THREE_COLUMNS_CELLS, FOUR_COLUMNS_CELLS = 160, 240
"""Cells from which a screen has three columns, and four."""
BAND_ROWS, LOW_TILE_ROWS, TILE_ROWS = 3, 7, 11
"""Rows of a band; of a tile where six of them would not fit otherwise; of any other tile, at least."""
USUAL_ROWS = 3
"""Rows of tiles for which a lower height is used, so that six tiles fit."""
USUAL_BANDS, FEWEST_ROWS = 6, 2
"""Bands and rows of tiles that there are at least where there is room: few sessions make no giants."""


class WallGrid(NamedTuple):
    """How many places a page has."""

    columns: int
    rows: int

    @property
    def places(self) -> int:
        """Places on a page."""
        return self.columns * self.rows


class WallSession(NamedTuple):
    """A session that wants a place."""

    key: str
    """Its name among the sessions."""
    is_over: bool = False
    """Nothing more is expected of it."""
    may_leave: bool = False
    """It is over, and was read: it gives its place to a new one where there is none left."""


def wall_grid(cells: int, height: int, used: int, wanted: tuple[int, int] | None = None) -> WallGrid:
    """Return the grid of a wall of ``cells`` by ``height`` cells of which ``used`` places were used at most.

    The number of columns depends on the width alone, and more places used never make fewer rows.
    ``wanted`` are columns and rows that the user wants; what has no room is left out.
    """
    if wanted is not None:
        columns = max(1, min(wanted[0], cells // 16))
        return WallGrid(columns, max(1, min(wanted[1], height // BAND_ROWS)))
    columns = _columns(cells)
    if columns == 1:
        most, least = height // BAND_ROWS, USUAL_BANDS
    else:
        most = max(height // TILE_ROWS, min(USUAL_ROWS, height // LOW_TILE_ROWS))
        least = USUAL_ROWS if most <= USUAL_ROWS else FEWEST_ROWS
    rows = max(least, -(-used // columns))
    return WallGrid(columns, max(1, min(most, rows)))


def _columns(cells: int) -> int:
    steps = (WIDE_TILE_CELLS, THREE_COLUMNS_CELLS, FOUR_COLUMNS_CELLS)
    return 1 + sum(cells >= step for step in steps)


class WallPlaces:
    """The sessions on the wall by place, counted from 0, row by row and page by page.

    A session keeps its place until it is gone, or until it is over and read and a new one needs the place.
    """

    def __init__(self) -> None:
        self.keys: tuple[str | None, ...] = ()
        """The session in each place, None for a free one."""
        self.selected = 0
        """The selected place."""
        self.most_used = 0
        """How many places were used, at most."""
        self._gone_first: set[str] = set()
        self._wanted: str | None = None

    def update(self, sessions: Sequence[WallSession], places: int) -> None:
        """Give new sessions the free places of a page of ``places``, then those that others may leave, then more."""
        known = {session.key: session for session in sessions}
        keys = [key if key in known else None for key in self.keys]
        self._gone_first = {key for key in self._gone_first if key in known and known[key].may_leave}
        standing = set(keys)
        new = [session for session in sessions if session.key not in standing and session.key not in self._gone_first]
        for session in sorted(new, key=lambda session: session.is_over):
            place = self._place_for(session, keys, known, places)
            if place < len(keys):
                left = keys[place]
                if left is not None:
                    self._gone_first.add(left)
                keys[place] = session.key
            else:
                keys.append(session.key)
        while keys and keys[-1] is None:
            keys.pop()
        self.keys = tuple(keys)
        self.most_used = max(self.most_used, len(keys))
        self._keep_selection()

    @staticmethod
    def _place_for(session: WallSession, keys: Sequence[str | None], known: dict[str, WallSession], places: int) -> int:
        if None in keys:
            return keys.index(None)
        if len(keys) < places or session.is_over:
            return len(keys)
        leaving = (place for place, key in enumerate(keys) if key is not None and known[key].may_leave)
        return next(leaving, len(keys))

    def _keep_selection(self) -> None:
        if self._wanted is not None and self._wanted in self.keys:
            self.selected, self._wanted = self.keys.index(self._wanted), None
        self.selected = max(0, min(self.selected, len(self.keys) - 1))
        if self.keys and self.keys[self.selected] is None:
            used = [place for place, key in enumerate(self.keys) if key is not None]
            self.selected = min(used, key=lambda place: (abs(place - self.selected), place))

    @property
    def selected_key(self) -> str | None:
        """The selected session, or None."""
        return self.keys[self.selected] if self.keys else None

    def select(self, key: str) -> None:
        """Select a session, now or once it has a place."""
        self._wanted = key
        self._keep_selection()

    def select_place(self, place: int) -> bool:
        """Select the session in a place; return whether there is one."""
        if 0 <= place < len(self.keys) and self.keys[place] is not None:
            self.selected, self._wanted = place, None
            return True
        return False

    def move(self, columns: int, rows: int, grid: WallGrid) -> None:
        """Move the selection to the next used place in a direction; at an edge of the page, to the page beside it."""
        step = columns + rows * grid.columns
        place = self.selected + step
        while 0 <= place < len(self.keys):
            is_same_row = place // grid.columns == self.selected // grid.columns
            if columns and not is_same_row:
                return
            if self.select_place(place):
                return
            place += step

    def page_of_selection(self, grid: WallGrid) -> int:
        """Return the page of the selection, counted from 0."""
        return self.selected // grid.places

    def pages(self, grid: WallGrid) -> int:
        """Return the number of pages."""
        return max(1, -(-len(self.keys) // grid.places))

    def turn(self, pages: int, grid: WallGrid) -> None:
        """Select the first session ``pages`` pages further on."""
        page = max(0, min(self.pages(grid) - 1, self.page_of_selection(grid) + pages))
        if page == self.page_of_selection(grid):
            return
        first = page * grid.places
        next((place for place in range(first, first + grid.places) if self.select_place(place)), None)

    def on_page(self, page: int, grid: WallGrid) -> tuple[str | None, ...]:
        """Return the sessions of a page by place."""
        keys = self.keys[page * grid.places : (page + 1) * grid.places]
        return (*keys, *[None] * (grid.places - len(keys)))
