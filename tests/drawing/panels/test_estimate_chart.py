"""The chart of what an estimate leaves: a linear scale, rows only where it has something to say, and bounded work."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import fold
from seqthink.chain.model import Thought
from seqthink.chain.session import Session
from seqthink.chain.thoughts import Thoughts
from seqthink.drawing.panels.estimate_chart import MAX_CHART_ROWS, estimate_chart, estimate_points
from seqthink.drawing.text.glyphs import ASCII, UNICODE, Signs
from seqthink.drawing.text.spans import spans_text
from tests.support.journals.build import JournalBuilder, shop_api


def _session(steps: Iterable[tuple[int, int]]) -> Session:
    journal = JournalBuilder().session()
    for number, total in steps:
        journal.thought("x", number, total)
    return fold(journal.events)


def _chart(session: Session, width: int = 50, height: int = 9, signs: Signs = UNICODE) -> list[str]:
    return [spans_text(line) for line in estimate_chart(session, 0, width=width, height=height, signs=signs)]


def _ticks(chart: Sequence[str]) -> list[int]:
    return [int(line.split()[0]) for line in chart[:-1]]


def test_it_falls_with_each_thought_and_rises_where_more_are_needed() -> None:
    assert [line.rstrip() for line in _chart(fold(shop_api().events[:10]))] == [
        " 4  ⠤⠤⠤⠤⠤⠤⡄",
        " 3        ⠧⠤⠤⠤⠤⠤●⠤⠤⠤⠤⠤⡄",
        " 2                    ⠧⠤⠤⠤⠤⠤⡄     ●⠤⠤⠤⠤⠤",
        " 1                          ⠧⠤⠤⠤⠤⠤⠇     ⠄⠄⠄⠄⠄⠄",
        " 0                                            ⠄",
        "    1     2     3     4     5     6     7     8",
    ]


def test_without_unicode_it_is_drawn_with_lines_and_points() -> None:
    assert [line.rstrip() for line in _chart(fold(shop_api().events[:10]), signs=ASCII)] == [
        " 4  -------",
        " 3        |-----o------",
        " 2                    |------     o-----",
        " 1                          |-----|     ......",
        " 0                                            .",
        "    1     2     3     4     5     6     7     8",
    ]


def test_a_chart_in_which_the_estimate_falls_slowly_falls_by_a_quarter_of_a_row() -> None:
    drawn = _chart(_session((number, 40 if number < 21 else 30) for number in range(1, 31)), 24, 9)

    assert [line.rstrip() for line in drawn] == [
        "40  ⠤⣄⡀",
        "30    ⠉⠙⠲⠤⣄⡀",
        "20         ⠉⠙⠲⡄",
        "10            ⠧⣄⡀",
        " 0              ⠉⠙⠲",
        "    1         20",
    ]


@given(
    st.lists(st.tuples(st.integers(1, 300), st.integers(1, 2_000)), min_size=1, max_size=60),
    st.integers(8, 90),
    st.integers(1, 12),
)
def test_any_chart_fits_its_place_and_has_a_linear_scale_down_to_zero(
    steps: list[tuple[int, int]], width: int, height: int
) -> None:
    session = _session(steps)
    for signs in (UNICODE, ASCII):
        chart = _chart(session, width, height, signs)

        assert all(len(line) <= width for line in chart)
        assert len(chart) <= min(height, MAX_CHART_ROWS + 1)
        if chart:
            ticks = _ticks(chart)
            assert ticks[-1] == 0
            assert len({above - below for above, below in pairwise(ticks)}) == 1


@pytest.mark.parametrize("length", [1, 2, 40, 300])
def test_an_estimate_that_leaves_the_same_all_the_time_has_no_chart(length: int) -> None:
    assert _chart(_session((number, number) for number in range(1, length + 1))) == []
    assert _chart(_session((number, number + 3) for number in range(1, length + 1))) == []


def test_a_long_lane_has_even_labels_and_looks_at_few_thoughts(monkeypatch: pytest.MonkeyPatch) -> None:
    session = _session((number, 400 if number < 200 else 900) for number in range(1, 800))
    looked_at: list[int] = []
    get = session.thoughts.get

    def counted(_: Thoughts, index: int) -> Thought:
        looked_at.append(index)
        return get(index)

    monkeypatch.setattr(Thoughts, "get", counted)

    chart = _chart(session, 60)

    assert chart[-1].split() == ["1", "200", "400", "600", "800"]
    assert len(looked_at) <= 4 * 60


def test_a_done_chain_has_nothing_left_whatever_was_estimated() -> None:
    journal = JournalBuilder().session()
    for number in range(1, 6):
        journal.thought("x", number, 9 if number < 3 else 12, next=number < 5)
    session = fold(journal.events)
    points = estimate_points(session, 0, 100)

    assert [point.remaining for point in points] == [8, 7, 9, 8, 0]
