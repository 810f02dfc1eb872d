"""What stands right of a text is where it belongs, however wide a terminal takes the text to be."""

import gc
import re
from collections.abc import Callable
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from textual.color import Color
from textual.strip import Strip
from wcwidth import wcwidth

from seqthink.core.text import one_line
from seqthink.drawing.text.cells import cut, width
from seqthink.drawing.text.spans import Role, Span, spread
from tui.terminal.control_filter import ControlCharacterFilter
from tui.widgets.strips import PinnedStrip, make_strip

CELLS = 30
_PART = re.compile(r"\x1b\[(\d+)G|\x1b\[[\d;]*m|(.)", re.DOTALL)


def by_character(character: str) -> int:
    """Return how wide a character is in a terminal that adds them up, vowels beside their consonants included."""
    return 1 if category(character) == "Mc" or 0x1F1E6 <= ord(character) < 0x1F200 else max(0, wcwidth(character))


def by_letter(character: str) -> int:
    """Return how wide it is in one where all that belongs to a letter has no width of its own."""
    return 0 if category(character)[0] == "M" or 0x1F3FB <= ord(character) < 0x1F400 else max(0, wcwidth(character))


def screen_row(drawn: str, cells_of: Callable[[str], int], size: int) -> list[str]:
    """Return a row of a terminal, cell by cell, on which something else stood before."""
    row, column = ["#"] * size, 0
    for move, character in _PART.findall(drawn):
        if move:
            column = int(move) - 1
        elif character:
            for cell in range(cells_of(character)):
                row[column + cell] = character
            column += cells_of(character)
    return row


def rendered(row: Strip) -> str:
    return row.render(Console(force_terminal=True, color_system="truecolor"))


@pytest.mark.parametrize("cells_of", [by_character, by_letter])
@given(st.text("aé日🙂\u0301\u093e\u093f\u0915\u0e33🇩🇪👩🏽", max_size=40).map(one_line), st.integers(0, 9))
def test_the_right_end_of_a_row_is_in_its_column_in_every_terminal(
    cells_of: Callable[[str], int], text: str, x: int
) -> None:
    spans = spread([Span(cut(text, CELLS - 4))], [Span("│9s", Role.MUTED)], CELLS)
    row = make_strip(tuple(spans), CELLS, "dark")
    row = row.pinned_at(x) if isinstance(row, PinnedStrip) else PinnedStrip(row, CELLS, x)
    shown = screen_row(rendered(row), cells_of, x + CELLS)

    assert row.cell_length == CELLS == sum(width(span.text) for span in spans)
    assert shown[-3:] == list("│9s")
    assert "#" not in shown[x:]


def test_a_plain_row_is_drawn_as_it_is() -> None:
    row = make_strip((Span("● 1  Plain 漢字"),), CELLS, "dark")

    assert not isinstance(row, PinnedStrip)
    assert "G" not in rendered(row)


def test_a_row_that_is_too_long_is_clipped() -> None:
    row = make_strip((Span("कि" * 30), Span("end")), CELLS, "dark")

    assert row.cell_length == CELLS
    assert "end" not in row.text


@pytest.mark.slow  # everything that is loaded is looked through
def test_a_row_that_went_to_the_terminal_is_freed_without_the_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        row = make_strip((Span("seen once"),), CELLS, "dark").apply_filter(ControlCharacterFilter(), Color(0, 0, 0))
        for part in (row, row.pinned_at(3), row.crop(0, 9)):
            rendered(part.divide([part.cell_length])[0])
        del row, part
        make_strip.cache_clear()

        assert gc.collect() == 0
    finally:
        gc.enable()


def test_a_row_is_filtered_once_for_each_background() -> None:
    row, controls = make_strip((Span("kept"),), CELLS, "dark"), ControlCharacterFilter()
    filtered = row.apply_filter(controls, Color(0, 0, 0))

    assert row.apply_filter(controls, Color(0, 0, 0)) is filtered
    assert row.apply_filter(controls, Color(9, 9, 9)) is not filtered
    assert row.apply_filter(ControlCharacterFilter(), Color(9, 9, 9)).text == row.text
