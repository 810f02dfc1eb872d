"""Signs and lines of a sketch as paths of SVG, so that they join without gaps and look the same in every font."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import cos, radians, sin
from typing import NamedTuple

from seqthink.drawing.glyphs import DOWN, LEFT, RIGHT, UNICODE, UP
from seqthink.drawing.spans import Role
from seqthink.export.row_drawing import DrawnCell

DOT_RADIUS, RING_RADIUS = 4.0, 4.2
"""The radius of a thought, and of the round signs that are not filled."""

_CLEAR, _CLEAR_ABOVE = 7.0, 8.5
"""How far from a sign's middle the line through it ends where the sign is no dot; a turn has its arrow above."""


class SvgPath(NamedTuple):
    """A line of one colour, or with ``is_filled`` an area."""

    role: Role
    steps: str
    is_filled: bool = False


class VerticalLine(NamedTuple):
    """A piece of a line that runs down, from ``top`` to ``bottom``: those of rows one below the other are one line."""

    role: Role
    x: float
    top: float
    bottom: float

    @property
    def steps(self) -> str:
        """The line as a path."""
        return f"M{_n(self.x)} {_n(self.top)}V{_n(self.bottom)}"


class CellGrid(NamedTuple):
    """The size of a cell."""

    width: float
    height: float


def vertical_lines(
    cells: Iterable[DrawnCell], grid: CellGrid, left: float = 0, top: float = 0
) -> Iterator[VerticalLine]:
    """Yield what runs down in a row whose first cell begins at ``left`` and ``top``."""
    for cell in cells:
        x, middle, bottom = left + (cell.place + 0.5) * grid.width, top + grid.height / 2, top + grid.height
        clear = _clear(cell, grid)
        if cell.arms & UP and cell.arms & DOWN and not clear:
            yield VerticalLine(cell.role, x, top, bottom)
        elif cell.arms & UP:
            is_turn = cell.sign == UNICODE.revision
            yield VerticalLine(cell.role, x, top, middle - (_CLEAR_ABOVE if is_turn else clear))
        if cell.arms & DOWN and (clear or not cell.arms & UP):
            yield VerticalLine(cell.role, x, middle + clear, bottom)


def _clear(cell: DrawnCell, grid: CellGrid) -> float:
    """Return how far from a cell's middle its line ends: for the bend of a corner, or for a sign."""
    if cell.sign:
        return 0.0 if cell.sign == UNICODE.thought else _CLEAR
    is_corner = bool(cell.arms & UP) != bool(cell.arms & DOWN) and bool(cell.arms & LEFT) != bool(cell.arms & RIGHT)
    return grid.width / 2 if is_corner else 0.0


def svg_paths(cells: Iterable[DrawnCell], grid: CellGrid, left: float = 0, top: float = 0) -> Iterator[SvgPath]:
    """Yield the rest of such a row: one path for each colour, areas last."""
    drawn: defaultdict[tuple[bool, Role], list[str]] = defaultdict(list)
    for cell in cells:
        x, y = left + (cell.place + 0.5) * grid.width, top + grid.height / 2
        if cell.arms:
            drawn[False, cell.role].append("" if cell.sign else _level(cell, x, y, grid))
        elif cell.sign == UNICODE.thought:
            drawn[True, cell.role].append(_circle(x, y, DOT_RADIUS))
        elif cell.sign == UNICODE.arrow_head:
            drawn[True, cell.role].append(f"M{_n(x - 3.4)} {_n(y - 3.6)}l7 3.6l-7 3.6z")
        else:
            drawn[False, cell.role].append(_sign(cell.sign, x, y, grid))
            if cell.sign == UNICODE.revision:
                drawn[True, cell.role].append(f"M{_n(x + 1)} {_n(y - RING_RADIUS - 3)}v6l-4 -3z")
    for (is_filled, role), steps in sorted(drawn.items()):
        if any(steps):
            yield SvgPath(role, "".join(steps), is_filled)


def _level(cell: DrawnCell, x: float, y: float, grid: CellGrid) -> str:
    """Return what runs to the sides; where a line turns or another leaves it from above, round the corner."""
    half = grid.width / 2
    if cell.arms & LEFT and cell.arms & RIGHT:
        return f"M{_n(x - half)} {_n(y)}H{_n(x + half)}"
    side = half if cell.arms & RIGHT else -half if cell.arms & LEFT else 0
    if not side or not cell.arms & (UP | DOWN):
        return f"M{_n(x)} {_n(y)}h{_n(side)}" if side else ""
    return f"M{_n(x)} {_n(y + (-half if cell.arms & UP else half))}Q{_n(x)} {_n(y)} {_n(x + side)} {_n(y)}"


def _sign(sign: str, x: float, y: float, grid: CellGrid) -> str:
    match sign:
        case UNICODE.final:
            return f"M{_n(x - 4)} {_n(y + 0.4)}l3 3.2l5.2 -7"
        case UNICODE.refused:
            return f"M{_n(x - 3.4)} {_n(y - 3.4)}l6.8 6.8m0 -6.8l-6.8 6.8"
        case UNICODE.revision:
            return _turn(x, y)
        case UNICODE.arrow_stub:
            step = grid.height / 6
            return "".join(
                f"M{_n(x)} {_n(y - grid.height / 2 + (2 * part + 0.6) * step)}v{_n(step)}" for part in range(3)
            )
        case _:
            return _circle(x, y, RING_RADIUS - 0.6)


def _turn(x: float, y: float) -> str:
    """Return a turn to the left, nearly a full one; its arrow's head is at the top."""
    start = radians(200)
    begin = f"M{_n(x + RING_RADIUS * cos(start))} {_n(y + RING_RADIUS * sin(start))}"
    return f"{begin}A{RING_RADIUS} {RING_RADIUS} 0 1 0 {_n(x + 1)} {_n(y - RING_RADIUS)}"


def _circle(x: float, y: float, radius: float) -> str:
    half = f"a{_n(radius)} {_n(radius)} 0 1 0 "
    return f"M{_n(x - radius)} {_n(y)}{half}{_n(2 * radius)} 0{half}{_n(-2 * radius)} 0"


def _n(number: float) -> str:
    """Return a length in as few characters as will do."""
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"
