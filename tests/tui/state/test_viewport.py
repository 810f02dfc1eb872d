"""What is selected and where the window stands: following, reading on while more comes in, folding, jumping."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.drawing.tree.row_source import RowKind
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tui.state.viewport import Viewport


class Watched:
    """A journal in the making and the viewing of it: each step that adds something arrives at once."""

    def __init__(self, height: int = 10) -> None:
        self.journal = Journal().session()
        self.viewing = Viewport()
        self.viewing.resize(height)
        self._fold = Fold()
        self._taken = 0

    def think(self, number: int, text: str | None = None, **fields: Any) -> "Watched":  # noqa: ANN401 - whatever a test hands over
        self.journal.think(number, text, **fields)
        return self.arrive()

    def thoughts(self, first: int, last: int) -> "Watched":
        for number in range(first, last + 1):
            self.think(number, str(number), totalThoughts=20)
        return self

    def arrive(self) -> "Watched":
        folded(self.journal.items[self._taken :], into=self._fold)
        self._taken = len(self.journal.items)
        self.viewing.update(self._fold.session())
        return self

    @property
    def top_number(self) -> int:
        """The number of the thought in the top row."""
        return _number(self.viewing, self.viewing.top)

    @property
    def selected_number(self) -> int:
        return _number(self.viewing, self.viewing.selected)


def is_chain_open(viewing: Viewport, chain: int) -> bool:
    assert viewing.foldable is not None
    return viewing.foldable.is_chain_open(chain)


def _number(viewing: Viewport, row: int) -> int:
    drawn = viewing.tree.row(row)
    assert drawn.kind is RowKind.THOUGHT
    return viewing.tree.session.thoughts.number_of(drawn.ordinal)


# Following


def test_the_newest_thought_is_selected_and_in_view_with_its_expected_row() -> None:
    watched = Watched(height=5)

    for number in range(1, 12):
        watched.think(number, totalThoughts=20)

        viewing = watched.viewing
        assert viewing.is_following
        assert watched.selected_number == number
        assert viewing.tree.expected_row == viewing.selected + 1
        assert viewing.top <= viewing.selected < viewing.selected + 1 < viewing.top + 5


def test_a_window_of_one_row_shows_the_newest_thought_and_not_the_expected_row() -> None:
    watched = Watched(height=1).thoughts(1, 3)

    assert watched.viewing.top == watched.viewing.selected
    assert watched.selected_number == 3


def test_following_goes_to_the_branch_that_grows() -> None:
    watched = Watched().thoughts(1, 4).think(1, "alone", branchId="b", branchFromThought=2)

    assert watched.viewing.thought == 4
    assert watched.viewing.tree.row(watched.viewing.selected).ordinal == 4


def test_a_refused_call_before_any_thought_is_selected() -> None:
    watched = Watched()

    watched.journal.rejected().rejected()
    watched.arrive()

    assert watched.viewing.selected == 1
    assert watched.viewing.thought == -1


def test_a_session_without_a_thought_takes_every_action() -> None:
    for act in ACTIONS.values():
        watched = Watched().arrive()
        act(watched.viewing)

        assert watched.viewing.selected == watched.viewing.top == 0


def test_before_anything_arrived_there_is_no_session() -> None:
    viewing = Viewport()

    viewing.resize(7)
    viewing.scroll(3)
    viewing.select(2)

    assert viewing.session is None
    assert (viewing.selected, viewing.top, viewing.new_count) == (0, 0, 0)
    assert viewing.is_following


# Reading on


def test_what_arrives_below_moves_nothing_once_the_user_has_moved() -> None:
    watched = Watched(height=4).thoughts(1, 9)
    watched.viewing.move(-5)
    top, selected = watched.top_number, watched.selected_number

    watched.thoughts(10, 14)

    assert (watched.top_number, watched.selected_number) == (top, selected)
    assert watched.viewing.new_count == 5
    assert not watched.viewing.is_following


def test_a_branch_that_opens_above_leaves_the_top_thought_where_it_is() -> None:
    watched = Watched(height=4).thoughts(1, 9)
    watched.viewing.move(-2)
    top, selected = watched.top_number, watched.selected_number
    row = watched.viewing.top

    watched.think(1, "alone", branchId="b", branchFromThought=2).think(2, "more", branchId="b")

    assert (watched.top_number, watched.selected_number) == (top, selected)
    assert watched.viewing.top == row + 4  # its head, its two thoughts, and the expected row, which went there


def test_a_chain_that_begins_while_an_old_one_is_read_leaves_that_open_and_in_place() -> None:
    watched = Watched(height=4).thoughts(1, 9)
    watched.viewing.move(-4)
    top, selected = watched.top_number, watched.selected_number

    watched.think(1, "another problem", totalThoughts=3)

    assert (watched.top_number, watched.selected_number) == (top, selected)
    assert is_chain_open(watched.viewing, 0)
    assert watched.viewing.new_count == 1


def test_a_chain_that_begins_while_following_folds_the_old_one() -> None:
    watched = Watched(height=4).thoughts(1, 9).think(1, "another problem", totalThoughts=3)

    assert not is_chain_open(watched.viewing, 0)
    assert watched.viewing.thought == 9


def test_follow_goes_to_the_newest_and_forgets_the_news() -> None:
    watched = Watched(height=4).thoughts(1, 9)
    watched.viewing.move(-5)
    watched.thoughts(10, 12)
    assert watched.viewing.new_count == 3

    watched.viewing.follow()

    assert watched.selected_number == 12
    assert watched.viewing.new_count == 0
    assert watched.viewing.tree.expected_row == watched.viewing.selected + 1
    assert watched.viewing.selected + 1 < watched.viewing.top + 4


def test_the_wheel_moves_the_window_and_never_the_selection() -> None:
    watched = Watched(height=4).thoughts(1, 20)
    selected = watched.viewing.selected

    watched.viewing.scroll(-6)
    top = watched.viewing.top
    watched.viewing.resize(4)  # as each frame does

    assert watched.viewing.selected == selected
    assert watched.viewing.top == top
    assert not watched.viewing.is_following


def test_the_wheel_can_leave_the_expected_row_out_of_view() -> None:
    watched = Watched(height=5).thoughts(1, 9)
    last_top = watched.viewing.top

    watched.viewing.scroll(-1)
    watched.viewing.resize(5)

    assert watched.viewing.top == last_top - 1


def test_the_wheel_stops_at_both_ends() -> None:
    watched = Watched(height=4).thoughts(1, 9)

    watched.viewing.scroll(-100)
    assert watched.viewing.top == 0
    watched.viewing.scroll(100)
    assert watched.viewing.top == watched.viewing.tree.count - 4


def test_moving_after_the_wheel_comes_back_to_the_selection() -> None:
    watched = Watched(height=4).thoughts(1, 19)
    watched.viewing.scroll(-15)

    watched.viewing.move(-1)

    assert watched.selected_number == 18
    assert watched.viewing.top <= watched.viewing.selected < watched.viewing.top + 4


def test_selection_stays_within_the_rows() -> None:
    watched = Watched(height=4).thoughts(1, 5)

    watched.viewing.move(-100)
    assert watched.viewing.selected == 0
    watched.viewing.move(100)
    assert watched.viewing.selected == watched.viewing.tree.count - 1


# Resizing


@pytest.mark.parametrize("height", [1, 2, 3, 7, 30])
def test_a_resize_keeps_the_selection_in_view(height: int) -> None:
    watched = Watched(height=5).thoughts(1, 15)
    watched.viewing.move(-4)

    watched.viewing.resize(height)

    assert watched.selected_number == 11
    assert watched.viewing.top <= watched.viewing.selected < watched.viewing.top + height


def test_a_higher_window_keeps_its_top_row() -> None:
    watched = Watched(height=3).thoughts(1, 15)
    watched.viewing.move(-9)
    top = watched.viewing.top

    watched.viewing.resize(6)

    assert watched.viewing.top == top


def test_a_resize_while_the_selection_is_out_of_view_keeps_the_window() -> None:
    watched = Watched(height=3).thoughts(1, 15)
    watched.viewing.scroll(-9)
    top = watched.viewing.top

    watched.viewing.resize(2)

    assert watched.viewing.top == top


def test_a_window_higher_than_the_tree_begins_at_the_first_row() -> None:
    watched = Watched(height=3).thoughts(1, 15)

    watched.viewing.resize(50)

    assert watched.viewing.top == 0


# Folding


def _branched(height: int = 10) -> Watched:
    watched = Watched(height).thoughts(1, 3)
    for number in (1, 2, 3):
        watched.think(number, f"b{number}", branchId="b", branchFromThought=2, totalThoughts=3)
    return watched.thoughts(4, 5)


def test_folding_within_a_branch_goes_to_its_head_first_then_folds_it_then_leaves_it() -> None:
    viewing = _branched().viewing
    viewing.select_thought(4)

    viewing.fold(folded=True)
    head = viewing.tree.row(viewing.selected)
    count = viewing.tree.count
    viewing.fold(folded=True)
    folded_count = viewing.tree.count
    viewing.fold(folded=True)

    assert head.kind is RowKind.BRANCH
    assert folded_count == count - 3
    assert _number(viewing, viewing.selected) == 2


def test_unfolding_shows_the_branch_and_keeps_its_head_selected() -> None:
    viewing = _branched().viewing
    viewing.select_thought(4)
    viewing.fold(folded=True)
    viewing.fold(folded=True)

    viewing.fold(folded=False)

    assert viewing.tree.row(viewing.selected).kind is RowKind.BRANCH
    assert viewing.tree.count == 10


def test_folding_on_the_trunk_of_the_only_chain_does_nothing() -> None:
    viewing = _branched().viewing

    viewing.fold(folded=True)

    assert viewing.is_following
    assert viewing.tree.count == 10


def test_fold_all_leaves_the_trunk_and_selects_what_hides_the_selected_thought() -> None:
    viewing = _branched().viewing
    viewing.select_thought(4)

    viewing.fold_all()
    folded = [viewing.tree.row(number).kind for number in range(viewing.tree.count)]
    selected = viewing.tree.row(viewing.selected)
    viewing.unfold_all()

    assert [kind for kind in folded if kind is not RowKind.EXPECTED] == [RowKind.THOUGHT] * 2 + [RowKind.BRANCH] + [
        RowKind.THOUGHT
    ] * 3
    assert selected.kind is RowKind.BRANCH
    assert viewing.tree.row(viewing.selected).kind is RowKind.BRANCH
    assert viewing.tree.count == 10


def test_fold_all_folds_every_chain_of_several_to_its_row_and_unfold_all_opens_all() -> None:
    watched = Watched(10)
    for _ in range(3):
        for number in (1, 2):
            watched.think(number, totalThoughts=2)
        watched.think(1, "b1", branchId="b", branchFromThought=1, totalThoughts=1)
        watched.think(2, "end", totalThoughts=2, nextThoughtNeeded=False)
    viewing = watched.viewing

    viewing.fold_all()
    headings = [viewing.tree.row(number).kind for number in range(viewing.tree.count)]
    viewing.unfold_all()

    assert headings == [RowKind.CHAIN] * 3
    assert [viewing.tree.row(number).kind for number in range(viewing.tree.count)].count(RowKind.THOUGHT) == 12


def test_nothing_folds_in_the_timeline() -> None:
    viewing = _branched().viewing
    viewing.toggle_timeline()
    count = viewing.tree.count

    viewing.fold_all()
    viewing.unfold_all()

    assert viewing.tree.count == count


def test_a_thought_that_arrives_in_a_folded_branch_selects_its_head() -> None:
    watched = _branched()
    watched.viewing.select_thought(4)
    watched.viewing.fold(folded=True)
    watched.viewing.fold(folded=True)
    watched.viewing.follow()

    watched.think(4, "b4", branchId="b")

    row = watched.viewing.tree.row(watched.viewing.selected)
    assert row.kind in {RowKind.BRANCH, RowKind.THOUGHT}
    assert watched.viewing.tree.session.lanes.get(row.lane).name == "b"


def test_an_old_chain_unfolds_on_its_heading_and_folds_again_from_within() -> None:
    watched = Watched().thoughts(1, 4).think(1, "another problem", totalThoughts=3)
    viewing = watched.viewing
    viewing.select(0)

    viewing.fold(folded=False)
    assert is_chain_open(viewing, 0)
    viewing.select(3)
    viewing.fold(folded=True)
    assert viewing.tree.row(viewing.selected).kind is RowKind.CHAIN
    viewing.fold(folded=True)

    assert not is_chain_open(viewing, 0)
    assert viewing.selected == 0


def test_a_folded_chain_stands_for_its_last_thought() -> None:
    viewing = Watched().thoughts(1, 4).think(1, "another problem", totalThoughts=3).viewing

    viewing.select(0)

    assert viewing.thought == 3


# Jumping


def test_jump_goes_to_the_revised_and_back_to_the_reviser() -> None:
    watched = Watched().thoughts(1, 5).think(6, "again", isRevision=True, revisesThought=2)

    assert watched.viewing.jump_to_revision()
    assert watched.selected_number == 2
    assert watched.viewing.jump_to_revision()
    assert watched.selected_number == 6


def test_jump_says_that_there_is_nowhere_to_go() -> None:
    watched = Watched().thoughts(1, 5)

    assert not watched.viewing.jump_to_revision()
    assert watched.viewing.is_following


def test_jump_opens_the_branch_that_the_revised_thought_is_folded_in() -> None:
    watched = _branched()
    watched.think(4, "b again", isRevision=True, revisesThought=2, branchId="b")
    viewing = watched.viewing
    reviser = viewing.thought
    viewing.select_thought(3)
    viewing.fold(folded=True)
    viewing.fold(folded=True)
    viewing.select_thought(reviser)

    assert viewing.jump_to_revision()
    assert viewing.tree.row(viewing.selected).ordinal == viewing.thought == 4


# Laws

ACTIONS: dict[str, Callable[[Viewport], object]] = {
    "down": lambda viewing: viewing.move(1),
    "up": lambda viewing: viewing.move(-1),
    "page down": lambda viewing: viewing.move(viewing.height),
    "page up": lambda viewing: viewing.move(-viewing.height),
    "first": lambda viewing: viewing.select(0),
    "last": lambda viewing: viewing.select(viewing.tree.count - 1),
    "fold": lambda viewing: viewing.fold(folded=True),
    "unfold": lambda viewing: viewing.fold(folded=False),
    "jump": lambda viewing: viewing.jump_to_revision(),
    "wheel up": lambda viewing: viewing.scroll(-3),
    "wheel down": lambda viewing: viewing.scroll(3),
    "hold": lambda viewing: viewing.stop_following(),
    "follow": lambda viewing: viewing.follow(),
    "one row": lambda viewing: viewing.resize(1),
    "six rows": lambda viewing: viewing.resize(6),
    "no change of size": lambda viewing: viewing.resize(viewing.height),
}


def _growing(journal: Journal, cuts: list[int]) -> Iterator[Session]:
    fold, taken = Fold(), 0
    for cut in [*sorted(cuts), len(journal.items)]:
        folded(journal.items[taken : max(taken, cut)], into=fold)
        taken = max(taken, cut)
        if fold.session().entry_count:
            yield fold.session()


def _check_in_order(viewing: Viewport) -> None:
    count = viewing.tree.count
    assert 0 <= viewing.selected < max(1, count)
    assert 0 <= viewing.top < max(1, count)
    assert -1 <= viewing.thought < viewing.tree.session.thought_count
    if viewing.is_following and viewing.tree.session.thought_count:
        newest = viewing.tree.row_of_thought(viewing.tree.session.thought_count - 1)
        assert viewing.selected == newest
        assert viewing.top <= newest < viewing.top + viewing.height


@given(
    journals(),
    st.lists(st.integers(0, 24), max_size=8),
    st.lists(st.lists(st.sampled_from(sorted(ACTIONS)), max_size=4), max_size=10),
)
def test_whatever_arrives_and_is_pressed_the_selection_is_on_a_row_and_the_window_on_the_tree(
    journal: Journal, cuts: list[int], pressed: list[list[str]]
) -> None:
    viewing, presses = Viewport(), iter(pressed)
    viewing.resize(4)

    for session in _growing(journal, cuts):
        viewing.update(session)
        _check_in_order(viewing)
        for name in next(presses, list[str]()):
            ACTIONS[name](viewing)
            _check_in_order(viewing)


@given(journals(), st.lists(st.integers(0, 24), max_size=8), st.integers(-8, 0), st.integers(1, 6))
def test_a_top_row_that_is_still_there_stays_the_top_row(
    journal: Journal, cuts: list[int], moved: int, height: int
) -> None:
    viewing = Viewport()
    viewing.resize(height)

    for session in _growing(journal, cuts):
        before = viewing.tree.row(viewing.top) if viewing.session is not None and viewing.tree.count else None
        viewing.update(session)
        if before is not None and before.kind is not RowKind.EXPECTED and not viewing.is_following:
            assert viewing.tree.row_of(before) in {viewing.top, None}
        viewing.move(moved)
