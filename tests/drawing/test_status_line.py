"""The first line of the screen: what it says, and what gives way to what."""

import pytest

from seqthink.chain.attention import Attention, Standing, StuckReason, last_activity, plain_standing
from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.core.events import ThoughtEvent, WriterState
from seqthink.drawing.describe.status import session_status, standing_status, standing_words
from seqthink.drawing.panels.status_line import status_line
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import Role, Span, spans_text, spans_width
from tests.support.journals.build import JournalBuilder, shop_api

SECOND = 1_000_000


def at_thought(count: int, writer: WriterState = WriterState.ALIVE) -> Session:
    return fold(shop_api().events, writer).at_thought(count)


def line(session: Session, cells: int, age: float | None = 12, extra: str = "") -> str:
    now = None if age is None else last_activity(session) + round(age * SECOND)
    standing = plain_standing(session)
    status, words = standing_status(standing, UNICODE, now), standing_words(standing, UNICODE, now)
    spans = status_line(session, cells, status, words=words, extra=[Span(extra)] if extra else None)
    assert spans_width(spans) == cells
    return spans_text(spans)


def stopped() -> Session:
    return fold(JournalBuilder().session().thought("a", 1, 3).end("signal").events, WriterState.GONE)


def asked(kind: str, writer: WriterState = WriterState.ALIVE) -> Session:
    return fold(JournalBuilder().session().thought("a", 1, 3).asking(kind=kind).events, writer)


def test_a_chain_at_its_limit_is_not_over_while_the_user_is_asked() -> None:
    journal = JournalBuilder().session().thought("a", 1, 3, answeredNext=False).asking()
    asking = fold(journal.events, WriterState.ALIVE)
    declined = fold(journal.elicit(2, action="decline").events, WriterState.ALIVE)

    assert line(asking, 44, 0) == "▲ asking you now · shop-api          1 of ~3"
    assert line(declined, 44, 0) == "✓ done now · shop-api                 1 of 3"


def test_narrow_it_has_state_name_and_count_as_in_a_and_b() -> None:
    assert line(at_thought(5), 44) == "● thinking 12s · shop-api            5 of ~6"
    assert line(at_thought(9), 44) == "● thinking 12s · shop-api            6 of ~8"


def test_wide_it_has_all_facts_as_in_c() -> None:
    expected = "● thinking 12s   shop-api · claude-code   6 of ~8   1 branch   1 revision"

    assert line(at_thought(9), 120, extra="+2 live") == f"{expected:<112}+2 live "


def test_done_it_says_how_long_ago_as_in_h_and_j() -> None:
    assert line(at_thought(11), 44, age=120) == "✓ done 2m ago · shop-api              8 of 8"


@pytest.mark.parametrize(
    ("session", "age", "expected"),
    [
        (at_thought(5), 0, "● thinking now"),
        (at_thought(5), 60, "● thinking 1m"),
        (at_thought(5), 61, "○ quiet 1m"),
        (at_thought(5), 240, "○ quiet 4m"),
        (at_thought(5, WriterState.GONE), 86_400, "✗ lost 1d"),
        (at_thought(5, WriterState.UNKNOWN), 5, "○ open 5s"),
        (stopped(), 5 * 3600, "■ stopped 5h"),
        (at_thought(11), 0, "✓ done now"),
        (at_thought(11), 30 * 86_400, "✓ done 03-10"),
        (fold(JournalBuilder().session().rejected().events, WriterState.ALIVE), 3, "○ waiting 3s"),
        (asked("elicit"), 0, "▲ asking you now"),
        (asked("sample"), 40, "○ asking model 40s"),
        (asked("elicit", WriterState.GONE), 300, "✗ lost 5m"),
    ],
)
def test_each_state_has_its_sign_its_word_and_its_age(session: Session, age: float, expected: str) -> None:
    assert line(session, 44, age).split(" · ")[0] == expected


def test_facts_give_way_from_the_right() -> None:
    session = at_thought(11)
    shown = [line(session, cells, extra="+2 live").split("   ") for cells in range(100, 59, -1)]
    facts = [[part.strip() for part in parts if part.strip()] for parts in shown]
    kept: list[list[str]] = [one for place, one in enumerate(facts) if not place or one != facts[place - 1]]

    assert kept == [
        ["✓ done 12s ago", "shop-api · claude-code", "8 of 8", "1 branch", "2 revisions", "+2 live"],
        ["✓ done 12s ago", "shop-api · claude-code", "8 of 8", "1 branch", "+2 live"],
        ["✓ done 12s ago", "shop-api · claude-code", "8 of 8", "+2 live"],
    ]


def test_state_and_count_are_never_dropped() -> None:
    sessions, ages = (at_thought(5), at_thought(9), at_thought(11), long_name()), (None, 12, 4000, 10**6)
    shown = [
        line(session, cells, age, extra="+2 live") for cells in range(20, 201) for session in sessions for age in ages
    ]

    assert [one for one in shown if one[0] not in "●✓○" or not one[2:].startswith(("thinking", "quiet", "done"))] == []
    assert [one for one in shown if not any(count in one for count in ("5 of ~6", "6 of ~8", "8 of 8", "1 of 1"))] == []


def test_without_room_for_words_the_count_has_a_slash_and_the_state_is_cut() -> None:
    shown = [line(at_thought(5), cells) for cells in (18, 17, 16, 10, 8)]

    assert shown == ["● thinking 5 of ~6", "● thinking   5/~6", "● thinking  5/~6", "● th… 5/~6", "● … 5/~6"]


def long_name() -> Session:
    return fold(JournalBuilder().session(title="日本 " * 60).thought("a").events, WriterState.ALIVE)


def test_even_huge_counts_fit() -> None:
    session = fold(JournalBuilder().session().thought("a", 10**6, 2**53 - 1).events, WriterState.ALIVE)

    assert [cells for cells in range(1, 60) if len(line(session, cells)) != cells] == []


def test_a_long_name_is_cut_and_not_left_out() -> None:
    assert "日本 日本 日…   1 of 1" in line(long_name(), 60)


def test_below_44_cells_the_name_has_twelve() -> None:
    journal = JournalBuilder().session(title="a-very-long-name").thought("a", 1, 2)
    session = fold(journal.events, WriterState.ALIVE)

    assert "a-very-long…" in line(session, 43)
    assert "a-very-long-n…" in line(session, 44) or "a-very-long-name" in line(session, 44)


def test_without_a_clock_it_shows_no_age() -> None:
    assert line(at_thought(5), 44, None).startswith("● thinking · shop-api ")


def test_the_state_has_its_colour_and_ascii_its_signs() -> None:
    session = at_thought(5)
    status = session_status(session, last_activity(session) + 3600 * SECOND, signs=ASCII)
    spans = status_line(session, 44, status, signs=ASCII)

    assert spans[0].role is Role.MUTED
    assert spans_text(spans).startswith(". quiet - shop-api")


def test_every_prefix_of_the_example_has_a_line() -> None:
    session = fold(shop_api().events, WriterState.ALIVE)
    thoughts = sum(isinstance(event, ThoughtEvent) for event in shop_api().events)

    assert [bool(line(session.at(entries), 44).strip()) for entries in range(session.entry_count + 1)] == [True] * (
        session.entry_count + 1
    )
    assert session.thought_count == thoughts


def test_progress_on_a_branch_says_of_which_branch_it_is() -> None:
    assert line(at_thought(8), 120).startswith("● thinking 12s   shop-api · claude-code   cron-job 3 of 3   1 branch")
    assert line(at_thought(7), 44) == "● thinking 12s · shop-api   cron-job 2 of ~3"
    assert "cron-job" not in line(at_thought(9), 120)


def test_a_branch_is_cut_and_gives_way_before_state_and_count() -> None:
    journal = (
        JournalBuilder().session().thought("a", 1, 9).thought("b", 2, 9, branch="日本-a-very-long-name\n" * 9, from_=1)
    )
    session = fold(journal.events, WriterState.ALIVE)

    assert " 日本-a-very-long-name … 2 of ~9" in line(session, 80)
    assert line(session, 44) == "● thinking 12s · shop-… 日本-a-very… 2 of ~9"
    assert line(session, 30) == "● thinking 12s · shop… 2 of ~9"
    assert [line(session, cells).count("2 of ~9") for cells in range(20, 120)] == [1] * 100


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        (Standing(Attention.ASKING, since=SECOND, question="Go on?"), "▲ asking you 5m"),
        (Standing(Attention.STUCK, StuckReason.SILENT, SECOND), "▲ stuck: silent 5m"),
        (Standing(Attention.STUCK, StuckReason.REPEATING, SECOND, numbers=(4, 3)), "▲ stuck: same thought 3×"),
        (Standing(Attention.STUCK, StuckReason.CIRCLING, SECOND, numbers=(3, 4)), "▲ stuck: circling 3 4"),
        (Standing(Attention.LOST, since=SECOND), "✗ lost 5m"),
        (Standing(Attention.OPEN, since=SECOND), "○ open 5m"),
    ],
)
def test_a_standing_is_said_in_the_same_words_everywhere_and_amber_asks_the_person(
    standing: Standing, said: str
) -> None:
    now = 301 * SECOND + SECOND
    status, words = standing_status(standing, UNICODE, now), standing_words(standing, UNICODE, now)
    state = status_line(at_thought(5), 44, status, words=words)[0]

    assert state.text == said
    assert (state.role is Role.WARN) is standing.needs_person
