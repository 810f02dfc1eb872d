"""Rules of docs/journal.md, "From events to a session: the fold", by example: final thoughts and ends."""

import pytest

from seqthink.chain.state import State
from seqthink.core.events import WriterState
from tests.support.journals.events_factory import Journal, folded
from tests.support.journals.fold_drawing import drawn, states


def test_a_thought_is_final_when_no_other_is_needed() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).think(2)

    assert drawn(journal) == ["trunk: 1✓ 2"]


def test_the_answer_decides_whether_another_is_needed() -> None:
    journal = (
        Journal()
        .think(1, nextThoughtNeeded=False, answeredNext=True)
        .think(2, nextThoughtNeeded=True, answeredNext=False)
    )

    assert drawn(journal) == ["trunk: 1 2✓"]


@pytest.mark.parametrize(("verdict", "shown"), [("pass", "1✓"), ("revise", "1"), ("reject", "1"), (None, "1✓")])
def test_an_audit_reopens_a_thought_unless_it_passes(verdict: str | None, shown: str) -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).audit(1, verdict)

    assert drawn(journal) == [f"trunk: {shown}"]


@pytest.mark.parametrize(
    ("action", "purpose", "shown"),
    [
        ("accept", "limit", "1"),
        ("decline", "limit", "1✓"),
        ("cancel", "limit", "1✓"),
        ("accept", "ask", "1✓"),
    ],
)
def test_only_an_accepted_question_about_the_limit_reopens_a_thought(action: str, purpose: str, shown: str) -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).elicit(1, action, purpose)

    assert drawn(journal) == [f"trunk: {shown}"]


@pytest.mark.parametrize(
    ("action", "error", "shown"),
    [
        (None, "client left", "1"),
        (None, "the call was called off", "1"),
        (None, "no answer within 600 s", "1✓"),
        ("decline", None, "1✓"),
        ("cancel", None, "1✓"),
        ("accept", None, "1"),
    ],
)
def test_a_thought_about_whose_end_the_person_is_asked_is_final_once_its_call_is_answered(
    action: str | None, error: str | None, shown: str
) -> None:
    journal = Journal().think(1, answeredNext=False)
    journal.asking(of=1).elicit(of=1, action=action, error=error)
    session = folded(journal.items).session()

    assert drawn(journal) == [f"trunk: {shown}"]
    assert [session.at(count).thoughts.is_final(0) for count in (1, 2, 3)] == [True, False, shown == "1✓"]


def test_only_a_person_who_is_asked_about_the_limit_keeps_a_thought_open() -> None:
    journal = Journal().think(1, answeredNext=False)
    journal.asking(of=1, kind="sample").asking(of=1, purpose="ask").asking(of=9)

    assert drawn(journal) == ["trunk: 1✓"]


def test_a_chain_whose_person_never_answered_is_lost_with_its_server() -> None:
    journal = Journal().session().think(1, answeredNext=False).asking(of=2)

    assert folded(journal.items).session(WriterState.ALIVE).state is State.THINKING
    assert folded(journal.items).session(WriterState.GONE).state is State.LOST
    assert folded(journal.end().items).session(WriterState.GONE).state is State.STOPPED


def test_what_was_reopened_stays_open() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).audit(1, "revise").audit(1, "pass")

    assert drawn(journal) == ["trunk: 1"]


def test_an_audit_reopens_only_the_thought_that_it_is_of() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).think(2, nextThoughtNeeded=False).audit(1, "reject")

    assert drawn(journal) == ["trunk: 1 2✓"]


def test_an_audit_of_what_is_no_thought_yet_reopens_nothing() -> None:
    journal = (
        Journal().session().audit(3, "reject").think(1, nextThoughtNeeded=False).audit(1, "reject").audit(99, "reject")
    )

    assert drawn(journal) == ["trunk: 1✓"]


def test_a_chain_is_done_when_its_newest_thought_is_final_in_whatever_lane() -> None:
    journal = Journal().think(1).branch(2, "a", 1, nextThoughtNeeded=False)

    assert states(journal) == ["done", "done"]


def test_a_final_thought_that_is_not_the_newest_does_not_make_its_chain_done() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).branch(2, "a", 1)

    assert states(journal, WriterState.ALIVE) == ["thinking", "thinking"]


def test_an_earlier_chain_that_is_not_done_was_left() -> None:
    journal = Journal().think(1).think(1, nextThoughtNeeded=False).think(1).end()

    assert states(journal) == ["left", "done", "stopped", "stopped"]


def test_an_earlier_chain_is_left_when_an_audit_reopens_it_late() -> None:
    journal = Journal().think(1, nextThoughtNeeded=False).think(1).audit(1, "reject")

    assert states(journal, WriterState.ALIVE) == ["left", "thinking", "thinking"]


@pytest.mark.parametrize(
    ("writer", "state"), [(WriterState.ALIVE, "thinking"), (WriterState.GONE, "lost"), (WriterState.UNKNOWN, "unknown")]
)
def test_without_an_end_the_writer_decides_how_the_newest_chain_stands(writer: WriterState, state: str) -> None:
    assert states(Journal().session().think(1), writer) == [state, state]
    assert states(Journal().session(), writer) == [state]
    assert states(Journal(), writer) == [state]


@pytest.mark.parametrize("writer", list(WriterState))
def test_after_an_end_a_chain_is_stopped_whatever_the_writer(writer: WriterState) -> None:
    assert states(Journal().session().think(1).end(), writer) == ["stopped", "stopped"]
    assert states(Journal().session().end("signal"), writer) == ["stopped"]


def test_a_done_chain_stays_done_after_an_end() -> None:
    assert states(Journal().session().think(1, nextThoughtNeeded=False).end()) == ["done", "done"]


def test_only_the_last_of_session_and_end_counts() -> None:
    resumed = Journal().session().think(1).end().session(resumed=True)

    assert states(resumed, WriterState.ALIVE) == ["thinking", "thinking"]
    assert states(resumed, WriterState.GONE) == ["lost", "lost"]
    assert states(resumed.end(), WriterState.GONE) == ["stopped", "stopped"]


def test_a_thought_after_an_end_does_not_undo_it() -> None:
    assert states(Journal().session().end().think(1), WriterState.ALIVE) == ["stopped", "stopped"]


def test_whether_the_writer_lives_is_distinguished_from_the_state() -> None:
    done = folded(Journal().think(1, nextThoughtNeeded=False).items)

    assert [done.session(writer).is_alive for writer in WriterState] == [True, False, False]


def test_a_resume_goes_on_in_the_same_chain() -> None:
    journal = Journal().session().think(1).branch(2, "a", 1).end().session(resumed=True).branch(3, "a").revise(4, 1)

    assert drawn(journal) == ["trunk: 1 4↺#2", "a from #2: 2 3"]
