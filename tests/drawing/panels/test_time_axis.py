"""The axis of the time line: the journal's time, long pauses compressed, any clock, and bounded work."""

from itertools import accumulate, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from seqthink.chain.fold import fold
from seqthink.chain.session import Session
from seqthink.drawing.panels.scrubber import time_axis
from seqthink.drawing.panels.time_axis import MAX_PAUSE_CELLS, TimeAxis
from tests.support.journals.build import JournalBuilder

GAPS = st.one_of(
    st.integers(0, 90),
    st.sampled_from([0, 0, 1, 60, 61, 600, 3_600, 86_400, 30_000_000]),
    st.integers(-4_000, -1),
)


def _session(gaps: list[int]) -> Session:
    journal = JournalBuilder().session()
    for number, gap in enumerate([0, *gaps], 1):
        journal.thought("t", number, 99, after=gap)
    return fold(journal.events)


def _axis(gaps: list[int], cells: int = 120) -> TimeAxis:
    return time_axis(_session(gaps), cells)


def _times(gaps: list[int]) -> list[int]:
    """Return when thoughts arrived in microseconds, where a clock that jumps back is put forward by as much."""
    return list(accumulate((max(0, gap) * 1_000_000 for gap in gaps), initial=0))


@given(st.lists(GAPS, max_size=50), st.data())
def test_no_thought_is_before_an_earlier_one_whatever_the_clock_does(gaps: list[int], data: st.DataObject) -> None:
    session, times = _session(gaps), _times(gaps)
    count = data.draw(st.integers(1, len(times)))
    arrivals = session.at_thought(count).thoughts.arrivals

    assert [arrivals.time_of(index) for index in range(count)] == times[:count]
    for time in {*times, *(time + 1 for time in times), *(time - 1 for time in times if time)}:
        assert arrivals.count_until(time) == sum(other <= time for other in times[:count])
    steps = enumerate(pairwise(times[:count]))
    assert [pause[:3] for pause in arrivals.pauses(50)] == [
        (start, stop, at) for at, (start, stop) in steps if stop - start >= 60_000_000
    ]


@given(st.lists(GAPS, max_size=60), st.integers(3, 200))
@example([], 40)
@example([0, 0, 0], 40)
@example([3_600], 44)
def test_every_thought_has_a_cell_and_every_cell_leads_to_its_newest_thought(gaps: list[int], cells: int) -> None:
    axis = _axis(gaps, cells)
    columns = [axis.column_of(index) for index in range(len(gaps) + 1)]

    assert columns == sorted(columns)
    assert columns[0] == axis.left
    assert columns[-1] < axis.left + axis.cells
    for index, column in enumerate(columns):
        assert axis.index_at(column) == max(other for other, at in enumerate(columns) if at == column) >= index
    found = [axis.index_at(column) for column in range(-2, cells + 2)]
    assert found == sorted(found)
    assert found[-1] == len(gaps)
    arrived = axis.arrivals_by_cell()
    assert [index for _, first, stop in arrived for index in range(first, stop)] == list(range(len(gaps) + 1))
    assert all(columns[first] == axis.left + cell for cell, first, _ in arrived)


@given(st.lists(GAPS, max_size=60), st.integers(60, 200))
def test_a_named_pause_covers_no_thought_and_no_other_pause(gaps: list[int], cells: int) -> None:
    axis = _axis(gaps, cells)
    taken = {cell for cell, _, _ in axis.arrivals_by_cell()}

    for pause in axis.pauses:
        assert 0 <= pause.first <= pause.stop <= axis.cells
        assert not taken & {*range(pause.first, pause.stop)}
        assert pause.duration >= 60_000_000
        taken |= {*range(pause.first, pause.stop)}


def test_an_hour_s_pause_takes_a_few_cells_and_has_a_name() -> None:
    axis = _axis([5] * 40 + [3_600] + [5] * 40)
    before, after = axis.column_of(40), axis.column_of(41)

    assert MAX_PAUSE_CELLS - 1 <= after - before <= MAX_PAUSE_CELLS + 1
    assert [(pause.first, pause.stop) for pause in axis.pauses] == [(before - axis.left + 1, after - axis.left)]
    assert axis.pauses[0].duration == 3_600_000_000


def test_pauses_as_long_as_all_others_are_neither_compressed_nor_named() -> None:
    axis = _axis([120] * 30)
    columns = [axis.column_of(index) for index in range(31)]

    assert axis.pauses == []
    assert {after - before for before, after in pairwise(columns)} <= {3, 4}


@given(st.lists(st.integers(1, 30), min_size=20, max_size=60), st.integers(1, 30))
def test_one_more_thought_moves_the_others_by_no_more_than_its_own_share(gaps: list[int], gap: int) -> None:
    before, after = _axis(gaps), _axis([*gaps, gap])
    share = before.cells * gap / (sum(gaps) + gap)

    for index in range(len(gaps) + 1):
        assert -1 <= before.column_of(index) - after.column_of(index) <= share + 1


def test_the_axis_looks_at_few_thoughts_however_many_there_are() -> None:
    """Half of a long session's thoughts come after a pause: the work must not grow with their number."""
    session = _session([1, 61] * 3_000)
    looked_at: list[int] = []
    arrivals = session.thoughts.arrivals
    time_of = type(arrivals).time_of

    class Counted(type(arrivals)):
        def time_of(self, index: int) -> int:  # type: ignore[override] - its base is chosen as the test runs
            looked_at.append(index)
            return time_of(self, index)

    axis = TimeAxis(Counted(session._columns.thoughts.arrivals, 6_001, 6_002), 2, 100)  # type: ignore[reportPrivateUsage] - what is counted is private
    axis.arrivals_by_cell()
    axis.column_of(3_000)

    assert len(looked_at) < 100
