"""Signs and lines as SVG paths: they join without gaps and look the same in every font. Lengths are in pixels."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import cos, radians, sin
from typing import NamedTuple

from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell
from seqthink.drawing.text.spans import Role
from seqthink.share.export.row_drawing import PlacedCell

DOT_RADIUS, RING_RADIUS = 4.0, 4.2
"""Radius of a thought's sign, and of the round signs that are not filled."""

_CLEARANCE, _CLEARANCE_ABOVE = 7.0, 8.5
"""Gap between the centre of a sign and the line through it, if the sign is not a dot; it is larger above a revision."""


class SvgPath(NamedTuple):
    """A line of one colour; with ``is_filled`` an area."""

    role: Role
    steps: str
    """The path's ``d`` attribute."""
    is_filled: bool = False


class VerticalLine(NamedTuple):
    """A vertical line from ``top`` to ``bottom``, in pixels; those of rows one below the other can be merged."""

    role: Role
    x: float
    top: float
    bottom: float

    @property
    def steps(self) -> str:
        """The line's ``d`` attribute."""
        return f"M{_px(self.x)} {_px(self.top)}V{_px(self.bottom)}"


class CellGrid(NamedTuple):
    """The size of a cell in pixels."""

    width: float
    height: float


def vertical_lines(
    cells: Iterable[PlacedCell], grid: CellGrid, left: float = 0, top: float = 0
) -> Iterator[VerticalLine]:
    """Yield the vertical lines of a row whose first cell begins at ``left`` and ``top``."""
    for column, cell in cells:
        x, middle, bottom = left + (column + 0.5) * grid.width, top + grid.height / 2, top + grid.height
        clearance = _clearance(cell, grid)
        if cell.arms & UP and cell.arms & DOWN and not clearance:
            yield VerticalLine(cell.role, x, top, bottom)
        elif cell.arms & UP:
            is_turn = cell.sign is CellSign.REVISION
            yield VerticalLine(cell.role, x, top, middle - (_CLEARANCE_ABOVE if is_turn else clearance))
        if cell.arms & DOWN and (clearance or not cell.arms & UP):
            yield VerticalLine(cell.role, x, middle + clearance, bottom)


def _clearance(cell: GutterCell, grid: CellGrid) -> float:
    """Return the distance from a cell's centre to the end of its line: for the bend of a corner, or for a sign."""
    if cell.sign:
        return 0.0 if cell.sign is CellSign.THOUGHT else _CLEARANCE
    is_corner = bool(cell.arms & UP) != bool(cell.arms & DOWN) and bool(cell.arms & LEFT) != bool(cell.arms & RIGHT)
    return grid.width / 2 if is_corner else 0.0


def svg_paths(cells: Iterable[PlacedCell], grid: CellGrid, left: float = 0, top: float = 0) -> Iterator[SvgPath]:
    """Yield the rest of such a row: one path per colour, areas last."""
    drawn: defaultdict[tuple[bool, Role], list[str]] = defaultdict(list)
    for column, cell in cells:
        x, y = left + (column + 0.5) * grid.width, top + grid.height / 2
        if cell.arms:
            drawn[False, cell.role].append("" if cell.sign else _level(cell, x, y, grid))
            continue
        if cell.sign not in _ONLY_AREAS:
            drawn[False, cell.role].append(_sign(cell.sign, x, y, grid))
        if area := _AREAS.get(cell.sign):
            drawn[True, cell.role].append(area.steps_from(x, y))
    for (is_filled, role), steps in sorted(drawn.items()):
        if any(steps):
            yield SvgPath(role, "".join(steps), is_filled)


def _level(cell: GutterCell, x: float, y: float, grid: CellGrid) -> str:
    """Return the horizontal part of a cell's line, with a rounded corner where the line turns."""
    half = grid.width / 2
    if cell.arms & LEFT and cell.arms & RIGHT:
        return f"M{_px(x - half)} {_px(y)}H{_px(x + half)}"
    side = half if cell.arms & RIGHT else -half if cell.arms & LEFT else 0
    if not side or not cell.arms & (UP | DOWN):
        return f"M{_px(x)} {_px(y)}h{_px(side)}" if side else ""
    return f"M{_px(x)} {_px(y + (-half if cell.arms & UP else half))}Q{_px(x)} {_px(y)} {_px(x + side)} {_px(y)}"


def _sign(sign: CellSign | None, x: float, y: float, grid: CellGrid) -> str:
    """Return the lines of a sign; without any of its own it is a ring."""
    if sign is CellSign.REVISION:
        return _turn(x, y)
    if sign is CellSign.ARROW_STUB:
        step = grid.height / 6
        return "".join(
            f"M{_px(x)} {_px(y - grid.height / 2 + (2 * part + 0.6) * step)}v{_px(step)}" for part in range(3)
        )
    return _STROKES.get(sign, _RING).steps_from(x, y)


def _turn(x: float, y: float) -> str:
    """Return a nearly full circle, counter-clockwise; its arrow head is at the top."""
    start = radians(200)
    begin = f"M{_px(x + RING_RADIUS * cos(start))} {_px(y + RING_RADIUS * sin(start))}"
    return f"{begin}A{RING_RADIUS} {RING_RADIUS} 0 1 0 {_px(x + 1)} {_px(y - RING_RADIUS)}"


def _px(number: float) -> str:
    """Return a length with at most two decimals."""
    return f"{number:.2f}".rstrip("0").rstrip(".") or "0"


class _Figure(NamedTuple):
    """A figure, by where it begins beside the centre of its cell."""

    right: float
    down: float
    steps: str

    def steps_from(self, x: float, y: float) -> str:
        """Return the steps of the figure in a cell with this centre."""
        return f"M{_px(x + self.right)} {_px(y + self.down)}{self.steps}"


def _circle(radius: float) -> _Figure:
    half = f"a{_px(radius)} {_px(radius)} 0 1 0 "
    return _Figure(-radius, 0, f"{half}{_px(2 * radius)} 0{half}{_px(-2 * radius)} 0")


_RING = _circle(RING_RADIUS - 0.6)
_STROKES: Mapping[CellSign | None, _Figure] = {
    CellSign.FINAL: _Figure(-4, 0.4, "l3 3.2l5.2 -7"),
    CellSign.REFUSED: _Figure(-3.4, -3.4, "l6.8 6.8m0 -6.8l-6.8 6.8"),
    CellSign.PROMPT: _Figure(-2, -4, "l4 4l-4 4"),
    CellSign.REASONING: _Figure(0, -4.4, "l4.4 4.4l-4.4 4.4l-4.4 -4.4z"),
    CellSign.ACTION: _Figure(-4, 0, "h8m-3 -3l3 3l-3 3"),
    CellSign.CONTEXT: _Figure(-3.6, 0, "h7.2m-3.6 -3.6v7.2"),
    CellSign.RULE: _Figure(-5, 0, "h10"),
}
"""The signs that are lines."""
_AREAS: Mapping[CellSign | None, _Figure] = {
    CellSign.THOUGHT: _circle(DOT_RADIUS),
    CellSign.UNKEPT: _circle(DOT_RADIUS / 2),
    CellSign.REMARK: _circle(0.7 * DOT_RADIUS),
    CellSign.STOPPED: _Figure(-3.5, -3.5, "h7v7h-7z"),
    CellSign.ARROW_HEAD: _Figure(-3.4, -3.6, "l7 3.6l-7 3.6z"),
    CellSign.REVISION: _Figure(1, -RING_RADIUS - 3, "v6l-4 -3z"),
}
"""The signs that are areas, and the arrow head of the sign of a revision."""
_ONLY_AREAS = _AREAS.keys() - {CellSign.REVISION}
