"""The part of a tree row left of its sign: arrow tracks, passing lanes, the branch's own column."""

from itertools import pairwise
from typing import NamedTuple

from seqthink.chain.model import NONE, Lane
from seqthink.chain.number_index import MAX_ANCESTOR_LANES
from seqthink.chain.session import Session
from seqthink.drawing.arrows.arrow_columns import ArrowColumns
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, blanks, text_cells
from seqthink.drawing.text.row_layout import RowLayout
from seqthink.drawing.text.spans import Role
from seqthink.drawing.tree.row_source import BranchedRows, RowKind, TreeRow

# looked up once: a member of an enum takes as long as a cell
_REVISION = Role.REVISION
_THOUGHT = RowKind.THOUGHT
_BRANCH = RowKind.BRANCH
_ARROW_STUB = CellSign.ARROW_STUB


class OutermostArrow(NamedTuple):
    """An arrow that has no track of its own and is drawn in the outermost one.

    Usually it is the selected thought's arrow.
    """

    top: int
    """Its first row."""
    bottom: int
    """Its last row."""
    head: int
    """The row of its target."""
    is_accented: bool = True
    """Whether it belongs to the selected thought."""


class ArrowEnd(NamedTuple):
    """How arrows end at a row."""

    track: int = NONE
    """The outermost column from which an arrow reaches the row's sign, or NONE."""
    is_head: bool = False
    """Whether an arrow has its head here."""
    is_accented: bool = False
    """Whether the arrow belongs to the selected thought."""


class TreeGutter:
    """Draws the left part of one chain's rows, for one frame; ``selected`` is the selected thought or NONE."""

    def __init__(self, tree: BranchedRows, chain: int, layout: RowLayout, selected: int) -> None:
        self._tree = tree
        self._session = tree.session
        self._rows = tree.rows_of(chain)
        self._tracks = self._rows.tracks
        self._layout = layout
        self._selected = selected
        self._columns = ArrowColumns(tree.session, self._tracks, layout.tracks)
        self._passing_cells: dict[int, list[GutterCell]] = {}
        self._covered: dict[tuple[int, int, int], bool] = {}
        self._continues: dict[int, bool] = {}
        # The lane of the last row, and its columns, which are equal in most rows of a lane.
        self._newest_lane, self._newest_cells = NONE, list[GutterCell]()
        self._outermost: OutermostArrow | None = None
        if layout.tracks and selected != NONE and self._session.chains.drawn_in(selected) == chain:
            self._outermost = self._find_outermost()
        if selected == NONE or not self._has_arrow(selected):
            missing = self._columns.newest_undrawn(chain)
            self._outermost = (
                self._outermost_arrow(missing, self._session.thoughts.target_of(missing), is_accented=False)
                if missing != NONE
                else None
            )

    def left_of(self, row: TreeRow, number: int) -> list[GutterCell]:
        """Return the cells left of the sign of ``row``, which is row ``number`` of the tree."""
        lanes = self._lanes(row)
        if not self._layout.tracks:
            return lanes
        cells = [GutterCell(cell.arms, cell.role) for cell in self._cells_above(self._session.lanes.get(row.lane))]
        arrow_end = self._draw_outermost_arrow(number, cells, self._draw_own_arrows(row, cells))
        for cell in cells[: arrow_end.track] if arrow_end.track != NONE else ():
            cell.arms |= LEFT | RIGHT
        cells.reverse()
        return cells + self._cells_to_sign(row, lanes, arrow_end)

    def right_of(self, row: TreeRow) -> list[GutterCell]:  # noqa: ARG002 - same interface as TimelineGutter
        """Return the cells right of a row's sign: none in the tree."""
        return []

    def has_own_arrows(self, lane: int) -> bool:
        """Return whether arrows may begin or end at a lane's thoughts; without them, all its thoughts look alike."""
        return self._outermost is not None or self._tracks.has_arrows(lane)

    # Lanes

    def _lanes(self, row: TreeRow) -> list[GutterCell]:
        """Return the lane columns, two cells a level."""
        if row.kind is _BRANCH:
            return self._drawn_lanes(row)
        if row.lane != self._newest_lane:
            self._newest_lane, self._newest_cells = row.lane, self._drawn_lanes(row)
        return self._newest_cells

    def _drawn_lanes(self, row: TreeRow) -> list[GutterCell]:
        session = self._session
        lane = session.lanes.get(row.lane)
        path = self._path(lane)
        cells = blanks(2) if path[0].depth else []  # a branch without a fork is indented by one level
        for parent, child in pairwise(path):
            cells += [GutterCell(UP | DOWN if self._goes_on(parent, child) else 0, lane_role(parent)), GutterCell()]
        deeper = self._deeper(lane)
        if row.kind is not _BRANCH:
            return [*cells, *deeper, *blanks(1)] if deeper else cells
        if lane.parent == NONE:
            return [GutterCell(LEFT | RIGHT, lane_role(lane)) for _ in range(2)]
        role = lane_role(session.lanes.get(lane.parent))
        fork = [GutterCell(UP | DOWN | RIGHT, role), GutterCell(LEFT | RIGHT, role)]
        return [*cells, *fork, *deeper] if deeper else cells[:-2] + fork

    def has_column(self, lane: Lane) -> bool:
        """Return whether the lane has a column of its own; of deeper ones, rows say how much deeper they are."""
        return lane.depth <= self._layout.depth

    def _deeper(self, lane: Lane) -> list[GutterCell]:
        """Return by how many levels a lane is deeper than those with columns: ``+2``; nothing for one of these."""
        return [] if self.has_column(lane) else text_cells(f"+{lane.depth - self._layout.depth}", lane_role(lane))

    def _path(self, lane: Lane) -> list[Lane]:
        """Return the lanes with columns from the trunk down to ``lane``, or to its nearest ancestor that has one."""
        session = self._session
        lane = session.lanes.get(self._rows.drawn_lane(lane))
        while lane.depth > self._layout.depth and lane.parent != NONE:
            lane = session.lanes.get(lane.parent)
        path = [lane]
        while path[-1].parent != NONE:
            path.append(session.lanes.get(path[-1].parent))
        path.reverse()
        return path

    def _goes_on(self, parent: Lane, child: Lane) -> bool:
        """Return whether ``parent`` has rows below all rows of ``child`` and its branches."""
        known = self._continues.get(child.ordinal)
        if known is None:
            session, fork = self._session, child.fork
            known = self._continues[child.ordinal] = (
                session.lanes.length_of(parent.ordinal) > session.thoughts.index_in_lane(fork) + 1
                or self._tree.expected_lane == parent.ordinal
                or session.lanes.newest_branch_from(fork) != child.ordinal
                or session.asides.first_after(fork) != NONE
            )
        return known

    # Arrows

    def _cells_above(self, lane: Lane) -> list[GutterCell]:
        """Return the tracks of all lanes above ``lane``, whose arrows pass all of its rows."""
        known = self._passing_cells.get(lane.ordinal)
        if known is not None:
            return known
        cells = self._passing_cells[lane.ordinal] = [GutterCell(role=_REVISION) for _ in range(self._layout.tracks)]
        steps = 0
        while lane.parent != NONE and steps < MAX_ANCESTOR_LANES:
            if self._tracks.has_arrows(lane.parent):
                self._draw_passing(lane.parent, self._session.thoughts.index_in_lane(lane.fork), cells)
            lane, steps = self._session.lanes.get(lane.parent), steps + 1
        return cells

    def _draw_own_arrows(self, row: TreeRow, cells: list[GutterCell]) -> ArrowEnd:
        """Draw the arrows of the row's own lane into ``cells``; return how they end at the row."""
        if not self._tracks.has_arrows(row.lane):
            return ArrowEnd()
        if row.kind is not _THOUGHT:
            self._draw_passing(row.lane, _index_above(self._session, row), cells)
            return ArrowEnd()
        arrow_end, index_in_lane = ArrowEnd(), self._session.thoughts.index_in_lane(row.ordinal)
        for track, column in self._columns.track_columns:
            crossing, cell = self._tracks.crossing_at(self._session, row.lane, index_in_lane, track), cells[column]
            if not crossing or self._is_hidden(row.lane, index_in_lane, track):
                continue
            cell.arms = (UP if crossing.goes_up else 0) | (DOWN if crossing.goes_down else 0)
            cell.role = _role(is_accented=self._is_lit(row.lane, index_in_lane, track))
            if crossing.is_reviser or crossing.is_target:
                cell.arms |= RIGHT
                is_accented = row.ordinal == self._selected or (crossing.is_target and cell.role is Role.ACCENT)
                arrow_end = ArrowEnd(column, arrow_end.is_head or crossing.is_target, is_accented)
        return arrow_end

    def _draw_passing(self, lane: int, index_in_lane: int, cells: list[GutterCell]) -> None:
        for track, column in self._columns.track_columns:
            if index_in_lane < 0 or not self._tracks.passes_after(self._session, lane, index_in_lane, track):
                continue
            if not self._is_hidden(lane, index_in_lane, track):
                cell = cells[column]
                cell.arms |= UP | DOWN
                if self._is_lit(lane, index_in_lane, track):
                    cell.role = Role.ACCENT

    def _is_lit(self, lane: int, index_in_lane: int, track: int) -> bool:
        """Return whether the arrow in ``track`` beside or below a thought belongs to the selected thought."""
        selected, session = self._selected, self._session
        if selected == NONE or session.thoughts.lane_of(selected) != lane:
            return False
        start, last = self._tracks.extent(session, lane, index_in_lane, track)
        own = session.thoughts.index_in_lane(selected)
        if own == start:
            return index_in_lane <= last
        return self._tracks.track_of(selected) == track and start <= index_in_lane <= own <= last

    def _draw_outermost_arrow(self, number: int, cells: list[GutterCell], arrow_end: ArrowEnd) -> ArrowEnd:
        arrow = self._outermost
        if arrow is None or not arrow.top <= number <= arrow.bottom:
            return arrow_end
        cell = cells[-1]
        cell.role, cell.arms = _role(is_accented=arrow.is_accented), UP | DOWN
        if arrow.top < number < arrow.bottom:
            return arrow_end
        cell.arms = (DOWN if number == arrow.top else UP) | RIGHT
        return ArrowEnd(len(cells) - 1, arrow_end.is_head or number == arrow.head, arrow.is_accented)

    def _is_hidden(self, lane: int, index_in_lane: int, track: int) -> bool:
        return self._is_covered(lane, index_in_lane, track) or not self._columns.has_room(lane, index_in_lane, track)

    def _is_covered(self, lane: int, index_in_lane: int, track: int) -> bool:
        """Return whether the arrow in ``track`` is hidden by the outermost arrow, because both would overlap."""
        if self._outermost is None or track < self._columns.last_column:
            return False
        start, last = self._tracks.extent(self._session, lane, index_in_lane, track)
        key = (lane, track, start)
        if key not in self._covered:
            thoughts = self._session.lanes.get(lane).thoughts
            top, bottom = (self._tree.row_of_thought(thoughts[end]) for end in (start, last))
            self._covered[key] = top <= self._outermost.bottom and bottom >= self._outermost.top
        return self._covered[key]

    def _find_outermost(self) -> OutermostArrow | None:
        session = self._session
        reviser = session.thoughts.reviser_of(self._selected)
        for source, target in ((self._selected, session.thoughts.target_of(self._selected)), (reviser, self._selected)):
            if NONE in {source, target} or self._columns.column_of(source) != NONE:
                continue
            if source != self._selected and self._columns.column_of(self._selected) == self._columns.last_column:
                return None  # the selected thought's own arrow is in that column
            return self._outermost_arrow(source, target)
        return None

    def _outermost_arrow(self, reviser: int, target: int, *, is_accented: bool = True) -> OutermostArrow | None:
        if self._session.thoughts.chain_of(reviser) != self._session.thoughts.chain_of(target):
            return None
        head = self._tree.row_of_thought(target)
        top, bottom = sorted((head, self._tree.row_of_thought(reviser)))
        return OutermostArrow(top, bottom, head, is_accented) if top != bottom else None

    def _cells_to_sign(self, row: TreeRow, lanes: list[GutterCell], arrow_end: ArrowEnd) -> list[GutterCell]:
        """Return the cells from the tracks to the sign: an arrow runs through blanks, behind the lanes it crosses."""
        gap = blanks(self._layout.head)
        is_fork = row.kind is _BRANCH
        cells = gap if is_fork else gap + lanes
        if arrow_end.track != NONE:
            line = GutterCell(LEFT | RIGHT, _role(is_accented=arrow_end.is_accented))
            cells = [line if cell.is_blank else cell for cell in cells]
            if arrow_end.is_head:
                cells[-1] = GutterCell(role=line.role, sign=CellSign.ARROW_HEAD)
        elif row.kind is _THOUGHT and self._has_arrow(row.ordinal):
            cells[-1] = GutterCell(role=_REVISION, sign=_ARROW_STUB)
        return cells + lanes if is_fork else cells

    def _has_arrow(self, index: int) -> bool:
        return self._session.thoughts.target_of(index) != NONE or self._session.thoughts.reviser_of(index) != NONE


def _role(*, is_accented: bool) -> Role:
    return Role.ACCENT if is_accented else _REVISION


def _index_above(session: Session, row: TreeRow) -> int:
    """Return the index in the row's lane of the thought above the row; -1 above the first."""
    match row.kind:
        case RowKind.GAP:
            return session.thoughts.index_in_lane(row.ordinal) - 1
        case RowKind.ASIDE:
            above = session.asides.get(row.ordinal).thought_above
            return session.thoughts.index_in_lane(above) if above != NONE else -1
        case RowKind.EXPECTED:
            return session.lanes.length_of(row.lane) - 1
        case _:
            return -1
