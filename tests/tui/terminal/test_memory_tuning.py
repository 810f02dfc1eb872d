"""Garbage is collected when it is due: in a quiet second, and in a stream that never pauses at a small cost."""

import gc
import weakref
from collections import deque
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.support.journals.build import SESSION, JournalBuilder
from tests.support.screens.screen_text import running_viewer, settings_of
from tui.terminal.memory_tuning import GarbageScheduler, disable_automatic_full_collections
from tui.widgets.strips import make_strip

STEPS, ROWS, KEPT, PARTS = 2000, 20, 400, 10


class Cycle:
    """What no reference counts free: it refers to itself."""

    def __init__(self, parts: int = 0) -> None:
        self.itself = self
        self.parts: list[list[int]] = [[] for _ in range(parts)]


@pytest.fixture(autouse=True)
def no_full_collections() -> None:
    """They are what is tested here."""


@pytest.fixture(autouse=True)
def collector() -> Generator[None]:
    """Give the collector back as it was."""
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


def looks(monkeypatch: pytest.MonkeyPatch, *counts: tuple[int, int, int], cost: float = 0.001) -> list[int]:
    """Return at which of the counts, one a second, there was a full collection, which takes ``cost`` seconds."""
    taken: list[int] = []
    now, second = 0.0, 0
    garbage = GarbageScheduler(lambda: now)

    def collect() -> None:
        nonlocal now
        taken.append(second)
        now += cost

    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "get_count", lambda: counts[second])
    for second in range(len(counts)):
        now = float(second)
        garbage.collect_if_due()
    return taken


def test_it_is_collected_in_the_first_quiet_second(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 20), (0, 4, 2), (0, 5, 20), (9, 5, 20), cost=9) == [0, 3]


def test_while_nothing_is_allocated_it_is_not_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 2), (5, 3, 2), (0, 3, 2)) == []


def test_where_no_second_is_quiet_it_is_collected_as_soon_as_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, (0, 3, 10), (0, 4, 11), (0, 3, 5), (0, 2, 11)) == [1, 3]


def test_where_no_second_is_quiet_it_takes_a_hundredth_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = [(0, number % 10, 20) for number in range(100)]

    assert looks(monkeypatch, *busy, cost=0.2) == [0, 21, 42, 63, 84]


@pytest.mark.slow  # hundreds of thousands of objects
def test_in_a_stream_that_never_pauses_the_number_of_objects_is_bounded() -> None:
    now = 0.0
    garbage = GarbageScheduler(lambda: now)
    disable_automatic_full_collections()
    before = most = len(gc.get_objects())
    kept: deque[Cycle] = deque(maxlen=KEPT)  # long enough to outlive the collections of new objects
    for step in range(STEPS):
        kept.extend(Cycle(PARTS) for _ in range(ROWS))
        if step % 20 == 0:
            now += 1
            most = max(most, len(gc.get_objects()))
            garbage.collect_if_due()

    assert most - before < STEPS * ROWS * PARTS / 2


@pytest.mark.slow  # everything that is loaded is looked through
def test_garbage_of_the_previous_session_is_collected_although_it_was_frozen() -> None:
    garbage = GarbageScheduler(lambda: 0.0)
    before = Cycle()
    garbage.freeze_soon()
    garbage.collect_if_due()
    is_there = weakref.ref(before)
    del before
    gc.collect()
    assert is_there() is not None

    garbage.unfreeze()
    garbage.freeze_soon()
    garbage.collect_if_due()

    assert is_there() is None


@pytest.mark.deep  # it draws for many seconds
async def test_thoughts_that_come_and_are_drawn_leave_no_garbage(tmp_path: Path) -> None:
    count = 30
    journal = JournalBuilder().session()
    path = tmp_path / f"{SESSION}.jsonl"
    for number in range(1, count + 1):
        journal.thought(f"Step {number} of a long way", number, 2 * count)
    head, *lines = journal.lines
    path.write_bytes(head)

    async with running_viewer(path, (120, 35), settings_of(tmp_path)) as stage:
        gc.collect()
        gc.disable()
        for number, line in enumerate(lines, 1):
            with path.open("ab") as file:
                file.write(line)
            await stage.shows(f"Step {number} of")
        make_strip.cache_clear()  # rows that are kept to be drawn again are not garbage yet
        left = gc.collect()

    assert left < count  # not an object a thought; the tests' own waiting leaves a few
