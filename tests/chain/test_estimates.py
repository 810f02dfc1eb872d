"""Which changes of an estimate are news, and which only keep pace with the numbers."""

from collections.abc import Iterable

from seqthink.chain.fold import fold
from seqthink.chain.model import Landmark
from seqthink.chain.session import Session
from seqthink.drawing.describe.marks import estimate_mark
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.share.export.session_facts import thought_facts
from tests.support.journals.build import JournalBuilder


def _session(steps: Iterable[tuple[int, int]]) -> Session:
    journal = JournalBuilder().session()
    for number, total in steps:
        journal.thought("t", number, total)
    return fold(journal.events)


def _marked(session: Session) -> list[tuple[int, int]]:
    thoughts = [session.thoughts.get(index) for index in range(session.thought_count)]
    return [thought.marked_change for thought in thoughts if thought.marked_change]


def test_an_estimate_that_is_always_the_number_is_quiet_from_the_first_change() -> None:
    session = _session((number, number) for number in range(1, 95))
    thoughts = [session.thoughts.get(index) for index in range(94)]

    assert _marked(session) == []
    assert not session.landmarks.between(Landmark.ESTIMATE_CHANGE, 0, 94)
    assert not session.lanes.has_estimate_changed(0)
    assert all(estimate_mark(thought, UNICODE) is None for thought in thoughts)
    facts = [fact for thought in thoughts for fact in thought_facts(session, thought, [])]
    assert not any("estimate" in fact.text for fact in facts)
    # what was called stays in the data
    assert session.thoughts.get(93).estimate_change == (93, 94)


def test_ahead_of_the_numbers_the_first_change_is_news_and_the_same_again_is_not() -> None:
    assert _marked(_session([(1, 5), (2, 5), (3, 6), (4, 7), (5, 8), (6, 8), (7, 9)])) == [(5, 6), (8, 9)]
    assert _marked(_session((number, number + 1) for number in range(1, 95))) == [(2, 3)]


def test_a_last_thought_more_is_quiet_and_two_more_are_news() -> None:
    assert _marked(_session([(1, 3), (2, 3), (3, 3), (4, 4)])) == []
    assert _marked(_session([(1, 3), (2, 3), (3, 3), (4, 5)])) == [(3, 5)]


def test_a_lowered_estimate_a_leap_and_a_number_again_are_news() -> None:
    assert _marked(_session([(1, 5), (2, 4)])) == [(5, 4)]
    assert _marked(_session([(1, 1), (2, 2), (9, 9)])) == [(2, 9)]
    assert _marked(_session([(1, 1), (2, 2), (2, 3)])) == [(2, 3)]


def test_a_mark_goes_to_news_alone() -> None:
    session = _session([(1, 1), (2, 2), (3, 3), (4, 8), (5, 8)])
    start = session.positions.first

    assert session.positions.next_landmark(start) == session.positions.after_thought(3)


def test_more_thoughts_needed_is_said_also_where_the_change_is_quiet() -> None:
    journal = JournalBuilder().session().thought("a", 1, 1).thought("b", 2, 2, needsMoreThoughts=True)

    mark = estimate_mark(fold(journal.events).thoughts.get(1), UNICODE)

    assert mark is not None
    assert mark.text == "+?"
