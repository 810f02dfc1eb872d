"""Many short lists of indices that only ever grow."""

from array import array
from collections.abc import Sequence

NONE = -1


class ShortLists:
    """Lists of indices by key, an index too: of a million keys most have one item or none, so most have no list."""

    def __init__(self) -> None:
        self._first = array("i")
        self._longer: dict[int, array[int]] = {}

    def append(self, key: int, item: int) -> None:
        """Put an item at the end of a key's list."""
        longer, first = self._longer.get(key), self._first
        if longer is not None:
            longer.append(item)
        elif key >= len(first):
            extend(first, key)
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


class Sparse:
    """Indices by key, an index too: a column that reaches only as far as the last key that has one."""

    def __init__(self) -> None:
        self._column = array("i")

    def put(self, key: int, item: int) -> None:
        """Give a key its item; keys come in rising order."""
        extend(self._column, key)
        self._column.append(item)

    def get(self, key: int) -> int:
        """Return a key's item, or NONE."""
        return self._column[key] if key < len(self._column) else NONE


def extend(column: "array[int]", length: int) -> None:
    """Fill a column up to ``length`` with NONE."""
    missing = length - len(column)
    if missing > 0:
        column.frombytes(b"\xff" * (missing * column.itemsize))
