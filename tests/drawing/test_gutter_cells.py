"""The cells left of a row's text: what a gutter draws, and what a character set makes of it."""

import pytest

from seqthink.drawing.text.cells import width
from seqthink.drawing.text.glyphs import ASCII, DOWN, LEFT, RIGHT, UNICODE, UP, Signs
from seqthink.drawing.text.gutter_cells import CellSign, GutterCell, blanks, cell_spans
from seqthink.drawing.text.spans import Role, Span, spans_text


@pytest.mark.parametrize("signs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_cell_takes_one_cell_in_every_character_set(signs: Signs) -> None:
    cells = [GutterCell(sign=sign) for sign in CellSign] + [GutterCell(arms) for arms in range(16)]

    assert [width(span.text) for span in cell_spans(cells, signs)] == [1] * len(cells)


def test_a_character_set_chooses_the_glyphs_and_keeps_the_roles() -> None:
    cells = [*blanks(1), GutterCell(UP | DOWN | RIGHT, Role.BRANCH1), GutterCell(role=Role.BAD, sign=CellSign.REFUSED)]

    assert cell_spans(cells, UNICODE) == [Span(" "), Span("├", Role.BRANCH1), Span("✗", Role.BAD)]
    assert spans_text(cell_spans(cells, ASCII)) == " +x"


def test_a_sign_stands_in_front_of_a_line_through_its_cell() -> None:
    cell = GutterCell(UP | DOWN, Role.LINE, CellSign.THOUGHT)

    assert spans_text(cell_spans([cell], UNICODE)) == "●"


def test_a_line_that_crosses_stays_behind_and_one_that_meets_another_makes_the_cell_neutral() -> None:
    crossed, met = GutterCell(), GutterCell()
    assert crossed.is_blank

    crossed.draw(UP | DOWN, Role.BRANCH1)
    crossed.cross(Role.ACCENT)
    met.draw(UP, Role.BRANCH1)
    met.draw(LEFT, Role.BRANCH2)

    assert (crossed.arms, crossed.role, crossed.is_blank) == (UP | DOWN | LEFT | RIGHT, Role.BRANCH1, False)
    assert (met.arms, met.role) == (UP | LEFT, Role.LINE)
