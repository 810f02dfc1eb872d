"""The page behind ``?`` fits the narrowest screen."""

import pytest

from seqthink.drawing.panels.help_page import COLUMN_CELLS, HelpSection, help_lines, page_cells
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text, spans_width
from tui.commands import COMMANDS, commands_for, help_sections

PLAIN = {
    *("selected", "ellipsis", "separator", "rule", "range_dash", "playhead", "bullet", "bars", "levels"),
    "box",
    "revise",  # beside a score, which is explained with the sign of a pass
}
"""Signs that need no explanation of their own."""


SECTIONS = [
    HelpSection("One", [("a", "first"), ("b", "second")]),
    HelpSection("Two", [("c", "third")]),
    HelpSection("Three", [("d", "fourth")]),
]


def _page(signs: Signs, cells: int, screen: str | None = None) -> list[str]:
    """Return the page with the viewer's own keys."""
    return list(map(spans_text, help_lines(signs, help_sections(signs, COMMANDS), cells, screen)))


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_every_sign_is_on_the_page_or_needs_no_explanation(signs: Signs) -> None:
    page = "\n".join(_page(signs, 44))
    named = {name: getattr(signs, name) for name in Signs.__struct_fields__ if name not in PLAIN}

    assert [name for name, sign in named.items() if sign not in page] == []


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_only_signs_of_the_screen_are_explained(signs: Signs) -> None:
    screen = f"{signs.thought}  1 one {signs.revised_by}3\n{signs.revision}  3 5{signs.changed}6"

    assert "revised by 6" in "\n".join(_page(signs, 44, screen))
    assert "repeated number" not in "\n".join(_page(signs, 44, screen))
    assert "repeated number" in "\n".join(_page(signs, 44))


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_calls_that_failed_are_no_verdict_of_an_audit(signs: Signs) -> None:
    done = "\n".join(_page(signs, 44, f"{signs.changed} Bash mix test   {signs.refused}1"))
    audited = "\n".join(_page(signs, 44, f"{signs.thought}  1 one {signs.refused}34"))

    assert ("calls failed" in done, "audit score" in done) == (True, False)
    assert ("calls failed" in audited, "audit score" in audited) == (False, True)


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize(
    ("screen", "is_explained"),
    [
        ("{t}  2 go on   2{x}", True),
        ("  │ {t}  2 go on  {r}7 12{x} 0.4s", True),
        ("paused 1{x} · 7 of 11      14:03:29\n {t}  1 one", False),
        ("playing   16{x}   shop-api   thought 7 of 11\n {t}  1 one", False),
        ("· thought 3{x}, 41s, text not kept", False),
    ],
)
def test_a_repeated_number_is_neither_a_speed_nor_a_count(signs: Signs, screen: str, is_explained: bool) -> None:
    shown = screen.format(t=signs.thought, x=signs.times, r=signs.revised_by)

    assert ("repeated number" in "\n".join(_page(signs, 44, shown))) is is_explained


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("cells", [44, 80, 120, 200])
def test_no_line_is_wider_than_the_page_and_no_words_are_cut(signs: Signs, cells: int) -> None:
    sections = help_sections(signs, COMMANDS)
    lines = help_lines(signs, sections, page_cells(cells))
    page = "\n".join(map(spans_text, lines))

    assert [spans_text(line) for line in lines if spans_width(line) > page_cells(cells) <= cells] == []
    assert [words for section in sections for _, words in section.entries if words not in page] == []


@pytest.mark.parametrize(("cells", "columns"), [(44, 1), (80, 2), (120, 3), (200, 5)])
def test_the_page_has_as_many_columns_of_keys_as_fit(cells: int, columns: int) -> None:
    page = _page(UNICODE, page_cells(cells), "")
    titles = {section.title for section in help_sections(UNICODE, COMMANDS)}
    places = {
        place
        for line in page
        for place in range(columns)
        if line[place * COLUMN_CELLS :][:COLUMN_CELLS].strip() in titles
    }

    assert sum(line.startswith(" Move") for line in page) == 1
    assert (max(places) > 0) == (columns > 1)
    assert len(page) <= len(_page(UNICODE, 44, "")) // columns + 8


def test_sections_stay_whole_and_in_order() -> None:
    assert [spans_text(line) for line in help_lines(UNICODE, SECTIONS, COLUMN_CELLS, "")] == [
        " One", " a         first", " b         second", "",
        " Two", " c         third", "",
        " Three", " d         fourth",
    ]  # fmt: skip
    beside = [spans_text(line) for line in help_lines(UNICODE, SECTIONS, 2 * COLUMN_CELLS, "", is_dense=True)]
    assert beside == [
        f"{' One':<39} Two",
        f"{' a         first':<39} c         third",
        f"{' b         second':<39} Three",
        f"{'':<39} d         fourth",
    ]


def test_what_a_command_needs_and_is_not_there_is_left_out() -> None:
    everything = help_sections(UNICODE, commands_for(has_session=True))
    bare = help_sections(UNICODE, commands_for(has_session=True, given=()))
    names = [{keys for section in page for keys, _ in section.entries} for page in (everything, bare)]

    assert {"d", "i", "0-9"} == names[0] - names[1]
