"""What a row says, compared as text: first lines, numbers, marks, and laws about its width."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from wcwidth import wcwidth

from seqthink.chain.fold import fold
from seqthink.chain.model import NONE
from seqthink.core.events import ThoughtEvent, WriterState
from seqthink.drawing.plain import overview_lines
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.cells import width as cells_of
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import Role, spans_text
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.tree_pictures import (
    SHOP,
    arrows,
    crossing,
    deep,
    lines,
    odd_numbers,
    picture,
    refused,
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
