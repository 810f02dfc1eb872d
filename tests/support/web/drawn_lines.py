"""Measures the lines of the painted rows where the browser has put them, in pixels of its window."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tests.support.screens.browser import Page
from tests.support.web.live_site import rows_of

_PATHS = """[...document.querySelectorAll('#rows .slot')].map((slot) => ({
  top: slot.getBoundingClientRect().top, bottom: slot.getBoundingClientRect().bottom,
  paths: [...slot.querySelectorAll('svg path')].filter((path) => path.checkVisibility()).map((path) => {
    const box = path.ownerSVGElement.getBoundingClientRect();
    return [path.getAttribute('class'), path.getAttribute('d'), box.left, box.top];
  }),
})).sort((one, other) => one.top - other.top)"""
_STEP = re.compile(r"M([-\d.]+) ([-\d.]+)(?:([VHhv])([-\d.]+)|Q[-\d.]+ [-\d.]+ ([-\d.]+) ([-\d.]+))")
_START = re.compile(r"M([-\d.]+) ([-\d.]+)")
_TOUCHING = 0.6
"""Ends that are not further apart meet, in pixels."""

Point = tuple[float, float]


class Line(NamedTuple):
    """A straight line or a bend, from one end to the other."""

    role: str
    start: Point
    end: Point


class _Row(NamedTuple):
    top: float
    bottom: float
    lines: list[Line]
    heads: list[Point]


def rows_by_number(page: Page, words: str = "") -> dict[int, dict[str, float]]:
    """Return the row of each thought by its number, of those that begin with ``words``.

    Numbers repeat on branches: of these the one furthest to the left is kept, which is the trunk's.
    """
    found: dict[int, dict[str, float]] = {}
    lefts: dict[int, float] = {}
    by_id = {row["id"]: row for row in rows_of(page)}
    for id_, number, left in page.ask(
        "[...document.querySelectorAll('#rows .slot .n')].map((one) => [one.closest('.slot').id,"
        " Number(one.textContent), one.closest('.slot').querySelector('svg').getBoundingClientRect().right])"
    ):
        row = by_id[id_]
        if row["text"].startswith(words) and left < lefts.get(number, float("inf")):
            found[number], lefts[number] = row, left
    return found


def arrows(page: Page) -> set[Point]:
    """Return the upper and the lower end of each arrow of a revision: its lines where they meet, row over row."""
    lines = [line for row in _drawn(page) for line in row.lines if line.role == "revision"]
    arrows: list[list[Line]] = []
    for line in lines:
        joined = [arrow for arrow in arrows if any(_touch(line, other) for other in arrow)]
        arrows = [arrow for arrow in arrows if arrow not in joined]
        arrows.append([line, *(other for arrow in joined for other in arrow)])
    ends = [[y for line in arrow for y in (line.start[1], line.end[1])] for arrow in arrows]
    return {(round(min(ys), 1), round(max(ys), 1)) for ys in ends}


def heads(page: Page) -> set[Point]:
    """Return where the heads of the arrows are, that is the middle of their base."""
    return {(round(x, 1), round(y, 1)) for row in _drawn(page) for x, y in row.heads}


def line_gaps(page: Page) -> list[tuple[float, list[float], list[float]]]:
    """Return the edges between rows at which lines do not meet: the edge, where they end above it, and below it."""
    gaps: list[tuple[float, list[float], list[float]]] = []
    rows = _drawn(page)
    for above, below in pairwise(rows):
        ends = sorted({round(x, 1) for x, y in _ends(above) if abs(y - above.bottom) < _TOUCHING})
        starts = sorted({round(x, 1) for x, y in _ends(below) if abs(y - below.top) < _TOUCHING})
        if ends != starts:
            gaps.append((above.bottom, ends, starts))
    return gaps


def _ends(row: _Row) -> Iterator[Point]:
    for line in row.lines:
        yield line.start
        yield line.end


def _touch(one: Line, other: Line) -> bool:
    return any(
        abs(x - other_x) < _TOUCHING and abs(y - other_y) < _TOUCHING
        for x, y in (one.start, one.end)
        for other_x, other_y in (other.start, other.end)
    )


def _drawn(page: Page) -> list[_Row]:
    rows: list[_Row] = []
    for row in page.ask(_PATHS):
        lines: list[Line] = []
        tips: list[Point] = []
        for name, steps, left, top in row["paths"]:
            role, _, kind = name.partition(" ")
            if kind == "area":
                # the head of an arrow goes from its upper corner to its tip
                tips += [
                    (left + float(x), top + float(y) + 3.6)
                    for x, y in re.findall(r"M([-\d.]+) ([-\d.]+)l7 3\.6l-7 3\.6z", steps)
                ]
            else:
                lines += [_moved(line, left, top) for line in _lines(role, steps)]
        rows.append(_Row(row["top"], row["bottom"], lines, tips))
    return rows


def _moved(line: Line, left: float, top: float) -> Line:
    (x, y), (other_x, other_y) = line.start, line.end
    return Line(line.role, (left + x, top + y), (left + other_x, top + other_y))


def _lines(role: str, steps: str) -> Iterator[Line]:
    """Yield the lines of a path; signs, which are drawn with arcs and small steps, are left out."""
    for piece in re.findall(r"M[^M]*", steps):
        match = re.fullmatch(_STEP, piece)
        if match is None:
            assert re.match(_START, piece), piece
            continue
        x, y = float(match[1]), float(match[2])
        if match[5] is not None:
            yield Line(role, (x, y), (float(match[5]), float(match[6])))
        elif match[3] == "V":
            yield Line(role, (x, y), (x, float(match[4])))
        elif match[3] == "H":
            yield Line(role, (x, y), (float(match[4]), y))
        elif match[3] == "h":
            yield Line(role, (x, y), (x + float(match[4]), y))
