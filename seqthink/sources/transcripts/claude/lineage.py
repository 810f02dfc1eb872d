"""Which record follows which, in one file: what an edited prompt leaves behind, and what a copy begins with."""

from array import array
from collections.abc import Iterable
from typing import Final

from seqthink.sources.transcripts.files.processes import MAX_LINES

_NO_PARENT: Final = -1
_MAX_STEPS_UP: Final = 64
"""How far up a record is noted whose parent was left behind before: without a bound, that takes quadratic time."""


class Lineage:
    """The tree of a file's records, by uuid and parent. Every method takes constant time, spread over all calls."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._parents = array("q")
        self._said = array("Q")
        self._times = array("q")
        self._has_child = bytearray()
        self._is_left = bytearray()
        self._has_prompt_below = bytearray()
        self._facts: dict[int, list[str]] = {}
        self._prompts: set[int] = set()
        # Below each place, what was not left behind yet: its children, and what was added below those that were.
        self._below: dict[int, list[int]] = {}
        # The prompts that went back to each place; and of what they left behind, with what goes on below: which did.
        self._went_back: dict[int, list[str]] = {}
        self._left_by: dict[int, tuple[int, int]] = {}
        # The line of each record, and the lines that a record is going to begin.
        self._line_at = bytearray()
        self._beginnings: dict[str, int] = {}

    def __contains__(self, uuid: str) -> bool:
        """Return whether the file has a record with this uuid."""
        return uuid in self._places

    def said(self, uuid: str) -> int | None:
        """Return the digest of what the record with this uuid says; None if there is none."""
        place = self._places.get(uuid)
        return None if place is None else self._said[place]

    def is_repeated(self, uuid: str, said: int, time: int) -> bool:
        """Return whether the record with this uuid says the same, at the same time."""
        place = self._places.get(uuid)
        return place is not None and (self._said[place], self._times[place]) == (said, time)

    def place_of(self, parent_uuid: str | None) -> int:
        """Return the place of the record that a new one continues; one whose parent is missing continues the last."""
        if parent_uuid is None:
            return _NO_PARENT
        return self._places.get(parent_uuid, len(self._parents) - 1)

    def add(self, uuid: str, parent_uuid: str | None, said: int = 0, time: int = 0) -> None:
        """Take in the next record, whose uuid is new; ``said`` is a digest of what it says, ``time`` its own time."""
        place, parent = len(self._parents), self.place_of(parent_uuid)
        self._line_at.append(self.line_of(uuid, parent_uuid))
        self._places[uuid] = place
        self._parents.append(parent)
        self._said.append(said)
        self._times.append(time)
        for flags in (self._has_child, self._is_left, self._has_prompt_below):
            flags.append(0)
        if parent == _NO_PARENT or uuid in self._beginnings:
            return
        if parent in self._left_by:
            self._left_by[place] = self._left_by[parent]
        if not self._has_child[parent]:
            self._has_child[parent] = 1
            if parent in self._prompts and self._parents[parent] == _NO_PARENT and not self._line_at[parent]:
                self._below.setdefault(_NO_PARENT, []).append(parent)
        self._note_below(parent, place)

    def _note_below(self, above: int, place: int) -> None:
        """Note a new record below its parent; if that was left behind, below the nearest that was not, too."""
        for _ in range(_MAX_STEPS_UP):
            self._below.setdefault(above, []).append(place)
            if above == _NO_PARENT or not self._is_left[above]:
                return
            above = self._parents[above]

    def note(self, ids: Iterable[str], *, is_prompt: bool) -> None:
        """Remember the facts that the last record brought, and whether a prompt is among them."""
        place = len(self._parents) - 1
        if place < 0:
            return
        self._facts.setdefault(place, []).extend(ids)
        if is_prompt:
            self._prompts.add(place)
            above, line = self._parents[place], self._line_at[place]
            while above != _NO_PARENT and not self._has_prompt_below[above] and self._line_at[above] == line:
                self._has_prompt_below[above] = 1
                above = self._parents[above]

    def begin_line(self, uuid: str, line: int) -> None:
        """The next record, ``uuid``, begins a line of its own: nobody goes back from there, and nobody leaves it."""
        self._beginnings[uuid] = line

    def line_of(self, uuid: str | None, parent_uuid: str | None) -> int:
        """Return the line that a new record begins, or else its parent's; 0 is the file's own."""
        if uuid in self._beginnings:
            return self._beginnings[uuid]
        parent = self.place_of(parent_uuid)
        return 0 if parent == _NO_PARENT else self._line_at[parent]

    def nearest_facts(self, uuid: str | None) -> tuple[str, ...]:
        """Return the ids of the facts of the nearest record that has some, from ``uuid`` up."""
        place = self.place_of(uuid)
        for _ in range(_MAX_STEPS_UP):
            if place == _NO_PARENT or place in self._facts:
                break
            place = self._parents[place]
        return tuple(self._facts.get(place, ()))

    def left_by(self, uuid: str | None) -> tuple[str, ...]:
        """Return the prompts that went back and left ``uuid`` behind, or went back to the same place after that."""
        left = self._left_by.get(self.place_of(uuid))
        if left is None:
            return ()
        to, first = left
        return tuple(self._went_back[to][first : first + MAX_LINES])

    def left_behind(self, parent_uuid: str | None, prompt: str) -> tuple[str, ...]:
        """Return the facts that a new prompt after ``parent_uuid`` leaves behind, in order, but for those left before.

        They are those of all records that descend from the same parent, if there is a prompt among them: the results
        of parallel calls and the like are children of one record, too, and nobody went back. To be asked before the
        prompt's own record is added. In a file whose records name no parents, nobody went back to the beginning.
        """
        parent = self.place_of(parent_uuid)
        is_others = prompt in self._beginnings
        if is_others or (parent != _NO_PARENT and not self._has_prompt_below[parent]):
            return ()
        waiting = self._below.pop(parent, [])
        went_back = self._went_back.setdefault(parent, [])
        left: list[int] = []
        while waiting:
            place = waiting.pop()
            if not self._is_left[place]:
                self._is_left[place] = 1
                self._left_by[place] = parent, len(went_back)
                left.append(place)
                waiting += self._below.pop(place, ())
        went_back.append(prompt)
        return tuple(dict.fromkeys(fact for place in sorted(left) for fact in self._facts.pop(place, ())))
