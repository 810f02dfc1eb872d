"""Many short lists of indices that only ever grow."""

from array import array
from bisect import bisect_left
from collections.abc import Sequence, Set
from typing import TypeVar, overload

from typing_extensions import override

NONE = -1
T = TypeVar("T")


class IndexMultimap:
    """Lists of indices by key, an index too: of a million keys most have one item or none, so most have no list."""

    def __init__(self) -> None:
        self._first = array("i")
        self._longer: dict[int, array[int]] = {}

    def append(self, key: int, item: int) -> None:
        """Put an item at the end of a key's list."""
        longer, first = self._longer.get(key), self._first
        if longer is not None:
            longer.append(item)
        elif key == len(first):
            first.append(item)
        elif key > len(first):
            fill_with_none(first, key)
            first.append(item)
        elif first[key] == NONE:
            first[key] = item
        else:
            self._longer[key] = array("i", (first[key], item))

    def get(self, key: int) -> Sequence[int]:
        """Return a key's list."""
        longer = self._longer.get(key)
        if longer is not None:
            return longer
        first = self._first[key] if key < len(self._first) else NONE
        return () if first == NONE else (first,)


class IndexColumn:
    """Indices by key, an index too: a column that reaches only as far as the last key that has one."""

    def __init__(self) -> None:
        self._column = array("i")

    def put(self, key: int, item: int) -> None:
        """Give a key its item."""
        column = self._column
        if key < len(column):
            column[key] = item
            return
        if key > len(column):
            fill_with_none(column, key)
        column.append(item)

    def get(self, key: int) -> int:
        """Return a key's item, or NONE."""
        return self._column[key] if key < len(self._column) else NONE

    def items_between(self, start: int, stop: int) -> Sequence[int]:
        """Return the items, or NONE, of the keys from ``start`` to before ``stop``."""
        found = self._column[start:stop]
        fill_with_none(found, stop - start)
        return found


class SparseInts:
    """Numbers of a few keys among many, which come in rising order."""

    def __init__(self) -> None:
        self._keys = array("i")
        self._numbers = array("q")

    def put(self, key: int, number: int) -> None:
        """Give a key its number."""
        self._keys.append(key)
        self._numbers.append(number)

    def get(self, key: int, default: int) -> int:
        """Return a key's number, or ``default``."""
        place = bisect_left(self._keys, key)
        return self._numbers[place] if place < len(self._keys) and self._keys[place] == key else default

    def keys_between(self, start: int, stop: int) -> Set[int]:
        """Return which keys from ``start`` to before ``stop`` have a number."""
        return frozenset(self._keys[bisect_left(self._keys, start) : bisect_left(self._keys, stop)])

    def first_key(self, start: int, stop: int) -> int:
        """Return the first key from ``start`` to before ``otherwise`` that has a number, else that one."""
        place = bisect_left(self._keys, start)
        return min(self._keys[place], stop) if place < len(self._keys) else stop


class PrefixView(Sequence[T]):
    """The first so many items of a list that grows."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Sequence[T], length: int) -> None:
        self._items = items
        self._length = length

    @override
    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    @override
    def __getitem__(self, place: int | slice) -> T | list[T]:
        there = range(self._length)[place]
        return self._items[there] if isinstance(there, int) else [self._items[one] for one in there]


def fill_with_none(column: "array[int]", length: int) -> None:
    """Fill a column up to ``length`` with NONE."""
    missing = length - len(column)
    if missing > 0:
        column.frombytes(b"\xff" * (missing * column.itemsize))
