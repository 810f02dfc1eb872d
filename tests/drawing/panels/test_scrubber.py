"""The time line: how much arrived when, what is played, where chains begin, and what its marks say."""

import pytest

from seqthink.chain.fold import fold
from seqthink.core.events import WriterState
from seqthink.drawing.panels.scrubber import scrubber_lines, time_axis
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import questions


def _lines(journal: JournalBuilder, cells: int, *, shown: int | None = None, signs: Signs = UNICODE) -> list[str]:
    whole = fold(journal.events)
    moment = whole if shown is None else whole.at_thought(shown)
    return [spans_text(line) for line in scrubber_lines(moment, whole, time_axis(whole, cells), cells, signs=signs)]


def _bar(journal: JournalBuilder, cells: int, *, shown: int | None = None, signs: Signs = UNICODE) -> str:
    return _lines(journal, cells, shown=shown, signs=signs)[1]


def _chains(*lengths: int) -> JournalBuilder:
    journal = JournalBuilder().session()
    for length in lengths:
        for number in range(1, length + 1):
            journal.thought("t", number, length, next=number < length)
    return journal


def _straight(*gaps: float) -> JournalBuilder:
    journal = JournalBuilder().session()
    for number, gap in enumerate((0, *gaps), 1):
        journal.thought("t", number, 99, after=gap)
    return journal


def test_a_thin_line_stands_where_another_chain_begins() -> None:
    journal = _chains(3, 2, 2)

    assert _bar(journal, 23) == "  ▃▁▁▃▁▁▃▁▁│▁▁▃▁▁│▁▁╋"
    assert _bar(journal, 23, shown=2) == "  ▃▁▁╋▁▁▃▁▁│▁▁▃▁▁│▁▁▃"
    assert _bar(journal, 23, signs=ASCII) == "  .__.__.__|__.__|__#"


def test_the_playhead_stands_before_the_line_of_a_chain() -> None:
    assert _bar(_chains(3, 2, 2), 23, shown=4) == "  ▃▁▁▃▁▁▃▁▁╋▁▁▃▁▁│▁▁▃"


def test_a_session_of_one_chain_has_no_lines() -> None:
    assert "│" not in _bar(_chains(9), 44)


def test_so_many_chains_that_lines_would_hide_the_bar_have_none() -> None:
    assert "│" in _bar(questions(), 120)
    assert "│" not in _bar(questions(), 60)


def test_the_bar_is_higher_where_more_arrived_and_empty_where_nothing_did() -> None:
    assert _bar(_straight(*[1] * 4, 20, *[0] * 6, 20), 24) == "  ▃▃▃▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁╋"


@pytest.mark.parametrize(
    ("pause", "name"), [(60, "idle 1 m"), (240, "idle 4 m"), (3_700, "idle 1 h"), (400_000, "idle 4 d")]
)
def test_a_long_pause_is_compressed_and_named(pause: int, name: str) -> None:
    gaps = [1] * 30

    for cells in (44, 80, 120, 200):
        assert f" {name} " in _bar(_straight(*gaps, pause, *gaps), cells)


def test_of_two_thoughts_an_hour_apart_the_pause_has_its_name() -> None:
    assert _bar(_straight(3_600), 44) == "  ▃               idle 1 h               ╋"


def test_an_agent_whose_call_runs_is_not_idle() -> None:
    journal = _straight(*[1] * 30).event("action", {"tool": "Bash", "call": "a", "summary": "mix test"})
    journal.event("action", {"tool": "?", "call": "a", "ended": "done"}, after=100)
    for number in range(32, 62):
        journal.thought("t", number, 99, after=400 if number == 50 else 1)

    assert "acting 1 m" in _bar(journal, 120)
    assert " idle 6 m " in _bar(journal, 120)


def _asked(*, thoughts: int) -> JournalBuilder:
    """Return a session in which a call had waited for the user's permission for eleven minutes."""
    journal = _straight(*[10] * thoughts).event("action", {"tool": "Bash", "call": "a", "summary": "make deploy"})
    of = journal.seq
    journal.asking(of, purpose="permission", message="allow Bash make deploy?")
    journal.elicit(of, purpose="permission", after=660)
    return journal.event("action", {"tool": "?", "call": "a", "ended": "done"}).thought("t", thoughts + 2, 99)


@pytest.mark.parametrize(
    ("thoughts", "cells", "signs", "name"),
    [(8, 120, UNICODE, " asking you 11 m "), (60, 120, UNICODE, " ▲ 11 m "), (60, 80, ASCII, " ! 11 m ")],
)
@pytest.mark.parametrize("writer", [WriterState.ALIVE, WriterState.GONE])
def test_a_pause_in_which_the_user_is_waited_for_says_so_whatever_runs(
    thoughts: int, cells: int, signs: Signs, name: str, writer: WriterState
) -> None:
    journal = _asked(thoughts=thoughts)
    whole = fold(journal.events).with_writer(writer)
    bar = scrubber_lines(whole, whole, time_axis(whole, cells), cells, signs=signs)[1]
    [pause] = [span for span in bar if name.strip() in span.text]

    assert name in spans_text(bar)
    assert pause.role is Role.WARN


def _branches(count: int) -> JournalBuilder:
    journal = _straight(*[5] * 8)
    for branch in range(count):
        journal.thought("b", 10, 30, branch=f"way-{branch}", from_=3, after=30)
    return journal


def test_a_few_branches_are_named_and_many_are_counted() -> None:
    few, many = _lines(_branches(3), 160)[0], _lines(_branches(23), 120)[0]

    assert [f"├ way-{branch}" in few for branch in range(3)] == [True] * 3
    assert "way" not in many
    assert sum(int(mark.lstrip("├")) for mark in many.split()[1:]) == 23


@pytest.mark.parametrize(("gap", "is_named"), [(1, False), (9, True)])
def test_a_branch_s_name_gives_way_to_a_revision_soon_after_it(gap: int, is_named: bool) -> None:
    journal = _straight(*[1] * 7).thought("b", 1, 2, branch="the-cron-job", from_=3, after=gap)
    journal.thought("r", 9, 99, revises=2, after=gap)

    landmarks = _lines(journal, 80)[0]
    assert "├" in landmarks
    assert ("├ the-cron-job" in landmarks) is is_named
    assert landmarks.rstrip().endswith("↺")


@pytest.mark.parametrize("cells", [44, 80, 200])
def test_branches_that_open_at_once_are_one_count(cells: int) -> None:
    journal = _straight(*[5] * 8)
    for branch in range(23):
        journal.thought("b", 10, 30, branch=f"way-{branch}", from_=3, after=0)

    assert "├23" in _lines(journal, cells)[0]


def test_an_estimate_that_keeps_pace_has_no_mark() -> None:
    journal = JournalBuilder().session()
    for number in range(1, 95):
        journal.thought("t", number, number)

    assert _lines(journal, 120)[0].split() == ["14:02:00"]
