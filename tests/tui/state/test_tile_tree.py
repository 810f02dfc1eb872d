"""The end of a tree on a tile: the same rows as on the session's own screen, and always the newest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.session import Session
from seqthink.core.events import WriterState
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.glyphs import UNICODE
from seqthink.drawing.text.spans import spans_text, spans_width
from seqthink.drawing.tree.tree import Tree
from tests.support.journals.build import JournalBuilder
from tests.support.journals.example_chains import cache, questions, queue
from tests.support.journals.given_texts import GivenTexts
from tui.state.tile_tree import TileTree

LONG = "Not the gateway, whose pool is idle while the errors come, but the pool of the checkout behind it"
EXAMPLES = pytest.mark.parametrize("builder", [queue(), cache(), questions()], ids=["branches", "revisions", "chains"])


def sessions_of(builder: JournalBuilder) -> list[Session]:
    """Return the session after each line, all of one fold."""
    fold, found = Fold(), list[Session]()
    for event in builder.events:
        fold.evolve(event)
        found.append(fold.session(WriterState.ALIVE))
    return found


def chain(count: int) -> JournalBuilder:
    builder = JournalBuilder().session()
    for number in range(1, count + 1):
        builder.thought(f"Thought {number}", number, count + 1, after=1)
    return builder


def tile_of(*sessions: Session, text: str = "thought {}") -> TileTree:
    tile = TileTree(UNICODE)
    for session in sessions:
        tile.update(GivenTexts(session, text.format))
    return tile


def texts(tile: TileTree, cells: int, rows: int) -> list[str]:
    return [spans_text(line).rstrip() for line in tile.lines(cells, rows)]


@EXAMPLES
def test_rows_lanes_arrows_and_colours_are_those_of_the_session_s_own_screen(builder: JournalBuilder) -> None:
    session, tree = sessions_of(builder)[-1], Tree()
    tree.sync(session)
    painter = Painter(tree=tree, texts=GivenTexts(session), width=100, screen_width=100, odd=frozenset())

    assert tile_of(session).lines(100, 60) == list(painter.draw_rows(0, tree.count))


@EXAMPLES
def test_what_arrives_line_by_line_ends_as_what_came_at_once(builder: JournalBuilder) -> None:
    sessions = sessions_of(builder)
    grown, at_once = tile_of(*sessions), tile_of(sessions[-1])

    for rows in (1, 3, 6, 40):
        assert grown.lines(60, rows) == at_once.lines(60, rows)


def test_a_tile_shows_the_end_of_a_long_chain() -> None:
    lines = texts(tile_of(sessions_of(chain(300))[-1]), 50, 4)

    assert [line.split()[-1] for line in lines] == ["297", "298", "299", "expected"]


def test_the_newest_thought_is_shown_in_full_although_the_other_rows_have_one_line() -> None:
    lines = texts(tile_of(sessions_of(chain(30))[-1], text="{} " + LONG), 50, 8)

    assert [line.endswith("…") for line in lines] == [True] * 4 + [False] * 4
    assert " ".join(line.lstrip(" │●0123456789") for line in lines[4:7]).endswith(LONG)
    assert lines[7].strip() == "○ 31 expected"


def test_rows_wrap_while_all_of_them_fit() -> None:
    lines = texts(tile_of(sessions_of(chain(2))[-1], text=LONG), 50, 12)

    assert len(lines) == 7
    assert not any(line.endswith("…") for line in lines)


def test_a_tile_with_few_lines_has_none_for_what_is_expected() -> None:
    assert [line.split()[-1] for line in texts(tile_of(sessions_of(chain(9))[-1]), 50, 3)] == ["6", "7", "8"]
    assert texts(tile_of(sessions_of(chain(9))[-1]), 50, 4)[-1].strip() == "○ 10 expected"


def test_what_came_since_the_newest_thought_is_shown_below_it_in_half_of_the_room_at_most() -> None:
    refused = chain(30).rejected("too long").rejected("too long").rejected("too long")
    tile = tile_of(sessions_of(refused)[-1])

    assert ["refused" in line for line in texts(tile, 50, 8)] == [False] * 4 + [True] * 3 + [False]
    assert ["refused" in line for line in texts(tile, 50, 3)] == [False, False, True]
    assert ["refused" in line for line in texts(tile, 50, 1)] == [False]


@EXAMPLES
def test_a_tile_is_full_as_long_as_the_tree_has_more_rows(builder: JournalBuilder) -> None:
    for session in sessions_of(builder):
        tile = tile_of(session)
        whole = len(tile.lines(60, 200))

        assert [len(tile.lines(60, rows)) for rows in range(1, whole)] == list(range(1, whole))


def test_another_fold_of_the_session_replaces_the_rows() -> None:
    tile = tile_of(sessions_of(chain(30))[-1], sessions_of(chain(3))[-1])

    assert texts(tile, 50, 9) == texts(tile_of(sessions_of(chain(3))[-1]), 50, 9)


def test_without_thoughts_there_are_no_rows() -> None:
    assert TileTree(UNICODE).lines(50, 5) == []
    assert tile_of(sessions_of(JournalBuilder().session())[-1]).lines(50, 5) == []


@given(st.integers(1, 90), st.integers(1, 12), st.sampled_from([queue(), cache(), questions()]))
def test_rows_have_exactly_the_cells_of_the_tile_and_never_more_lines(
    cells: int, rows: int, builder: JournalBuilder
) -> None:
    lines = tile_of(sessions_of(builder)[-1], text="{} " + LONG).lines(cells, rows)

    assert 0 < len(lines) <= rows
    assert {spans_width(line) for line in lines} == {cells}
