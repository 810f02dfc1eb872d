"""What is shown at a playhead: the same whichever way led there, and what the person folded comes back."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.example_chains import questions
from tui.state.viewport import Viewport

HEIGHT = 5


def viewing_of(whole: Session, *, is_timeline: bool = False, height: int = HEIGHT) -> Viewport:
    viewing = Viewport()
    viewing.resize(height)
    viewing.update(whole)
    if is_timeline:
        viewing.toggle_timeline()
    viewing.follow()
    return viewing


def show(viewing: Viewport, whole: Session, position: int) -> None:
    """Go there as the app does for a person's key."""
    viewing.is_following = True
    viewing.update(whole.at(position), whole)


def picture(viewing: Viewport) -> tuple[list[TreeRow], int, int]:
    return [viewing.tree.row(number) for number in range(viewing.tree.count)], viewing.selected, viewing.top


def fold_away(viewing: Viewport, whole: Session, lanes: set[int]) -> None:
    there = sum(len(whole.chains.lanes_of(chain)) for chain in range(whole.chain_count))
    for lane in sorted(lane for lane in lanes if lane < there):
        if viewing.foldable is not None:
            viewing.keep_place(partial(viewing.foldable.fold, lane, folded=True))


def is_folded(viewing: Viewport, lane: int) -> bool:
    assert viewing.foldable is not None
    return viewing.foldable.is_folded(lane)


@given(journals(40), st.lists(st.integers(0, 40), min_size=1, max_size=6), st.booleans(), st.sets(st.integers(0, 9)))
def test_a_moment_looks_the_same_whichever_way_led_there(
    journal: Journal, positions: list[int], is_timeline: bool, lanes: set[int]
) -> None:
    whole = folded(journal.items).session()
    viewing = viewing_of(whole, is_timeline=is_timeline)
    fold_away(viewing, whole, lanes)
    for position in positions:
        show(viewing, whole, position)
        fresh = viewing_of(whole, is_timeline=is_timeline)
        fold_away(fresh, whole, lanes)
        show(fresh, whole, position)

        assert picture(viewing) == picture(fresh)


@given(journals(40), st.booleans())
def test_the_newest_thought_of_a_moment_is_selected_in_a_row_of_its_own(journal: Journal, is_timeline: bool) -> None:
    whole = folded(journal.items).session()
    viewing = viewing_of(whole, is_timeline=is_timeline)
    fold_away(viewing, whole, set(range(20)))

    for position in range(whole.entry_count, -1, -1):
        show(viewing, whole, position)
        length = whole.at(position).thought_count
        if length:
            assert viewing.tree.row(viewing.selected).thought == length - 1
            assert viewing.top <= viewing.selected < viewing.top + HEIGHT


@given(journals(40), st.sets(st.integers(0, 9)), st.lists(st.integers(0, 40), max_size=5), st.booleans())
def test_back_in_the_present_everything_is_folded_as_the_person_left_it(
    journal: Journal, lanes: set[int], positions: list[int], is_timeline_between: bool
) -> None:
    whole = folded(journal.items).session()
    viewing = viewing_of(whole)
    fold_away(viewing, whole, lanes)
    viewing.follow()
    before = picture(viewing)[0]
    for position in positions:
        show(viewing, whole, position)
        if is_timeline_between:
            viewing.toggle_timeline()
            show(viewing, whole, position // 2)
    if viewing.is_timeline:
        viewing.toggle_timeline()
    viewing.is_following = True
    viewing.update(whole)

    assert picture(viewing)[0] == before


@given(
    journals(40),
    st.lists(st.tuples(st.integers(0, 40), st.integers(-9, 9), st.booleans()), max_size=8),
    st.booleans(),
)
def test_a_selection_that_is_held_stays_or_goes_to_the_newest(
    journal: Journal, deeds: list[tuple[int, int, bool]], is_timeline: bool
) -> None:
    whole = folded(journal.items).session()
    viewing = viewing_of(whole, is_timeline=is_timeline)
    for position, rows, is_toggled in deeds:
        viewing.move(rows)
        if is_toggled:
            viewing.toggle_timeline()
        held = viewing.thought
        kind = viewing.tree.row(viewing.selected).kind if viewing.tree.count else None
        viewing.update(whole.at(position), whole)

        assert viewing.new_count >= 0
        assert 0 <= viewing.selected < max(1, viewing.tree.count)
        assert viewing.thought < max(1, viewing.tree.session.thought_count)
        if kind is RowKind.THOUGHT and held < viewing.tree.session.thought_count and not viewing.is_following:
            assert viewing.thought == held


@given(journals(40), st.lists(st.tuples(st.integers(0, 40), st.sets(st.integers(0, 30))), max_size=6))
def test_a_filter_has_at_every_moment_the_rows_that_had_come_in_the_order_of_the_tree(
    journal: Journal, deeds: list[tuple[int, set[int]]]
) -> None:
    whole = folded(journal.items).session()
    filtered, tree, added = FilteredTree(whole), Tree(), set[int]()
    for position, found in deeds:
        moment = whole.at(position)
        filtered.sync(whole, moment)
        fresh = {one for one in found - added if one < whole.thought_count}
        refusals = [number for number in range(whole.asides.refused_count) if number + 100 not in added]
        filtered.add_matches(sorted(fresh), refusals)
        added |= fresh | {number + 100 for number in refusals}
        tree.sync(whole, moment)
        tree.open_all()
        rows = [tree.row(number) for number in range(tree.count)]
        wanted = {RowKind.THOUGHT: added, RowKind.ASIDE: {one - 100 for one in added}}

        shown = [filtered.row(number) for number in range(filtered.count)]
        assert shown == [row for row in rows if row.ordinal in wanted.get(row.kind, ())]
        assert [filtered.row_of(row) for row in shown] == list(range(filtered.count))


def test_a_filter_without_a_row_takes_every_moment() -> None:
    whole = fold(shop_api().events)
    viewing = Viewport(FilteredTree(whole))

    for position in (whole.entry_count, 3, 1, 0, 7):
        show(viewing, whole, position)
        assert (viewing.tree.count, viewing.thought, viewing.selected) == (0, NONE, 0)


def test_a_session_of_many_chains_is_gone_back_through() -> None:
    whole = fold(questions().events)
    viewing, position, chains = viewing_of(whole), whole.entry_count, [whole.chain_count]
    while position != whole.positions.first:
        position = whole.positions.previous_visible(position)
        show(viewing, whole, position)
        chains.append(viewing.tree.session.chain_count)

    assert sorted({*chains}) == list(range(1, 13))
    assert chains == sorted(chains, reverse=True)


def test_a_folded_branch_is_open_while_the_newest_thought_is_in_it() -> None:
    whole = fold(shop_api().events)
    viewing = viewing_of(whole)
    fold_away(viewing, whole, {1})
    folds: list[bool] = []
    for count in range(1, 12):
        show(viewing, whole, whole.at_thought(count).entry_count)
        folds.append(count >= 6 and is_folded(viewing, 1))

    assert folds == [False] * 5 + [False] * 3 + [True] * 3


def test_a_branch_within_a_folded_branch_opens_with_it_and_both_fold_again() -> None:
    journal = (
        JournalBuilder()
        .session()
        .thought("a", 1, 2)
        .thought("b", 1, 2, branch="outer", from_=1)
        .thought("c", 1, 2, branch="inner", from_=1)
        .thought("d", 2, 2, branch="outer")
        .thought("e", 2, 2)
    )
    whole = fold(journal.events)
    viewing = viewing_of(whole)
    inner, outer = (next(lane for lane in (1, 2) if whole.lanes.get(lane).name == name) for name in ("inner", "outer"))
    fold_away(viewing, whole, {inner, outer})

    def folds(count: int) -> tuple[bool, bool]:
        show(viewing, whole, whole.at_thought(count).entry_count)
        return is_folded(viewing, outer), is_folded(viewing, inner)

    assert folds(2)[0] is False
    assert folds(3)[1] is False
    assert folds(4) == (False, True)
    assert folds(5) == (True, True)
    assert folds(3)[1] is False


def test_at_the_end_of_a_replay_the_branch_of_the_newest_thought_is_open_too() -> None:
    journal = JournalBuilder().session().thought("a", 1, 2).thought("b", 1, 2, branch="b", from_=1)
    whole = fold(journal.events)
    viewing = viewing_of(whole)
    fold_away(viewing, whole, {1})

    show(viewing, whole, whole.entry_count)
    assert not is_folded(viewing, 1)
    viewing.update(whole)
    assert is_folded(viewing, 1)


def test_a_branch_folds_again_also_when_the_playhead_left_it_in_the_timeline() -> None:
    whole = fold(shop_api().events)
    viewing = viewing_of(whole)
    fold_away(viewing, whole, {1})
    show(viewing, whole, whole.at_thought(7).entry_count)
    viewing.toggle_timeline()
    viewing.is_following = True
    viewing.update(whole)
    viewing.toggle_timeline()

    assert is_folded(viewing, 1)


def test_what_the_person_folds_themselves_stays_as_they_left_it() -> None:
    whole = fold(shop_api().events)
    viewing = viewing_of(whole)
    fold_away(viewing, whole, {1})
    show(viewing, whole, whole.at_thought(7).entry_count)
    row = TreeRow(RowKind.BRANCH, 0, 1, 1)

    viewing.select(viewing.tree.row_of(row) or 0)
    viewing.fold(folded=True)
    viewing.fold(folded=False)
    show(viewing, whole, whole.at_thought(10).entry_count)
    assert not is_folded(viewing, 1)

    viewing.select(viewing.tree.row_of(row) or 0)
    viewing.fold(folded=True)
    show(viewing, whole, whole.at_thought(7).entry_count)
    show(viewing, whole, whole.at_thought(10).entry_count)
    assert is_folded(viewing, 1)


@pytest.mark.parametrize("is_timeline", [False, True])
def test_a_loop_that_begins_again_takes_back_the_news(is_timeline: bool) -> None:
    whole = fold(shop_api().events)
    viewing = viewing_of(whole, is_timeline=is_timeline)
    viewing.select(0)
    viewing.update(whole.at_thought(1), whole)
    assert viewing.new_count == 0

    viewing.update(whole.at_thought(4), whole)
    assert viewing.new_count == 3
