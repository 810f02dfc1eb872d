"""Where tiles and lines of the wall are on the screen. Pure.

Each column of places shares its height among its tiles, and the columns that have tiles share the width: a session that
shrinks to a line gives its room to its neighbours, and none of these changes its column or its order.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

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
    """One page of the wall. All pages have the same tiles if only the lines need more than one, and the other way."""

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
    side_by_side = min(grid.columns, max(1, len(brief)))
    rows = min(-(-len(brief) // side_by_side), _most_lines(tiles, grid, height))
    tile_pages, line_pages = -(-len(tiles) // grid.places), -(-len(brief) // max(1, rows * side_by_side))
    pages = max(1, tile_pages, line_pages if rows else 1)
    page = _page_with(selected, page, pages, tiles, brief, (grid.places, rows * side_by_side))
    first = min(page, max(0, tile_pages - 1)) * grid.places
    columns = _columns(tiles[first : first + grid.places], grid.columns, cells, height - rows)
    first = min(page, line_pages - 1) * rows * side_by_side
    shown = brief[first : first + rows * side_by_side]
    return WallLayout(page, pages, columns, _lines(shown, side_by_side, cells, height - rows))


def shares(whole: int, parts: int) -> list[int]:
    """Return ``whole`` cells or rows divided among ``parts``, the first ones larger by one."""
    each, rest = divmod(max(0, whole), max(1, parts))
    return [each + (part < rest) for part in range(parts)]


def _most_lines(tiles: Sequence[str | None], grid: WallGrid, height: int) -> int:
    """Return how many rows of lines there may be beside the tiles: the same on each page."""
    stacks = Counter((place // grid.places, place % grid.columns) for place, key in enumerate(tiles) if key is not None)
    if not stacks:
        return height
    tallest = max(stacks.values()) * (FEWEST_BAND_ROWS if grid.columns == 1 else FEWEST_TILE_ROWS)
    return min(height - 1, max(1, min(height // LINES_SHARE, height - tallest)))


def _page_with(
    selected: str | None,
    page: int,
    pages: int,
    tiles: Sequence[str | None],
    brief: Sequence[str],
    per_page: tuple[int, int],
) -> int:
    """Return the page nearest to ``page`` that has the selected session."""
    page = max(0, min(page, pages - 1))
    for shown, each in zip((tiles, brief), per_page, strict=True):
        if selected is not None and selected in shown and each:
            own, last = shown.index(selected) // each, -(-len(shown) // each) - 1
            return max(page, own) if own == last else own
    return page


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
