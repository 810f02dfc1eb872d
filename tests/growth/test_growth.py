"""The law: twice the input, at most two and a half times the work, for every reader and every shape.

`readers.py` is the table of readers and shapes. Work is counted (`work.py`), not timed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark.structures import ParameterSet

from tests.growth.readers import READERS, Run
from tests.growth.work import work_of
from tests.support.depth import first, sized

MAX_GROWTH: Final = 2.5


def _cases() -> Iterator[ParameterSet]:
    """Yield each reader with its shapes; all but one only for `make test-deep`."""
    for place, (name, reader) in enumerate(READERS.items()):
        shapes = reader.shapes[place % reader.step :: reader.step]
        yield from first(1, ((name, shape) for shape in shapes), is_unpacked=True)


@pytest.mark.slow  # each line of code is counted
@pytest.mark.parametrize(("name", "shape"), _cases())
def test_twice_the_input_is_at_most_two_and_a_half_times_the_work(
    name: str, shape: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQTHINK_HOME", str(tmp_path))
    reader = READERS[name]
    prepared: list[Run] = []
    smaller = sized(min(reader.size, 80), reader.size)
    for number, size in enumerate((smaller, 2 * smaller)):
        folder = tmp_path / str(number)
        folder.mkdir()
        prepared.append(reader.prepare(shape, size, folder))
    prepared[1]()  # what is loaded or compiled once is not counted
    once, twice = work_of(prepared[0]), work_of(prepared[1])

    assert twice <= MAX_GROWTH * once
