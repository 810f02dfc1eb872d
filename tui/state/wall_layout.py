"""Where tiles and lines of the wall are on the screen. Pure.

Each column of places shares its height among its tiles, and the columns that have tiles share the width: a session that
shrinks to a line gives its room to its neighbours, and none of these changes its column or its order.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from tui.state.wall_places import WallGrid

GAP_CELLS = 1
"""Cells between two tiles."""
LINES_SHARE = 4
"""Lines take at most this part of the height: a quarter."""
FEWEST_BAND_ROWS, FEWEST_TILE_ROWS = 3, 6
"""Rows of a band and of a tile from which lines take none, but for the first line."""


class WallBox(NamedTuple):
    """Where a session is on the screen, in cells from the corner of the wall."""

    key: str
    x: int
    y: int
    cells: int
    rows: int

    def holds(self, x: int, y: int) -> bool:
        """Return whether a cell is inside."""
        return self.x <= x < self.x + self.cells and self.y <= y < self.y + self.rows


class WallLayout(NamedTuple):
    """One page of the wall: tiles and lines, or the lines that have no room beside tiles."""

    page: int
    """The page, counted from 0."""
    pages: int
    columns: tuple[tuple[WallBox, ...], ...]
    """The columns that have tiles, with their tiles from the top."""
    lines: tuple[tuple[WallBox, ...], ...]
    """The sessions with a line each, row by row."""

    @property
    def boxes(self) -> list[WallBox]:
        """All tiles and lines."""
        return [box for group in (*self.columns, *self.lines) for box in group]

    @property
    def keys(self) -> list[str]:
        """The sessions of the page."""
        return [box.key for box in self.boxes]

    def at(self, x: int, y: int) -> str | None:
        """Return the session in a cell, or None."""
        return next((box.key for box in self.boxes if box.holds(x, y)), None)

    def beside(self, key: str | None, columns: int, rows: int) -> str | None:
        """Return the next session from ``key`` in a direction, or None."""
        boxes = self.boxes
        start = next((box for box in boxes if box.key == key), None)
        if start is None:
            return boxes[0].key if boxes else None
        found = [box for box in boxes if _is_beyond(start, box, columns, rows)]
        best = min(found, key=lambda box: _distance(start, box, is_sideways=bool(columns)), default=None)
        return best.key if best is not None else None


def wall_layout(
    size: tuple[int, int],
    grid: WallGrid,
    tiles: Sequence[str | None],
    brief: Sequence[str],
    *,
    page: int = 0,
    selected: str | None = None,
) -> WallLayout:
    """Return a page of the wall.

    Args:
        size: cells and rows of the wall.
        grid: the places of a page.
        tiles: the session whose tile is in each place, None where there is none.
        brief: the sessions that have a line.
        page: the page that is wanted.
        selected: the session that must be on it, if it is on the wall.
    """
    cells, height = size
    used = max((place + 1 for place, key in enumerate(tiles) if key is not None), default=0)
    pages = _Pages(
        tile_pages=-(-used // grid.places),
        lines=len(brief),
        side_by_side=min(grid.columns, max(1, len(brief))),
        beside_tiles=_most_lines(tiles, grid, height),
        height=height,
    )
    page = max(0, min(page, pages.count - 1))
    if selected is not None and selected in tiles:
        page = tiles.index(selected) // grid.places
    elif selected is not None and selected in brief:
        page = pages.page_of_line(brief.index(selected))
    shown = brief[pages.lines_of(page)]
    first = page * grid.places
    y = height - -(-len(shown) // pages.side_by_side) if page < pages.tile_pages else 0
    columns = _columns(tiles[first : first + grid.places], grid.columns, cells, y)
    return WallLayout(page, pages.count, columns, _lines(shown, pages.side_by_side, cells, y))


def shares(whole: int, parts: int) -> list[int]:
    """Return ``whole`` cells or rows divided among ``parts``, the first ones larger by one."""
    each, rest = divmod(max(0, whole), max(1, parts))
    return [each + (part < rest) for part in range(parts)]


class _Pages(Struct, frozen=True, kw_only=True):
    """How tiles and lines are divided into pages: some lines are beside tiles, the rest has pages of its own."""

    tile_pages: int
    lines: int
    """How many lines there are."""
    side_by_side: int
    beside_tiles: int
    """Rows of lines that a page with tiles may have."""
    height: int

    @property
    def line_rows(self) -> int:
        """Rows of lines on each page with tiles."""
        return min(-(-self.lines // self.side_by_side), self.beside_tiles)

    @property
    def _first(self) -> int:
        """Lines on the pages with tiles."""
        return self.tile_pages * self.line_rows * self.side_by_side

    @property
    def count(self) -> int:
        """Number of pages, at least 1."""
        rest = max(0, self.lines - self._first)
        return max(1, self.tile_pages + -(-rest // (self.height * self.side_by_side)))

    def lines_of(self, page: int) -> slice:
        """Return the lines of a page."""
        if page < self.tile_pages:
            each = self.line_rows * self.side_by_side
            return slice(page * each, (page + 1) * each)
        each = self.height * self.side_by_side
        start = self._first + (page - self.tile_pages) * each
        return slice(start, start + each)

    def page_of_line(self, line: int) -> int:
        """Return the page of a line."""
        if line < self._first:
            return line // (self.line_rows * self.side_by_side)
        return self.tile_pages + (line - self._first) // (self.height * self.side_by_side)


def _most_lines(tiles: Sequence[str | None], grid: WallGrid, height: int) -> int:
    """Return how many rows of lines there may be beside the tiles: the same on each page."""
    stacks = Counter((place // grid.places, place % grid.columns) for place, key in enumerate(tiles) if key is not None)
    tallest = max(stacks.values(), default=0) * (FEWEST_BAND_ROWS if grid.columns == 1 else FEWEST_TILE_ROWS)
    return min(height - 1, max(1, min(height // LINES_SHARE, height - tallest)))


def _columns(tiles: Sequence[str | None], columns: int, cells: int, height: int) -> tuple[tuple[WallBox, ...], ...]:
    stacks = [[key for key in tiles[column::columns] if key is not None] for column in range(columns)]
    stacks = [stack for stack in stacks if stack]
    found: list[tuple[WallBox, ...]] = []
    x = 0
    for stack, own_cells in zip(stacks, shares(cells - GAP_CELLS * (len(stacks) - 1), len(stacks)), strict=True):
        found.append(_stack(stack, x, own_cells, height))
        x += own_cells + GAP_CELLS
    return tuple(found)


def _stack(keys: Sequence[str], x: int, cells: int, height: int) -> tuple[WallBox, ...]:
    boxes: list[WallBox] = []
    y = 0
    for key, rows in zip(keys, shares(height, len(keys)), strict=True):
        boxes.append(WallBox(key, x, y, cells, rows))
        y += rows
    return tuple(boxes)


def _lines(keys: Sequence[str], columns: int, cells: int, y: int) -> tuple[tuple[WallBox, ...], ...]:
    widths = shares(cells - GAP_CELLS * (columns - 1), columns)
    starts = [sum(widths[:column]) + GAP_CELLS * column for column in range(columns)]
    return tuple(
        tuple(
            WallBox(key, starts[column], y + row, widths[column], 1)
            for column, key in enumerate(keys[row * columns : (row + 1) * columns])
        )
        for row in range(-(-len(keys) // columns))
    )


def _is_beyond(start: WallBox, box: WallBox, columns: int, rows: int) -> bool:
    if columns:
        is_beside = box.y < start.y + start.rows and start.y < box.y + box.rows
        return is_beside and (box.x - start.x) * columns > 0
    return (box.y - start.y) * rows > 0 and not (box.y < start.y + start.rows and start.y < box.y + box.rows)


def _distance(start: WallBox, box: WallBox, *, is_sideways: bool) -> tuple[int, int]:
    """Return how far a box is away, sideways or up and down; what is in the way comes first."""
    if is_sideways:
        return abs(box.x - start.x), abs(box.y - start.y)
    is_aside = not (box.x < start.x + start.cells and start.x < box.x + box.cells)
    return is_aside * 1_000_000 + abs(box.y - start.y), abs(box.x - start.x)
