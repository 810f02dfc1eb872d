"""Rules of docs/journal.md, "From events to a session: the fold", by example: retries, chains, lanes, numbers."""

import pytest

from seqthink.core.events import AuditEvent
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.fold_drawing import drawn

# Before all rules


def test_an_empty_branch_id_is_no_branch() -> None:
    journal = Journal().think(1).think(2, branchId="")

    assert drawn(journal) == ["trunk: 1 2"]


def test_an_empty_branch_id_with_a_fork_is_an_unnamed_branch() -> None:
    journal = Journal().think(1).think(2, branchId="", branchFromThought=1)

    assert drawn(journal) == ["trunk: 1", "(from 1) from #1: 2"]


def test_revises_thought_alone_makes_a_revision() -> None:
    journal = Journal().think(1).think(2, revisesThought=1)

    assert drawn(journal) == ["trunk: 1 2↺#1"]


def test_revises_thought_is_ignored_where_is_revision_is_false() -> None:
    journal = Journal().think(1).think(2, isRevision=False, revisesThought=1)

    assert drawn(journal) == ["trunk: 1 2"]


def test_a_first_number_with_every_field_filled_in_still_begins_a_chain() -> None:
    journal = Journal().think(1).think(1, isRevision=False, revisesThought=1)

    assert drawn(journal) == ["trunk: 1", "--", "trunk: 1"]


def test_is_revision_without_a_target_is_a_revision_with_no_arrow() -> None:
    journal = Journal().think(1).think(2, isRevision=True)

    assert drawn(journal) == ["trunk: 1 2↺"]


# Retries


def test_a_thought_equal_in_all_nine_fields_is_a_retry_and_begins_no_chain() -> None:
    journal = Journal().think(1).again().again()

    assert drawn(journal) == ["trunk: 1 1= 1="]


def test_a_retry_across_a_session_event_and_a_refusal_is_still_a_retry() -> None:
    journal = Journal().session().think(1).rejected().end().session(resumed=True).again()

    assert drawn(journal) == ["trunk: 1 1="]


@pytest.mark.parametrize(
    "field",
    [
        {"thought": "other"},
        {"nextThoughtNeeded": False},
        {"totalThoughts": 6},
        {"isRevision": False},
        {"needsMoreThoughts": True},
    ],
)
def test_a_thought_that_differs_in_one_field_is_no_retry(field: dict[str, object]) -> None:
    text = str(field.pop("thought", "same"))
    journal = Journal().think(1, "same").think(1, text, **field)

    assert len(drawn(journal)) == 3


def test_what_the_answer_added_does_not_make_a_retry_another_thought() -> None:
    journal = Journal().think(1, "same").think(1, "same", answeredNext=True, hint="h", toolUseId="u")

    assert drawn(journal) == ["trunk: 1 1="]


def test_an_empty_and_an_absent_branch_id_are_equal_in_a_retry() -> None:
    journal = Journal().think(1, "same", branchId="").think(1, "same")

    assert drawn(journal) == ["trunk: 1 1="]


def test_a_thought_said_again_after_another_is_no_retry() -> None:
    journal = Journal().think(1, "same").think(2).think(1, "same")

    assert drawn(journal) == ["trunk: 1 2", "--", "trunk: 1"]


def test_a_retried_revision_is_marked_as_taken_again() -> None:
    journal = Journal().think(1).revise(2, 1).again()

    assert drawn(journal) == ["trunk: 1 2↺#1 2↺#1="]


# Chains


def test_the_first_thought_begins_a_chain_whatever_it_is() -> None:
    assert drawn(Journal().think(3)) == ["trunk: ..2 3"]
    assert drawn(Journal().revise(2, 1)) == ["trunk: 2↺1?"]
    assert drawn(Journal().branch(2, "a", 1)) == ["trunk:", "a from 1?: ..1 2"]


def test_number_one_on_a_trunk_with_thoughts_begins_a_chain() -> None:
    journal = Journal().think(1).think(2).think(1).think(2)

    assert drawn(journal) == ["trunk: 1 2", "--", "trunk: 1 2"]


def test_number_one_begins_a_chain_although_the_trunk_has_no_one_yet() -> None:
    journal = Journal().think(3).think(1)

    assert drawn(journal) == ["trunk: ..2 3", "--", "trunk: 1"]


def test_another_number_than_one_begins_no_chain() -> None:
    journal = Journal().think(1).think(2, nextThoughtNeeded=False).think(2)

    assert drawn(journal) == ["trunk: 1 2✓ 2="]


def test_a_revision_with_number_one_begins_no_chain() -> None:
    journal = Journal().think(1).think(2).revise(1, 2)

    assert drawn(journal) == ["trunk: 1 2 1↺#2"]


def test_number_one_in_a_branch_begins_no_chain_while_the_trunk_has_thoughts() -> None:
    journal = Journal().think(1).branch(1, "a").branch(1, "a").branch(1, "b", 1).think(1, branchFromThought=1)

    assert drawn(journal) == [
        "trunk: 1",
        "a from #1: 1 1=",
        "b from #1: 1",
        "(from 1) from #1: 1",
    ]


def test_number_one_outside_a_branch_joins_a_chain_whose_trunk_is_empty() -> None:
    journal = Journal().branch(1, "a").branch(2, "a").think(1)

    assert drawn(journal) == ["trunk: 1", "a ?: 1 2"]


def test_a_second_one_in_a_branch_begins_a_chain_while_the_trunk_is_empty() -> None:
    journal = Journal().branch(1, "a").branch(2, "a").branch(1, "a").branch(2, "a")

    assert drawn(journal) == ["trunk:", "a ?: 1 2", "--", "trunk:", "a ?: 1 2"]


def test_a_second_one_in_a_branch_begins_a_chain_also_when_it_names_a_fork() -> None:
    journal = Journal().branch(1, "a", 2).branch(2, "a", 1).branch(1, "a", 2)

    assert drawn(journal) == ["trunk:", "a from 2?: 1 2", "--", "trunk:", "a from 2?: 1"]


def test_a_first_one_in_a_branch_that_is_not_new_begins_no_chain() -> None:
    journal = Journal().branch(2, "a").branch(1, "a")

    assert drawn(journal) == ["trunk:", "a ?: ..1 2 1"]


def test_a_new_branch_id_without_a_fork_begins_a_chain_while_the_trunk_is_empty() -> None:
    journal = Journal().branch(1, "a").branch(2, "a").branch(1, "b")

    assert drawn(journal) == ["trunk:", "a ?: 1 2", "--", "trunk:", "b ?: 1"]


def test_a_new_branch_id_with_a_fork_begins_no_chain() -> None:
    journal = Journal().branch(1, "a").branch(2, "a").branch(1, "b", 2)

    assert drawn(journal) == ["trunk:", "a ?: 1 2", "b from #2: 1"]


def test_a_retry_in_a_branch_begins_no_chain() -> None:
    journal = Journal().branch(1, "a").again()

    assert drawn(journal) == ["trunk:", "a ?: 1 1="]


def test_a_revision_in_a_branch_begins_no_chain() -> None:
    journal = Journal().branch(1, "a").branch(1, "a", isRevision=True).branch(1, "b", revisesThought=1)

    assert drawn(journal) == ["trunk:", "a ?: 1 1↺", "b ?: 1↺#2"]


def test_an_unnamed_branch_that_has_a_one_begins_a_chain_while_the_trunk_is_empty() -> None:
    journal = Journal().branch(2, "a").think(1, branchFromThought=2).think(1, branchFromThought=2)

    assert drawn(journal) == [
        "trunk:",
        "a ?: ..1 2",
        "(from 2) from #1: 1",
        "--",
        "trunk:",
        "(from 2) from 2?: 1",
    ]


def test_branch_ids_and_numbers_of_an_earlier_chain_are_forgotten() -> None:
    journal = Journal().think(1).think(2).branch(3, "a", 2).think(1).branch(2, "a", 2).revise(3, 3)

    assert drawn(journal) == [
        "trunk: 1 2",
        "a from #2: 3",
        "--",
        "trunk: 1 3↺3?",
        "a from 2?: 2",
    ]


# Lanes


def test_a_branch_is_opened_once_and_its_fork_never_moves() -> None:
    journal = Journal().think(1).think(2).branch(3, "a", 1).think(3).branch(4, "a", 3).branch(5, "a")

    assert drawn(journal) == ["trunk: 1 2 3", "a from #1: 3 4 5"]


def test_a_fork_that_comes_later_stays_unresolved() -> None:
    journal = Journal().think(1).branch(2, "a", 3).think(2).think(3).branch(3, "a", 3)

    assert drawn(journal) == ["trunk: 1 2 3", "a from 3?: 2 3"]


def test_a_branch_without_a_fork_leaves_from_the_last_thought_of_the_trunk() -> None:
    journal = Journal().think(1).think(2).branch(3, "a").branch(4, "b").think(3).branch(4, "c")

    assert drawn(journal) == ["trunk: 1 2 3", "a from #2: 3", "b from #2: 4", "c from #5: 4"]


def test_a_branch_without_a_fork_has_none_while_the_trunk_is_empty() -> None:
    journal = Journal().branch(2, "a").think(1).branch(3, "a")

    assert drawn(journal) == ["trunk: 1", "a ?: ..1 2 3"]


def test_lanes_stand_in_the_order_in_which_they_opened() -> None:
    journal = Journal().think(1).branch(2, "z", 1).branch(2, "a", 1).think(2, branchFromThought=1)

    assert drawn(journal) == ["trunk: 1", "z from #1: 2", "a from #1: 2", "(from 1) from #1: 2"]


def test_unnamed_branches_are_kept_apart_by_the_thought_they_leave_from() -> None:
    journal = (
        Journal()
        .think(1)
        .think(2)
        .think(3, branchFromThought=2)
        .think(4, branchFromThought=2)
        .think(2)
        .think(3, branchFromThought=2)
    )

    assert drawn(journal) == ["trunk: 1 2 2=", "(from 2) from #2: 3 4", "(from 2) from #5: 3"]


def test_unresolved_unnamed_branches_are_kept_apart_by_their_number() -> None:
    journal = (
        Journal()
        .think(1)
        .think(2, branchFromThought=8)
        .think(2, branchFromThought=9)
        .think(3, branchFromThought=8)
        .think(3, branchFromThought=9)
    )

    assert drawn(journal) == ["trunk: 1", "(from 8) from 8?: 2 3", "(from 9) from 9?: 2 3"]


def test_a_branch_that_is_named_like_an_unnamed_one_is_another() -> None:
    journal = Journal().think(1).think(2, branchFromThought=1).branch(2, "from 1", 1)

    assert drawn(journal) == ["trunk: 1", "(from 1) from #1: 2", "from 1 from #1: 2"]


def test_a_thought_without_a_branch_goes_back_to_the_trunk() -> None:
    journal = Journal().think(1).branch(2, "a", 1).think(2)

    assert drawn(journal) == ["trunk: 1 2", "a from #1: 2"]


# Repeats and gaps


def test_a_number_that_the_lane_has_is_marked_as_taken_again() -> None:
    journal = Journal().think(1).think(2).branch(2, "a", 1).think(2).branch(2, "a")

    assert drawn(journal) == ["trunk: 1 2 2=", "a from #1: 2 2="]


def test_a_revision_takes_a_number_without_being_a_repeat_but_the_next_to_take_it_is_one() -> None:
    journal = Journal().think(1).think(2).revise(2, 1).revise(3, 1).think(3)

    assert drawn(journal) == ["trunk: 1 2 2↺#1 3↺#1 3="]


def test_a_gap_says_how_many_numbers_are_missing_below_it() -> None:
    journal = Journal().think(1).think(4).think(2).think(5).think(7)

    assert drawn(journal) == ["trunk: 1 ..2 4 2 5 ..1 7(5→7)"]


def test_a_gap_is_counted_from_the_highest_number_of_the_chain_not_of_the_lane() -> None:
    journal = Journal().think(1).branch(2, "a").branch(3, "a").think(4).think(1).think(3)

    assert drawn(journal) == ["trunk: 1 4", "a from #1: 2 3", "--", "trunk: 1 ..1 3"]


def test_a_revision_is_no_gap_but_raises_the_highest_number() -> None:
    journal = Journal().think(1).revise(5, 1).think(6)

    assert drawn(journal) == ["trunk: 1 5↺#1 6(5→6)"]


# Estimates


def test_a_changed_total_is_a_change_within_its_lane() -> None:
    journal = (
        Journal()
        .think(1)
        .branch(2, "a", 1, totalThoughts=9)
        .think(2)
        .branch(3, "a", totalThoughts=8)
        .think(3, totalThoughts=7)
        .revise(4, 1, totalThoughts=4)
    )

    assert drawn(journal) == ["trunk: 1 2 3(5→7) 4↺#1(7→4)", "a from #1: 2 3(9→8)"]


def test_what_the_call_asked_for_is_no_estimate() -> None:
    journal = Journal().think(1).think(6, totalThoughts=6, requestedTotal=5)

    assert drawn(journal) == ["trunk: 1 ..4 6(5→6)"]


def test_a_total_below_the_number_counts_as_the_number() -> None:
    journal = Journal().think(1).think(2).think(6, totalThoughts=2)

    assert drawn(journal) == ["trunk: 1 2 ..3 6(5→6)"]


def test_a_peak_is_the_highest_number_of_the_lane_so_far() -> None:
    session = folded(Journal().think(1).branch(7, "a").think(3).think(2).items).session()

    assert [session.thoughts.get(index).highest_number for index in range(4)] == [1, 7, 3, 3]


def test_needs_more_is_kept_with_its_thought() -> None:
    journal = Journal().think(1).think(2, needsMoreThoughts=True).think(3, needsMoreThoughts=False)
    session = folded(journal.items).session()

    assert [session.thoughts.get(index).needs_more for index in range(3)] == [False, True, False]


# What is not a thought


@pytest.mark.parametrize(
    ("arguments", "above"),
    [
        ({"thoughtNumber": "abc"}, 1),
        ({"thoughtNumber": "abc", "branchId": "x"}, 2),
        ({"thoughtNumber": "abc", "branchId": "unknown"}, 2),
        ("(cannot be shown)", 2),
    ],
)
def test_a_refused_call_is_on_the_lane_that_its_arguments_name_else_behind_the_newest_thought(
    arguments: object, above: int
) -> None:
    session = folded(Journal().think(1).think(2).branch(2, "x", 1).rejected(arguments=arguments).items).session()

    assert session.asides.get(0).thought_above == above


def test_refusals_and_what_belongs_to_thoughts_change_no_lane() -> None:
    journal = Journal().session().rejected().think(1).sample(3).context().note(3).unread().corrupt().think(2)

    assert drawn(journal) == ["trunk: 1 2"]


def test_things_that_belong_to_a_thought_stand_with_it_in_order() -> None:
    journal = Journal().session().context().think(1).think(2).sample(3).context().context(3).note(4).note(9)
    session = folded(journal.items).session()

    kinds = [[one.kind for one in session.thoughts.attachments(index)] for index in range(2)]

    assert kinds == [["sample", "context"], ["context", "note"]]


@pytest.mark.parametrize(
    ("review", "shown"),
    [
        (None, ("", 0)),
        ({}, ("", 0)),
        ({"verdict": "pass", "overall": 92}, ("pass", 92)),
        ({"verdict": "revise", "overall": 70.6}, ("revise", 71)),
        ({"verdict": "reject"}, ("reject", 0)),
        ({"verdict": "reject", "overall": 10**400}, ("reject", 100)),
        ({"verdict": "reject", "overall": -5}, ("reject", 0)),
        ({"verdict": "reject", "overall": float("nan")}, ("reject", 0)),
        ({"verdict": "reject", "overall": float("inf")}, ("reject", 100)),
        ({"verdict": "reject", "overall": "90"}, ("reject", 0)),
        ({"verdict": "fail", "overall": 10}, ("", 0)),
        ({"verdict": ["reject"], "overall": 10}, ("", 0)),
        ({"verdict": {"is": "reject"}}, ("", 0)),
    ],
)
def test_an_audit_shows_a_known_verdict_and_a_score_from_0_to_100(
    review: dict[str, object] | None, shown: tuple[str, int]
) -> None:
    session = folded(Journal().think(1).add(AuditEvent, of=1, review=review).items).session()

    assert [(one.verdict, one.score) for one in session.thoughts.attachments(0)] == [shown]
