"""Laws of docs/journal.md, "From events to a session: the fold", for all journals."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.fold import Fold, fold
from seqthink.core.errors import CorruptLineError
from seqthink.core.events import WriterState
from seqthink.journal.decode import decode
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import START, Journal, folded
from tests.support.journals.fold_drawing import drawn
from tests.support.journals.session_values import public_values


@given(journals(size=40), st.data())
def test_folding_in_batches_equals_folding_at_once(journal: Journal, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(journal.items)))
    growing = folded(journal.items[:cut])
    public_values(growing.session(WriterState.ALIVE), journal.items)
    in_two, at_once = folded(journal.items[cut:], growing), folded(journal.items)

    assert public_values(in_two.session(), journal.items) == public_values(at_once.session(), journal.items)


@given(journals(size=40))
def test_every_thought_is_in_exactly_one_lane_of_its_chain(journal: Journal) -> None:
    session = folded(journal.items).session()

    indices = [
        index
        for chain in range(session.chain_count)
        for lane in session.chains.lanes_of(chain)
        for index in session.lanes.get(lane).thoughts
    ]
    assert sorted(indices) == list(range(session.thought_count))


@given(journals(size=40), st.randoms(use_true_random=False))
def test_no_order_of_seqs_raises_or_breaks_a_prefix(journal: Journal, chance: Random) -> None:
    items = journal.items
    chance.shuffle(items)
    whole, half = folded(items).session(), len(items) // 2

    assert public_values(whole.at(half), items) == public_values(folded(items[:half]).session(), items)


def test_seqs_with_gaps_and_jumps_back_do_not_raise() -> None:
    journal = Journal().think(1).think(2)
    journal.seq = 40
    journal.revise(3, 1).branch(4, "a", 2)
    journal.seq = 0
    journal.think(4).audit(1, "reject").audit(41, "reject").note(7)

    assert drawn(journal) == ["trunk: 1 2 3↺#1 4", "a from #2: 4"]


def test_a_fold_of_many_is_a_fold_one_by_one() -> None:
    journal = Journal().session().think(1).branch(2, "a").unread()
    events = [item for item in journal.items if not isinstance(item, str)]

    assert public_values(fold(events, WriterState.GONE), journal.items) == public_values(
        folded(journal.items).session(WriterState.GONE), journal.items
    )


def test_nothing_folds_to_nothing() -> None:
    session = Fold().session()

    assert (session.thought_count, session.chain_count, session.session_event, session.end_event) == (0, 0, None, None)


def test_the_clock_may_jump_back_but_no_duration_is_below_0() -> None:
    journal = Journal().think(1).turn_back().think(2).think(3).think(1)
    session = folded(journal.items).session()

    assert [session.thoughts.duration_of(index) for index in range(4)] == [None, 0, 1_000_000, None]


@pytest.mark.parametrize("year", [1, 1969, 1970, 2026, 2300, 9999])
def test_times_are_exact_to_the_microsecond_in_every_year(year: int) -> None:
    journal = Journal()
    journal.clock = START.replace(year=year, microsecond=999_998)
    session = folded(journal.think(1).items).session()

    assert session.thoughts.time_of(0) % 1_000_000 == 999_998


@pytest.mark.parametrize("field", ["seq", "thoughtNumber", "totalThoughts", "revisesThought", "branchFromThought"])
def test_a_number_beyond_what_json_holds_exactly_is_corrupt_and_never_reaches_the_fold(field: str) -> None:
    fields = {"seq": 1, "thoughtNumber": 1, "totalThoughts": 1, "revisesThought": 1, "branchFromThought": 1}
    usual = {"v": 1, "time": "2026-01-02T03:04:05Z", "type": "thought", "thought": "x"}

    def line(value: int) -> bytes:
        return json.dumps({**usual, "nextThoughtNeeded": True, **fields, field: value}).encode()

    assert folded([decode(line(2**53 - 1))]).session().thought_count == 1
    for value in (2**53, 2**64, 10**30):
        with pytest.raises(CorruptLineError):
            decode(line(value))
