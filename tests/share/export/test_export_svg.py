"""The picture of a tree, read back as XML: its words against the drawing in cells, its lines by where they run."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seqthink.drawing.plain import overview_lines
from seqthink.drawing.text.colours import DARK, LIGHT, Colours
from seqthink.drawing.text.spans import Role
from seqthink.library.live_session import load_journal
from seqthink.share.export.svg import FIRST_ROWS, GRID, LAST_ROWS, MAX_PICTURE_CELLS, MIN_PICTURE_CELLS, svg
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import cache, questions, queue
from tests.support.journals.exports import hostile, invisible_chars
from tests.support.servers.commands import JOURNALS, SHOP_API, refusal_line, seqthink

NS = "{http://www.w3.org/2000/svg}"
MARGIN, TOP, CLOSE = 16, 56, 0.2
SIGNS = "│─╯╮┤╰╭├┴┬┼●✓✗○↺┊►"


class Picture:
    """A picture as a browser would read it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root = ElementTree.fromstring(text)
        self.cells = round((float(self.root.attrib["width"]) - 2 * MARGIN) / GRID.width)

    def all(self, tag: str) -> list[ElementTree.Element]:
        return list(self.root.iter(NS + tag))

    def rows(self) -> dict[int, str]:
        """Return the words of each row, each at its column."""
        rows: dict[int, str] = {}
        for element in self.all("text"):
            row = round((float(element.attrib["y"]) - TOP) / GRID.height - 0.7)
            column = round((float(element.attrib["x"]) - MARGIN) / GRID.width)
            rows[row] = rows.get(row, "").ljust(column) + (element.text or "")
        return rows

    def uprights(self, role: Role) -> set[tuple[int, float, float]]:
        """Return the straight lines that run down: their column, and from which row to which."""
        steps = [path.attrib["d"] for path in self.all("path") if path.attrib["class"] == role.value]
        found = [re.fullmatch(r"M(\S+) (\S+)V(\S+)", step) for step in steps]
        return {
            (round((float(one[1]) - MARGIN) / GRID.width - 0.5), _row(float(one[2])), _row(float(one[3])))
            for one in found
            if one
        }


def _row(y: float) -> float:
    return round((y - TOP) / GRID.height, 1)


def picture(journal: Path, colours: Colours = DARK) -> Picture:
    return Picture("".join(svg(load_journal(journal), colours)))


def written(builder: JournalBuilder, folder: Path) -> Picture:
    return picture(builder.write(folder / "a.jsonl"))


@pytest.mark.parametrize("build", [queue, cache, questions], ids=["queue", "cache", "questions"])
def test_every_word_stands_in_the_column_in_which_the_screen_shows_it(
    tmp_path: Path, build: Callable[[], JournalBuilder]
) -> None:
    journal = build().write(tmp_path / "a.jsonl")
    shown, made = picture(journal), load_journal(journal)
    _, *rows = overview_lines(made, width=shown.cells)

    # a sign before a number is a mark, which is a word
    rows_of_words = [re.sub(f"[{SIGNS}](?!\\d)", " ", row).rstrip() for row in rows]
    heading = [row for number, row in shown.rows().items() if number < 0]
    texts = {number: text.replace("✓", " ").rstrip() for number, text in shown.rows().items() if number >= 0}
    assert [texts.get(number, "") for number in range(len(rows))] == rows_of_words
    assert len(heading) == 1


def test_the_header_says_whose_session_it_is_and_how_it_stands() -> None:
    shown = picture(SHOP_API)

    words = [element.text for element in shown.all("text")][:3]
    assert words == ["shop-api", "claude-code 2.1.0 · 11 thoughts, 1 branch, 2 revisions", "✓ done · 8 of 8"]
    assert (shown.root.attrib["role"], shown.root.attrib["aria-labelledby"]) == ("img", "title about")
    assert shown.all("title")[0].text == "shop-api"
    assert shown.all("desc")[0].text == ("The tree of a chain of thought, done: 11 thoughts, 1 branch, 2 revisions.")


def test_a_line_runs_through_the_thoughts_of_a_lane_and_ends_with_them() -> None:
    shown = picture(SHOP_API)

    trunk = {(upright[1], upright[2]) for upright in shown.uprights(Role.LINE)}
    assert trunk == {(0.5, 9.1), (9.8, 11.1)}  # it is interrupted at the two revisions
    assert {(upright[1], upright[2]) for upright in shown.uprights(Role.BRANCH1)} == {(3.7, 6.5)}


def test_an_arrow_runs_from_the_revision_up_to_what_it_revises() -> None:
    shown = picture(SHOP_API)

    assert {upright[1:] for upright in shown.uprights(Role.REVISION)} == {(1.7, 9.3), (10.7, 11.3)}
    heads = [path for path in shown.all("path") if path.attrib["class"] == "revision area"]
    assert [path.attrib["d"].count("l7 3.6") for path in heads] == [1, 0, 1, 0]


@pytest.mark.parametrize(("name", "colours"), [("dark", DARK), ("light", LIGHT)])
def test_the_colours_are_the_screen_s(name: str, colours: Colours) -> None:
    done = seqthink("export", SHOP_API, "--format", "svg", "--theme", name)

    for role, colour in colours.roles.items():
        assert f".{role.value}{{color:{colour}}}\n" in done.stdout
    assert f".page{{fill:{colours.background};" in done.stdout


def test_it_is_dark_by_default_and_only_pictures_have_a_theme() -> None:
    assert DARK.background in seqthink("export", SHOP_API, "--format", "svg").stdout
    assert refusal_line(seqthink("export", SHOP_API, "--format", "md", "--theme", "light")) == (
        "export: --theme is for svg, cast, gif, animated-svg, not for md"
    )


def test_it_is_as_wide_as_its_words_need(tmp_path: Path) -> None:
    short = written(JournalBuilder().session().thought("x"), tmp_path)
    long = written(JournalBuilder().session().thought("x " * 500), tmp_path)

    assert (short.cells, long.cells) == (MIN_PICTURE_CELLS, MAX_PICTURE_CELLS)


def test_wide_characters_take_two_cells_each_beside_narrow_ones(tmp_path: Path) -> None:
    shown = written(JournalBuilder().session().thought("ab 目录 cd"), tmp_path)

    parts = {element.text: element.attrib for element in shown.all("text")}
    left = float(parts["ab "]["x"])
    assert abs(float(parts["目录"]["x"]) - (left + 3 * GRID.width)) < CLOSE
    assert abs(float(parts["目录"]["textLength"]) - (4 * GRID.width)) < CLOSE
    assert abs(float(parts[" cd"]["x"]) - (left + 7 * GRID.width)) < CLOSE


def test_hostile_texts_are_text_and_nothing_else(tmp_path: Path) -> None:
    shown = written(hostile(), tmp_path)

    assert {element.tag.removeprefix(NS) for element in shown.root.iter()} == {
        "svg", "title", "desc", "style", "rect", "path", "text",
    }  # fmt: skip
    assert {name for element in shown.root.iter() for name in element.attrib} <= {
        "width", "height", "viewBox", "role", "aria-labelledby", "id", "class", "x", "y", "rx", "d", "textLength",
    }  # fmt: skip
    assert all(not list(element) for element in shown.root)
    assert "<script>alert(7750)</script>" in " ".join(shown.rows().values())
    assert invisible_chars(shown.text) == {"\n"}
    assert "url(" not in shown.text
    assert "@import" not in shown.text


def test_of_a_tall_tree_the_beginning_and_the_end_are_shown_and_it_says_so(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 2001):
        builder.thought(f"t{number}.", number, 2000, next=number < 2000)

    rows = written(builder, tmp_path).rows()

    assert rows[FIRST_ROWS - 1].split()[0] == f"{FIRST_ROWS}"
    assert rows[FIRST_ROWS].strip() == f"··· {2000 - FIRST_ROWS - LAST_ROWS:,} rows are not in this picture ···"
    assert rows[FIRST_ROWS + 1].split()[0] == f"{2001 - LAST_ROWS}"
    assert max(rows) == FIRST_ROWS + LAST_ROWS


@pytest.mark.parametrize("name", ["minimal", "full", "corrupt", "unknown", "torn", "hostile"])
def test_every_journal_becomes_a_picture(name: str) -> None:
    assert picture(JOURNALS / f"{name}.jsonl").all("text")


def test_a_journal_without_a_thought_says_so(tmp_path: Path) -> None:
    assert "no thoughts yet" in " ".join(written(JournalBuilder(), tmp_path).rows().values())
    assert "✗" not in " ".join(written(JournalBuilder().session().rejected(), tmp_path).rows()[0])
