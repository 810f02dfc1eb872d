"""The part of a timeline row before its number: arrow tracks, then lanes; one of them has the row's sign."""

from typing import NamedTuple

from seqthink.chain.model import NONE
from seqthink.drawing.arrows.arrow_columns import newest_arrows
from seqthink.drawing.arrows.tracks import MAX_ARROW_THOUGHTS
from seqthink.drawing.describe.lanes import lane_role
from seqthink.drawing.text.glyphs import DOWN, LEFT, RIGHT, UP
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, text_cells
from seqthink.drawing.text.row_layout import RowLayout
from seqthink.drawing.text.spans import Role
from seqthink.drawing.timeline.collapsed_lanes import MAX_COUNTED_LANES
from seqthink.drawing.timeline.line_columns import ColumnRun
from seqthink.drawing.timeline.timeline import MAX_LANES, Timeline
from seqthink.drawing.tree.row_source import RowKind, TreeRow


class _RowPosition(NamedTuple):
    """Where a row is among the thoughts.

    A thought's row has its index twice; an aside is between the thoughts ``first`` (or -1) and ``last``.
    """

    first: int
    last: int


class _ArrowEnd(NamedTuple):
    """How an arrow ends at a row's sign."""

    track: int
    """Column in which the arrow runs."""
    is_head: bool
    """Whether the arrow has its head here."""
    role: Role


class TimelineGutter:
    """Draws the left part of one chain's rows, for one frame; ``selected`` is the selected thought or NONE."""

    def __init__(self, timeline: Timeline, chain: int, layout: RowLayout, selected: int) -> None:
        self._timeline = timeline
        self._session = timeline.session
        self._rows = self._session.chains.thoughts_of(chain)
        self._tracks = layout.tracks
        self._is_shared = layout.tracks == 1  # then an arrow is hidden by a newer one beside it
        self._head = layout.head
        self._lanes = layout.depth + 1
        self._collapsed = layout.collapsed
        self._selected = selected if selected in self._rows else NONE
        self._outermost = self._find_outermost() if self._tracks and self._selected != NONE else None
        self._outermost_role = Role.ACCENT
        if self._is_shared and not (self._selected != NONE and self._has_arrow(self._selected)):
            self._outermost, self._outermost_role = self._newest_fitting(), Role.REVISION
        self._drawn: dict[TreeRow, tuple[list[GutterCell], list[GutterCell]]] = {}
        self._roles: dict[int, Role] = {}

    def left_of(self, row: TreeRow, number: int) -> list[GutterCell]:  # noqa: ARG002 - same interface as TreeGutter
        """Return the cells left of the row's sign."""
        return self._parts(row)[0]

    def right_of(self, row: TreeRow) -> list[GutterCell]:
        """Return the cells between the row's sign and its number."""
        return self._parts(row)[1]

    def _parts(self, row: TreeRow) -> tuple[list[GutterCell], list[GutterCell]]:
        if row not in self._drawn:
            self._drawn[row] = self._draw_parts(row)
        return self._drawn[row]

    def _draw_parts(self, row: TreeRow) -> tuple[list[GutterCell], list[GutterCell]]:
        position = self._position(row)
        own = self._session.asides.get(row.ordinal).thought_above if row.kind is RowKind.ASIDE else row.ordinal
        sign_cell = 2 * self._drawn_column(self._timeline.column_of(own) if own >= self._rows.start else 0)
        lanes = _lines(2 * self._lanes - 1 + self._collapsed)
        self._draw_lanes(position, lanes, sign_cell)
        tracks = _lines(self._tracks)
        arrow_end = self._draw_arrows(position, tracks)
        before = _lines(self._head) + lanes[:sign_cell]
        if arrow_end is not None:
            for cell in tracks[: arrow_end.track]:
                cell.cross(arrow_end.role)
            for cell in before:
                cell.cross(arrow_end.role)
        left = [*reversed(tracks), *before]
        if self._tracks and row.kind is RowKind.THOUGHT:
            self._draw_arrow_head(left, arrow_end, row.ordinal)
        return left, lanes[sign_cell + 1 :]

    def _draw_arrow_head(self, cells: list[GutterCell], arrow_end: _ArrowEnd | None, index: int) -> None:
        """Put an arrow's head into the last cell, or the sign of an arrow that is not drawn."""
        if arrow_end is not None:
            if arrow_end.is_head:
                cells[-1] = GutterCell(role=arrow_end.role, sign=CellSign.ARROW_HEAD)
        elif self._has_arrow(index):
            cells[-1] = GutterCell(role=Role.REVISION, sign=CellSign.ARROW_STUB)

    def _position(self, row: TreeRow) -> _RowPosition:
        if row.kind is RowKind.ASIDE:
            after = self._session.asides.get(row.ordinal).thoughts_before
            return _RowPosition(after - 1, after)
        return _RowPosition(row.ordinal, row.ordinal)

    # Lanes

    def _drawn_column(self, column: int) -> int:
        """Return the drawn column of a lane column: those beyond the room collapse behind the last one."""
        return min(column, self._lanes if self._collapsed else self._lanes - 1)

    def _draw_lanes(self, position: _RowPosition, cells: list[GutterCell], sign_cell: int) -> None:
        forks: list[tuple[int, Role]] = []
        own = self._timeline.column_of(position.first) if position.first == position.last else NONE
        collapsed = 0
        for column in range(MAX_LANES if position.first >= 0 else 0):
            run = self._timeline.lane_run(column, position.first) if column != own else None
            if run is None or run.end < position.last:
                continue
            at, role = 2 * self._drawn_column(column), self._role_of(run.owner)
            if self._collapsed and column >= self._lanes:
                collapsed += run.start < position.last
            elif run.start < position.last:
                cells[at].draw(UP | DOWN, role)
            else:
                forks.append((at, role))
        for at, role in reversed(forks):
            self._draw_fork(cells, sign_cell, at, role)
        if self._collapsed and sign_cell == 2 * self._lanes:
            cells[sign_cell - 1] = GutterCell(role=Role.LINE, text="+")
        elif self._collapsed and position.first >= 0:
            self._draw_collapsed(position, cells, collapsed)

    def _role_of(self, lane: int) -> Role:
        """Return the colour of a lane, looked up once: it passes many rows."""
        role = self._roles.get(lane)
        if role is None:
            role = self._roles[lane] = lane_role(self._session.lanes.get(lane))
        return role

    def _draw_collapsed(self, position: _RowPosition, cells: list[GutterCell], hidden: int) -> None:
        """Write how many lanes pass that have no column: ``hidden``, and those that never had one."""
        count = hidden + self._timeline.collapsed_count(position.first, position.last)
        if count:
            shown = f"+{count}" if count <= MAX_COUNTED_LANES else f"{MAX_COUNTED_LANES}+"
            written = text_cells(shown, Role.LINE)
            cells[2 * self._lanes : 2 * self._lanes + len(written)] = written

    @staticmethod
    def _draw_fork(cells: list[GutterCell], sign_cell: int, at: int, role: Role) -> None:
        """Draw the line from the row's sign to the column of a lane that leaves there."""
        if at == sign_cell:
            return
        for cell in cells[min(sign_cell, at) + 1 : max(sign_cell, at)]:
            cell.cross(role)
        cells[at].draw((LEFT if at > sign_cell else RIGHT) | DOWN, role)

    # Arrows

    def _draw_arrows(self, position: _RowPosition, cells: list[GutterCell]) -> _ArrowEnd | None:
        """Draw the arrows beside a row; return how they end at its sign."""
        arrow_end: _ArrowEnd | None = None
        for track in range(self._tracks_asked if position.first >= 0 else 0):
            run, column = self._timeline.arrow_run(track, position.first), min(track, self._tracks - 1)
            if run is None or run.end < position.last or not self._has_room(run) or self._is_covered(run, column):
                continue
            cell = cells[column]
            role = self._arrow_role(run, track, position)
            cell.draw((UP if run.start < position.last else 0) | (DOWN if run.end > position.first else 0), role)
            if position.first == position.last and self._is_end(run, position.first):
                cell.draw(RIGHT, role)
                is_head = run.owner == position.first or (arrow_end is not None and arrow_end.is_head)
                is_accented = position.first == self._selected or (run.owner == position.first and role is Role.ACCENT)
                arrow_end = _ArrowEnd(column, is_head, Role.ACCENT if is_accented else Role.REVISION)
        return self._draw_outermost_arrow(position, cells, arrow_end)

    def _is_end(self, run: ColumnRun, index: int) -> bool:
        """Return whether the thought is the target of the run's arrows, or one of its revisers."""
        return index == run.start or (self._session.thoughts.target_of(index) == run.owner and index >= run.created)

    def _arrow_role(self, run: ColumnRun, track: int, position: _RowPosition) -> Role:
        selected = self._selected
        if selected == NONE or not run.start <= position.first <= run.end:
            return Role.REVISION
        is_own = selected == run.owner or (
            position.last <= selected
            and self._session.thoughts.target_of(selected) == run.owner
            and self._timeline.track_of(selected) == track
        )
        return Role.ACCENT if is_own else Role.REVISION

    def _draw_outermost_arrow(
        self, position: _RowPosition, cells: list[GutterCell], arrow_end: _ArrowEnd | None
    ) -> _ArrowEnd | None:
        arrow = self._outermost
        if arrow is None or position.first < arrow.start or position.last > arrow.end:
            return arrow_end
        goes = (UP if position.last > arrow.start else 0) | (DOWN if position.first < arrow.end else 0)
        cells[-1].draw(goes, self._outermost_role)
        if goes == UP | DOWN:
            return arrow_end
        cells[-1].draw(RIGHT, self._outermost_role)
        is_head = position.first == arrow.start or (arrow_end is not None and arrow_end.is_head)
        return _ArrowEnd(len(cells) - 1, is_head, self._outermost_role)

    @property
    def _tracks_asked(self) -> int:
        return self._timeline.max_tracks if self._is_shared else self._tracks

    def _has_room(self, run: ColumnRun) -> bool:
        """Return whether the arrow is drawn, the selected thought's arrow aside."""
        return not (self._is_shared and self._timeline.is_overtaken(run))

    def _column_of(self, reviser: int) -> int:
        """Return the column in which the arrow from ``reviser`` has room, or NONE."""
        track = self._timeline.track_of(reviser)
        run = self._timeline.arrow_run(track, reviser) if 0 <= track < self._tracks_asked else None
        return NONE if run is None or not self._has_room(run) else min(track, self._tracks - 1)

    def _is_covered(self, run: ColumnRun, column: int) -> bool:
        """Return whether the arrow is hidden by the selected thought's, which takes the outermost column."""
        arrow = self._outermost
        return arrow is not None and column == self._tracks - 1 and run.start <= arrow.end and run.end >= arrow.start

    def _find_outermost(self) -> ColumnRun | None:
        """Return the selected thought's arrow if no track is drawn for it: to its target, else from its reviser.

        The second one only if the first does not already run in the outermost track.
        """
        session, selected = self._session, self._selected
        target, reviser = session.thoughts.target_of(selected), session.thoughts.reviser_of(selected)
        own = self._column_of(selected) if target in self._rows else NONE
        if target in self._rows and own == NONE:
            return ColumnRun(target, selected, selected, target)
        if reviser not in self._rows or self._column_of(reviser) != NONE or own == self._tracks - 1:
            return None
        return ColumnRun(selected, reviser, reviser, selected)

    def _newest_fitting(self) -> ColumnRun | None:
        """Return the newest arrow that fits, unless it has room anyway."""
        session = self._session
        arrows = ((index, session.thoughts.target_of(index)) for index in newest_arrows(session, self._rows))
        near = (index for index, target in arrows if target in self._rows and index - target <= MAX_ARROW_THOUGHTS)
        reviser = next(near, NONE)
        if reviser not in self._rows or self._column_of(reviser) != NONE:
            return None
        return ColumnRun(session.thoughts.target_of(reviser), reviser, reviser, session.thoughts.target_of(reviser))

    def _has_arrow(self, index: int) -> bool:
        return self._session.thoughts.target_of(index) != NONE or self._session.thoughts.reviser_of(index) != NONE


def _lines(count: int) -> list[GutterCell]:
    """Return cells into which lines are drawn."""
    return [GutterCell(role=Role.LINE) for _ in range(count)]
