"""Limits the length of a chain (`--max-thoughts`; docs/tools.md, "Limits"). Pure, standard library only."""

from collections import deque
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from seqthink.server.recording.chain_counter import ChainCounter

_MAX_OVER_LIMIT_SEQS: Final = 1024
"""How many thoughts may come between a question to the user and its answer."""


class ChainLimitCheckpoint(NamedTuple):
    """A saved state of a `ChainLimit`."""

    counter: ChainCounter
    allowed_thoughts: int
    is_refused: bool
    chain_number: int


class ChainLimit:
    """Counts the thoughts of an agent's newest chain against ``max_thoughts``; 0: no limit."""

    def __init__(self, max_thoughts: int, agent_label: str = "The agent") -> None:
        self.max_thoughts = max_thoughts
        self.agent_label = agent_label
        """How a question to the user names the agent."""
        self._counter = ChainCounter()
        self._allowed_thoughts = max_thoughts
        self.is_refused = False
        """Whether the user has decided that this chain must end."""
        self.chain_number = 0
        """Number of the newest chain. A call that waited for the user compares it with that of its own chain."""
        # The seqs of restored thoughts past the limit, in the newest chain: the user may have been asked about them.
        self._over_limit_seqs: deque[int] = deque(maxlen=_MAX_OVER_LIMIT_SEQS)

    def add(self, thought: Mapping[str, Any]) -> bool:
        """Count an accepted thought, and return whether the chain is past its limit."""
        if not self.max_thoughts:
            return False
        if self._counter.add(thought) == 1:
            self._allowed_thoughts, self.is_refused = self.max_thoughts, False
            self.chain_number += 1
            self._over_limit_seqs.clear()
        is_over_limit = bool(thought["nextThoughtNeeded"]) and self._counter.length > self._allowed_thoughts
        if is_over_limit and "seq" in thought:
            self._over_limit_seqs.append(thought["seq"])
        return is_over_limit

    def may_ask_user(self, more: int = 0) -> bool:
        """Return whether the user would be asked, should the chain pass its limit after ``more`` thoughts."""
        return bool(self.max_thoughts) and not self.is_refused and self._counter.length + more > self.max_thoughts

    def allow(self) -> None:
        """Let the chain continue for as many thoughts again: the user accepted."""
        self._allowed_thoughts = self._counter.length + self.max_thoughts

    def refuse(self) -> None:
        """Let the chain end, and do not ask again: the user declined."""
        self.is_refused = True

    def restore(self, event: Mapping[str, Any]) -> None:
        """Apply the user's answer about the newest chain, from an event of a resumed journal."""
        if event.get("purpose") == "limit" and event["of"] in self._over_limit_seqs:
            if event.get("action") == "accept":
                self.allow()
            elif event.get("action") == "decline":
                self.refuse()

    def checkpoint(self) -> ChainLimitCheckpoint:
        """Return the current state, for `roll_back`."""
        # Without a limit nothing is counted, so there is nothing to copy.
        return ChainLimitCheckpoint(
            self._counter.copy() if self.max_thoughts else self._counter,
            self._allowed_thoughts,
            self.is_refused,
            self.chain_number,
        )

    def roll_back(self, checkpoint: ChainLimitCheckpoint) -> None:
        """Forget the thoughts counted since ``checkpoint``."""
        counter, self._allowed_thoughts, self.is_refused, self.chain_number = checkpoint
        self._counter = counter.copy() if self.max_thoughts else counter

    @property
    def limit_text(self) -> str:
        """The limit in words: "12 thoughts"."""
        return f"{self.max_thoughts} thought{'' if self.max_thoughts == 1 else 's'}"

    @property
    def reached_message(self) -> str:
        """What the model reads when the user cannot be asked."""
        return f"Stop here and conclude with what you have: the limit of {self.limit_text} is reached."

    @property
    def refused_message(self) -> str:
        """What the model reads when the user declined."""
        return f"Stop here and conclude with what you have: the user does not want more than {self.limit_text}."
