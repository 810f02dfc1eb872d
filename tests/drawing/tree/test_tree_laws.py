"""The tree's law: whatever was folded, added and shown before, its rows are those of a tree that is rebuilt."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.drawing.tree.row_source import TreeRow
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded


def rows(tree: Tree) -> list[TreeRow]:
    return [tree.row(number) for number in range(tree.count)]


def folded_lanes(tree: Tree, whole: Session) -> list[int]:
    return [
        lane for chain in range(whole.chain_count) for lane in whole.chains.lanes_of(chain)[1:] if tree.is_folded(lane)
    ]


def rebuilt(tree: Tree, whole: Session) -> Tree:
    """Return a new tree in which the same is open and folded, one thing at a time."""
    new, shown = Tree(), tree.session
    new.sync(whole)
    opened = [tree.is_chain_open(chain) for chain in range(whole.chain_count)]
    new.show(shown)
    opened[: shown.chain_count] = [tree.is_chain_open(chain) for chain in range(shown.chain_count)]
    for chain, is_open in enumerate(opened):
        new.open_chain(chain, opened=is_open)
    for lane in folded_lanes(tree, whole):
        new.fold(lane, folded=True)
    return new


def step(tree: Tree, whole: Session, data: st.DataObject) -> None:
    """Fold or unfold something, or show another position."""
    lanes = [lane for chain in range(whole.chain_count) for lane in whole.chains.lanes_of(chain)]
    match data.draw(st.sampled_from(["lane", "chain", "fold", "unfold", "show"])):
        case "lane" if lanes:
            lane = data.draw(st.sampled_from(lanes))
            if whole.lanes.get(lane).chain < tree.session.chain_count and tree.is_chain_open(
                whole.lanes.get(lane).chain
            ):
                tree.fold(lane, folded=data.draw(st.booleans()))
        case "chain" if tree.session.chain_count:
            chain = data.draw(st.integers(0, tree.session.chain_count - 1))
            tree.open_chain(chain, opened=data.draw(st.booleans()))
        case "fold":
            tree.fold_all()
        case "unfold":
            tree.unfold_all()
        case "show":
            tree.show(whole.at_thought(data.draw(st.integers(0, whole.thought_count))))
        case _:
            pass


@given(journals(40), st.data())
def test_rows_are_those_of_a_rebuilt_tree(journal: Journal, data: st.DataObject) -> None:
    growing, tree, begin = Fold(), Tree(), 0
    for end in sorted(data.draw(st.lists(st.integers(0, len(journal.items)), max_size=4))):
        folded(journal.items[begin:end], growing)
        begin, whole = end, growing.session()
        tree.sync(whole)
        for _ in range(data.draw(st.integers(0, 4))):
            step(tree, whole, data)

            assert rows(tree) == rows(rebuilt(tree, whole))


@given(journals(40))
def test_all_is_folded_and_unfolded(journal: Journal) -> None:
    growing = Fold()
    folded(journal.items, growing)
    session, tree, opened = growing.session(), Tree(), Tree()
    tree.sync(session)
    opened.sync(session)
    opened.open_all()
    several = session.chain_count > 1

    tree.unfold_all()
    unfolded = rows(tree)
    tree.fold_all()
    all_folded = [lane for chain in range(session.chain_count) for lane in session.chains.lanes_of(chain)[1:]]
    is_open = [tree.is_chain_open(chain) for chain in range(session.chain_count)]
    folded_now = folded_lanes(tree, session)
    tree.unfold_all()

    assert unfolded == rows(opened)
    assert is_open == [not several] * session.chain_count
    assert folded_now == all_folded
    assert rows(tree) == unfolded
