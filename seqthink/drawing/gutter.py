"""What stands left of a row's text: arrow tracks, the lanes that pass, the branch's own column."""

from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE, Lane
from seqthink.chain.session import Session
from seqthink.drawing.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.layout import Layout
from seqthink.drawing.spans import BRANCHES, Role, Span, Spans
from seqthink.drawing.tracks import Tracks
from seqthink.drawing.tree import Row, RowKind, Tree


class Overlay(NamedTuple):
    """The selected thought's arrows that have no track: drawn over the outermost one, from row to row."""

    top: int
    bottom: int
    reviser: int
    target: int


class Cell(Struct):
    """One track's cell: the arms of its lines, and whether the line belongs to the selected thought."""

    arms: int = 0
    is_accented: bool = False


def lane_role(session: Session, lane: Lane) -> Role:
    """Return the colour of a lane: branches take theirs in turn, so that siblings differ."""
    if lane.is_trunk:
        return Role.LINE
    trunk = session.chain_lanes(lane.chain)[0]
    return BRANCHES[(lane.ordinal - trunk - 1) % len(BRANCHES)]


def path(session: Session, lane: Lane, most: int) -> list[Lane]:
    """Return the lanes from the one nearest to the trunk that is drawn down to ``lane``, at most ``most`` of them.

    Deeper branches share the last column, so what is left out lies between the first columns and the last ones.
    """
    found = [lane]
    while found[-1].parent != NONE and len(found) < most:
        found.append(session.lane(found[-1].parent))
    found.reverse()
    return found


def lanes(tree: Tree, row: Row, layout: Layout, signs: Signs) -> Spans:
    """Return the lane columns left of the row's node, two cells a level."""
    session = tree.session
    lane = session.lane(row.lane)
    is_head = row.kind is RowKind.BRANCH
    drawn = path(session, lane, layout.depth + 1)
    spans: Spans = []
    if drawn[0].depth and not (len(drawn) > layout.depth):
        spans.append(Span("  "))  # a branch that hangs from nothing stands where one from the trunk would
    for parent, child in pairwise(drawn):
        role = lane_role(session, parent)
        if is_head and child is lane:
            spans.append(Span(signs.line(UP | DOWN | RIGHT) + signs.line(LEFT | RIGHT), role))
        else:
            spans.append(Span((signs.line(UP | DOWN) if _goes_on(tree, parent, child) else " ") + " ", role))
    if is_head and len(drawn) == 1:
        spans = [Span(signs.line(UP | DOWN | RIGHT) + signs.line(LEFT | RIGHT), Role.LINE)]
    return spans


def _goes_on(tree: Tree, parent: Lane, child: Lane) -> bool:
    """Whether ``parent`` has rows below all that hangs in ``child``."""
    session = tree.session
    if session.lane_length(parent.ordinal) > session.place_of(child.fork) + 1:
        return True
    return tree.ghost_lane == parent.ordinal or session.branches_from(child.fork)[-1] != child.ordinal


def arrows(
    tree: Tree, row: Row, number: int, layout: Layout, signs: Signs, overlay: Overlay | None, selected: int
) -> Spans:
    """Return the tracks and the arrow's head before the lanes of row ``number``."""
    session = tree.session
    if not layout.tracks:
        return []
    cells = [Cell() for _ in range(layout.tracks)]
    is_head, joins = _through(tree.rows_of(row.chain).tracks, session, row, cells, selected)
    if overlay is not None and overlay.top <= number <= overlay.bottom:
        cell = cells[-1]
        cell.arms, cell.is_accented = UP | DOWN, True
        if number in {overlay.top, overlay.bottom}:
            cell.arms = (DOWN if number == overlay.top else UP) | RIGHT
            joins, is_head = layout.tracks - 1, is_head or row.thought == overlay.target
    has_stub = joins == NONE and _has_undrawn(session, row)
    return _draw(cells, joins, layout, signs, is_head=is_head, has_stub=has_stub)


def _through(tracks: Tracks, session: Session, row: Row, cells: list[Cell], selected: int) -> tuple[bool, int]:
    """Note the arrows that pass or touch the row; return whether one ends at it, and the outermost that touches."""
    lane = session.lane(row.lane)
    is_head, joins = False, NONE
    if row.kind is RowKind.THOUGHT:
        place = session.place_of(row.ordinal)
        for track, cell in enumerate(cells):
            crossing = tracks.beside(session, lane.ordinal, place, track)
            cell.arms = (UP if crossing.goes_up else 0) | (DOWN if crossing.goes_down else 0)
            if crossing.is_reviser or crossing.is_target:
                cell.arms |= RIGHT
                joins, is_head = track, is_head or crossing.is_target
                cell.is_accented = row.ordinal == selected
    else:
        _pass_below(tracks, session, lane, _place_above(session, row), cells)
    while lane.parent != NONE:
        _pass_below(tracks, session, session.lane(lane.parent), session.place_of(lane.fork), cells)
        lane = session.lane(lane.parent)
    return is_head, joins


def _place_above(session: Session, row: Row) -> int:
    """Return the place, in the row's own lane, of the thought above it; -1 above the first."""
    match row.kind:
        case RowKind.GAP:
            return session.place_of(row.ordinal) - 1
        case RowKind.REFUSED:
            after = session.refusal(row.ordinal).after
            return session.place_of(after - 1) if after else -1
        case RowKind.GHOST:
            return session.lane_length(row.lane) - 1
        case _:
            return -1


def _pass_below(tracks: Tracks, session: Session, lane: Lane, place: int, cells: list[Cell]) -> None:
    for track, cell in enumerate(cells):
        if place >= 0 and tracks.passes_after(session, lane.ordinal, place, track):
            cell.arms |= UP | DOWN


def _has_undrawn(session: Session, row: Row) -> bool:
    if row.kind is not RowKind.THOUGHT:
        return False
    return session.thought(row.ordinal).target != NONE or session.reviser_of(row.ordinal) != NONE


def _draw(cells: list[Cell], joins: int, layout: Layout, signs: Signs, *, is_head: bool, has_stub: bool) -> Spans:
    if joins != NONE:
        for cell in cells[:joins]:
            cell.arms |= LEFT | RIGHT
    spans: Spans = []
    for cell in reversed(cells):
        spans.append(Span(signs.line(cell.arms), Role.ACCENT if cell.is_accented else Role.REVISION))
    if has_stub and not cells[0].arms:
        spans[-1] = Span(signs.stub, Role.REVISION)
    line = signs.line(LEFT | RIGHT)
    blank = line if joins != NONE else " "
    role = Role.ACCENT if joins != NONE and cells[joins].is_accented else Role.REVISION
    spans.append(Span(blank * (layout.head - 1) + (signs.head if is_head else blank), role))
    return spans
