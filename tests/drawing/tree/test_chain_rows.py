"""Chains beside one another, compared as text: folded, short, and their shapes."""

import pytest

from seqthink.chain.fold import fold
from seqthink.core.events import ThoughtEvent
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text
from tests.support.journals.build import JournalBuilder
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.tree_pictures import lines, picture


def chains(count: int) -> JournalBuilder:
    journal = JournalBuilder()
    for chain in range(count - 1):
        is_left = chain == 3
        journal.thought(f"Question {chain}?", 1, 2, after=0)
        for step in range(chain % 4):
            journal.thought("Next", step + 2, step + 2, revises=1 if step == 2 else None)
        journal.thought("End", 9, 9, next=is_left, branch="side" if chain == 5 else None, from_=None)
    return journal.thought("Retry policy for the image upload", 1, 3, after=20).thought("Cap at 5 tries", 2, 3)


def test_of_several_chains_the_newest_is_open_below_a_rule_with_its_ordinal_and_start() -> None:
    assert picture(chains(12).events, selected=chains_length() - 1)[-6:] == lines(
        """
        | ✓ Question 9?                           ●●●
        | ✓ Question 10?                         ●●●●
        |── 12 ───────────────────────────── 14:06 ──
        | ●  1 Retry policy for the image upload
        |▌●  2 Cap at 5 tries
        | ○  3 expected
        """
    )


def chains_length() -> int:
    return sum(isinstance(event, ThoughtEvent) for event in chains(12).events)


def test_a_wide_screen_shows_how_long_a_folded_chain_took_and_when_it_began() -> None:
    assert picture(chains(3).events, 100)[:2] == lines(
        """
        | ✓ Question 0?                                                                      ●●   10s  14:02
        | ✓ Question 1?                                                                     ●●●   20s  14:02
        """
    )


def test_as_plain_text_every_chain_is_open_and_nothing_trails() -> None:
    events = chains(3).events
    spoken = [event.thought for event in events if isinstance(event, ThoughtEvent)]
    text = list(overview_lines(GivenTexts(fold(events), spoken.__getitem__, str), width=60))

    assert text == lines(
        """
        |○ open   ?   2 of ~3
        |── 1 ────────────────────────────────────────────── 14:02 ──
        | ●  1  Question 0?
        | ··· 7 missing
        | ✓  9  End                                         2→9  10s
        |── 2 ────────────────────────────────────────────── 14:02 ──
        | ●  1  Question 1?
        | ●  2  Next                                             10s
        | ··· 6 missing
        | ✓  9  End                                         2→9  10s
        |── 3 ────────────────────────────────────────────── 14:02 ──
        | ●  1  Retry policy for the image upload
        | ●  2  Cap at 5 tries                                   10s
        | ○  3 expected
        """
    )


def test_one_thought_done_is_drawn_as_in_h() -> None:
    text = "Use a partial index on orders(status)\nwhere status = 'open'"

    assert picture(JournalBuilder().thought(text, next=False).events, selected=0) == lines(
        """
        |▌✓  1 Use a partial index on orders(status)
        """
    )


def short_chains() -> JournalBuilder:
    """Return four of the chains of (i), then the open one."""
    return (
        JournalBuilder()
        .thought("Is the N+1 in /feed real?", 1, 5)
        .thought("2", 2, 5)
        .thought("3", 3, 5)
        .thought("4", 4, 5)
        .thought("5", 5, 5, next=False, revises=2)
        .thought("Test plan for resumable uploads", 1, 4)
        .thought("2", 2, 4)
        .thought("3", 3, 4)
        .thought("1", 1, 1, branch="fuzz", from_=3)
        .thought("4", 4, 4, next=False)
        .thought("目录应该按任务还是按模块划分? 目录应该按任务还是按模块划分?", 1, 2)
        .thought("Drop Node 18?", 1, 1, next=False)
        .thought("Retry policy for the image upload", 1, 3, after=50)
        .thought("Cap at 5 tries with full jitter: 200 ms, 400, 800", 2, 3)
    )


def test_short_chains_are_rows_with_their_shape_as_in_i() -> None:
    assert picture(short_chains().events, selected=13) == lines(
        """
        | ✓ Is the N+1 in /feed real?           ●●●●↺
        | ✓ Test plan for resumable uploads     ●●●├●
        | ○ 目录应该按任务还是按模块划分? 目录应该… ●
        | ✓ Drop Node 18?                           ●
        |── 5 ────────────────────────────── 14:04 ──
        | ●  1 Retry policy for the image upload
        |▌●  2 Cap at 5 tries with full jitter: 200 …
        | ○  3 expected
        """
    )


@pytest.mark.parametrize(
    ("thoughts", "forks", "expected"),
    [
        (1, (), "●"),
        (9, (), "●●●●●●●●●"),
        (10, (), "●●●●●●●+3"),
        (18, (2,), "●●├●●●+13"),
        (1000, (), "●●●●●+995"),
        (8, (1, 2), "●├●├●●●+3"),
    ],
)
def test_a_shape_takes_nine_cells_and_counts_what_is_left_over(
    thoughts: int, forks: tuple[int, ...], expected: str
) -> None:
    journal = JournalBuilder()
    for number in range(1, thoughts + 1):
        journal.thought("x", number, thoughts)
    for fork in forks:
        journal.thought("y", 1, 1, branch=f"b{fork}", from_=fork)
    session = fold(journal.events)

    assert spans_text(sparkline(session, 0, UNICODE)) == expected


def test_when_only_more_is_said_the_expected_row_has_no_number() -> None:
    journal = JournalBuilder().thought("one", 1, 3).thought("last?", 3, 3, needsMoreThoughts=True)

    assert picture(journal.events) == lines(
        """
        | ●  1 one
        | ··· 1 missing
        | ●  3 last?                               +?
        | ○ more
        """
    )
