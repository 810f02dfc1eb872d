"""Containers of integers that only grow: most keys have no value, or one."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence, Set
from typing import TypeVar, overload

from typing_extensions import override

NONE = -1
"""No thought, lane or other item, wherever an index or ordinal is expected."""
T = TypeVar("T")


class IndexMultimap:
    """A list of indices for each key."""

    def __init__(self) -> None:
        self._lists: defaultdict[int, list[int]] = defaultdict(list)

    def append(self, key: int, item: int) -> None:
        """Append an item to a key's list."""
        self._lists[key].append(item)

    def get(self, key: int) -> Sequence[int]:
        """Return a key's list, in the order of appending."""
        return self._lists.get(key, ())


class IndexColumn:
    """At most one index for each key."""

    def __init__(self) -> None:
        self._items: dict[int, int] = {}

    def put(self, key: int, item: int) -> None:
        """Set a key's item."""
        self._items[key] = item

    def get(self, key: int) -> int:
        """Return a key's item, or NONE."""
        return self._items.get(key, NONE)

    def items_between(self, start: int, stop: int) -> Sequence[int]:
        """Return the items (NONE where there is none) of the keys from ``start`` to before ``stop``."""
        return [self._items.get(key, NONE) for key in range(start, stop)]


class SparseInts:
    """Integers for a few of many keys. Keys must be put in rising order."""

    def __init__(self) -> None:
        self._keys = array("i")
        self._numbers = array("q")

    def put(self, key: int, number: int) -> None:
        """Set the number of a key that is above all before it."""
        # In this order, another thread that reads finds a number for every key.
        self._numbers.append(number)
        self._keys.append(key)

    def get(self, key: int, default: int) -> int:
        """Return a key's number, or ``default``."""
        keys = self._keys
        position = bisect_left(keys, key)
        return self._numbers[position] if position < len(keys) and keys[position] == key else default

    @property
    def count(self) -> int:
        """How many keys have a number."""
        return len(self._keys)

    def keys_between(self, start: int, stop: int) -> Set[int]:
        """Return the keys from ``start`` to before ``stop`` that have a number."""
        return frozenset(self._keys[bisect_left(self._keys, start) : bisect_left(self._keys, stop)])

    def count_between(self, start: int, stop: int) -> int:
        """Return how many of the keys from ``start`` to before ``stop`` have a number."""
        return bisect_left(self._keys, stop) - bisect_left(self._keys, start)

    def first_key(self, start: int, stop: int) -> int:
        """Return the first key from ``start`` to before ``stop`` that has a number, else ``stop``."""
        position = bisect_left(self._keys, start)
        return min(self._keys[position], stop) if position < len(self._keys) else stop


class PrefixView(Sequence[T]):
    """The first ``length`` items of a list that may grow."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Sequence[T], length: int) -> None:
        self._items = items
        self._length = length

    @override
    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    @override
    def __getitem__(self, index: int | slice) -> T | list[T]:
        positions = range(self._length)[index]
        return (
            self._items[positions] if isinstance(positions, int) else [self._items[position] for position in positions]
        )


def newest_other(indices: Sequence[int], length: int) -> int:
    """Return the highest index below ``length`` that is not among ``indices``, which ascend; NONE if there is none."""
    count = bisect_left(indices, length)
    if not count or indices[count - 1] != length - 1:
        return length - 1
    # A run of consecutive indices has the same distance from its positions throughout: find the first of it.
    offset = indices[count - 1] - (count - 1)
    first = bisect_left(range(count), offset, key=lambda position: indices[position] - position)
    return indices[first] - 1


def oldest_other(indices: Sequence[int]) -> int:
    """Return the lowest index that is not among ``indices``, which ascend."""
    return bisect_left(range(len(indices)), 1, key=lambda position: indices[position] - position)
