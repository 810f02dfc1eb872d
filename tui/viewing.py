"""What is shown of a session: the moment, the selected row, the first row on the screen, and whether it follows.

Pure: it is told what arrived and what the person did, and says what to draw. While following, the newest thought is
selected and in view. After the person has moved, the top row's thought stays where it is, whatever comes in above.
"""

from collections.abc import Callable

from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.timeline import Timeline
from seqthink.drawing.tree import RowKind, Tree, TreeRow


class Viewing:
    """One session on the screen, as a tree or as a timeline."""

    def __init__(self, tree: Tree | Timeline | None = None) -> None:
        self.tree: Tree | Timeline = tree or Tree()
        self._other: Tree | Timeline = Tree() if self.is_timeline else Timeline()
        self.selected = 0
        self.top = 0
        self.height = 1
        self.is_following = True
        self._known = 0
        self._whole: Session | None = None
        self._taken = 0  # how many thoughts the other has taken in
        self._lent: list[int] = []

    @property
    def session(self) -> Session | None:
        """The session that is shown, once something has arrived."""
        return self.tree.session if self.tree.has_session else None

    @property
    def is_timeline(self) -> bool:
        """Whether the rows stand in order of arrival."""
        return isinstance(self.tree, Timeline)

    @property
    def news(self) -> int:
        """How many thoughts arrived since it stopped following."""
        return 0 if self.is_following or not self.tree.has_session else self.tree.session.thought_count - self._known

    @property
    def thought(self) -> int:
        """The thought whose text is shown: the selected row's, or the one that the row belongs to; or NONE."""
        if not self.tree.has_session or not self.tree.session.thought_count or not self._count:
            return NONE
        row, session = self.tree.row(self.selected), self.tree.session
        match row.kind:
            case RowKind.THOUGHT | RowKind.GAP:
                return row.ordinal
            case RowKind.BRANCH:
                return session.lane(row.lane).thoughts[0]
            case RowKind.GHOST:
                return session.newest_in_lane(row.lane)
            case RowKind.REFUSED:
                return max(0, session.refusal(row.ordinal).thought_above)
            case RowKind.CHAIN:
                return session.chain_range(row.chain)[-1]

    @property
    def refusal(self) -> int:
        """The refused call that is selected, or NONE."""
        row = self._row(self.selected)
        return row.ordinal if row is not None and row.kind is RowKind.REFUSED else NONE

    # What happens

    def arrive(self, session: Session, whole: Session | None = None) -> None:
        """Take in a session that has grown, or whose state has changed; ``whole`` is all of it while it is played.

        It may then be at any moment, also at one before that which is shown. When the selected thought had not come
        by then, the newest one is selected.
        """
        self._whole = whole
        if not self.tree.has_session:
            self._feed(session)
            self.around(lambda: None)
            return
        chains = self.tree.session.chain_count
        if not self.is_following and session.chain_count > chains > 0:
            self.tree.open_chain(chains - 1, opened=True)  # what is being read is not folded away
        if self.thought >= session.thought_count:
            self.is_following = True
        self._known = min(self._known, session.thought_count)
        self.around(lambda: self._feed(session))
        if whole is not None and self.is_following:
            self.top = 0  # what a moment looks like does not depend on the way there
            self._bring_into_view()

    def _feed(self, session: Session) -> None:
        self.tree.sync(self._whole or session, session)
        if self._whole is None:
            self._fold_again()
            return
        self._open_at_playhead()

    def _open_at_playhead(self) -> None:
        """Open what the newest thought is folded in, for as long as it is the newest there."""
        session = self.tree.session
        if not session.thought_count or not self.tree.count or self.is_timeline:
            return
        newest = session.thought_count - 1
        if self._lent and session.lane_of(newest) != self._lent[-1]:
            self._fold_again()
        while (row := self.tree.row(self.tree.row_of_thought(newest))).kind is RowKind.BRANCH:
            self.tree.fold(row.lane, folded=False)
            self._lent.append(row.lane)

    def _fold_again(self) -> None:
        if not self.is_timeline:
            for lane in reversed(self._lent):
                self.tree.fold(lane, folded=True)
            self._lent.clear()

    def around(self, change: Callable[[], None]) -> None:
        """Let rows come and go, and stay where the person is, or with the newest thought."""
        kept, first = self._row(self.selected), self._row(self.top)
        change()
        self.selected, self.top = self._found(kept, self.selected), self._found(first, self.top)
        if self.is_following:
            self._select_newest()
        else:
            # Where rows went away below, blank ones at the end are better than a text that moves.
            self.selected, self.top = self._within(self.selected), self._within(self.top)

    def resize(self, height: int) -> None:
        """Show ``height`` rows; the selected one stays in view if it was."""
        if height == self.height:
            return
        was_in_view = self.top <= self.selected < self.top + self.height
        self.height = max(1, height)
        if was_in_view or self.is_following:
            self._bring_into_view()
        self._clamp()

    def move(self, rows: int) -> None:
        """Move the selection by ``rows``; that ends following."""
        self.select(self.selected + rows)

    def select(self, number: int) -> None:
        """Select a row, the nearest there is; that ends following."""
        self.stop_following()
        self.selected = self._within(number)
        self._bring_into_view()

    def select_thought(self, index: int) -> None:
        """Select a thought, opening what it is folded in."""
        self._unfold(index)
        self.select(self.tree.row_of_thought(index))

    def catch_up(self, thoughts: int) -> float:
        """Let what ``toggle_timeline`` would show take in so many more; return which share it has by now, 1 for all."""
        whole = self._whole or self.session
        if whole is None or self._taken + thoughts >= whole.thought_count:
            return 1  # the toggle itself takes the rest
        self._taken += thoughts
        self._other.sync(whole.at_thought(self._taken))
        return self._taken / whole.thought_count

    def toggle_timeline(self) -> None:
        """Show the timeline instead of the tree, or the tree again; what is selected stays, at its height if it can."""
        if not self.tree.has_session:
            return
        session, row, thought, height = (
            self.tree.session,
            self._row(self.selected),
            self.thought,
            self.selected - self.top,
        )
        self.tree, self._other = self._other, self.tree
        self._taken = (self._whole or session).thought_count
        self._feed(session)
        found = self.tree.row_of(row) if row is not None and row.kind is not RowKind.THOUGHT else None
        if found is None and thought != NONE:
            self._unfold(thought)
            found = self.tree.row_of_thought(thought)
        self.put(found or 0, height)

    def put(self, row: int, height: int) -> None:
        """Select a row that stands ``height`` rows below the top of the window, as far as that can be."""
        self.selected = self._within(row)
        self.top = self.selected - height
        self._bring_into_view()

    def _unfold(self, index: int) -> None:
        chain = self.tree.session.chain_of(index)
        if not self.tree.is_chain_open(chain):
            self.tree.open_chain(chain, opened=True)
        while (row := self._row(self.tree.row_of_thought(index))) is not None and row.kind is RowKind.BRANCH:
            self.tree.fold(row.lane, folded=False)

    def scroll(self, rows: int) -> None:
        """Move the window, not the selection; that ends following."""
        self.stop_following()
        self.top += rows
        self._clamp()

    def follow(self) -> None:
        """Select the newest thought, and stay with what comes."""
        self.is_following = True
        self._select_newest()

    def stop_following(self) -> None:
        """Stay where the person is; before anything is there, they are nowhere."""
        if self.is_following and self.tree.has_session:
            self._known = self.tree.session.thought_count
            self.is_following = False

    def fold(self, *, folded: bool) -> None:
        """Fold or unfold the selected branch or chain; within one, go to its head first, or to its first thought.

        In a timeline nothing folds.
        """
        row = self._row(self.selected)
        if row is None or self.is_timeline:
            return
        if row.kind is RowKind.CHAIN:
            self.stop_following()
            self.tree.open_chain(row.chain, opened=not folded)
        elif row.kind is RowKind.BRANCH and self.tree.is_folded(row.lane) != folded:
            self.stop_following()
            self._lent = [lane for lane in self._lent if lane != row.lane]
            self.tree.fold(row.lane, folded=folded)
        elif folded:
            self._to_parent(row)
            return
        self.selected = self._found(row, self.selected)
        self._clamp()

    def toggle(self) -> None:
        """Fold what the selected row heads, or unfold it."""
        row = self._row(self.selected)
        if row is not None and row.kind is RowKind.CHAIN:
            self.fold(folded=self.tree.is_chain_open(row.chain))
        elif row is not None and row.kind is RowKind.BRANCH:
            self.fold(folded=not self.tree.is_folded(row.lane))

    def _to_parent(self, row: TreeRow) -> None:
        session = self.tree.session
        lane = session.lane(row.lane) if row.lane != NONE else None
        if lane is None or (lane.is_trunk and not self.tree.has_headings):
            return
        if lane.is_trunk:
            self.select(self.tree.row_of(TreeRow(RowKind.CHAIN, row.chain, NONE, row.chain)) or 0)
        elif row.kind is RowKind.BRANCH:
            self.select(self.tree.row_of_thought(lane.fork) if lane.fork != NONE else 0)
        else:
            self.select(self.tree.row_of(TreeRow(RowKind.BRANCH, row.chain, row.lane, row.lane)) or 0)

    def jump(self) -> bool:
        """Select what the selected thought revises, else what revises it; return whether there is such a thought."""
        if self.thought == NONE:
            return False
        session = self.tree.session
        target = session.thought(self.thought).target
        found = target if target != NONE else session.reviser_of(self.thought)
        if found == NONE:
            return False
        self.select_thought(found)
        return True

    # Keeping the window in order

    @property
    def _count(self) -> int:
        return self.tree.count if self.tree.has_session else 0

    def _row(self, number: int) -> TreeRow | None:
        return self.tree.row(number) if 0 <= number < self._count else None

    def _found(self, row: TreeRow | None, otherwise: int) -> int:
        found = self.tree.row_of(row) if row is not None else None
        if found is None and row is not None and NONE < row.thought < self.tree.session.thought_count:
            found = self.tree.row_of_thought(row.thought)
        return otherwise if found is None else found

    def _select_newest(self) -> None:
        session = self.tree.session
        newest = self.tree.row_of_thought(session.thought_count - 1) if session.thought_count else self._count - 1
        self.selected = max(0, newest)
        self._bring_into_view()

    def _bring_into_view(self) -> None:
        # While following, the ghost is in view with the newest thought, to which it belongs.
        last = self.selected
        if self.is_following and self.tree.has_session and self.tree.ghost_row == last + 1 and self.height > 1:
            last += 1
        self.top = min(max(self.top, last - self.height + 1), self.selected)
        self._clamp()

    def _within(self, row: int) -> int:
        return max(0, min(row, self._count - 1))

    def _clamp(self) -> None:
        self.selected = self._within(self.selected)
        self.top = max(0, min(self.top, self._count - self.height))
