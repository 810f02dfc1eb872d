"""Viewport on a session: the rows (tree or timeline), selection, scroll offset, and whether it follows.

Pure: it gets arrivals and user input, and answers what to draw. While following, the newest thought is selected and
visible. Once the user has moved, the thought in the top row stays there, whatever arrives above it.

Rows take several lines while all fit; then the newest do. As they grow, they close up while the newest thought is
followed, and when the screen changes as a whole; while somebody reads, rows keep their lines, and what arrives is added
below the screen.
"""

from collections.abc import Callable

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import FoldableRows, RowKind, RowSource, TreeRow
from seqthink.drawing.tree.tree import Tree
from tui.state.row_heights import SLACK_LINES, RowHeights, RowMeasure


class Viewport:
    """One session on the screen, as a tree or as a timeline."""

    def __init__(self, tree: RowSource | None = None) -> None:
        self.tree: RowSource = tree or Tree()
        """The rows."""
        self._other_rows: RowSource = Tree() if self.is_timeline else Timeline()
        self.selected = 0
        """Number of the selected row."""
        self.top = 0
        """Number of the first visible row."""
        self.height = 1
        """Number of visible lines."""
        self.heights = RowHeights()
        """How many lines each row takes."""
        self._are_heights_open = True  # rows may take more or fewer lines: nobody reads what is on the screen
        self.is_following = True
        """Whether the newest thought stays selected."""
        self._seen_thought_count = 0
        self._whole_session: Session | None = None
        self._other_thought_count = 0  # thoughts that the other rows contain
        self._auto_unfolded: list[int] = []

    @property
    def session(self) -> Session | None:
        """The visible session, once something has arrived."""
        return self.tree.session if self.tree.has_session else None

    @property
    def is_timeline(self) -> bool:
        """Whether the rows are in order of arrival."""
        return self.tree.is_by_arrival

    @property
    def foldable(self) -> FoldableRows | None:
        """The rows as what folds and unfolds them; None if nothing folds."""
        return self.tree.foldable

    @property
    def new_count(self) -> int:
        """Number of thoughts that arrived since following stopped."""
        return (
            0
            if self.is_following or not self.tree.has_session
            else self.tree.session.thought_count - self._seen_thought_count
        )

    @property
    def thought(self) -> int:
        """Index of the thought whose text is shown: the selected row's own or the one it belongs to; or NONE."""
        if not self.tree.has_session or not self.tree.session.thought_count or not self._row_count:
            return NONE
        row, session = self.tree.row(self.selected), self.tree.session
        match row.kind:
            case RowKind.THOUGHT | RowKind.GAP:
                return row.ordinal
            case RowKind.BRANCH:
                return session.lanes.get(row.lane).thoughts[0]
            case RowKind.EXPECTED:
                return session.lanes.newest_in(row.lane)
            case RowKind.ASIDE:
                above = session.asides.get(row.ordinal).thought_above
                first = (
                    session.chains.thoughts_of(session.asides.chain_of(row.ordinal))[0] if session.chain_count else 0
                )
                return above if above != NONE else first
            case RowKind.CHAIN:
                return session.chains.thoughts_of(row.chain)[-1]

    @property
    def aside(self) -> int:
        """Ordinal of the selected aside, or NONE."""
        row = self._row_at(self.selected)
        return row.ordinal if row is not None and row.kind is RowKind.ASIDE else NONE

    # What happens

    def update(self, session: Session, whole: Session | None = None) -> None:
        """Update to a session that has grown or changed its state.

        In playback the session may be at any position, also an earlier one; if the selected thought does not exist
        there, the newest one is selected.

        Args:
            session: the session at the visible position.
            whole: all of the session while it is played, else None.
        """
        self._whole_session = whole
        if not self.tree.has_session:
            self._sync(session)
            self._keep_rows(lambda: None)
            return
        chains = self.tree.session.chain_count
        if not self.is_following and session.chain_count > chains > 0 and self.foldable is not None:
            self.foldable.open_chain(chains - 1, opened=True)  # do not fold the chain being read
        if self.thought >= session.thought_count:
            self.is_following = True
        self._seen_thought_count = min(self._seen_thought_count, session.thought_count)
        self._keep_rows(lambda: self._sync(session))
        if whole is not None and self.is_following:
            self.top = 0  # a position looks the same however it was reached
            self._bring_into_view()

    def _sync(self, session: Session) -> None:
        self.tree.sync(self._whole_session or session, session)
        if self._whole_session is None:
            self._restore_folds()
            return
        self._open_at_playhead()

    def _open_at_playhead(self) -> None:
        """Unfold the branches that hide the newest thought, for as long as it is the newest."""
        session, foldable = self.tree.session, self.foldable
        if not session.thought_count or foldable is None:
            return
        newest = session.thought_count - 1
        if self._auto_unfolded and session.thoughts.lane_of(newest) != self._auto_unfolded[-1]:
            self._restore_folds()
        while (row := self.tree.row(self.tree.row_of_thought(newest))).kind is RowKind.BRANCH:
            foldable.fold(row.lane, folded=False)
            self._auto_unfolded.append(row.lane)

    def _restore_folds(self) -> None:
        if self.foldable is not None:
            for lane in reversed(self._auto_unfolded):
                self.foldable.fold(lane, folded=True)
            self._auto_unfolded.clear()

    def keep_place(self, change: Callable[[], None]) -> None:
        """Run ``change``, which folds rows or adds what a filter finds; keep the selected row in place, or follow."""
        self._are_heights_open = True
        self._keep_rows(change)

    def _keep_rows(self, change: Callable[[], None]) -> None:
        """Run ``change``, which adds or removes rows; keep the selected row in place, or follow the newest thought."""
        kept, first = self._row_at(self.selected), self._row_at(self.top)
        change()
        self.selected, self.top = self._number_of(kept, self.selected), self._number_of(first, self.top)
        if self.is_following:
            self._select_newest()
        else:
            # If rows below disappeared, blank rows at the end are better than moving what is being read.
            self.selected, self.top = self._clamped(self.selected), self._clamped(self.top)

    def fit(self, lines: int, measure: RowMeasure, *, has_own_column: bool = True) -> int:
        """Let rows take as many lines as all have room for in ``lines`` lines; the selected one stays in its place.

        A position of a replay looks the same however it was reached; what grows does not change at each row.

        Args:
            lines: lines of the pane.
            measure: says how many lines a row needs.
            has_own_column: whether the newest rows may take what others leave; where the text is below, that has it.

        Returns:
            How many lines the rows take: more than ``lines`` if they do not fit.
        """
        heights, tree = self.heights, self.tree
        was_in_view = self._is_in_view
        lines_above = heights.between(tree, self.top, self.selected) if was_in_view else 0
        heights.measure_with(measure)
        if self.is_following or self._are_heights_open:
            is_fresh = self._are_heights_open or self._whole_session is not None
            most = heights.fitting(tree, lines, slack=0 if is_fresh else SLACK_LINES)
            has_changed, heights.most = most != heights.most, most
            has_changed |= heights.raise_newest(tree, self._newest_row if has_own_column else NONE, lines)
            if has_changed and not self.is_following:
                self.select_at(self.selected, lines_above)
        if self.is_following and self._whole_session is not None:
            self.top = 0
        if self.is_following or (was_in_view and not self._is_in_view):
            self._bring_into_view()
        self._are_heights_open = False
        return heights.total(tree, lines)

    def resize(self, height: int) -> None:
        """Set the number of visible lines; the selected row stays visible if it was."""
        if height == self.height:
            return
        was_in_view = self._is_in_view
        self.height = max(1, height)
        if was_in_view or self.is_following:
            self._bring_into_view()
        self._clamp()

    def move(self, rows: int) -> None:
        """Move the selection by ``rows`` and stop following."""
        self.select(self.selected + rows)

    def select(self, row: int) -> None:
        """Select a row, clamped to the rows there are, and stop following."""
        self.stop_following()
        first, last = self.top, self._last_in_view
        self.selected = self._clamped(row)
        self._bring_into_view()
        if not self.heights.are_even and (self.top > last or self._last_in_view < first):
            self._are_heights_open = True  # nothing of what was on the screen is there any more

    def select_thought(self, index: int) -> None:
        """Select a thought, unfolding what hides it."""
        self._unfold(index)
        self.select(self.tree.row_of_thought(index))

    def prepare_other_view(self, thoughts: int) -> float:
        """Add up to ``thoughts`` thoughts to the rows for `toggle_timeline`; return the share done, 1 for all."""
        whole = self._whole_session or self.session
        if whole is None or self._other_thought_count + thoughts >= whole.thought_count:
            return 1  # the toggle itself adds the rest
        self._other_thought_count += thoughts
        self._other_rows.sync(whole.at_thought(self._other_thought_count))
        return self._other_thought_count / whole.thought_count

    def toggle_timeline(self) -> None:
        """Switch between tree and timeline; the selection stays, in the same screen row if possible."""
        if not self.tree.has_session:
            return
        session, row, thought, lines_above = (
            self.tree.session,
            self._row_at(self.selected),
            self.thought,
            self.heights.between(self.tree, self.top, self.selected),
        )
        self._are_heights_open = True
        self.tree, self._other_rows = self._other_rows, self.tree
        self._other_thought_count = (self._whole_session or session).thought_count
        self._sync(session)
        found = self.tree.row_of(row) if row is not None and row.kind is not RowKind.THOUGHT else None
        if found is None and thought != NONE:
            self._unfold(thought)
            found = self.tree.row_of_thought(thought)
        self.select_at(found or 0, lines_above)

    def select_at(self, row: int, lines_above: int) -> None:
        """Select a row and scroll until it has ``lines_above`` lines above it, as far as possible."""
        self.selected = self._clamped(row)
        self.top = self.heights.first_above(self.tree, self.selected - 1, lines_above)
        self._bring_into_view()

    def _unfold(self, index: int) -> None:
        if self.foldable is None:
            return
        chain = self.tree.session.chains.drawn_in(index)
        if not self.foldable.is_chain_open(chain):
            self.foldable.open_chain(chain, opened=True)
        while (row := self._row_at(self.tree.row_of_thought(index))) is not None and row.kind is RowKind.BRANCH:
            self.foldable.fold(row.lane, folded=False)

    def scroll(self, lines: int) -> None:
        """Scroll by about ``lines`` lines without moving the selection, and stop following."""
        self.stop_following()
        self.top = self.heights.row_from(self.tree, self.top, lines)
        self._clamp()

    def follow(self) -> None:
        """Select the newest thought and follow."""
        self.is_following = True
        self._select_newest()

    def stop_following(self) -> None:
        """Stop following. No-op before the first session arrives."""
        if self.is_following and self.tree.has_session:
            self._seen_thought_count = self.tree.session.thought_count
            self.is_following = False

    def fold(self, *, folded: bool) -> None:
        """Fold or unfold the selected branch or chain; elsewhere in it, select its heading or first thought.

        In a timeline nothing folds.
        """
        row, foldable = self._row_at(self.selected), self.foldable
        if row is None or self.is_timeline:
            return
        if foldable is not None and row.kind is RowKind.CHAIN:
            self.stop_following()
            foldable.open_chain(row.chain, opened=not folded)
        elif foldable is not None and row.kind is RowKind.BRANCH and foldable.is_folded(row.lane) != folded:
            self.stop_following()
            self._auto_unfolded = [lane for lane in self._auto_unfolded if lane != row.lane]
            foldable.fold(row.lane, folded=folded)
        elif folded:
            self._select_parent(row)
            return
        self.selected = self._number_of(row, self.selected)
        self._clamp()

    def fold_all(self) -> None:
        """Fold every branch and chain, if they fold; what holds the selected thought stays selected."""
        if self.foldable is not None:
            self._change_folds(self.foldable.fold_all)

    def unfold_all(self) -> None:
        """Unfold every branch and chain, if they fold; what holds the selected thought stays selected."""
        if self.foldable is not None:
            self._change_folds(self.foldable.unfold_all)

    def _change_folds(self, change: Callable[[], None]) -> None:
        """Run ``change``, which folds or unfolds; what shows the selected thought stays selected, in its place."""
        if not self._row_count:
            return
        self.stop_following()
        self._auto_unfolded.clear()
        row, thought = self._row_at(self.selected), self.thought
        lines_above = self.heights.between(self.tree, self.top, self.selected)
        self._are_heights_open = True
        change()
        found = self.tree.row_of(row) if row is not None else None
        if found is None and thought != NONE:
            found = self.tree.row_of_thought(thought)
        self.select_at(found or 0, lines_above)

    def toggle(self) -> None:
        """Fold or unfold the chain or branch of the selected heading."""
        row = self._row_at(self.selected)
        if row is None or self.foldable is None:
            return
        if row.kind is RowKind.CHAIN:
            self.fold(folded=self.foldable.is_chain_open(row.chain))
        elif row.kind is RowKind.BRANCH:
            self.fold(folded=not self.foldable.is_folded(row.lane))

    def _select_parent(self, row: TreeRow) -> None:
        session = self.tree.session
        lane = session.lanes.get(row.lane) if row.lane != NONE else None
        if lane is None or (lane.is_trunk and not self.tree.has_headings):
            return
        if lane.is_trunk:
            self.select(self.tree.row_of(TreeRow(RowKind.CHAIN, row.chain, NONE, row.chain)) or 0)
        elif row.kind is RowKind.BRANCH:
            self.select(self.tree.row_of_thought(lane.fork) if lane.fork != NONE else 0)
        else:
            self.select(self.tree.row_of(TreeRow(RowKind.BRANCH, row.chain, row.lane, row.lane)) or 0)

    def jump_to_revision(self) -> bool:
        """Select the selected thought's target, else its reviser; return whether there is one."""
        if self.thought == NONE:
            return False
        session = self.tree.session
        target = session.thoughts.get(self.thought).target
        found = target if target != NONE else session.thoughts.reviser_of(self.thought)
        if found == NONE:
            return False
        self.select_thought(found)
        return True

    # Keeping selection and scroll offset valid

    @property
    def _row_count(self) -> int:
        return self.tree.count if self.tree.has_session else 0

    def _row_at(self, number: int) -> TreeRow | None:
        return self.tree.row(number) if 0 <= number < self._row_count else None

    def _number_of(self, row: TreeRow | None, otherwise: int) -> int:
        found = self.tree.row_of(row) if row is not None else None
        if found is None and row is not None and NONE < row.thought < self.tree.session.thought_count:
            found = self.tree.row_of_thought(row.thought)
        return otherwise if found is None else found

    def _select_newest(self) -> None:
        self.selected = max(0, self._newest_row)
        self._bring_into_view()

    @property
    def _newest_row(self) -> int:
        """The row of the newest thought; the last row if there is no thought."""
        count = self.tree.session.thought_count if self.tree.has_session else 0
        return self.tree.row_of_thought(count - 1) if count else self._row_count - 1

    def _bring_into_view(self) -> None:
        # While following, the row of expected thoughts after the newest thought stays visible with it.
        last = self.selected
        if self.is_following and self.tree.has_session and self.tree.expected_row == last + 1 and self.height > 1:
            last += 1
        self.top = min(max(self.top, self.heights.first_above(self.tree, last, self.height)), self.selected)
        self._clamp()

    @property
    def _last_in_view(self) -> int:
        """The row in the last line of the screen."""
        return self.heights.place_in_view(self.tree, self.top, self.height - 1)[0]

    @property
    def _is_in_view(self) -> bool:
        bottom = self.top + self.height
        return self.top <= self.selected < bottom and self._lines_to_selected < self.height

    @property
    def _lines_to_selected(self) -> int:
        """Lines from the top to the last line of the selected row, that line not included."""
        return self.heights.between(self.tree, self.top, self.selected + 1) - 1 if self._row_count else 0

    def _clamped(self, row: int) -> int:
        return max(0, min(row, self._row_count - 1))

    def _clamp(self) -> None:
        self.selected = self._clamped(self.selected)
        last = self._row_count - 1
        self.top = max(0, min(self.top, self.heights.first_above(self.tree, last, self.height), last))
