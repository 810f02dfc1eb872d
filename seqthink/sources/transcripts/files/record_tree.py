"""Which record of a file continues which, where records name their parents: what is left behind when a user goes back.

What was left behind once stays so, also when the user comes back to it: an event once given out never changes.
"""

from array import array
from collections.abc import Iterable
from typing import Final

_ROOT: Final = -1


class RecordTree:
    """The records of one file, by their ids. Every method takes constant time, spread over all calls."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        # Of each record that was left behind: one above it; of any other: its own place.
        self._above = array("q")
        # The records that nobody has left, from the first to the newest; each continues the one before it.
        self._path: list[int] = []
        self._depths = array("q")
        self._facts: dict[int, list[str]] = {}

    def __contains__(self, identifier: str) -> bool:
        """Return whether the file has a record with this id."""
        return identifier in self._places

    def add(self, identifier: str, parent: str | None, *, may_go_back: bool) -> tuple[str, ...]:
        """Take in the next record, and return the facts that it leaves behind, in order.

        Args:
            identifier: its id.
            parent: the id of the record that it continues; None: it is the first of all. One that was lost counts as
                the newest.
            may_go_back: whether the user may have gone back before it. Any other record continues the newest one: two
                processes that write one file leave nothing behind.
        """
        left = self._go_back(parent) if may_go_back and self._path else ()
        place = len(self._above)
        self._places[identifier] = place
        self._above.append(place)
        self._depths.append(len(self._path))
        self._path.append(place)
        return left

    def note(self, ids: Iterable[str]) -> None:
        """Remember the facts that the last record brought."""
        self._facts.setdefault(len(self._above) - 1, []).extend(ids)

    def _go_back(self, parent: str | None) -> tuple[str, ...]:
        if parent is not None and parent not in self._places:
            return ()
        target = _ROOT if parent is None else self._kept(self._places[parent])
        kept = 0 if target == _ROOT else self._depths[target] + 1
        left = self._path[kept:]
        del self._path[kept:]
        for place in left:
            self._above[place] = target
        return tuple(dict.fromkeys(fact for place in left for fact in self._facts.pop(place, ())))

    def _kept(self, place: int) -> int:
        """Return the nearest record from a place up that was not left behind; shortens the way for the next time."""
        passed: list[int] = []
        while place != _ROOT and self._above[place] != place:
            passed.append(place)
            place = self._above[place]
        for each in passed:
            self._above[each] = place
        return place
