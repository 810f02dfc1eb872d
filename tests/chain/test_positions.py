"""Where a replay may stand: held against a model that goes through the lines one by one."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given

from seqthink.chain.session import Session
from seqthink.core.events import (
    AuditEvent,
    ContextEvent,
    ElicitEvent,
    EndEvent,
    NoteEvent,
    RejectedEvent,
    SampleEvent,
    ThoughtEvent,
)
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Item, Journal, folded
from tests.support.journals.naive_fold import naive_fold

Attached = AuditEvent | SampleEvent | ElicitEvent | ContextEvent | NoteEvent
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def session_of(journal: Journal) -> Session:
    return folded(journal.items).session()


def _belongs(item: Attached, before: list[Item]) -> bool:
    thoughts = [other.seq for other in before if isinstance(other, ThoughtEvent)]
    return item.of in thoughts if item.of else thoughts != []


def _shows(item: Item, before: list[Item]) -> bool:
    if isinstance(item, Attached):
        # A context item has a row of its own where it belongs to no thought.
        return isinstance(item, ContextEvent) or _belongs(item, before)
    return isinstance(item, ThoughtEvent | RejectedEvent)


def naive_stops(items: list[Item]) -> list[int]:
    """Return the positions after the lines that show; what comes after the last of them belongs to it."""
    shown = [place + 1 for place, item in enumerate(items) if _shows(item, items[:place])]
    return [*shown[:-1], len(items)]


def _counts(items: list[Item]) -> list[int]:
    session = naive_fold(items)
    lanes = [lane for chain in session.chains for lane in chain.lanes]
    changes = [thought for thought in session.thoughts if thought.is_news]
    revisions = [thought for thought in session.thoughts if thought.is_revision]
    return [len(session.chains), len(lanes), len(changes), len(revisions)]


def _is_verdict(item: Item, before: list[Item]) -> bool:
    if not isinstance(item, AuditEvent) or item.review is None or not _belongs(item, before):
        return False
    return item.review["verdict"] in ["pass", "revise", "reject"]


def naive_marks(items: list[Item]) -> list[int]:
    """Return the positions after each landmark; from the last line that shows on it is the end."""
    last = max((place + 1 for place, item in enumerate(items) if _shows(item, items[:place])), default=0)
    marks: set[int] = set()
    for place, item in enumerate(items):
        before, after = items[:place], items[: place + 1]
        is_mark = isinstance(item, RejectedEvent | EndEvent) or _is_verdict(item, before)
        if is_mark or _counts(before) != _counts(after):
            marks.add(place + 1 if place + 1 < last else len(items))
    return sorted(marks)


def walk(step: Callable[[int], int], start: int) -> list[int]:
    """Return where the steps lead, until they lead nowhere."""
    places = [start]
    while (following := step(places[-1])) != places[-1]:
        places.append(following)
    return places


@given(journals())
def test_steps_forward_visit_each_line_that_shows_once_and_end_at_the_end(journal: Journal) -> None:
    session = session_of(journal)

    assert walk(session.positions.next_visible, session.positions.first) == naive_stops(journal.items)


@given(journals())
def test_steps_back_are_the_same_the_other_way(journal: Journal) -> None:
    session = session_of(journal)

    assert walk(session.positions.previous_visible, session.entry_count) == naive_stops(journal.items)[::-1]


@given(journals())
def test_between_two_stops_a_step_goes_from_what_is_seen_there(journal: Journal) -> None:
    session, stops = session_of(journal), naive_stops(journal.items)
    ends = [place + 1 for place, item in enumerate(journal.items) if _shows(item, journal.items[:place])]

    for position in range(session.entry_count + 1):
        seen = sum(end <= position for end in ends)
        assert session.positions.next_visible(position) == stops[min(seen, len(stops) - 1)]
        assert session.positions.previous_visible(position) == stops[max(seen - 2, 0)]


@given(journals())
def test_marks_forward_visit_each_landmark_and_the_end(journal: Journal) -> None:
    session, marks = session_of(journal), naive_marks(journal.items)
    first = session.positions.first

    expected = {first, session.entry_count, *(mark for mark in marks if mark > first)}

    assert walk(session.positions.next_landmark, first) == sorted(expected)
    assert walk(session.positions.previous_landmark, session.entry_count) == sorted(expected, reverse=True)


@given(journals())
def test_a_landmark_is_between_two_positions_if_a_mark_is(journal: Journal) -> None:
    session, marks = session_of(journal), naive_marks(journal.items)
    stops = walk(session.positions.next_visible, session.positions.first)

    for before, after in pairwise(stops):
        assert session.positions.has_landmark_between(before, after) == any(before < mark <= after for mark in marks)


@given(journals())
def test_a_moment_is_that_of_the_newest_line_that_shows(journal: Journal) -> None:
    session, items = session_of(journal), journal.items
    newest, expected = 0, [0]
    for place, item in enumerate(items):
        if _shows(item, items[:place]) and isinstance(item, Attached | ThoughtEvent | RejectedEvent):
            newest = (item.time - EPOCH) // (datetime.resolution)
        expected.append(newest)

    assert [session.positions.time_at(position) for position in range(session.entry_count + 1)] == expected


@given(journals())
def test_a_thought_has_the_position_at_which_it_is_the_newest_and_the_last_one_the_end(journal: Journal) -> None:
    session = session_of(journal)
    places = [session.positions.after_thought(index) for index in range(session.thought_count)]

    assert [session.at(place).thought_count for place in places] == list(range(1, session.thought_count + 1))
    assert places[:-1] == [session.at_thought(count).entry_count for count in range(1, session.thought_count)]
    assert places[-1:] == [session.entry_count] * bool(places)


@given(journals())
def test_each_stop_shows_something_that_the_one_before_did_not(journal: Journal) -> None:
    session = session_of(journal)

    def seen(position: int) -> tuple[int, int, int]:
        moment = session.at(position)
        belongings = sum(len(moment.thoughts.attachments(index)) for index in range(moment.thought_count))
        return moment.thought_count, moment.asides.count, belongings

    stops = walk(session.positions.next_visible, session.positions.first)
    assert [sum(seen(stop)) for stop in stops[:-1]] == list(range(1, len(stops)))
    assert sum(seen(stops[-1])) in {len(stops), 0}


def test_the_empty_session_has_one_place_to_stand() -> None:
    session = session_of(Journal())

    for step in (
        session.positions.next_visible,
        session.positions.previous_visible,
        session.positions.next_landmark,
        session.positions.previous_landmark,
        session.positions.time_at,
    ):
        assert step(0) == 0
    assert session.positions.first == 0


def test_a_session_that_only_began_stands_at_its_end() -> None:
    session = session_of(Journal().session().end().session())

    assert session.positions.first == 3
    assert {session.positions.next_visible(place) for place in range(4)} == {3}
    assert {session.positions.previous_landmark(place) for place in range(4)} == {3}
    assert session.positions.time_at(3) == 0


def test_of_one_thought_there_is_one_moment() -> None:
    session = session_of(Journal().session().think(1).end())

    assert session.positions.first == session.positions.after_thought(0) == session.entry_count == 3
    assert session.positions.previous_visible(3) == session.positions.previous_landmark(3) == 3


def test_two_lines_of_a_server_before_the_first_thought_are_not_stood_at() -> None:
    session = session_of(Journal().session().end().session().think(1).think(2))

    assert walk(session.positions.next_visible, session.positions.first) == [4, 5]
    assert walk(session.positions.previous_landmark, session.entry_count) == [5, 4]


def test_refused_calls_alone_are_stepped_through() -> None:
    session = session_of(Journal().session().rejected().rejected().rejected().end())

    assert walk(session.positions.next_visible, session.positions.first) == [2, 3, 5]
    assert walk(session.positions.next_landmark, session.positions.first) == [2, 3, 5]


def test_the_end_before_a_resume_is_a_mark_and_no_step() -> None:
    session = session_of(Journal().session().think(1).end().session(resumed=True).think(2).end())

    assert walk(session.positions.next_visible, session.positions.first) == [2, 4, 6]
    assert walk(session.positions.next_landmark, session.positions.first) == [2, 3, 6]
    assert walk(session.positions.previous_landmark, 6) == [6, 3, 2]


def test_an_audit_after_the_last_thought_is_a_step_of_its_own() -> None:
    session = session_of(Journal().session().think(1).think(2).audit(3, "pass").end())

    assert walk(session.positions.next_visible, session.positions.first) == [2, 3, 5]
    assert session.positions.after_thought(1) == 5


def test_without_an_end_the_newest_line_is_the_end() -> None:
    session = session_of(Journal().session().think(1).think(2).corrupt().unread())

    assert walk(session.positions.next_visible, session.positions.first) == [2, 5]
    assert walk(session.positions.next_landmark, session.positions.first) == [2, 5]
