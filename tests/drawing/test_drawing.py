"""Whole drawings, compared as text: the tree of docs/screens.md to the cell, and what it leaves open."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import wcwidth

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.sparkline import sparkline
from seqthink.drawing.text.cells import width as cells_of
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text
from seqthink.drawing.tree.tree import Tree
from seqthink.events import Event, RejectedEvent, ThoughtEvent, WriterState
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.given_texts import GivenTexts


def picture(
    events: list[Event],
    width: int = 44,
    *,
    screen: int | None = None,
    selected: int = NONE,
    folded: tuple[int, ...] = (),
    signs: Signs = UNICODE,
    writer: WriterState = WriterState.ALIVE,
) -> list[str]:
    """Return the rows, each exactly ``width`` cells; ``selected`` is a thought, ``folded`` are lanes."""
    tree = Tree()
    tree.sync(fold(events, writer))
    for lane in folded:
        tree.fold(lane, folded=True)
    spoken = [event.thought for event in events if isinstance(event, ThoughtEvent)]
    errors = [event.error for event in events if isinstance(event, RejectedEvent)]
    painter = Painter(
        tree=tree,
        texts=GivenTexts(tree.session, spoken.__getitem__, errors.__getitem__),
        width=width,
        screen_width=screen or width,
        selected=tree.row_of_thought(selected) if selected != NONE else NONE,
        signs=signs,
    )
    lines = [spans_text(spans) for spans in painter.draw_rows(0, tree.count)]
    assert [line for line in lines if cells_of(line) != width] == []
    assert [line for line in lines if any(wcwidth(sign) < 0 for sign in line)] == []
    return [line.rstrip() for line in lines]


def lines(text: str) -> list[str]:
    """Return the drawing in ``text``, whose lines begin at their bars."""
    return [line.partition("|")[2] for line in text.strip("\n").split("\n")[: text.count("|")] if "|" in line]


SHOP = shop_api().events


def shop(thoughts: int) -> list[Event]:
    """Return the example's events up to its thought ``thoughts`` to arrive."""
    places = [place for place, event in enumerate(SHOP) if isinstance(event, ThoughtEvent)]
    return SHOP[: places[thoughts - 1] + 1]


def test_a_straight_chain_is_drawn_as_in_a() -> None:
    assert picture(shop(5), selected=4) == lines(
        """
        | ●  1 Symptoms: 502s cluster at the top of …
        | ●  2 Layers: CDN → gateway → checkout → pa…
        | ●  3 Hypotheses: gateway pool, DNS, a … 5→6
        | ●  4 DNS is fine: TTL 300, no failed looku…
        |▌●  5 Gateway pool: 12 of 200 in use at :00…
        | ○  6 expected
        """
    )


def test_a_branch_and_a_revision_are_drawn_as_in_b() -> None:
    assert picture(shop(9), selected=8) == lines(
        """
        |   ●  1 Symptoms: 502s cluster at the top o…
        | ╭►●  2 Layers: CDN → gateway → checkout… ↻6
        | │ ●  3 Hypotheses: gateway pool, DNS, … 5→6
        | │ ├─╮ cron-job                       3 of 3
        | │ │ ●  1 What runs at :00? The report job,…
        | │ │ ●  2 It holds 40 connections for 90 s
        | │ │ ●  3 Checkout's pool has 50: it starves
        | │ ●  4 DNS is fine: TTL 300, no failed loo…
        | │ ●  5 Gateway pool: 12 of 200 in use at :…
        |▌╰─↺  6 Not the gateway: its pool is … 6→8 ◂
        |   ○ 7–8 expected
        """
    )


def test_a_wide_tree_is_drawn_as_in_c() -> None:
    assert picture(shop(9), 67, screen=120, selected=8) == lines(
        """
        |     ●  1  Symptoms: 502s cluster at the top of each hour
        |  ╭─►●  2  Layers: CDN → gateway → checkout → paymen… ↻ by 6    8s
        |  │  ●  3  Hypotheses: gateway pool, DNS, a cron job     5→6   20s
        |  │  ├─╮ cron-job                                     3 of 3   41s
        |  │  │ ●  1  What runs at :00? The report job, alone           21s
        |  │  │ ●  2  It holds 40 connections for 90 s                   9s
        |  │  │ ●  3  Checkout's pool has 50: it starves                11s
        |  │  ●  4  DNS is fine: TTL 300, no failed lookups             14s
        |  │  ●  5  Gateway pool: 12 of 200 in use at :00, and the …    17s
        |▌ ╰──↺  6  Not the gateway: its pool is i… 6→8 ◂ cron-job ↺2   16s
        |     ○ 7–8 expected
        """
    )


def test_verdicts_are_marks_as_in_j() -> None:
    assert picture(SHOP, selected=9) == lines(
        """
        |   ●  1 Symptoms: 502s cluster at the top o…
        | ╭►●  2 Layers: CDN → gateway → checkout… ↻6
        | │ ●  3 Hypotheses: gateway pool, DNS, … 5→6
        | │ ├─╮ cron-job                       3 of 3
        | │ │ ●  1 What runs at :00? The report job,…
        | │ │ ●  2 It holds 40 connections for 90 s
        | │ │ ●  3 Checkout's pool has 50: it starves
        | │ ●  4 DNS is fine: TTL 300, no failed loo…
        | │ ●  5 Gateway pool: 12 of 200 in use at :…
        | ╰─↺  6 Not the gateway: its pool is … 6→8 ◂
        |▌╭►●  7 Fix: jitter the report job, … !71 ↻8
        | ╰─↺  8 Fix again: also release on time… ✓92
        """
    )


def nested() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 6)
        .thought("two", 2, 6)
        .thought("a1", 1, 3, branch="alpha", from_=2)
        .thought("a2", 2, 3, branch="alpha")
        .thought("inner", 1, 2, branch="inner", from_=1)
        .thought("b1", 1, 1, branch="beta", from_=2)
        .thought("three", 3, 6)
        .rejected()
        .thought("a3", 3, 3, branch="alpha")
    )


def arrows() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 6)
        .thought("two", 2, 6)
        .thought("a1", 1, 3, branch="alpha", from_=2)
        .thought("a2", 2, 3, branch="alpha", revises=1)
        .thought("a3", 3, 3, branch="alpha", revises=2)
        .thought("three", 3, 6)
        .thought("four", 4, 6, revises=2)
        .thought("five", 5, 6, revises=1)
    )


def across() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 4)
        .thought("two", 2, 4)
        .thought("a1", 1, 2, branch="alpha", from_=2)
        .thought("a6 of trunk 2", 6, 6, branch="alpha", revises=2)
        .thought("three", 3, 4)
        .thought("four", 4, 4, revises=3)
    )


def crossing() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 9)
    for number in range(2, 9):
        journal.thought(f"th {number}", number, 9, revises={4: 1, 5: 2, 6: 3, 7: 1, 8: 2}.get(number))
    return journal


def one_target() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 5).thought("two", 2, 5)
    for number in range(3, 6):
        journal.thought(f"th {number}", number, 5, revises=1)
    return journal


def too_many() -> JournalBuilder:
    journal = JournalBuilder().thought("one", 1, 8)
    for number in range(2, 5):
        journal.thought(f"th {number}", number, 8)
    for number in range(5, 9):
        journal.thought(f"th {number}", number, 8, revises=number - 4)
    return journal


def loose() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("x1", 1, 4, branch="a")
        .thought("x2", 2, 4, branch="a")
        .thought("y1", 1, 4, branch="b", from_=9)
        .thought("u1", 1, 2, from_=2)
        .thought("z1", 1, 2, from_=8)
    )


def odd_numbers() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 3)
        .thought("five", 5, 3)
        .thought("five again", 5, 9)
        .thought("nobody", 6, 9, revises=42)
        .thought("nine", 9, 9, needsMoreThoughts=True)
        .context()
        .note()
        .thought("huge", 2000, 2**53 - 1)
    )


def deep() -> JournalBuilder:
    journal = JournalBuilder().thought("trunk", 1, 2)
    for depth in range(1, 9):
        journal.thought(f"d{depth}", depth + 1, 9, branch=f"b{depth}", from_=depth)
    return journal.thought("d3 again", 10, 10, branch="b3").thought("trunk again", 2, 2)


def refused() -> JournalBuilder:
    return (
        JournalBuilder()
        .rejected("thoughtNumber: \x1b[31mnot\n a number")
        .thought("x", 1, 3, branch="x")
        .rejected()
        .thought("t", 1, 3)
        .thought("t2", 2, 3)
        .rejected("later")
        .thought("y", 1, 1, branch="y", from_=2)
    )


def test_branches_hang_from_the_thoughts_they_leave() -> None:
    assert picture(nested().events, 60) == lines(
        """
        | ●  1  one
        | ├─╮ inner                                     1 of ~2  10s
        | │ ●  1  inner                                          10s
        | ●  2  two                                              10s
        | ├─╮ alpha                                      3 of 3  31s
        | │ ●  1  a1                                             10s
        | │ ●  2  a2                                             10s
        | │ ●  3  a3                                             11s
        | ├─╮ beta                                       1 of 1  10s
        | │ ●  1  b1                                             10s
        | ●  3  three                                            10s
        | ✗ refused: Invalid thoughtNumber: must be a positiv…
        """
    )


def test_folded_branches_are_rows_with_their_shape() -> None:
    assert picture(nested().events, 60, folded=(1,)) == lines(
        """
        | ●  1  one
        | ├─╮ inner                                     1 of ~2  10s
        | │ ●  1  inner                                          10s
        | ●  2  two                                              10s
        | ├─ alpha  ●●●                                  3 of 3  31s
        | ├─╮ beta                                       1 of 1  10s
        | │ ●  1  b1                                             10s
        | ●  3  three                                            10s
        | ✗ refused: Invalid thoughtNumber: must be a positiv…
        """
    )


def test_arrows_reach_their_nodes_behind_the_lanes_they_cross() -> None:
    assert picture(arrows().events, 60) == lines(
        """
        |     ┊●  1  one                                 ↻ by 5
        | ╭───►●  2  two                                 ↻ by 4  10s
        | │    ├─╮ alpha                                 3 of 3  30s
        | │ ╭──│►●  1  a1                                ↻ by 2  10s
        | │╭┴──│►↺  2  a2                             ↻ by 3 ↺1  10s
        | │╰───│─↺  3  a3                                    ↺2  10s
        | │    ●  3  three                                       10s
        | ╰────↺  4  four                                    ↺2  10s
        |     ┊↺  5  five                                    ↺1  10s
        |      ○  6 expected
        """
    )


def test_with_one_track_the_newest_arrow_is_drawn_and_those_beside_it_are_stubs() -> None:
    assert picture(arrows().events) == lines(
        """
        | ╭►●  1 one                               ↻5
        | │┊●  2 two                               ↻4
        | │ ├─╮ alpha                          3 of 3
        | │ │┊●  1 a1                              ↻2
        | │ │┊↺  2 a2                           ↻3 ↺1
        | │ │┊↺  3 a3                              ↺2
        | │ ●  3 three
        | │┊↺  4 four                              ↺2
        | ╰─↺  5 five
        |   ○  6 expected
        """
    )


def test_with_one_track_an_arrow_is_drawn_until_a_newer_one_needs_its_place() -> None:
    events = arrows().events
    assert picture(events[:6]) == lines(
        """
        |   ●  1 one
        |   ●  2 two
        |   ├─╮ alpha                          3 of 3
        |   │┊●  1 a1                              ↻2
        | ╭─│►↺  2 a2                              ↻3
        | ╰─│─↺  3 a3
        |   ●  3 three
        |   ○ 4–6 expected
        """
    )


def test_with_one_track_the_selected_arrow_takes_it() -> None:
    assert picture(arrows().events, selected=4) == lines(
        """
        |  ┊●  1 one                               ↻5
        |  ┊●  2 two                               ↻4
        |   ├─╮ alpha                          3 of 3
        |   │┊●  1 a1                              ↻2
        | ╭─│►↺  2 a2                              ↻3
        |▌╰─│─↺  3 a3
        |   ●  3 three
        |  ┊↺  4 four                              ↺2
        |  ┊↺  5 five                              ↺1
        |   ○  6 expected
        """
    )


def test_an_arrow_across_lanes_is_a_stub() -> None:
    assert picture(across().events, 60) == lines(
        """
        |    ●  1  one
        |   ┊●  2  two                                   ↻ by 6  10s
        |    ├─╮ alpha                                   6 of 6  20s
        |    │ ●  1  a1                                          10s
        |    │┊↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_across_lanes_is_drawn_in_full_while_its_reviser_is_selected() -> None:
    assert picture(across().events, 60, selected=3) == lines(
        """
        |    ●  1  one
        | ╭─►●  2  two                                   ↻ by 6  10s
        | │  ├─╮ alpha                                   6 of 6  20s
        | │  │ ●  1  a1                                          10s
        |▌╰──│─↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_across_lanes_is_drawn_in_full_while_its_target_is_selected() -> None:
    assert picture(across().events, 60, selected=1) == lines(
        """
        |    ●  1  one
        |▌╭─►●  2  two                                   ↻ by 6  10s
        | │  ├─╮ alpha                                   6 of 6  20s
        | │  │ ●  1  a1                                          10s
        | ╰──│─↺  6  a6 of trunk 2                       2→6 ↺2  10s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_an_arrow_from_a_folded_branch_starts_at_its_row() -> None:
    assert picture(across().events, 60, selected=1, folded=(1,)) == lines(
        """
        |    ●  1  one
        |▌╭─►●  2  two                                   ↻ by 6  10s
        | ╰──├─ alpha  ●↺                                6 of 6  20s
        | ╭─►●  3  three                                 ↻ by 4  10s
        | ╰──↺  4  four                                      ↺3  10s
        """
    )


def test_arrows_to_one_target_share_a_track() -> None:
    assert picture(one_target().events, 60) == lines(
        """
        | ╭─►●  1  one                                   ↻ by 5
        | │  ●  2  two                                           10s
        | ├──↺  3  th 3                                      ↺1  10s
        | ├──↺  4  th 4                                      ↺1  10s
        | ╰──↺  5  th 5                                      ↺1  10s
        """
    )


def test_arrows_that_cross_have_tracks_of_their_own() -> None:
    assert picture(crossing().events, 60) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 7
        |  ╭┼─►●  2  th 2                                ↻ by 8  10s
        | ╭┼┼─►●  3  th 3                                ↻ by 6  10s
        | ││├──↺  4  th 4                                    ↺1  10s
        | │├┼──↺  5  th 5                                    ↺2  10s
        | ╰┼┼──↺  6  th 6                                    ↺3  10s
        |  │╰──↺  7  th 7                                    ↺1  10s
        |  ╰───↺  8  th 8                                    ↺2  10s
        |      ○  9 expected
        """
    )


def test_an_arrow_that_finds_no_track_is_a_stub() -> None:
    assert picture(too_many().events, 60) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 5
        |  ╭┼─►●  2  th 2                                ↻ by 6  10s
        | ╭┼┼─►●  3  th 3                                ↻ by 7  10s
        | │││ ┊●  4  th 4                                ↻ by 8  10s
        | ││╰──↺  5  th 5                                    ↺1  10s
        | │╰───↺  6  th 6                                    ↺2  10s
        | ╰────↺  7  th 7                                    ↺3  10s
        |     ┊↺  8  th 8                                    ↺4  10s
        """
    )


def test_an_arrow_that_finds_no_track_takes_the_outermost_while_selected() -> None:
    assert picture(too_many().events, 60, selected=7) == lines(
        """
        |   ╭─►●  1  one                                 ↻ by 5
        |  ╭┼─►●  2  th 2                                ↻ by 6  10s
        |  ││ ┊●  3  th 3                                ↻ by 7  10s
        | ╭┼┼─►●  4  th 4                                ↻ by 8  10s
        | ││╰──↺  5  th 5                                    ↺1  10s
        | │╰───↺  6  th 6                                    ↺2  10s
        | │   ┊↺  7  th 7                                    ↺3  10s
        |▌╰────↺  8  th 8                                    ↺4  10s
        """
    )


def test_branches_without_a_fork_stand_last_and_hang_from_nothing() -> None:
    assert picture(loose().events, 60) == lines(
        """
        | ──╮ a                                  from ? 2 of ~4  10s
        |   ●  1  x1
        |   ●  2  x2                                             10s
        |   ├─╮ from 2                                  1 of ~2  10s
        |     ●  1  u1                                           10s
        | ──╮ b                                 from 9? 1 of ~4  10s
        |   ●  1  y1                                             10s
        | ──╮ from 8                                  ? 1 of ~2  10s
        |   ●  1  z1                                             10s
        |   ○  2 expected
        """
    )


def test_a_short_first_line_goes_on_with_the_next_ones_up_to_the_room_of_the_row() -> None:
    journal = JournalBuilder().thought(
        "SCENARIO: Two observations\n\n- On Monday\n- On Tuesday, and nobody saw it", 1, 2
    )
    journal.thought("Hypotheses:\n\n- the pool", 2, 2).thought(f"{'long ' * 6}\n\nnext", 2, 2)

    assert picture(journal.events, 60) == lines("""
        | ●  1  SCENARIO: Two observations · On Monday · On T…
        | ●  2  Hypotheses: the pool                             10s
        | ●  2  long long long long long long · next         2×  10s
    """)
    assert picture(journal.events, 40)[0].rstrip() == " ●  1 SCENARIO: Two observations"


def test_what_goes_on_behind_a_first_line_is_quiet() -> None:
    tree = Tree()
    tree.sync(fold(JournalBuilder().thought("Why?\nBecause of this", 1, 1).events))
    texts = GivenTexts(tree.session, ["Why?\nBecause of this"].__getitem__, [""].__getitem__)
    spans = Painter(tree=tree, texts=texts, width=60, screen_width=60).draw_row(0)

    assert [(span.text, span.role) for span in spans if span.text.strip()][-2:] == [
        ("Why?", Role.TEXT),
        (" Because of this", Role.MUTED),
    ]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_row_of_a_wide_tree_spells_a_revision_in_one_way(width: int) -> None:
    journal = JournalBuilder().session()
    for number in range(1, 24):
        revises = {11: 4, 22: 11, 23: 2}.get(number)
        journal.thought("a thought of some words", number, 30 + number // 5 * 9, revises=revises)
        if number in {2, 4, 11}:
            journal.audit(journal.seq, score=71)
    rows = picture(journal.events, width)

    spelled = [re.findall(r"[↻↺](?: by )?\d+", row) for row in rows]
    assert [marks for marks in spelled if marks] == [["↻ by 23"], ["↻ by 11"], ["↻ by 22", "↺4"], ["↺11"], ["↺2"]]


def test_gaps_repeats_and_missing_targets_are_named() -> None:
    assert picture(odd_numbers().events, 60) == lines(
        """
        | ●    1  one
        | ··· 3 missing
        | ●    5  five                                      3→5  10s
        | ●    5  five again                             5→9 2×  10s
        | ↺    6  nobody                                   ↺42?  10s
        | ··· 2 missing
        | ●    9  nine                                     +? +  10s
        | ··· 1990 missing
        | ● 2000  huge                                →9007199…  11s
        | ○ 2001–9007199254740991 expected
        """
    )


def test_six_levels_of_branches_have_a_column_and_rows_of_deeper_ones_say_how_much_deeper_they_are() -> None:
    assert picture(deep().events, 60) == lines(
        """
        | ●  1  trunk
        | ├─╮ b1                                        2 of ~9  10s
        | │ ●  2  d1                                             10s
        | │ ├─╮ b2                                      3 of ~9  10s
        | │   ●  3  d2                                           10s
        | │   ├─╮ b3                                   10 of 10  20s
        | │     ●  4  d3                                         10s
        | │     ├─╮ b4                                  5 of ~9  10s
        | │     │ ●  5  d4                                       10s
        | │     │ ├─╮ b5                                6 of ~9  10s
        | │     │   ●  6  d5                                     10s
        | │     │   ├─╮ b6                              7 of ~9  10s
        | │     │     ●  7  d6                                   10s
        | │     │     ├─+1 b7                           8 of ~9  10s
        | │     │     +1 ●  8  d7                                10s
        | │     │     ├─+2 b8                            9 of 9  10s
        | │     │     +2 ●  9  d8                                10s
        | │     ● 10  d3 again                                   10s
        | ●  2  trunk again                                      10s
        """
    )


def test_a_narrow_screen_draws_three_levels() -> None:
    assert picture(deep().events) == lines(
        """
        | ●  1 trunk
        | ├─╮ b1                              2 of ~9
        | │ ●  2 d1
        | │ ├─╮ b2                            3 of ~9
        | │   ●  3 d2
        | │   ├─╮ b3                         10 of 10
        | │     ●  4 d3
        | │     ├─+1 b4                       5 of ~9
        | │     +1 ●  5 d4
        | │     ├─+2 b5                       6 of ~9
        | │     +2 ●  6 d5
        | │     ├─+3 b6                       7 of ~9
        | │     +3 ●  7 d6
        | │     ├─+4 b7                       8 of ~9
        | │     +4 ●  8 d7
        | │     ├─+5 b8                        9 of 9
        | │     +5 ●  9 d8
        | │     ● 10 d3 again
        | ●  2 trunk again
        """
    )


def test_refused_calls_have_rows_where_they_came() -> None:
    assert picture(refused().events, 60) == lines(
        """
        | ✗ refused: thoughtNumber: ␛[31mnot
        | ●  1  t                                                11s
        | ●  2  t2                                               10s
        | ├─╮ y                                          1 of 1  11s
        | │ ●  1  y                                              11s
        | ✗ refused: later
        | ──╮ x                                  from ? 1 of ~3
        |   ●  1  x
        |   ✗ refused: Invalid thoughtNumber: must be a posit…
        """
    )


def test_ascii_has_a_sign_for_every_sign() -> None:
    assert picture(arrows().events, 60, selected=4, signs=ASCII) == lines(
        """
        |     :o  1  one                                 ^ by 5
        | ,--->o  2  two                                 ^ by 4  10s
        | |    +-. alpha                                 3 of 3  30s
        | | ,--|>o  1  a1                                ^ by 2  10s
        | |,+--|>R  2  a2                             ^ by 3 R1  10s
        |>|`---|-R  3  a3                                    R2  10s
        | |    o  3  three                                       10s
        | `----R  4  four                                    R2  10s
        |     :R  5  five                                    R1  10s
        |      .  6 expected
        """
    )


def test_below_44_cells_a_row_has_one_mark() -> None:
    assert picture(SHOP, 43) == lines(
        """
        |   ●  1 Symptoms: 502s cluster at the top …
        | ╭►●  2 Layers: CDN → gateway → checkou… ↻6
        | │ ●  3 Hypotheses: gateway pool, DNS,… 5→6
        | │ ├─╮ cron-job                      3 of 3
        | │ │ ●  1 What runs at :00? The report job…
        | │ │ ●  2 It holds 40 connections for 90 s
        | │ │ ●  3 Checkout's pool has 50: it starv…
        | │ ●  4 DNS is fine: TTL 300, no failed lo…
        | │ ●  5 Gateway pool: 12 of 200 in use at …
        | ╰─↺  6 Not the gateway: its pool is i… 6→8
        | ╭►●  7 Fix: jitter the report job, ca… !71
        | ╰─↺  8 Fix again: also release on tim… ✓92
        """
    )


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


def test_a_wide_screen_tells_how_long_a_folded_chain_took_and_when_it_began() -> None:
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


hostile = st.text(
    st.sampled_from("a b*#\n\t\r\x1b\x00\x9b\u202e\u200d\ufe0f\u0301\u0e33日本🙂👩🇩🇪ع\u05d0\ud800\u0915\u093e"),
    max_size=80,
)


@given(
    st.lists(hostile, min_size=1, max_size=6), st.integers(12, 240), st.booleans(), st.sampled_from([UNICODE, ASCII])
)
@example(["日本語" * 40], 41, True, UNICODE)
@example(["\u0301" * 300 + "x"], 44, True, ASCII)
@example(["👩\u200d👩\u200d👧" * 30], 44, False, UNICODE)
def test_every_line_has_exactly_its_width_and_never_a_control(
    spoken: list[str], width: int, is_wide: bool, signs: Signs
) -> None:
    journal = JournalBuilder()
    for number, text in enumerate(spoken, 1):
        name = text.encode("utf-8", "replace").decode() or None
        journal.thought("x", number, number + 1, revises=number - 1 or None)
        journal.thought("x", number, 2**40, branch=name, from_=number)
        journal.rejected()
    events = journal.events
    tree = Tree()
    tree.sync(fold(events, WriterState.ALIVE))
    for folded in (False, True):
        tree.fold(1, folded=folded)
        painter = Painter(
            tree=tree,
            texts=GivenTexts(
                tree.session,
                lambda index: spoken[index % len(spoken)],
                lambda number: spoken[number % len(spoken)],
            ),
            width=width,
            screen_width=240 if is_wide else width,
            signs=signs,
            selected=1,
        )
        for spans in painter.draw_rows(0, tree.count):
            line = spans_text(spans)
            assert cells_of(line) == width
            assert all(wcwidth(sign) >= 0 for sign in line)


@pytest.mark.parametrize("width", [*range(40, 241, 8)])
def test_node_number_and_sixteen_cells_of_text_are_never_given_up(width: int) -> None:
    for events in (deep().events, crossing().events, arrows().events, SHOP):
        words = [event for event in events if isinstance(event, ThoughtEvent)]
        tree = Tree()
        tree.sync(fold(events))
        texts = GivenTexts(tree.session, lambda _: "x" * 300, str)
        painter = Painter(tree=tree, texts=texts, width=width, screen_width=width)
        for number in range(tree.count):
            row = tree.row(number)
            line = spans_text(painter.draw_row(number))
            if row.thought != NONE:
                assert f" {words[row.thought].thoughtNumber} " in line
                assert line.count("x") >= 15
                assert set("●✓↺") & set(line)


def test_a_long_duration_touches_no_mark_before_it() -> None:
    session = fold(JournalBuilder().session().thought("a", 1, 3).thought("b", 2, 4, after=3905).events)
    lines = overview_lines(GivenTexts(session, lambda index: "ab"[index]), width=60, signs=UNICODE)

    assert any("3→4 1h05m" in line for line in lines)
