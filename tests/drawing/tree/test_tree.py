"""The tree's rows: the same however they were fed, and at every earlier moment those of a fresh tree."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts

Folds = tuple[frozenset[int], dict[int, bool]]
"""Folded branches, by lane, and chains that the person opened or folded."""

folds = st.tuples(st.frozensets(st.integers(0, 12), max_size=4), st.dictionaries(st.integers(0, 4), st.booleans()))
NOTHING: Folds = (frozenset(), {})


def with_folds(tree: Tree, wanted: Folds) -> Tree:
    lanes, chains = wanted
    for chain, is_open in chains.items():
        tree.open_chain(chain, opened=is_open)
    there = sum(len(tree.session.chains.lanes_of(chain)) for chain in range(tree.session.chain_count))
    for lane in sorted(lane for lane in lanes if lane < there):
        tree.fold(lane, folded=True)
    return tree


def grown(session: Session, wanted: Folds = NOTHING) -> Tree:
    tree = Tree()
    tree.sync(session)
    return with_folds(tree, wanted)


def rows(tree: Tree) -> list[TreeRow]:
    return [tree.row(number) for number in range(tree.count)]


def drawing(tree: Tree, journal: Journal, width: int = 60, selected: int = NONE) -> list[str]:
    spoken = texts(journal.items)
    painter = Painter(
        tree=tree,
        texts=GivenTexts(tree.session, spoken.__getitem__),
        width=width,
        screen_width=width,
        selected=selected,
    )
    return [spans_text(spans) for spans in painter.draw_rows(0, tree.count)]


def in_batches(journal: Journal, cuts: list[int], then: Callable[[Session], None]) -> Fold:
    growing, done = Fold(), 0
    for cut in [*sorted(cuts), len(journal.items)]:
        folded(journal.items[done:cut], growing)
        then(growing.session())
        done = cut
    return growing


@given(journals(40), st.lists(st.integers(0, 40), max_size=8), folds)
def test_fed_in_any_batches_the_rows_are_those_of_all_at_once(journal: Journal, cuts: list[int], wanted: Folds) -> None:
    tree = Tree()
    cuts = [min(cut, len(journal.items)) for cut in cuts]
    session = in_batches(journal, cuts, tree.sync).session()
    with_folds(tree, wanted)

    assert rows(tree) == rows(grown(session, wanted))
    assert drawing(tree, journal) == drawing(grown(session, wanted), journal)


@given(journals(40), st.data(), folds)
def test_an_earlier_moment_is_drawn_as_if_the_rest_had_never_come(
    journal: Journal, data: st.DataObject, wanted: Folds
) -> None:
    session = folded(journal.items).session()
    tree = grown(session, wanted)
    for entries in data.draw(st.lists(st.integers(0, session.entry_count), min_size=1, max_size=5)):
        tree.show(session.at(entries))
        fresh = Tree()
        fresh.sync(folded(journal.items[:entries]).session())
        with_folds(fresh, wanted)

        assert rows(tree) == rows(fresh)
        for width in (40, 60, 100):
            selected = data.draw(st.integers(-1, tree.count - 1))
            assert drawing(tree, journal, width, selected) == drawing(fresh, journal, width, selected)


@given(journals(40), folds)
def test_every_row_answers_and_is_found_again(journal: Journal, wanted: Folds) -> None:
    tree = grown(folded(journal.items).session(), wanted)

    assert [tree.row_of(row) for row in rows(tree)] == list(range(tree.count))


@given(journals(40))
def test_with_nothing_folded_every_thought_is_in_its_row(journal: Journal) -> None:
    tree = grown(folded(journal.items).session())
    tree.open_all()
    session = tree.session

    assert [tree.row(tree.row_of_thought(index)).thought for index in range(session.thought_count)] == [
        *range(session.thought_count)
    ]


@given(journals(40), folds)
def test_a_thought_that_is_folded_away_is_found_at_what_hides_it(journal: Journal, wanted: Folds) -> None:
    tree = grown(folded(journal.items).session(), wanted)
    session = tree.session
    for index in range(session.thought_count):
        row = tree.row(tree.row_of_thought(index))
        if row.kind is RowKind.CHAIN:
            assert row.chain == session.thoughts.chain_of(index)
            assert not tree.is_chain_open(row.chain)
        elif row.kind is RowKind.BRANCH:
            assert tree.is_folded(row.lane)
            assert row.lane in lanes_above(session, index)
        else:
            assert row.thought == index


def lanes_above(session: Session, index: int) -> list[int]:
    lane = session.lanes.get(session.thoughts.lane_of(index))
    found = [lane.ordinal]
    while lane.parent != NONE:
        lane = session.lanes.get(lane.parent)
        found.append(lane.ordinal)
    return found


@given(journals(40))
def test_branches_stand_right_below_what_hangs_from_the_thought_they_leave(journal: Journal) -> None:
    tree = grown(folded(journal.items).session())
    tree.open_all()
    session, above = tree.session, list[TreeRow]()
    for row in rows(tree):
        if row.kind is RowKind.BRANCH and (fork := session.lanes.get(row.lane).fork) != NONE:
            between = above[next(n for n, one in enumerate(above) if one.thought == fork) + 1 :]
            others = [lane for lane in session.lanes.branches_from(fork) if lane < row.lane]
            assert all(any(lane in lanes_of(session, one) for lane in others) for one in between)
        above.append(row)


def lanes_of(session: Session, row: TreeRow) -> list[int]:
    lane, found = session.lanes.get(row.lane), [row.lane]
    while lane.parent != NONE:
        lane = session.lanes.get(lane.parent)
        found.append(lane.ordinal)
    return found


@given(journals(40), folds, st.lists(st.integers(0, 40), max_size=3))
def test_folding_and_unfolding_leaves_no_trace(journal: Journal, wanted: Folds, looks: list[int]) -> None:
    session = folded(journal.items).session()
    tree, plain_tree = grown(session, wanted), grown(session)
    for entries in looks:
        tree.show(session.at(entries))
    tree.show(session)
    for lane in (one for chain in range(session.chain_count) for one in session.chains.lanes_of(chain)):
        tree.fold(lane, folded=False)
    for chain in range(session.chain_count - 1):
        tree.open_chain(chain, opened=False)
    if session.chain_count:
        tree.open_chain(session.chain_count - 1, opened=True)

    assert rows(tree) == rows(plain_tree)


def test_a_chain_that_is_alone_cannot_be_folded_away() -> None:
    tree = grown(folded(Journal().think(1).think(2).items).session())
    tree.open_chain(0, opened=False)

    assert [row.kind for row in rows(tree)] == [RowKind.THOUGHT, RowKind.THOUGHT, RowKind.EXPECTED]


def test_a_trunk_cannot_be_folded() -> None:
    tree = grown(folded(Journal().think(1).branch(1, "a", 1).items).session())
    tree.fold(0, folded=True)

    assert [row.kind for row in rows(tree)][:3] == [RowKind.THOUGHT, RowKind.BRANCH, RowKind.THOUGHT]


def test_a_refused_call_keeps_its_row_when_the_first_thought_comes() -> None:
    journal = Journal().rejected().rejected()
    tree = grown(folded(journal.items).session())
    refused = tree.row(1)
    tree.sync(folded(journal.think(1).items).session())

    assert tree.row_of(refused) == 1
    assert [row.kind for row in rows(tree)][:3] == [RowKind.ASIDE, RowKind.ASIDE, RowKind.THOUGHT]


def test_calls_refused_after_a_fork_stand_below_what_hangs_from_it() -> None:
    journal = Journal().think(1).think(2).rejected().branch(1, "a", 2).branch(1, "b", 2)
    tree = grown(folded(journal.items).session())
    kinds: list[Any] = [(row.kind.name, row.ordinal) for row in rows(tree)]

    assert kinds == [
        ("THOUGHT", 0),
        ("THOUGHT", 1),
        ("BRANCH", 1),
        ("THOUGHT", 2),
        ("BRANCH", 2),
        ("THOUGHT", 3),
        ("EXPECTED", 2),
        ("ASIDE", 0),
    ]
