"""Text measured, cut and padded in cells."""

from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcwidth

from seqthink.core.text import one_line
from seqthink.drawing.text.cells import cut, cut_name, has_ambiguous_width, pad, width
from seqthink.drawing.text.spans import Role, Span, clip, spans_text, spans_width, spread

safe = st.text(max_size=60).map(one_line) | st.text("aé日🙂\u0301\u093e\u0e33🇩🇪👩", max_size=60).map(one_line)


@pytest.mark.parametrize(
    ("text", "cells", "expected"),
    [
        ("seven b", 7, "seven b"),
        ("eight by", 7, "eight …"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 1, "…"),
        ("ab", 0, ""),
        ("ab", -3, ""),
        ("e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301…"),
    ],
)
def test_a_text_is_cut_in_cells_and_never_within_a_character(text: str, cells: int, expected: str) -> None:
    assert cut(text, cells) == expected


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("कि", 2),  # one here, two there
        ("हिन्दी", 5),
        ("កើ", 2),
        ("é", 1),
        ("🇩🇪", 2),
        ("👩‍🚀", 4),
        ("👍🏽", 4),
        ("❤️", 2),
        ("漢字", 4),
        ("שָׁלוֹם", 4),
    ],
)
def test_a_text_is_as_wide_as_in_the_terminal_where_it_is_widest(text: str, cells: int) -> None:
    assert width(text) == cells


def test_texts_on_which_terminals_agree_are_even() -> None:
    assert not any(
        map(has_ambiguous_width, ("plain", "Grüße", "漢字", "●├─╮ ↺ ✓ ✗ 5→6", "ภาษาไทย", "مرحبا", "e\u0301"))
    )
    assert all(map(has_ambiguous_width, ("कि", "👩‍🚀", "🇩🇪", "1⃣", "❤️", "🙂")))


@given(safe, st.integers(0, 80))
def test_what_is_cut_fits_and_what_fits_is_not_cut(text: str, cells: int) -> None:
    shown = cut(text, cells)

    assert width(shown) <= cells
    assert (shown == text) == (width(text) <= cells) or not cells


@given(safe, st.integers(1, 80))
def test_padded_text_has_exactly_its_width(text: str, cells: int) -> None:
    assert width(pad(text, cells)) == cells


@given(st.lists(safe, max_size=6), st.integers(0, 80))
def test_clipped_pieces_have_exactly_the_width_or_their_own(texts: list[str], cells: int) -> None:
    spans = [Span(text, Role.TEXT) for text in texts]

    assert spans_width(clip(spans, cells)) == min(cells, spans_width(spans))


def test_pieces_spread_leave_the_blanks_between_them() -> None:
    assert spans_text(spread([Span("left")], [Span("right")], 12)) == "left   right"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("read the settings", "read the settin…"),
        ("read the settings 2", "read the sett… 2"),
        ("read it 2", "read it 2"),
        ("wait for 127.0.0.1 20261127", "wait f… 20261127"),
        ("看看看看看看看看看 3", "看看看看看看… 3"),
    ],
)
def test_a_name_that_is_cut_keeps_the_number_that_distinguishes_it(name: str, shown: str) -> None:
    assert cut_name(name, 16) == shown


def test_a_character_whose_width_is_known_has_that_of_the_table() -> None:
    characters = [chr(code) for code in range(0x20, 0x3000) if category(chr(code))[0] in "LNPSZ"]

    assert {sign: width(sign) for sign in characters} == {sign: max(0, wcwidth(sign)) for sign in characters}
