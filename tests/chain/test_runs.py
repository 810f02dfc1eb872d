"""Folding many thoughts at once gives what folding them one by one gives, down to what the fold remembers."""

from array import array
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqthink.chain.columns.compact_lists import IndexMultimap
from seqthink.chain.fold import Fold
from seqthink.chain.native.switchable_fold import SwitchableFold
from seqthink.chain.returns.naming import BranchName
from seqthink.chain.runs.run import MIN_LENGTH, Run, runs
from seqthink.core.events import Event, UnknownEvent
from tests.bench import journals as long_journals
from tests.support.depth import first
from tests.support.journals.event_strategies import journals
from tests.support.journals.events_factory import Item, Journal
from tests.support.journals.run_strategies import run_journals

_SIZE = 100


def _state(value: Any) -> Any:  # noqa: ANN401 - whatever the fold holds
    """Return all that an object of the fold holds, as values to compare."""
    if isinstance(value, BranchName):
        return value.key
    if isinstance(value, Enum):
        return value
    if type(value).__module__.startswith("seqthink.chain"):
        names = [name for name in _names(value) if name not in _KNOWN_BY_NAME]
        found = {name: _state(getattr(value, name)) for name in names}
        return found | {"_away_from": sorted(found.get("_away_from", ()))}  # its order means nothing
    if isinstance(value, Mapping):
        return [(key, _state(one)) for key, one in cast("Mapping[Any, Any]", value).items()]
    if isinstance(value, list | tuple | array | bytearray):
        return [_state(one) for one in cast("Sequence[Any]", value)]
    return None if callable(value) else value


def _names(value: object) -> list[str]:
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*getattr(value, "__dict__", ()), *slots, *getattr(value, "__struct_fields__", ())]


_KNOWN_BY_NAME = {"_columns", "__weakref__", "passed_over"}
"""What is held at other places, too, or only remembers what was asked."""


def _whole_state(fold: Fold) -> dict[str, Any]:
    columns = fold._columns  # pyright: ignore[reportPrivateUsage] - the law is about all of it
    return {"columns": _state(columns), "fold": _state(fold)}


def _add_in_batches(fold: Fold | SwitchableFold, items: Sequence[Item], cuts: Sequence[int]) -> None:
    """Fold items in batches that end at ``cuts`` and at corrupt lines."""
    events: list[Event | UnknownEvent] = []
    places: list[int] = []

    def flush() -> None:
        fold.evolve_batch(events, places, [_SIZE] * len(places))
        events.clear()
        places.clear()

    for place, item in enumerate(items):
        if place in cuts:
            flush()
        if isinstance(item, str):
            flush()
            fold.skip_corrupt()
        else:
            events.append(item)
            places.append(place * _SIZE)
    flush()


def _add_one_by_one(fold: Fold | SwitchableFold, items: Sequence[Item]) -> None:
    for place, item in enumerate(items):
        if isinstance(item, str):
            fold.skip_corrupt()
        else:
            fold.evolve(item, place * _SIZE, _SIZE)


@given(run_journals() | journals(size=40, transcript=True), st.lists(st.integers(0, 150), max_size=5), st.booleans())
def test_batches_cut_anywhere_leave_the_fold_as_single_events_do(
    journal: Journal, cuts: list[int], has_native: bool
) -> None:
    together, single = Fold(has_native=has_native), Fold(has_native=has_native)

    _add_in_batches(together, journal.items, cuts)
    _add_one_by_one(single, journal.items)

    assert _whole_state(together) == _whole_state(single)


@pytest.mark.parametrize("shape", first(1, long_journals.SHAPES))
def test_long_journals_of_every_shape_fold_in_batches_as_one_by_one(shape: str) -> None:
    items: list[Item] = list(long_journals.events(1500, shape))
    together, single = Fold(), Fold()

    _add_in_batches(together, items, range(0, 1500, 390))
    _add_one_by_one(single, items)

    assert _whole_state(together) == _whole_state(single)


@given(run_journals(4) | journals(size=40, transcript=True), st.lists(st.integers(0, 60), max_size=4))
def test_native_reasoning_can_be_shown_after_batches_as_after_single_events(journal: Journal, cuts: list[int]) -> None:
    together, single = SwitchableFold(), SwitchableFold()

    _add_in_batches(together, journal.items, cuts)
    _add_one_by_one(single, journal.items)

    assert _state(together) == _state(single)


@given(run_journals(4))
def test_runs_hold_every_event_once_and_count_up(journal: Journal) -> None:
    events = [item for item in journal.items if not isinstance(item, str)]
    places = list(range(len(events)))

    found = list(runs(events, places, places))

    spread = [place for one in found for place in (one.offsets if isinstance(one, Run) else [one[1]])]
    assert spread == places
    for run in found:
        if isinstance(run, Run):
            assert [event.thoughtNumber for event in run.events] == list(run.numbers)
            assert len(run.events) == len(run.times) == len(run.branches) >= MIN_LENGTH


def test_a_run_of_plain_thoughts_is_not_folded_one_by_one() -> None:
    fold, single = Fold(), list[object]()
    fold.evolve = lambda event, _offset=0, _size=0, evolve=fold.evolve: (single.append(event), evolve(event))  # pyright: ignore[reportAttributeAccessIssue] - counts what goes one by one

    _add_in_batches(fold, list(long_journals.events(500, "straight")), [])

    assert (len(single), fold.session().thought_count) == (1, 500)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(1, 9)), max_size=20), st.integers(0, 6), st.integers(0, 5))
def test_lists_that_get_several_items_hold_what_they_hold_one_by_one(
    before: list[tuple[int, int]], key: int, count: int
) -> None:
    one, several = IndexMultimap(), IndexMultimap()
    for other, item in before:
        one.append(other, item)
    for item in range(count):
        one.append(key, item)
    if before:
        several.append_each([other for other, _ in before], [item for _, item in before])
    several.extend(key, array("i", range(count)))

    assert [list(one.get(other)) for other in range(8)] == [list(several.get(other)) for other in range(8)]
