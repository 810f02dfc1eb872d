"""What stands left of a row's node: the arrows' tracks, the lanes that pass, the branch's own column."""

from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE, Lane
from seqthink.chain.number_index import MAX_ANCESTOR_LANES
from seqthink.chain.session import Session
from seqthink.drawing.arrow_columns import ArrowColumns
from seqthink.drawing.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.row_layout import RowLayout
from seqthink.drawing.spans import BRANCH_ROLES, Role, Span, Spans
from seqthink.drawing.tree import RowKind, Tree, TreeRow


class OutermostArrow(NamedTuple):
    """The arrow that matters most when no track is drawn for it: it takes the outermost one, from row to row.

    Mostly it is the selected thought's, and then it ``is_lit``.
    """

    top: int
    bottom: int
    head: int
    is_lit: bool = True


class TrackCell(Struct):
    """One track's cell: the arms of its lines, and whether the line belongs to the selected thought."""

    arms: int = 0
    is_lit: bool = False


class ArrowEnd(NamedTuple):
    """How an arrow meets a row: the outermost track from which it comes, whether it ends here, whether it is lit."""

    track: int = NONE
    is_head: bool = False
    is_lit: bool = False


def lane_role(lane: Lane) -> Role:
    """Return the colour of a lane: branches take theirs in turn."""
    return Role.LINE if lane.is_trunk else BRANCH_ROLES[lane.colour_slot % len(BRANCH_ROLES)]


class TreeGutter:
    """Draws the left of the rows of one chain, for one frame; ``selected`` is the selected thought, or NONE."""

    def __init__(self, tree: Tree, chain: int, layout: RowLayout, signs: Signs, selected: int) -> None:
        self._tree = tree
        self._session = tree.session
        self._rows = tree.rows_of(chain)
        self._tracks = self._rows.tracks
        self._layout = layout
        self._signs = signs
        self._selected = selected
        self._columns = ArrowColumns(tree.session, self._tracks, layout.tracks)
        self._above: dict[int, list[TrackCell]] = {}
        self._covered: dict[tuple[int, int, int], bool] = {}
        self._continues: dict[int, bool] = {}
        self._overlay: OutermostArrow | None = None
        if layout.tracks and selected != NONE and self._session.chain_of(selected) == chain:
            self._overlay = self._find_overlay()
        if selected == NONE or not self._has_arrow(selected):
            missing = self._columns.newest_undrawn(chain)
            self._overlay = (
                self._over(missing, self._session.target_of(missing), is_lit=False) if missing != NONE else None
            )

    def spans(self, row: TreeRow, number: int) -> Spans:
        """Return what stands left of the node of row ``number``."""
        lanes = self._lanes(row)
        if not self._layout.tracks:
            return lanes
        cells = [TrackCell(cell.arms, cell.is_lit) for cell in self._cells_above(self._session.lane(row.lane))]
        touch = self._note_overlay(number, cells, self._note_own(row, cells))
        for cell in cells[: touch.track] if touch.track != NONE else ():
            cell.arms |= LEFT | RIGHT
        drawn = [Span(self._signs.box_line(cell.arms), _role(is_lit=cell.is_lit)) for cell in reversed(cells)]
        return drawn + self._reach(row, lanes, touch)

    def right_of(self, row: TreeRow) -> Spans:  # noqa: ARG002 - asked like the timeline's
        """Return what stands right of the node of a row: nothing."""
        return []

    # Lanes

    def _lanes(self, row: TreeRow) -> Spans:
        """Return the lane columns, two cells a level."""
        session, signs = self._session, self._signs
        lane = session.lane(row.lane)
        path = self._path(lane)
        spans = [Span("  ")] if path[0].depth else []  # what hangs from nothing stands where it would hang
        for parent, child in pairwise(path):
            line = signs.box_line(UP | DOWN) if self._goes_on(parent, child) else " "
            spans += [Span(line, lane_role(parent)), Span(" ")]
        if row.kind is not RowKind.BRANCH:
            return spans
        across = signs.box_line(LEFT | RIGHT)
        if lane.parent == NONE:
            return [Span(across * 2, lane_role(lane))]
        fork = Span(signs.box_line(UP | DOWN | RIGHT) + across, lane_role(session.lane(lane.parent)))
        return [*spans[:-2], fork] if self.has_column(lane) else [*spans, fork]

    def has_column(self, lane: Lane) -> bool:
        """Whether the lane's thoughts have a column of their own; deeper branches share the last one."""
        return lane.depth <= self._layout.depth

    def _path(self, lane: Lane) -> list[Lane]:
        """Return the lanes that have a column, from the trunk down to ``lane``, or to the last one above it."""
        session = self._session
        lane = session.lane(self._rows.drawn_lane(lane))
        while lane.depth > self._layout.depth and lane.parent != NONE:
            lane = session.lane(lane.parent)
        path = [lane]
        while path[-1].parent != NONE:
            path.append(session.lane(path[-1].parent))
        path.reverse()
        return path

    def _goes_on(self, parent: Lane, child: Lane) -> bool:
        """Whether ``parent`` has rows below all that hangs in ``child``."""
        known = self._continues.get(child.ordinal)
        if known is None:
            session, fork = self._session, child.fork
            known = self._continues[child.ordinal] = (
                session.lane_length(parent.ordinal) > session.index_in_lane(fork) + 1
                or self._tree.ghost_lane == parent.ordinal
                or session.newest_branch_from(fork) != child.ordinal
                or session.first_refusal_after(fork) != NONE
            )
        return known

    # Arrows

    def _cells_above(self, lane: Lane) -> list[TrackCell]:
        """Return the tracks with the arrows of the lanes above, which pass all rows of ``lane``."""
        known = self._above.get(lane.ordinal)
        if known is not None:
            return known
        cells = self._above[lane.ordinal] = [TrackCell() for _ in range(self._layout.tracks)]
        steps = 0
        while lane.parent != NONE and steps < MAX_ANCESTOR_LANES:
            if self._tracks.has_arrows(lane.parent):
                self._pass_below(lane.parent, self._session.index_in_lane(lane.fork), cells)
            lane, steps = self._session.lane(lane.parent), steps + 1
        return cells

    def _note_own(self, row: TreeRow, cells: list[TrackCell]) -> ArrowEnd:
        """Note the arrows of the row's own lane; return which one touches it."""
        if not self._tracks.has_arrows(row.lane):
            return ArrowEnd()
        if row.kind is not RowKind.THOUGHT:
            self._pass_below(row.lane, _place_above(self._session, row), cells)
            return ArrowEnd()
        touch, place = ArrowEnd(), self._session.index_in_lane(row.ordinal)
        for track, column in self._columns.track_columns:
            crossing, cell = self._tracks.crossing_at(self._session, row.lane, place, track), cells[column]
            if not crossing or self._is_hidden(row.lane, place, track):
                continue
            cell.arms = (UP if crossing.goes_up else 0) | (DOWN if crossing.goes_down else 0)
            cell.is_lit = self._is_lit(row.lane, place, track)
            if crossing.is_reviser or crossing.is_target:
                cell.arms |= RIGHT
                is_lit = row.ordinal == self._selected or (crossing.is_target and cell.is_lit)
                touch = ArrowEnd(column, touch.is_head or crossing.is_target, is_lit)
        return touch

    def _pass_below(self, lane: int, place: int, cells: list[TrackCell]) -> None:
        for track, column in self._columns.track_columns:
            if place < 0 or not self._tracks.passes_after(self._session, lane, place, track):
                continue
            if not self._is_hidden(lane, place, track):
                cell = cells[column]
                cell.arms |= UP | DOWN
                cell.is_lit = cell.is_lit or self._is_lit(lane, place, track)

    def _is_lit(self, lane: int, place: int, track: int) -> bool:
        """Whether the arrow in ``track`` at or below ``place`` is the selected thought's."""
        selected, session = self._selected, self._session
        if selected == NONE or session.lane_of(selected) != lane:
            return False
        start, last = self._tracks.extent(session, lane, place, track)
        own = session.index_in_lane(selected)
        if own == start:
            return place <= last
        return self._tracks.track_of(selected) == track and start <= place <= own <= last

    def _note_overlay(self, number: int, cells: list[TrackCell], touch: ArrowEnd) -> ArrowEnd:
        over = self._overlay
        if over is None or not over.top <= number <= over.bottom:
            return touch
        cell = cells[-1]
        cell.is_lit, cell.arms = over.is_lit, UP | DOWN
        if over.top < number < over.bottom:
            return touch
        cell.arms = (DOWN if number == over.top else UP) | RIGHT
        return ArrowEnd(len(cells) - 1, touch.is_head or number == over.head, over.is_lit)

    def _is_hidden(self, lane: int, place: int, track: int) -> bool:
        return self._is_covered(lane, place, track) or not self._columns.has_room(lane, place, track)

    def _is_covered(self, lane: int, place: int, track: int) -> bool:
        """Whether the arrow in ``track`` gives way to the selected thought's, beside which it would run."""
        if self._overlay is None or track < self._columns.last_column:
            return False
        start, last = self._tracks.extent(self._session, lane, place, track)
        key = (lane, track, start)
        if key not in self._covered:
            thoughts = self._session.lane(lane).thoughts
            top, bottom = (self._tree.row_of_thought(thoughts[end]) for end in (start, last))
            self._covered[key] = top <= self._overlay.bottom and bottom >= self._overlay.top
        return self._covered[key]

    def _find_overlay(self) -> OutermostArrow | None:
        session = self._session
        reviser = session.reviser_of(self._selected)
        for one, target in ((self._selected, session.target_of(self._selected)), (reviser, self._selected)):
            if NONE in {one, target} or self._columns.column_of(one) != NONE:
                continue
            if one != self._selected and self._columns.column_of(self._selected) == self._columns.last_column:
                return None  # its own arrow runs there
            return self._over(one, target)
        return None

    def _over(self, reviser: int, target: int, *, is_lit: bool = True) -> OutermostArrow | None:
        if self._session.chain_of(reviser) != self._session.chain_of(target):
            return None
        head = self._tree.row_of_thought(target)
        top, bottom = sorted((head, self._tree.row_of_thought(reviser)))
        return OutermostArrow(top, bottom, head, is_lit) if top != bottom else None

    def _reach(self, row: TreeRow, lanes: Spans, touch: ArrowEnd) -> Spans:
        """Return the cells from the tracks to the node: an arrow runs through, behind the lanes that it crosses."""
        signs, gap = self._signs, [Span(" ")] * self._layout.head
        is_fork = row.kind is RowKind.BRANCH
        spans = gap if is_fork else [*gap, *lanes]
        if touch.track != NONE:
            line = Span(signs.box_line(LEFT | RIGHT), _role(is_lit=touch.is_lit))
            spans = [cell for span in spans for cell in ([line] * len(span.text) if span.text.isspace() else [span])]
            if touch.is_head:
                spans[-1] = Span(signs.arrow_head, line.role)
        elif row.kind is RowKind.THOUGHT and self._has_arrow(row.ordinal):
            spans = [*spans[:-1], Span(" " * (len(spans[-1].text) - 1) + signs.arrow_stub, Role.REVISION)]
        return [*spans, *lanes] if is_fork else spans

    def _has_arrow(self, index: int) -> bool:
        return self._session.target_of(index) != NONE or self._session.reviser_of(index) != NONE


def _role(*, is_lit: bool) -> Role:
    return Role.ACCENT if is_lit else Role.REVISION


def _place_above(session: Session, row: TreeRow) -> int:
    """Return the place, in the row's own lane, of the thought above it; -1 above the first."""
    match row.kind:
        case RowKind.GAP:
            return session.index_in_lane(row.ordinal) - 1
        case RowKind.REFUSED:
            above = session.refusal(row.ordinal).thought_above
            return session.index_in_lane(above) if above != NONE else -1
        case RowKind.GHOST:
            return session.lane_length(row.lane) - 1
        case _:
            return -1
