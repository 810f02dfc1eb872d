"""How much a test does: enough to notice a fault in `make test`, all that is promised in `make test-deep`."""

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

Size = TypeVar("Size")


def sized(few: Size, all_of_them: Size) -> Size:
    """Return the size for the suite that runs: ``few`` shows the behaviour, ``all_of_them`` is what is promised."""
    return all_of_them if settings.get_current_profile_name() == "deep" else few


def first(count: int, values: Iterable[Any], *, is_unpacked: bool = False) -> Iterator[ParameterSet]:
    """Yield the values of a test's parameters: the first ones, and those that only `make test-deep` takes.

    Args:
        count: how many show the behaviour; the others repeat it.
        values: as for `pytest.mark.parametrize`; one made by `pytest.param` keeps its name and its markers.
        is_unpacked: each is a tuple, with a value for each of several names.
    """
    for place, value in enumerate(values):
        marks = () if place < count else (pytest.mark.deep,)
        if isinstance(value, ParameterSet):
            yield pytest.param(*value.values, marks=[*value.marks, *marks], id=value.id)
        else:
            yield pytest.param(*(value if is_unpacked else (value,)), marks=marks)
