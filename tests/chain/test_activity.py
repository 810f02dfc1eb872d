"""Whatever comes is activity: it ends a pause and a silence, and starts the clock of the next."""

import pytest

from seqthink.chain.attention import Ending, ending_of, last_activity
from seqthink.chain.fold import fold
from seqthink.chain.overview.ending_lines import ending_of_lines, fields_of_line
from seqthink.chain.session import Session
from seqthink.chain.state import State
from seqthink.chain.statistics.session_statistics import session_statistics
from seqthink.core.events import WriterState
from seqthink.drawing.describe.lanes import agent_silence, is_acting
from seqthink.drawing.panels.scrubber import time_axis
from tests.support.journals.build import JournalBuilder

SECOND, MINUTE = 1_000_000, 60_000_000


def _thought_and_calls(count: int = 94) -> JournalBuilder:
    journal = JournalBuilder().session().thought("Pool?", 1, 3)
    for call in range(count):
        journal.event("action", {"tool": "Bash", "call": f"c{call}"}, after=15)
    return journal


def _silences(session: Session) -> list[tuple[int, int]]:
    found = session_statistics(session, identity="s", models={}).silences
    return [(silence.duration // SECOND, silence.since // SECOND) for silence in found]


def test_an_agent_that_makes_calls_after_its_newest_thought_is_not_idle() -> None:
    assert time_axis(fold(_thought_and_calls().events), 120).pauses == []


def test_an_agent_that_makes_calls_between_two_thoughts_is_neither_idle_nor_silent() -> None:
    session = fold(_thought_and_calls().thought("No", 2, 3, after=15).thought("So", 3, 3, after=15).events)

    assert time_axis(session, 120).pauses == []
    assert _silences(session) == []


def test_a_pause_among_calls_lasts_from_one_line_to_the_next() -> None:
    journal = _thought_and_calls(4)
    journal.event("action", {"tool": "Read", "call": "late"}, after=600)
    journal.thought("No", 2, 5, after=30)
    for number in (3, 4, 5):
        journal.thought("So", number, 5, after=5)
    session = fold(journal.events)
    start = session.thoughts.time_of(0) // SECOND

    assert [pause.duration // SECOND for pause in time_axis(session, 120).pauses] == [600]
    assert _silences(session) == [(600, start + 60)]


@pytest.mark.parametrize("length", range(1, 9))
def test_the_pauses_of_a_prefix_are_those_of_a_session_that_ended_there(length: int) -> None:
    journal = _thought_and_calls(2).event("action", {"tool": "Read"}, after=600).thought("No", 2, 3, after=90)
    events = journal.event("action", {"tool": "Read"}, after=120).thought("So", 3, 3, after=5).events

    assert fold(events).at(length).thoughts.arrivals.pauses(9) == fold(events[:length]).thoughts.arrivals.pauses(9)


def test_a_line_whose_clock_is_ahead_hides_no_pause_before_the_next_thought() -> None:
    journal = JournalBuilder().session().thought("a", 1, 3).event("action", {"tool": "Read"}, after=7_200)
    session = fold(journal.thought("b", 2, 3, after=-6_600).thought("c", 3, 3, after=120).events)

    assert [pause.duration // SECOND for pause in session.thoughts.arrivals.pauses(9)] == [600, 120]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("context", {"id": "c", "action": "store", "content": "x", "of": 2}),
        ("note", {"id": "n", "text": "x", "of": 2}),
        ("agent", {"id": "a1", "name": "Explore"}),
        ("remark", {"text": "Look", "id": "m"}),
        ("action", {"tool": "Read", "call": "c"}),
        ("elicit", {"of": 2, "purpose": "limit", "action": "accept"}),
    ],
)
def test_a_silence_clock_starts_at_the_last_line_of_any_kind(kind: str, fields: dict[str, object]) -> None:
    journal = JournalBuilder().session().thought("Pool?", 1, 3).event(kind, fields, after=600)
    session = fold(journal.events, WriterState.ALIVE)

    assert last_activity(session) - session.thoughts.time_of(0) >= 10 * MINUTE
    assert _ending_of_lines(journal).last_activity == ending_of(session, last_activity(session)).last_activity


def _ending_of_lines(journal: JournalBuilder) -> Ending:
    return ending_of_lines([fields for line in journal.lines if (fields := fields_of_line(line))], State.THINKING)


def test_a_sub_agent_that_acts_is_neither_silent_nor_thinking() -> None:
    journal = JournalBuilder().session().thought("Pool?", 1, 3).event("agent", {"id": "a1", "name": "x", "of": 2})
    journal.thought("Look", 1, 3, agent="a1")
    thinking = fold(journal.events, WriterState.ALIVE)
    journal.event("remark", {"text": "Now", "id": "m", "agent": "a1"}, after=5)
    journal.event("action", {"tool": "Read", "call": "c", "agent": "a1"}, after=60)
    acting = fold(journal.events, WriterState.ALIVE)
    lane = acting.lanes.get(1)

    assert not is_acting(thinking, lane)
    assert is_acting(acting, lane)
    assert (agent_silence(acting, lane) or 0) - (agent_silence(thinking, lane) or 0) == 65 * SECOND
