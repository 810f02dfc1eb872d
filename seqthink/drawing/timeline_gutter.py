"""What stands before a timeline's numbers: the arrows' tracks, then the lanes, one of which holds the row's node."""

from typing import NamedTuple

from msgspec import Struct

from seqthink.chain.model import NONE
from seqthink.drawing.arrow_columns import newest_arrows
from seqthink.drawing.glyphs import DOWN, LEFT, RIGHT, UP, Signs
from seqthink.drawing.line_columns import SHARED, ColumnRun
from seqthink.drawing.row_layout import RowLayout
from seqthink.drawing.spans import Role, Span, Spans
from seqthink.drawing.timeline import MAX_LANES, Timeline
from seqthink.drawing.tracks import MAX_ARROW_THOUGHTS
from seqthink.drawing.tree import RowKind, TreeRow
from seqthink.drawing.tree_gutter import lane_role


class _Cell(Struct):
    """One cell: the arms of the lines in it, and the colour of the one in front."""

    arms: int = 0
    role: Role = Role.LINE

    def draw(self, arms: int, role: Role) -> None:
        """Add a line; where two meet in one, neither shows its colour."""
        self.role = role if not self.arms or role is self.role else Role.LINE
        self.arms |= arms

    def cross(self, role: Role) -> None:
        """Add a line from left to right, behind what is there."""
        self.role = self.role if self.arms else role
        self.arms |= LEFT | RIGHT


class _Place(NamedTuple):
    """A row in thoughts: the one it shows, twice; a refused call stands between ``first``, or -1, and ``last``."""

    first: int
    last: int


class _Touch(NamedTuple):
    """How an arrow meets a row's node: its outermost track, whether it ends here, its colour."""

    track: int
    is_head: bool
    role: Role


class TimelineGutter:
    """Draws the left of the rows of one chain, for one frame; ``selected`` is the selected thought, or NONE."""

    def __init__(self, timeline: Timeline, chain: int, layout: RowLayout, signs: Signs, selected: int) -> None:
        self._timeline = timeline
        self._session = timeline.session
        self._rows = self._session.chain_range(chain)
        self._tracks = layout.tracks
        self._is_shared = layout.tracks == 1  # then an arrow gives way to a newer one beside it
        self._head = layout.head
        self._lanes = layout.depth + 1
        self._signs = signs
        self._selected = selected if selected in self._rows else NONE
        self._overlay = self._find_overlay() if self._tracks and self._selected != NONE else None
        self._overlay_role = Role.ACCENT
        if self._is_shared and not (self._selected != NONE and self._has_arrow(self._selected)):
            self._overlay, self._overlay_role = self._newest(), Role.REVISION
        self._drawn: dict[TreeRow, tuple[Spans, Spans]] = {}

    def spans(self, row: TreeRow, number: int) -> Spans:  # noqa: ARG002 - asked like the tree's
        """Return what stands left of the node of a row."""
        return self._draw(row)[0]

    def right_of(self, row: TreeRow) -> Spans:
        """Return what stands right of the node of a row, up to its number."""
        return self._draw(row)[1]

    def _draw(self, row: TreeRow) -> tuple[Spans, Spans]:
        if row not in self._drawn:
            self._drawn[row] = self._drawing(row)
        return self._drawn[row]

    def _drawing(self, row: TreeRow) -> tuple[Spans, Spans]:
        place = self._place(row)
        own = self._session.refusal(row.ordinal).thought_above if row.kind is RowKind.REFUSED else row.ordinal
        node = 2 * self._shown(self._timeline.column_of(own) if own >= self._rows.start else 0)
        lanes = [_Cell() for _ in range(2 * self._lanes - 1)]
        self._draw_lanes(place, lanes, node)
        tracks = [_Cell() for _ in range(self._tracks)]
        touch = self._draw_arrows(place, tracks)
        before = [*(_Cell() for _ in range(self._head)), *lanes[:node]]
        if touch is not None:
            for cell in tracks[: touch.track]:
                cell.cross(touch.role)
            for cell in before:
                cell.cross(touch.role)
        left = [self._span(cell) for cell in [*reversed(tracks), *before]]
        if self._tracks and row.kind is RowKind.THOUGHT:
            left = self._ending(left, touch, row.ordinal)
        return left, [self._span(cell) for cell in lanes[node + 1 :]]

    def _span(self, cell: _Cell) -> Span:
        return Span(self._signs.box_line(cell.arms), cell.role)

    def _ending(self, left: Spans, touch: _Touch | None, index: int) -> Spans:
        """Return the cells with an arrow's head in the last one, or the sign of an arrow that is not drawn."""
        if touch is not None:
            return [*left[:-1], Span(self._signs.arrow_head, touch.role)] if touch.is_head else left
        if not self._has_arrow(index):
            return left
        return [*left[:-1], Span(self._signs.arrow_stub, Role.REVISION)]

    def _place(self, row: TreeRow) -> _Place:
        if row.kind is RowKind.REFUSED:
            after = self._session.refusal(row.ordinal).thoughts_before
            return _Place(after - 1, after)
        return _Place(row.ordinal, row.ordinal)

    # Lanes

    def _shown(self, column: int) -> int:
        """Return where a column is drawn: those for which there is no room share the last one."""
        return min(column, self._lanes - 1)

    def _draw_lanes(self, place: _Place, cells: list[_Cell], node: int) -> None:
        forks: list[tuple[int, Role]] = []
        own = self._timeline.column_of(place.first) if place.first == place.last else NONE
        for column in range(MAX_LANES if place.first >= 0 else 0):
            run = self._timeline.lane_run(column, place.first) if column != own else None
            if run is None or run.end < place.last:
                continue
            at, role = 2 * self._shown(column), self._role_of(run)
            if run.start < place.last:
                cells[at].draw(UP | DOWN, role)
            else:
                forks.append((at, role))
        for at, role in reversed(forks):
            self._draw_fork(cells, node, at, role)

    @staticmethod
    def _draw_fork(cells: list[_Cell], node: int, at: int, role: Role) -> None:
        """Draw how a lane leaves the row's node for its own column."""
        if at == node:
            return
        for cell in cells[min(node, at) + 1 : max(node, at)]:
            cell.cross(role)
        cells[at].draw((LEFT if at > node else RIGHT) | DOWN, role)

    def _role_of(self, run: ColumnRun) -> Role:
        return Role.LINE if run.owner == SHARED else lane_role(self._session.lane(run.owner))

    # Arrows

    def _draw_arrows(self, place: _Place, cells: list[_Cell]) -> _Touch | None:
        """Draw the arrows beside a row; return the one that touches its node."""
        touch: _Touch | None = None
        for track in range(self._tracks_asked if place.first >= 0 else 0):
            run, column = self._timeline.arrow_run(track, place.first), min(track, self._tracks - 1)
            if run is None or run.end < place.last or not self._has_room(run) or self._is_covered(run, column):
                continue
            cell = cells[column]
            role = self._arrow_role(run, track, place)
            cell.draw((UP if run.start < place.last else 0) | (DOWN if run.end > place.first else 0), role)
            if place.first == place.last and self._is_end(run, place.first):
                cell.draw(RIGHT, role)
                is_head = run.owner == place.first or (touch is not None and touch.is_head)
                is_lit = place.first == self._selected or (run.owner == place.first and role is Role.ACCENT)
                touch = _Touch(column, is_head, Role.ACCENT if is_lit else Role.REVISION)
        return self._draw_overlay(place, cells, touch)

    def _is_end(self, run: ColumnRun, index: int) -> bool:
        """Whether the thought is the target of the run's arrows, or a reviser that joined them."""
        return index == run.start or (self._session.target_of(index) == run.owner and index >= run.created)

    def _arrow_role(self, run: ColumnRun, track: int, place: _Place) -> Role:
        selected = self._selected
        if selected == NONE or not run.start <= place.first <= run.end:
            return Role.REVISION
        is_own = selected == run.owner or (
            place.last <= selected
            and self._session.target_of(selected) == run.owner
            and self._timeline.track_of(selected) == track
        )
        return Role.ACCENT if is_own else Role.REVISION

    def _draw_overlay(self, place: _Place, cells: list[_Cell], touch: _Touch | None) -> _Touch | None:
        over = self._overlay
        if over is None or place.first < over.start or place.last > over.end:
            return touch
        goes = (UP if place.last > over.start else 0) | (DOWN if place.first < over.end else 0)
        cells[-1].draw(goes, self._overlay_role)
        if goes == UP | DOWN:
            return touch
        cells[-1].draw(RIGHT, self._overlay_role)
        is_head = place.first == over.start or (touch is not None and touch.is_head)
        return _Touch(len(cells) - 1, is_head, self._overlay_role)

    @property
    def _tracks_asked(self) -> int:
        return self._timeline.max_tracks if self._is_shared else self._tracks

    def _has_room(self, run: ColumnRun) -> bool:
        """Whether the arrow is drawn, but for the selected thought's."""
        return not (self._is_shared and self._timeline.is_overtaken(run))

    def _column_of(self, reviser: int) -> int:
        """Return the column in which the arrow from a thought is drawn anyway, or NONE."""
        track = self._timeline.track_of(reviser)
        run = self._timeline.arrow_run(track, reviser) if 0 <= track < self._tracks_asked else None
        return NONE if run is None or not self._has_room(run) else min(track, self._tracks - 1)

    def _is_covered(self, run: ColumnRun, column: int) -> bool:
        """Whether the arrow gives way to the selected thought's, which takes the outermost column."""
        over = self._overlay
        return over is not None and column == self._tracks - 1 and run.start <= over.end and run.end >= over.start

    def _find_overlay(self) -> ColumnRun | None:
        """Return the selected thought's arrow when no track is drawn for it: to what it revises, else from its reviser.

        The second only where the first does not already run in the outermost track.
        """
        session, selected = self._session, self._selected
        target, reviser = session.target_of(selected), session.reviser_of(selected)
        own = self._column_of(selected) if target in self._rows else NONE
        if target in self._rows and own == NONE:
            return ColumnRun(target, selected, selected, target)
        if reviser not in self._rows or self._column_of(reviser) != NONE or own == self._tracks - 1:
            return None
        return ColumnRun(selected, reviser, reviser, selected)

    def _newest(self) -> ColumnRun | None:
        """Return the newest arrow that fits, unless it is drawn anyway."""
        session = self._session
        arrows = ((one, session.target_of(one)) for one in newest_arrows(session, self._rows))
        near = (one for one, target in arrows if target in self._rows and one - target <= MAX_ARROW_THOUGHTS)
        reviser = next(near, NONE)
        if reviser not in self._rows or self._column_of(reviser) != NONE:
            return None
        return ColumnRun(session.target_of(reviser), reviser, reviser, session.target_of(reviser))

    def _has_arrow(self, index: int) -> bool:
        return self._session.target_of(index) != NONE or self._session.reviser_of(index) != NONE
