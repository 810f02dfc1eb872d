"""Which record follows which, in one file: what an edited prompt leaves behind, and what a copy begins with."""

from array import array
from collections.abc import Iterable

_NO_PARENT = -1


class Lineage:
    """The tree of a file's records, by uuid and parent."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._parents = array("q")
        self._has_child = bytearray()
        self._facts: dict[int, list[str]] = {}
        self._prompts: set[int] = set()

    def __contains__(self, uuid: str) -> bool:
        """Return whether the file has a record with this uuid."""
        return uuid in self._places

    def place_of(self, parent_uuid: str | None) -> int:
        """Return the place of the record that a new one continues; one whose parent is missing continues the last."""
        if parent_uuid is None:
            return _NO_PARENT
        return self._places.get(parent_uuid, len(self._parents) - 1)

    def add(self, uuid: str, parent_uuid: str | None) -> None:
        """Take in the next record, whose uuid is new."""
        parent = self.place_of(parent_uuid)
        self._places[uuid] = len(self._parents)
        self._parents.append(parent)
        self._has_child.append(0)
        if parent >= 0:
            self._has_child[parent] = 1

    def note(self, ids: Iterable[str], *, is_prompt: bool) -> None:
        """Remember the facts that the last record brought, and whether a prompt is among them."""
        place = len(self._parents) - 1
        if place < 0:
            return
        self._facts.setdefault(place, []).extend(ids)
        if is_prompt:
            self._prompts.add(place)

    def left_behind(self, parent_uuid: str | None) -> tuple[str, ...]:
        """Return the facts that a new prompt after ``parent_uuid`` leaves behind, in order.

        They are those of all records that descend from the same parent, if there is a prompt among them: the results
        of parallel calls and the like are children of one record, too, and nobody went back. To be asked before the
        prompt's own record is added.
        """
        parent = self.place_of(parent_uuid)
        if parent == _NO_PARENT:
            # In a file whose records name no parents, nobody went back to the beginning.
            first = {place for place in self._prompts if self._parents[place] == _NO_PARENT and self._has_child[place]}
            return self._facts_below(first, min(first)) if first else ()
        if not self._has_child[parent]:
            return ()
        return self._facts_below({parent}, parent + 1)

    def _facts_below(self, above: set[int], start: int) -> tuple[str, ...]:
        found: list[str] = []
        has_prompt = False
        for place in range(start, len(self._parents)):
            if place in above or self._parents[place] in above:
                above.add(place)
                found += self._facts.get(place, ())
                has_prompt = has_prompt or place in self._prompts
        return tuple(dict.fromkeys(found)) if has_prompt else ()
