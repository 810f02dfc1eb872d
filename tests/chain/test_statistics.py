"""What a session counts, and what many count together; what cannot be known is left out."""

from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.chain.statistics.session_statistics import (
    EstimateOutcome,
    ModelWatch,
    SessionStatistics,
    session_statistics,
)
from seqthink.chain.statistics.totals import Statistics
from tests.support.journals.build import JournalBuilder, shop_api

SECOND = 1_000_000


def _counted(session: Session, **more: str) -> SessionStatistics:
    return session_statistics(session, identity="x", models={}, **more)


def _paced(*gaps: float) -> SessionStatistics:
    journal = JournalBuilder().session()
    for number, gap in enumerate((0, *gaps), 1):
        journal.thought("t", number, 99, after=gap)
    return _counted(fold(journal.events))


def test_the_example_session_counts_what_its_drawing_shows() -> None:
    one = _counted(fold(shop_api().events))

    assert (one.thoughts, one.chains, one.finished, one.revisions, one.branches, one.refused) == (11, 1, 1, 2, 1, 0)
    assert one.estimates == (EstimateOutcome(5, 8),)
    assert one.silences == ()
    assert sum(one.activity) == sum(one.hours.values()) == 11


def test_a_pause_is_no_part_of_the_pace_and_the_longest_are_the_silences() -> None:
    one = _paced(10, 10, 10, 600, 10, 10, 3_600, 10)

    assert (one.thinking, one.steps) == (60 * SECOND, 6)
    assert [(silence.duration // SECOND, silence.number) for silence in one.silences] == [(3_600, 7), (600, 4)]


def test_an_agent_that_takes_two_minutes_for_each_thought_has_a_pace_and_no_pauses() -> None:
    one = _paced(*[120] * 10)

    assert (one.thinking, one.steps, one.silences) == (1_200 * SECOND, 10, ())


def test_the_time_between_two_chains_is_nobody_s_pause() -> None:
    journal = JournalBuilder().session().thought("a", 1, 2).thought("b", 2, 2, next=False, after=5)
    journal.thought("c", 1, 2, after=7_200).thought("d", 2, 2, next=False, after=5)
    one = _counted(fold(journal.events))

    assert (one.thinking, one.steps, one.silences) == (10 * SECOND, 2, ())


def test_of_a_chain_that_is_not_done_nothing_is_said_about_its_estimate() -> None:
    journal = JournalBuilder().session().thought("a", 1, 5).thought("b", 2, 9)

    assert _counted(fold(journal.events)).estimates == ()


def test_what_is_not_known_is_none() -> None:
    statistics = Statistics()
    statistics.add(_counted(fold(JournalBuilder().session().thought("a", 1, 5).events)))

    assert (statistics.all.pace, statistics.all.median_off, statistics.clients, statistics.folders) == (
        None,
        None,
        {},
        {},
    )


def test_sums_are_those_of_the_sessions_whatever_their_order() -> None:
    one = _counted(fold(shop_api().events), client="codex", folder="/a")
    other = _paced(10, 10, 600, 10)
    forth, back = Statistics(), Statistics()
    for statistics, order in ((forth, (one, other)), (back, (other, one))):
        for each in order:
            statistics.add(each)

    assert forth.all.counts == back.all.counts
    assert forth.all.counts["thoughts"] == one.thoughts + other.thoughts
    assert forth.all.silences == back.all.silences
    assert (forth.only, [*forth.clients], [*forth.folders]) == (None, ["codex"], ["/a"])


def test_a_thought_belongs_to_the_model_that_reasoned_before_it() -> None:
    journal = JournalBuilder().session().thought("a", 1, 3)
    journal.event("reasoning", {"text": "Hm.", "model": "gpt-5"}, after=1)
    journal.thought("b", 2, 3).thought("c", 3, 3, agent="other")
    watch = ModelWatch()
    for event in journal.events:
        watch.add(event)

    assert watch.thoughts == {"gpt-5": 1}
