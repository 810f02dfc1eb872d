"""The tiles of the wall take exactly the room they are given, and distinguish sessions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.attention import Attention, Standing, StuckReason
from seqthink.chain.fold import Fold
from seqthink.chain.overview.states import ShownState
from seqthink.chain.session import Session
from seqthink.core.events import WriterState
from seqthink.core.text import SafeText, one_line
from seqthink.drawing.describe.now_line import present_of
from seqthink.drawing.describe.status import Status
from seqthink.drawing.panels.wall import WallCount, empty_wall_lines, wall_heading, wall_keys
from seqthink.drawing.panels.wall_facts import WallTile, wall_status, wall_tile
from seqthink.drawing.panels.wall_tiles import draw_line, draw_tile
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import BOLD, Role, Span, Spans, spans_text, spans_width
from tests.support.journals.build import JournalBuilder

MINUTE = 60_000_000
NOW = 1_000 * MINUTE


def session() -> Session:
    fold = Fold()
    for event in JournalBuilder().session().thought("Why?", 1, 3).thought("Because", 2, 3).events:
        fold.evolve(event)
    return fold.session(WriterState.ALIVE)


def tile(text: str = "Because", **more: object) -> WallTile:
    standing = more.pop("standing", Standing(attention=Attention.THINKING))
    assert isinstance(standing, Standing)
    name = more.pop("name", "shop-api")
    return wall_tile(
        session(),
        present_of(session(), standing, NOW),
        name=one_line(str(name)),
        newest=text,
        changed=NOW - 12_000_000,
        now=NOW,
        signs=UNICODE,
        number=3,
        **more,  # pyright: ignore[reportArgumentType] - whatever a test hands over
    )


def rows_of_a_tree(cells: int, rows: int) -> list[Spans]:
    """Return as many rows as there is room for, numbered."""
    return [[Span(f"row {number}"[:cells].ljust(cells))] for number in range(rows)]


def texts(lines: list[Spans]) -> list[str]:
    return [spans_text(line) for line in lines]


def roles(lines: list[Spans]) -> set[Role]:
    return {span.role for line in lines for span in line if span.text.strip()}


@given(
    st.text(max_size=300),
    st.text(max_size=60),
    st.text(max_size=200),
    st.integers(1, 90),
    st.integers(1, 20),
    st.booleans(),
    st.sampled_from(list(Attention)),
)
def test_a_tile_takes_exactly_its_cells_and_rows_whatever_it_holds(
    text: str, name: str, question: str, cells: int, rows: int, is_band: bool, attention: Attention
) -> None:
    standing = Standing(attention=attention, question=question, since=NOW - MINUTE)
    shown = tile(text, name=name, standing=standing)
    lines = draw_tile(shown, cells, rows, UNICODE, tree=rows_of_a_tree, is_band=is_band)

    assert [spans_width(line) for line in lines] == [cells] * rows
    assert spans_width(draw_line(shown, cells, UNICODE)) == cells


@given(st.text(max_size=300), st.text(max_size=60), st.booleans())
def test_nothing_of_a_session_reaches_the_screen_as_a_control(text: str, name: str, is_band: bool) -> None:
    standing = Standing(attention=Attention.ASKING, question=text)
    shown = tile(text, name=name, standing=standing)
    drawn = "".join(texts([*draw_tile(shown, 60, 9, UNICODE, is_band=is_band), draw_line(shown, 60, UNICODE)]))

    assert not [character for character in drawn if character < " " or "\x7f" <= character <= "\x9f"]
    assert not {"\u202e", "\u2066", "\u200b"} & set(drawn)


def test_a_tile_says_name_client_state_progress_shape_clock_and_what_it_does_above_its_tree() -> None:
    assert texts(draw_tile(tile(), 42, 8, UNICODE, tree=rows_of_a_tree)) == [
        "╭─ 3 shop-api · claude-code ─── 2 of ~3 ─╮",
        "│ ● thinking                          ●● │",
        "│ now  thinking · 0 s                    │",
        "│ row 0                                  │",
        "│ row 1                                  │",
        "│ row 2                                  │",
        "│ row 3                                  │",
        "╰────────────────────────────────────────╯",
    ]


def test_a_low_tile_says_state_and_present_action_in_one_row_and_a_band_keeps_one_for_the_tree() -> None:
    assert texts(draw_tile(tile(), 30, 5, UNICODE, tree=rows_of_a_tree))[1:-1] == [
        "│ ● now  thinking · 0 s      │",
        "│ row 0                      │",
        "│ row 1                      │",
    ]
    assert texts(draw_tile(tile(), 30, 3, UNICODE, tree=rows_of_a_tree, is_band=True))[1:] == [
        "  now  thinking · 0 s         ",
        "  row 0                       ",
    ]
    assert texts(draw_tile(tile(), 30, 2, UNICODE, tree=rows_of_a_tree, is_band=True))[1].strip() == "row 0"


def test_what_cannot_be_read_says_why_above_what_was_read() -> None:
    lines = texts(draw_tile(tile(trouble="cannot read a.jsonl"), 42, 7, UNICODE, tree=rows_of_a_tree))

    assert lines[1].startswith("│ ✗ not read")
    assert [line.strip("│ ") for line in lines[2:4]] == ["cannot read a.jsonl", "row 0"]


def test_a_line_says_sign_name_text_progress_and_when_and_gives_up_the_text_first_then_the_progress() -> None:
    shown = tile("By task, not by module", standing=Standing(attention=Attention.DONE))
    lines = {cells: texts([draw_line(shown, cells, UNICODE)])[0].rstrip() for cells in (60, 44, 36, 24, 12)}

    assert lines == {
        60: "  3 ✓ shop-api  By task, not by module         2 of ~3  12s",
        44: "  3 ✓ shop-api  By task, not…  2 of ~3  12s",
        36: "  3 ✓ shop-api         2 of ~3  12s",
        24: "  3 ✓ shop-api      12s",
        12: "  3 ✓ shop-…",
    }


def test_a_line_names_a_state_whose_sign_others_have_too() -> None:
    opened = tile("", standing=Standing(attention=Attention.OPEN))

    assert "○ shop-api  open " in texts([draw_line(opened, 60, UNICODE)])[0]


def test_a_line_that_nobody_has_read_is_bold_and_the_others_are_quiet() -> None:
    def names(*, is_unread: bool) -> list[tuple[Role, int]]:
        line = draw_line(tile(standing=Standing(attention=Attention.DONE), is_unread=is_unread), 60, UNICODE)
        return [(span.role, span.face) for span in line if span.text == "shop-api"]

    assert names(is_unread=True) == [(Role.TEXT, BOLD)]
    assert names(is_unread=False) == [(Role.MUTED, 0)]


def test_a_session_of_another_computer_says_which() -> None:
    assert "claude-code · desk" in texts(draw_tile(tile(host="laptop"), 60, 5, UNICODE))[0]
    assert "desk" not in texts(draw_tile(tile(host="desk"), 60, 5, UNICODE))[0]


def test_a_band_of_a_fleet_gives_up_the_shape_then_the_progress_then_the_machine() -> None:
    headings = {
        cells: texts(draw_tile(tile(machine="buildbox"), cells, 2, UNICODE, is_band=True))[0]
        for cells in (44, 40, 32, 20)
    }

    assert headings == {
        44: "  3 ● shop-api · buildbox · 12s  ●●  2 of ~3",
        40: "  3 ● shop-api · buildbox · 12s  2 of ~3",
        32: "  3 ● shop-api · buildbox · 12s ",
        20: "  3 ● shop-api · 12s",
    }


@pytest.mark.parametrize(("rows", "is_band"), [(12, False), (6, False), (3, True), (2, True)])
def test_a_tile_says_once_for_how_long_it_has_done_the_same(rows: int, is_band: bool) -> None:
    drawn = "\n".join(texts(draw_tile(tile(), 60, rows, UNICODE, is_band=is_band)))

    assert len(re.findall(r"\d ?s\b", drawn)) == 1


def test_only_a_session_that_needs_the_user_has_a_heavy_frame_and_is_amber() -> None:
    for attention in Attention:
        drawn = draw_tile(tile(standing=Standing(attention=attention)), 60, 6, UNICODE)
        needs = attention in {Attention.ASKING, Attention.STUCK}

        assert ("┏" in texts(drawn)[0], Role.WARN in roles(drawn)) == (needs, needs)


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("is_band", [False, True])
def test_asking_stuck_thinking_and_done_look_different_without_colours(signs: Signs, is_band: bool) -> None:
    kinds = (Attention.ASKING, Attention.STUCK, Attention.THINKING, Attention.DONE, Attention.LOST, Attention.STOPPED)
    drawn = {
        "\n".join(
            texts(
                draw_tile(
                    wall_tile(
                        session(),
                        present_of(session(), Standing(attention=kind, since=NOW), NOW, signs=signs),
                        name=SafeText("a"),
                        newest="",
                        changed=NOW,
                        now=NOW,
                        signs=signs,
                    ),
                    42,
                    4,
                    signs,
                    is_band=is_band,
                )
            )
        )
        for kind in kinds
    }

    assert len(drawn) == len(kinds)


def test_ascii_tiles_hold_ascii_only() -> None:
    shown = WallTile(number=1, name=SafeText("a"), status=Status(ASCII.attention, "stuck", Role.WARN), is_heavy=True)
    drawn = "".join(texts(draw_tile(shown, 40, 6, ASCII)))

    assert drawn.isascii()


def test_the_reason_stands_beside_stuck() -> None:
    def word(**more: object) -> str:
        standing = Standing(attention=Attention.STUCK, since=NOW - 6 * MINUTE, **more)  # pyright: ignore[reportArgumentType] - any of its fields
        return wall_status(present_of(session(), standing, NOW)).word

    assert word(reason=StuckReason.SILENT) == "stuck: silent 6m"
    assert word(reason=StuckReason.REPEATING, numbers=(7, 3)) == "stuck: same thought 3×"
    assert word(reason=StuckReason.CIRCLING, numbers=(4, 5, 6)) == "stuck: circling 4 5 6"


def test_a_question_has_half_of_the_room_before_the_tree() -> None:
    standing = Standing(attention=Attention.ASKING, since=NOW - MINUTE, question="May I go on? " * 8)
    lines = texts(draw_tile(tile(standing=standing), 40, 7, UNICODE, tree=rows_of_a_tree))

    assert lines[1].startswith("┃ ▲ asking you 1m")
    assert lines[2].startswith("┃ May I go on?")
    assert lines[3].rstrip(" ┃").endswith("…")
    assert [line.strip("┃ ") for line in lines[4:6]] == ["row 0", "row 1"]


@given(st.lists(st.sampled_from(list(ShownState)), max_size=300), st.integers(1, 220), st.integers(0, 9))
def test_the_heading_fits_and_says_whether_a_session_on_another_page_needs_the_user(
    states: list[ShownState], cells: int, needing: int
) -> None:
    count = WallCount(states=tuple(states), pages=3, hidden=9, needing=needing)
    line = wall_heading(count, cells, UNICODE)

    said = spans_text(line)
    assert spans_width(line) <= cells
    if cells >= 80:
        assert said.rstrip().endswith("PgDn")
        assert (f"▲{needing} on another page" in said or f"▲{needing} 1/3" in said) == bool(needing)


def test_the_other_lines_fit() -> None:
    for cells in (1, 8, 20, 44, 120):
        keys = wall_keys([("1-9", "open"), ("q", "back")], Span("gone"), cells)

        assert spans_width(keys) <= max(cells, 6)
        assert all(spans_width(line) <= max(cells, 4) for line in empty_wall_lines(cells))
