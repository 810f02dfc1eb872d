"""Rows of marked thoughts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.core.text import first_line, one_line
from seqthink.drawing.rows.mark_rows import MarkedThought, mark_row, marks_heading, marks_keys
from seqthink.drawing.text.glyphs import ASCII, UNICODE
from seqthink.drawing.text.spans import spans_text, spans_width

HOUR = 3_600_000_000


def test_a_row_has_session_number_text_and_age() -> None:
    mark = MarkedThought(one_line("shop-api"), 3, first_line("Hypotheses: gateway pool"), HOUR)

    assert spans_text(mark_row(mark, 60, now=3 * HOUR)).split() == [
        "shop-api",
        "3",
        "Hypotheses:",
        "gateway",
        "pool",
        "2h",
    ]
    assert spans_text(mark_row(mark._replace(missing="gone"), 60, now=HOUR)).rstrip().endswith("gone  now")
    assert spans_text(mark_row(mark._replace(number=0), 60, now=HOUR, signs=ASCII, is_selected=True))[0] == ">"


@given(st.text(max_size=250), st.text(max_size=250), st.integers(20, 220), st.integers(0, 10**6))
def test_a_row_has_exactly_the_cells_there_are(name: str, text: str, cells: int, number: int) -> None:
    mark = MarkedThought(one_line(name), number, first_line(text), 0, "gone")

    row = mark_row(mark, cells, now=HOUR)
    assert spans_width(row) == cells
    assert not set(map(chr, (*range(32), *range(127, 160)))) & set(spans_text(row))


@pytest.mark.parametrize("cells", [20, 44, 80, 200])
def test_the_lines_around_the_list_fit(cells: int) -> None:
    assert spans_width(marks_heading(12, 3, cells, right=[])) <= cells
    assert spans_width(marks_keys("link copied", cells, has_marks=True)) <= cells
    assert UNICODE.marked != ASCII.marked
