"""Rows of hits: what was found is in view at every width, and nothing is wider than the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.query import words_query
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.hits import FoundText, HitSession
from seqthink.drawing.panels.find_page import find_head, find_keys, find_status, hit_preview
from seqthink.drawing.rows.highlight import has_match
from seqthink.drawing.rows.hit_rows import excerpt_text, hit_line, session_line
from seqthink.drawing.text.glyphs import ASCII
from seqthink.drawing.text.spans import Role, Span, spans_text, spans_width

WIDTHS = st.integers(20, 200)


def text(excerpt: str, *, is_begun_before: bool = False, branch: str = "") -> FoundText:
    return FoundText(
        seq=1,
        kind="thought",
        time=0,
        excerpt=one_line(excerpt),
        is_begun_before=is_begun_before,
        number=12,
        branch=one_line(branch),
    )


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=80), WIDTHS, st.booleans())
def test_a_row_fits_and_has_the_word_in_it(before: str, after: str, branch: str, cells: int, is_begun: bool) -> None:
    found = text(f"{before} zebra {after}", is_begun_before=is_begun, branch=branch)
    row = hit_line(found, words_query("zebra"), cells, now=0)
    assert spans_width(row) <= cells
    assert cells < 40 or has_match(row)


def test_a_row_begins_later_where_the_word_would_not_be_in_view() -> None:
    found = text("The gateway answers the 502 and so I suspect that the pool starves")
    assert excerpt_text(found, words_query("pool"), 30) == "…suspect that the pool starves"
    assert excerpt_text(found, words_query("answers"), 30) == "The gateway answers the 502 a…"
    assert excerpt_text(found, words_query("pool"), 30, ASCII).startswith(ASCII.ellipsis)


def test_a_text_that_fits_is_shown_whole() -> None:
    assert excerpt_text(text("the pool"), words_query("pool"), 30) == "the pool"
    assert excerpt_text(text("the pool", is_begun_before=True), words_query("pool"), 30) == "…the pool"


@given(st.text(max_size=300), st.text(max_size=90), WIDTHS, st.booleans())
def test_the_line_of_a_session_fits(name: str, client: str, cells: int, has_id: bool) -> None:
    found = HitSession(SafeText("20260310T140200.000000Z-k3v9qa"), one_line(name), one_line(client), 0)
    assert spans_width(session_line(found, cells, now=0, has_id=has_id)) <= cells
    for row in hit_preview(found, text(name), words_query("a"), cells, now=0):
        assert spans_width(row) <= cells


@pytest.mark.parametrize(
    ("hits", "is_running", "is_cut", "says"),
    [
        (0, True, False, "searching 3 of 9 sessions…"),
        (1, True, False, "1 text · 3 of 9 sessions…"),
        (1, False, False, "1 text in 1 session"),
        (1000, False, True, "1,000+ texts in 1 session"),
        (0, False, False, "nothing found"),
    ],
)
def test_the_status_says_what_was_found_and_how_far_the_search_is(
    hits: int, is_running: bool, is_cut: bool, says: str
) -> None:
    assert find_status(hits, 1, searched=3, total=9, is_running=is_running, is_cut=is_cut) == says


def test_keys_that_do_nothing_are_not_named() -> None:
    assert "Enter" not in spans_text(find_keys(80, is_typing=False, has_hits=False))
    assert "Enter open" in spans_text(find_keys(80, is_typing=False, has_hits=True))
    assert "/" not in spans_text(find_keys(80, is_typing=True, has_hits=True))


def test_a_first_line_that_is_too_long_is_cut_at_the_screen() -> None:
    assert spans_width(find_head([Span("x" * 90, Role.TEXT)], "status", 44)) == 44
