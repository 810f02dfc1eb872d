"""Where branches come back: the first thought behind a branch that names it, on the lane it left or the trunk."""

import pytest

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.returns.branch_watch import MAX_CALLS_AWAY, MAX_WATCHED
from seqthink.chain.session import Session
from seqthink.core.text import MAX_FOLDED_CHARS
from tests.support.journals.events_factory import Journal, folded


def session_of(journal: Journal, *, has_native: bool = False) -> Session:
    return folded(journal.items, Fold(has_native=has_native)).session()


def returns(journal: Journal, *, has_native: bool = False) -> dict[int, list[str | None]]:
    """Return by the ``seq`` of a thought the branches that it brings back."""
    session = session_of(journal, has_native=has_native)
    found = {index: session.branch_returns.brought_back_by(index) for index in range(session.thought_count)}
    return {
        session.thoughts.get(index).seq: [session.lanes.get(lane).name for lane in lanes]
        for index, lanes in found.items()
        if lanes
    }


def test_the_first_thought_of_the_trunk_that_names_a_branch_brings_it_back() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, "b-1 is it").think(3, "as b-1 says")

    assert returns(journal) == {3: ["b-1"]}


def test_a_thought_before_the_branch_brings_nothing_back() -> None:
    journal = Journal().think(1, "let b-1 try").think(1, branchId="b-1").think(2, "go on")

    assert returns(journal) == {}


def test_a_branch_that_goes_on_comes_back_again() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, "b-1 so far").think(2, branchId="b-1")
    journal.think(3, "b-1 again").think(4, "b-1 still")

    assert returns(journal) == {3: ["b-1"], 5: ["b-1"]}
    assert list(session_of(journal).branch_returns.returns_of(1)) == [2, 4]


def test_a_thought_brings_several_back_in_the_order_in_which_they_opened() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(1, branchId="b-2").think(2, branchId="b-1")
    journal.think(2, "b-2 and b-1")

    assert returns(journal) == {5: ["b-1", "b-2"]}


def test_a_branch_comes_back_to_the_branch_that_it_left() -> None:
    journal = Journal().think(1).think(2, branchId="b-1").think(3, branchId="b-2", branchFromThought=2)
    journal.think(4, "b-2 it is", branchId="b-1")

    assert returns(journal) == {4: ["b-2"]}


def test_a_branch_of_a_branch_comes_back_to_the_trunk_too() -> None:
    journal = Journal().think(1).think(2, branchId="b-1").think(3, branchId="b-2", branchFromThought=2).think(2, "b-2")

    assert returns(journal) == {4: ["b-2"]}


def test_a_branch_does_not_come_back_to_another_one_beside_it() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(1, "unlike b-1", branchId="b-2")

    assert returns(journal) == {}


def test_a_branch_does_not_come_back_to_itself() -> None:
    assert returns(Journal().think(1).think(1, branchId="b-1").think(2, "b-1", branchId="b-1")) == {}


def test_only_its_own_agent_brings_a_branch_back() -> None:
    journal = Journal().think(1).think(1, agent="A").think(2, branchId="b-1", agent="A").think(2, "b-1")
    journal.think(3, "b-1", agent="A")

    assert returns(journal) == {5: ["b-1"]}


def test_a_branch_of_an_earlier_chain_does_not_come_back() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(1, "another problem, unlike b-1")

    assert returns(journal) == {}


def test_an_unnamed_branch_has_no_name_to_come_back_by() -> None:
    assert returns(Journal().think(1).think(2, branchFromThought=1).think(2, "from 1, `from 1`")) == {}


def test_a_retry_brings_nothing_back_a_second_time() -> None:
    assert returns(Journal().think(1).think(1, branchId="b-1").think(2, "b-1").again()) == {3: ["b-1"]}


@pytest.mark.parametrize("has_native", [False, True])
def test_native_reasoning_brings_nothing_back(has_native: bool) -> None:
    journal = Journal().think(1).think(1, branchId="b-1").reason(text="b-1").prompt().think(2, "b-1")

    assert list(returns(journal, has_native=has_native).values()) == [["b-1"]]


def test_a_return_that_was_left_behind_is_another_one_s_to_make() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, "b-1 it is").rewound(of=3).think(2, "or b-1?")
    session = session_of(journal)

    assert returns(journal) == {3: ["b-1"], 5: ["b-1"]}
    assert session.branch_returns.return_of(1) == 3
    assert session.at(4).branch_returns.return_of(1) == NONE
    assert session.at(3).branch_returns.return_of(1) == 2


def test_a_branch_that_was_left_behind_does_not_come_back() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").rewound(of=2).think(2, "b-1 it was")

    assert returns(journal) == {}
    assert session_of(journal).branch_returns.return_of(1) == NONE


def test_what_a_branch_thought_after_it_came_back_may_be_left_behind() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, "b-1").think(2, branchId="b-1").rewound(of=4)
    journal.think(3, "b-1")

    assert returns(journal) == {3: ["b-1"]}


def test_the_return_of_a_branch_is_the_one_since_its_newest_thought() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, "b-1").think(2, branchId="b-1")
    session = session_of(journal)

    assert session.branch_returns.return_of(1) == NONE
    assert session.at(3).branch_returns.return_of(1) == 2
    assert session.branch_returns.return_of(0) == NONE


def test_a_branch_is_looked_for_for_a_thousand_calls() -> None:
    journal = Journal().think(1).think(1, branchId="b-1")
    for number in range(2, MAX_CALLS_AWAY + 1):
        journal.think(number)
    just, late = [*journal.items], [*journal.think(MAX_CALLS_AWAY + 1).items]
    fold_just, fold_late = folded(just), folded(late)
    folded(Journal().think(9, "b-1").items, fold_just)
    folded(Journal().think(9, "b-1").items, fold_late)

    assert fold_just.session().branch_returns.return_of(1) == MAX_CALLS_AWAY + 1
    assert fold_late.session().branch_returns.return_of(1) == NONE


def test_the_branches_that_opened_last_are_looked_for() -> None:
    journal = Journal().think(1)
    for number in range(MAX_WATCHED + 1):
        journal.think(1, branchId=f"b-{number}")
    journal.think(2, f"b-0, b-1 and b-{MAX_WATCHED}")

    assert list(returns(journal).values()) == [["b-1", f"b-{MAX_WATCHED}"]]


def test_the_beginning_of_a_text_is_looked_at() -> None:
    journal = Journal().think(1).think(1, branchId="b-1").think(2, " " * MAX_FOLDED_CHARS + "b-1")
    journal.think(3, " " * (MAX_FOLDED_CHARS - 3) + "b-1" + " " * 9)

    assert returns(journal) == {4: ["b-1"]}
