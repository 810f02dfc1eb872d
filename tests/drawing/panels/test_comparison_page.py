"""Two compared sessions as text: side by side, one below the other, folded, in full."""

from collections.abc import Callable
from datetime import UTC
from pathlib import Path

import pytest

from seqthink.chain.comparison.side_facts import ComparedSessions
from seqthink.drawing.panels.comparison_page import MAX_ROW_LINES, MIN_SIDE_BY_SIDE_CELLS, ComparisonPage
from seqthink.drawing.plain import comparison_lines
from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import BOLD, spans_text, spans_width
from seqthink.library.session_comparing import compare_sessions, read_session
from tests.support.journals.build import JournalBuilder
from tests.support.journals.exports import HOSTILE as HOSTILE_TEXTS
from tests.support.journals.exports import invisible_chars
from tests.support.journals.two_runs import run_that_failed, run_that_worked

HOSTILE = "\n".join(HOSTILE_TEXTS.values())
Compare = Callable[[JournalBuilder, JournalBuilder], ComparedSessions]

BESIDE = """\
              A                                                    B
 session      502s, found                                          502s, hidden
 client       claude-code                                          codex
 began        2026-03-10 14:02:00                                  2026-03-10 13:02:00
 state        ✓ done                                               ✓ done
 thoughts     7                                                    5
 estimate     5 → 5                                                4 → 5
 branches     1: cron-job                                          -
 revisions    1                                                    -
 time         1m00s                                                1m10s
 per thought  10s                                                  10s

 1 the same, 2 alike, 4 only in A, 2 only in B. They part at B's 3. Their answers differ.
 Words only in A: report, starves; only in B: raise, timeout.

 1 Symptoms: 502s cluster at the top of each hour and are  ~  1 The 502s cluster at the top of every hour and are gone
 gone two minutes later. Nothing was deployed at those        about two minutes later. No deployment matches those
 times.                                                       times.
 2 Layers: CDN, gateway, checkout, payments. The gateway   =  2
 answers the 502, so I suspect its pool first.
 ── here they part ────────────────────────────────────────────────────────────────────────────────────────────────────
                                                              3 The gateway's timeout is 5 s, and checkout answers in
                                                              4.8 s at the full hour. Raise the timeout to 10 s?
 3 DNS is fine: TTL 300, no failed lookups                 ~  4 DNS is fine: TTL 300, no failed lookups, so it is not
                                                              DNS
 4 (cron-job) What runs at the top of the hour? The report    5 Raise the timeout to 10 s, and retry once: the slow
 job, alone                                                   minutes remain to be explained.
 5 (cron-job) The report job holds 40 connections for 90
 s; checkout's pool has 50, so it starves
 4 Not the gateway's pool: it is idle while the 502s
 happen. The report job starves checkout.
 5 Fix: jitter the report job, and cap its pool at 10."""
BELOW = """\
 ~ A 1 Symptoms: 502s cluster at the top of each hour and are gone two minutes
     later. Nothing was deployed at those times.
   B 1 The 502s cluster at the top of every hour and are gone about two minutes
     later. No deployment matches those times.
 = A 2 Layers: CDN, gateway, checkout, payments. The gateway answers the 502,
     so I suspect its pool first.
 ── here they part ────────────────────────────────────────────────────────────
   B 3 The gateway's timeout is 5 s, and checkout answers in 4.8 s at the full
     hour. Raise the timeout to 10 s?
 ~ A 3 DNS is fine: TTL 300, no failed lookups
   B 4 DNS is fine: TTL 300, no failed lookups, so it is not DNS
   A 4 (cron-job) What runs at the top of the hour? The report job, alone"""


@pytest.fixture
def compared(tmp_path: Path) -> Compare:
    def compare(left: JournalBuilder, right: JournalBuilder) -> ComparedSessions:
        paths = left.write(tmp_path / "left.jsonl"), right.write(tmp_path / "right.jsonl")
        return compare_sessions(*(read_session(path) for path in paths))

    return compare


def test_a_wide_screen_has_both_sessions_beside_each_other(compared: Compare) -> None:
    sessions = compared(run_that_worked(), run_that_failed())

    assert "\n".join(comparison_lines(sessions, width=120, zone=UTC)) == BESIDE


def test_a_narrow_one_has_them_below_each_other(compared: Compare) -> None:
    sessions = compared(run_that_worked(), run_that_failed())

    assert BELOW in "\n".join(comparison_lines(sessions, width=80, zone=UTC))


@pytest.mark.parametrize("cells", [20, 39, MIN_SIDE_BY_SIDE_CELLS - 1, MIN_SIDE_BY_SIDE_CELLS, 200])
@pytest.mark.parametrize("is_full", [False, True], ids=["short", "full"])
def test_no_line_is_wider_than_the_screen_and_none_has_control_characters(
    compared: Compare, cells: int, is_full: bool
) -> None:
    def hostile(title: str) -> JournalBuilder:
        builder = JournalBuilder().session(title=HOSTILE + title, client=HOSTILE)
        builder.event("prompt", {"text": HOSTILE}).event("agent", {"id": "x", "agent": "x", "name": HOSTILE})
        builder.thought(HOSTILE, 1, 3).thought("池" * 300 + HOSTILE + title, 2, 3, branch=HOSTILE, from_=1)
        return builder.thought(f"{HOSTILE} {title} 👩‍👩‍👧 ends", 3, 3, agent="x", next=False)

    page = ComparisonPage(compared(hostile("a"), hostile("b")), cells, UNICODE, UTC, is_full)
    lines = [*page.head_lines(), *(line for row in page.rows for line in page.lines_of(row))]

    assert max(map(spans_width, lines)) <= cells
    assert invisible_chars("".join(map(spans_text, lines))) == set()


def test_a_text_has_a_few_lines_and_all_of_them_in_full(compared: Compare) -> None:
    long = JournalBuilder().session().thought("word " * 200 + "end", 1, 1)
    sessions = compared(long, JournalBuilder().session().thought("other", 1, 1))
    short, full = (ComparisonPage(sessions, 80, UNICODE, UTC, is_full) for is_full in (False, True))

    [first, *_] = [short.lines_of(row) for row in short.rows if row.left >= 0]
    assert len(first) == 1 + MAX_ROW_LINES  # below the rule
    assert spans_text(first[-1]).endswith(" …")
    assert "end" in "".join(spans_text(line) for row in full.rows for line in full.lines_of(row))


def test_a_long_run_of_texts_that_are_the_same_is_folded_but_for_its_ends(compared: Compare) -> None:
    def session(last: str) -> JournalBuilder:
        builder = JournalBuilder().session()
        for number in range(1, 10):
            builder.thought(f"step {number} of many", number, 10)
        return builder.thought(last, 10, 10, next=False)

    text = "\n".join(comparison_lines(compared(session("lock"), session("cache")), width=80, zone=UTC))
    full = "\n".join(comparison_lines(compared(session("lock"), session("cache")), width=80, zone=UTC, is_full=True))

    assert "step 1 of many\n   ··· 7 the same\n = A 9 step 9 of many" in text
    assert "step 5 of many" in full


def test_the_words_that_only_one_of_two_alike_texts_has_are_bold(compared: Compare) -> None:
    page = ComparisonPage(compared(run_that_worked(), run_that_failed()), 120, UNICODE, UTC)

    bold = {span.text.strip() for line in page.lines_of(page.rows[0]) for span in line if span.face & BOLD}

    assert {"Symptoms:", "each", "The", "every"} <= bold


def test_in_ascii_there_are_only_ascii_signs(compared: Compare) -> None:
    lines = list(comparison_lines(compared(run_that_worked(), run_that_failed()), width=120, zone=UTC, signs=ASCII))

    assert all(line.isascii() for line in lines)
    assert max(map(width, lines)) <= 120


def test_sessions_that_do_not_part_say_so(compared: Compare) -> None:
    text = "\n".join(comparison_lines(compared(run_that_worked(), run_that_worked()), width=120, zone=UTC))

    assert "7 the same. They do not part. Their answers are the same." in text
    assert "here they part" not in text
