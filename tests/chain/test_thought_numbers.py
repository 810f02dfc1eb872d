"""Which thought does a number mean: each step of the order, where the next would say otherwise.

The order is docs/journal.md's, "Which thought a number means".
"""

import json

import pytest

from seqthink.share.export.document import document
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.fold_drawing import drawn
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.naive_fold import naive_document

# branchFromThought


def test_a_fork_is_the_newest_of_its_number_on_the_trunk() -> None:
    journal = Journal().think(1).think(2).think(2).branch(3, "a", 2)

    assert drawn(journal) == ["trunk: 1 2 2=", "a from #3: 3"]


def test_a_fork_on_the_trunk_goes_before_a_newer_one_in_the_current_branch() -> None:
    journal = Journal().think(1).think(2).branch(2, "a", 1).branch(3, "b", 2)

    assert drawn(journal) == ["trunk: 1 2", "a from #1: 2", "b from #2: 3"]


def test_a_fork_that_the_trunk_lacks_is_sought_in_the_current_branch() -> None:
    journal = Journal().think(1).branch(2, "a").branch(2, "b").branch(2, "a").branch(3, "c", 2)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2 2=", "b from #1: 2", "c from #4: 3"]


def test_a_fork_is_sought_in_the_lane_of_the_thought_before_not_in_the_newest_to_have_it() -> None:
    journal = Journal().think(1).branch(2, "a").branch(2, "b").branch(3, "a").branch(3, "c", 2)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2 3", "b from #1: 2", "c from #2: 3"]


def test_a_fork_is_sought_up_through_the_ancestors() -> None:
    journal = Journal().think(1).branch(2, "a").branch(3, "a").branch(2, "other").branch(4, "b", 3).branch(3, "c", 2)

    # the current lane is "b", whose parent is "a": its 2 goes before the newer one of "other"
    assert drawn(journal) == [
        "trunk: 1",
        "a from #1: 2 3",
        "other from #1: 2",
        "b from #3: 4",
        "c from #2: 3",
    ]


def test_a_fork_may_be_newer_than_the_way_up_left_an_ancestor() -> None:
    journal = Journal().think(1).branch(2, "a").branch(3, "b", 2).branch(2, "a").branch(4, "b").branch(5, "c", 2)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2 2=", "b from #2: 3 4", "c from #4: 5"]


def test_a_fork_that_no_ancestor_has_is_the_newest_of_the_chain() -> None:
    journal = Journal().think(1).branch(2, "a").branch(2, "b").think(3).branch(3, "c", 2)

    assert drawn(journal) == ["trunk: 1 3", "a from #1: 2", "b from #1: 2", "c from #3: 3"]


def test_a_fork_that_does_not_exist_is_unresolved() -> None:
    journal = Journal().think(1).branch(2, "a", 9)

    assert drawn(journal) == ["trunk: 1", "a from 9?: 2"]


def test_a_fork_is_no_thought_of_an_earlier_chain() -> None:
    journal = Journal().think(1).think(2).think(1).branch(3, "a", 2)

    assert drawn(journal) == ["trunk: 1 2", "--", "trunk: 1", "a from 2?: ..1 3"]


def test_the_lane_of_the_thought_before_may_be_a_branch_without_a_fork() -> None:
    journal = Journal().branch(2, "a", 9).branch(3, "b", 2)

    assert drawn(journal) == ["trunk:", "a from 9?: ..1 2", "b from #1: 3"]


def test_an_unnamed_branch_is_sought_from_the_current_lane_too() -> None:
    journal = Journal().think(1).branch(2, "a").think(3, branchFromThought=2).think(4, branchFromThought=2)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2", "(from 2) from #2: 3 4"]


# revisesThought


def test_a_target_is_the_newest_of_its_number_in_the_own_lane() -> None:
    journal = Journal().think(1).think(2).branch(2, "a", 1).branch(2, "a").branch(3, "a", revisesThought=2)

    assert drawn(journal) == ["trunk: 1 2", "a from #1: 2 2= 3↺#4"]


def test_a_target_comes_before_the_thought_that_revises_it() -> None:
    journal = Journal().think(1).revise(2, 2).revise(2, 2)

    assert drawn(journal) == ["trunk: 1 2↺2? 2↺#2"]


def test_a_target_on_an_ancestor_is_sought_only_as_far_as_the_fork() -> None:
    journal = Journal().think(1).think(2).branch(3, "a", 2).think(2).branch(4, "a", revisesThought=2)

    assert drawn(journal) == ["trunk: 1 2 2=", "a from #2: 3 4↺#2"]


def test_the_fork_itself_can_be_the_target() -> None:
    journal = Journal().think(1).branch(2, "a", 1, revisesThought=1)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2↺#1"]


def test_each_ancestor_is_sought_only_as_far_as_its_own_fork() -> None:
    journal = (
        Journal()
        .think(1)
        .branch(2, "a")
        .branch(3, "b", 2)
        .branch(2, "a")
        .branch(4, "c", 3)
        .branch(5, "c", revisesThought=2)
    )

    assert drawn(journal) == [
        "trunk: 1",
        "a from #1: 2 2=",
        "b from #2: 3",
        "c from #3: 4 5↺#2",
    ]


def test_a_target_that_the_trunk_took_after_the_fork_is_found_after_all() -> None:
    journal = Journal().think(1).branch(2, "a", 1).think(2).think(3).branch(3, "b").branch(4, "a", revisesThought=3)

    # "b" has the newer 3; the trunk goes before the rest of the chain
    assert drawn(journal) == ["trunk: 1 2 3", "a from #1: 2 4↺#4", "b from #4: 3"]


def test_a_target_that_a_side_branch_alone_has_is_the_newest_of_the_chain() -> None:
    journal = Journal().think(1).branch(2, "a").branch(2, "b").revise(3, 2)

    assert drawn(journal) == ["trunk: 1 3↺#3", "a from #1: 2", "b from #1: 2"]


def test_a_target_that_an_ancestor_took_after_its_fork_is_still_found_in_the_chain() -> None:
    journal = Journal().think(1).branch(2, "a").branch(3, "b", 2).branch(4, "a").branch(5, "b", revisesThought=4)

    assert drawn(journal) == ["trunk: 1", "a from #1: 2 4", "b from #2: 3 5↺#4"]


def test_a_target_that_does_not_exist_is_unresolved_and_stays_so() -> None:
    journal = Journal().think(1).revise(2, 9).think(9)

    assert drawn(journal) == ["trunk: 1 2↺9? ..6 9(5→9)"]


def test_a_target_is_no_thought_of_an_earlier_chain() -> None:
    journal = Journal().think(1).think(2).think(1).revise(2, 2)

    assert drawn(journal) == ["trunk: 1 2", "--", "trunk: 1 2↺2?"]


def test_a_target_in_a_lane_without_a_fork_is_sought_on_the_trunk() -> None:
    journal = Journal().branch(2, "a", 9).think(1).branch(3, "a", revisesThought=1)

    assert drawn(journal) == ["trunk: 1", "a from 9?: ..1 2 3↺#2"]


# At most 64 ancestors


def as_naive(journal: Journal) -> bool:
    shown = document(GivenTexts(folded(journal.items).session(), texts(journal.items).__getitem__))
    return json.loads(json.dumps(shown)) == naive_document(journal.items)


def _nested(depth: int) -> Journal:
    """Return a trunk, ``depth`` lanes, each leaving from the one before, and a side branch.

    Number 2 is taken by the first of those lanes, and again by the side branch.
    """
    journal = Journal().think(1).branch(2, "b1", 1).branch(3, "b1")
    for level in range(2, depth + 1):
        journal.branch(level + 2, f"b{level}", level + 1)
    return journal.branch(2, "side", 1)


@pytest.mark.parametrize(("depth", "is_reached"), [(65, True), (66, False)])
def test_a_target_is_sought_among_64_ancestors(depth: int, *, is_reached: bool) -> None:
    journal = _nested(depth)
    side = journal.seq
    journal.branch(depth + 3, f"b{depth}", revisesThought=2)
    session = folded(journal.items).session()

    target = session.thoughts.get(session.thoughts.get(session.thought_count - 1).target)

    assert target.seq == (2 if is_reached else side)
    assert as_naive(journal)


@pytest.mark.parametrize(("depth", "is_reached"), [(65, True), (66, False)])
def test_a_fork_is_sought_among_64_ancestors(depth: int, *, is_reached: bool) -> None:
    journal = _nested(depth)
    side = journal.seq
    journal.branch(depth + 3, f"b{depth}").branch(3, "new", 2)
    session = folded(journal.items).session()

    fork = session.thoughts.get(session.lanes.get(session.thoughts.lane_of(session.thought_count - 1)).fork)

    assert fork.seq == (2 if is_reached else side)
    assert as_naive(journal)
