"""Finds thoughts that say almost the same as an earlier one (docs/journal.md, "Chain health").

Each text leaves a sketch, and its smallest hashes are noted in a table, so that a text is compared with the few that
share one, not with all. That takes at most 100 bytes a thought, and no longer in a session of copies than in any other.
"""

from array import array
from collections.abc import Callable, Iterator, Set
from typing import NamedTuple

from seqthink.chain.health.shingles import SKETCH_SIZE, shared_in_sketches, shingles, similarity, sketch
from seqthink.chain.model import NONE
from seqthink.chain.session import Session

MIN_PERCENT = 85
"""Texts that have so much in common are near-duplicates."""
MIN_REVISION_PERCENT = 95
"""The same between a revision and what it revises; much of that may stay as it was."""

_MIN_SKETCH_SHARE = 0.5
"""Texts whose sketches share less are not compared. Of those with 85 % in common, one pair in a hundred is missed."""
_NOTED_HASHES = 3
_MIN_SLOTS = 1 << 10
_SLOTS_PER_TEXT = 8
_MAX_REVISIONS_FOLLOWED = 32
_KEPT_TEXTS, _MAX_KEPT_SHINGLES = 16, 400
"""Of how many of the newest texts shingles are kept, and how many a text may have."""


class NearDuplicate(NamedTuple):
    """An earlier thought with almost the same text."""

    other: int
    """The earlier thought."""
    percent: int
    """How many of their shingles both have, in percent, rounded down."""


class NearDuplicates:
    """Compares each thought with the earlier ones of its agent in its chain."""

    def __init__(self) -> None:
        # One item for each text that was long enough to compare.
        self._thoughts = array("i")
        self._sketches = array("i")
        """``SKETCH_SIZE`` values for each; a shorter sketch repeats its last."""
        # By a hash's last bits: the newest text that it was noted for. A list of sessions has many that need no table.
        self._slots = array("i")
        self._newest_shingles: dict[int, Set[int]] = {}

    def add(self, session: Session, index: int, text: str, text_of: Callable[[int], str]) -> NearDuplicate | None:
        """Add a thought, later than all before, and return an earlier near-duplicate of it, if any.

        Where there are several, it is the most similar of the newest.

        Args:
            session: the session that holds the thought.
            index: the thought.
            text: its text.
            text_of: returns the text of an earlier thought; an empty one if it cannot be read.
        """
        hashes = shingles(text)
        if not hashes:
            return None
        if not self._slots:
            self._slots = array("i", [NONE]) * _MIN_SLOTS
        own = sketch(hashes)
        found: list[NearDuplicate] = []
        group = _group_of(session, index)
        slots = self._slots_of(group, own)
        for other in self._candidates(session, index, own, slots):
            percent = int(100 * similarity(hashes, self._shingles_of(other, text_of)))
            if percent >= _min_percent(session, index, other):
                found.append(NearDuplicate(other, percent))
        self._note(session, index, own, slots)
        self._remember(index, hashes)
        return max(found, key=lambda duplicate: (duplicate.percent, duplicate.other), default=None)

    def _shingles_of(self, index: int, text_of: Callable[[int], str]) -> Set[int]:
        """Return the shingles of an earlier thought."""
        known = self._newest_shingles.get(index)
        return known if known is not None else shingles(text_of(index))

    def _remember(self, index: int, hashes: Set[int]) -> None:
        """Keep the shingles of one of the newest texts: most near-duplicates come soon."""
        if len(hashes) > _MAX_KEPT_SHINGLES:
            return
        self._newest_shingles[index] = hashes
        if len(self._newest_shingles) > _KEPT_TEXTS:
            del self._newest_shingles[next(iter(self._newest_shingles))]

    def _candidates(self, session: Session, index: int, own: "array[int]", slots: Set[int]) -> Iterator[int]:
        """Yield the earlier thoughts of the same agent and chain whose sketches are like ``own``."""
        before: Session | None = None
        for place in {self._slots[slot] for slot in slots} - {NONE}:
            other = self._thoughts[place]
            if not _belong_together(session, index, other):
                continue
            if shared_in_sketches(own, self._sketches[place * SKETCH_SIZE : (place + 1) * SKETCH_SIZE]) < (
                _MIN_SKETCH_SHARE
            ):
                continue
            # What is not left behind now was not then: without rewinds no earlier session is needed.
            if session.native.is_left_behind(other):
                before = before or session.at(session.thoughts.entry_index_of(index))
                if before.native.is_left_behind(other):
                    continue
            yield other

    def _note(self, session: Session, index: int, own: "array[int]", slots: Set[int]) -> None:
        place = len(self._thoughts)
        self._thoughts.append(index)
        self._sketches.extend(own)
        self._sketches.extend([own[-1]] * (SKETCH_SIZE - len(own)))
        if (place + 1) * _SLOTS_PER_TEXT > len(self._slots):
            self._grow(session)
            slots = self._slots_of(_group_of(session, index), own)
        for slot in slots:
            self._slots[slot] = place

    def _grow(self, session: Session) -> None:
        """Double the table, and note all texts again."""
        self._slots = array("i", [NONE]) * (2 * len(self._slots))
        for place, index in enumerate(self._thoughts[:-1]):
            own = self._sketches[place * SKETCH_SIZE : place * SKETCH_SIZE + _NOTED_HASHES]
            for slot in self._slots_of(_group_of(session, index), own):
                self._slots[slot] = place

    def _slots_of(self, group: int, own: "array[int]") -> Set[int]:
        """Return where the smallest hashes of a sketch are noted: elsewhere for each agent and chain."""
        last = len(self._slots) - 1
        return {(value ^ group) & last for value in own[:_NOTED_HASHES]}


def _group_of(session: Session, index: int) -> int:
    """Return a number for the agent and the chain of a thought."""
    return hash((session.thoughts.chain_of(index), session.lanes.agent_of(session.thoughts.lane_of(index))))


def _belong_together(session: Session, index: int, other: int) -> bool:
    """Whether an earlier thought is of the same agent in the same chain."""
    thoughts, agent_of = session.thoughts, session.lanes.agent_of
    if thoughts.chain_of(other) != thoughts.chain_of(index):
        return False
    return agent_of(thoughts.lane_of(other)) == agent_of(thoughts.lane_of(index))


def _min_percent(session: Session, index: int, other: int) -> int:
    """Return from which similarity on two thoughts are near-duplicates."""
    is_revised = _first_revised(session, index) == _first_revised(session, other)
    return MIN_REVISION_PERCENT if is_revised else MIN_PERCENT


def _first_revised(session: Session, index: int) -> int:
    """Return the thought with which a series of revisions began; ``index`` if it revises none."""
    for _ in range(_MAX_REVISIONS_FOLLOWED):
        target = session.thoughts.target_of(index)
        if target == NONE:
            break
        index = target
    return index
