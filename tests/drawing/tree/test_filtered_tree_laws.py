"""The filtered tree's law: it has the tree's wanted rows in the tree's order, whatever it was given and when."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.drawing.tree.filtered_tree import FilteredTree
from seqthink.drawing.tree.row_source import RowKind, TreeRow
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded


def wanted_rows(session: Session, thoughts: set[int], asides: set[int]) -> list[TreeRow]:
    """Return what is wanted among the rows of a tree with everything open."""
    tree = Tree()
    tree.sync(session)
    tree.open_all()
    wanted = {RowKind.THOUGHT: thoughts, RowKind.ASIDE: asides}
    rows = (tree.row(number) for number in range(tree.count))
    return [row for row in rows if row.ordinal in wanted.get(row.kind, set[int]())]


def rows(filtered: FilteredTree) -> list[TreeRow]:
    return [filtered.row(number) for number in range(filtered.count)]


@given(journals(40) | journals(40, transcript=True), st.booleans(), st.data())
def test_it_has_the_wanted_rows_of_the_tree_in_their_order(
    journal: Journal, has_native: bool, data: st.DataObject
) -> None:
    growing = Fold(has_native=has_native)
    cut = data.draw(st.integers(0, len(journal.items)))
    folded(journal.items[:cut], growing)
    filtered, half = FilteredTree(growing.session()), growing.session()
    folded(journal.items[cut:], growing)
    session = growing.session()
    thoughts = (
        data.draw(st.lists(st.integers(0, max(0, session.thought_count - 1)), unique=True))
        if session.thought_count
        else []
    )
    asides = [number for number in range(session.asides.count) if data.draw(st.booleans())]
    filtered.add_matches(
        [one for one in thoughts if one < half.thought_count],
        [one for one in asides if one < half.asides.count],
    )
    filtered.sync(session)
    filtered.add_matches(
        [one for one in thoughts if one >= half.thought_count],
        [one for one in asides if one >= half.asides.count],
    )

    assert rows(filtered) == wanted_rows(session, set(thoughts), set(asides))
    assert [filtered.row_of(row) for row in rows(filtered)] == list(range(filtered.count))
    assert all(filtered.row(filtered.row_of_thought(one)).ordinal == one for one in thoughts)

    earlier = session.at(data.draw(st.integers(0, session.entry_count)))
    filtered.show(earlier)
    then = (
        {one for one in thoughts if one < earlier.thought_count},
        {one for one in asides if one < earlier.asides.count},
    )
    assert rows(filtered) == wanted_rows(earlier, *then)


def test_what_was_found_at_the_foot_of_a_chain_is_there_when_it_heads_the_next() -> None:
    journal = Journal().think(1).answer().prompt().reason().think(1)
    session = folded(journal.items, Fold(has_native=True)).session()
    filtered = FilteredTree(session)
    filtered.show(session.at(session.entry_count - 1))
    filtered.add_matches([2, 3], [])
    before = [(row.chain, row.ordinal) for row in rows(filtered)]

    filtered.show(session)

    assert before == [(0, 2), (0, 3)]
    assert [(row.chain, row.ordinal) for row in rows(filtered)] == [(1, 2), (1, 3)]


@given(journals(40))
def test_after_it_forgot_it_takes_other_rows(journal: Journal) -> None:
    session = folded(journal.items).session()
    filtered = FilteredTree(session)
    filtered.add_matches(range(session.thought_count), range(session.asides.count))
    filtered.clear_matches()
    assert rows(filtered) == []

    filtered.add_matches(range(0, session.thought_count, 2), [])
    assert rows(filtered) == wanted_rows(session, set(range(0, session.thought_count, 2)), set())


def test_every_chain_has_all_its_rows() -> None:
    journal = Journal()
    for _ in range(3):
        for number in range(1, 6):
            journal.think(number)
        journal.rejected()
    session = folded(journal.items).session()
    filtered = FilteredTree(session)
    filtered.add_matches(range(session.thought_count), range(session.asides.count))

    assert (session.chain_count, filtered.count) == (3, 18)
    assert rows(filtered) == wanted_rows(session, set(range(15)), set(range(3)))
