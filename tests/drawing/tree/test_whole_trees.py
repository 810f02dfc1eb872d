"""Whole trees, compared as text: those of docs/screens.md to the cell, and how branches hang."""

from tests.support.journals.tree_pictures import SHOP, deep, lines, loose, nested, picture, shop


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
