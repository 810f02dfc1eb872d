"""Where a chain began, and how long it is: the fold's rule (journal.md, "Chains") on counts. Pure, standard library.

What the rule needs of a chain is whether its trunk has thoughts and, while it has none, which branches have a 1. Each
agent has chains of its own.
"""

from collections.abc import Mapping
from typing import Any, Final

from seqthink.server.tools import FIELD_NAMES

MAX_BRANCHES: Final = 1024
"""So many branches of a chain without a trunk are told apart; no agent has had as many."""


class ChainCounter:
    """Counts the thoughts of the newest chain."""

    def __init__(self) -> None:
        self.length = 0
        self._has_trunk = False
        self._has_one: dict[int, bool] = {}
        self._previous = 0

    def add(self, thought: Mapping[str, Any]) -> int:
        """Take in an accepted thought, and return how many its chain has with it."""
        digest = _digest(thought)
        if not self.length or (_may_begin(thought) and digest != self._previous and self._begins(thought)):
            self.length, self._has_trunk, self._has_one = 0, False, {}
        self._previous = digest
        self.length += 1
        self._note(thought)
        return self.length

    def copy(self) -> "ChainCounter":
        """Return the same counts, which go their own way from now on."""
        other = ChainCounter()
        other.length, other._has_trunk, other._previous = self.length, self._has_trunk, self._previous
        other._has_one = dict(self._has_one)
        return other

    def _begins(self, thought: Mapping[str, Any]) -> bool:
        key = _branch(thought)
        if key is None:
            return self._has_trunk
        if self._has_trunk:
            return False
        known = self._has_one.get(key)
        return known if known is not None else not thought.get("branchFromThought")

    def _note(self, thought: Mapping[str, Any]) -> None:
        key = _branch(thought)
        if key is None:
            self._has_trunk, self._has_one = True, {}
        elif not self._has_trunk and (key in self._has_one or len(self._has_one) < MAX_BRANCHES):
            self._has_one[key] = self._has_one.get(key, False) or thought["thoughtNumber"] == 1


def _branch(thought: Mapping[str, Any]) -> int | None:
    """Return what tells the branch of a thought from others, however long its id is; None: it is in none."""
    name = thought.get("branchId") or thought.get("branchFromThought")
    return None if name is None else hash(name)


def _may_begin(thought: Mapping[str, Any]) -> bool:
    is_revision = thought.get("isRevision")
    if is_revision is None:
        is_revision = bool(thought.get("revisesThought"))
    return thought["thoughtNumber"] == 1 and not is_revision


def _digest(thought: Mapping[str, Any]) -> int:
    """Return what is equal for a call and its retry, and hardly ever for two others."""
    return hash(tuple(thought.get(name) or None if name == "branchId" else thought.get(name) for name in _NAMES))


_NAMES: Final = tuple(sorted(FIELD_NAMES))
