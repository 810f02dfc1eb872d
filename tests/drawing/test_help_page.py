"""The page behind ``?`` fits the narrowest screen."""

import pytest

from seqthink.drawing.panels.help_page import help_lines
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text, spans_width
from tui.commands import help_entries

PLAIN = {
    *("selected", "ellipsis", "separator", "rule", "range_dash", "played", "playhead", "bullet", "bar", "bar_rest"),
    *("box", "keys"),
    "revise",  # beside a score, which is explained with the sign of a pass
}
"""Signs that need no explanation of their own."""


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_every_sign_is_on_the_page_or_needs_no_explanation(signs: Signs) -> None:
    page = "\n".join(map(spans_text, help_lines(signs, help_entries(signs))))
    named = {name: getattr(signs, name) for name in Signs.__struct_fields__ if name not in PLAIN}

    assert [name for name, sign in named.items() if sign not in page] == []


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_the_page_is_at_most_44_columns_and_20_rows_and_names_the_timeline(signs: Signs) -> None:
    page = help_lines(signs, help_entries(signs))
    usual = help_lines(
        signs, help_entries(signs), f"{signs.thought}  1 one {signs.revised_by}3\n{signs.revision}  3 5{signs.changed}6"
    )

    assert len(usual) <= 20
    assert "revised by 6" in "\n".join(map(spans_text, usual))
    assert "repeated number" not in "\n".join(map(spans_text, usual))
    assert "repeated number" in "\n".join(map(spans_text, page))
    assert [spans_text(line) for line in page if spans_width(line) > 44] == []
    assert any(" t " in spans_text(line) and "timeline" in spans_text(line) for line in page)
