"""The rows of the timeline: thoughts and asides in order of arrival (docs/screens.md, "Timeline").

Rows are only appended, and nothing folds. Adding a thought and reading a row take time independent of the session's
length; the rows at an earlier position are the same rows, cut off.
"""

from array import array
from bisect import bisect_left

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.arrows.tracks import MAX_ARROW_THOUGHTS, MAX_TRACKS
from seqthink.drawing.timeline.collapsed_lanes import CollapsedLanes
from seqthink.drawing.timeline.line_columns import ColumnRun, LineColumns
from seqthink.drawing.tree.chain_rows import MIN_WIDE_NUMBER, digits_needed, record_widening
from seqthink.drawing.tree.row_source import RowKind, TreeRow

MAX_LANES = 8
"""Lane columns; further lanes collapse to their number behind the last one."""
REST_ROWS = 3
"""How many rows the column of an ended lane stays empty."""


class Timeline:
    """The rows of a session in order of arrival."""

    def __init__(self) -> None:
        self._shown: Session | None = None
        self._next = 0
        self._next_chain = 0
        self._next_aside = 0
        # Rows other than thoughts: asides by ordinal, the rule before chain c as -c. The first chain's rule,
        # which appears only with the second chain, is not included.
        self._extras = array("i")
        self._extra_rows = array("q")
        self._lanes = LineColumns(MAX_LANES, reserved=1, rest_rows=REST_ROWS)
        self._collapsed = CollapsedLanes()
        self._arrows = LineColumns(MAX_TRACKS)
        self._column = bytearray()
        self._first_arrow: dict[int, int] = {}
        self._widening_thoughts: dict[int, array[int]] = {}
        self.version = 0
        """Counts the changes of the rows."""

    # Adding entries

    def sync(self, session: Session, shown: Session | None = None) -> None:
        """Add the entries that arrived since the last call, and show ``session``, or ``shown``, which is earlier."""
        while self._next < session.thought_count:
            chain = session.thoughts.chain_of(self._next)
            if chain > self._next_chain:
                self._place_asides(session, self._next)
                self._add_extra(-chain, self._next)
                self._next_chain = chain
            self._place_thoughts(session, chain)
        self._place_asides(session, session.thought_count)
        self.show(shown or session)

    def show(self, session: Session) -> None:
        """Show the rows of ``session``: the one last given to ``sync``, or the same at an earlier position."""
        self._shown = session
        self.version += 1

    def _place_thoughts(self, session: Session, chain: int) -> None:
        rows = session.chains.thoughts_of(chain)
        while self._next < rows.stop:
            first = self._next
            lane, target = session.thoughts.lane_of(first), session.thoughts.target_of(first)
            column = self._place_lane(session, first, lane, rows)
            run = range(first, first + 1 if column is None else session.thoughts.plain_run(first + 1, rows.stop, lane))
            if column is None:
                column = self._collapse(session, first, lane, rows)
            elif len(run) > 1:
                self._lanes.extend(column, lane, run[-1])
            self._column.extend(bytes((column,)) * len(run))
            if target >= rows.start:
                self._place_arrow(first, target, rows)
            if session.thoughts.highest_number_of(run[-1]) >= MIN_WIDE_NUMBER:
                record_widening(session, run, self._widening_thoughts.setdefault(chain, array("q")))
            self._next = run.stop

    def _place_lane(self, session: Session, index: int, ordinal: int, rows: range) -> int | None:
        """Return the column for a lane's next thought, or None if there is none."""
        lane, index_in_lane = session.lanes.get(ordinal), session.thoughts.index_in_lane(index)
        before = lane.thoughts[index_in_lane - 1] if index_in_lane else lane.fork
        column = self._column[before] if index_in_lane else MAX_LANES
        if column < MAX_LANES and self._lanes.extend(column, ordinal, index):
            return column
        if lane.is_trunk:
            return self._lanes.reserve(0, ordinal, index)
        column = self._lanes.open(ordinal, before if before != NONE else index, index, rows)
        return column if column != NONE else None

    def _collapse(self, session: Session, index: int, ordinal: int, rows: range) -> int:
        index_in_lane = session.thoughts.index_in_lane(index)
        before = session.lanes.get(ordinal).thoughts[index_in_lane - 1] if index_in_lane else NONE
        self._collapsed.add(ordinal, index, before)
        return self._lanes.record_missing(index, rows)

    def _place_arrow(self, reviser: int, target: int, rows: range) -> None:
        self._first_arrow.setdefault(rows.start, reviser)
        if self._arrows.join(target, reviser, MAX_ARROW_THOUGHTS) == NONE and reviser - target <= MAX_ARROW_THOUGHTS:
            self._arrows.open(target, target, reviser, rows)

    def _place_asides(self, session: Session, arrived: int) -> None:
        """Append the asides from before ``arrived`` thoughts had arrived."""
        while self._next_aside < session.asides.count:
            after = session.asides.get(self._next_aside).thoughts_before
            if after > arrived:
                return
            self._add_extra(self._next_aside, after)
            self._next_aside += 1

    def _add_extra(self, code: int, before: int) -> None:
        self._extra_rows.append(before + len(self._extras))
        self._extras.append(code)

    # Rows

    @property
    def has_session(self) -> bool:
        """Whether there is a session to show."""
        return self._shown is not None

    @property
    def session(self) -> Session:
        """The session shown."""
        assert self._shown is not None, "sync or show was called before"
        return self._shown

    @property
    def is_by_arrival(self) -> bool:
        """Whether the rows are in order of arrival: yes."""
        return True

    @property
    def foldable(self) -> None:
        """None: nothing folds in a timeline."""
        return

    @property
    def has_headings(self) -> bool:
        """Whether chains have headings: only if there are several."""
        return self.session.chain_count > 1

    @property
    def count(self) -> int:
        """The number of rows."""
        return self.session.thought_count + self._extra_count + self.has_headings

    @property
    def expected_row(self) -> None:
        """None: a timeline has no row of expected thoughts."""
        return

    def row(self, number: int) -> TreeRow:
        """Return row ``number``, from 0."""
        session, came = self.session, self._as_came(number)
        within = came - self.has_headings
        if within < 0:
            return TreeRow(RowKind.CHAIN, 0, NONE, 0)
        extra = bisect_left(self._extra_rows, within, 0, self._extra_count)
        if extra < self._extra_count and self._extra_rows[extra] == within:
            return self._extra_row(self._extras[extra])
        index = within - extra
        if came != number:
            return TreeRow(RowKind.THOUGHT, session.chains.drawn_in(index), session.chains.drawn_on(index), index)
        return TreeRow(RowKind.THOUGHT, session.thoughts.chain_of(index), session.thoughts.lane_of(index), index)

    def row_of_thought(self, index: int) -> int:
        """Return the row number of a thought."""
        came = self._came_as(index)
        return came + self._is_moved(came, self.session.thoughts.chain_of(index) + 1)

    def row_of(self, row: TreeRow) -> int | None:
        """Return the current number of a row that was shown before, or None."""
        session = self.session
        match row.kind:
            case RowKind.THOUGHT:
                return self.row_of_thought(row.ordinal) if row.ordinal < session.thought_count else None
            case RowKind.ASIDE:
                if row.ordinal >= session.asides.count:
                    return None
                came = self._aside_came_as(row.ordinal)
                return came + self._is_moved(came, self._chain_at(row.ordinal) + 1)
            case RowKind.CHAIN:
                return self._row_of_heading(row.chain)
            case RowKind.BRANCH | RowKind.EXPECTED | RowKind.GAP:
                return None

    def _row_of_heading(self, chain: int) -> int | None:
        if not self.has_headings or chain >= self.session.chain_count:
            return None
        return self._moved_rows(chain).start if chain else 0

    # What heads a chain came before it began, but is drawn below its heading. In order of arrival, and counted as they
    # came, these are the rows right before the heading; it changes places with all of them.

    def _moved_rows(self, chain: int) -> range:
        """Return the rows, counted as they came, that are drawn below a chain's heading, which is at their end.

        If another agent thought in between, the heading stays where it came, and there are none.
        """
        session, start = self.session, self.session.chains.thoughts_of(chain)[0]
        heading = self._came_as(start) - 1
        native, asides = session.chains.native_heads_of(chain), session.asides.heads_of(chain)
        first = self._came_as(native[0]) if native else heading
        thoughts = start - native[0] if native else 0
        if asides and (came := self._aside_came_as(asides[0])) < first:
            first, thoughts = came, start - session.asides.get(asides[0]).thoughts_before
        return range(first if thoughts == len(native) else heading, heading)

    def _is_moved(self, came: int, chain: int) -> bool:
        """Return whether the row ``came``, counted as it came, is drawn below the heading of ``chain``."""
        return chain < self.session.chain_count and came in self._moved_rows(chain)

    def _as_came(self, number: int) -> int:
        """Return the row, counted as it came, that is drawn in the place of row ``number``."""
        within = number - self.has_headings
        before = within - bisect_left(self._extra_rows, within, 0, self._extra_count)
        chain = self.session.thoughts.chain_of(before - 1) + 1 if before > 0 else self.session.chain_count
        if chain >= self.session.chain_count:
            return number
        moved = self._moved_rows(chain)
        if number == moved.start:
            return moved.stop
        return number - 1 if moved.start < number <= moved.stop else number

    def _came_as(self, index: int) -> int:
        """Return the row of a thought, counted as it came."""
        session = self.session
        return index + session.asides.count_before(index) + session.thoughts.chain_of(index) + self.has_headings

    def _aside_came_as(self, ordinal: int) -> int:
        """Return the row of an aside, counted as it came."""
        return self._extra_rows[ordinal + self._chain_at(ordinal)] + self.has_headings

    def _chain_at(self, ordinal: int) -> int:
        """Return the chain that was the newest when an aside came; 0 before the first."""
        after = self.session.asides.get(ordinal).thoughts_before
        return self.session.thoughts.chain_of(after - 1) if after else 0

    @property
    def _extra_count(self) -> int:
        session = self.session
        return session.asides.count + max(0, session.chain_count - 1)

    def _extra_row(self, code: int) -> TreeRow:
        session = self.session
        if code < 0:
            return TreeRow(RowKind.CHAIN, -code, NONE, -code)
        aside = session.asides.get(code)
        if not session.chain_count:
            return TreeRow(RowKind.ASIDE, NONE, NONE, code)
        chain = session.asides.chain_of(code)
        lane = (
            session.thoughts.lane_of(aside.thought_above)
            if aside.thought_above != NONE
            else session.chains.lanes_of(chain)[0]
        )
        return TreeRow(RowKind.ASIDE, chain, lane, code)

    # Lanes and arrows; rows are counted in thoughts here

    def digits(self, chain: int) -> int:
        """Return the width of the chain's number column in digits: at least 2, or 0 where no row has a number."""
        return digits_needed(self.session, self._widening_thoughts.get(chain, ()))

    def lanes_used(self, chain: int) -> int:
        """Return how many lane columns the chain has needed so far: more than `MAX_LANES` if lanes are collapsed."""
        return self._lanes.columns_used(self.session.chains.thoughts_of(chain))

    def tracks_used(self, chain: int) -> int:
        """Return how many arrow tracks the chain has needed so far; 1 if it has only arrows without a track."""
        rows = self.session.chains.thoughts_of(chain)
        if self._first_arrow.get(rows.start, rows.stop) >= rows.stop:
            return 0
        return max(1, self._arrows.columns_used(rows))

    def column_of(self, index: int) -> int:
        """Return the lane column of a thought; `MAX_LANES` if its lane is collapsed."""
        return self._column[index]

    def lane_run(self, column: int, index: int) -> ColumnRun | None:
        """Return the run of a lane in ``column`` at thought ``index``, or None."""
        session = self.session
        run = self._lanes.run_at(column, index, session.thought_count)
        if run is None or run.end < session.thought_count:
            return run
        end = session.lanes.newest_in(run.owner)
        return run._replace(end=end) if end >= index else None

    def collapsed_count(self, first: int, last: int) -> int:
        """Return how many collapsed lanes go from thought ``first`` on to ``last``; see `CollapsedLanes.passing`."""
        session = self.session
        chain = session.chains.thoughts_of(session.thoughts.chain_of(first))
        return self._collapsed.passing(first, last, chain, session.lanes.newest_in)

    def arrow_run(self, track: int, index: int) -> ColumnRun | None:
        """Return the run of the arrows in ``track`` at thought ``index``, or None; ``owner`` is their target."""
        session = self.session
        run = self._arrows.run_at(track, index, session.thought_count)
        if run is None or run.end < session.thought_count:
            return run
        end = session.thoughts.reviser_of(run.owner)
        return run._replace(end=end) if end >= index else None

    @property
    def max_tracks(self) -> int:
        """The number of arrow tracks."""
        return self._arrows.max_columns

    def is_overtaken(self, run: ColumnRun) -> bool:
        """Return whether a newer arrow runs beside ``run``, a result of ``arrow_run``."""
        beside = (self.arrow_run(track, run.end) for track in range(self.max_tracks))
        return any(other is not None and other.end > run.end for other in beside)

    def track_of(self, reviser: int) -> int:
        """Return the track of the arrow from ``reviser``, or NONE."""
        target = self.session.thoughts.target_of(reviser)
        for track in range(self.max_tracks):
            run = self.arrow_run(track, reviser) if target != NONE else None
            if run is not None and run.owner == target and run.created <= reviser:
                return track
        return NONE
