"""A row drawn alone is the row within the whole page, and the lines of rows one below the other meet."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.native.switchable_fold import Shown, SwitchableFold
from seqthink.chain.session import Session
from seqthink.drawing.rows.painter import Painter, whole_session_painter
from seqthink.drawing.text.spans import spans_text
from seqthink.drawing.tree.row_source import RowKind
from seqthink.library.live_session import load_journal
from seqthink.share.export.html_shapes import RowDrawer, row_runs
from seqthink.share.export.outline import Gutters, OutlineRow, outline, outline_row, row_key
from tests.support.journals.build import JournalBuilder
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal
from tests.support.journals.given_texts import GivenTexts
from tests.support.journals.run_strategies import run_journals
from tests.support.servers.commands import JOURNALS

LINE = re.compile(r"M([\d.]+) ([\d.]+)V([\d.]+)")


def session_of(journal: Journal) -> Session:
    """Return a session with rows of all that the journal holds."""
    fold = SwitchableFold()
    for item in journal.items:
        if isinstance(item, str):
            fold.skip_corrupt()
        else:
            fold.evolve(item)
    return fold.session(shown=Shown.EVERYTHING)


def painter_of(session: Session, *, is_timeline: bool = False) -> Painter:
    return whole_session_painter(GivenTexts(session), width=160, is_timeline=is_timeline)


def whole(painter: Painter) -> list[str]:
    """Return the rows of the whole page, one a line."""
    return [line for run in row_runs(outline(painter)) if run is not None for line in run.html.strip().split("\n")]


def alone(painter: Painter) -> list[str]:
    drawer = RowDrawer()
    return [drawer.html(painter, number).strip() for number in range(painter.tree.count)]


@given(st.one_of(journals(), journals(transcript=True), run_journals()))
def test_a_row_drawn_alone_is_the_row_within_the_page(journal: Journal) -> None:
    painter = painter_of(session_of(journal))

    assert alone(painter) == whole(painter)


@pytest.mark.parametrize("name", ["shop-api", "full", "minimal", "corrupt"])
def test_so_it_is_in_journals_of_every_kind(name: str) -> None:
    painter = whole_session_painter(load_journal(JOURNALS / f"{name}.jsonl"), width=160)

    assert alone(painter) == whole(painter)


def test_so_it_is_among_many_thoughts_that_look_alike(tmp_path: Path) -> None:
    builder = JournalBuilder().session()
    for number in range(1, 200):
        builder.thought(f"a thought of its own: {number}", number, 400)
    for number in range(1, 90):
        builder.thought("the same words", number, 400, branch="again", from_=50)
    painter = whole_session_painter(load_journal(builder.write(tmp_path / "a.jsonl")), width=160)

    assert alone(painter) == whole(painter)


@given(st.one_of(journals(), journals(transcript=True)))
def test_every_row_has_a_key_of_its_own(journal: Journal) -> None:
    session = session_of(journal)
    for is_timeline in (False, True):
        tree = painter_of(session, is_timeline=is_timeline).tree
        keys = [row_key(session, tree.row(number)) for number in range(tree.count)]

        assert len(set(keys)) == len(keys)
        assert all(re.fullmatch(r"[tagbec]\d+", key) for key in keys)


def vertical_ends(row: OutlineRow) -> tuple[set[str], set[str]]:
    """Return where lines reach the upper edge of a row, and where the lower one."""
    paths = [*row.gutter.paths, *row.gutter.corner]
    lines = [found for path in paths for found in LINE.findall(path.steps)]
    return {x for x, top, _ in lines if top == "0"}, {x for x, _, bottom in lines if bottom == row.gutter.height}


def drawn_text(painter: Painter) -> str:
    return "\n".join(spans_text(spans) for spans in painter.draw_rows(0, painter.tree.count))


def assert_joined(painter: Painter) -> None:
    gutters, above = Gutters(), set[str]()
    for number in range(painter.tree.count):
        row = outline_row(painter, number, gutters)
        if not isinstance(row, OutlineRow):
            assert not above
            continue
        top, below = vertical_ends(row)
        assert top == above, drawn_text(painter)
        above = below
    assert not above


@pytest.mark.deep  # loads every row of a page; that of one row alone is tested here
@given(st.one_of(journals(), run_journals()).map(session_of))
def test_the_lines_of_a_timeline_meet_from_row_to_row(session: Session) -> None:
    if not session.asides.count:  # which may stand where their lane has ended
        assert_joined(painter_of(session, is_timeline=True))


def test_a_timeline_in_a_picture_looks_as_in_the_terminal() -> None:
    painter = whole_session_painter(load_journal(JOURNALS / "shop-api.jsonl"), width=160, is_timeline=True)
    gutters = Gutters()
    for number in range(painter.tree.count):
        assert painter.tree.row(number).kind is RowKind.THOUGHT
        parts, _ = painter.parts(number)
        row = outline_row(painter, number, gutters)
        assert isinstance(row, OutlineRow)
        middles = {
            round((float(x) + 20) // 10) for path in row.gutter.paths for x in re.findall(r"M([\d.]+) ", path.steps)
        }

        drawn = {column for column, cell in enumerate(parts.cells) if not cell.is_blank}
        assert drawn - middles <= {column for column in drawn if parts.cells[column].sign}
        assert middles <= drawn | {column + 1 for column in drawn}


def test_a_timeline_names_the_branch_to_which_it_switches() -> None:
    painter = whole_session_painter(load_journal(JOURNALS / "shop-api.jsonl"), width=160, is_timeline=True)

    [named] = [row for row in alone(painter) if "cron-job:" in row]

    assert '<span class="t text"><span class="branch1">cron-job:</span> What runs at :00?' in named
