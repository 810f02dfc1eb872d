"""The timeline's laws: the same however it was fed, at every earlier moment that of a fresh one, no line on another.

The columns are few and the arrows short here, so that small journals come to their ends.
"""

import itertools
from collections.abc import Generator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold
from seqthink.chain.model import NONE
from seqthink.chain.session import Session
from seqthink.drawing.rows.painter import Painter
from seqthink.drawing.text.spans import Role, Spans, spans_text, spans_width
from seqthink.drawing.timeline import timeline as timeline_module
from seqthink.drawing.timeline import timeline_gutter
from seqthink.drawing.timeline.line_columns import ColumnRun
from seqthink.drawing.timeline.timeline import REST_ROWS, Timeline
from seqthink.drawing.tree.row_source import TreeRow
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Journal, folded, texts
from tests.support.journals.given_texts import GivenTexts

LANES, TRACKS, LONGEST = 4, 2, 8


@pytest.fixture(scope="module", autouse=True)
def few_columns() -> Generator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timeline_module, "MAX_LANES", LANES)
        patch.setattr(timeline_gutter, "MAX_LANES", LANES)
        patch.setattr(timeline_module, "MAX_TRACKS", TRACKS)
        patch.setattr(timeline_module, "MAX_ARROW_THOUGHTS", LONGEST)
        yield


def shown(session: Session) -> Timeline:
    timeline = Timeline()
    timeline.sync(session)
    return timeline


def rows(timeline: Timeline) -> list[TreeRow]:
    return [timeline.row(number) for number in range(timeline.count)]


def drawing(timeline: Timeline, journal: Journal, width: int = 60, selected: int = NONE) -> list[Spans]:
    painter = Painter(
        tree=timeline,
        texts=GivenTexts(timeline.session, texts(journal.items).__getitem__),
        width=width,
        screen_width=width,
        selected=selected,
    )
    return list(painter.draw_rows(0, timeline.count))


@given(journals(40), st.lists(st.integers(0, 40), max_size=8))
def test_fed_in_any_batches_it_is_that_of_all_at_once(journal: Journal, cuts: list[int]) -> None:
    timeline, growing, done = Timeline(), Fold(), 0
    for cut in [*sorted(cuts), len(journal.items)]:
        folded(journal.items[done:cut], growing)
        timeline.sync(growing.session())
        done = max(done, cut)
    fresh = shown(folded(journal.items).session())

    assert rows(timeline) == rows(fresh)
    assert drawing(timeline, journal) == drawing(fresh, journal)


@given(journals(40), st.data())
def test_an_earlier_moment_is_drawn_as_if_the_rest_had_never_come(journal: Journal, data: st.DataObject) -> None:
    session = folded(journal.items).session()
    timeline = shown(session)
    for entries in data.draw(st.lists(st.integers(0, session.entry_count), min_size=1, max_size=5)):
        timeline.show(session.at(entries))
        fresh = shown(folded(journal.items[:entries]).session())

        assert rows(timeline) == rows(fresh)
        for width in (44, 60, 100):
            selected = data.draw(st.integers(-1, timeline.count - 1))
            assert drawing(timeline, journal, width, selected) == drawing(fresh, journal, width, selected)


@given(journals(40))
def test_rows_are_the_order_of_arrival_and_every_row_is_found_again(journal: Journal) -> None:
    timeline = shown(folded(journal.items).session())
    thoughts = [row.thought for row in rows(timeline) if row.thought != NONE]

    assert thoughts == [*range(timeline.session.thought_count)]
    assert [timeline.row_of(row) for row in rows(timeline)] == [*range(timeline.count)]
    assert [timeline.row(timeline.row_of_thought(index)).thought for index in thoughts] == thoughts


@given(journals(30))
def test_what_arrives_is_only_ever_added(journal: Journal) -> None:
    session = folded(journal.items).session()
    timeline = shown(session)
    whole = rows(timeline)
    for entries in range(session.entry_count):
        timeline.show(session.at(entries))
        # the first chain's rule comes with the second chain
        has_rule = timeline.has_headings != (session.chain_count > 1)

        assert rows(timeline) == whole[has_rule:][: timeline.count] or not timeline.session.chain_count


def runs(timeline: Timeline, columns: int, *, of_arrows: bool) -> list[list[ColumnRun]]:
    found: list[list[ColumnRun]] = []
    for column in range(columns):
        ask = timeline.arrow_run if of_arrows else timeline.lane_run
        there = [ask(column, index) for index in range(timeline.session.thought_count)]
        found.append(sorted({run for run in there if run is not None}))
    return found


@given(journals(40))
def test_no_line_runs_on_another(journal: Journal) -> None:
    timeline = shown(folded(journal.items).session())
    session = timeline.session
    for column in runs(timeline, LANES, of_arrows=False):
        for above, below in itertools.pairwise(column):
            is_new = session.thoughts.chain_of(above.start) != session.thoughts.chain_of(below.start)
            assert above.end + (0 if is_new else REST_ROWS) < below.start
    for track in runs(timeline, TRACKS, of_arrows=True):
        assert all(above.end < below.start for above, below in itertools.pairwise(track))


@given(journals(40))
def test_every_thought_stands_in_its_lane_s_column_or_in_none_and_the_trunk_in_the_first(journal: Journal) -> None:
    timeline = shown(folded(journal.items).session())
    session = timeline.session
    for index in range(session.thought_count):
        lane, column = session.lanes.get(session.thoughts.lane_of(index)), timeline.column_of(index)
        run = timeline.lane_run(column, index) if column < LANES else None

        assert column == LANES if run is None else run.owner == lane.ordinal
        assert (column == 0) == lane.is_trunk


def collapsed_runs(session: Session, timeline: Timeline) -> list[range]:
    """Return from where to where lanes are without a column."""
    found: list[range] = []
    for chain in range(session.chain_count):
        for lane in session.chains.lanes_of(chain):
            thoughts = session.lanes.get(lane).thoughts[: session.lanes.length_of(lane)]
            for is_collapsed, group in itertools.groupby(thoughts, lambda index: timeline.column_of(index) == LANES):
                own = list(group)
                found += [range(own[0], own[-1] + 1)] if is_collapsed else []
    return found


@given(journals(40), st.data())
def test_the_lanes_without_a_column_are_counted_at_every_row_and_position(
    journal: Journal, data: st.DataObject
) -> None:
    whole = folded(journal.items).session()
    timeline = shown(whole)
    session = whole.at_thought(data.draw(st.integers(1, whole.thought_count))) if whole.thought_count else whole
    timeline.show(session)
    runs_there = collapsed_runs(session, timeline)

    for index in range(session.thought_count):
        assert timeline.collapsed_count(index, index) == sum(index in run for run in runs_there)


@given(journals(40), st.sampled_from([20, 30, 40, 43, 44, 59, 60, 99, 100, 130]))
def test_every_row_has_exactly_its_width(journal: Journal, width: int) -> None:
    timeline = shown(folded(journal.items).session())

    assert {spans_width(spans) for spans in drawing(timeline, journal, width, 0)} <= {width}


@given(journals(40), st.data(), st.sampled_from([44, 60]))
def test_the_arrow_of_a_selected_revision_is_always_drawn(journal: Journal, data: st.DataObject, width: int) -> None:
    timeline = shown(folded(journal.items).session())
    session = timeline.session
    revisions = [index for index in range(session.thought_count) if session.thoughts.target_of(index) != NONE]
    if not revisions:
        return
    selected = data.draw(st.sampled_from(revisions))
    top, bottom = timeline.row_of_thought(session.thoughts.target_of(selected)), timeline.row_of_thought(selected)
    drawn = drawing(timeline, journal, width, bottom)[top : bottom + 1]
    # after the cursor (there is no indent here) each track has a cell
    lines = [
        [spans[at].text if spans[at].role is Role.ACCENT else " " for spans in drawn] for at in range(1, TRACKS + 1)
    ]

    assert any(line[0] in "╭├┬┼" and line[-1] in "╰├┴┼" and set(line[1:-1]) <= set("│├┼┤") for line in lines), [
        spans_text(spans) for spans in drawn
    ]
    assert "►" in spans_text(drawn[0])
