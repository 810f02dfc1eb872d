"""Rows of several lines: their texts go on below, beside the lines of the tree, and nothing of a text is lost."""

from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.query import Query
from seqthink.core.events import ThoughtEvent
from seqthink.drawing.rows.highlight import highlight_lines
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.rows.wrapped_rows import RowRuler, WrappedRows
from seqthink.drawing.text.cells import width as cells_of
from seqthink.drawing.text.glyphs import DOWN, UNICODE, UP
from seqthink.drawing.text.gutter_cells import cells_text
from seqthink.drawing.text.spans import Role, spans_text, spans_width
from seqthink.drawing.timeline.timeline import Timeline
from seqthink.drawing.tree.row_source import RowSource
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder, shop_api
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.tree_pictures import lines

LONG = "the pool is idle at :00, so what answers 502 sits behind it, and that is not the gateway"


def wrapped(painter: Painter, most: int = 3) -> list[str]:
    rows = WrappedRows(painter=painter)
    return [
        spans_text(line).rstrip()
        for number in range(painter.tree.count)
        for line in rows.draw_row(number, rows.lines_needed(number, most))
    ]


def painter_of(journal: JournalBuilder, width: int = 50, tree: RowSource | None = None, selected: int = -1) -> Painter:
    rows = tree or Tree()
    rows.sync(folded(journal.events).session())
    spoken = [event.thought for event in journal.events if isinstance(event, ThoughtEvent)]
    return Painter(
        tree=rows,
        texts=GivenTexts(rows.session, spoken.__getitem__),
        width=width,
        screen_width=width,
        selected=selected,
    )


def forked() -> JournalBuilder:
    return (
        JournalBuilder()
        .thought("one", 1, 4)
        .thought(LONG, 2, 4)
        .thought(LONG, 1, 2, branch="alpha", from_=2)
        .thought("three", 3, 4)
        .thought(LONG, 4, 4, revises=1)
    )


def test_a_long_text_goes_on_beside_the_lines_that_pass() -> None:
    assert wrapped(painter_of(forked(), selected=2)) == lines(
        """
        | ╭►●  1 one                                     ↻4
        | │ ●  2 the pool is idle at :00, so what answers
        | │ │    502 sits behind it, and that is not the
        | │ │    gateway
        |▌│ ├─╮ alpha                               1 of ~2
        | │ │ ●  1 the pool is idle at :00, so what answers
        | │ │      502 sits behind it, and that is not the
        | │ │      gateway
        | │ ●  3 three
        | ╰─↺  4 the pool is idle at :00, so what answers
        |        502 sits behind it, and that is not the
        |        gateway
        """
    )


def test_a_timeline_carries_its_lanes_and_the_cursor_is_beside_all_lines_of_a_row() -> None:
    assert wrapped(painter_of(forked(), tree=Timeline(), selected=2)) == lines(
        """
        | ╭►●    1 one                                   ↻4
        | │ ●─╮  2 the pool is idle at :00, so what answers
        | │ │ │    502 sits behind it, and that is not the
        | │ │ │    gateway
        |▌│ │ ●  1 alpha: the pool is idle at :00, so what
        |▌│ │      answers 502 sits behind it, and that is
        |▌│ │      not the gateway
        | │ ●    3 three
        | ╰─↺    4 the pool is idle at :00, so what answers
        |          502 sits behind it, and that is not the
        |          gateway
        """
    )


def test_what_does_not_fit_the_last_line_is_cut_there() -> None:
    assert wrapped(painter_of(JournalBuilder().thought(LONG * 2, 1, 1)), most=2) == lines(
        """
        | ●  1 the pool is idle at :00, so what answers 502
        |      sits behind it, and that is not the gateway…
        """
    )


def test_the_lines_below_a_first_line_go_on_quietly() -> None:
    painter = painter_of(JournalBuilder().thought("A short title\n\n" + LONG, 1, 2), width=40)
    drawn = WrappedRows(painter=painter).draw_row(0, 3)
    quiet = "".join(span.text for line in drawn for span in line if span.role is Role.MUTED)

    assert spans_text(drawn[0]).split()[1:] == ["1", "A", "short", "title", "·", "the", "pool", "is", "idle"]
    assert "title" not in quiet
    assert "the pool is idle" in quiet
    assert "answers 502 sits" in quiet


def test_a_lane_goes_on_in_its_own_colour_below_a_revision() -> None:
    journal = JournalBuilder().thought("one", 1, 3).thought(LONG, 2, 3, revises=1).thought("three", 3, 3)
    below = WrappedRows(painter=painter_of(journal)).draw_row(1, 2)[1]

    assert [span.role for span in below if span.text == UNICODE.box[UP | DOWN]] == [Role.LINE]


def test_a_match_in_any_line_of_a_row_is_highlighted_and_one_that_was_cut_off_is_marked() -> None:
    row = WrappedRows(painter=painter_of(JournalBuilder().thought(LONG, 1, 2), width=40)).draw_row(0, 2)
    below, cut_off = (highlight_lines(row, Query(words=(word,))) for word in ("sits", "gateway"))

    assert [span.text for line in below for span in line if span.role is Role.MATCH] == ["sits"]
    assert [span.text for line in cut_off for span in line if span.role is Role.MATCH] == ["/"]


# Laws


def painters(journal: Journal, width: int, selected: int) -> list[Painter]:
    session, spoken = folded(journal.items).session(), texts(journal.items)
    found: list[Painter] = []
    for tree in (Tree(), Timeline()):
        tree.sync(session)
        given_texts = GivenTexts(session, spoken.__getitem__)
        found.append(Painter(tree=tree, texts=given_texts, width=width, screen_width=width, selected=selected))
    return found


@given(journals(), st.integers(12, 100), st.integers(1, 4), st.integers(-1, 24))
def test_every_line_of_a_row_has_the_width_and_its_first_one_the_cells_of_the_row(
    journal: Journal, width: int, count: int, selected: int
) -> None:
    for painter in painters(journal, width, selected):
        for number in range(painter.tree.count):
            drawn = WrappedRows(painter=painter).draw_row(number, count)
            cells = len(painter.parts(number)[0].cells)

            assert [cells_of(spans_text(line)) for line in drawn] == [width] * count
            assert spans_text(drawn[0])[:cells] == spans_text(painter.draw_row(number))[:cells]


@given(journals(), st.integers(20, 100), st.integers(-1, 24))
def test_a_line_below_a_row_carries_what_goes_on_from_it_and_nothing_else(
    journal: Journal, width: int, selected: int
) -> None:
    for painter in painters(journal, width, selected):
        for number in range(painter.tree.count - 1):
            here, below = (painter.parts(place)[0].cells[1:] for place in (number, number + 1))
            drawn = spans_text(WrappedRows(painter=painter).draw_row(number, 2)[1])[1:]
            for column, cell in enumerate(here):
                goes_down = bool(cell.arms & DOWN) and cell.sign is None
                comes_up = column < len(below) and bool(below[column].arms & UP) and below[column].sign is None
                is_same_chain = painter.tree.row(number).chain == painter.tree.row(number + 1).chain

                assert drawn[column] in " │" or column >= len(cells_text(here, UNICODE)) - 1
                assert not (goes_down and comes_up and is_same_chain) or drawn[column] == "│"


@given(st.text(), st.text(), st.integers(24, 100), st.integers(1, 3))
def test_a_text_that_needs_fewer_lines_than_it_may_have_is_shown_whole(
    first: str, second: str, width: int, most: int
) -> None:
    painter = painter_of(JournalBuilder().thought(f"{first}\n{second}", 1, 1), width=width)
    ruler = RowRuler(lambda _: painter)
    needed = ruler.lines_needed(painter.tree, 0, most + 1)
    parts, _ = painter.parts(0)
    drawn = WrappedRows(painter=painter).draw_row(0, needed)

    assert ruler.lines_needed(painter.tree, 0, most) == min(needed, most)
    if needed <= most and needed > 1:
        shown = "".join(spans_text(line) for line in drawn).replace(" ", "")
        assert (parts.text.text + parts.rest).replace(" ", "") in shown


def test_a_real_session_is_wrapped_at_any_width() -> None:
    for width in (28, 39, 67, 119):
        painter = painter_of(shop_api(), width=width)
        rows = WrappedRows(painter=painter)
        drawn = [line for number in range(painter.tree.count) for line in rows.draw_row(number, 3)]

        assert {spans_width(line) for line in drawn} == {width}
