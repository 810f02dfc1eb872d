"""Counts the thoughts of the newest chain by the fold's rule (docs/journal.md, "Chains"). Pure, standard library only.

The rule needs little: whether the chain's trunk has thoughts and, as long as it has none, which branches have a thought
numbered 1. Each agent has its own counter.
"""

from collections.abc import Mapping
from typing import Any, Final

from seqthink.chain.beginnings import begins_problem
from seqthink.server.tools.thinking_tool import FIELD_NAMES

MAX_BRANCHES: Final = 1024
"""How many branches of a chain without a trunk are distinguished."""


class ChainCounter:
    """Counts the thoughts of one agent's newest chain."""

    def __init__(self) -> None:
        self.length = 0
        """How many thoughts the chain has."""
        self._has_trunk = False
        self._has_first_thought: dict[int, bool] = {}
        """For each branch, whether it has a thought numbered 1; empty once the trunk has thoughts."""
        self._previous_digest = 0

    def add(self, thought: Mapping[str, Any]) -> int:
        """Count an accepted thought and return the length of its chain, this thought included."""
        digest = _digest(thought)
        if not self.length or (
            _may_begin_chain(thought) and digest != self._previous_digest and self._begins_chain(thought)
        ):
            self.length, self._has_trunk, self._has_first_thought = 0, False, {}
        self._previous_digest = digest
        self.length += 1
        self._record_lane(thought)
        return self.length

    def copy(self) -> "ChainCounter":
        """Return an independent copy."""
        other = ChainCounter()
        other.length, other._has_trunk, other._previous_digest = self.length, self._has_trunk, self._previous_digest
        other._has_first_thought = dict(self._has_first_thought)
        return other

    def _begins_chain(self, thought: Mapping[str, Any]) -> bool:
        key = _branch_key(thought)
        return begins_problem(
            is_on_branch=key is not None,
            names_fork=bool(thought.get("branchFromThought")),
            has_trunk=self._has_trunk,
            branch_has_first=lambda: None if key is None else self._has_first_thought.get(key),
        )

    def _record_lane(self, thought: Mapping[str, Any]) -> None:
        key = _branch_key(thought)
        if key is None:
            self._has_trunk, self._has_first_thought = True, {}
        elif not self._has_trunk and (key in self._has_first_thought or len(self._has_first_thought) < MAX_BRANCHES):
            self._has_first_thought[key] = self._has_first_thought.get(key, False) or thought["thoughtNumber"] == 1


def _branch_key(thought: Mapping[str, Any]) -> int | None:
    """Return a short key for the branch of a thought, however long its id is; None: no branch."""
    name = thought.get("branchId") or thought.get("branchFromThought")
    return None if name is None else hash(name)


def _may_begin_chain(thought: Mapping[str, Any]) -> bool:
    return thought["thoughtNumber"] == 1 and not is_revision(thought)


def is_revision(thought: Mapping[str, Any]) -> bool:
    """Return whether an accepted thought is a revision."""
    flag = thought.get("isRevision")
    return bool(thought.get("revisesThought")) if flag is None else bool(flag)


def _digest(thought: Mapping[str, Any]) -> int:
    """Return a hash that is equal for a call and its retry."""
    return hash(
        tuple(thought.get(name) or None if name == "branchId" else thought.get(name) for name in _DIGEST_FIELDS)
    )


_DIGEST_FIELDS: Final = tuple(sorted(FIELD_NAMES))
